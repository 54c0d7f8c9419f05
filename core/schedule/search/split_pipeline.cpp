#include "core/schedule/search/split_pipeline.h"

#include "core/simulate/memory.h"

#include <algorithm>

namespace bubblescope {
namespace {

constexpr std::array<Work, 3> works{Work::Forward, Work::InputGradient, Work::WeightGradient};

Nanoseconds delay(const Costs& costs, int from, int to, Payload payload)
{
    const Hop& hop = costs.hop(Device(from), Device(to));
    return hop.latency + (hop.bytesPerSecond > 0 ? hop.occupation(costs.messageBytes(payload, Stage(from))) : 0);
}

/// The lanes while they are being timed. A lane runs until it waits for an input; whoever sends that puts it back to work.
class Clock {
public:
    Clock(const SplitPipeline& pipeline, const SplitLanes& lanes)
        : m_pipeline(pipeline)
        , m_lanes(lanes)
        , m_count(static_cast<std::size_t>(pipeline.microbatches))
        , m_cursors(lanes.size())
    {
        for (auto& times : m_arrival)
            times.assign(lanes.size() * m_count, notYet);
        std::fill_n(m_arrival[SplitPipeline::F].begin(), m_count, 0);
        std::fill_n(m_arrival[SplitPipeline::I].end() - static_cast<std::ptrdiff_t>(m_count), m_count, 0);
    }

    void run()
    {
        for (std::size_t stage = m_lanes.size(); stage-- > 0;)
            m_work.push_back(stage);
        while (!m_work.empty()) {
            const std::size_t stage = m_work.back();
            m_work.pop_back();
            while (advance(stage)) {
            }
        }
    }

    bool ended(std::size_t stage) const { return m_cursors[stage].next == m_lanes[stage].size(); }

    Nanoseconds begin(std::size_t stage) const { return m_cursors[stage].begin; }

    Nanoseconds end(std::size_t stage) const { return m_cursors[stage].free; }

private:
    static constexpr Nanoseconds notYet = -1;

    struct Cursor {
        std::size_t next = 0;
        std::array<int, 3> done{};
        Nanoseconds free = 0;
        Nanoseconds begin = 0;
    };

    /// Runs the next task of a stage; false when it has to wait or there is none.
    bool advance(std::size_t stage)
    {
        Cursor& cursor = m_cursors[stage];
        if (ended(stage))
            return false;
        const auto kind = SplitPipeline::kindOf(m_lanes[stage][cursor.next]);
        const auto microbatch = static_cast<std::size_t>(cursor.done[kind]);
        const Nanoseconds ready =
            kind == SplitPipeline::W ? cursor.free : m_arrival[kind][stage * m_count + microbatch];
        if (ready == notYet)
            return false;
        const Nanoseconds start = std::max(cursor.free, ready);
        cursor.begin = cursor.next == 0 ? start : cursor.begin;
        cursor.free = start + m_pipeline.cost[stage][kind];
        ++cursor.done[kind];
        ++cursor.next;
        if (kind == SplitPipeline::F && stage + 1 < m_lanes.size())
            send(stage + 1, kind, microbatch, cursor.free + m_pipeline.down[stage]);
        else if (kind == SplitPipeline::I && stage > 0)
            send(stage - 1, kind, microbatch, cursor.free + m_pipeline.up[stage]);
        return true;
    }

    void send(std::size_t to, SplitPipeline::Kind kind, std::size_t microbatch, Nanoseconds arrives)
    {
        m_arrival[kind][to * m_count + microbatch] = arrives;
        const Cursor& cursor = m_cursors[to];
        if (!ended(to) && m_lanes[to][cursor.next] == "FI"[kind] && cursor.done[kind] == static_cast<int>(microbatch))
            m_work.push_back(to);
    }

    const SplitPipeline& m_pipeline;
    const SplitLanes& m_lanes;
    std::size_t m_count;
    std::vector<Cursor> m_cursors;
    std::vector<Nanoseconds> m_arrival[2]; ///< of F's input and of I's, by stage and microbatch
    std::vector<std::size_t> m_work;
};

} // namespace

SplitPipeline::SplitPipeline(const RecipeRequest& request)
    : stages(request.devices)
    , microbatches(request.microbatches)
    , cost(static_cast<std::size_t>(stages), {unit, unit, unit})
    , down(static_cast<std::size_t>(stages), 0)
    , up(static_cast<std::size_t>(stages), 0)
    , held{ActivationDeltas::one, 0, -ActivationDeltas::one}
{
    for (std::size_t kind = 0; request.deltas != nullptr && kind < works.size(); ++kind) {
        const ActivationDeltas::Delta& delta = request.deltas->of[static_cast<std::size_t>(works[kind])];
        held[kind] = delta.atStart + delta.atEnd;
    }
    for (int stage = 0; request.costs != nullptr && stage < stages; ++stage) {
        const auto at = static_cast<std::size_t>(stage);
        for (std::size_t kind = 0; kind < works.size(); ++kind)
            cost[at][kind] = request.costs->duration(works[kind], Stage(stage));
        if (stage + 1 < stages)
            down[at] = delay(*request.costs, stage, stage + 1, Payload::Activation);
        if (stage > 0)
            up[at] = delay(*request.costs, stage, stage - 1, Payload::Gradient);
    }
}

std::int64_t SplitPipeline::smallestLimit() const
{
    return std::max<std::int64_t>(0, needs(F));
}

std::int64_t SplitPipeline::needs(Kind kind) const
{
    return kind == F ? held[F] + std::max<std::int64_t>(0, held[I]) : held[kind];
}

Nanoseconds valueOf(const SplitMeasure& measure, SplitObjective objective)
{
    return objective == SplitObjective::Makespan ? measure.makespan : measure.span;
}

SplitMeasure measure(const SplitPipeline& pipeline, const SplitLanes& lanes)
{
    Clock clock(pipeline, lanes);
    clock.run();
    SplitMeasure result;
    for (std::size_t stage = 0; stage < lanes.size(); ++stage) {
        const bool ended = clock.ended(stage);
        result.makespan = std::max(result.makespan, ended ? clock.end(stage) : INT64_MAX);
        result.span = std::max(result.span, ended ? clock.end(stage) - clock.begin(stage) : INT64_MAX);
        std::int64_t live = 0;
        for (const char letter : lanes[stage]) {
            live += pipeline.held[SplitPipeline::kindOf(letter)];
            result.peak = std::max(result.peak, live);
        }
    }
    return result;
}

} // namespace bubblescope
