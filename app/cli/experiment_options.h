// The options that describe an experiment (cli.md), for simulate, run and schedule.

#pragma once

#include "core/experiment.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): CLI11 calls itself so
class App;
}

namespace bubblescope::cli {

/// Holds what was typed; experiment() lays it over the experiment file or the defaults.
class ExperimentOptions {
public:
    void addTo(CLI::App& command);

    /// Reads the file, if one was named, applies the options. Throws Error.
    Experiment experiment() const;

    bool costGiven() const { return m_cost.has_value() || m_costFile.has_value() || !m_costFrom.empty(); }

    const std::string& costFrom() const { return m_costFrom; }

private:
    void applyModel(ModelSpec& model) const;
    void applyCosts(Experiment& experiment) const;

    std::string m_file;
    std::vector<std::string> m_schedules;
    std::optional<int> m_stages;
    std::optional<int> m_chunks;
    std::optional<int> m_microbatches;
    std::optional<int> m_steps;
    std::optional<int> m_layers;
    std::optional<std::string> m_layerCost;
    std::optional<double> m_embeddingCost;
    std::optional<double> m_headCost;
    std::optional<int> m_hidden;
    std::optional<int> m_heads;
    std::optional<int> m_sequence;
    std::optional<int> m_batch;
    std::optional<std::string> m_partition;
    std::optional<std::string> m_cost;
    std::optional<std::string> m_costOf;
    std::optional<std::string> m_costFile;
    std::string m_costFrom;
    std::optional<std::string> m_stageSpeed;
    std::optional<double> m_comm;
    std::optional<std::string> m_commModel;
    std::vector<std::string> m_commPairs;
    std::optional<double> m_bandwidth;
    std::optional<std::string> m_memory;
    std::optional<double> m_memoryLimit;
    bool m_recompute = false;
    std::optional<std::uint64_t> m_seed;
    std::optional<std::string> m_optimizer;
    std::optional<double> m_learningRate;
    std::optional<double> m_clipNorm;
};

/// A whole text file. Throws Error with the reason.
std::string readFile(const std::string& path);

/// The plans of all schedules of the experiment.
std::vector<Plan> plansOf(const Experiment& experiment);

} // namespace bubblescope::cli
