#include "viz/timeline/alignment.h"

#include "viz/timeline/rows.h"

#include <algorithm>
#include <optional>

namespace bubblescope::viz {
namespace {

bool isBackward(const SpanKind& kind)
{
    return !kind.named && propagatesGradient(kind.work);
}

std::optional<Nanoseconds> firstBackward(const SpanColumns& spans)
{
    for (const SpanChunk& chunk : spans.chunks()) {
        if (std::none_of(chunk.kinds.begin(), chunk.kinds.end(), isBackward))
            continue;
        for (std::uint32_t i = 0; i < chunk.count; ++i)
            if (isBackward(chunk.kinds[chunk.kind[i]]))
                return chunk.start(i);
    }
    return std::nullopt;
}

std::optional<Nanoseconds> firstBackward(const RunView& run)
{
    std::optional<Nanoseconds> first;
    const auto columns = columnsOfRun(run);
    for (const LaneColumns& lane : columns->lanes)
        for (const SpanColumns& spans : lane.subLanes)
            if (const auto found = firstBackward(spans); found && (!first || *found < *first))
                first = found;
    return first;
}

} // namespace

Nanoseconds anchorOf(const RunView& run, Alignment alignment)
{
    switch (alignment) {
    case Alignment::Time:
        return 0;
    case Alignment::Step:
        return run.idle.begin;
    case Alignment::FirstBackward:
        return firstBackward(run).value_or(run.idle.begin);
    case Alignment::End:
        return run.idle.end;
    }
    return 0;
}

std::vector<Nanoseconds> offsetsOf(const std::vector<RunPtr>& runs, Alignment alignment)
{
    std::vector<Nanoseconds> offsets;
    for (const RunPtr& run : runs)
        offsets.push_back(anchorOf(*runs.front(), alignment) - anchorOf(*run, alignment));
    return offsets;
}

} // namespace bubblescope::viz
