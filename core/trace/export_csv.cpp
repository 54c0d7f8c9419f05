#include "core/trace/export_csv.h"

#include "core/trace/whole_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>

namespace bubblescope {
namespace {

std::string quoted(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"')
            result += '"';
        result += c;
    }
    return result + "\"";
}

} // namespace

void exportCsv(const Trace& trace, std::ostream& out)
{
    const bool measured = std::any_of(trace.lanes.begin(), trace.lanes.end(),
                                      [](const TraceLane& lane) { return !lane.measurements.empty(); });
    const bool versioned = std::any_of(trace.lanes.begin(), trace.lanes.end(), [](const TraceLane& lane) {
        return std::any_of(lane.spans.begin(), lane.spans.end(),
                           [](const Span& span) { return span.version != noVersion; });
    });
    out << "device,lane,lane_number,start_ns,end_ns,duration_ns,task,work,stage,microbatch,slice,pipe,part";
    out << (measured ? ",ready_ns,wall_start_ns,wall_end_ns,cpu_ns" : "");
    out << (versioned ? ",weight_version\r\n" : "\r\n");
    fmt::memory_buffer row;
    for (const TraceLane& lane : trace.lanes)
        for (std::size_t i = 0; i < lane.spans.size(); ++i) {
            const Span& span = lane.spans[i];
            row.clear();
            auto to = std::back_inserter(row);
            fmt::format_to(to, "{},{},{},{},{},{},", lane.device.value, laneKindName(lane.kind), lane.index, span.start,
                           span.end, span.duration());
            if (span.name != 0)
                fmt::format_to(to, "{},,,,,,", quoted(trace.names.at(span.name)));
            else
                fmt::format_to(to, "{},{},{},{},{},{},{}", toText(span.task), workName(span.task.work).name,
                               span.task.stage.value, span.task.microbatch.value, span.task.slice.value,
                               span.task.pipe.value, span.task.part.value);
            if (i < lane.measurements.size()) {
                const Measurement& m = lane.measurements[i];
                fmt::format_to(to, ",{},{},{},{}", m.ready, m.wallStart, m.wallEnd, m.cpu);
            } else if (measured) {
                fmt::format_to(to, ",,,,");
            }
            if (versioned)
                fmt::format_to(to, ",{}", span.version == noVersion ? "" : std::to_string(span.version));
            fmt::format_to(to, "\r\n");
            out.write(row.data(), static_cast<std::streamsize>(row.size()));
        }
}

void exportCsv(const Trace& trace, const std::string& path)
{
    writeWholeFile(path, [&](std::ostream& out) { exportCsv(trace, out); });
}

} // namespace bubblescope
