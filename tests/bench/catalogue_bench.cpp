// Every family of the registry: nanoseconds a task to generate, validate and simulate, at p=16.
//
// Two numbers of microbatches, 256 and 4096: what is linear costs the same a task at both, but for caches,
// which hold the smaller schedule and not the larger. Searching families pay for their search while they
// generate.

#include "bench.h"
#include "core/base/error.h"
#include "core/schedule/registry.h"
#include "core/schedule/validate.h"
#include "core/simulate/memory.h"
#include "core/simulate/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace bubblescope::bench {
namespace {

constexpr int devices = 16;
constexpr double limit = 1000; // nanoseconds a task
constexpr double caches = 5;   // what is quadratic grows by 16

struct Row {
    std::size_t tasks = 0;
    double generate = 0; ///< nanoseconds a task, as the others
    double validate = 0;
    double simulate = 0;

    double most() const { return std::max({generate, validate, simulate}); }
};

/// The quickest of three.
template <class Work>
double nanoseconds(Work work)
{
    double best = 1e18;
    for (int i = 0; i < 3; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        best =
            std::min(best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
}

Costs equalCosts(const Shape& shape)
{
    Costs costs(shape.allStages());
    for (const Work work : {Work::Forward, Work::InputGradient, Work::WeightGradient})
        costs.set(work, unit);
    costs.set(Work::Backward, 2 * unit);
    return costs;
}

Row measure(const RecipeInfo& info, const std::string& text, int microbatches)
{
    RecipeRequest request{.devices = devices,
                          .chunks = info.defaultChunks,
                          .microbatches = microbatches,
                          .parameters = parseRecipe(text).parameters};
    const Costs costs = equalCosts(shapeOf(info, request));
    const ActivationDeltas deltas = parseMemory("", info.splitsBackward);
    request.costs = &costs;
    request.deltas = &deltas;
    Schedule schedule;
    Row row;
    row.generate = nanoseconds([&] { schedule = buildSchedule(info, request); });
    std::size_t problems = 0;
    row.validate = nanoseconds([&] { problems += bubblescope::validate(schedule).size(); });
    row.simulate = nanoseconds([&] {
        const Timing timing = bubblescope::simulate(schedule, costs);
        activationCurves(schedule, timing, deltas, false);
    });
    row.tasks = schedule.tasks.size();
    for (double* value : {&row.generate, &row.validate, &row.simulate})
        *value /= static_cast<double>(row.tasks);
    if (problems > 0)
        fmt::print("{}: {} problems\n", text, problems);
    return row;
}

void print(const std::string& text, int microbatches, const Row& row, const std::optional<Row>& smaller)
{
    std::string remarks;
    if (row.most() > limit)
        remarks += "   over 1 µs";
    if (smaller && row.most() > caches * smaller->most())
        remarks += "   more than linear";
    fmt::print("{:<28} {:>5} {:>9} {:>9.1f} {:>9.1f} {:>9.1f}{}\n", text, microbatches, row.tasks, row.generate,
               row.validate, row.simulate, remarks);
}

void measure(const std::string& text)
{
    const RecipeInfo& info = recipe(parseRecipe(text).id);
    std::optional<Row> smaller;
    for (const int microbatches : {256, 4096}) {
        try {
            const Row row = measure(info, text, microbatches);
            print(text, microbatches, row, smaller);
            smaller = row;
        } catch (const Error& error) {
            fmt::print("{:<28} {:>5} {}\n", text, microbatches, error.what());
        }
    }
}

} // namespace

void benchCatalogue()
{
    fmt::print("catalogue: ns a task, p={}, chunks as each family has them, unit costs; simulate is cold\n", devices);
    fmt::print("{:<28} {:>5} {:>9} {:>9} {:>9} {:>9}\n", "family", "m", "tasks", "generate", "validate", "simulate");
    for (const RecipeInfo& info : recipes())
        measure(std::string(info.id));
    for (const char* variant : {"2bp:variant=gaps", "gis:group=1,recompute=all", "pipeoffload:offload=full"})
        measure(variant);
}

} // namespace bubblescope::bench
