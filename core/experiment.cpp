#include "core/experiment.h"

#include "core/base/error.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bubblescope {
namespace {

/// Letters that a cost may name, beside FB.
bool costLetter(const std::string& letter)
{
    return letter.size() == 1 && workFromLetter(letter.front()).has_value();
}

Nanoseconds toNanoseconds(double units, const std::string& what)
{
    if (!std::isfinite(units) || units < 0 || units > 1e9)
        throw Error("{}={} is not a cost; a number from 0 to 1000000000 (units of 1 ms) is.", what, units);
    return std::llround(units * static_cast<double>(unit));
}

/// "F=1,B=2" → values by letter.
std::map<std::string, double> parseCost(const std::string& text)
{
    std::map<std::string, double> costs;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string entry = text.substr(begin, end - begin);
        const std::size_t equals = entry.find('=');
        const std::string letter = entry.substr(0, equals);
        if (equals == std::string::npos || (letter != "FB" && !costLetter(letter)))
            throw Error("--cost {}: '{}' is not of the form F=1; the letters are F, B, I, W, R, U and FB for an "
                        "overlapped pair.",
                        text, entry);
        char* stop = nullptr;
        const std::string number = entry.substr(equals + 1);
        const double value = std::strtod(number.c_str(), &stop);
        if (number.empty() || *stop != '\0' || !std::isfinite(value) || value < 0 || value > 1e9)
            throw Error("--cost {}: {} is not a cost; {} takes a number from 0 up, in units of 1 ms.", text, entry,
                        letter);
        costs[letter] = value;
        begin = end + 1;
    }
    return costs;
}

/// Fills in what follows from the other letters (cli.md): B = I+W; W = B/2 rounded down, I = B−W.
void complete(std::map<std::string, double>& costs, bool splitsBackward, std::vector<std::string>& warnings)
{
    const auto has = [&](const char* letter) { return costs.count(letter) > 0; };
    if (!has("F"))
        costs["F"] = 1;
    if (!has("x"))
        costs["x"] = costs["F"];
    if (!has("B") && !has("I") && !has("W")) {
        costs["I"] = costs["W"] = 1;
        costs["B"] = 2;
        return;
    }
    if (!has("B") && has("I") && has("W"))
        costs["B"] = costs["I"] + costs["W"];
    if (has("I") && has("W"))
        return;
    if (!has("B"))
        costs["B"] = 2 * (has("I") ? costs["I"] : costs["W"]);
    const double whole = std::round(costs["B"] * 1e6);
    const double weight = has("W")   ? std::round(costs["W"] * 1e6)
                          : has("I") ? whole - std::round(costs["I"] * 1e6)
                                     : std::floor(whole / 2);
    costs["W"] = std::max(0.0, weight) / 1e6;
    costs["I"] = std::max(0.0, whole - weight) / 1e6;
    if (splitsBackward)
        warnings.push_back(fmt::format("The costs don't give I and W; B={} was split into I={} and W={}.", costs["B"],
                                       costs["I"], costs["W"]));
}

/// Cost of the model's parts relative to a mean stage's share of all of it.
struct LayerShares {
    std::vector<double> stages; ///< empty without a model
    double embedding = 0;
    double head = 0;
};

/// Embedding and head count on the first and the last stage, or on nobody's where they lie in `shards`.
LayerShares layerShares(const ModelSpec& model, const std::vector<int>& partition, const VocabularyLayout& shards)
{
    LayerShares shares{{}, model.embeddingCost, model.headCost};
    int layer = 0;
    for (std::size_t stage = 0; stage < partition.size(); ++stage) {
        double cost = stage == 0 && shards.shards == 0 ? model.embeddingCost : 0;
        cost += stage + 1 == partition.size() && shards.shards == 0 ? model.headCost : 0;
        for (int i = 0; i < partition[stage]; ++i, ++layer)
            cost += model.layerCosts.empty() ? 1 : model.layerCosts[static_cast<std::size_t>(layer)];
        shares.stages.push_back(cost);
    }
    const double onStages = std::accumulate(shares.stages.begin(), shares.stages.end(), 0.0);
    const double all = onStages + (shards.shards > 0 ? model.embeddingCost + model.headCost : 0);
    const double mean = all / static_cast<double>(std::max<std::size_t>(1, shares.stages.size()));
    for (double& share : shares.stages)
        share = mean > 0 ? share / mean : 1;
    shares.embedding = mean > 0 ? shares.embedding / mean : 0;
    shares.head = mean > 0 ? shares.head / mean : 0;
    return shares;
}

