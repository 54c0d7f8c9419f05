#include "core/trace/export_chrome.h"

#include "core/trace/whole_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <ostream>

namespace bubblescope {
namespace {

/// A JSON string; bytes that aren't UTF-8 become U+FFFD.
std::string quoted(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Nanoseconds as µs with exactly three decimals.
std::string micros(Nanoseconds time)
{
    const Nanoseconds whole = time / 1000;
    const Nanoseconds rest = time % 1000;
    return fmt::format("{}{}.{:03}", time < 0 && whole == 0 ? "-" : "", whole, rest < 0 ? -rest : rest);
}

/// Where a span is shown.
struct Thread {
    std::size_t device = 0;
    std::size_t number = 0;
};

/// The threads of one lane: the first, and more where spans overlap without nesting.
class LaneThreads {
public:
    explicit LaneThreads(std::size_t& next) : m_next(next) {}

    std::size_t place(const Span& span)
    {
        for (Open& thread : m_threads) {
            while (!thread.ends.empty() && thread.ends.back() <= span.start)
                thread.ends.pop_back();
            if (thread.ends.empty() || span.end <= thread.ends.back()) {
                thread.ends.push_back(span.end);
                return thread.number;
            }
        }
        m_threads.push_back({m_next++, {span.end}});
        return m_threads.back().number;
    }

    /// Their numbers, the first one also when nothing was placed.
    std::vector<std::size_t> numbers()
    {
        if (m_threads.empty())
            m_threads.push_back({m_next++, {}});
        std::vector<std::size_t> numbers;
        for (const Open& thread : m_threads)
            numbers.push_back(thread.number);
        return numbers;
    }

private:
    struct Open {
        std::size_t number;
        std::vector<Nanoseconds> ends; // of the spans that are open, outermost first
    };

    std::size_t& m_next;
    std::vector<Open> m_threads;
};

class ChromeWriter {
public:
    ChromeWriter(const Trace& trace, const ChromeExport& options, std::ostream& out)
        : m_trace(trace), m_options(options), m_out(out)
    {
    }

    void write();

private:
    template <class... Args>
    void event(fmt::format_string<Args...> format, Args&&... args)
    {
        m_line.clear();
        fmt::format_to(std::back_inserter(m_line), "{}", m_first ? "\n" : ",\n");
        fmt::format_to(std::back_inserter(m_line), format, std::forward<Args>(args)...);
        m_out.write(m_line.data(), static_cast<std::streamsize>(m_line.size()));
        m_first = false;
    }

    void placeSpans();
    void devices();
    void threads();
    void spans();
    void span(const TraceLane& lane, std::size_t index, const Thread& thread);
    void links();
    void counters();

    const Trace& m_trace;
    const ChromeExport& m_options;
    std::ostream& m_out;
    fmt::memory_buffer m_line;
    bool m_first = true;
    std::vector<std::vector<std::size_t>> m_threadsOfLane;
    std::vector<std::vector<std::size_t>> m_threadOfSpan; // by lane, span
};

void ChromeWriter::placeSpans()
{
    std::map<std::uint16_t, std::size_t> next; // thread number by device
    for (const TraceLane& lane : m_trace.lanes) {
        LaneThreads threads(next.try_emplace(lane.device.value, 1).first->second);
        std::vector<std::size_t> order(lane.spans.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        // Of spans that start together, the longer one holds the shorter one.
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(lane.spans[a].start, -lane.spans[a].end) <
                   std::pair(lane.spans[b].start, -lane.spans[b].end);
        });
        std::vector<std::size_t>& threadOf = m_threadOfSpan.emplace_back(lane.spans.size());
        for (const std::size_t i : order)
            threadOf[i] = threads.place(lane.spans[i]);
        m_threadsOfLane.push_back(threads.numbers());
    }
}

void ChromeWriter::devices()
{
    for (int device = 0; device < m_trace.devices(); ++device) {
        const auto index = static_cast<std::size_t>(device);
        const bool named = index < m_options.devices.size() && !m_options.devices[index].empty();
        const std::string name = named ? m_options.devices[index] : fmt::format("device {}", device);
        event(R"({{"ph":"M","pid":{0},"name":"process_name","args":{{"name":{1}}}}})", device, quoted(name));
        event(R"({{"ph":"M","pid":{0},"name":"process_sort_index","args":{{"sort_index":{0}}}}})", device);
        if (!m_options.label.empty())
            event(R"({{"ph":"M","pid":{0},"name":"process_labels","args":{{"labels":{1}}}}})", device,
                  quoted(m_options.label));
    }
}

void ChromeWriter::threads()
{
    for (std::size_t i = 0; i < m_trace.lanes.size(); ++i) {
        const TraceLane& lane = m_trace.lanes[i];
        std::string name = laneKindName(lane.kind);
        if (lane.index > 0)
            name += fmt::format(" {}", lane.index);
        for (std::size_t k = 0; k < m_threadsOfLane[i].size(); ++k) {
            const std::size_t thread = m_threadsOfLane[i][k];
            const std::string full = k == 0 ? name : fmt::format("{} ({})", name, k + 1);
            event(R"({{"ph":"M","pid":{0},"tid":{1},"name":"thread_name","args":{{"name":{2}}}}})", lane.device.value,
                  thread, quoted(full));
            event(R"({{"ph":"M","pid":{0},"tid":{1},"name":"thread_sort_index","args":{{"sort_index":{1}}}}})",
                  lane.device.value, thread);
        }
    }
}

void ChromeWriter::span(const TraceLane& lane, std::size_t index, const Thread& thread)
{
    const Span& span = lane.spans[index];
    std::string measured;
    if (index < lane.measurements.size()) {
        const Measurement& m = lane.measurements[index];
        measured = fmt::format(R"("ready_ns":{},"wall_start_ns":{},"wall_end_ns":{},"cpu_ns":{})", m.ready, m.wallStart,
                               m.wallEnd, m.cpu);
    }
    const std::string place = fmt::format(R"("ts":{},"dur":{},"pid":{},"tid":{})", micros(span.start),
                                          micros(span.duration()), thread.device, thread.number);
    if (span.name != 0) {
        event(R"({{"ph":"X","cat":"span","name":{},{},"args":{{{}}}}})", quoted(m_trace.names.at(span.name)), place,
              measured);
        return;
    }
    const Task& task = span.task;
    const std::string version =
        span.version == noVersion ? std::string() : fmt::format(R"(,"weight_version":{})", span.version);
    event(
        R"({{"ph":"X","cat":"task","name":"{}",{},"args":{{"work":"{}","stage":{},"microbatch":{},"slice":{},"pipe":{},"part":{}{}{}{}}}}})",
        toText(task), place, workName(task.work).name, task.stage.value, task.microbatch.value, task.slice.value,
        task.pipe.value, task.part.value, version, measured.empty() ? "" : ",", measured);
}

void ChromeWriter::spans()
{
    for (std::size_t i = 0; i < m_trace.lanes.size(); ++i) {
        const TraceLane& lane = m_trace.lanes[i];
        for (std::size_t k = 0; k < lane.spans.size(); ++k)
            span(lane, k, {lane.device.value, m_threadOfSpan[i][k]});
    }
}

/// One end of an arrow: a span.
struct ArrowEnd {
    Thread thread;
    Nanoseconds start = 0;
    Nanoseconds end = 0;
};

void ChromeWriter::links()
{
    // Spans of a microbatch on a device, in the order of lanes and time, to look up both ends of an arrow.
    using Key = std::tuple<std::uint16_t, std::uint8_t, std::int32_t, std::uint16_t>;
    std::map<Key, std::vector<std::pair<std::size_t, std::size_t>>> spansOf;
    if (!m_trace.links.empty())
        for (std::size_t i = 0; i < m_trace.lanes.size(); ++i)
            for (std::size_t k = 0; k < m_trace.lanes[i].spans.size(); ++k)
                if (const Span& span = m_trace.lanes[i].spans[k]; span.name == 0 && isCompute(span.task.work))
                    spansOf[{m_trace.lanes[i].device.value, span.task.pipe.value, span.task.microbatch.value,
                             span.task.slice.value}]
                        .emplace_back(i, k);
    const auto find = [&](Device device, const Task& task, auto&& wanted) -> std::optional<ArrowEnd> {
        const auto found = spansOf.find({device.value, task.pipe.value, task.microbatch.value, task.slice.value});
        if (found == spansOf.end())
            return std::nullopt;
        for (const auto& [i, k] : found->second)
            if (const Span& span = m_trace.lanes[i].spans[k]; wanted(span))
                return ArrowEnd{{device.value, m_threadOfSpan[i][k]}, span.start, span.end};
        return std::nullopt;
    };
    std::size_t id = 0;
    for (const Link& link : m_trace.links) {
        ++id;
        const Task& producer = link.producer;
        const auto from = find(link.from, producer, [&](const Span& span) { return span.task == producer; });
        const auto to = find(link.to, producer, [&](const Span& span) {
            const bool sameWay = propagatesGradient(span.task.work) == propagatesGradient(producer.work) &&
                                 (span.task.work == Work::Forward) == (producer.work == Work::Forward);
            return sameWay && span.start >= link.arrived;
        });
        if (!from || !to)
            continue; // the trace holds only one end
        // A flow belongs to the span around its time, so it leaves just before the end.
        event(
            R"({{"ph":"s","cat":"link","name":"message","id":{},"ts":{},"pid":{},"tid":{},"args":{{"bytes":{},"sent_ns":{},"arrived_ns":{}}}}})",
            id, micros(std::max(from->start, from->end - 1)), from->thread.device, from->thread.number, link.bytes,
            link.sent, link.arrived);
        event(R"({{"ph":"f","bp":"e","cat":"link","name":"message","id":{},"ts":{},"pid":{},"tid":{}}})", id,
              micros(to->start), to->thread.device, to->thread.number);
    }
}

void ChromeWriter::counters()
{
    for (const Counter& counter : m_trace.counters) {
        const std::string name = quoted(counter.name);
        for (const auto& [time, value] : counter.samples)
            event(R"({{"ph":"C","name":{},"ts":{},"pid":{},"args":{{"value":{}}}}})", name, micros(time),
                  counter.device.value, value);
    }
}

void ChromeWriter::write()
{
    placeSpans();
    m_out << R"({"displayTimeUnit":"ns","baseTimeNanoseconds":0,"metadata":{"title":)" << quoted(m_options.title)
          << R"(,"label":)" << quoted(m_options.label) << R"(},"traceEvents":[)";
    devices();
    threads();
    spans();
    links();
    counters();
    m_out << "\n]}\n";
}

} // namespace

void exportChrome(const Trace& trace, const ChromeExport& options, std::ostream& out)
{
    ChromeWriter(trace, options, out).write();
}

void exportChrome(const Trace& trace, const ChromeExport& options, const std::string& path)
{
    writeWholeFile(path, [&](std::ostream& out) { exportChrome(trace, options, out); });
}

} // namespace bubblescope
