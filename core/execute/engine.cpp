// The course of an execution: check → rehearse (warm-up, verification) → run and record → judge.
//
// The rehearsal runs the same schedule with stages of its own and without updates, so that the first
// step's page faults and cold caches aren't measured, its gradients can be compared, and the recorded
// steps still begin from new weights.

#include "core/execute/engine.h"

#include "core/base/error.h"
#include "core/execute/direct.h"
#include "core/execute/first_step.h"
#include "core/execute/judgement.h"
#include "core/execute/measured_costs.h"
#include "core/execute/refusals.h"
#include "core/execute/run.h"
#include "core/schedule/validate.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <numeric>
#include <optional>

namespace bubblescope {
namespace {

using Clock = std::chrono::steady_clock;

void check(const Schedule& schedule, const Costs& costs, const Backend& backend, const RunOptions& options)
{
    std::vector<std::string> sentences = refusals(schedule, costs, backend, options);
    if (options.checkFirst)
        for (const Problem& problem : validate(schedule))
            if (problem.severity == Problem::Severity::Error)
                sentences.push_back(problem.sentence);
    if (!sentences.empty())
        throw Error("{}", fmt::join(sentences, " "));
}

int countWorkers(const RunPlan& plan)
{
    int workers = 0;
    for (std::uint32_t lane = 0; lane < plan.lanes().size(); ++lane)
        workers += plan.lane(lane).kind == LaneKind::Compute ? 1 : 0;
    return workers;
}

/// One call of execute().
class Execution {
public:
    Execution(const CostedSchedule& work, const Backend& backend, const RunOptions& options, TraceSink& sink,
              const Progress& progress)
        : m_schedule(work.schedule)
        , m_costs(work.costs)
        , m_backend(backend)
        , m_options(options)
        , m_sink(sink)
        , m_progress(progress)
        , m_time(options.time ? *options.time : m_systemTime)
        , m_cpu(backend.kind == Backend::Kind::Cpu)
        , m_plan(m_schedule, m_costs, !m_cpu)
    {
        m_result.workers = countWorkers(m_plan);
        m_result.cores = options.cores > 0 ? options.cores : usableCores();
        m_rounds = options.steps == 0 ? 1 : static_cast<std::uint32_t>(options.steps / m_schedule.shape.steps);
        m_shown = m_cpu && m_result.workers <= m_result.cores ? ShownTime::Wall : ShownTime::Virtual;
    }

    RunResult operator()()
    {
        m_result.calibrationBefore = calibrate();
        if (rehearse() && record())
            m_result.calibrationAfter = calibrate();
        m_result.label = runLabel(m_backend.kind, m_result.workers, m_result.cores, 1.0);
        if (m_recorder) {
            judge(m_result, *m_recorder, m_backend.kind, m_shown);
            addWarnings(m_result, m_backend.kind, m_costs, m_time.sleeps());
        }
        addProvenance(m_result, m_backend, m_options);
        return std::move(m_result);
    }

private:
    Nanoseconds calibrate()
    {
        if (!m_cpu)
            return 0; // nothing is computed
        return m_backend.calibration ? m_backend.calibration() : calibrationProduct(m_time);
    }

    RunSetup setup(std::uint32_t rounds, bool training) const
    {
        RunSetup setup;
        if (m_cpu)
            setup.model = {m_backend.maker, m_backend.partition, m_backend.recompute};
        setup.time = &m_time;
        setup.capacity = m_options.capacity;
        setup.gateCores = m_cpu && m_result.workers > m_result.cores ? m_result.cores : 0;
        setup.rounds = rounds;
        setup.clipNorm = m_cpu ? m_backend.clipNorm : 0;
        setup.training = training;
        return setup;
    }

    /// True when the run may go on. Otherwise the result says why not.
    bool settle(const RunStop& stop, const std::string& when)
    {
        if (stop.reason == RunStop::Reason::None)
            return true;
        const bool cancelled = stop.reason == RunStop::Reason::Cancel;
        m_result.state = cancelled ? RunResult::State::Cancelled : RunResult::State::Failed;
        m_result.sentence = cancelled ? "Cancelled" + when + "." : stop.sentence + when;
        return false;
    }

    bool rehearse()
    {
        const int warmup = m_options.warmup >= 0 ? m_options.warmup : 1;
        const bool verifies = m_options.verify && !m_plan.versioned(); // else what updates do is compared, afterwards
        if (!m_cpu || (warmup == 0 && !verifies))
            return true;
        const Schedule step = firstStep(m_schedule);
        const RunPlan plan(step, m_costs, false);
        const std::uint32_t rounds = verifies ? 1 : static_cast<std::uint32_t>(warmup);
        Run run(plan, setup(rounds, false), nullptr);
        const RunStop stop = run([&] {
            if (due(m_reported, reportInterval))
                m_progress.report(-1, "warming up");
            if (m_progress.cancelled())
                run.cancel();
        });
        bool good = settle(stop, " in the warm-up step");
        if (good && verifies)
            good = verify(run);
        m_result.leakedBytes += run.clear();
        return good;
    }

