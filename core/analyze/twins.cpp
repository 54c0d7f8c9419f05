// Costs of the twins. A joined unit's cost stands at its first task, the others of the unit cost
// nothing, so that one number is one unit everywhere.

#include "core/analyze/twins.h"

#include "core/analyze/statistics.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace bubblescope {
namespace {

/// Which level brings in a task's duration.
enum class Kind : std::uint8_t { Compute, Transfer, Synchronisation, Copy };

Kind kindOf(const Lane& lane, const Task& task)
{
    if (task.work == Work::Send || task.work == Work::Receive)
        return Kind::Transfer;
    if (task.grouped() || lane.kind == LaneKind::Collective)
        return Kind::Synchronisation;
    if (lane.kind == LaneKind::CopyIn || lane.kind == LaneKind::CopyOut)
        return Kind::Copy;
    return Kind::Compute;
}

using Durations = std::vector<Nanoseconds>;

class TwinMaker {
public:
    TwinMaker(const Schedule& schedule, const Costs& costs, const Timing& timing, bool measured)
        : m_schedule(schedule), m_given(costs), m_timing(timing)
    {
        readOwn(measured);
        m_typical = measured ? medians() : m_own;
    }

    std::vector<Twin> make(bool measured)
    {
        m_costs = m_given;
        m_costs.pair = -1;
        m_costs.perTask.assign(m_schedule.tasks.size(), 0);
        m_costs.model = CommModel::Latency;
        m_costs.everyHop = {};
        m_costs.pairs.clear();
        m_costs.release.clear();
        take(Kind::Compute, uniform() ? m_typical : means());
        add(IdleCause::Warmup);
        addReality();
        if (measured && m_typical != m_own) {
            m_costs.perTask = m_own;
            add(IdleCause::Jitter);
        }
        return std::move(m_twins);
    }

private:
    /// True when every stage costs the same, so that means are nothing new: the usual case, and a quick one.
    bool uniform() const
    {
        std::array<Nanoseconds, workCount> first{};
        first.fill(-1);
        bool same = true;
        forEachUnit([&](const Lane&, TaskId unit, TaskId end) {
            Nanoseconds& known = first[static_cast<std::size_t>(m_schedule.tasks[unit].work)];
            known = known < 0 ? m_typical[unit] : known;
            same = same && end - unit == 1 && known == m_typical[unit];
        });
        return same;
    }

    /// Levels 1 to 5.
    void addReality()
    {
        if (std::any_of(m_given.release.begin(), m_given.release.end(), [](Nanoseconds time) { return time > 0; })) {
            m_costs.release = m_given.release;
            add(IdleCause::Arrival);
        }
        if (take(Kind::Compute, m_typical))
            add(IdleCause::Imbalance);
        const bool transfers = take(Kind::Transfer, m_typical);
        if (transfersTakeTime()) {
            m_costs.model = m_given.model;
            m_costs.everyHop = m_given.everyHop;
            m_costs.pairs = m_given.pairs;
            add(IdleCause::Communication);
        } else if (transfers) {
            add(IdleCause::Communication);
        }
        if (take(Kind::Synchronisation, m_typical) || groupsHoldUp()) {
            m_options.tieGroups = true;
            add(IdleCause::Synchronisation);
        }
        if (take(Kind::Copy, m_typical))
            add(IdleCause::Memory);
    }

    void add(IdleCause cause) { m_twins.push_back({cause, m_costs, m_options}); }

    template <class Visitor>
    void forEachUnit(Visitor&& visit) const
    {
        for (const Lane& lane : m_schedule.lanes)
            for (TaskId id = lane.begin; id < lane.end;) {
                const TaskId end = m_schedule.unitEnd(id);
                visit(lane, id, end);
                id = end;
            }
    }

    void readOwn(bool measured)
    {
        m_own.assign(m_schedule.tasks.size(), 0);
        m_kinds.assign(m_schedule.tasks.size(), Kind::Compute);
        forEachUnit([&](const Lane& lane, TaskId first, TaskId end) {
            for (TaskId id = first; id < end; ++id)
                m_kinds[id] = kindOf(lane, m_schedule.tasks[id]);
            if (end - first == 1)
                m_own[first] = m_given.duration(first, m_schedule.tasks[first]);
            else if (measured) // its parts weren't measured apart
                m_own[first] = m_timing.end[first] - m_timing.start[first];
            else
                m_own[first] = m_given.unitDuration(m_schedule, first, end);
        });
    }

    /// One task: what the mean is taken over, i.e. its stages. A joined unit: all units of the same works.
    std::uint64_t meanKey(TaskId first, TaskId end) const
    {
        if (end - first > 1)
            return unitKey(first, end, false);
        const Task& task = m_schedule.tasks[first];
        return std::uint64_t{static_cast<std::uint32_t>(task.microbatch.value)} << 32 |
               std::uint64_t{task.slice} << 16 | std::uint64_t{task.pipe} << 8 | static_cast<std::uint64_t>(task.work);
    }

