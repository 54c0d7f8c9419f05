// The model's share of one device: its stages, its memory, and what waits between its tasks. All lanes
// of the device work on it, each from its own thread:
//
//     compute lane      makes the stages, runs F B I W R U; the only one that touches a stage's layers
//     collective lanes  a: sums gradients over the homes of a stage (replicas.h)
//                       g, c: a stage's weights out of its shard, its gradients into it
//                       b, g, a: what the shards of a vocabulary exchange (vocabulary_groups.h)
//     copy lanes        o, h: what one microbatch has kept, to host memory and back (host_memory.h)
//
// Two lanes never touch the same thing without a message between them (an edge of the schedule) that
// orders them. What isn't ordered so is thread-safe: the arena, and a stage's map of what it keeps.
// Tensors that go from lane to lane travel in messages, also inside a device (RunPlan::Cargo).
//
// A sharded stage (one with g tasks) keeps its weights in the shard. Gathered ones arrive with the first
// task of a burst, go with the last that reads them, and are there beside the shard in between; gradients
// are added up from zero in each burst and leave with its last W or B. The shard is the whole stage: the
// other parts of it, on devices outside the schedule, would be equal to it.
//
// Streamed stages (streamed_weights.h) are the same with the host as the shard: l and p in place of g and c.
//
// Where the optimizer has a global condition (gradient_norm.h), y or k bring the norm to U. An update that is validated
// later leaves what it replaces aside: weights, gradients, the optimizer's state. When k comes back up and the norm of
// all stages wants another update, it is undone and made again, and what the stage has kept of the next step's forwards
// is dropped: those are on wrong weights here or before. The worker then runs them again (Worker::repeat), which no
// schedule lists.
//
// Where a schedule is asynchronous, a stage has a WeightStore, which puts the version that a task reads
// into the stage; elsewhere U changes the one version in place.

#pragma once

#include "core/execute/gradient_norm.h"
#include "core/execute/host_memory.h"
#include "core/execute/loss_book.h"
#include "core/execute/recorder.h"
#include "core/execute/replicas.h"
#include "core/execute/run_plan.h"
#include "core/execute/stage_module.h"
#include "core/execute/streamed_weights.h"
#include "core/execute/vocabulary_groups.h"
#include "core/execute/weight_store.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace bubblescope {

/// What the stages of a run are made from.
struct ModelSource {
    const StageMaker* maker = nullptr;
    std::vector<int> partition; ///< blocks of each virtual stage
    bool recompute = false;     ///< F keeps its input only; where the schedule has no R, I does it first
};

/// What a stage is told of the data: an update takes the mean over its own microbatches, which are a step's unless the
/// schedule is asynchronous.
StepData stepDataOf(const Schedule& schedule);

/// What all hosts of a run share.
struct HostContext {
    const RunPlan& plan;
    const ModelSource& source;
    Replicas& replicas;
    HostMemory& hostMemory;
    StreamedWeights& streamed;
    VocabularyGroups& vocabulary;
    GradientNorm& norm;
    LossBook& losses;
    bool training = true; ///< false: updates are left out, so that the gradients of a step can be looked at
};

class StageHost {
public:
    StageHost(const HostContext& context, Device device);

    /// Makes the stages; called by the worker of the device's first lane, whose thread then touches their memory first.
    void make();

    /// What `task` needs, from another lane.
    void deliver(TaskId task, RunPlan::Cargo cargo, Buffer data);

    /// False for tasks that only keep an order.
    bool works(TaskId task) const;

    /// Computes the task as it is in this round.
    void run(TaskId id, std::uint32_t round);

    /// The task is done, and so are the other members of its group: what they needed of this one goes.
    void finish(TaskId task);

    /// True once after a k that found the step's updates wrong: the next step's forwards before it have to be repeated.
    bool takeRollback() { return std::exchange(m_rolledBack, false); }

    /// What the task made for another lane.
    Buffer takeOutput(TaskId task, RunPlan::Cargo cargo);

    /// When all lanes of the device have ended the round and stand still. Losses of stages without an update; and nothing may be
    /// left over. Throws Failure naming what is.
    void endRound(std::uint32_t round);

    /// Once all workers have ended: sharded stages get their weights and gradients back, to be looked at.
    void reunite();

