// Bytes by class over time, from what each task of each stage takes and gives back.

#include "core/schedule/grid.h"
#include "core/schedule/versions.h"
#include "core/simulate/memory.h"
#include "core/simulate/memory_walk.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

namespace bubblescope {

std::int64_t total(const MemoryBytes& bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
}

const char* memoryClassName(MemoryClass memoryClass)
{
    static constexpr const char* names[] = {"activation", "boundary",        "gradient",  "message",
                                            "weight",     "weight_gradient", "optimizer", "workspace"};
    static_assert(std::size(names) == memoryClasses);
    return names[static_cast<std::size_t>(memoryClass)];
}

MemoryRules::MemoryRules(int stages, const Slicing& slicing)
    : constant(static_cast<std::size_t>(stages)), m_stages(stages)
{
    std::size_t slices = 0;
    for (const SliceCut& cut : slicing.cuts) {
        m_first.push_back(slices);
        slices += cut.lengths.size();
    }
    m_effects.resize(std::max<std::size_t>(1, slices) * static_cast<std::size_t>(workCount) *
                     static_cast<std::size_t>(stages));
}

void MemoryRules::add(Work work, Stage stage, Effect effect, std::size_t slice)
{
    assert(stage < m_stages);
    if (effect.atStart != 0 || effect.atEnd != 0)
        m_effects[(slice * workCount + static_cast<std::size_t>(work)) * static_cast<std::size_t>(m_stages) + stage]
            .push_back(effect);
}

void MemoryRules::add(Work work, Part part, Effect effect)
{
    m_shardEffects[{work, part}].push_back(effect);
}

const std::vector<MemoryRules::Effect>& MemoryRules::of(const Task& task) const
{
    const bool ofShard = task.work >= Work::EmbeddingForward && task.work <= Work::VocabularyT;
    const auto found = ofShard ? m_shardEffects.find({task.work, task.part}) : m_shardEffects.end();
    if (found != m_shardEffects.end())
        return found->second;
    const bool sliced = onGrid(task.work) || task.work == Work::Offload || task.work == Work::Reload;
    return of(task.work, task.stage, sliced && !m_first.empty() ? sliceOf(task) : 0);
}

const std::vector<MemoryRules::Effect>& MemoryRules::of(Work work, Stage stage, std::size_t slice) const
{
    static const std::vector<Effect> none;
    if (stage >= m_stages)
        return none;
    return m_effects[(slice * workCount + static_cast<std::size_t>(work)) * static_cast<std::size_t>(m_stages) + stage];
}

namespace {

void apply(const MemoryRules& rules, const Task& task, bool ends, MemoryBytes& live)
{
    for (const MemoryRules::Effect& effect : rules.of(task))
        live[static_cast<std::size_t>(effect.memoryClass)] += ends ? effect.atEnd : effect.atStart;
}

/// Weights and their company of the vocabulary's shard on a device.
MemoryBytes shardBytes(const Schedule& schedule, std::pair<std::uint32_t, std::uint32_t> lanes,
                       const MemoryRules& rules)
{
    for (std::uint32_t i = lanes.first; i < lanes.second; ++i)
        for (TaskId id = schedule.lanes[i].begin; id < schedule.lanes[i].end; ++id)
            if (const Task& task = schedule.tasks[id];
                task.work == Work::VocabularyS && task.part < rules.shards.size())
                return rules.shards[task.part];
    return {};
}

/// Weights are loaded from the host instead of staying on devices.
bool streamed(const Schedule& schedule)
{
    return std::any_of(schedule.tasks.begin(), schedule.tasks.end(),
                       [](const Task& task) { return task.work == Work::LoadWeights; });
}

/// Frozen layers, and replicas that no microbatch visited but which are updated, have weights, too.
bool needsWeights(const Task& task, const Lane& lane)
{
    return lane.kind == LaneKind::Compute &&
           (onGrid(task.work) || task.work == Work::Update || task.work == Work::Filler);
}

/// Sets of weights that come and go beside the newest one. They are those of their stage on the same lane as its tasks,
/// so the order alone decides them.
class WeightSets {
public:
    WeightSets(const Schedule& schedule, const MemoryRules& rules)
        : m_schedule(schedule), m_rules(rules), m_changes(weightSetChanges(schedule))
    {
    }

    bool any() const { return !m_changes.empty(); }

