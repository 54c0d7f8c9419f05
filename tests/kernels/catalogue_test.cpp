// Every synchronous schedule of the registry, executed: it has to train as one device does and hold the
// bytes that were predicted.

#include "core/base/error.h"
#include "core/execute/refusals.h"
#include "core/experiment.h"
#include "core/schedule/versions.h"
#include "core/simulate/frozen_memory.h"
#include "tests/kernels/fixture.h"
#include "tests/support/execution.h"
#include "tests/support/order_bounds.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <ranges>

using namespace bubblescope;
using namespace bubblescope::test;

namespace {

/// What the cpu backend refuses, by a part of the recipe, and why. A row that isn't true any more fails.
const std::map<std::string, std::string> refused{};

struct Sample {
    Schedule schedule;
    int steps = 1;
    bool uneven = false;
    bool recompute = false;
    std::string name;
};

bool has(const Schedule& schedule, Work work)
{
    return std::any_of(schedule.tasks.begin(), schedule.tasks.end(),
                       [work](const Task& task) { return task.work == work; });
}

/// One version of the weights, from one update to the next: gradients of a step are then those of one device.
bool synchronous(const Schedule& schedule)
{
    return !asynchronous(schedule) && schedule.semantics.staleState == Semantics::StaleState::None;
}

/// The family as it is, and with every other choice of each of its parameters.
std::vector<std::string> variantsOf(const RecipeInfo& info)
{
    std::vector<std::string> variants{std::string(info.id)};
    for (const RecipeParameter& parameter : info.parameters)
        for (const std::string& choice : parameter.choices)
            if (choice != parameter.defaultValue && parameter.name != "rules") // that one allows what can't run
                variants.push_back(fmt::format("{}:{}={}{}", info.id, parameter.name, choice,
                                               parameter.name == "sizes" ? ",units=6" : "")); // of few tokens
    return variants;
}

/// Some shapes of a variant, each with another combination of partition and recomputation.
std::vector<Sample> samplesOf(const RecipeInfo& info, const std::string& recipe)
{
    struct Size {
        int devices;
        int moreChunks;
        int microbatches;
    };

    std::vector<Sample> samples;
    unsigned combination = 0;
    for (const Size& size : {Size{2, 0, 4}, Size{4, 0, 8}, Size{3, 0, 6}, Size{4, 1, 8}, Size{2, 1, 8}, Size{4, 0, 4},
                             Size{2, 0, 7}, Size{4, 0, 12}, Size{6, 0, 24}}) {
        if (info.defaultChunks + size.moreChunks > info.maximumChunks)
            continue;
        try {
            Sample sample;
            sample.schedule = scheduleOf(recipe, size.devices, size.microbatches, info.defaultChunks + size.moreChunks);
            sample.steps = info.writesSteps ? 1 : 3; // the others are repeated
            sample.uneven = (combination & 1U) != 0;
            sample.recompute = (combination & 2U) != 0;
            sample.name =
                fmt::format("{} p={} v={} m={}{}{}", recipe, size.devices, info.defaultChunks + size.moreChunks,
                            size.microbatches, sample.uneven ? " uneven" : "", sample.recompute ? " recompute" : "");
            samples.push_back(std::move(sample));
            ++combination;
        } catch (const Error&) { // a shape that the family doesn't build
        }
    }
    return samples;
}

std::vector<int> partitionOf(int stages, bool uneven)
{
    std::vector<int> partition(static_cast<std::size_t>(stages), 1);
    if (uneven && stages > 1) {
        partition[0] = 0; // only the embedding
        partition[1] = 2;
        partition.back() = stages > 2 ? 2 : partition.back();
    }
    return partition;
}

/// The model of a sample, as small as the kernels allow.
ModelSpec modelOf(const Schedule& schedule, const std::vector<int>& partition)
{
    ModelSpec model;
    model.hidden = 16;
    model.heads = 2;
    model.sequence = std::max(8, schedule.shape.slices); // a token each at least
    if (schedule.slicing.tokens)                         // sequences of their own lengths
        for (const SliceCut& cut : schedule.slicing.cuts)
            model.sequence = std::max(model.sequence, std::accumulate(cut.lengths.begin(), cut.lengths.end(), 0));
    model.batch = 1;
    model.vocabulary = 24;
    model.layers = 0;
    for (const int blocks : partition)
        model.layers += blocks;
    return model;
}

cpu::TransformerConfig configOf(const ModelSpec& model, bool recompute)
{
    cpu::TransformerConfig config;
    config.blocks = model.layers;
    config.hidden = model.hidden;
    config.heads = model.heads;
    config.sequence = model.sequence;
    config.batch = model.batch;
    config.vocabulary = model.vocabulary;
    config.recompute = recompute;
    return config;
}

/// Live bytes of a class after the tasks of a device's compute lane, step by step; a value that stays is listed once.
std::vector<std::int64_t> predictedBytes(const Sample& sample, const std::vector<MemoryBytes>& after, Device device,
                                         MemoryClass memoryClass)
{
    std::vector<std::int64_t> values{0};
    const Lane& lane = sample.schedule.lanes[sample.schedule.computeLane(device)];
    for (int step = 0; step < sample.steps; ++step)
        for (TaskId id = lane.begin; id < lane.end; ++id)
            if (const std::int64_t live = after[id][static_cast<std::size_t>(memoryClass)]; live != values.back())
                values.push_back(live);
    return values;
}

std::vector<std::int64_t> measuredBytes(const Trace& trace, Device device, MemoryClass memoryClass)
{
    std::vector<std::int64_t> values{0};
    for (const Counter& counter : trace.counters)
        if (counter.device == device && counter.name == std::string("memory.") + memoryClassName(memoryClass))
            for (const auto& [time, live] : counter.samples)
                values.push_back(live);
    return values;
}

/// What may be beside the shards of a device: of weights two bursts (there are two buffers), of gradients at most
/// all that the step reduces, since nothing holds compute back until the barrier.
std::int64_t besideShards(const Schedule& schedule, const MemoryRules& rules, Device device, MemoryClass kind)
{
    std::int64_t largest = 0;
    std::int64_t reduced = 0;
    for (TaskId id{}; id < schedule.tasks.size(); ++id) {
        const Task& task = schedule.tasks[id];
        if (schedule.deviceOf(id) != device)
            continue;
        const std::int64_t stage = rules.constant[task.stage][static_cast<std::size_t>(kind)];
        largest = std::max(largest, task.work == Work::Gather ? stage : 0);
        reduced += task.work == Work::ReduceScatter ? stage : 0;
    }
    return kind == MemoryClass::Weight ? 2 * largest : reduced;
}

/// Most tensors of the boundary's size that the groups of a shared vocabulary may have on a device at one time, if all of
/// a step's were there: of each microbatch 2 rows of the embedding, 2 outputs of the last stage, its scores (3 with one
/// barrier), 1 of merged ones, 3 of its gradient and 2 of the first stage's.
std::int64_t betweenShards(const Schedule& schedule)
{
    return has(schedule, Work::VocabularyS) ? std::int64_t{13} * schedule.shape.microbatchesPerStep() : 0;
}

/// Offload and reload run on clocks of their own: the peak lies between what would be there if everything that may be
/// away were, and what would be there without them.
void checkOffloaded(const Sample& sample, const std::vector<MemoryBytes>& after, const MemoryRules& rules,
                    Device device, MemoryClass kind, std::int64_t peak)
{
    static const auto bytesOf = [](const MemoryRules& table, const Task& forward, MemoryClass memoryClass) {
        std::int64_t bytes = 0;
        for (const MemoryRules::Effect& effect : table.of(forward))
            if (effect.memoryClass == memoryClass)
                bytes += effect.atStart + effect.atEnd;
        return bytes;
    };
    const auto away = maybeAway(sample.schedule);
    std::int64_t least = 0;
    std::int64_t most = 0;
    const Lane& lane = sample.schedule.lanes[sample.schedule.computeLane(device)];
    for (TaskId id = lane.begin; id < lane.end; ++id) {
        std::int64_t live = after[id][static_cast<std::size_t>(kind)];
        most = std::max(most, live);
        for (const TaskId forward : away[id])
            live -= bytesOf(rules, sample.schedule.tasks[forward], kind);
        least = std::max(least, live);
    }
    CHECK(peak >= least);
    CHECK(peak <= most);
}

/// Streamed stages: of weights and gradients two stage tasks, of activations two microbatches that leave and two that come.
void checkStreamed(const Schedule& schedule, const Trace& trace, const MemoryRules& rules)
{
    for (int device = 0; device < schedule.shape.devices; ++device) {
        std::int64_t weights = 0;
        std::int64_t activations = 0;
        const Lane& lane = schedule.lanes[schedule.computeLane(Device(device))];
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            const Stage stage = schedule.tasks[id].stage;
            weights = std::max(weights, rules.constant[stage][static_cast<std::size_t>(MemoryClass::Weight)]);
            for (const MemoryRules::Effect& effect : rules.of(Work::Reload, stage))
                activations = std::max(activations, effect.atStart);
        }
        const auto peak = [&](MemoryClass kind) {
            const std::vector<std::int64_t> live = measuredBytes(trace, Device(device), kind);
            return *std::max_element(live.begin(), live.end());
        };
        CAPTURE(device, weights, activations);
        CHECK(peak(MemoryClass::Weight) >= weights);
        CHECK(peak(MemoryClass::Weight) <= 2 * weights);
        CHECK(peak(MemoryClass::WeightGradient) <= 2 * weights);
        CHECK(peak(MemoryClass::Optimizer) == 0); // that is the host's
        CHECK(peak(MemoryClass::Activation) + peak(MemoryClass::Boundary) <= 4 * activations);
    }
}