    MemorySample sample() const;

    std::int64_t liveBytes() const { return m_arena.liveBytes(); }

    /// This device's shard of the vocabulary; null where it isn't shared.
    const VocabularyModule* vocabulary() const { return m_shard.get(); }

    /// Takes the stages and everything that waits down; the arena's counters stay.
    void clear();

private:
    /// What an update has replaced, until it is validated.
    struct Replaced {
        int step = 0;
        Buffer weights;
        Buffer gradients;
        Buffer optimizer = {}; ///< empty when it keeps nothing
    };

    /// A stage that lives here, in one pipe.
    struct Resident {
        std::unique_ptr<StageModule> module;
        std::size_t home = Replicas::nowhere; ///< its number
        bool updates = false;                 ///< the device has an update of it
        bool borrowed = false;                ///< its weights come from the host for each burst, its gradients go there
        bool sharded = false;                 ///< its weights are gathered; then these hold them in between:
        Buffer weights;
        Buffer gradients;
        std::optional<Replaced> replaced; ///< by an update that is still to be validated
        int ahead = 0;                    ///< updates that forwards predict the weights by
        std::optional<WeightStore> store; ///< asynchronous training only
        std::vector<bool> works;          ///< asynchronous: by step of a round, has a forward here
    };

    Resident& resident(const Task& task);
    std::unique_ptr<StageModule> makeStage(Stage stage, bool borrowed);
    void shard();
    void makeResident(const Task& task, bool borrowed);
    void makeEncoder();
    Buffer encodedBefore(const DataKey& key);
    StepData stepData() const;
    void keepVersions();
    void findStepEnds();
    void compute(TaskId id, const Task& task);
    void backward(TaskId id, const Task& task, Resident& own);
    double lossOf(Resident& own, int step);
    void update(const Task& task);

    bool conditional() const { return m_training && m_norm.limited(); }

    void updateByNorm(Resident& own, int step);
    void updateTimes(float factor, Resident& own, int step);
    void check(TaskId id, Resident& own);
    void validate(Resident& own);
    void exchangeWithShard(Resident& own);
    void gather(TaskId id, Resident& own);
    void reduce(TaskId id, Resident& own);
    void runShard(TaskId id, const Task& task);
    void reportLoss(const Task& task);
    void meetAtBarrier(TaskId id);
    void checkEmpty() const;
    Buffer operand(TaskId task);
    void keep(TaskId task, Buffer made);

    const RunPlan& m_plan;
    const ModelSource& m_source;
    Replicas& m_replicas;
    HostMemory& m_hostMemory;
    StreamedWeights& m_streamed;
    VocabularyGroups& m_vocabulary;
    GradientNorm& m_norm;
    LossBook& m_losses;
    const bool m_training;
    const Device m_device;
    TaskId m_begin{};                  ///< first task of the device's lanes, which lie one after another
    bool m_rolledBack = false;         ///< the compute lane's
    bool m_sumsAtBarrier = false;      ///< there are replicas that no all-reduce tasks sum, here or elsewhere
    Arena m_arena;                     ///< before all that holds its buffers
    std::vector<Resident> m_residents; ///< by pipe × stages + stage; most are empty
    Arena m_outside;                   ///< of what isn't part of the schedule
    std::vector<std::unique_ptr<FrozenLayer>> m_encoder; ///< layers that have tasks here; the others are null
    std::vector<std::unique_ptr<FrozenLayer>> m_before;  ///< all of them, outside: for the step before the first
    std::vector<bool> m_wanted;                          ///< by task of the device: another task works on its result
    std::vector<Buffer> m_made;                          ///< by task of the device: result that wasn't taken yet
    std::vector<Buffer> m_delivered;                     ///< by task of the device: what came from another lane
    std::vector<bool> m_lastReader;                      ///< by task of the device: gathered weights go after it
    std::vector<Buffer> m_madeGradients;                 ///< likewise, what goes to the last stage beside it
    std::unique_ptr<VocabularyModule> m_shard;
    Stage m_shardStage{};         ///< whose update is the shard's, too
    std::vector<bool> m_endsStep; ///< by task of the device, asynchronous: the step's last forward of its stage here
};

} // namespace bubblescope