    /// (work, stage, pipe, slice).
    std::uint64_t medianKey(TaskId first, TaskId end) const
    {
        if (end - first > 1)
            return unitKey(first, end, true);
        const Task& task = m_schedule.tasks[first];
        return std::uint64_t{task.stage} << 32 | std::uint64_t{task.slice} << 16 | std::uint64_t{task.pipe} << 8 |
               static_cast<std::uint64_t>(task.work);
    }

    std::uint64_t unitKey(TaskId first, TaskId end, bool withStage) const
    {
        std::uint64_t key = 1;
        for (TaskId id = first; id < end; ++id) {
            const Task& task = m_schedule.tasks[id];
            key = key * 1099511628211ULL + (std::uint64_t{task.pipe} << 8 | static_cast<std::uint64_t>(task.work));
            key = withStage ? key * 1099511628211ULL + task.stage : key;
        }
        return key | std::uint64_t{1} << 63; // apart from the keys of single tasks
    }

    /// By first task of each unit: the number of its key, from 0; `keys` is how many there are.
    std::vector<std::uint32_t> numbered(std::uint64_t (TwinMaker::*key)(TaskId, TaskId) const, std::size_t& keys) const
    {
        std::vector<std::uint32_t> numbers(m_schedule.tasks.size(), 0);
        std::unordered_map<std::uint64_t, std::uint32_t> known;
        forEachUnit([&](const Lane&, TaskId first, TaskId end) {
            numbers[first] =
                known.try_emplace((this->*key)(first, end), static_cast<std::uint32_t>(known.size())).first->second;
        });
        keys = known.size();
        return numbers;
    }

    /// Level 0: equal stages. Rounded down.
    Durations means() const
    {
        std::size_t keys = 0;
        const std::vector<std::uint32_t> numbers = numbered(&TwinMaker::meanKey, keys);
        std::vector<std::pair<Nanoseconds, Nanoseconds>> sums(keys, {0, 0}); // and counts
        forEachUnit([&](const Lane&, TaskId first, TaskId) {
            sums[numbers[first]].first += m_typical[first];
            ++sums[numbers[first]].second;
        });
        Durations durations(m_typical.size(), 0);
        forEachUnit([&](const Lane&, TaskId first, TaskId) {
            durations[first] = sums[numbers[first]].first / sums[numbers[first]].second;
        });
        return durations;
    }

    Durations medians() const
    {
        std::size_t keys = 0;
        const std::vector<std::uint32_t> numbers = numbered(&TwinMaker::medianKey, keys);
        std::vector<Durations> all(keys);
        forEachUnit([&](const Lane&, TaskId first, TaskId) { all[numbers[first]].push_back(m_own[first]); });
        Durations values;
        for (Durations& own : all)
            values.push_back(median(std::move(own)));
        Durations durations(m_own.size(), 0);
        forEachUnit([&](const Lane&, TaskId first, TaskId) { durations[first] = values[numbers[first]]; });
        return durations;
    }

    /// Sets the durations of one kind of task; true when that changed anything.
    bool take(Kind kind, const Durations& from)
    {
        bool changed = false;
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (m_kinds[i] != kind || m_costs.perTask[i] == from[i])
                continue;
            m_costs.perTask[i] = from[i];
            changed = true;
        }
        return changed;
    }

    bool transfersTakeTime() const
    {
        const auto costs = [&](const Hop& hop) {
            return hop.latency > 0 || (hop.bytesPerSecond > 0 && !m_given.activationBytes.empty());
        };
        return m_given.model == CommModel::Blocking || costs(m_given.everyHop) ||
               std::any_of(m_given.pairs.begin(), m_given.pairs.end(), costs);
    }

    /// False when every group stands where its lanes have nothing left to do but take no time: a barrier at the very end.
    bool groupsHoldUp() const
    {
        if (m_schedule.groups.empty())
            return false;
        std::vector<bool> trailing(m_schedule.tasks.size(), false);
        for (const Lane& lane : m_schedule.lanes)
            for (std::uint32_t id = lane.end; id-- > lane.begin;) {
                if (m_own[id] != 0)
                    break;
                trailing[id] = true;
            }
        return std::any_of(m_schedule.groupMembers.begin(), m_schedule.groupMembers.end(),
                           [&](TaskId member) { return !trailing[member]; }) ||
               std::any_of(m_schedule.dataflow.edges.begin(), m_schedule.dataflow.edges.end(),
                           [&](const Edge& edge) { return trailing[edge.from] && !trailing[edge.to]; });
    }

    const Schedule& m_schedule;
    const Costs& m_given;
    const Timing& m_timing;
    Durations m_own;     ///< by first task of each unit
    Durations m_typical; ///< what levels 2 to 5 use: the same, or medians of a measured run
    std::vector<Kind> m_kinds;
    Costs m_costs; ///< of the level being made
    SimulateOptions m_options{.tieGroups = false};
    std::vector<Twin> m_twins;
};

} // namespace

std::vector<Twin> makeTwins(const Schedule& schedule, const Costs& costs, const Timing& timing, bool measured)
{
    return TwinMaker(schedule, costs, timing, measured).make(measured);
}

} // namespace bubblescope
