// Which layers form which stage: the ways to divide them, best first for what each is good at.
//
//     costs    1 1 1 1 1 1 1.6      even      3 | 4        slowest stage 4.6
//                                   balanced  4 | 3        slowest stage 4     <- no partition is better

#pragma once

#include "core/base/progress.h"
#include "core/experiment.h"
#include "core/simulate/simulate.h"

#include <functional>
#include <string>
#include <vector>

namespace bubblescope {

/// Cost of each layer relative to a plain one; the embedding counts to the first and the head to the last.
std::vector<double> layerCosts(const ModelSpec& model);

/// The partition whose worst stage is least; of several the one with the least sum of squares. `cost` is asked for
/// (stage, first layer, end) and never falls with more layers. Empty when there are fewer layers than stages.
std::vector<int> minimaxPartition(int layers, int stages, const std::function<double(int, int, int)>& cost);

/// A partition with the cheapest slowest stage (ties: as even as possible).
std::vector<int> balancedPartition(const std::vector<double>& layerCosts, int stages);

/// The partition whose devices with most to do have least, found by moving one layer at a time from the balanced one;
/// for schedules with several stages on a device. `homes` lists the devices of each stage.
std::vector<int> deviceBalancedPartition(const std::vector<double>& layerCosts,
                                         const std::vector<std::vector<int>>& homes);

/// The partition whose stage with most bytes has least: weights, gradients and optimizer states of its layers, and the
/// activations of as many microbatches as `inFlight` says live on each stage at once.
std::vector<int> memoryBalancedPartition(const ModelSpec& model, bool recompute, const std::vector<double>& inFlight);

/// From `start`, moves one layer at a time as long as `makespan` gets less. Throws Cancelled.
std::vector<int> searchedPartition(std::vector<int> start,
                                   const std::function<Nanoseconds(const std::vector<int>&)>& makespan,
                                   const Progress& progress);

/// One way to divide the layers, with what is predicted for it.
struct PartitionChoice {
    std::string id;          ///< "even", "balanced", "devices", "memory", "search"
    std::string title;       ///< for people
    std::string idea;        ///< one sentence
    std::vector<int> layers; ///< of each stage
    Nanoseconds makespan = 0;
    double bubbleRate = 0;
    double slowest = 1; ///< cost of the slowest stage ÷ mean
};

/// All ways that fit the schedule of a plan, predicted with its order. Empty without a model. Throws Error, Cancelled.
std::vector<PartitionChoice> partitionChoices(const Experiment& experiment, const Plan& plan, const Timing& timing,
                                              const Progress& progress = Progress());

/// Speeds of the stages of one partition for one with another number of stages: what part of the model a stage of
/// the new one shares with a stage of the old one runs at that one's speed. Empty stays empty.
std::vector<double> resampledSpeeds(const std::vector<double>& speeds, int stages);

/// Devices of each stage: its declared homes, or the lanes that it has tasks on, by pipe.
std::vector<std::vector<int>> homesOfStages(const Schedule& schedule);

} // namespace bubblescope
