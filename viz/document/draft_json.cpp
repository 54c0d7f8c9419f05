#include "viz/document/draft_json.h"

#include "core/base/error.h"
#include "core/trace/run.h"

#include <nlohmann/json.hpp>

namespace bubblescope::viz {
namespace {

constexpr int version = 1;

/// Not RecipeSpec::text(): a draft may hold a value that can't be built, and keeps it.
nlohmann::json slotToJson(const Draft& draft, std::size_t slot)
{
    nlohmann::json object = {{"recipe", draft.schedule[slot].id},
                             {"parameters", draft.schedule[slot].parameters},
                             {"chunks", draft.chunks[slot]}};
    if (const CustomOrderPtr& order = draft.order[slot])
        object["order"] = {{"name", order->name}, {"tasks", ordersText(order->schedule)}};
    return object;
}

} // namespace

std::string draftToJson(const Draft& draft)
{
    nlohmann::json slots = nlohmann::json::array();
    for (std::size_t slot = 0; slot < draftSlots; ++slot)
        slots.push_back(slotToJson(draft, slot));
    return nlohmann::json{{"version", version},
                          {"experiment", toJson(draft.common)},
                          {"schedules", slots},
                          {"partition_b", draft.ownPartition}}
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Draft draftFromJson(const std::string& text)
{
    try {
        const nlohmann::json object = nlohmann::json::parse(text);
        if (object.at("version").get<int>() > version)
            throw Error("the draft was made by a newer Bubblescope; use that version to edit it.");
        Draft draft;
        draft.common = experimentFromJson(object.at("experiment"));
        draft.common.schedules.clear();
        draft.ownPartition = object.value("partition_b", std::vector<int>());
        const nlohmann::json& slots = object.at("schedules");
        for (std::size_t slot = 0; slot < draftSlots; ++slot) {
            const nlohmann::json& from = slots.at(slot);
            draft.schedule[slot] = parseRecipe(from.at("recipe").get<std::string>());
            for (const auto& [name, value] : from.at("parameters").items())
                draft.schedule[slot].parameters[name] = value.get<std::string>();
            draft.chunks[slot] = from.at("chunks").get<int>();
            if (const auto order = from.find("order"); order != from.end())
                draft.order[slot] = std::make_shared<CustomOrder>(orderOfRun(
                    customRecipe(order->at("name").get<std::string>()), order->at("tasks").get<std::string>(), 1));
        }
        return draft;
    } catch (const nlohmann::json::exception& problem) {
        throw Error("the draft can't be read ({}).", problem.what());
    }
}

} // namespace bubblescope::viz
