// Who waits for whom in one timing: the graph behind the waiting chain and slack.
//
//     node    a unit, a group (its members start together) or a transfer that occupies something
//     edge    predecessor → node, with what passes between the one's end and the other's start
//
// Built once for a schedule, its costs and a timing; then each question is a walk.

#pragma once

#include "core/analyze/idle.h"

#include <cstdint>
#include <vector>

namespace bubblescope {

/// One thing that a task had to wait for, and until when: its start is the latest of them.
struct StartConstraint {
    enum class Kind : std::uint8_t {
        Lane,    ///< the end of what stands before it on its lane
        Data,    ///< the end of a predecessor on the same device
        Arrival, ///< the arrival of what a predecessor on another device sent
        Group,   ///< the lane of another member that starts together with it
        Release, ///< nothing inside the run: the earliest time that is allowed
    };

    Kind kind = Kind::Lane;
    TaskId task = noTask; ///< the one that had to end; noTask for a release
    Device device{};      ///< where that ran
    Nanoseconds ended = 0;
    Nanoseconds ready = 0; ///< end plus what the way took
    bool binding = false;  ///< this one set the start
};

class WaitGraph {
public:
    WaitGraph(const Schedule& schedule, const Costs& costs, const Timing& timing);

    const Timing& timing() const { return m_timing; }

    /// See idle.h: the predecessor that set the task's start, and the tiles that cover a gap.
    TaskId bindingPredecessor(TaskId task) const;
    std::vector<ChainTile> chain(const Gap& gap) const;

    /// All that the task waited for, in the order of time; without any, it could start at once. Exactly one is binding
    /// where there is one.
    std::vector<StartConstraint> constraints(TaskId task) const;

    /// When everything that the task needs was there, but for the end of what stands before it on its lane.
    Nanoseconds inputsReady(TaskId task) const;

    /// By TaskId: how much later a task may end before the window's end moves.
    std::vector<Nanoseconds> slack() const;

    /// Tasks without slack, by start: what has to get faster before anything does.
    std::vector<TaskId> criticalPath() const;

private:
    static constexpr std::uint32_t noNode = 0xffffffffU;

    /// How a predecessor holds a node up; the order breaks ties.
    enum class Tie : std::uint8_t { Lane, Data, Arrival };

    struct Wait {
        std::uint32_t node = noNode; // the predecessor
        TaskId from{};               // its task, for ties and for what a transfer carries
        Nanoseconds delay = 0;       // between its end and the earliest start
        Tie tie = Tie::Lane;
    };

    struct Node {
        TaskId first = noTask; // first task; of a group the first member; of a transfer the producer
        Device device{};
        ChainTile::Kind kind = ChainTile::Kind::Task;
        Nanoseconds start = 0;
        Nanoseconds end = 0;
        Nanoseconds release = 0;
    };

    struct PendingWait {
        std::uint32_t node = noNode;
        Wait wait{};
    };

    void makeNodes();
    void addTransfers();
    void addLaneWaits();
    void addDataWaits();
    void addWait(std::uint32_t node, std::uint32_t predecessor, TaskId from, Nanoseconds delay, Tie tie);
    void finishWaits();
    const Wait* binding(std::uint32_t node) const;
    std::uint32_t lastNode() const;

    const Schedule& m_schedule;
    const Costs& m_costs;
    const Timing& m_timing;
    std::vector<Node> m_nodes;
    std::vector<std::uint32_t> m_nodeOfTask;
    std::vector<PendingWait> m_pending; // before finishWaits()
    std::vector<std::uint32_t> m_waitBegin;
    std::vector<Wait> m_waits;
};

} // namespace bubblescope
