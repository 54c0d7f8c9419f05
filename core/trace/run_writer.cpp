#include "core/trace/run_writer.h"

#include "core/base/error.h"
#include "core/trace/document_file.h"
#include "core/trace/run_rows.h"
#include "core/trace/run_table.h"

#include <algorithm>

namespace bubblescope {
namespace {

/// What waits for the next flush of one lane.
struct PendingLane {
    std::vector<Span> spans;
    std::vector<Measurement> measurements;
    SpanOrder order;
};

struct PendingSamples {
    std::uint32_t name = 0;
    Device device{};
    std::vector<std::pair<Nanoseconds, std::int64_t>> samples;
};

} // namespace

struct RunWriter::State {
    State(std::shared_ptr<DocumentFile> given, int id) : file(std::move(given)), run(id), rows(file->database(), id) {}

    std::shared_ptr<DocumentFile> file;
    int run;
    RunRows rows;
    LaneTable lanes;
    NameTable names;
    std::size_t storedLanes = 0;      // rows of the table lane that are committed
    std::vector<PendingLane> pending; // by lane
    std::vector<PendingSamples> samples;
    std::vector<Link> links;
    std::size_t pendingSpans = 0;
    std::chrono::steady_clock::time_point lastFlush = std::chrono::steady_clock::now();
    bool finished = false;
};

RunWriter::RunWriter(std::shared_ptr<DocumentFile> file, int run)
    : m_state(std::make_unique<State>(std::move(file), run))
{
}

RunWriter::~RunWriter()
{
    if (m_state->finished)
        return;
    try {
        RunOutcome outcome;
        outcome.state = RunState::Interrupted;
        outcome.sentence = interruptedSentence;
        finish(outcome);
    } catch (const std::exception&) { // nobody is there to tell; the next opening says "interrupted" as well
    }
}

int RunWriter::run() const
{
    return m_state->run;
}

std::uint32_t RunWriter::lane(Device device, LaneKind kind, int index)
{
    const std::uint32_t lane = m_state->lanes.number(device, kind, index);
    m_state->pending.resize(m_state->lanes.lanes().size());
    return lane;
}

std::uint32_t RunWriter::name(std::string_view text)
{
    return m_state->names.number(text);
}

void RunWriter::append(const SpanBatch& batch)
{
    PendingLane& lane = m_state->pending.at(batch.lane);
    lane.order.check(batch);
    lane.spans.insert(lane.spans.end(), batch.spans.begin(), batch.spans.end());
    lane.measurements.insert(lane.measurements.end(), batch.measurements.begin(), batch.measurements.end());
    m_state->pendingSpans += batch.spans.size();
    if (m_state->pendingSpans >= mostPending)
        flush();
}

void RunWriter::counter(std::string_view name, Device device,
                        std::span<const std::pair<Nanoseconds, std::int64_t>> samples)
{
    m_state->samples.push_back({this->name(name), device, {samples.begin(), samples.end()}});
}

void RunWriter::links(std::span<const Link> links)
{
    m_state->links.insert(m_state->links.end(), links.begin(), links.end());
}

void RunWriter::store(const RunOutcome* outcome)
{
    State& state = *m_state;
    state.lastFlush = std::chrono::steady_clock::now(); // also after a failure: not again at once
    state.file->checkStillThere();
    RunRows::Counts before = state.rows.saved();
    try {
        Transaction transaction(state.file->database());
        for (std::size_t i = state.storedLanes; i < state.lanes.lanes().size(); ++i)
            state.rows.lane(state.lanes.lanes()[i]);
        for (std::uint32_t i = 0; i < state.pending.size(); ++i)
            state.rows.spans(i, state.pending[i].spans, state.pending[i].measurements, state.names.names());
        for (const PendingSamples& batch : state.samples)
            state.rows.samples(batch.name, batch.device, batch.samples, state.names.names());
        state.rows.links(state.links);
        state.rows.totals();
        if (outcome)
            updateOutcome(state.file->database(), state.run, *outcome);
        transaction.commit();
    } catch (...) {
        state.rows.restore(std::move(before));
        throw;
    }
    state.storedLanes = state.lanes.lanes().size();
    for (PendingLane& lane : state.pending) {
        lane.spans.clear();
        lane.measurements.clear();
    }
    state.samples.clear();
    state.links.clear();
    state.pendingSpans = 0;
}

void RunWriter::flush()
{
    const State& state = *m_state;
    const bool nothing = state.pendingSpans == 0 && state.samples.empty() && state.links.empty() &&
                         state.storedLanes == state.lanes.lanes().size();
    if (nothing)
        m_state->lastFlush = std::chrono::steady_clock::now();
    else
        store(nullptr);
}

bool RunWriter::flushIfDue()
{
    if (std::chrono::steady_clock::now() - m_state->lastFlush < flushInterval)
        return false;
    flush();
    return true;
}

void RunWriter::finish(const RunOutcome& outcome)
{
    store(&outcome);
    m_state->finished = true;
}

} // namespace bubblescope
