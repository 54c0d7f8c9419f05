// What could be changed about idle time, each with what it really gains: every candidate is predicted.
//
//     experiment, gap ──► candidates: move a layer · balance · more microbatches · chunks · family · link
//                              │ plan, simulate
//                              ▼
//                         the best of each kind, by time per microbatch: three of them
//
// A gain is the difference of two predictions, never an estimate. Slower candidates aren't suggested.

#pragma once

#include "core/analyze/idle.h"
#include "core/base/progress.h"
#include "core/custom_order.h"

#include <string>
#include <vector>

namespace bubblescope {

/// The figures that two predictions are compared by.
struct PredictedFigures {
    Nanoseconds makespan = 0;
    double bubbleRate = 0;
    double perMicrobatch = 0; ///< nanoseconds: makespan ÷ microbatches
    double peakActivations = 0;
};

struct Suggestion {
    enum class Kind : std::uint8_t { MoveLayer, Balance, Microbatches, Chunks, Family, Link, Recompute, Order };

    Kind kind = Kind::MoveLayer;
    std::string change;    ///< "Move layer 18 from stage 3 to stage 2"
    std::string remark;    ///< what it costs elsewhere: "holds 7 activations instead of 4"; may be empty
    Experiment experiment; ///< with the change
    RecipeSpec spec;
    bool keepsOrder = false; ///< of an order by hand: it stays
    PredictedFigures after;
    double gain = 0; ///< share of the time per microbatch that goes
};

struct Suggestions {
    PredictedFigures before;
    std::vector<Suggestion> best; ///< at most `most`, the largest gain first
};

/// What is asked about.
struct SuggestRequest {
    Experiment experiment;
    RecipeSpec spec;
    CustomOrderPtr order; ///< null: the family's own
    IdleCause cause = IdleCause::Dependency;
    int late = -1; ///< the device that is waited for; −1: unknown
    std::size_t most = 3;
};

/// Throws Error when the experiment itself can't be predicted, and Cancelled.
Suggestions suggest(const SuggestRequest& request, const Progress& progress = Progress());

} // namespace bubblescope