    /// A new set is there from the start of its update, an old one until the end of its last reader.
    void apply(TaskId id, bool ends, MemoryBytes& live) const
    {
        if (!any() || m_changes[id] == 0 || (m_changes[id] < 0) != ends)
            return;
        constexpr auto weight = static_cast<std::size_t>(MemoryClass::Weight);
        const Stage stage = m_schedule.tasks[id].stage;
        if (stage < m_rules.constant.size())
            live[weight] += m_changes[id] * m_rules.constant[stage][weight];
    }

private:
    const Schedule& m_schedule;
    const MemoryRules& m_rules;
    std::vector<std::int8_t> m_changes;
};

/// Weights and their company of every stage that the device works on.
MemoryBytes constantBytes(const Schedule& schedule, std::pair<std::uint32_t, std::uint32_t> lanes,
                          const MemoryRules& rules)
{
    if (streamed(schedule))
        return {}; // they come and go
    std::set<std::pair<std::uint8_t, std::uint16_t>> homes;
    for (std::uint32_t i = lanes.first; i < lanes.second; ++i)
        for (TaskId id = schedule.lanes[i].begin; id < schedule.lanes[i].end; ++id)
            if (const Task& task = schedule.tasks[id];
                needsWeights(task, schedule.lanes[i]) && task.stage < rules.constant.size())
                homes.insert({task.pipe.value, task.stage.value});
    MemoryBytes bytes = shardBytes(schedule, lanes, rules);
    for (const auto& [pipe, stage] : homes)
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] += rules.constant[stage][i];
    return bytes;
}

/// Weights that come for a burst of tasks: gathered from shards, or loaded from the host.
bool bringsWeights(Work work)
{
    return work == Work::Gather || work == Work::LoadWeights;
}

/// Tasks at whose end such weights go: the last that reads them before the next gather of the stage. A
/// gather is known by its edge to the burst's first task; W needs no weights. Sorted.
std::vector<TaskId> lastReaders(const Schedule& schedule)
{
    std::vector<TaskId> first;
    for (const Edge& edge : schedule.dataflow.edges)
        if (bringsWeights(schedule.tasks[edge.from].work) && edge.payload == Payload::Weight)
            first.push_back(edge.to);
    std::vector<TaskId> last;
    for (const Lane& lane : schedule.lanes) {
        std::map<std::pair<Pipe, Stage>, TaskId> reader; // of gathered stages, so far
        for (TaskId id = lane.begin; id < lane.end && !first.empty(); ++id) {
            const Task& task = schedule.tasks[id];
            if (!onGrid(task.work) || task.work == Work::WeightGradient)
                continue;
            const bool begins = std::binary_search(first.begin(), first.end(), id);
            const auto known = reader.find({task.pipe, task.stage});
            if (begins && known != reader.end())
                last.push_back(known->second);
            if (begins || known != reader.end())
                reader[{task.pipe, task.stage}] = id;
        }
        for (const auto& [stage, id] : reader)
            last.push_back(id);
    }
    std::sort(last.begin(), last.end());
    return last;
}

/// The first task of each burst that adds up gradients which leave for the host afterwards. Sorted.
std::vector<TaskId> firstGivers(const Schedule& schedule)
{
    std::set<TaskId> last;
    for (const Edge& edge : schedule.dataflow.edges)
        if (schedule.tasks[edge.to].work == Work::StoreGradients && onGrid(schedule.tasks[edge.from].work))
            last.insert(edge.from);
    std::vector<TaskId> first;
    for (const Lane& lane : schedule.lanes) {
        std::set<std::pair<Pipe, Stage>> open;
        for (TaskId id = lane.begin; id < lane.end && !last.empty(); ++id) {
            const Task& task = schedule.tasks[id];
            if (task.work != Work::Backward && task.work != Work::WeightGradient)
                continue;
            if (open.insert({task.pipe, task.stage}).second)
                first.push_back(id);
            if (last.contains(id))
                open.erase({task.pipe, task.stage});
        }
    }
    return first;
}

/// What one (stage, microbatch, slice) of a pipe holds once all changes up to the peak are counted.
std::vector<Task> holdersAtPeak(const Schedule& schedule, std::pair<std::uint32_t, std::uint32_t> lanes,
                                const Timing& timing, const MemoryRules& rules, Nanoseconds peakAt)
{
    const Grid grid(schedule);
    std::unordered_map<std::uint32_t, std::int64_t> held;
    std::vector<Task> forwards;
    for (std::uint32_t i = lanes.first; i < lanes.second; ++i) {
        for (TaskId id = schedule.lanes[i].begin; id < schedule.lanes[i].end; ++id) {
            const Task& task = schedule.tasks[id];
            const bool ofShard = task.work >= Work::EmbeddingForward && task.work <= Work::VocabularyT;
            if (bringsWeights(task.work) || task.work == Work::StoreGradients || ofShard)
                continue; // its number isn't a microbatch, or it is no stage's
            MemoryBytes change{};
            if (timing.start[id] <= peakAt)
                apply(rules, task, false, change);
            if (timing.end[id] <= peakAt)
                apply(rules, task, true, change);
            Task forward = task;
            forward.work = Work::Forward;
            if (!grid.contains(forward))
                continue;
            held[grid.slot(forward)] += total(change);
            if (task.work == Work::Forward)
                forwards.push_back(task);
        }
    }
    std::erase_if(forwards, [&](const Task& task) { return held[grid.slot(task)] <= 0; });
    return forwards;
}

} // namespace

