#include "core/schedule/registry.h"

#include "core/base/error.h"
#include "core/schedule/catalog/catalog.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace bubblescope {
namespace {

/// Levenshtein distance, to suggest the id that was meant.
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, change});
        }
    }
    return row.back();
}

void checkParameter(const RecipeInfo& info, const RecipeParameter& parameter, const std::string& value)
{
    if (!parameter.choices.empty()) {
        if (std::find(parameter.choices.begin(), parameter.choices.end(), value) == parameter.choices.end())
            throw Error("{}: {}={} is unknown; {} takes {}.", info.id, parameter.name, value, parameter.name,
                        fmt::join(parameter.choices, ", "));
        return;
    }
    if (parameter.kind == RecipeParameter::Kind::Text)
        return;
    const bool whole = parameter.kind == RecipeParameter::Kind::Integer;
    const char* last = value.data() + value.size();
    int integer = 0;
    double number = 0;
    const auto [end, status] =
        whole ? std::from_chars(value.data(), last, integer) : std::from_chars(value.data(), last, number);
    number = whole ? integer : number;
    if (status != std::errc{} || end != last || !(number >= parameter.minimum && number <= parameter.maximum))
        throw Error("{}: {}={} is not a {} from {} to {}.", info.id, parameter.name, value,
                    whole ? "whole number" : "number", parameter.minimum, parameter.maximum);
}

void setParameter(const RecipeInfo& info, RecipeSpec& spec, std::string_view assignment)
{
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos)
        throw Error("{}: '{}' is not of the form parameter=value.", info.id, assignment);
    const std::string name(assignment.substr(0, equals));
    const std::string value(assignment.substr(equals + 1));
    for (const RecipeParameter& parameter : info.parameters) {
        if (parameter.name != name)
            continue;
        checkParameter(info, parameter, value);
        spec.parameters[name] = value;
        return;
    }
    std::vector<std::string> known;
    for (const RecipeParameter& parameter : info.parameters)
        known.push_back(parameter.name);
    throw Error("{} has no parameter {}; {}.", info.id, name,
                known.empty() ? std::string("it takes none") : fmt::format("it takes {}", fmt::join(known, ", ")));
}

/// What holds for every family, before its own rules.
std::vector<std::string> commonProblems(const RecipeInfo& info, const RecipeRequest& request)
{
    constexpr int most = 4096;
    std::vector<std::string> sentences;
    if (request.devices < 1 || request.devices > most)
        sentences.push_back(fmt::format("{} stages can't be built; 1 to {} can.", request.devices, most));
    if (request.microbatches < 1 || request.microbatches > 10'000'000)
        sentences.push_back(fmt::format("{} microbatches can't be built; 1 to 10000000 can.", request.microbatches));
    if (request.chunks < info.minimumChunks || request.chunks > info.maximumChunks) {
        const std::string range = info.minimumChunks == info.maximumChunks
                                      ? fmt::format("exactly {}", info.minimumChunks)
                                      : fmt::format("{} to {}", info.minimumChunks, info.maximumChunks);
        sentences.push_back(
            fmt::format("{} chunks per device don't fit {}, which has {}.", request.chunks, info.id, range));
    }
    const std::int64_t stages = std::int64_t{request.devices} * request.chunks;
    if (sentences.empty() && (stages > 65535 || stages * request.microbatches > 500'000'000))
        sentences.push_back(fmt::format("{} virtual stages times {} microbatches are more tasks than fit in memory.",
                                        stages, request.microbatches));
    return sentences;
}

} // namespace

