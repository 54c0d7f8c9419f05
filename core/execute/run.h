// One run of a plan, from the first thread to the last: owns the exchange, the workers and the model.
//
// Destruction order is that of the members, backwards: workers are joined, then the exchange goes with
// what still lies in it, then the stages and their memory.

#pragma once

#include "core/execute/stage_host.h"
#include "core/execute/thread_exchange.h"
#include "core/execute/verify.h"
#include "core/execute/worker.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace bubblescope {

struct RunSetup {
    ModelSource model; ///< no maker: paced
    TimeSource* time = nullptr;
    int capacity = 0;
    int gateCores = 0; ///< workers that may compute at once; 0: all
    std::uint32_t rounds = 1;
    double clipNorm = 0; ///< most that the norm of a step's gradients may be; 0: no condition
    bool training = true;
};

class Run {
public:
    /// `recorder` may be null: then nothing is recorded.
    Run(const RunPlan& plan, const RunSetup& setup, Recorder* recorder);
    ~Run();

    /// Starts the workers and waits for them; calls `tick` every few milliseconds from this thread. An
    /// exception of `tick` stops the run and is thrown on after everybody has been joined.
    RunStop operator()(const std::function<void()>& tick);

    /// Ends the run early; from any thread.
    void cancel();

    std::vector<double> losses() const { return m_losses ? m_losses->complete() : std::vector<double>(); }

    /// What the optimizer's condition has done; once the run has ended.
    ClipCounts clips() const { return m_norm ? m_norm->counts() : ClipCounts(); }

    /// Newest weights of every stage, from its first home.
    std::vector<TensorGradient> weights() const;

    /// Gradients as they are after the last task, of each stage's first home.
    void collect(StepGradients& gradients) const;

    /// A sentence when the homes of a stage don't have the same gradients; else empty.
    std::string replicaDifference() const { return m_replicas->difference(&StageModule::gradientBuffer); }

    /// Takes everything down. What the arenas still count then is a leak.
    std::int64_t clear();

private:
    static constexpr std::chrono::milliseconds tickInterval{10};

    void startWorkers();
    void supervise(const std::function<void()>& tick);
    RunStop checkEnd() const;

    const RunPlan& m_plan;
    RunSetup m_setup;
    Recorder* m_recorder;
    HostMemory m_hostMemory;
    std::optional<VocabularyGroups> m_vocabulary;
    std::optional<Replicas> m_replicas; ///< not on paced, as the next ones
    std::optional<StreamedWeights> m_streamed;
    std::optional<GradientNorm> m_norm;
    std::optional<LossBook> m_losses;
    std::vector<std::unique_ptr<StageHost>> m_hosts; ///< by number of the device
    CoreGate m_gate;
    std::unique_ptr<ThreadExchange> m_exchange;
    RunContext m_context; ///< of the workers: not used after clear()
    std::mutex m_mutex;
    std::condition_variable m_ended;
    std::size_t m_running = 0;
    std::vector<std::jthread> m_threads;
};

} // namespace bubblescope
