#include "core/schedule/versions.h"

#include <algorithm>
#include <utility>

namespace bubblescope {
namespace {

/// Dense numbers for (pipe, stage).
class StageKeys {
public:
    explicit StageKeys(const Shape& shape)
        : m_stages(static_cast<std::size_t>(shape.allStages())), m_pipes(static_cast<std::size_t>(shape.pipes))
    {
    }

    std::size_t count() const { return m_stages * m_pipes; }

    bool contains(const Task& task) const { return task.pipe < m_pipes && task.stage < m_stages; }

    std::size_t of(const Task& task) const { return task.pipe * m_stages + task.stage; }

private:
    std::size_t m_stages;
    std::size_t m_pipes;
};

/// Calls f(id, task, updates of its stage on this lane so far) for every task of a compute lane that
/// reads or updates weights which are updated on this lane.
template <class Visitor>
void walkLane(const Schedule& schedule, const Lane& lane, const StageKeys& keys, std::vector<std::int32_t>& updates,
              Visitor&& visit)
{
    for (TaskId id = lane.begin; id < lane.end; ++id)
        if (const Task& task = schedule.tasks[id]; keys.contains(task))
            updates[keys.of(task)] = noVersion;
    for (TaskId id = lane.begin; id < lane.end; ++id)
        if (const Task& task = schedule.tasks[id]; task.work == Work::Update && keys.contains(task))
            updates[keys.of(task)] = 0;
    for (TaskId id = lane.begin; id < lane.end; ++id) {
        const Task& task = schedule.tasks[id];
        if (!keys.contains(task) || updates[keys.of(task)] == noVersion ||
            (!onGrid(task.work) && task.work != Work::Update))
            continue;
        visit(id, task, updates[keys.of(task)]);
        if (task.work == Work::Update)
            ++updates[keys.of(task)];
    }
}

std::int32_t delayedVersion(const Schedule& schedule, const Task& task)
{
    const int every = std::max(1, schedule.semantics.updateEvery);
    return std::max(task.microbatch / every - 1, 0);
}

/// The version that F of the same microbatch read on the first stage of its path.
std::int32_t inputStageVersion(const Schedule& schedule, const TaskIndex& index,
                               const std::vector<std::int32_t>& latest, Task task)
{
    task.work = Work::Forward;
    for (int previous = index.grid().neighbourStage(task, -1), steps = 0;
         previous >= 0 && steps < schedule.shape.allStages(); ++steps) {
        task.stage = Stage(previous);
        previous = index.grid().neighbourStage(task, -1);
    }
    const TaskId first = index.find(task);
    return first == noTask ? noVersion : latest[first];
}

} // namespace

bool asynchronous(const Schedule& schedule)
{
    const Semantics& semantics = schedule.semantics;
    return semantics.updateEvery > 0 && (semantics.maxVersions > 1 || semantics.maxDrift > 0 ||
                                         semantics.forwardReads != Semantics::ForwardReads::Latest ||
                                         semantics.updateEvery != schedule.shape.microbatches.front());
}

std::vector<std::int32_t> versionsRead(const Schedule& schedule, const TaskIndex& index)
{
    const StageKeys keys(schedule.shape);
    std::vector<std::int32_t> updates(keys.count(), 0);
    std::vector<std::int32_t> latest(schedule.tasks.size(), noVersion);
    for (const Lane& lane : schedule.lanes)
        walkLane(schedule, lane, keys, updates, [&](TaskId id, const Task& task, std::int32_t made) {
            if (onGrid(task.work))
                latest[id] = made;
        });
    const auto forward = [&](TaskId id, const Task& task) {
        switch (schedule.semantics.forwardReads) {
        case Semantics::ForwardReads::Delayed:
            return delayedVersion(schedule, task);
        case Semantics::ForwardReads::InputStage:
            return index.grid().contains(task) ? inputStageVersion(schedule, index, latest, task) : latest[id];
        default:
            return latest[id];
        }
    };
    std::vector<std::int32_t> read(schedule.tasks.size(), noVersion);
    for (std::uint32_t i = 0; i < schedule.tasks.size(); ++i) {
        Task task = schedule.tasks[i];
        if (latest[i] == noVersion)
            continue;
        const bool asForward = schedule.semantics.backwardReads == Semantics::BackwardReads::AsForward;
        if (task.work == Work::Forward) {
            read[i] = forward(TaskId(i), task);
        } else if (!asForward) {
            read[i] = latest[i];
        } else {
            task.work = Work::Forward;
            const TaskId own = index.find(task);
            read[i] = own == noTask ? latest[i] : forward(own, schedule.tasks[own]);
        }
    }
    return read;
}

namespace {

/// What a stage on a lane has seen so far. Version v, last read when version n was the newest, is live beside
/// newer ones at updates v+1 … n.
struct Tally {
    StageVersions versions;
    std::vector<TaskId> updates;
    std::vector<std::int32_t> lastReadBeside; // by version: the newest version when it is last read
    std::vector<TaskId> lastReader;           // by version
};

/// A task that reads: `made` updates stand before it, it reads `read`, and its forward read `forwardRead`.
void note(Tally& tally, TaskId id, Work work, std::int32_t made, std::pair<std::int32_t, std::int32_t> versions)
{
    const auto [read, forwardRead] = versions;
    if (read > made) {
        if (tally.versions.unmade == noTask)
            tally.versions.unmade = id;
        return;
    }
    if (read < 0)
        return;
    const std::size_t known = std::max(tally.lastReadBeside.size(), static_cast<std::size_t>(read) + 1);
    tally.lastReadBeside.resize(known, 0);
    tally.lastReader.resize(known, noTask);
    tally.lastReadBeside[static_cast<std::size_t>(read)] = made;
    tally.lastReader[static_cast<std::size_t>(read)] = id;
    const bool gives = work == Work::Backward || work == Work::WeightGradient;
    if (gives && forwardRead >= 0 && made - forwardRead > tally.versions.drift) {
        tally.versions.drift = made - forwardRead;
        tally.versions.driftAt = id;
    }
}

/// The sweep over updates that counts the live versions.
void countLive(Tally& tally)
{
    const std::size_t made = tally.updates.size();
    std::vector<std::int32_t> change(made + 2, 0);
    for (std::size_t version = 0; version < tally.lastReadBeside.size(); ++version) {
        const auto last = static_cast<std::size_t>(std::max(tally.lastReadBeside[version], 0));
        if (last <= version)
            continue;
        ++change[version + 1];
        --change[last + 1];
    }
    std::int32_t older = 0;
    for (std::size_t newest = 1; newest <= made; ++newest) {
        older += change[newest];
        if (1 + older > tally.versions.live) {
            tally.versions.live = 1 + older;
            tally.versions.mostLiveAt = tally.updates[newest - 1];
        }
    }
    tally.versions.updates = static_cast<int>(made);
}

/// Calls visit(tally) for every lane and stage that computes and updates there.
template <class Visitor>
void forEachTally(const Schedule& schedule, const TaskIndex& index, Visitor&& visit)
{
    const std::vector<std::int32_t> read = versionsRead(schedule, index);
    const StageKeys keys(schedule.shape);
    std::vector<std::int32_t> updates(keys.count(), 0);
    std::vector<std::int32_t> tallyOf(keys.count(), -1);
    for (std::uint32_t lane = 0; lane < schedule.lanes.size(); ++lane) {
        std::vector<Tally> tallies;
        walkLane(schedule, schedule.lanes[lane], keys, updates, [&](TaskId id, const Task& task, std::int32_t made) {
            std::int32_t& number = tallyOf[keys.of(task)];
            if (number < 0) {
                number = static_cast<std::int32_t>(tallies.size());
                tallies.push_back({{.pipe = task.pipe, .stage = task.stage, .lane = LaneId(lane)}, {}, {}, {}});
            }
            Tally& tally = tallies[static_cast<std::size_t>(number)];
            if (task.work == Work::Update) {
                tally.updates.push_back(id);
                return;
            }
            Task own = task;
            own.work = Work::Forward;
            const TaskId forward = index.find(own);
            note(tally, id, task.work, made, {read[id], forward == noTask ? noVersion : read[forward]});
        });
        for (Tally& tally : tallies) {
            tallyOf[tally.versions.pipe * static_cast<std::size_t>(schedule.shape.allStages()) + tally.versions.stage] =
                -1;
            visit(tally);
        }
    }
}

} // namespace

std::vector<StageVersions> weightVersions(const Schedule& schedule, const TaskIndex& index)
{
    std::vector<StageVersions> all;
    forEachTally(schedule, index, [&](Tally& tally) {
        countLive(tally);
        all.push_back(tally.versions);
    });
    return all;
}

std::vector<std::int8_t> weightSetChanges(const Schedule& schedule)
{
    const bool keepsBefore = schedule.semantics.prediction == Semantics::Prediction::Weights;
    std::vector<std::int8_t> changes;
    if (schedule.semantics.maxVersions <= 1 && !keepsBefore)
        return changes;
    changes.assign(schedule.tasks.size(), 0);
    forEachTally(schedule, TaskIndex(schedule), [&](const Tally& tally) {
        for (std::size_t version = 0; version < tally.updates.size(); ++version) {
            const TaskId update = tally.updates[version];
            changes[update] = static_cast<std::int8_t>(changes[update] + (keepsBefore && version == 0 ? 1 : 0));
            const TaskId last = version < tally.lastReader.size() ? tally.lastReader[version] : noTask;
            if (last == noTask || last < update)
                continue;
            changes[update] = static_cast<std::int8_t>(changes[update] + 1);
            changes[last] = -1;
        }
    });
    return changes;
}

} // namespace bubblescope
