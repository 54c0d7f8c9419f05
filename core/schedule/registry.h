// The registry: every schedule family, described to people and to programs.
//
// The forms of the window, `bubblescope list`, the handbook pages and the table-driven tests are all
// made from RecipeInfo. A family is one file in catalog/, one line in registry.cpp and one row in the
// table test.

#pragma once

#include "core/schedule/schedule.h"
#include "core/simulate/costs.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bubblescope {

/// A parameter of a family, beside devices, chunks and microbatches, which all have.
struct RecipeParameter {
    enum class Kind : std::uint8_t {
        Integer, ///< from minimum to maximum
        Number,  ///< the same, with a decimal point
        Text,    ///< anything without a comma; the family reads it and explains what is wrong in problems()
    };

    std::string name;
    std::string help;
    std::string defaultValue;
    std::vector<std::string> choices = {}; ///< not empty: one of these, whatever the kind
    double minimum = 0;
    double maximum = 0;
    Kind kind = Kind::Integer;
};

struct ActivationDeltas;

/// What a family is asked for.
struct RecipeRequest {
    int devices = 4;
    int chunks = 1;
    int microbatches = 8;                          ///< per step, all pipes together
    std::map<std::string, std::string> parameters; ///< complete: defaults are filled in by parseRecipe
    const Costs* costs = nullptr;                  ///< for families whose order depends on costs
    const ActivationDeltas* deltas = nullptr;      ///< for families that keep a memory limit; null: released at W or B
    int steps = 1;                                 ///< for families that write all steps themselves

    const std::string& parameter(const std::string& name) const { return parameters.at(name); }

    int number(const std::string& name) const { return std::stoi(parameters.at(name)); }

    double decimal(const std::string& name) const { return std::stod(parameters.at(name)); }
};

/// What the paper says, for the costs given: beside a simulation, never instead of it.
struct Theory {
    Nanoseconds bubble = 0;     ///< idle time of one device
    std::string measure;        ///< "makespan" or "span": inside which interval of the device
    double peakActivations = 0; ///< of the device that holds most
    std::string source;
};

struct RecipeInfo {
    std::string_view id;
    std::string_view title;
    std::string_view paper;    ///< citation with arXiv number
    std::string_view idea;     ///< one sentence
    std::string_view page;     ///< handbook text in Markdown: order, when to use it, what it costs
    std::string_view formulas; ///< closed forms as text; "no closed form published" otherwise
    std::vector<RecipeParameter> parameters{};
    int defaultChunks = 1;
    int minimumChunks = 1;
    int maximumChunks = 1;
    bool splitsBackward = false;  ///< uses I and W; otherwise B
    bool writesSteps = false;     ///< steps overlap: generate() writes request.steps of them, not one to be repeated
    std::string_view constraints; ///< the rules in words

    /// Sentences for what can't be built; each names the numbers and the nearest valid ones.
    std::vector<std::string> (*problems)(const RecipeRequest&) = nullptr;
    /// Sentences for what can be built and will surprise.
    std::vector<std::string> (*warnings)(const RecipeRequest&) = nullptr;
    /// Devices, stages and components, for costs that are needed before the schedule; null: chunks × devices
    /// stages. Called for anything whose sizes are sane, also where problems() will object.
    Shape (*shape)(const RecipeRequest&) = nullptr;
    /// One step, or all of them where writesSteps. Only called when problems() is empty.
    Schedule (*generate)(const RecipeRequest&) = nullptr;
    /// Closed forms for uniform costs; nullopt where the paper gives none or the conditions don't hold.
    std::optional<Theory> (*theory)(const RecipeRequest&, const Costs&) = nullptr;
};

/// All families, in the order in which they are listed.
const std::vector<RecipeInfo>& recipes();

/// Throws Error naming the id and the nearest known ones.
const RecipeInfo& recipe(std::string_view id);

/// A recipe as typed: "id" or "id:param=value,param=value". Defaults are filled in; an unknown
/// parameter or value throws Error saying what is allowed.
struct RecipeSpec {
    std::string id;
    std::map<std::string, std::string> parameters;

    /// The shortest text that parses to the same spec: parameters at their default are left out.
    std::string text() const;
};

RecipeSpec parseRecipe(std::string_view text);

/// Throws Error for a parameter that is missing or has a value that its description excludes.
void checkParameters(const RecipeInfo& info, const std::map<std::string, std::string>& parameters);

/// The shape that costs have to cover: RecipeInfo::shape, or chunks × devices stages.
Shape shapeOf(const RecipeInfo& info, const RecipeRequest& request);

/// Checks the request and generates `steps` steps. Throws Error with all problems, one sentence each.
Schedule buildSchedule(const RecipeInfo& info, const RecipeRequest& request, int steps = 1);

} // namespace bubblescope
