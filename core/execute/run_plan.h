// What is worked out once before a run: who sends what to whom, and how long things take by the model.
//
// Every dependency between two lanes becomes a port (producer task → consumer lane); the first consumer
// on that lane takes the message, later ones find it there. Dependencies inside a lane cost nothing: the
// order of the lane keeps them. A schedule is run in rounds; the plan is that of one round.

#pragma once

#include "core/execute/exchange.h"
#include "core/execute/thread_exchange.h"
#include "core/schedule/ordinals.h"
#include "core/schedule/schedule.h"
#include "core/simulate/costs.h"

#include <string>
#include <utility>
#include <vector>

namespace bubblescope {

class RunPlan {
public:
    /// What a message brings beside the news that its producer is done.
    enum class Cargo : std::uint8_t {
        None,
        Operand,       ///< the boundary tensor that the task works on
        Weights,       ///< of the stage, for this task and those after it: gathered or loaded
        Gradients,     ///< of the stage's weights, all that were added up so far
        InputGradient, ///< an operand too: of the last stage's output, from the shards of a vocabulary
    };

    struct Input {
        PortId port{};
        Cargo cargo = Cargo::None;
        bool link = false; ///< from another device: worth a line in the trace
    };

    struct Output {
        PortId port{};
        Nanoseconds transfer = 0; ///< by the model; 0 where transfers are real
        Cargo cargo = Cargo::None;
    };

    /// `modelled`: durations and transfers are those of `costs` (paced); else 0, as they will be measured.
    RunPlan(const Schedule& schedule, const Costs& costs, bool modelled);

    const Schedule& schedule() const { return m_schedule; }

    /// The schedule's lanes that have tasks: a worker each. Lanes are named by their index here.
    const std::vector<LaneId>& lanes() const { return m_lanes; }

    const Lane& lane(std::uint32_t lane) const { return m_schedule.lanes[m_lanes[lane]]; }

    /// All tasks of a device, whose lanes lie one after another: [first, second).
    std::pair<TaskId, TaskId> tasksOf(Device device) const;

    /// Number of the device among those that have tasks.
    std::uint32_t deviceNumber(std::uint32_t lane) const { return m_deviceNumber[lane]; }

    std::uint32_t deviceCount() const { return m_deviceNumber.empty() ? 0 : m_deviceNumber.back() + 1; }

    /// True for the first lane of its device: its worker makes the device's stages.
    bool leads(std::uint32_t lane) const { return lane == 0 || m_deviceNumber[lane - 1] != m_deviceNumber[lane]; }

    /// The version of its stage's weights that a task computes with; noVersion in synchronous schedules, where it is the step.
    std::int32_t version(TaskId task) const { return m_versions.empty() ? noVersion : m_versions[task]; }

    /// True when version() says something.
    bool versioned() const { return !m_versions.empty(); }

    /// "device 3", "device 3 (copy-out 0)".
    std::string laneName(std::uint32_t lane) const;

    template <class Visitor>
    void forEachInput(TaskId task, Visitor&& visit) const
    {
        for (std::uint32_t i = m_inputBegin[task]; i < m_inputBegin[task + 1U]; ++i)
            visit(m_inputs[i]);
    }

    template <class Visitor>
    void forEachOutput(TaskId task, Visitor&& visit) const
    {
        for (std::uint32_t i = m_outputBegin[task]; i < m_outputBegin[task + 1U]; ++i)
            visit(m_outputs[i]);
    }

    /// The task of the same lane whose result this one works on; noTask when it comes from elsewhere or from nowhere.
    TaskId localSource(TaskId task) const { return m_localSource[task]; }

    /// Modelled duration of the unit (or group) that begins at this task.
    Nanoseconds duration(TaskId first) const { return m_duration.empty() ? 0 : m_duration[first]; }

    /// Earliest start by the model of a task whose microbatch is `running` in its round: an arrival, or 0.
    Nanoseconds release(TaskId task, Microbatch running) const
    {
        return !m_release.empty() && m_entry[task] && static_cast<std::size_t>(running) < m_release.size()
                   ? m_release[static_cast<std::size_t>(running)]
                   : 0;
    }

    /// What has to be done again when the update that this k validates is taken back: the forwards between the two,
    /// [first, second). Both are the task itself when it validates none, because it is on the way down.
    std::pair<TaskId, TaskId> repeatedBy(TaskId check) const;

    /// True for a k on the way up: the update before it stands when it is done.
    bool validates(TaskId task) const;

    /// Inputs of later tasks of the lane that the senders of a rolled-back step make again.
    std::vector<PortId> staleAfter(TaskId check) const;

    /// F, B or I of something that has an R of its own.
    bool recomputed(TaskId task) const { return !m_recomputed.empty() && m_recomputed[task]; }

    bool grouped(TaskId task) const { return m_groupOf[task] != noGroup; }

    GroupId groupOf(TaskId task) const { return GroupId(m_groupOf[task]); }

    /// Group in which all lanes meet before the first task: one past the schedule's own.
    GroupId startGroup() const { return GroupId(m_schedule.groups.size()); }

    /// Group in which the lanes of a device meet at the end of a round: no lane reads what the next round needs too early.
    GroupId roundGroup(std::uint32_t lane) const { return GroupId(startGroup() + 1U + m_deviceNumber[lane]); }

    /// The task as it is in round `round`: microbatches and ordinals count on.
    Task inRound(const Task& task, std::uint32_t round) const;

    /// For the exchange; `describe` speaks of this plan, which must outlive it.
    ExchangeLayout layout(int capacity) const;

private:
    static constexpr std::uint32_t noGroup = 0xffffffffU;

    bool repeated(TaskId forward) const;
    void findLanes();
    void findGroups();
    class Wiring;
    void connect(const Costs& costs);
    void setDurations(const Costs& costs);
    std::string describe(std::uint32_t lane, const Wait& wait) const;

    const Schedule& m_schedule;
    const Ordinals m_ordinals;
    std::vector<LaneId> m_lanes;
    std::vector<std::uint32_t> m_deviceNumber; ///< by lane
    std::vector<std::uint32_t> m_laneOfTask;   ///< index into m_lanes
    std::vector<ExchangeLayout::Port> m_ports;
    std::vector<TaskId> m_consumer; ///< of each port: the first one
    std::vector<std::uint32_t> m_inputBegin;
    std::vector<Input> m_inputs;
    std::vector<std::uint32_t> m_outputBegin;
    std::vector<Output> m_outputs;
    std::vector<TaskId> m_localSource;
    std::vector<std::uint32_t> m_groupOf;
    std::vector<std::int32_t> m_versions;
    std::vector<Nanoseconds> m_duration;
    std::vector<Nanoseconds> m_release;
    std::vector<bool> m_recomputed; ///< empty when there is no R
    std::vector<bool> m_entry;      ///< F on the first stage of its path
};

} // namespace bubblescope