std::vector<MemoryCurve> memoryCurves(const Schedule& schedule, const Timing& timing, const MemoryRules& rules,
                                      bool detailed)
{
    const auto ranges = lanesByDevice(schedule);
    std::vector<MemoryCurve> curves(ranges.size());
    const std::vector<TaskId> releases = lastReaders(schedule);
    const std::vector<TaskId> givers = firstGivers(schedule);
    const Work bringer = streamed(schedule) ? Work::LoadWeights : Work::Gather;
    const WeightSets sets(schedule, rules);
    const auto counts = [&](const Task& task) {
        return !rules.of(task).empty() || (sets.any() && task.work == Work::Update);
    };
    for (std::size_t device = 0; device < ranges.size(); ++device) {
        MemoryCurve& curve = curves[device];
        MemoryBytes live = constantBytes(schedule, ranges[device], rules);
        Nanoseconds now = timing.begin;
        const auto settle = [&] {
            const std::int64_t sum = total(live);
            if (sum > curve.peak) {
                curve.peak = sum;
                curve.atPeak = live;
                curve.peakAt = now;
            }
            if (detailed && (curve.steps.empty() || curve.steps.back().live != live))
                curve.steps.push_back({now, live});
        };
        walkChanges(schedule, ranges[device], timing, counts, [&](Nanoseconds time, TaskId id, bool ends) {
            if (time != now) {
                settle();
                now = time;
            }
            apply(rules, schedule.tasks[id], ends, live);
            if (ends && std::binary_search(releases.begin(), releases.end(), id))
                for (const MemoryRules::Effect& effect : rules.of(bringer, schedule.tasks[id].stage))
                    live[static_cast<std::size_t>(effect.memoryClass)] -= effect.atStart;
            if (!ends && std::binary_search(givers.begin(), givers.end(), id))
                for (const MemoryRules::Effect& effect : rules.of(Work::StoreGradients, schedule.tasks[id].stage))
                    live[static_cast<std::size_t>(effect.memoryClass)] -= effect.atEnd;
            sets.apply(id, ends, live);
        });
        settle();
        if (detailed)
            curve.holders = holdersAtPeak(schedule, ranges[device], timing, rules, curve.peakAt);
    }
    return curves;
}

std::vector<MemoryBytes> bytesAfterTasks(const Schedule& schedule, const MemoryRules& rules)
{
    std::vector<MemoryBytes> after(schedule.tasks.size());
    const WeightSets sets(schedule, rules);
    const auto ranges = lanesByDevice(schedule);
    for (std::size_t device = 0; device < ranges.size(); ++device) {
        const LaneId lane = schedule.computeLane(Device(device));
        if (lane >= schedule.lanes.size())
            continue;
        MemoryBytes live = constantBytes(schedule, ranges[device], rules);
        for (TaskId id = schedule.lanes[lane].begin; id < schedule.lanes[lane].end;) {
            const TaskId end = schedule.unitEnd(id);
            for (TaskId member = id; member < end; ++member) {
                for (const bool ends : {false, true}) {
                    apply(rules, schedule.tasks[member], ends, live);
                    sets.apply(member, ends, live);
                }
            }
            for (; id < end; ++id)
                after[id] = live;
        }
    }
    return after;
}

} // namespace bubblescope
