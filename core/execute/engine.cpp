// The course of an execution: check → rehearse (warm-up, verification) → run and record → judge.
//
// The rehearsal runs the same schedule with stages of its own and without updates, so that the first
// step's page faults and cold caches aren't measured, its gradients can be compared, and the recorded
// steps still begin from new weights.

#include "core/execute/engine.h"

#include "core/base/error.h"
#include "core/execute/first_step.h"
#include "core/execute/measured_costs.h"
#include "core/execute/refusals.h"
#include "core/execute/run.h"
#include "core/schedule/validate.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
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

bool recomputes(const Schedule& schedule)
{
    return std::any_of(schedule.tasks.begin(), schedule.tasks.end(),
                       [](const Task& task) { return task.work == Work::Recompute; });
}

/// One call of execute().
class Execution {
public:
    Execution(const Schedule& schedule, const Costs& costs, const Backend& backend, const RunOptions& options,
              TraceSink& sink, const Progress& progress)
        : m_schedule(schedule)
        , m_costs(costs)
        , m_backend(backend)
        , m_options(options)
        , m_sink(sink)
        , m_progress(progress)
        , m_time(options.time ? *options.time : m_systemTime)
        , m_cpu(backend.kind == Backend::Kind::Cpu)
        , m_plan(schedule, costs, !m_cpu)
    {
        m_result.workers = countWorkers(m_plan);
        m_result.cores = options.cores > 0 ? options.cores : usableCores();
        m_rounds = options.steps == 0 ? 1 : static_cast<std::uint32_t>(options.steps / schedule.shape.steps);
        m_shown = m_cpu && m_result.workers <= m_result.cores ? ShownTime::Wall : ShownTime::Virtual;
    }

    RunResult operator()()
    {
        m_result.calibrationBefore = calibrate();
        if (rehearse() && record())
            m_result.calibrationAfter = calibrate();
        judge();
        describe();
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
            setup.model = {m_backend.maker, m_backend.partition, m_backend.recompute && !recomputes(m_schedule)};
        setup.time = &m_time;
        setup.capacity = m_options.capacity;
        setup.gateCores = m_cpu && m_result.workers > m_result.cores ? m_result.cores : 0;
        setup.rounds = rounds;
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
        if (!m_cpu || (warmup == 0 && !m_options.verify))
            return true;
        const Schedule step = firstStep(m_schedule);
        const RunPlan plan(step, m_costs, false);
        const std::uint32_t rounds = m_options.verify ? 1 : static_cast<std::uint32_t>(warmup);
        Run run(plan, setup(rounds, false), nullptr);
        const RunStop stop = run([&] {
            if (due(m_reported, reportInterval))
                m_progress.report(-1, "warming up");
            if (m_progress.cancelled())
                run.cancel();
        });
        bool good = settle(stop, " in the warm-up step");
        if (good && m_options.verify)
            good = verify(run);
        m_result.leakedBytes += run.clear();
        return good;
    }

    /// Compares the gradients that the rehearsal left in its stages.
    bool verify(const Run& run)
    {
        try {
            StepGradients pipeline;
            run.collect(pipeline);
            for (const double loss : run.losses())
                pipeline.loss += loss;
            const int perStep = m_schedule.shape.microbatchesPerStep();
            const ReferenceStep step{.blocks =
                                         std::accumulate(m_backend.partition.begin(), m_backend.partition.end(), 0),
                                     .microbatchesPerStep = perStep,
                                     .microbatches = perStep,
                                     .recompute = m_backend.recompute};
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
        m_progress.report(static_cast<double>(m_recorder->spanCount()) / all,
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

    /// The label, and the figures that go with it.
    void judge()
    {
        m_result.label = runLabel(m_backend.kind, m_result.workers, m_result.cores, 1.0);
        if (!m_recorder)
            return;
        m_result.trace = m_recorder->trace(ShownTime::Virtual);
        Trace wall = m_recorder->trace(ShownTime::Wall);
        m_result.virtualMakespan = m_result.trace.end() - m_result.trace.begin();
        // A late first task would make a paced run look shorter than it was.
        m_result.wallMakespan = wall.end() - (m_cpu ? wall.begin() : m_result.trace.begin());
        const Stretch stretch = stretchOf(wall);
        m_result.stretchMedian = stretch.median;
        m_result.stretchP90 = stretch.p90;
        m_result.label = runLabel(m_backend.kind, m_result.workers, m_result.cores, stretch.median);
        if (m_result.label == RunLabel::Measured)
            m_result.trace = std::move(wall);
        else
            m_result.restated = m_shown == ShownTime::Wall;
        warn();
    }

    void warn()
    {
        constexpr double mostLate = 0.01;
        constexpr double mostDrift = 0.05;
        const auto wall = static_cast<double>(m_result.wallMakespan);
        const auto paced = static_cast<double>(m_result.virtualMakespan);
        if (!m_cpu && m_time.sleeps() && wall > paced * (1 + mostLate))
            m_result.warnings.push_back(
                fmt::format("The run took {:.1f} % more wall time than the model says: the machine was too "
                            "busy, or the tasks are too short.",
                            100 * (wall / paced - 1)));
        const auto before = static_cast<double>(m_result.calibrationBefore);
        const auto after = static_cast<double>(m_result.calibrationAfter);
        if (before > 0 && after > 0 && std::abs(after / before - 1) > mostDrift)
            m_result.warnings.push_back(
                fmt::format("A fixed calculation took {:+.0f} % longer after the run than before it: the "
                            "machine changed its speed.",
                            100 * (after / before - 1)));
        if (m_cpu && (m_costs.everyHop.latency > 0 || m_costs.everyHop.bytesPerSecond > 0 || !m_costs.pairs.empty()))
            m_result.warnings.emplace_back(
                "The cpu backend hands tensors over in memory: the transfers of the cost model were not "
                "executed.");
    }

    void describe()
    {
        nlohmann::json& about = m_result.provenance;
        about = m_backend.provenance.is_object() ? m_backend.provenance : nlohmann::json::object();
        about["backend"] = backendName(m_backend.kind);
        about["label"] = runLabelText(m_result.label);
        about["label_sentence"] = labelSentence(m_result.label, m_result.workers, m_result.cores);
        about["workers"] = m_result.workers;
        about["cores"] = m_result.cores;
        about["wall_makespan_ns"] = m_result.wallMakespan;
        about["virtual_makespan_ns"] = m_result.virtualMakespan;
        about["capacity"] = m_options.capacity;
        if (!m_cpu)
            return;
        about["wall_per_cpu_p50"] = m_result.stretchMedian;
        about["wall_per_cpu_p90"] = m_result.stretchP90;
        about["calibration_before_ns"] = m_result.calibrationBefore;
        about["calibration_after_ns"] = m_result.calibrationAfter;
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

RunResult execute(const Schedule& schedule, const Costs& costs, const Backend& backend, const RunOptions& options,
                  TraceSink& sink, const Progress& progress)
{
    check(schedule, costs, backend, options);
    return Execution(schedule, costs, backend, options, sink, progress)();
}

RunResult execute(const Plan& plan, const Backend& backend, const RunOptions& options, TraceSink& sink,
                  const Progress& progress)
{
    Backend complete = backend;
    if (complete.partition.empty())
        complete.partition = plan.partition;
    return execute(plan.schedule, plan.costs, complete, options, sink, progress);
}

} // namespace bubblescope
