// The rows of one run: written by RunWriter and Document::addRun, read by Document and RunFollower.
//
// Internal to core/trace. Names are the document's (string.id) in the tables and the trace's
// (index into Trace::names) outside; NameMap stands between.

#pragma once

#include "core/trace/run.h"
#include "core/trace/sqlite.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bubblescope {

/// Everything of a task beside stage and microbatch in one number, nearly always a small one: a row has a byte less.
std::int64_t packTask(const Task& task);
Task unpackTask(std::int64_t packed, std::int64_t stage, std::int64_t microbatch);

/// Where the next span of a lane goes. `seq` tells apart spans that start together.
struct LaneCursor {
    bool any = false;
    Nanoseconds start = 0;
    std::int64_t seq = 0;
    std::int64_t count = 0;
};

/// Writes rows; always inside a transaction of the caller. What the transaction undoes, the caller undoes
/// here with saved() and restore().
class RunRows {
public:
    using SeriesKey = std::pair<std::uint32_t, std::uint32_t>; ///< name (index), device

    /// What has to be undone with a transaction.
    struct Counts {
        std::vector<LaneCursor> lanes;
        std::vector<std::int64_t> stringIds; ///< by trace name; 0: not looked up yet
        std::map<SeriesKey, std::int64_t> samples;
        std::int64_t links = 0;
        bool any = false;
        Nanoseconds begin = 0;
        Nanoseconds end = 0;
    };

    RunRows(const Database& database, int run);

    Counts saved() const { return m_counts; }

    void restore(Counts counts) { m_counts = std::move(counts); }

    void lane(const TraceLane& lane);
    /// `lane` counts in the order of the calls of lane(). The spans have passed SpanOrder::check().
    void spans(std::uint32_t lane, std::span<const Span> spans, std::span<const Measurement> measurements,
               const std::vector<std::string>& names);
    void samples(std::uint32_t name, Device device, std::span<const std::pair<Nanoseconds, std::int64_t>> samples,
                 const std::vector<std::string>& names);
    void links(std::span<const Link> links);
    void totals(); ///< spans, begin and end into the rows of the run and its lanes

private:
    static constexpr int rowsAtOnce = 64;
    static constexpr int columns = 10;

    std::int64_t stringId(std::uint32_t name, const std::vector<std::string>& names);
    void bindSpan(Statement& statement, int first, std::uint32_t lane, const Span& span,
                  const std::vector<std::string>& names);
    void place(std::uint32_t lane, const Span& span);

    const Database* m_database;
    int m_run;
    Counts m_counts;
    Statement m_manySpans;
    Statement m_oneSpan;
    Statement m_measurement;
    Statement m_sample;
    Statement m_link;
    Statement m_newString;
    Statement m_findString;
};

/// Texts of string ids as indices into a growing list of names.
class NameMap {
public:
    explicit NameMap(const Database& database);

    /// Index of a string id; new ones are appended to `names`.
    std::uint32_t index(std::int64_t id, std::vector<std::string>& names);

private:
    const Database* m_database;
    std::unordered_map<std::int64_t, std::uint32_t> m_index;
};

/// What spanOfRow() reads, in its order, from the table span.
inline constexpr const char* spanColumns = "start, duration, task, stage, microbatch, name, version";

/// The span of a row that begins with `spanColumns`; new names are appended to `texts`.
Span spanOfRow(const Statement& row, NameMap& names, std::vector<std::string>& texts);

/// Reads the spans of a lane behind a cursor, which moves on.
class SpanReader {
public:
    SpanReader(const Database& database, int run);

    void read(std::uint32_t lane, LaneCursor& cursor, TraceLane& into, NameMap& names, std::vector<std::string>& texts);

private:
    void readMeasurements(std::uint32_t lane, const LaneCursor& from, TraceLane& into);

    Statement m_spans;
    Statement m_measurements;
};

/// Lanes of a run by their number in the tables, without spans; `counts` gets what their rows say.
std::vector<TraceLane> readLanes(const Database& database, int run, std::vector<std::int64_t>& counts);

/// Samples with seq beyond those in `seen`, which moves on.
std::vector<Counter> readCounters(const Database& database, int run,
                                  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>& seen);

/// Links from number `seen` on, which moves on.
std::vector<Link> readLinks(const Database& database, int run, std::int64_t& seen);

} // namespace bubblescope
