#include "app/cli/training.h"

#include "app/cli/experiment_options.h"
#include "core/schedule/registry.h"
#include "embedded/handbookText.h"
#include "kernels/cpu/cost.h"
#include "kernels/cpu/gemm.h"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace bubblescope::cli {
namespace {

cpu::TransformerConfig configOf(const Experiment& experiment)
{
    const ModelSpec& model = experiment.model;
    cpu::TransformerConfig config;
    config.blocks = model.layers;
    config.hidden = model.hidden;
    config.heads = model.heads;
    config.sequence = model.sequence;
    config.batch = model.batch;
    config.seed = experiment.seed;
    config.recompute = experiment.recompute;
    config.optimizer = experiment.optimizer == "sgd"    ? cpu::Optimizer::Sgd
                       : experiment.optimizer == "sgdm" ? cpu::Optimizer::Momentum
                                                        : cpu::Optimizer::AdamW;
    config.learningRate = static_cast<float>(experiment.learningRate);
    return config;
}

cpu::GraphConfig graphConfigOf(const Experiment& experiment)
{
    const ModelSpec& model = experiment.model;
    return {.layers = model.layers,
            .hidden = model.hidden,
            .chunkVertices = model.sequence * model.batch,
            .seed = experiment.seed,
            .optimizer = experiment.optimizer == "sgd" ? cpu::Optimizer::Sgd : cpu::Optimizer::AdamW,
            .learningRate = static_cast<float>(experiment.learningRate)};
}

/// Floating point operations per second in the products of one block, one thread; best of several.
double measuredSpeed(const cpu::TransformerConfig& config)
{
    const int rows = config.tokens();
    const int inner = config.hidden;
    const int columns = config.mlp();
    std::vector<float> a(static_cast<std::size_t>(rows) * inner, 1.0F);
    std::vector<float> b(static_cast<std::size_t>(inner) * columns, 1.0F);
    std::vector<float> c(static_cast<std::size_t>(rows) * columns);
    double best = 0;
    for (int i = 0; i < 12; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        cpu::gemm(cpu::Factor<float>{a.data(), inner}, cpu::Factor<float>{b.data(), columns}, inner, cpu::Onto::Nothing,
                  cpu::Target<float>{c.data(), rows, columns, columns});
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        best = std::max(best, 2.0 * rows * inner * columns / took.count());
    }
    return best;
}

/// The handbook: its introduction and every schedule's page.
std::string handbook()
{
    std::string text(embedded::handbookText());
    for (const RecipeInfo& info : recipes())
        text += std::string("\n# ") + std::string(info.title) + "\n\n" + std::string(info.idea) + "\n\n" +
                std::string(info.page) + "\n";
    return text;
}

/// Sequences of several lengths: costs are of one of mean length.
int meanSequence(const Plan& plan)
{
    int tokens = 0;
    for (const SliceCut& cut : plan.schedule.slicing.cuts)
        tokens = std::accumulate(cut.lengths.begin(), cut.lengths.end(), tokens);
    return std::max(1, tokens / plan.request.microbatches);
}

} // namespace

void completeModel(Experiment& experiment)
{
    if (experiment.model.layers > 0)
        return;
    experiment.model.layers = 2 * std::max(1, experiment.stages);
    for (const RecipeSpec& spec : experiment.schedules) {
        const RecipeInfo& info = recipe(spec.id);
        const RecipeRequest request{.devices = experiment.stages,
                                    .chunks = experiment.chunks > 0 ? experiment.chunks : info.defaultChunks,
                                    .microbatches = experiment.microbatches,
                                    .parameters = spec.parameters};
        experiment.model.layers = std::max(experiment.model.layers, shapeOf(info, request).stages);
    }
}

std::unique_ptr<cpu::TransformerMaker> makeModel(const Experiment& experiment, const std::string& dataFile)
{
    cpu::checkBlas();
    auto text = std::make_shared<cpu::ByteText>(dataFile.empty() ? handbook() : readFile(dataFile),
                                                dataFile.empty() ? "the handbook" : dataFile);
    return std::make_unique<cpu::TransformerMaker>(configOf(experiment), std::move(text));
}

std::unique_ptr<cpu::GraphMaker> makeGraphModel(const Experiment& experiment)
{
    return std::make_unique<cpu::GraphMaker>(graphConfigOf(experiment));
}

bool wantsGraph(const Schedule& schedule)
{
    return schedule.semantics.staleState != Semantics::StaleState::None && schedule.semantics.updateEvery > 0;
}

void predictCosts(const Plan& plan, Experiment& experiment)
{
    cpu::TransformerConfig config = configOf(experiment);
    if (plan.schedule.slicing.tokens)
        config.sequence = meanSequence(plan);
    const std::vector<int>& partition = plan.partition;
    const VocabularyLayout vocabulary = vocabularyOf(plan.schedule);
    const double speed = measuredSpeed(config);
    const auto units = [speed](std::int64_t flops) { return static_cast<double>(flops) / speed * 1e3; };
    experiment.stageCosts.clear();
    int block = 0;
    for (std::size_t stage = 0; stage < partition.size(); ++stage) {
        const StageLayers layers{.firstBlock = block,
                                 .blocks = partition[stage],
                                 .embedding = stage == 0,
                                 .head = stage + 1 == partition.size(),
                                 .sharedVocabulary = vocabulary.shards > 0};
        block += partition[stage];
        const cpu::StageFlops flops = wantsGraph(plan.schedule) ? cpu::stageFlops(graphConfigOf(experiment), layers)
                                                                : cpu::stageFlops(config, layers);
        experiment.stageCosts.push_back({{"F", units(flops.forward)},
                                         {"I", units(flops.inputGradient)},
                                         {"W", units(flops.weightGradient)},
                                         {"B", units(flops.inputGradient + flops.weightGradient)},
                                         {"R", units(flops.forward)}});
        if (vocabulary.shards == 0)
            continue;
        const cpu::ShardFlops shard = cpu::shardFlops(config, vocabulary.shards, vocabulary.oneBarrier);
        experiment.stageCosts.back()["v"] = units(shard.score);
        experiment.stageCosts.back()["t"] = units(shard.gradient);
    }
}

nlohmann::json provenanceOf(const Experiment& experiment, const std::string& dataFile)
{
    const cpu::BlasDescription blas = cpu::blasDescription();
    return {{"blas", {{"config", blas.config}, {"flavour", blas.flavour}, {"core", blas.core}}},
            {"data", dataFile.empty() ? std::string("handbook") : dataFile},
            {"optimizer", experiment.optimizer}};
}

} // namespace bubblescope::cli
