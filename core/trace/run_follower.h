// Reads a run while another process (or thread) writes it.
//
//     RunFollower follower("demo.bscope", 2);
//     while (!follower.poll(trace)) wait 100 ms;
//
// Each poll reads, per lane, only what lies behind the last span that was seen; never a whole scan.
// It may begin before the document or the run exists, and a busy document is simply polled again.

#pragma once

#include "core/trace/run.h"
#include "core/trace/trace.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bubblescope {

/// What came since the last poll.
struct RunUpdate {
    std::vector<TraceLane>
        lanes; ///< those with new spans or seen first, new spans only; Span::name as in `trace.names` so far
    std::vector<std::string> names; ///< to append to Trace::names
    std::vector<Counter> counters;  ///< new samples only
    std::vector<Link> links;
    std::optional<RunState> state; ///< nullopt: the document or the run isn't there yet
    std::string sentence;          ///< of the run's end
    bool last = false;             ///< the run has ended and everything was read

    bool empty() const { return lanes.empty() && names.empty() && counters.empty() && links.empty(); }
};

class RunFollower {
public:
    RunFollower(std::string path, int run);
    ~RunFollower();
    RunFollower(RunFollower&&) noexcept;
    RunFollower& operator=(RunFollower&&) noexcept;

    /// Throws Error for a file that isn't a document, is newer than this program or damaged.
    RunUpdate poll();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Adds an update to a trace that holds all earlier ones. Lanes stay sorted by (device, kind, index).
void append(Trace& trace, const RunUpdate& update);

} // namespace bubblescope
