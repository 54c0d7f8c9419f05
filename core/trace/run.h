// What a document says about a run beside its spans: enough to list it, to trust it and to repeat it.

#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bubblescope {

/// The order of the enumerators is stored in documents: append only.
enum class RunState : std::uint8_t {
    Recording,
    Complete,
    Cancelled,
    Failed,
    Interrupted, ///< its writer died; what was committed is there
};

const char* runStateText(RunState state); ///< "recording", "complete", …

inline constexpr const char* interruptedSentence =
    "The program that recorded this run ended before the run did. What was stored until then is here.";

/// What is known when a run begins. Texts that say JSON hold one JSON value each, or nothing.
struct RunHeader {
    RunLabel label = RunLabel::Predicted;
    std::string title;                ///< shown in lists; empty: the recipe
    std::string recipe;               ///< RecipeSpec::text(), or the file that the order came from
    std::string experiment;           ///< JSON of the experiment as it was
    std::string orders;               ///< ordersText() of the schedule; stored compressed; not filled in by runs()
    std::string provenance;           ///< JSON: cores, workers, BLAS, calibration, …
    std::vector<std::string> devices; ///< names by device; empty: "device 0", …
    std::optional<int> parent;        ///< the prediction that a measured run belongs to
};

/// What is known when it ends.
struct RunOutcome {
    RunState state = RunState::Complete;
    std::string sentence;   ///< for people: why it ended like this; empty when complete
    std::string summary;    ///< JSON: makespan, bubble rate, …, so that lists need not read the spans
    std::string losses;     ///< JSON
    std::string verify;     ///< JSON
    std::string provenance; ///< replaces the header's when not empty
    std::optional<RunLabel>
        label{}; ///< replaces the header's: only a finished run knows whether it was measured or replayed
};

/// A row of the document's list of runs. A measured run is stored after its prediction and names it as parent.
struct RunInfo {
    int id = 0; ///< 1, 2, 3, … as in FILE.bscope:2; never used again
    RunHeader header;
    RunOutcome outcome; ///< state Interrupted also when it says recording and nobody records
    std::string programVersion;
    std::string host;
    std::int64_t createdMs = 0; ///< Unix time
    std::int64_t spans = 0;     ///< committed so far
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
};

/// All lanes of a schedule as text, one a line: "device 0 compute 0: 0F0 0F1 …".
std::string ordersText(const Schedule& schedule);

} // namespace bubblescope