/// At the ends of compute tasks the arena holds what the order says, to the byte. What other lanes move is bounded,
/// as are messages: at most those that the order allows.
void checkBytes(const Sample& sample, const RunResult& result, const std::vector<int>& partition)
{
    const ModelSpec model = modelOf(sample.schedule, partition);
    const MemoryRules rules =
        withFrozenLayers(transformerMemory(model, partition, sample.recompute, 2, sample.schedule), model,
                         sample.schedule.shape.components, sample.recompute);
    if (has(sample.schedule, Work::LoadWeights))
        return checkStreamed(sample.schedule, result.trace, rules);
    const std::vector<MemoryBytes> after = bytesAfterTasks(sample.schedule, rules);
    const std::vector<int> inFlight = mostInFlight(sample.schedule);
    const std::int64_t boundary = std::int64_t{4} * model.sequence * model.batch * model.hidden;
    for (const int device : std::views::iota(0, sample.schedule.shape.devices)) {
        for (const MemoryClass kind : {MemoryClass::Activation, MemoryClass::Boundary, MemoryClass::Weight,
                                       MemoryClass::WeightGradient, MemoryClass::Optimizer}) {
            CAPTURE(device, memoryClassName(kind));
            const auto predicted = predictedBytes(sample, after, Device(device), kind);
            const auto measured = measuredBytes(result.trace, Device(device), kind);
            const std::int64_t most = *std::max_element(predicted.begin(), predicted.end());
            const std::int64_t peak = *std::max_element(measured.begin(), measured.end());
            const bool activations = kind == MemoryClass::Activation || kind == MemoryClass::Boundary;
            if (activations && has(sample.schedule, Work::Offload))
                checkOffloaded(sample, after, rules, Device(device), kind, peak);
            else if (!activations && has(sample.schedule, Work::ReduceScatter) && kind != MemoryClass::Optimizer)
                CHECK((peak > most && peak <= most + besideShards(sample.schedule, rules, Device(device), kind)));
            else
                CHECK(measured == predicted);
        }
        const auto messages = measuredBytes(result.trace, Device(device), MemoryClass::Message);
        CHECK(*std::max_element(messages.begin(), messages.end()) <=
              (inFlight[static_cast<std::size_t>(device)] + betweenShards(sample.schedule)) * boundary);
    }
}

