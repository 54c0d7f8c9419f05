// What the measurements of the window share. Measures, not tests: nothing is asserted.

#pragma once

#include "core/trace/lane_columns.h"
#include "viz/run/run_view.h"

#include <cstddef>
#include <functional>
#include <string>

namespace bubblescope::bench {

inline constexpr std::size_t lanes = 64;

/// Spans of 1 to 9.2 µs with pauses of 0 to 2 µs, 8 kinds of work.
TraceColumns syntheticColumns(std::size_t spans, unsigned seed);
viz::RunPtr syntheticRun(std::size_t spans, int number);

struct Figures {
    double least = 0;
    double median = 0;
    double p99 = 0;
    double medianOfCpu = 0;
    double p99OfCpu = 0;
};

/// Milliseconds of `times` calls.
Figures figures(int times, const std::function<void(int)>& frame);
void print(const std::string& what, const Figures& taken, const std::string& goal);

double megabytes(); ///< of resident memory
std::string load(); ///< of the machine

void benchTimeline(std::size_t spans); ///< frames, pans, colours, memory of one run
void benchOpening(std::size_t spans);  ///< a document, with its cache and without
void benchSchedule(std::size_t spans); ///< frames of a simulated schedule instead of the synthetic run
void benchStacked(std::size_t spans);  ///< frames of eight runs

} // namespace bubblescope::bench