const std::vector<RecipeInfo>& recipes()
{
    static const std::vector<RecipeInfo> all = {
        catalog::gpipe,
        catalog::oneForwardOneBackward,
        catalog::eagerOneForwardOneBackward,
        catalog::interleaved,
        catalog::loopedBreadthFirst,
        catalog::breadthFirst,
        catalog::twoStageBackprop,
        catalog::zeroBubbleH1,
        catalog::zeroBubbleH2,
        catalog::zeroBubbleAuto,
        catalog::zeroBubbleV,
        catalog::vHalf,
        catalog::vMin,
        catalog::oneForwardOneBackwardV,
        catalog::vZeroBubble,
        catalog::vAuto,
        catalog::buildingBlock,
        catalog::interleavedZeroBubble,
        catalog::groupInterleaved,
        catalog::groupInterleavedHalf,
        catalog::pipeOffload,
        catalog::zeroPp,
        catalog::vocabularyTwoBarriers,
        catalog::vocabularyOneBarrier,
        catalog::terapipe,
        catalog::seq1f1b,
        catalog::chunkFlow,
        catalog::sppo,
        catalog::roundPipe,
        catalog::diffusionPipe,
        catalog::skipPipe,
        catalog::gnnPipe,
        catalog::chimera,
        catalog::bitpipe,
        catalog::dualPipe,
        catalog::dualPipeV,
        catalog::hanayo,
        catalog::pipedream,
        catalog::pipedream2bw,
        catalog::paci,
        catalog::pipelinedBackprop,
    };
    return all;
}

const RecipeInfo& recipe(std::string_view id)
{
    const RecipeInfo* nearest = &recipes().front();
    for (const RecipeInfo& info : recipes()) {
        if (info.id == id)
            return info;
        if (distance(id, info.id) < distance(id, nearest->id))
            nearest = &info;
    }
    std::vector<std::string_view> known;
    for (const RecipeInfo& info : recipes())
        known.push_back(info.id);
    const std::size_t apart = distance(id, nearest->id);
    const bool close = apart <= 3 && apart < id.size(); // otherwise nothing of what was typed is left
    throw Error("there is no schedule '{}'{}; the known ones are {}.", id,
                close ? fmt::format(" (did you mean {}?)", nearest->id) : std::string(), fmt::join(known, ", "));
}

std::string RecipeSpec::text() const
{
    if (parameters.empty())
        return id; // also of an order by hand, whose id no family has
    const RecipeInfo& info = recipe(id);
    std::vector<std::string> given;
    for (const RecipeParameter& parameter : info.parameters) {
        const auto found = parameters.find(parameter.name);
        if (found != parameters.end() && found->second != parameter.defaultValue)
            given.push_back(parameter.name + "=" + found->second);
    }
    return given.empty() ? id : fmt::format("{}:{}", id, fmt::join(given, ","));
}

RecipeSpec parseRecipe(std::string_view text)
{
    const std::size_t colon = text.find(':');
    RecipeSpec spec;
    spec.id = std::string(text.substr(0, colon));
    const RecipeInfo& info = recipe(spec.id);
    for (const RecipeParameter& parameter : info.parameters)
        spec.parameters[parameter.name] = parameter.defaultValue;
    if (colon == std::string_view::npos)
        return spec;
    std::string_view rest = text.substr(colon + 1);
    while (true) {
        const std::size_t comma = rest.find(',');
        setParameter(info, spec, rest.substr(0, comma));
        if (comma == std::string_view::npos)
            return spec;
        rest.remove_prefix(comma + 1);
    }
}

void checkParameters(const RecipeInfo& info, const std::map<std::string, std::string>& parameters)
{
    for (const RecipeParameter& parameter : info.parameters) {
        const auto found = parameters.find(parameter.name);
        if (found == parameters.end())
            throw Error("{}: the parameter {} is missing.", info.id, parameter.name);
        checkParameter(info, parameter, found->second);
    }
}

Shape shapeOf(const RecipeInfo& info, const RecipeRequest& request)
{
    if (info.shape != nullptr)
        return info.shape(request);
    Shape shape;
    shape.devices = request.devices;
    shape.chunks = request.chunks;
    shape.stages = request.devices * request.chunks;
    return shape;
}

Schedule buildSchedule(const RecipeInfo& info, const RecipeRequest& request, int steps)
{
    checkParameters(info, request.parameters);
    std::vector<std::string> sentences = commonProblems(info, request);
    if (sentences.empty())
        sentences = info.problems(request);
    if (steps < 1 || steps > 10'000)
        sentences.push_back(fmt::format("{} steps can't be built; 1 to 10000 can.", steps));
    if (!sentences.empty())
        throw Error("{}: {}", info.id, fmt::join(sentences, " "));
    if (info.writesSteps) {
        RecipeRequest all = request;
        all.steps = steps;
        return info.generate(all);
    }
    Schedule step = info.generate(request);
    return steps == 1 ? std::move(step) : repeatSteps(step, steps);
}

} // namespace bubblescope
