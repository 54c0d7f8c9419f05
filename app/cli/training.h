// The model that `run` executes, made from an experiment.

#pragma once

#include "core/execute/engine.h"
#include "core/experiment.h"
#include "kernels/cpu/graph_stage.h"
#include "kernels/cpu/transformer.h"

#include <memory>
#include <string>

namespace bubblescope::cli {

/// Fills in the model of an executed experiment where nothing was asked for: two blocks a device, or
/// as many as the schedule with most chunks needs.
void completeModel(Experiment& experiment);

/// The transformer of the experiment over the bytes of `dataFile`, the handbook when empty.
std::unique_ptr<cpu::TransformerMaker> makeModel(const Experiment& experiment, const std::string& dataFile);

/// The graph network for schedules with stale state: its width, and as many vertices a chunk as a microbatch has tokens.
std::unique_ptr<cpu::GraphMaker> makeGraphModel(const Experiment& experiment);

/// True when the schedule is executed with the graph network instead of the transformer.
bool wantsGraph(const Schedule& schedule);

/// Costs predicted from the stages' FLOPs and this machine's speed in products of their size, measured now.
void predictCosts(const Plan& plan, Experiment& experiment);

/// OpenBLAS, model and data: what the numbers of a run depend on.
nlohmann::json provenanceOf(const Experiment& experiment, const std::string& dataFile);

} // namespace bubblescope::cli
