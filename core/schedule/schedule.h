// The schedule: tasks in the order of their lanes, and what depends on what.
//
//     lane 0 (device 0, compute)   0F0 0F1 0B0 0B1 0U0
//     lane 1 (device 1, compute)       1F0 1B0 1F1 1B1 1U0      <- all lanes lie one after another in `tasks`
//
// A schedule holds no durations, bytes or arrival times (those are Costs) and nothing random. It is
// validated, lowered, simulated, executed, drawn and exported from this one form. Families write
// compute, copy and collective tasks through ScheduleBuilder; transfers between devices are never
// written by a family: lower() adds them.

#pragma once

#include "core/schedule/slicing.h"
#include "core/schedule/task.h"

#include <cstdint>
#include <string>
#include <vector>

namespace bubblescope {

/// An in-order resource: exactly one CUDA stream, or one queue of a worker. Compute lane 0 of a device
/// is *the* compute lane, the only one whose gaps are bubbles.
enum class LaneKind : std::uint8_t { Compute, Send, Receive, Collective, CopyIn, CopyOut, Host };

const char* laneKindName(LaneKind kind);

struct Lane {
    Device device{};
    LaneKind kind = LaneKind::Compute;
    std::uint8_t index = 0; ///< communicator of a collective lane, loader of a copy-in lane
    TaskId begin{};
    TaskId end{};

    std::uint32_t size() const { return end - begin; }
};

/// What travels along an edge. Only act, grad and kv become messages between devices.
enum class Payload : std::uint8_t { None, Activation, Gradient, KeyValue, Stash, Weight };

/// True when the payload has to be sent when the two ends are on different devices.
constexpr bool travels(Payload payload)
{
    return payload == Payload::Activation || payload == Payload::Gradient || payload == Payload::KeyValue;
}

struct Edge {
    TaskId from{};
    TaskId to{};
    Payload payload = Payload::None;
};

/// Tasks that start together and end together, at most one per lane: a slice of groupMembers.
struct Group {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

/// Sizes of a schedule.
struct Shape {
    int devices = 1;    ///< devices that compute (host memory owners not counted)
    int stages = 1;     ///< S, virtual stages of the model
    int components = 0; ///< further stages S … S+components−1: frozen encoders, draft models
    int pipes = 1;
    int chunks = 1;                      ///< stages of one pipe on one device
    std::vector<int> microbatches = {1}; ///< per step, of each pipe
    int slices = 1;                      ///< most slices of any microbatch
    int steps = 1;

    int allStages() const { return stages + components; }

    /// Microbatches per step of all pipes together.
    int microbatchesPerStep() const;
};

/// Where a version of weights is named: the task reads none, or they are updated on another lane.
inline constexpr std::int32_t noVersion = -1;

/// From which version of its weights a task computes, and how updates happen (ir.md 1 "Semantics").
struct Semantics {
    enum class ForwardReads : std::uint8_t { Latest, Delayed, InputStage };
    enum class BackwardReads : std::uint8_t { Latest, AsForward };
    enum class Replicas : std::uint8_t { None, SumBeforeUpdate, AveragePerUpdate };
    enum class StepBarrier : std::uint8_t { None, Group, PostValidation };
    enum class StaleState : std::uint8_t { None, PreviousStep };
    enum class Prediction : std::uint8_t { None, Velocity, Weights };

    int updateEvery = 0; ///< microbatches per update of a stage: 0 never (inference), m once per step, 1 PipeDream
    ForwardReads forwardReads = ForwardReads::Latest;
    BackwardReads backwardReads = BackwardReads::AsForward;
    int maxVersions = 1; ///< live weight versions of a stage
    int maxDrift = 0;    ///< updates between the version that F read and the one that its U makes, minus one
    Replicas replicas = Replicas::None;
    StepBarrier stepBarrier = StepBarrier::None;
    StaleState staleState = StaleState::None;
    bool spikeCompensation = false;           ///< U weighs each gradient by its delay
    Prediction prediction = Prediction::None; ///< F reads weights predicted `delay` updates ahead
    std::vector<int> delay = {}; ///< by stage: updates between F and B of the filled pipeline; for these two
};

/// Declared homes of weights: devices of (pipe, stage), several = replicas. Empty: the lanes alone decide.
struct Placement {
    std::vector<std::vector<Device>> homes; ///< index pipe × (stages + components) + stage

