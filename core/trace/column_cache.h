// The columns of a run beside its rows in a document: made from them, droppable, and much faster to read.
//
//     span (rows, the truth) ──► columns ──► chunk, chunk_list    all spans, about 5 bytes each
//                                        └─► preview              a few ten thousand spans that look like all of them
//
// A stamp on the run says what the cache was made from. When it isn't what the rows say now, or
// anything of it can't be read, the cache counts as absent. The doors are Document::readColumns,
// readPreview and writeColumnCache; of what is here, others need encodeColumns() alone.

#pragma once

#include "core/base/progress.h"
#include "core/trace/lane_columns.h"
#include "core/trace/sqlite.h"

#include <optional>
#include <string>
#include <vector>

namespace bubblescope {

/// The spans of a run, row by row. Inside a transaction of the caller.
TraceColumns readRowColumns(const Database& database, int run, const Progress& progress);

enum class CachePart : std::uint8_t { Preview, Spans };

/// Nothing when there is no cache, it is stale or it is damaged.
std::optional<TraceColumns> readCache(const Database& database, int run, CachePart part, const Progress& progress);

/// A cache made from the rows as they are.
bool freshCache(const Database& database, int run);

/// A cache before it is written: making it takes longer than writing it, and needs no document.
struct EncodedColumns {
    struct Row {
        bool preview = false;
        int lane = 0;
        int part = 0;
        int seq = 0;
        std::string data;
    };

    std::vector<Row> rows;
    std::string list; ///< JSON
};

EncodedColumns encodeColumns(const TraceColumns& columns);

/// Replaces the cache of a run. Inside a transaction of the caller.
void writeCache(const Database& database, int run, const EncodedColumns& columns);

/// Takes the cache of a run away, before its rows change.
void dropCache(const Database& database, int run);

/// A few spans that look like all of them when they are drawn narrow: blocks of neighbours are replaced by one span
/// for each of their kinds. At most about `most`.
TraceColumns previewOf(const TraceColumns& columns, std::size_t most = 400'000);

} // namespace bubblescope
