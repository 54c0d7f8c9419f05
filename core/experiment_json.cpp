// The experiment as JSON: schemas/experiment.schema.json in code.

#include "core/base/error.h"
#include "core/experiment.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace bubblescope {
namespace {

using nlohmann::json;

/// Reads an object's fields one by one and refuses those that nobody asked for.
class Fields {
public:
    Fields(const json& object, std::string where) : m_object(object), m_where(std::move(where))
    {
        if (!object.is_object())
            throw Error("{} is not a JSON object.", m_where);
    }

    template <class T>
    void read(const char* name, T& value)
    {
        m_known.emplace_back(name);
        const auto found = m_object.find(name);
        if (found == m_object.end() || found->is_null())
            return;
        // nlohmann would quietly turn 4.5 into 4 and true into 1.
        const bool fits = std::is_same_v<T, bool> ? found->is_boolean()
                          : std::is_integral_v<T> ? found->is_number_integer()
                                                  : true;
        try {
            if (!fits)
                throw json::other_error::create(501, "", found.operator->());
            value = found->get<T>();
        } catch (const json::exception&) {
            throw Error("{}: the field {} is {}, which is not what it takes ({}).", m_where, name,
                        found->dump().substr(0, 60), expected<T>());
        }
    }

    const json* child(const char* name)
    {
        m_known.emplace_back(name);
        const auto found = m_object.find(name);
        return found == m_object.end() || found->is_null() ? nullptr : &*found;
    }

    void refuseOthers() const
    {
        for (const auto& [name, value] : m_object.items())
            if (std::find(m_known.begin(), m_known.end(), name) == m_known.end())
                throw Error("{}: the field {} is unknown.", m_where, name);
    }

private:
    template <class T>
    static const char* expected()
    {
        if constexpr (std::is_same_v<T, bool>)
            return "true or false";
        else if constexpr (std::is_integral_v<T>)
            return "a whole number";
        else if constexpr (std::is_floating_point_v<T>)
            return "a number";
        else if constexpr (std::is_same_v<T, std::string>)
            return "a text";
        else
            return "a list or an object of numbers";
    }

    const json& m_object;
    std::string m_where;
    std::vector<std::string> m_known;
};

ModelSpec modelFromJson(const json& object)
{
    ModelSpec model;
    Fields fields(object, "model");
    fields.read("layers", model.layers);
    fields.read("hidden", model.hidden);
    fields.read("heads", model.heads);
    fields.read("sequence", model.sequence);
    fields.read("batch", model.batch);
    fields.read("vocabulary", model.vocabulary);
    fields.read("layer_costs", model.layerCosts);
    fields.read("embedding_cost", model.embeddingCost);
    fields.read("head_cost", model.headCost);
    fields.refuseOthers();
    return model;
}

json modelToJson(const ModelSpec& model)
{
    return {{"layers", model.layers},
            {"hidden", model.hidden},
            {"heads", model.heads},
            {"sequence", model.sequence},
            {"batch", model.batch},
            {"vocabulary", model.vocabulary},
            {"layer_costs", model.layerCosts},
            {"embedding_cost", model.embeddingCost},
            {"head_cost", model.headCost}};
}

} // namespace

Experiment experimentFromJson(const json& object)
{
    Experiment experiment;
    Fields fields(object, "experiment");
    std::vector<std::string> schedules;
    fields.read("schedules", schedules);
    for (const std::string& text : schedules)
        experiment.schedules.push_back(parseRecipe(text));
    fields.read("stages", experiment.stages);
    fields.read("chunks", experiment.chunks);
    fields.read("microbatches", experiment.microbatches);
    fields.read("steps", experiment.steps);
    if (const json* model = fields.child("model"))
        experiment.model = modelFromJson(*model);
    fields.read("partition", experiment.partition);
    fields.read("cost", experiment.cost);
    std::string costOf = costOfName(experiment.costOf);
    fields.read("cost_of", costOf);
    experiment.costOf = costOfFromName(costOf);
    fields.read("stage_costs", experiment.stageCosts);
    fields.read("stage_speed", experiment.stageSpeed);
    fields.read("comm", experiment.comm);
    fields.read("comm_model", experiment.commModel);
    fields.read("bandwidth", experiment.bandwidth);
    fields.read("comm_pairs", experiment.commPairs);
    fields.read("memory", experiment.memory);
    fields.read("memory_limit", experiment.memoryLimit);
    fields.read("recompute", experiment.recompute);
    fields.read("seed", experiment.seed);
    fields.read("optimizer", experiment.optimizer);
    fields.read("learning_rate", experiment.learningRate);
    fields.read("clip_norm", experiment.clipNorm);
    fields.refuseOthers();
    return experiment;
}

json toJson(const Experiment& experiment)
{
    json schedules = json::array();
    for (const RecipeSpec& spec : experiment.schedules)
        schedules.push_back(spec.text());
    return {{"schedules", schedules},
            {"stages", experiment.stages},
            {"chunks", experiment.chunks},
            {"microbatches", experiment.microbatches},
            {"steps", experiment.steps},
            {"model", modelToJson(experiment.model)},
            {"partition", experiment.partition},
            {"cost", experiment.cost},
            {"cost_of", costOfName(experiment.costOf)},
            {"stage_costs", experiment.stageCosts},
            {"stage_speed", experiment.stageSpeed},
            {"comm", experiment.comm},
            {"comm_model", experiment.commModel},
            {"bandwidth", experiment.bandwidth},
            {"comm_pairs", experiment.commPairs},
            {"memory", experiment.memory},
            {"memory_limit", experiment.memoryLimit},
            {"recompute", experiment.recompute},
            {"seed", experiment.seed},
            {"optimizer", experiment.optimizer},
            {"learning_rate", experiment.learningRate},
            {"clip_norm", experiment.clipNorm}};
}

} // namespace bubblescope
