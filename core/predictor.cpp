#include "core/predictor.h"

#include "core/simulate/sketch.h"

#include <algorithm>
#include <array>

namespace bubblescope {
namespace {

/// Everything that an order of a family which ignores costs may depend on, and what a plan says beside its costs.
bool sameOrder(const Experiment& a, const Experiment& b)
{
    const ModelSpec& m = a.model;
    const ModelSpec& n = b.model;
    return a.stages == b.stages && a.chunks == b.chunks && a.microbatches == b.microbatches && a.steps == b.steps &&
           a.cost == b.cost && a.costOf == b.costOf && a.stageCosts == b.stageCosts && a.memory == b.memory &&
           a.memoryLimit == b.memoryLimit && a.seed == b.seed && m.layers == n.layers && m.sequence == n.sequence;
}

/// The plan with what the experiment says about costs; its order stays.
void recost(const Experiment& experiment, Plan& plan)
{
    plan.costs = costsOf(experiment, plan.schedule, plan.info->splitsBackward); // refuses a wrong partition, too
    if (!experiment.partition.empty())
        plan.partition = experiment.partition;
    else if (experiment.model.layers > 0)
        plan.partition = evenPartition(experiment.model.layers, plan.schedule.shape.stages);
    if (plan.info->theory != nullptr)
        plan.theory = plan.info->theory(plan.request, plan.costs);
}

} // namespace

bool ignoresCosts(std::string_view family)
{
    // A test holds these to it. A family that isn't here is generated anew, which is slower and always right.
    static constexpr std::array<std::string_view, 14> plain{
        "gpipe",  "1f1b",   "eager-1f1b", "interleaved-1f1b", "looped-bfs", "bfpp",     "zb-h1", "zb-h2",
        "1f1b-v", "v-half", "v-min",      "interleaved-zb",   "dualpipe",   "dualpipev"};
    return std::find(plain.begin(), plain.end(), family) != plain.end();
}

bool Predictor::mayKeep(const Experiment& experiment, const RecipeSpec& spec) const
{
    return m_plan && m_spec.id == spec.id && m_spec.parameters == spec.parameters && ignoresCosts(spec.id) &&
           sameOrder(m_experiment, experiment);
}

Predicted Predictor::predict(const Experiment& experiment, const RecipeSpec& spec, const CustomOrderPtr& order)
{
    if (order) {
        Predicted predicted;
        auto plan = std::make_shared<Plan>(planOrder(experiment, spec, *order));
        predicted.problems = validate(plan->schedule);
        predicted.timing =
            predicted.problems.empty() ? simulate(plan->schedule, plan->costs) : sketch(plan->schedule, plan->costs);
        predicted.plan = std::move(plan);
        return predicted;
    }
    m_kept = mayKeep(experiment, spec);
    if (m_kept) {
        auto plan = std::make_shared<Plan>(*m_plan);
        recost(experiment, *plan);
        Predicted predicted;
        m_simulator->run(plan->costs, predicted.timing);
        predicted.plan = std::move(plan);
        return predicted;
    }
    m_plan = nullptr; // should plan() throw, nothing is kept
    auto plan = std::make_shared<const Plan>(bubblescope::plan(experiment, spec));
    m_simulator = std::make_unique<Simulator>(plan->schedule);
    Predicted predicted;
    m_simulator->run(plan->costs, predicted.timing);
    predicted.plan = plan;
    m_plan = std::move(plan);
    m_experiment = experiment;
    m_spec = spec;
    return predicted;
}

} // namespace bubblescope
