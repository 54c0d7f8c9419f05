#include "core/schedule/catalog/slices.h"

#include "core/schedule/search/slice_sizes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

namespace bubblescope::catalog {
namespace {

constexpr int mostSlices = 1024;
constexpr int mostLength = 1'000'000;
constexpr int mostUnits = 256; // of the programme, which takes their cube

/// Bounds at which the work that grows with context splits evenly, to the nearest unit.
std::vector<int> balancedLengths(int slices, int units, double attention)
{
    std::vector<int> lengths;
    int begin = 0;
    for (int k = 1; k <= slices; ++k) {
        const double work = (1 + attention) * k / slices; // of the first n: n + attention · n²
        const double share = attention > 0 ? (std::sqrt(1 + 4 * attention * work) - 1) / (2 * attention) : work;
        const int end = std::clamp(static_cast<int>(std::lround(share * units)), begin + 1, units - (slices - k));
        lengths.push_back(end - begin);
        begin = end;
    }
    return lengths;
}

std::vector<int> bestLengths(const RecipeRequest& request, const Slicing& slicing, int units)
{
    const auto latency = [&](int, int length, int context) {
        const double l = static_cast<double>(length) / units;
        const double c = static_cast<double>(context) / units;
        return slicing.overhead + l + slicing.attention * l * (2 * c + l);
    };
    return bestSliceSizes({.length = units,
                           .stages = request.devices,
                           .sequences = request.microbatches,
                           .largestGroup = 1,
                           .latency = latency})
        .groups.front()
        .lengths;
}

} // namespace

std::optional<std::vector<int>> parseLengths(std::string_view text, int most)
{
    std::vector<int> lengths;
    while (true) {
        const std::size_t plus = std::min(text.find('+'), text.size());
        int length = 0;
        const auto [end, status] = std::from_chars(text.data(), text.data() + plus, length);
        if (status != std::errc{} || end != text.data() + plus || length < 1 || length > most)
            return std::nullopt;
        lengths.push_back(length);
        if (plus == text.size())
            return lengths;
        text.remove_prefix(plus + 1);
    }
}

std::vector<RecipeParameter> sliceParameters(int slices)
{
    using Kind = RecipeParameter::Kind;
    return {{"slices", "slices of a microbatch", std::to_string(slices), {}, 1, mostSlices},
            {"sizes",
             "even: equal lengths; balanced: equal costs; auto: number and lengths from TeraPipe's programme",
             "even",
             {"even", "balanced", "auto"}},
            {"lengths",
             "lengths of the slices in any unit, as in 6+4+3+3, in place of slices and sizes",
             "",
             {},
             0,
             0,
             Kind::Text},
            {"units", "parts of a sequence that balanced and auto measure in", "32", {}, 1, mostUnits},
            {"attention",
             "cost of a whole sequence's attention, relative to its other work",
             "0",
             {},
             0,
             1000,
             Kind::Number},
            {"overhead",
             "cost of a slice beside its tokens, relative to a whole sequence without attention",
             "0",
             {},
             0,
             1000,
             Kind::Number}};
}

std::vector<std::string> sliceProblems(const RecipeRequest& request)
{
    std::vector<std::string> sentences;
    const std::string& lengths = request.parameter("lengths");
    const int units = request.number("units");
    const std::string& sizes = request.parameter("sizes");
    std::int64_t slices = sizes == "auto" ? units : request.number("slices");
    if (!lengths.empty()) {
        const auto parsed = parseLengths(lengths, mostLength);
        slices = parsed ? static_cast<std::int64_t>(parsed->size()) : 1;
        if (!parsed)
            sentences.push_back(fmt::format("lengths={} is not a list of lengths; whole numbers from 1 to {} with + "
                                            "between them are, as in 6+4+3+3.",
                                            lengths, mostLength));
    } else if (sizes == "balanced" && slices > units) {
        sentences.push_back(fmt::format("{} slices can't be cut out of {} units, one of which is the shortest slice: "
                                        "slices={} or units={} can.",
                                        slices, units, units, slices));
    }
    if (slices > mostSlices)
        sentences.push_back(fmt::format("{} slices can't be built; 1 to {} can.", slices, mostSlices));
    constexpr std::int64_t mostTasks = 200'000'000;
    if (2 * slices * request.devices * request.microbatches > mostTasks)
        sentences.push_back(fmt::format("{} stages times {} microbatches times {} slices are more tasks than fit in "
                                        "memory; {} microbatches would fit.",
                                        request.devices, request.microbatches, slices,
                                        mostTasks / (2 * slices * request.devices)));
    return sentences;
}

std::vector<std::string> sliceWarnings(const RecipeRequest& request)
{
    if (request.parameter("lengths").empty() && request.parameter("sizes") == "auto" &&
        request.decimal("overhead") == 0)
        return {"Without overhead the shortest slices are the best: sizes=auto cuts every sequence into as many slices "
                "as the units allow. overhead=0.02 is a start."};
    return {};
}

Slicing sliceEqually(const RecipeRequest& request)
{
    Slicing slicing;
    slicing.attention = request.decimal("attention");
    slicing.overhead = request.decimal("overhead");
    slicing.workOfOne = 1 + slicing.attention + slicing.overhead;
    const int units = request.number("units");
    const int slices = request.number("slices");
    const std::string& sizes = request.parameter("sizes");
    std::vector<int> lengths(static_cast<std::size_t>(slices), 1);
    if (!request.parameter("lengths").empty())
        lengths = parseLengths(request.parameter("lengths"), mostLength).value();
    else if (sizes == "balanced")
        lengths = balancedLengths(slices, units, slicing.attention);
    else if (sizes == "auto")
        lengths = bestLengths(request, slicing, units);
    slicing.whole = std::accumulate(lengths.begin(), lengths.end(), 0);
    slicing.cuts.push_back({std::move(lengths)});
    return slicing;
}

bool equalSlices(const RecipeRequest& request)
{
    return request.parameter("lengths").empty() && request.parameter("sizes") == "even" &&
           request.decimal("overhead") == 0 && request.decimal("attention") == 0;
}

Shape slicedPipe(const RecipeRequest& request, const Slicing& slicing)
{
    Shape shape = singlePipe(request);
    shape.slices = static_cast<int>(slicing.cuts.front().lengths.size());
    return shape;
}

} // namespace bubblescope::catalog
