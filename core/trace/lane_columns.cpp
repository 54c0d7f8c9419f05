#include "core/trace/lane_columns.h"

#include <algorithm>
#include <limits>

namespace bubblescope {

std::size_t LaneColumns::spans() const
{
    std::size_t count = moments.size();
    for (const SpanColumns& subLane : subLanes) {
        count += subLane.size();
        for (const SpanChunk& chunk : subLane.chunks())
            count += chunk.joins.size();
    }
    return count;
}

std::size_t TraceColumns::spanCount() const
{
    std::size_t count = 0;
    for (const LaneColumns& lane : lanes)
        count += lane.spans();
    return count;
}

int TraceColumns::devices() const
{
    int count = 0;
    for (const LaneColumns& lane : lanes)
        count = std::max(count, lane.device + 1);
    return count;
}

bool LaneColumnsWriter::joinsLast(const SpanEntry& entry) const
{
    return m_any && (m_last.kind.flags & Task::joinedFlag) != 0 && !m_last.kind.named && !entry.kind.named &&
           m_last.start == entry.start && m_last.end == entry.end;
}

void LaneColumnsWriter::extendCover(const SpanEntry& entry)
{
    if (!m_cover.empty() && entry.start <= m_cover.back().second)
        m_cover.back().second = std::max(m_cover.back().second, entry.end);
    else
        m_cover.emplace_back(entry.start, entry.end);
}

void LaneColumnsWriter::add(const SpanEntry& entry)
{
    if (entry.end <= entry.start) {
        m_moments.add(entry);
        return;
    }
    if (joinsLast(entry)) {
        m_subLanes[m_lastSubLane].writer.join(entry);
        m_last = entry;
        return;
    }
    std::size_t free = 0;
    while (free < m_used && m_subLanes[free].end > entry.start)
        ++free;
    if (free == m_used) {
        ++m_used;
        if (m_subLanes.size() < m_used)
            m_subLanes.push_back({SpanColumnsWriter(*m_pool), 0});
    }
    m_subLanes[free].writer.add(entry);
    m_subLanes[free].end = entry.end;
    extendCover(entry);
    m_last = entry;
    m_lastSubLane = free;
    m_any = true;
}

LaneColumns LaneColumnsWriter::finish()
{
    LaneColumns lane;
    for (std::size_t i = 0; i < m_used; ++i)
        lane.subLanes.push_back(m_subLanes[i].writer.finish());
    if (lane.subLanes.empty())
        lane.subLanes.emplace_back();
    lane.moments = m_moments.finish();
    if (lane.subLanes.size() > 1) {
        SpanColumnsWriter cover(*m_pool);
        for (const auto& [start, end] : m_cover) {
            SpanEntry entry;
            entry.start = start;
            entry.end = end;
            cover.add(entry);
        }
        lane.cover = cover.finish();
    }
    m_used = 0;
    m_any = false;
    m_cover.clear();
    return lane;
}

TraceColumns columnsOf(const Trace& trace)
{
    TraceColumns columns;
    columns.pool = std::make_shared<BlockPool>();
    columns.names = trace.names;
    LaneColumnsWriter writer(*columns.pool);
    for (const TraceLane& lane : trace.lanes) {
        for (std::size_t i = 0; i < lane.spans.size(); ++i)
            writer.add(entryOf(lane.spans[i], static_cast<std::uint32_t>(i)));
        LaneColumns& made = columns.lanes.emplace_back(writer.finish());
        made.device = lane.device;
        made.kind = lane.kind;
        made.index = lane.index;
    }
    measure(columns);
    return columns;
}

void measure(TraceColumns& columns)
{
    columns.begin = std::numeric_limits<Nanoseconds>::max();
    columns.end = std::numeric_limits<Nanoseconds>::lowest();
    const auto take = [&columns](const SpanColumns& spans) {
        if (spans.empty())
            return;
        columns.begin = std::min(columns.begin, spans.start(0));
        columns.end = std::max(columns.end, spans.end(spans.size() - 1));
    };
    for (const LaneColumns& lane : columns.lanes) {
        for (const SpanColumns& subLane : lane.subLanes)
            take(subLane);
        take(lane.moments);
    }
    if (columns.begin > columns.end)
        columns.begin = columns.end = 0;
}

} // namespace bubblescope
