#include "app/cli/experiment_options.h"

#include "core/base/error.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

namespace bubblescope::cli {
namespace {

/// "7,8,8,7" → numbers; `option` and the bad entry are named in the sentence.
template <class Number>
std::vector<Number> parseList(const std::string& text, const char* option, const char* kind)
{
    std::vector<Number> numbers;
    std::istringstream in(text);
    std::string entry;
    while (std::getline(in, entry, ',')) {
        Number number{};
        const auto [end, status] = std::from_chars(entry.data(), entry.data() + entry.size(), number);
        if (status != std::errc{} || end != entry.data() + entry.size())
            throw Error("{} {}: '{}' is not {}.", option, text, entry, kind);
        numbers.push_back(number);
    }
    if (numbers.empty())
        throw Error("{} takes a list such as 7,8,8,7.", option);
    return numbers;
}

/// [{"F":1,"B":2}, …] or {"F":[1,1.25], "B":[2,2.5]}.
std::vector<std::map<std::string, double>> readCostFile(const std::string& path)
{
    using nlohmann::json;
    json file;
    try {
        file = json::parse(readFile(path));
    } catch (const json::parse_error& error) {
        throw Error("{} is not JSON: {}.", path, error.what());
    }
    std::vector<std::map<std::string, double>> stages;
    try {
        if (file.is_array())
            return file.get<std::vector<std::map<std::string, double>>>();
        for (const auto& [letter, values] : file.items()) {
            const auto row = values.get<std::vector<double>>();
            if (!stages.empty() && row.size() != stages.size())
                throw Error("{}: {} has {} values, but the costs before it have {}.", path, letter, row.size(),
                            stages.size());
            stages.resize(row.size());
            for (std::size_t i = 0; i < row.size(); ++i)
                stages[i][letter] = row[i];
        }
    } catch (const json::exception&) {
        throw Error(R"({} holds no costs; [{{"F":1,"B":2}}, …] or {{"F":[1,1.25],"B":[2,2.5]}} are the two forms.)",
                    path);
    }
    return stages;
}

template <class T>
void apply(const std::optional<T>& given, T& field)
{
    if (given)
        field = *given;
}

} // namespace

std::string readFile(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw Error("{} can't be read: {}.", path, std::strerror(errno)); // NOLINT(concurrency-mt-unsafe)
    std::ostringstream text;
    text << in.rdbuf();
    if (in.bad() || !in)
        throw Error("{} can't be read; it may be a folder.", path);
    return text.str();
}

void ExperimentOptions::addTo(CLI::App& command)
{
    command.add_option("experiment", m_file, "experiment file (JSON); options override its fields");
    command.add_option("--schedule", m_schedules, "ID or ID:param=value,…; repeatable")->take_all();
    command.add_option("--stages", m_stages, "devices of the pipeline");
    command.add_option("--chunks", m_chunks, "chunks of the model on each device");
    command.add_option("--microbatches", m_microbatches, "microbatches of one step, all pipes together");
    command.add_option("--steps", m_steps, "training steps in one run");
    command.add_option("--layers", m_layers, "blocks of the model");
    command.add_option("--layer-cost", m_layerCost, "relative cost of a block, or a list with one per block");
    command.add_option("--embedding-cost", m_embeddingCost, "cost of the embedding, in blocks, on the first stage");
    command.add_option("--head-cost", m_headCost, "cost of the head, in blocks, on the last stage");
    command.add_option("--hidden", m_hidden, "width of the executed model");
    command.add_option("--heads", m_heads, "attention heads of the executed model");
    command.add_option("--sequence", m_sequence, "tokens of a sequence");
    command.add_option("--batch", m_batch, "sequences of a microbatch");
    command.add_option("--partition", m_partition, "blocks of each virtual stage, such as 7,8,8,7");
    command.add_option("--cost", m_cost, "F=1,B=2 or F=1,I=1,W=1 per virtual stage and microbatch, in units of 1 ms");
    command.add_option("--cost-of", m_costOf,
                       "what --cost is of: each virtual stage (stage), or a device's share, which its chunks share "
                       "(device)");
    command.add_option("--cost-file", m_costFile, "JSON with costs for each virtual stage");
    command.add_option("--cost-from", m_costFrom, "FILE.bscope[:RUN]: median costs of a measured run");
    command.add_option("--stage-speed", m_stageSpeed, "speed of each virtual stage, such as 1,1,0.8,1");
    command.add_option("--comm", m_comm, "latency of a hop between devices, in units of 1 ms");
    command.add_option("--comm-model", m_commModel, "latency, link or blocking");
    command.add_option("--comm-pair", m_commPairs, "latency of one direction, such as 0-1=0.5; repeatable")->take_all();
    command.add_option("--bandwidth", m_bandwidth, "bytes per second of a link; 0: sizes don't matter");
    command.add_option("--memory", m_memory, "change in activations, such as F=1,I=-0.5,W=-0.5");
    command.add_option("--memory-limit", m_memoryLimit, "activations that a device can hold");
    command.add_flag("--recompute", m_recompute, "keep only a stage's input and compute its forward again");
    command.add_option("--seed", m_seed, "of the initial weights");
    command.add_option("--optimizer", m_optimizer, "adamw, sgd, or sgdm: SGD with momentum");
    command.add_option("--learning-rate", m_learningRate, "of the optimizer");
    command.add_option("--clip-norm", m_clipNorm,
                       "scale a step's gradients down to this norm over all stages, skip the step if it isn't finite; "
                       "0: neither");
}

void ExperimentOptions::applyModel(ModelSpec& model) const
{
    apply(m_layers, model.layers);
    if (m_layers && *m_layers < 1)
        throw Error("--layers {} is impossible; 1 or more are possible.", *m_layers);
    apply(m_embeddingCost, model.embeddingCost);
    apply(m_headCost, model.headCost);
    apply(m_hidden, model.hidden);
    apply(m_heads, model.heads);
    apply(m_sequence, model.sequence);
    apply(m_batch, model.batch);
    if (m_layerCost) {
        model.layerCosts = parseList<double>(*m_layerCost, "--layer-cost", "a number");
        if (model.layerCosts.size() == 1)
            model.layerCosts.assign(static_cast<std::size_t>(std::max(1, model.layers)), model.layerCosts.front());
    }
    for (const double cost : model.layerCosts)
        if (!(cost >= 0) || !std::isfinite(cost))
            throw Error("--layer-cost {} is impossible; a number from 0 up is possible.", cost);
    if (!(model.embeddingCost >= 0) || !(model.headCost >= 0))
        throw Error("the embedding and the head can't cost less than nothing.");
    if (!model.layerCosts.empty() && static_cast<int>(model.layerCosts.size()) != model.layers)
        throw Error("--layer-cost lists {} layers, but the model has {}.", model.layerCosts.size(), model.layers);
}

void ExperimentOptions::applyCosts(Experiment& experiment) const
{
    if (m_cost) {
        experiment.cost = *m_cost;
        experiment.stageCosts.clear();
    }
    if (m_costOf)
        experiment.costOf = costOfFromName(*m_costOf);
    if (m_costFile)
        experiment.stageCosts = readCostFile(*m_costFile);
    if (m_stageSpeed)
        experiment.stageSpeed = parseList<double>(*m_stageSpeed, "--stage-speed", "a number");
    apply(m_comm, experiment.comm);
    apply(m_commModel, experiment.commModel);
    apply(m_bandwidth, experiment.bandwidth);
    for (const std::string& pair : m_commPairs) {
        const std::size_t equals = pair.find('=');
        if (equals == std::string::npos)
            throw Error("--comm-pair {} is not of the form 0-1=0.5.", pair);
        experiment.commPairs[pair.substr(0, equals)] =
            parseList<double>(pair.substr(equals + 1), "--comm-pair", "a number").front();
    }
    apply(m_memory, experiment.memory);
    apply(m_memoryLimit, experiment.memoryLimit);
}

Experiment ExperimentOptions::experiment() const
{
    Experiment experiment;
    if (!m_file.empty()) {
        try {
            experiment = experimentFromJson(nlohmann::json::parse(readFile(m_file)));
        } catch (const nlohmann::json::parse_error& error) {
            throw Error("{} is not JSON: {}.", m_file, error.what());
        } catch (const Error& error) {
            throw Error("{}: {}", m_file, error.what());
        }
    }
    if (!m_schedules.empty()) {
        experiment.schedules.clear();
        for (const std::string& text : m_schedules)
            experiment.schedules.push_back(parseRecipe(text));
    }
    apply(m_stages, experiment.stages);
    apply(m_chunks, experiment.chunks);
    if (m_chunks && *m_chunks < 1)
        throw Error("--chunks {} is impossible; 1 or more are possible.", *m_chunks);
    apply(m_microbatches, experiment.microbatches);
    apply(m_steps, experiment.steps);
    applyModel(experiment.model);
    if (m_partition) {
        experiment.partition = parseList<int>(*m_partition, "--partition", "a whole number");
        if (experiment.model.layers == 0)
            for (const int layers : experiment.partition)
                experiment.model.layers += layers;
    }
    applyCosts(experiment);
    experiment.recompute = experiment.recompute || m_recompute;
    apply(m_seed, experiment.seed);
    apply(m_optimizer, experiment.optimizer);
    apply(m_learningRate, experiment.learningRate);
    apply(m_clipNorm, experiment.clipNorm);
    if (!(experiment.clipNorm >= 0))
        throw Error("--clip-norm {} is impossible; a norm above 0 is possible, or 0 for no clipping.",
                    experiment.clipNorm);
    if (experiment.optimizer != "adamw" && experiment.optimizer != "sgd" && experiment.optimizer != "sgdm")
        throw Error("--optimizer {} is unknown; adamw, sgd and sgdm (SGD with momentum) are known.",
                    experiment.optimizer);
    if (experiment.schedules.empty())
        experiment.schedules.push_back(parseRecipe("1f1b"));
    return experiment;
}

std::vector<Plan> plansOf(const Experiment& experiment)
{
    std::vector<Plan> plans;
    for (const RecipeSpec& spec : experiment.schedules)
        plans.push_back(plan(experiment, spec));
    return plans;
}

} // namespace bubblescope::cli