std::vector<int> resolvePartition(const Experiment& experiment, int stages)
{
    const ModelSpec& model = experiment.model;
    if (experiment.partition.empty())
        return model.layers > 0 ? evenPartition(model.layers, stages) : std::vector<int>{};
    const std::vector<int>& partition = experiment.partition;
    if (static_cast<int>(partition.size()) != stages)
        throw Error("the partition {} lists {} stages, but there are {} virtual stages.", fmt::join(partition, ","),
                    partition.size(), stages);
    for (const int layers : partition)
        if (layers < 0)
            throw Error("the partition {} has a stage of {} layers; 0 or more are possible.", fmt::join(partition, ","),
                        layers);
    const int placed = std::accumulate(partition.begin(), partition.end(), 0);
    if (model.layers > 0 && placed != model.layers) {
        std::vector<int> missing;
        for (int layer = placed; layer < std::min(model.layers, placed + 8); ++layer)
            missing.push_back(layer);
        const std::string which = placed < model.layers
                                      ? fmt::format("layers {}{} are on no stage", fmt::join(missing, ", "),
                                                    model.layers > placed + 8 ? ", …" : "")
                                      : fmt::format("{} layers don't exist", placed - model.layers);
        throw Error("the partition {} places {} layers, but the model has {}: {}. {} would cover it.",
                    fmt::join(partition, ","), placed, model.layers, which,
                    fmt::join(evenPartition(model.layers, stages), ","));
    }
    return partition;
}

void setCommunication(const Experiment& experiment, int devices, Costs& costs)
{
    if (experiment.commModel == "latency")
        costs.model = CommModel::Latency;
    else if (experiment.commModel == "link")
        costs.model = CommModel::Link;
    else if (experiment.commModel == "blocking")
        costs.model = CommModel::Blocking;
    else
        throw Error("--comm-model {} is unknown; latency, link and blocking are the models.", experiment.commModel);
    if (experiment.bandwidth < 0 || !std::isfinite(experiment.bandwidth))
        throw Error("a link bandwidth of {} bytes per second is impossible; 0 means that sizes don't matter.",
                    experiment.bandwidth);
    costs.everyHop = {toNanoseconds(experiment.comm, "--comm"), experiment.bandwidth};
    for (const auto& [pair, latency] : experiment.commPairs) {
        int from = -1;
        int to = -1;
        char rest = 0;
        if (std::sscanf(pair.c_str(), "%d-%d%c", &from, &to, &rest) != 2 || from < 0 || to < 0 || from >= devices ||
            to >= devices || from == to)
            throw Error("the pair '{}' is not two different devices of 0 to {}, such as 0-1.", pair, devices - 1);
        costs.setHop(Device(from), Device(to), {toNanoseconds(latency, pair), experiment.bandwidth}, devices);
    }
}

/// Throws Error when per-stage lists don't have one entry for each virtual stage.
void checkStageLists(const Experiment& experiment, int stages)
{
    if (!experiment.stageCosts.empty() && static_cast<int>(experiment.stageCosts.size()) != stages)
        throw Error("the costs are given for {} stages, but there are {} virtual stages.", experiment.stageCosts.size(),
                    stages);
    if (!experiment.stageSpeed.empty() && static_cast<int>(experiment.stageSpeed.size()) != stages)
        throw Error("speeds are given for {} stages, but there are {} virtual stages.", experiment.stageSpeed.size(),
                    stages);
    for (const double speed : experiment.stageSpeed)
        if (!(speed > 0) || !std::isfinite(speed))
            throw Error("a stage can't have the speed {}; any number above 0 can be.", speed);
}

/// Costs of one stage by letter, as long as its layers and its speed make them.
std::map<std::string, double> lettersOf(const Experiment& experiment, std::size_t stage,
                                        const std::map<std::string, double>& common, double share)
{
    const bool listed = stage < experiment.stageCosts.size(); // components stand behind the stages
    std::map<std::string, double> own = listed ? experiment.stageCosts[stage] : common;
    for (const auto& [letter, value] : own)
        if (letter != "FB" && !costLetter(letter))
            throw Error("the costs of stage {} name '{}'; the letters are F, B, I, W, R, U and FB.", stage, letter);
    std::vector<std::string> ignored; // said once, for the common costs
    complete(own, false, ignored);
    if (experiment.recompute) { // no task of its own here: whoever needs the activations computes them first
        const double again = own.count("R") > 0 ? own["R"] : own["F"];
        own["B"] += again;
        own["I"] += again;
    }
    const double scale = listed ? 1 : share;
    const double speed = stage < experiment.stageSpeed.size() ? experiment.stageSpeed[stage] : 1;
    for (auto& [letter, value] : own)
        if (letter != "FB" && onGrid(*workFromLetter(letter.front())))
            value *= scale / speed;
    return own;
}

