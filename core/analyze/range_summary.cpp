#include "core/analyze/range_summary.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace bubblescope {
namespace {

void add(KindSummary& kind, Nanoseconds part)
{
    kind.shortest = kind.count == 0 ? part : std::min(kind.shortest, part);
    kind.longest = std::max(kind.longest, part);
    kind.sum += part;
    ++kind.count;
}

/// The causes of `part` nanoseconds of a gap. Rounded cumulatively, so that they sum to the part.
CauseTimes partOf(const Gap& gap, Nanoseconds part)
{
    CauseTimes causes{};
    Nanoseconds before = 0;
    Nanoseconds given = 0;
    for (std::size_t cause = 0; cause < causes.size(); ++cause) {
        before += gap.cause[cause];
        const long double share = static_cast<long double>(before) / static_cast<long double>(gap.length());
        const auto until = static_cast<Nanoseconds>(std::llround(share * static_cast<long double>(part)));
        causes[cause] = until - given;
        given = until;
    }
    return causes;
}

void addListedIdle(RangeSummary& summary, const IdleReport& idle)
{
    for (const Gap& gap : idle.gaps) {
        const Nanoseconds part = std::min(gap.end, summary.end) - std::max(gap.start, summary.begin);
        if (part <= 0 || gap.device >= summary.devices.size())
            continue;
        DeviceSummary& device = summary.devices[gap.device];
        device.idle += part;
        const CauseTimes causes = partOf(gap, part);
        for (std::size_t cause = 0; cause < causes.size(); ++cause)
            device.cause[cause] += causes[cause];
    }
    // A compute lane is busy wherever it isn't idle.
    for (DeviceSummary& device : summary.devices)
        device.busy = summary.inside - device.idle;
}

/// Calls visit(chunk, index, part) for each span with a part inside the range.
template <class Visit>
void visitParts(const SpanColumns& spans, Nanoseconds begin, Nanoseconds end, const Progress& progress, Visit visit)
{
    for (const SpanChunk& chunk : spans.chunks()) {
        progress.check();
        if (chunk.count == 0 || chunk.end(chunk.count - 1) <= begin)
            continue;
        if (chunk.start(0) >= end)
            break;
        for (std::uint32_t i = 0; i < chunk.count; ++i)
            if (const Nanoseconds part = std::min(chunk.end(i), end) - std::max(chunk.start(i), begin); part > 0)
                visit(chunk, i, part);
    }
}

/// Of a large run no gaps are listed: idle is what isn't busy.
void addDerivedIdle(RangeSummary& summary, const TraceColumns& trace, const Progress& progress)
{
    for (const LaneColumns& lane : trace.lanes)
        if (lane.kind == LaneKind::Compute && lane.index == 0 && lane.device < summary.devices.size())
            visitParts(
                lane.busy(), summary.begin, summary.end, progress,
                [&](const SpanChunk&, std::uint32_t, Nanoseconds part) { summary.devices[lane.device].busy += part; });
    for (DeviceSummary& device : summary.devices) {
        device.idle = summary.inside - device.busy;
        device.cause[static_cast<std::size_t>(IdleCause::Unexplained)] = device.idle;
    }
}

} // namespace

double RangeSummary::share(Nanoseconds time) const
{
    const double whole = static_cast<double>(length()) * static_cast<double>(devices.size());
    return whole <= 0 ? 0 : static_cast<double>(time) / whole;
}

RangeSummary summariseRange(const TraceColumns& trace, const IdleReport& idle, Nanoseconds begin, Nanoseconds end,
                            const Progress& progress)
{
    RangeSummary summary;
    summary.begin = begin;
    summary.end = std::max(begin, end);
    summary.inside = std::max<Nanoseconds>(0, std::min(idle.end, summary.end) - std::max(idle.begin, begin));
    summary.devices.resize(idle.devices.size());
    std::array<KindSummary, workCount> works{};
    std::vector<KindSummary> names(trace.names.size());
    const auto count = [&](const SpanKind& kind, std::uint32_t number, Nanoseconds part) {
        add(kind.named ? names[number] : works[static_cast<std::size_t>(kind.work)], part);
    };
    for (const LaneColumns& lane : trace.lanes)
        for (const SpanColumns& subLane : lane.subLanes)
            visitParts(subLane, begin, end, progress, [&](const SpanChunk& chunk, std::uint32_t i, Nanoseconds part) {
                count(chunk.kinds[chunk.kind[i]], chunk.number[i], part);
                if (chunk.joins.empty())
                    return;
                for (auto [join, last] = chunk.joinsOf(i); join < last; ++join)
                    count(chunk.kinds[chunk.joins[join].kind], chunk.joins[join].number, part);
            });
    for (std::size_t work = 0; work < works.size(); ++work)
        if (works[work].count != 0) {
            works[work].work = static_cast<Work>(work);
            summary.kinds.push_back(works[work]);
        }
    const auto firstName = static_cast<std::ptrdiff_t>(summary.kinds.size());
    for (std::size_t name = 1; name < names.size(); ++name)
        if (names[name].count != 0) {
            names[name].name = trace.names[name];
            summary.kinds.push_back(names[name]);
        }
    std::stable_sort(summary.kinds.begin() + firstName, summary.kinds.end(),
                     [](const KindSummary& a, const KindSummary& b) { return a.sum > b.sum; });
    const bool listed = !idle.gaps.empty() || idle.totalIdle() == 0;
    if (listed)
        addListedIdle(summary, idle);
    else
        addDerivedIdle(summary, trace, progress);
    return summary;
}

} // namespace bubblescope
