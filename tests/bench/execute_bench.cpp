// What the engine costs per task, and how far a paced run is from its model.

#include "core/execute/engine.h"
#include "core/schedule/registry.h"
#include "core/simulate/simulate.h"
#include "tests/bench/bench.h"

#include <fmt/format.h>

#include <algorithm>

namespace bubblescope::bench {
namespace {

/// Computes nothing and hands on nothing.
class EmptyStage final : public StageModule {
public:
    Buffer forward(const DataKey&, Buffer) override { return {}; }

    Buffer inputGradient(const DataKey&, Buffer) override { return {}; }

    void weightGradient(const DataKey&) override {}

    void recompute(const DataKey&) override {}

    void release(const DataKey&) override {}

    void update(int) override {}

    double takeLoss() override { return 0; }

    std::vector<ParameterView> parameters() const override { return {}; }

    Buffer& weightBuffer() override { return m_nothing; }

    Buffer& gradientBuffer() override { return m_nothing; }

    std::unique_ptr<KeptState> detach(const DataKey&) override { return nullptr; }

    void attach(const DataKey&, std::unique_ptr<KeptState>) override {}

    std::vector<DataKey> pending() const override { return {}; }

private:
    Buffer m_nothing;
};

struct EmptyMaker final : StageMaker {
    std::unique_ptr<StageModule> make(const StageLayers&, const StepData&, Arena&) const override
    {
        return std::make_unique<EmptyStage>();
    }

    void enterThread() const override {}
};

Schedule oneFOneB(int devices, int microbatches)
{
    const RecipeSpec spec = parseRecipe("1f1b");
    return buildSchedule(recipe(spec.id), {.devices = devices,
                                           .chunks = 1,
                                           .microbatches = microbatches,
                                           .parameters = spec.parameters,
                                           .costs = nullptr});
}

/// Nanoseconds of wall time per task, all workers together: the best of three.
double perTask(const Schedule& schedule, const Backend& backend, const RunOptions& options)
{
    double best = 1e18;
    for (int repeat = 0; repeat < 3; ++repeat) {
        TraceCollector sink;
        const Progress progress;
        const RunResult result = execute({schedule, Costs(schedule.shape.stages)}, backend, options, sink, progress);
        best = std::min(best, static_cast<double>(result.wallMakespan) / static_cast<double>(schedule.tasks.size()));
    }
    return best;
}

void benchOverhead()
{
    fmt::print("empty tasks, 1F1B with 2000 microbatches: wall time per task, all workers together, µs\n");
    fmt::print("{:>8} {:>10} {:>10} {:>12} {:>12}\n", "workers", "paced", "cpu", "cpu, gate", "capacity 2");
    for (const int devices : {2, 4, 8, 16}) {
        const Schedule schedule = oneFOneB(devices, 2000);
        const EmptyMaker maker;
        Backend cpu;
        cpu.kind = Backend::Kind::Cpu;
        cpu.maker = &maker;
        cpu.partition.assign(static_cast<std::size_t>(devices), 1);
        fmt::print("{:>8} {:>10.2f} {:>10.2f} {:>12.2f} {:>12.2f}\n", devices, perTask(schedule, {}, {}) / 1e3,
                   perTask(schedule, cpu, {.cores = devices}) / 1e3,
                   perTask(schedule, cpu, {.cores = std::min(devices, 2)}) / 1e3,
                   perTask(schedule, {}, {.capacity = 2 * devices}) / 1e3);
    }
}

void benchPacing()
{
    fmt::print("\npaced 1F1B with 32 microbatches: wall makespan over the model's\n");
    for (const Nanoseconds task : {1, 5}) {
        for (const int devices : {4, 8, 16}) {
            const Schedule schedule = oneFOneB(devices, 32);
            Costs costs(devices);
            costs.set(Work::Forward, task * unit);
            costs.set(Work::Backward, task * unit);
            TraceCollector sink;
            const Progress progress;
            const RunResult result = execute({schedule, costs}, {}, {}, sink, progress);
            std::vector<Nanoseconds> late;
            for (const TraceLane& lane : result.trace.lanes)
                for (std::size_t i = 0; i < lane.spans.size(); ++i)
                    late.push_back(lane.measurements[i].wallEnd - lane.spans[i].end);
            std::sort(late.begin(), late.end());
            fmt::print(
                "{:>8} workers, tasks of {} ms: {:+.3f} %, late by {:.3f} ms (p50), {:.3f} (p99), {:.3f} (max)\n",
                devices, task,
                100 * (static_cast<double>(result.wallMakespan) / static_cast<double>(result.virtualMakespan) - 1),
                static_cast<double>(late[late.size() / 2]) / 1e6,
                static_cast<double>(late[late.size() * 99 / 100]) / 1e6, static_cast<double>(late.back()) / 1e6);
        }
    }
}

} // namespace

void benchExecute()
{
    benchOverhead();
    benchPacing();
}

} // namespace bubblescope::bench