/// Throws Error when an overlapped pair is shorter than its longer part or longer than both.
void checkPair(const Costs& costs)
{
    const Nanoseconds forward = costs.duration(Work::Forward, Stage{});
    const Nanoseconds backward = costs.duration(Work::Backward, Stage{});
    if (costs.pair >= 0 && (costs.pair < std::max(forward, backward) || costs.pair > forward + backward))
        throw Error("--cost FB={}: an overlapped pair lasts at least as long as the longer part and at most as "
                    "long as both, {} to {}.",
                    double(costs.pair) / unit, double(std::max(forward, backward)) / unit,
                    double(forward + backward) / unit);
}

/// What the passes of a shard cost: its part of the embedding and the head, where they aren't given by letter. S does
/// the forward, with one barrier also the input gradient; T does the rest.
void setShardDurations(const std::map<std::string, double>& common, const LayerShares& shares,
                       const VocabularyLayout& shards, Costs& costs)
{
    const auto set = [&](const char* letter, double value) {
        if (common.count(letter) == 0)
            costs.set(*workFromLetter(*letter), toNanoseconds(value / shards.shards, letter));
    };
    const double input = common.at("I");
    const double weight = common.at("W");
    set("e", shares.embedding * common.at("F"));
    set("d", shares.embedding * common.at("B"));
    set("v", shares.head * (common.at("F") + (shards.oneBarrier ? input : 0)));
    set("t", shares.head * (weight + (shards.oneBarrier ? 0 : input)));
}

/// Turns costs of a device's share into those of one of `stages` virtual stages.
void shareOutDevice(std::map<std::string, double>& costs, const Experiment& experiment, int stages)
{
    if (experiment.costOf == CostOf::EachStage || stages == 0)
        return;
    for (const char* letter : {"F", "B", "I", "W", "R", "U", "FB"})
        if (const auto found = costs.find(letter); found != costs.end())
            found->second *= static_cast<double>(experiment.stages) / stages;
}

void setDurations(const Experiment& experiment, const Shape& shape, bool splitsBackward,
                  std::vector<std::string>& warnings, const VocabularyLayout& shards, Costs& costs)
{
    std::map<std::string, double> common =
        experiment.cost.empty() ? std::map<std::string, double>{} : parseCost(experiment.cost);
    std::map<std::string, double> told = experiment.stageCosts.empty() ? common : experiment.stageCosts.front();
    complete(told, splitsBackward, warnings);
    complete(common, false, warnings);
    shareOutDevice(common, experiment, shape.stages);
    const LayerShares shares = layerShares(experiment.model, resolvePartition(experiment, shape.stages), shards);
    for (int stage = 0; stage < costs.stages(); ++stage) {
        const auto at = static_cast<std::size_t>(stage);
        for (const auto& [letter, value] :
             lettersOf(experiment, at, common, at < shares.stages.size() ? shares.stages[at] : 1)) {
            if (letter == "FB")
                costs.pair = toNanoseconds(value, letter);
            else
                costs.set(*workFromLetter(letter.front()), Stage(stage), toNanoseconds(value, letter));
        }
    }
    if (shards.shards > 0 && !shares.stages.empty() && experiment.stageCosts.empty())
        setShardDurations(common, shares, shards, costs);
    checkPair(costs);
}

Costs makeCosts(const Experiment& experiment, const Shape& shape, bool splitsBackward,
                std::vector<std::string>& warnings, const VocabularyLayout& shards = {})
{
    Costs costs(shape.allStages());
    checkStageLists(experiment, shape.stages);
    setDurations(experiment, shape, splitsBackward, warnings, shards, costs);
    setCommunication(experiment, shape.devices, costs);
    if (experiment.model.layers > 0) {
        const std::int64_t boundary =
            std::int64_t{4} * experiment.model.hidden * experiment.model.sequence * experiment.model.batch;
        costs.activationBytes.assign(static_cast<std::size_t>(shape.allStages()), boundary);
    }
    return costs;
}

