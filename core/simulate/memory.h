// Live memory over time, per device (ir.md 5): in activations, for any schedule, and in bytes by
// class, for a model whose sizes are known.
//
//     live  ┌──┐  ┌──┐        a task takes at its start and gives back at its end;
//           ┘  └──┘  └──      what is given back at an instant goes before what is taken then
//
// So the peak is the largest value after everything that happens at one moment.

#pragma once

#include "core/execute/arena.h"
#include "core/simulate/simulate.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace bubblescope {

struct ModelSpec;

/// Change of live activations, in millionths of one, by work: `atStart` and `atEnd` of the task.
struct ActivationDeltas {
    struct Delta {
        std::int64_t atStart = 0;
        std::int64_t atEnd = 0;
    };

    static constexpr std::int64_t one = 1'000'000;
    std::array<Delta, workCount> of{};
};

/// "F=1,I=-0.5,W=-0.5": F counts at its start, the others at their end; R, which brings back what F
/// freed, at its start. Empty: F=1,I=0,W=-1,B=-1. B missing is I+W; a missing o (offload, at its end) is
/// −F and h (reload, at its start) the inverse of o. The sum over a microbatch's tasks must be 0. Throws Error.
/// Where R counts nothing and slices have R tasks, what those bring back is freed at the end of F.
ActivationDeltas parseMemory(const std::string& text, bool splitsBackward);

/// Live activations of one device, in millionths of one activation of a whole device
/// (a stage counts 1/chunks, a slice 1/slices).
struct ActivationCurve {
    struct Step {
        Nanoseconds time = 0;
        std::int64_t live = 0; ///< after everything that happens at this time
    };

    std::vector<Step> steps;    ///< only when asked for
    std::int64_t peak = 0;      ///< rounded to the nearest millionth
    std::int64_t peakParts = 0; ///< the same exactly, in millionths of one stage's slice
    std::int64_t parts = 1;     ///< stages of a pipe on a device × slices
    Nanoseconds peakAt = 0;     ///< first moment of the peak
    std::vector<Task> holders;  ///< F tasks whose activations live at the peak; only when asked for

    double peakActivations() const
    {
        return static_cast<double>(peakParts) / static_cast<double>(ActivationDeltas::one * parts);
    }
};

/// One curve per device. `detailed` also fills steps and holders.
std::vector<ActivationCurve> activationCurves(const Schedule& schedule, const Timing& timing,
                                              const ActivationDeltas& deltas, bool detailed);

/// Bytes by class.
using MemoryBytes = std::array<std::int64_t, memoryClasses>;

std::int64_t total(const MemoryBytes& bytes);
const char* memoryClassName(MemoryClass memoryClass);

/// What every task of a model takes and gives back, in bytes.
class MemoryRules {
public:
    struct Effect {
        MemoryClass memoryClass = MemoryClass::Activation;
        std::int64_t atStart = 0;
        std::int64_t atEnd = 0;
    };

    explicit MemoryRules(int stages = 0) : MemoryRules(stages, Slicing()) {}

    /// With rules for every slice of these cuts.
    MemoryRules(int stages, const Slicing& slicing);

    int stages() const { return m_stages; }

    /// `slice`: counted through all cuts.
    void add(Work work, Stage stage, Effect effect, std::size_t slice = 0);

    /// The same for a pass of one shard of the vocabulary.
    void add(Work work, Part part, Effect effect);

    const std::vector<Effect>& of(Work work, Stage stage, std::size_t slice = 0) const;
    const std::vector<Effect>& of(const Task& task) const;

    std::vector<MemoryBytes> constant; ///< by stage: there for the whole run on each of its homes
    std::vector<MemoryBytes> shards;   ///< by shard of the vocabulary, likewise

private:
    std::size_t sliceOf(const Task& task) const
    {
        return m_first[static_cast<std::size_t>(task.microbatch) % m_first.size()] + task.slice;
    }

    int m_stages;
    std::vector<std::size_t> m_first;           // by cut: number of its first slice
    std::vector<std::vector<Effect>> m_effects; // (slice × works + work) × stages + stage
    std::map<std::pair<Work, Part>, std::vector<Effect>> m_shardEffects;
};

/// Live bytes of one device.
struct MemoryCurve {
    struct Step {
        Nanoseconds time = 0;
        MemoryBytes live{}; ///< after everything that happens at this time
    };

    std::vector<Step> steps; ///< only when asked for
    std::int64_t peak = 0;   ///< of the sum over the classes
    MemoryBytes atPeak{};
    Nanoseconds peakAt = 0;    ///< first moment of the peak
    std::vector<Task> holders; ///< F, I and R tasks that hold bytes at the peak; only when asked for
};

std::vector<MemoryCurve> memoryCurves(const Schedule& schedule, const Timing& timing, const MemoryRules& rules,
                                      bool detailed);

/// Live bytes of the device just after each task of its compute lane, by TaskId (0 elsewhere). The order alone decides them:
/// this is what an executor's arena must show for activations, boundaries and kept gradients at the ends of compute tasks.
std::vector<MemoryBytes> bytesAfterTasks(const Schedule& schedule, const MemoryRules& rules);

/// How a schedule lays out embedding and head: on the first and last stage, or in shards.
struct VocabularyLayout {
    int shards = 0; ///< 0: on the stages
    bool oneBarrier = false;
};

VocabularyLayout vocabularyOf(const Schedule& schedule);

/// The memory of the transformer that the executor trains, to the byte (executor.md 1.1). `partition`: blocks of each virtual stage;
/// the embedding is on the first stage and the head on the last. `optimizerStates`: values per parameter, AdamW 2, plain SGD 0.
/// `recomputeTasks`: the schedule has R tasks; without them a recomputing stage brings its activations back at the start of I or B.
MemoryRules transformerMemory(const ModelSpec& model, const std::vector<int>& partition, bool recompute,
                              int optimizerStates = 2, bool recomputeTasks = false,
                              const VocabularyLayout& vocabulary = {});

/// The same for the slices and the R tasks of a schedule: what R brings back goes after F, apart from the keys and
/// values that later slices read.
MemoryRules transformerMemory(const ModelSpec& model, const std::vector<int>& partition, bool recompute,
                              int optimizerStates, const Schedule& schedule);

} // namespace bubblescope