    /// Compares the gradients that the rehearsal left in its stages.
    bool verify(const Run& run)
    {
        try {
            if (const std::string apart = run.replicaDifference(); !apart.empty())
                return settle({RunStop::Reason::Failure, RunStop::nobody, "the summed gradients differ: " + apart},
                              " in the warm-up step");
            StepGradients pipeline;
            run.collect(pipeline);
            for (const double loss : run.losses())
                pipeline.loss += loss;
            const ReferenceStep step{.partition = m_backend.partition,
                                     .microbatches = m_schedule.shape.microbatches,
                                     .recompute = m_backend.recompute,
                                     .components = m_schedule.shape.components,
                                     .paths = m_schedule.paths,
                                     .pathOfMicrobatch = m_schedule.pathOfMicrobatch,
                                     .slicing = uncut(m_schedule.slicing)};
            m_result.verify =
                compareGradients(pipeline, referenceStep(*m_backend.maker, step, m_progress), addsInOrder(m_schedule));
            return true;
        } catch (const Cancelled&) {
            return settle({RunStop::Reason::Cancel, RunStop::nobody, ""}, " while verifying");
        } catch (const std::exception& error) { // of the model, whatever it throws
            return settle({RunStop::Reason::Failure, RunStop::nobody, error.what()},
                          " (on one device, for verification)");
        }
    }

    /// Compares what the recorded updates did to the weights.
    bool verifyTraining(const Run& run)
    {
        try {
            const DirectSetup setup{*m_backend.maker, m_backend.partition, m_schedule, m_backend.recompute};
            m_result.verify =
                compareTraining(run.weights(), run.losses(), trainDirectly(setup, versionRule(m_schedule), m_progress));
            return true;
        } catch (const Cancelled&) {
            return settle({RunStop::Reason::Cancel, RunStop::nobody, ""}, " while verifying");
        } catch (const std::exception& error) { // of the model, whatever it throws
            return settle({RunStop::Reason::Failure, RunStop::nobody, error.what()},
                          " (on one device, for verification)");
        }
    }

    bool record()
    {
        m_recorder.emplace(m_plan, m_rounds, m_cpu);
        Run run(m_plan, setup(m_rounds, true), &*m_recorder);
        bool good = false;
        try {
            m_recorder->begin(m_sink, m_shown);
            const RunStop stop = run([&] { tick(run); });
            good = settle(stop, "");
            reportLosses(run);
            m_recorder->handOver();
        } catch (const std::exception& error) { // of the sink or of a callback; the workers are joined by now
            good = settle({RunStop::Reason::Failure, RunStop::nobody, error.what()}, " (while recording)");
        }
        m_result.losses = run.losses();
        m_result.clips = run.clips();
        if (good && m_cpu && m_options.keepWeights)
            m_result.weights = run.weights();
        if (good && m_cpu && m_options.verify && m_plan.versioned())
            good = verifyTraining(run);
        m_result.leakedBytes += run.clear();
        if (good && m_result.leakedBytes != 0)
            good = settle({RunStop::Reason::Failure, RunStop::nobody,
                           fmt::format("{} bytes of device memory were never given back", m_result.leakedBytes)},
                          "");
        return good;
    }

    void tick(Run& run)
    {
        if (m_progress.cancelled()) {
            run.cancel();
            return;
        }
        reportLosses(run);
        if (due(m_handedOver, handOverInterval))
            m_recorder->handOver();
        if (!due(m_reported, reportInterval))
            return;
        const auto all = static_cast<double>(m_schedule.tasks.size()) * m_rounds;
        m_progress.report(std::min(1.0, static_cast<double>(m_recorder->spanCount()) / all), // rollbacks add spans
                          fmt::format("running on {} workers", m_result.workers));
    }

    /// True when the interval has passed since it was last true.
    static bool due(Clock::time_point& last, Clock::duration interval)
    {
        const Clock::time_point now = Clock::now();
        if (now - last < interval)
            return false;
        last = now;
        return true;
    }

    void reportLosses(const Run& run)
    {
        if (!m_options.onLoss)
            return;
        const std::vector<double> losses = run.losses();
        for (; m_lossesReported < losses.size(); ++m_lossesReported)
            m_options.onLoss(static_cast<int>(m_lossesReported), losses[m_lossesReported]);
    }

    static constexpr std::chrono::milliseconds handOverInterval{200}; // below 250 with the time of a commit
    static constexpr std::chrono::milliseconds reportInterval{50};

    const Schedule& m_schedule;
    const Costs& m_costs;
    const Backend& m_backend;
    const RunOptions& m_options;
    TraceSink& m_sink;
    const Progress& m_progress;
    SystemTime m_systemTime;
    TimeSource& m_time;
    const bool m_cpu;
    const RunPlan m_plan;
    std::uint32_t m_rounds = 1;
    ShownTime m_shown = ShownTime::Virtual;
    std::optional<Recorder> m_recorder;
    Clock::time_point m_handedOver = Clock::now();
    Clock::time_point m_reported; // long ago
    std::size_t m_lossesReported = 0;
    RunResult m_result;
};

} // namespace

const char* backendName(Backend::Kind kind)
{
    return kind == Backend::Kind::Cpu ? "cpu" : "paced";
}

const char* runStateName(RunResult::State state)
{
    static constexpr const char* names[] = {"complete", "cancelled", "failed"};
    return names[static_cast<std::size_t>(state)];
}

RunResult execute(const CostedSchedule& work, const Backend& backend, const RunOptions& options, TraceSink& sink,
                  const Progress& progress)
{
    check(work.schedule, work.costs, backend, options);
    return Execution(work, backend, options, sink, progress)();
}

RunResult execute(const Plan& plan, const Backend& backend, const RunOptions& options, TraceSink& sink,
                  const Progress& progress)
{
    Backend complete = backend;
    if (complete.partition.empty())
        complete.partition = plan.partition;
    return execute(CostedSchedule{plan.schedule, plan.costs}, complete, options, sink, progress);
}

} // namespace bubblescope
