// Finding tasks by what a person calls them, in runs of any size: no widgets, any thread.
//
//     "F3"  "2F3"  "stage 2"  "microbatch 3"  "3"  "forward 3"  "device 1"  "gemm"       all words have to match
//
// Words are looked up once per work and per name of the trace, so that a span costs a few comparisons. A
// regular expression reads the text "2F3 forward of microbatch 3 on stage 2" or the name of the kernel.

#pragma once

#include "core/base/progress.h"
#include "viz/run/run_view.h"
#include "viz/timeline/coordinates.h"

#include <QRegularExpression>
#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace bubblescope::viz {

struct SearchQuery {
    QString text;
    bool regular = false;

    bool empty() const { return text.trimmed().isEmpty(); }

    friend bool operator==(const SearchQuery& a, const SearchQuery& b)
    {
        return a.text == b.text && a.regular == b.regular;
    }
};

/// A sentence about a regular expression that can't be read; empty when all is well.
QString problemOf(const SearchQuery& query);

/// What of a lane matches: indices in each sub-lane's columns, ascending, and at the end those of its moments.
struct LaneMatches {
    std::vector<std::vector<std::uint32_t>> parts;
};

struct SpanMatches {
    std::shared_ptr<const TraceColumns> columns;
    std::vector<LaneMatches> lanes;
    std::size_t count = 0;

    /// The columns that a part of a lane indexes.
    const SpanColumns& spansOf(std::size_t lane, std::size_t part) const;
};

using MatchesPtr = std::shared_ptr<const SpanMatches>;

/// A joined unit matches where one of its tasks does. Throws Cancelled when progress says so.
SpanMatches findSpans(const RunView& run, const SearchQuery& query, const Progress& progress = Progress());

/// One match among those of all runs; they are ordered by aligned time, then run and lane.
struct MatchPlace {
    int slot = -1;
    int lane = 0;
    int part = 0; ///< sub-lane, or behind the last one: the moments
    std::uint32_t index = 0;
    Nanoseconds start = 0; ///< aligned
    bool moment = false;

    bool valid() const { return slot >= 0; }
};

/// The matches of all shown runs, to walk through.
class MatchWalk {
public:
    struct Part {
        MatchesPtr matches;
        Nanoseconds offset = 0;
    };

    explicit MatchWalk(std::vector<Part> parts) : m_parts(std::move(parts)) {}

    std::size_t count() const;

    /// The nearest one behind a place, or before it; they go round at the ends. A place in slot −1 stands before all
    /// matches of its time.
    MatchPlace after(const MatchPlace& place) const;
    MatchPlace before(const MatchPlace& place) const;

    /// 1 for the first.
    std::size_t rank(const MatchPlace& place) const;

private:
    template <class Visit>
    void visitLanes(Visit visit) const;
    MatchPlace next(const MatchPlace& place) const;
    MatchPlace previous(const MatchPlace& place) const;

    std::vector<Part> m_parts;
};

} // namespace bubblescope::viz
