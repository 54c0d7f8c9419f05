// Does a pipeline compute the gradients that one device computes without it? (Asynchronous ones: direct.h.)
//
// Compared by norm per tensor, |g − g₀| ÷ |g₀|, never element by element: elements near zero differ
// by some percent in a correct run. Where every stage adds its microbatches in the order 0 … m−1, as
// the reference does, even the bits have to be equal.

#pragma once

#include "core/base/progress.h"
#include "core/execute/stage_module.h"
#include "core/schedule/schedule.h"

#include <string>
#include <vector>

namespace bubblescope {

struct VerifyResult {
    static constexpr double gradientTolerance = 1e-5;
    static constexpr double lossTolerance = 1e-6;

    bool ran = false;
    bool passed = false;
    bool bitEqual = false;
    bool bitsExpected = false;           ///< every stage adds microbatches in the order 0 … m−1
    double maxRelativeGradientError = 0; ///< over the parameter tensors
    std::string worstTensor = {};        ///< empty when all are equal
    int tensors = 0;
    double loss = 0;
    double referenceLoss = 0;
    std::string sentence = {}; ///< the outcome for a person
};

/// A tensor's gradient or weights, copied out of a module.
struct TensorGradient {
    std::string name;
    std::vector<float> values;
};

struct StepGradients {
    std::vector<TensorGradient> tensors;
    double loss = 0;
};

/// Appends the gradients of one stage. Those of shards are put together to whole tensors.
void collectGradients(const std::vector<ParameterView>& views, StepGradients& gradients);

/// What the single device is asked for.
struct ReferenceStep {
    std::vector<int> partition;                  ///< blocks of each stage; without paths only their sum matters
    std::vector<int> microbatches = {1};         ///< of each pipe
    bool recompute = false;                      ///< the stages need R between F and I
    int components = 0;                          ///< frozen layers, whose output the first stage takes
    std::vector<std::vector<Stage>> paths;       ///< as in Schedule: the stages that a microbatch visits
    std::vector<std::uint16_t> pathOfMicrobatch; ///< of one pipe
    Slicing slicing = {};                        ///< lengths of the microbatches and what shares them; none is cut
};

/// The whole model on one device: the microbatches of all pipes by their number in the step's data, nothing else.
/// Looks at `progress` between them.
StepGradients referenceStep(const StageMaker& maker, const ReferenceStep& step, const Progress& progress);

/// True when the weight gradients of every stage are added in the order 0 … m−1, in one place.
bool addsInOrder(const Schedule& schedule);

VerifyResult compareGradients(const StepGradients& pipeline, const StepGradients& reference, bool bitsExpected);

} // namespace bubblescope
