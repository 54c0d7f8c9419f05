// Every synchronous schedule of the registry, executed: it has to train as one device does and hold the
// bytes that were predicted.

#include "core/base/error.h"
#include "core/execute/refusals.h"
#include "core/experiment.h"
#include "core/simulate/memory.h"
#include "tests/kernels/fixture.h"
#include "tests/support/execution.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

using namespace bubblescope;
using namespace bubblescope::test;

namespace {

/// Families that the cpu backend refuses, and why. A row that isn't true any more fails.
const std::map<std::string, std::string, std::less<>> refused{
    {"vocab-1", "sharded vocabulary"},
    {"vocab-2", "sharded vocabulary"},
    {"terapipe", "slices"},
    {"seq1f1b", "slices"},
    {"chunkflow", "slices"},
    {"sppo", "slices"},
    {"roundpipe", "streamed weights"},
    {"skippipe", "paths"},
    {"diffusionpipe", "components"},
    {"gnnpipe", "stale state"},
};

struct Sample {
    const RecipeInfo* info = nullptr;
    Schedule schedule;
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
    const Semantics& semantics = schedule.semantics;
    return semantics.maxVersions == 1 && semantics.forwardReads == Semantics::ForwardReads::Latest &&
           semantics.maxDrift == 0 && semantics.staleState == Semantics::StaleState::None &&
           semantics.compensation == Semantics::Compensation::None;
}

/// The family as it is, and with every other choice of each of its parameters.
std::vector<std::string> variantsOf(const RecipeInfo& info)
{
    std::vector<std::string> variants{std::string(info.id)};
    for (const RecipeParameter& parameter : info.parameters)
        for (const std::string& choice : parameter.choices)
            if (choice != parameter.defaultValue && parameter.name != "rules") // that one allows what can't run
                variants.push_back(fmt::format("{}:{}={}", info.id, parameter.name, choice));
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
                             Size{2, 0, 7}, Size{4, 0, 12}}) {
        if (info.defaultChunks + size.moreChunks > info.maximumChunks)
            continue;
        try {
            Sample sample;
            sample.info = &info;
            sample.schedule = scheduleOf(recipe, size.devices, size.microbatches, info.defaultChunks + size.moreChunks);
            sample.uneven = (combination & 1U) != 0;
            sample.recompute = (combination & 2U) != 0 || has(sample.schedule, Work::Recompute);
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
ModelSpec modelOf(const std::vector<int>& partition)
{
    ModelSpec model;
    model.hidden = 16;
    model.heads = 2;
    model.sequence = 8;
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

/// Live bytes of a class after the tasks of a device's compute lane; a value that stays is listed once.
std::vector<std::int64_t> predictedBytes(const Schedule& schedule, const std::vector<MemoryBytes>& after, Device device,
                                         MemoryClass memoryClass)
{
    std::vector<std::int64_t> values{0};
    const Lane& lane = schedule.lanes[schedule.computeLane(device)];
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

/// At the ends of compute tasks the arena holds what the order says, to the byte. Copies run on clocks of their
/// own: with them, at most what would be there without, and at least what would be there if all were away.
void checkBytes(const Sample& sample, const RunResult& result, const std::vector<int>& partition)
{
    const MemoryRules rules =
        transformerMemory(modelOf(partition), partition, sample.recompute, 2, has(sample.schedule, Work::Recompute));
    const std::vector<MemoryBytes> after = bytesAfterTasks(sample.schedule, rules);
    const bool copies = has(sample.schedule, Work::Offload);
    const bool sharded = has(sample.schedule, Work::Gather);
    for (int device = 0; device < sample.schedule.shape.devices; ++device) {
        for (const MemoryClass kind : {MemoryClass::Activation, MemoryClass::Boundary, MemoryClass::Weight,
                                       MemoryClass::WeightGradient, MemoryClass::Optimizer}) {
            CAPTURE(device, memoryClassName(kind));
            const auto predicted = predictedBytes(sample.schedule, after, Device(device), kind);
            const auto measured = measuredBytes(result.trace, Device(device), kind);
            const std::int64_t most = *std::max_element(predicted.begin(), predicted.end());
            const std::int64_t peak = *std::max_element(measured.begin(), measured.end());
            if (copies && (kind == MemoryClass::Activation || kind == MemoryClass::Boundary))
                CHECK(peak <= most);
            else if (sharded && (kind == MemoryClass::Weight || kind == MemoryClass::WeightGradient))
                CHECK((peak >= most && peak <= 3 * most)); // the shard, and at most two bursts beside it
            else
                CHECK(measured == predicted);
        }
    }
}

void checkSample(const Sample& sample)
{
    const std::vector<int> partition = partitionOf(sample.schedule.shape.stages, sample.uneven);
    const cpu::TransformerMaker maker = cpu::makerOf(configOf(modelOf(partition), sample.recompute));
    Backend backend;
    backend.kind = Backend::Kind::Cpu;
    backend.maker = &maker;
    backend.partition = partition;
    backend.recompute = sample.recompute;
    const Costs costs = unitCosts(sample.schedule);
    if (const auto row = refused.find(sample.info->id); row != refused.end()) {
        INFO("listed as refused: " << row->second);
        CHECK_FALSE(refusals(sample.schedule, costs, backend, {}).empty());
        return;
    }
    const RunResult result = run(sample.schedule, costs, backend, {.verify = true});
    INFO(result.sentence << " " << result.verify.sentence);
    REQUIRE(result.state == RunResult::State::Complete); // it isn't when replicas end with different bits
    CHECK(result.verify.passed);
    CHECK(result.verify.maxRelativeGradientError <= VerifyResult::gradientTolerance);
    CHECK(result.verify.loss == Approx(result.verify.referenceLoss).epsilon(VerifyResult::lossTolerance));
    CHECK(result.losses.at(0) == Approx(result.verify.loss).epsilon(VerifyResult::lossTolerance));
    CHECK(result.leakedBytes == 0);
    checkBytes(sample, result, partition);
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