/// Throws Error for slices that the model's sequences can't be cut into.
void checkSlices(const ModelSpec& model, const Slicing& slicing)
{
    for (const SliceCut& cut : slicing.cuts) {
        const std::vector<int> bounds = sliceBounds(slicing, cut, model.sequence);
        const int longest =
            cut.sequences.empty() ? bounds.back() : *std::max_element(cut.sequences.begin(), cut.sequences.end());
        if (longest > model.sequence)
            throw Error("a sequence of {} tokens doesn't fit the model, whose sequences have up to {}; a model with a "
                        "sequence of {} would do.",
                        longest, model.sequence, longest);
        for (std::size_t i = 1; i < bounds.size(); ++i)
            if (bounds[i] == bounds[i - 1])
                throw Error("slice {} of {} would get no token of the model's sequences of {}; longer sequences or "
                            "fewer slices would do.",
                            i - 1, cut.lengths.size(), model.sequence);
    }
}

} // namespace

CostOf costOfFromName(const std::string& name)
{
    for (const CostOf of : {CostOf::EachStage, CostOf::DeviceShare})
        if (name == costOfName(of))
            return of;
    throw Error("costs of a {} are unknown; stage and device are possible.", name.empty() ? "?" : name);
}

std::vector<int> evenPartition(int layers, int stages)
{
    std::vector<int> partition(static_cast<std::size_t>(stages), layers / stages);
    for (int i = 0; i < layers % stages; ++i)
        ++partition[static_cast<std::size_t>(i)];
    return partition;
}

Costs costsOf(const Experiment& experiment, const Schedule& schedule, bool splitsBackward)
{
    std::vector<std::string> warnings;
    Costs costs = makeCosts(experiment, schedule.shape, splitsBackward, warnings, vocabularyOf(schedule));
    costs.shareOut(schedule, experiment.model.layers > 0 ? experiment.model.sequence : 0);
    return costs;
}

Plan plan(const Experiment& experiment, const RecipeSpec& spec)
{
    Plan plan;
    plan.spec = spec;
    plan.info = &recipe(spec.id);
    checkParameters(*plan.info, spec.parameters);
    if (experiment.memoryLimit < 0 || !std::isfinite(experiment.memoryLimit))
        throw Error("a memory limit of {} activations is impossible; 0 means that there is none.",
                    experiment.memoryLimit);
    plan.request = {experiment.stages, experiment.chunks > 0 ? experiment.chunks : plan.info->defaultChunks,
                    experiment.microbatches, spec.parameters};
    plan.request.steps = experiment.steps;
    // Costs before the schedule: families that search for an order read them. A shape that can't be
    // built is left for buildSchedule to refuse, with all its reasons.
    plan.deltas = parseMemory(experiment.memory, plan.info->splitsBackward);
    constexpr int most = 65535;
    const std::int64_t stages = std::int64_t{std::max(1, plan.request.chunks)} * experiment.stages;
    if (experiment.stages >= 1 && stages <= most)
        plan.costs = makeCosts(experiment, shapeOf(*plan.info, plan.request), plan.info->splitsBackward, plan.warnings);
    plan.request.steps = plan.info->writesSteps ? experiment.steps : 1;
    plan.request.costs = &plan.costs;
    plan.request.deltas = &plan.deltas;
    plan.schedule = buildSchedule(*plan.info, plan.request, experiment.steps);
    if (experiment.model.layers > 0)
        checkSlices(experiment.model, plan.schedule.slicing);
    if (vocabularyOf(plan.schedule).shards > 0) // the order depends on the costs' proportions alone, which stay
        plan.costs = costsOf(experiment, plan.schedule, plan.info->splitsBackward);
    else
        plan.costs.shareOut(plan.schedule, experiment.model.layers > 0 ? experiment.model.sequence : 0);
    plan.request.costs = nullptr; // they would dangle in copies of the plan
    plan.request.deltas = nullptr;
    plan.partition = resolvePartition(experiment, plan.schedule.shape.stages);
    if (plan.info->warnings != nullptr)
        for (std::string& sentence : plan.info->warnings(plan.request))
            plan.warnings.push_back(std::move(sentence));
    if (plan.info->theory != nullptr)
        plan.theory = plan.info->theory(plan.request, plan.costs);
    return plan;
}

} // namespace bubblescope