    bool empty() const { return homes.empty(); }
};

/// Edges that the grid rule doesn't give, sorted by `to`. The grid rule itself is arithmetic: see grid.h.
struct Dataflow {
    bool grid = true;
    std::vector<Edge> edges;
};

struct Schedule {
    Shape shape;
    std::vector<Task> tasks; ///< lane after lane; TaskId is the index here
    std::vector<Lane> lanes; ///< sorted by (device, kind, index)
    Dataflow dataflow;
    std::vector<Group> groups;
    std::vector<TaskId> groupMembers;
    std::vector<std::vector<Stage>> paths;       ///< stages in the order of a visit; empty: all visit 0…S−1
    std::vector<std::uint16_t> pathOfMicrobatch; ///< index into paths by (pipe, microbatch of the step), pipe-major
    Placement placement;
    Semantics semantics;
    Slicing slicing; ///< what slices 0 … of a microbatch are; empty where there is one

    LaneId laneOf(TaskId task) const;

    Device deviceOf(TaskId task) const { return lanes[laneOf(task)].device; }

    /// The compute lane of a device, or a lane past the end if it has none.
    LaneId computeLane(Device device) const;

    /// End (exclusive) of the unit that begins at `first`: joined tasks are one unit.
    TaskId unitEnd(TaskId first) const
    {
        while (tasks[first].joined())
            ++first;
        return TaskId(first + 1);
    }
};

/// Writes a schedule lane by lane; lanes may be filled in any order. finish() lays them one after
/// another and resolves references. Mistakes that people can make (an unknown stage, a task twice)
/// are found by validate(), not here.
class ScheduleBuilder {
public:
    /// A task's place while the schedule is being written.
    struct Ref {
        std::uint32_t lane = 0;
        std::uint32_t position = 0;
    };

    explicit ScheduleBuilder(Shape shape);

    /// The lane with this device, kind and index, made on first use.
    std::uint32_t lane(Device device, LaneKind kind = LaneKind::Compute, int index = 0);

    Ref add(std::uint32_t lane, const Task& task);

    /// Appends to the compute lane of `device`.
    Ref compute(Device device, const Task& task);

    /// The task at `first` and the one after it on its lane run as one unit.
    void join(Ref first);

    void edge(Ref from, Ref to, Payload payload = Payload::None);
    void group(const std::vector<Ref>& members);

    /// The homes of a stage in a pipe; several devices are replicas.
    void place(Pipe pipe, Stage stage, std::vector<Device> devices);

    /// Stage s of every pipe 0 on device s mod `devices` (looped placement).
    void placeLooped();

    /// Ends a synchronous step: on every compute lane one member of a zero-length barrier, then U of each
    /// stage that the lane has worked on (ir.md 1 "stepBarrier"); a replica's number is the part of its U.
    /// Sets the semantics to go with it.
    void endSynchronousStep();

    void path(const std::vector<Stage>& stages) { m_schedule.paths.push_back(stages); }

    Schedule& schedule() { return m_schedule; } ///< for semantics and pathOfMicrobatch

    /// The finished schedule; the builder is empty afterwards.
    Schedule finish();

private:
    struct PendingLane {
        Lane lane;
        std::vector<Task> tasks;
    };

    struct PendingEdge {
        Ref from;
        Ref to;
        Payload payload{};
    };

    Schedule m_schedule;
    std::vector<PendingLane> m_lanes;
    std::vector<std::uint32_t> m_computeLane; ///< by device, plus one; 0: not made yet
    std::vector<PendingEdge> m_edges;
    std::vector<std::vector<Ref>> m_groups;
};

/// `steps` copies of a synchronous one-step schedule, one after another on every lane: microbatches
/// and per-step ordinals count on.
Schedule repeatSteps(const Schedule& step, int steps);

/// The lane as people write it: "0F0 0F1 (0F2;0B0) …". All tasks, or the compute ones only.
std::vector<std::string> laneTexts(const Schedule& schedule, LaneId lane, bool all);

} // namespace bubblescope
