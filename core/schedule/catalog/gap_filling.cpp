#include "core/schedule/catalog/gap_filling.h"

#include <algorithm>
#include <deque>

namespace bubblescope::catalog {
namespace {

constexpr Nanoseconds notYet = -1;

/// One attempt: the lanes with their W, and when the last one ends.
class Filling {
public:
    struct Result {
        std::vector<std::vector<Task>> lanes;
        Nanoseconds end = 0;
    };

    Filling(const std::vector<std::vector<Task>>& lanes, const Shape& shape, const Costs& costs)
        : m_given(lanes), m_shape(shape), m_costs(costs)
    {
        const auto visits =
            static_cast<std::size_t>(shape.stages) * static_cast<std::size_t>(shape.microbatches.front());
        m_forwardEnd.resize(visits);
        m_inputEnd.resize(visits);
    }

    /// A gap has to hold `quarters` fourths of a W.
    Result run(int most, int quarters)
    {
        m_most = most;
        m_quarters = quarters;
        std::fill(m_forwardEnd.begin(), m_forwardEnd.end(), notYet);
        std::fill(m_inputEnd.begin(), m_inputEnd.end(), notYet);
        m_lanes.assign(m_given.size(), {});
        std::deque<std::size_t> work;
        for (std::size_t lane = 0; lane < m_given.size(); ++lane)
            work.push_back(lane);
        while (!work.empty()) {
            const std::size_t lane = work.front();
            work.pop_front();
            if (!advance(lane))
                continue;
            work.push_back((lane + 1) % m_given.size());                  // F goes on there,
            work.push_back((lane + m_given.size() - 1) % m_given.size()); // and I there
        }
        Result result;
        for (LaneState& lane : m_lanes) {
            while (!lane.due.empty())
                addWeight(lane);
            result.end = std::max(result.end, lane.free);
            result.lanes.push_back(std::move(lane.order));
        }
        return result;
    }

private:
    struct LaneState {
        std::size_t next = 0;
        Nanoseconds free = 0;
        int live = 0;
        std::deque<Task> due; // W
        std::vector<Task> order;
    };

    std::size_t visit(int stage, int microbatch) const
    {
        return static_cast<std::size_t>(microbatch) * static_cast<std::size_t>(m_shape.stages) +
               static_cast<std::size_t>(stage);
    }

    /// When what `producer` made is on the lane of stage `consumer`; notYet before it is known.
    Nanoseconds arrival(Nanoseconds end, int producer, int consumer, Payload payload) const
    {
        const Device from(producer % m_shape.devices);
        const Device to(consumer % m_shape.devices);
        if (end == notYet || from == to)
            return end;
        const Hop& hop = m_costs.hop(from, to);
        return end + hop.latency + hop.occupation(m_costs.messageBytes(payload, Stage(producer)));
    }

    /// When the task could start if its lane were free; notYet before that is known.
    Nanoseconds ready(const Task& task) const
    {
        const int stage = task.stage;
        if (task.work == Work::Forward)
            return stage == 0 ? 0
                              : arrival(m_forwardEnd[visit(stage - 1, task.microbatch)], stage - 1, stage,
                                        Payload::Activation);
        return stage + 1 == m_shape.stages
                   ? 0
                   : arrival(m_inputEnd[visit(stage + 1, task.microbatch)], stage + 1, stage, Payload::Gradient);
    }

    /// Runs a lane on as far as it can; false if that is nowhere.
    bool advance(std::size_t index)
    {
        LaneState& lane = m_lanes[index];
        const std::size_t before = lane.next;
        for (; lane.next < m_given[index].size(); ++lane.next) {
            const Task& task = m_given[index][lane.next];
            const Nanoseconds start = ready(task);
            if (start == notYet)
                break;
            const bool forward = task.work == Work::Forward;
            while (!lane.due.empty() && (fits(lane, start) || (forward && m_most > 0 && lane.live >= m_most)))
                addWeight(lane);
            lane.free = std::max(lane.free, start) + m_costs.duration(task.work, task.stage);
            lane.order.push_back(task);
            (forward ? m_forwardEnd : m_inputEnd)[visit(task.stage, task.microbatch)] = lane.free;
            if (forward) {
                ++lane.live;
            } else {
                lane.due.push_back(task);
                lane.due.back().work = Work::WeightGradient;
            }
        }
        return lane.next > before;
    }

    bool fits(const LaneState& lane, Nanoseconds start) const
    {
        const Nanoseconds weight = m_costs.duration(Work::WeightGradient, lane.due.front().stage);
        return start > lane.free && 4 * (start - lane.free) >= m_quarters * weight;
    }

    void addWeight(LaneState& lane) const
    {
        lane.free += m_costs.duration(Work::WeightGradient, lane.due.front().stage);
        lane.order.push_back(lane.due.front());
        lane.due.pop_front();
        --lane.live;
    }

    const std::vector<std::vector<Task>>& m_given;
    const Shape& m_shape;
    const Costs& m_costs;
    int m_most = 0;
    int m_quarters = 0;
    std::vector<Nanoseconds> m_forwardEnd; // by visit
    std::vector<Nanoseconds> m_inputEnd;
    std::vector<LaneState> m_lanes;
};

} // namespace

std::vector<std::vector<Task>> fillGaps(const std::vector<std::vector<Task>>& lanes, const Shape& shape,
                                        const Costs& costs, int most)
{
    Filling filling(lanes, shape, costs);
    Filling::Result best = filling.run(most, 4);
    for (const int quarters : {3, 2, 1, 0}) {
        Filling::Result other = filling.run(most, quarters);
        if (other.end < best.end)
            best = std::move(other);
    }
    return std::move(best.lanes);
}

Costs planningCosts(const Costs* given, const Shape& shape)
{
    if (given != nullptr)
        return *given;
    Costs equal(shape.stages);
    for (const Work work : {Work::Forward, Work::InputGradient, Work::WeightGradient})
        equal.set(work, unit);
    return equal;
}

} // namespace bubblescope::catalog
