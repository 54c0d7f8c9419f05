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

/// One lane while the lanes are being timed.
struct Cursor {
    std::size_t next = 0;
    std::array<int, 3> done{};
    Nanoseconds free = 0;
    Nanoseconds begin = 0;
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

SplitMeasure measure(const SplitPipeline& pipeline, const SplitLanes& lanes)
{
    const auto stages = static_cast<std::size_t>(pipeline.stages);
    const auto m = static_cast<std::size_t>(pipeline.microbatches);
    constexpr Nanoseconds notYet = -1;
    std::vector<Nanoseconds> arrival[2]; // of F's input and of I's, by stage and microbatch
    for (auto& times : arrival)
        times.assign(stages * m, notYet);
    std::fill_n(arrival[SplitPipeline::F].begin(), m, 0);
    std::fill_n(arrival[SplitPipeline::I].end() - static_cast<std::ptrdiff_t>(m), m, 0);
    std::vector<Cursor> cursors(stages);
    std::vector<std::size_t> work(stages);
    for (std::size_t stage = 0; stage < stages; ++stage)
        work[stage] = stages - 1 - stage;
    while (!work.empty()) {
        const std::size_t stage = work.back();
        work.pop_back();
        Cursor& cursor = cursors[stage];
        for (; cursor.next < lanes[stage].size(); ++cursor.next) {
            const auto kind = SplitPipeline::kindOf(lanes[stage][cursor.next]);
            const auto microbatch = static_cast<std::size_t>(cursor.done[kind]);
            const Nanoseconds ready = kind == SplitPipeline::W ? cursor.free : arrival[kind][stage * m + microbatch];
            if (ready == notYet)
                break;
            const Nanoseconds start = std::max(cursor.free, ready);
            cursor.begin = cursor.next == 0 ? start : cursor.begin;
            cursor.free = start + pipeline.cost[stage][kind];
            ++cursor.done[kind];
            const bool sends = kind == SplitPipeline::F ? stage + 1 < stages : kind == SplitPipeline::I && stage > 0;
            if (!sends)
                continue;
            const std::size_t to = kind == SplitPipeline::F ? stage + 1 : stage - 1;
            arrival[kind][to * m + microbatch] =
                cursor.free + (kind == SplitPipeline::F ? pipeline.down[stage] : pipeline.up[stage]);
            if (cursors[to].next < lanes[to].size() && lanes[to][cursors[to].next] == "FI"[kind] &&
                cursors[to].done[kind] == static_cast<int>(microbatch))
                work.push_back(to);
        }
    }
    SplitMeasure result;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        const bool ends = cursors[stage].next == lanes[stage].size();
        result.makespan = std::max(result.makespan, ends ? cursors[stage].free : INT64_MAX);
        result.span = std::max(result.span, ends ? cursors[stage].free - cursors[stage].begin : INT64_MAX);
        std::int64_t live = 0;
        for (const char letter : lanes[stage]) {
            live += pipeline.held[SplitPipeline::kindOf(letter)];
            result.peak = std::max(result.peak, live);
        }
    }
    return result;
}

} // namespace bubblescope
