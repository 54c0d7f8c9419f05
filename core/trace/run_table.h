// Rows of the table `run` and what hangs on them. Internal to core/trace.

#pragma once

#include "core/trace/run.h"
#include "core/trace/sqlite.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace bubblescope {

std::int64_t nowMs();

/// A new row in state Recording; its id. Inside a transaction of the caller.
int insertRun(const Database& database, const RunHeader& header);

void updateOutcome(const Database& database, int run, const RunOutcome& outcome);

/// All runs without orders, oldest first. `beingWritten` decides what "recording" means.
std::vector<RunInfo> readRuns(const Database& database, bool beingWritten);

/// With orders; nullopt when there is no such run.
std::optional<RunInfo> readRun(const Database& database, int run, bool beingWritten);

/// What a trace consists of: lanes, spans, measurements, counters, links. Inside a transaction of the caller.
void deleteTraceRows(const Database& database, int run);

/// All rows of the run in all tables. Inside a transaction of the caller.
void deleteRunRows(const Database& database, int run);

} // namespace bubblescope
