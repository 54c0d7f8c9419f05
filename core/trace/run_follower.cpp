#include "core/trace/run_follower.h"

#include "core/base/error.h"
#include "core/trace/document_file.h"
#include "core/trace/run_rows.h"
#include "core/trace/run_table.h"
#include "core/trace/trace_sink.h"

#include <algorithm>
#include <map>
#include <sys/stat.h>
#include <tuple>

namespace bubblescope {
namespace {

constexpr int busyMs = 20; // a poll must not block a window

bool isThere(const std::string& path)
{
    struct stat status {};

    return stat(path.c_str(), &status) == 0 && status.st_size > 0;
}

} // namespace

struct RunFollower::State {
    std::string path;
    int run = 0;
    std::shared_ptr<DocumentFile> file;
    std::unique_ptr<NameMap> names;
    std::unique_ptr<SpanReader> reader;
    std::vector<std::string> texts = {""};
    std::size_t toldTexts = 1;       // those that the caller knows
    std::vector<LaneCursor> cursors; // by lane
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> samples;
    std::int64_t links = 0;

    bool open();
    RunUpdate read(bool beingWritten);
    void readSpans(RunUpdate& update);
};

/// False while there is nothing to open yet.
bool RunFollower::State::open()
{
    if (file)
        return true;
    if (!isThere(path))
        return false;
    std::shared_ptr<DocumentFile> opened = DocumentFile::open(path, false);
    opened->database().busyTimeout(busyMs);
    names = std::make_unique<NameMap>(opened->database());
    reader = std::make_unique<SpanReader>(opened->database(), run);
    file = std::move(opened);
    return true;
}

void RunFollower::State::readSpans(RunUpdate& update)
{
    std::vector<std::int64_t> counts;
    std::vector<TraceLane> lanes = readLanes(file->database(), run, counts);
    const std::size_t known = cursors.size();
    cursors.resize(lanes.size());
    for (std::uint32_t i = 0; i < lanes.size(); ++i) {
        if (counts[i] > cursors[i].count)
            reader->read(i, cursors[i], lanes[i], *names, texts);
        else if (i < known)
            continue; // nothing new, and seen before
        update.lanes.push_back(std::move(lanes[i]));
    }
}

RunUpdate RunFollower::State::read(bool beingWritten)
{
    RunUpdate update;
    Transaction transaction(file->database(), Transaction::Kind::Read);
    Statement select(file->database(), "SELECT state, sentence FROM run WHERE id = ?");
    if (!select.bind(1, run).step())
        return update;
    update.state = static_cast<RunState>(std::clamp<std::int64_t>(select.integer(0), 0, 4));
    update.sentence = select.text(1);
    if (*update.state == RunState::Recording && !beingWritten) {
        update.state = RunState::Interrupted;
        update.sentence = interruptedSentence;
    }
    readSpans(update);
    update.counters = readCounters(file->database(), run, samples);
    update.links = readLinks(file->database(), run, links);
    update.last = *update.state != RunState::Recording;
    update.names.assign(texts.begin() + static_cast<std::ptrdiff_t>(toldTexts), texts.end());
    toldTexts = texts.size();
    return update;
}

RunFollower::RunFollower(std::string path, int run) : m_state(std::make_unique<State>())
{
    m_state->path = std::move(path);
    m_state->run = run;
}

RunFollower::~RunFollower() = default;
RunFollower::RunFollower(RunFollower&&) noexcept = default;
RunFollower& RunFollower::operator=(RunFollower&&) noexcept = default;

RunUpdate RunFollower::poll()
{
    State& state = *m_state;
    // What was seen moves on only when a poll succeeds as a whole.
    const auto cursors = state.cursors;
    const auto samples = state.samples;
    const auto links = state.links;
    try {
        if (!state.open())
            return {};
        return state.read(state.file->beingWritten());
    } catch (const Failure&) { // busy, or the writer is just leaving: the next poll will tell
        state.cursors = cursors;
        state.samples = samples;
        state.links = links;
        if (!isThere(state.path))
            throw Error("{} was deleted while it was followed.", state.path);
        return {};
    }
}

void append(Trace& trace, const RunUpdate& update)
{
    trace.names.insert(trace.names.end(), update.names.begin(), update.names.end());
    for (const TraceLane& lane : update.lanes) {
        auto into = std::find_if(trace.lanes.begin(), trace.lanes.end(), [&](const TraceLane& known) {
            return std::tie(known.device.value, known.kind, known.index) ==
                   std::tie(lane.device.value, lane.kind, lane.index);
        });
        if (into == trace.lanes.end())
            into = trace.lanes.insert(into, {lane.device, lane.kind, lane.index, {}, {}});
        into->spans.insert(into->spans.end(), lane.spans.begin(), lane.spans.end());
        into->measurements.insert(into->measurements.end(), lane.measurements.begin(), lane.measurements.end());
    }
    sortLanes(trace.lanes);
    for (const Counter& counter : update.counters) {
        auto into = std::find_if(trace.counters.begin(), trace.counters.end(), [&](const Counter& known) {
            return known.name == counter.name && known.device == counter.device;
        });
        if (into == trace.counters.end())
            into = trace.counters.insert(into, {counter.name, counter.device, {}});
        into->samples.insert(into->samples.end(), counter.samples.begin(), counter.samples.end());
    }
    trace.links.insert(trace.links.end(), update.links.begin(), update.links.end());
}

} // namespace bubblescope
