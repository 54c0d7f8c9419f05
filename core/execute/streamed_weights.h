// Weights that live in host memory and visit devices (RoundPipe): no device owns a stage.
//
//     host    version 3 ──l──► copy on device 1      computes all microbatches of a stage task
//             gradient  ◄──p── what device 2 added up in its stage task
//             U: version 4; version 3 stays as long as a step that reads it may still load it
//
// One object for all devices. The host lane's StageModule is the stage's master: weights, gradient
// accumulators and optimizer state are its.

#pragma once

#include "core/execute/stage_module.h"
#include "core/schedule/schedule.h"

#include <map>
#include <mutex>
#include <vector>

namespace bubblescope {

/// True when the schedule loads its stages' weights instead of keeping them on devices.
bool streamsWeights(const Schedule& schedule);

class StreamedWeights {
public:
    explicit StreamedWeights(const Schedule& schedule);

    /// False where every stage keeps its weights: then nothing else here is called but settle().
    bool used() const { return m_used; }

    /// The host's worker tells where a stage's master is, before all meet for the first time.
    void settle(Stage stage, StageModule& master, Arena& host);

    /// A copy, on a device, of the version that this step reads.
    Buffer load(Stage stage, int step, Arena& device);

    void addGradients(Stage stage, const Buffer& gradients);

    /// What the stage's microbatches of a step have added up wherever they ran.
    void addLoss(Stage stage, int step, double loss);
    double takeLoss(Stage stage, int step);

    /// U: the master makes its next version.
    void update(Stage stage, int step);

    /// Before the arenas go.
    void clear();

private:
    struct OfStage {
        std::mutex mutex;
        StageModule* master = nullptr;
        Arena* host = nullptr;
        int version = 0; ///< of the master
        Buffer before;   ///< the version before it; only where steps read it
        std::map<int, double> losses;
    };

    const bool m_used;
    const int m_delay; ///< a step reads the version of this many updates ago
    std::vector<OfStage> m_stages;
};

} // namespace bubblescope
