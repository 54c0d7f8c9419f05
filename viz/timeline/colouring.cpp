#include "viz/timeline/colouring.h"

#include <QtConcurrent>
#include <QThreadPool>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bubblescope::viz {
namespace {

/// The same for a name in every run and on every machine.
std::uint32_t hashOf(const std::string& name)
{
    std::uint32_t hash = 2'166'136'261U;
    for (const char letter : name)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 16'777'619U;
    return hash ^ hash >> 15;
}

QRgb kindColour(const SpanKind& kind, const BarList& bars, const Theme& theme, ColourBy by)
{
    if (kind.named)
        return by == ColourBy::Work || by == ColourBy::Search ? ChunkColours::byNumber : theme.of(Work::Filler).rgb();
    switch (by) {
    case ColourBy::Microbatch:
        return isCompute(kind.work) && kind.work != Work::Filler ? ChunkColours::byNumber : theme.of(kind.work).rgb();
    case ColourBy::Chunk:
        if (onGrid(kind.work))
            return cycleOf(theme)[bars.shadeOf(kind) % cycleOf(theme).size()];
        return theme.of(kind.work).rgb();
    case ColourBy::Work:
    case ColourBy::Search:
        break;
    }
    return barColour(theme, kind.work, bars.shadeOf(kind)).rgb();
}

std::vector<std::vector<bool>> hitsOf(const SpanColumns& spans, const Colouring& colouring)
{
    std::vector<std::vector<bool>> hits;
    if (colouring.by != ColourBy::Search || !colouring.hit)
        return hits;
    for (const SpanChunk& chunk : spans.chunks()) {
        std::vector<bool>& found = hits.emplace_back(chunk.count);
        for (std::uint32_t i = 0; i < chunk.count; ++i) {
            found[i] = colouring.hit(spanOf(chunk.entry(i)));
            const auto [from, to] = chunk.joinsOf(i);
            for (std::size_t join = from; join < to && !found[i]; ++join)
                found[i] = colouring.hit(spanOf(chunk.joinEntry(chunk.joins[join])));
        }
    }
    return hits;
}

SpanPalette paletteOf(const SpanColumns& spans, const BarList& bars, const Theme& theme, const Colouring& colouring)
{
    SpanPalette palette;
    for (const SpanChunk& chunk : spans.chunks())
        for (const SpanKind& kind : chunk.kinds)
            palette.kinds.push_back(kindColour(kind, bars, theme, colouring.by));
    palette.hits = hitsOf(spans, colouring);
    palette.muted = theme.hatchLine.rgb();
    return palette;
}

std::pair<QRgb, QRgb> colourAt(const SpanIndex& index, std::size_t bar)
{
    const SpanColumns::Place place = index.spans().place(bar);
    return index.coloursOf(place.chunk).both(place.at);
}

} // namespace

QColor barColour(const Theme& theme, Work work, int shade)
{
    const QColor& base = theme.of(work);
    if (shade == 0)
        return base;
    // Later chunks tend towards the canvas, in at most four steps: hue tells the work, lightness the chunk.
    const double towards = std::min(0.44, 0.16 * shade);
    const auto mix = [towards](int from, int to) {
        return static_cast<int>(std::lround(from + (to - from) * towards));
    };
    const QColor& canvas = theme.canvas;
    return {mix(base.red(), canvas.red()), mix(base.green(), canvas.green()), mix(base.blue(), canvas.blue())};
}

std::vector<QRgb> cycleOf(const Theme& theme)
{
    std::vector<QRgb> cycle;
    for (const QColor& colour : theme.series)
        cycle.push_back(colour.rgb());
    return cycle;
}

PictureColours::PictureColours(const std::vector<TimelineRow>& rows) : m_rows(rows.size())
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const BarList& bars = rows[i].bars;
        if (bars.columns() && (m_alive.empty() || m_alive.back() != bars.columns()))
            m_alive.push_back(bars.columns());
        Row& row = m_rows[i];
        row.bars = SpanIndex(bars.spans(), m_pool);
        row.moments = SpanIndex(bars.moments(), m_pool);
        row.solid = bars.solid();
        if (!bars.columns())
            continue;
        const LaneColumns& lane = bars.columns()->lanes[static_cast<std::size_t>(rows[i].lane)];
        row.covered = rows[i].subLane == 0 && lane.subLanes.size() > 1;
        if (row.covered)
            row.cover = SpanIndex(lane.cover, m_pool);
    }
}

void PictureColours::colour(const std::vector<TimelineRow>& rows, const Theme& theme, const Colouring& colouring,
                            const std::vector<std::string>& names)
{
    if (m_theme == &theme && m_colouring == colouring)
        return;
    m_theme = &theme;
    m_colouring = colouring;
    ++m_revision;
    const std::vector<QRgb> cycle = cycleOf(theme);
    std::vector<QRgb> byName;
    for (const std::string& name : names)
        byName.push_back(cycle[hashOf(name) % cycle.size()]);
    const bool named = colouring.by == ColourBy::Work || colouring.by == ColourBy::Search;
    const auto colourRow = [&](std::size_t i) {
        Row& row = m_rows[i];
        for (SpanIndex* index : {&row.bars, &row.moments}) {
            SpanPalette palette = paletteOf(index->spans(), rows[i].bars, theme, colouring);
            palette.cycle = named && !byName.empty() ? byName : cycle;
            index->colour(std::move(palette));
        }
        if (row.covered && m_revision == 1) {
            SpanPalette plain;
            for (const SpanChunk& chunk : row.cover.spans().chunks())
                plain.kinds.insert(plain.kinds.end(), chunk.kinds.size(), theme.text.rgb());
            plain.cycle = cycle;
            row.cover.colour(std::move(plain));
        }
    };
    std::vector<std::size_t> order(m_rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::size_t spans = 0;
    for (const Row& row : m_rows)
        spans += row.solid;
    constexpr std::size_t manySpans = 500'000; // below, other threads would come too late
    if (spans >= manySpans && !colouring.hit && QThreadPool::globalInstance()->maxThreadCount() > 1)
        QtConcurrent::blockingMap(order, colourRow);
    else
        std::for_each(order.begin(), order.end(), colourRow);
}

std::pair<QRgb, QRgb> PictureColours::both(std::size_t row, std::size_t bar) const
{
    const Row& from = m_rows[row];
    return bar < from.solid ? colourAt(from.bars, bar) : colourAt(from.moments, bar - from.solid);
}

} // namespace bubblescope::viz
