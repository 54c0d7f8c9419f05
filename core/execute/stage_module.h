// What the engine asks of a real model: the share of one stage, on one device.
//
// A StageModule has no threads and no clocks. The engine calls it from one thread at a time (the
// compute lane of its device), in the order that the schedule says. The same calls serve every
// schedule: B is inputGradient then weightGradient, so a split and a full backward give equal bits.

#pragma once

#include "core/base/index.h"
#include "core/execute/arena.h"
#include "core/schedule/slicing.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bubblescope {

/// Names one piece of data on its way through a stage.
struct DataKey {
    Microbatch microbatch; ///< running number inside the pipe, over all steps
    Slice slice;
    Pipe pipe;

    friend bool operator==(const DataKey& a, const DataKey& b)
    {
        return a.microbatch == b.microbatch && a.slice == b.slice && a.pipe == b.pipe;
    }

    friend bool operator<(const DataKey& a, const DataKey& b)
    {
        if (a.microbatch != b.microbatch)
            return a.microbatch < b.microbatch;
        if (a.slice != b.slice)
            return a.slice < b.slice;
        return a.pipe < b.pipe;
    }
};

/// A named parameter tensor and its accumulated gradient, for verification. Pointers live as long as the module.
struct ParameterView {
    std::string name;
    const float* value = nullptr;
    const float* gradient = nullptr;
    std::size_t count = 0;
    std::size_t width = 0; ///< of a shard: columns [first, first + width) of a matrix; 0: the whole tensor
    std::size_t first = 0;
    std::size_t wholeWidth = 0;
};

/// Everything that a stage keeps for one key, taken out of it.
class KeptState {
public:
    virtual ~KeptState() = default;

    /// May be replaced by copies elsewhere while the state isn't in a stage.
    virtual std::vector<Buffer*> buffers() = 0;
};

class StageModule {
public:
    virtual ~StageModule() = default;

    /// F: consumes the boundary activations of the previous stage (empty on the first stage, which
    /// reads the tokens of the microbatch), keeps what the backward needs, returns the boundary
    /// activations for the next stage (empty on the last one, which adds to loss()).
    virtual Buffer forward(const DataKey& key, Buffer input) = 0;

    /// I: consumes the gradient of this stage's output (empty on the last stage), returns the
    /// gradient of its input (empty on the first stage); keeps what W needs.
    virtual Buffer inputGradient(const DataKey& key, Buffer outputGradient) = 0;

    /// W: adds this microbatch's weight gradients to the accumulators; releases everything kept for the key.
    virtual void weightGradient(const DataKey& key) = 0;

    /// After F with recompute on, only the boundary input is kept; R brings back what F would have kept. Where later
    /// slices attend to the key's tokens, their keys and values stay too.
    virtual void recompute(const DataKey& key) = 0;

    /// Between F and R: frees what R brings back, for keys that a schedule recomputes although recompute is off.
    virtual void release(const DataKey& key) = 0;

    /// U: applies the optimizer with the accumulated gradients, then clears them. `step` from 0.
    virtual void update(int step) = 0;

    /// From now on U takes gradients for as many updates old (spike compensation). Needs momentum.
    virtual void compensate(int delay);

    /// Moves the weights as far as the optimizer's velocity would take them in so many updates.
    virtual void extrapolate(int updates);

    /// Sum over the step's microbatches of (mean loss over tokens) / microbatches; 0 on stages without head. Cleared by takeLoss.
    virtual double takeLoss() = 0;

    /// The accumulated gradients, before an update clears them.
    virtual std::vector<ParameterView> parameters() const = 0;

    /// All weights one after the other, and their gradients in the same order: alike in all replicas of a
    /// stage. The engine may take them out, put others in or change them between the stage's tasks.
    virtual Buffer& weightBuffer() = 0;
    virtual Buffer& gradientBuffer() = 0;

    /// What the optimizer keeps beside them; null when that is nothing. With the weights put back, an update is undone.
    virtual Buffer* optimizerBuffer() { return nullptr; }

    /// Takes out what is kept for the key, or the part of it that StepData::slicing says, and puts it into this stage or
    /// into its like on another device. The only calls that may come from another thread while the stage computes
    /// on other keys.
    virtual std::unique_ptr<KeptState> detach(const DataKey& key) = 0;
    virtual void attach(const DataKey& key, std::unique_ptr<KeptState> state) = 0;

    /// Keys for which something is still kept; empty after a complete step.
    virtual std::vector<DataKey> pending() const = 0;
};

/// Which layers a stage holds: blocks [firstBlock, firstBlock + blocks), and the two ends.
struct StageLayers {
    int firstBlock = 0;
    int blocks = 1;
    bool embedding = false;
    bool head = false;
    bool borrowed = false; ///< weights are put into weightBuffer(), gradients taken out: no values, no optimizer state
    bool sharedVocabulary = false; ///< token table and output matrix lie in shards (vocabulary_module.h)
};

/// The data of a step. A microbatch's number in it is microbatch · pipes + pipe, so no two pipes train on the same.
struct StepData {
    int microbatches = 1; ///< of all pipes together: every one has this part of the loss
    int pipes = 1;
    Slicing slicing =
        {}; ///< empty: microbatches are whole. Where lengths are tokens, every token has its part of the loss
};

/// A frozen layer beside the model (Shape::components): forward only, the same on every device. The last one's output
/// for a microbatch goes into the first stage's F of that microbatch as its input.
class FrozenLayer {
public:
    virtual ~FrozenLayer() = default;

    /// Consumes the output of the layer before it (empty for the first, which reads the microbatch's data).
    virtual Buffer forward(const DataKey& key, Buffer input) = 0;
};

class VocabularyModule;
struct VocabularyShare;

/// Makes the stages of one model. The same maker, asked for one stage with all layers, gives the
/// single-device reference that --verify compares with: equal seeds give equal initial weights per tensor name.
class StageMaker {
public:
    virtual ~StageMaker() = default;

    /// All memory of the stage comes from `arena`.
    virtual std::unique_ptr<StageModule> make(const StageLayers& layers, const StepData& data, Arena& arena) const = 0;

    /// Layer `number` of the frozen encoder; null when the model has none, whatever the number.
    virtual std::unique_ptr<FrozenLayer> makeFrozen(int /*number*/, const StepData& /*data*/, Arena& /*arena*/) const
    {
        return nullptr;
    }

    /// Stages compute with what the step before has left in them (Semantics::staleState).
    virtual bool keepsStaleState() const { return false; }

    /// One device's shard of the vocabulary, for stages with `sharedVocabulary`.
    virtual std::unique_ptr<VocabularyModule> makeShard(const VocabularyShare& share, const StepData& data,
                                                        Arena& arena) const;

    /// Called once by each worker thread before it computes (BLAS thread settings are per thread in some builds).
    virtual void enterThread() const = 0;

    /// True when the optimizer is SGD with momentum: what compensate() and extrapolate() need.
    virtual bool hasVelocity() const { return false; }
};

} // namespace bubblescope
