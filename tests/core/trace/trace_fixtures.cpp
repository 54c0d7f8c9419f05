#include "tests/core/trace/trace_fixtures.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace bubblescope::test {

Folder::Folder()
{
    std::string name = (std::filesystem::temp_directory_path() / "bubblescope-XXXXXX").string();
    if (!mkdtemp(name.data()))
        throw std::runtime_error("no temporary folder");
    m_path = name;
}

Folder::~Folder()
{
    std::error_code ignored;
    std::filesystem::permissions(m_path, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(m_path, ignored);
}

std::string Folder::names() const
{
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(m_path))
        names.insert(entry.path().filename().string());
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : " ") + name;
    return text;
}

Trace plainTrace(int lanes, int spans)
{
    Trace trace;
    for (int lane = 0; lane < lanes; ++lane) {
        TraceLane& into = trace.lanes.emplace_back(TraceLane{Device(lane), LaneKind::Compute, 0, {}, {}});
        for (int i = 0; i < spans; ++i)
            into.spans.push_back(
                {(i + lane) * unit, (i + lane + 1) * unit, {.stage = Stage(lane), .microbatch = Microbatch(i)}, 0});
    }
    return trace;
}

Trace richTrace()
{
    Trace trace;
    trace.names = {"", "gemm_64x64", "naïve \"kernel\", <T>"};
    const Task forward{.pipe = Pipe(1), .slice = Slice(3), .stage = Stage(2), .microbatch = Microbatch(70000)};
    const Task joined{
        .work = Work::InputGradient, .stage = Stage(1), .microbatch = Microbatch(4), .flags = Task::joinedFlag};
    const Task barrier{.work = Work::Barrier, .part = Part(65535), .flags = Task::groupedFlag};
    trace.lanes = {
        {Device(0),
         LaneKind::Compute,
         0,
         {{-5, 10, forward, 0},
          {10, 20, joined, 0},
          {10, 20, {.stage = Stage(1)}, 0},
          {20, 20, barrier, 0},
          {20, 20, barrier, 0}},
         {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}, {17, 18, 19, 20}}},
        {Device(0),
         LaneKind::Collective,
         3,
         {{3'000'000'000'000, 3'000'000'000'007, {}, 2}, {3'000'000'000'100, 3'000'000'000'200, {}, 1}},
         {}},
        {Device(2), LaneKind::Host, 0, {}, {}},
    };
    trace.counters = {{"live bytes", Device(0), {{0, 5}, {0, 7}, {9, -1}}},
                      {"live bytes", Device(2), {{1, 1'000'000'000'000}}}};
    trace.links = {{Device(0), Device(2), forward, 10, 14, 4096}, {Device(2), Device(0), joined, 20, 21, 0}};
    return trace;
}

std::string toText(const Trace& trace)
{
    std::string text;
    for (const TraceLane& lane : trace.lanes) {
        text += fmt::format("lane {} {} {}\n", lane.device.value, laneKindName(lane.kind), lane.index);
        for (std::size_t i = 0; i < lane.spans.size(); ++i) {
            const Span& span = lane.spans[i];
            text += fmt::format("  {} {} {} flags {}", span.start, span.end,
                                span.name != 0 ? trace.names.at(span.name) : toText(span.task), span.task.flags);
            if (i < lane.measurements.size()) {
                const Measurement& m = lane.measurements[i];
                text += fmt::format(" measured {} {} {} {}", m.ready, m.wallStart, m.wallEnd, m.cpu);
            }
            text += '\n';
        }
    }
    std::vector<std::string> counters; // a trace says nothing about their order
    for (const Counter& counter : trace.counters) {
        std::string line = fmt::format("counter {} of {}:", counter.name, counter.device.value);
        for (const auto& [time, value] : counter.samples)
            line += fmt::format(" {}={}", time, value);
        counters.push_back(line + '\n');
    }
    std::sort(counters.begin(), counters.end());
    for (const std::string& line : counters)
        text += line;
    for (const Link& link : trace.links)
        text += fmt::format("link {} -> {} {} {} {} {}\n", link.from.value, link.to.value, toText(link.producer),
                            link.sent, link.arrived, link.bytes);
    return text;
}

Child::Child(const std::function<void(int)>& work)
{
    int ends[2];
    if (pipe(ends) != 0)
        throw std::runtime_error("no pipe");
    m_id = fork();
    if (m_id == 0) {
        close(ends[0]);
        try {
            work(ends[1]);
        } catch (const std::exception& error) {
            fmt::print(stderr, "child: {}\n", error.what());
            _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    m_read = ends[0];
}

Child::~Child()
{
    if (m_id > 0)
        kill();
    close(m_read);
}

bool Child::wait()
{
    int status = 0;
    waitpid(m_id, &status, 0);
    m_id = -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void Child::kill()
{
    ::kill(m_id, SIGKILL);
    wait();
}

} // namespace bubblescope::test
