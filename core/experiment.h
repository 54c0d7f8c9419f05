// An experiment: model + cluster + partition + recipes, as one JSON object; and what comes of it.
//
//     Experiment ──plan()──► Plan (Schedule + Costs) ──simulate──► Timing ──► report
//
// The options of the command line, the form of the window and experiment files all fill this one
// struct. It is stored with every run, so that any run can be repeated from its document.

#pragma once

#include "core/schedule/registry.h"
#include "core/schedule/schedule.h"
#include "core/simulate/costs.h"
#include "core/simulate/memory.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bubblescope {

/// The transformer that the executor trains, and what its layers cost relative to each other.
struct ModelSpec {
    int layers = 0; ///< blocks; 0: no model, costs are per stage
    int hidden = 128;
    int heads = 4;
    int sequence = 64;              ///< tokens of one sequence
    int batch = 1;                  ///< sequences of one microbatch
    int vocabulary = 256;           ///< bytes as tokens
    std::vector<double> layerCosts; ///< relative cost of each block; empty: all 1
    double embeddingCost = 0.0;     ///< in blocks, on the first stage
    double headCost = 0.0;          ///< in blocks, on the last stage
};

/// What the common costs are the costs of. Schedules with several chunks compare only by those of a device's share:
/// their stages are smaller, the model is the same.
enum class CostOf : std::uint8_t {
    EachStage,  ///< of each virtual stage, however many there are
    DeviceShare ///< of a device's share of the model: S virtual stages of a pipeline on P devices cost P/S of it
};

inline const char* costOfName(CostOf of)
{
    return of == CostOf::EachStage ? "stage" : "device";
}

/// Throws Error for anything but "stage" and "device".
CostOf costOfFromName(const std::string& name);

struct Experiment {
    std::vector<RecipeSpec> schedules;
    int stages = 4; ///< devices of one pipeline
    int chunks = 0; ///< 0: what the recipe needs
    int microbatches = 8;
    int steps = 1;
    ModelSpec model;
    std::vector<int> partition; ///< layers of each virtual stage; empty: as even as possible
    std::string cost;           ///< "F=1,B=2" in units of 1 ms; empty: F=1,B=2 (or I=1,W=1)
    CostOf costOf = CostOf::EachStage;
    std::vector<std::map<std::string, double>> stageCosts; ///< per virtual stage (cost file); wins over `cost`
    std::vector<double> stageSpeed;                        ///< per virtual stage; 2 is twice as fast; empty: all 1
    double comm = 0;                                       ///< latency per hop, units
    std::string commModel = "latency";
    double bandwidth = 0;                    ///< bytes per second of a link; 0: sizes don't matter
    std::map<std::string, double> commPairs; ///< "0-1": latency of one direction, units
    std::string memory;                      ///< "F=1,I=-0.5,W=-0.5"; empty: released at W or B
    double memoryLimit = 0;                  ///< activations; 0: none
    bool recompute = false;
    std::uint64_t seed = 1;
    std::string optimizer = "adamw";
    double learningRate = 1e-3;
    double clipNorm = 0; ///< most that the norm of a step's gradients may be, over all stages; 0: no clipping
};

/// Reads and writes the schema of schemas/experiment.schema.json. Unknown or mistyped fields throw Error naming the field.
Experiment experimentFromJson(const nlohmann::json& object);
nlohmann::json toJson(const Experiment& experiment);

/// Everything needed to simulate or execute one schedule of an experiment.
struct Plan {
    RecipeSpec spec;
    const RecipeInfo* info = nullptr; ///< null for an order that was read from a file
    RecipeRequest request;
    Schedule schedule;
    Costs costs;
    ActivationDeltas deltas;
    std::vector<int> partition; ///< layers of each virtual stage; empty without a model
    std::optional<Theory> theory;
    std::vector<std::string> warnings;
};

/// Builds the plan of one of the experiment's schedules. Throws Error with sentences for all that is wrong.
Plan plan(const Experiment& experiment, const RecipeSpec& spec);

/// Only the costs, for a schedule that is there already (drag feedback: the order stays, the costs change).
Costs costsOf(const Experiment& experiment, const Schedule& schedule, bool splitsBackward);

/// Even split with the remainder spread from the front; embedding and head count with their cost.
std::vector<int> evenPartition(int layers, int stages);

} // namespace bubblescope