/// True when a step trains on the microbatches that one pipe without paths or frozen layers would take.
bool sameDataAsOnePipe(const Schedule& schedule)
{
    const std::vector<int>& of = schedule.shape.microbatches;
    return std::adjacent_find(of.begin(), of.end(), std::not_equal_to<>()) == of.end() && schedule.paths.empty() &&
           schedule.shape.components == 0;
}

/// The whole model on one device. Updates depend on gradients, so later losses show whether these were right.
std::vector<double> lossesAlone(const Backend& backend, const Schedule& of, int steps)
{
    Backend alone = backend;
    alone.partition = {std::accumulate(backend.partition.begin(), backend.partition.end(), 0)};
    Schedule schedule = scheduleOf("gpipe", 1, of.shape.microbatchesPerStep());
    schedule.slicing = uncut(of.slicing); // the same packing
    return run(schedule, unitCosts(schedule), alone, {.steps = steps, .warmup = 0}).losses;
}

void checkSample(const Sample& sample)
{
    const std::vector<int> partition = partitionOf(sample.schedule.shape.stages, sample.uneven);
    const cpu::TransformerMaker maker = cpu::makerOf(configOf(modelOf(sample.schedule, partition), sample.recompute));
    Backend backend;
    backend.kind = Backend::Kind::Cpu;
    backend.maker = &maker;
    backend.partition = partition;
    backend.recompute = sample.recompute;
    const Costs costs = unitCosts(sample.schedule);
    const auto row = std::find_if(refused.begin(), refused.end(),
                                  [&](const auto& of) { return sample.name.find(of.first) != std::string::npos; });
    if (row != refused.end()) {
        INFO("listed as refused: " << row->second);
        CHECK_FALSE(refusals(sample.schedule, costs, backend, {}).empty());
        return;
    }
    const RunResult result = run(sample.schedule, costs, backend, {.steps = sample.steps, .verify = true});
    INFO(result.sentence << " " << result.verify.sentence);
    REQUIRE(result.state == RunResult::State::Complete); // it isn't when replicas end with different bits
    CHECK(result.verify.passed);
    CHECK(result.verify.maxRelativeGradientError <= VerifyResult::gradientTolerance);
    CHECK(result.verify.loss == Approx(result.verify.referenceLoss).epsilon(VerifyResult::lossTolerance));
    CHECK(result.losses.at(0) == Approx(result.verify.loss).epsilon(VerifyResult::lossTolerance));
    CHECK(result.leakedBytes == 0);
    checkBytes(sample, result, partition);
    if (sameDataAsOnePipe(sample.schedule)) {
        const std::vector<double> alone = lossesAlone(backend, sample.schedule, sample.steps);
        REQUIRE(result.losses.size() == alone.size());
        for (std::size_t step = 0; step < alone.size(); ++step)
            CHECK(result.losses[step] == Approx(alone[step]).epsilon(step == 0 ? VerifyResult::lossTolerance : 1e-5));
    }
}

} // namespace

TEST_CASE("every synchronous family trains as one device does and holds the predicted bytes", "[execute]")
{
    for (const RecipeInfo& info : recipes()) {
        for (const std::string& recipe : variantsOf(info)) {
            const std::vector<Sample> samples = samplesOf(info, recipe);
            CAPTURE(recipe);
            REQUIRE_FALSE(samples.empty());
            for (const Sample& sample : samples) {
                CAPTURE(sample.name);
                if (synchronous(sample.schedule))
                    checkSample(sample);
            }
        }
    }
}
