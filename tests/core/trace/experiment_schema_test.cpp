#include "core/experiment.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>
#include <string>

using namespace bubblescope;

namespace {

std::set<std::string> keys(const nlohmann::json& object)
{
    std::set<std::string> names;
    for (const auto& [name, value] : object.items())
        names.insert(name);
    return names;
}

} // namespace

TEST_CASE("the schema of experiments lists the fields that the program reads, with its defaults", "[experiment]")
{
    std::ifstream in(BUBBLESCOPE_TEST_DATA "/../../schemas/experiment.schema.json");
    const nlohmann::json schema = nlohmann::json::parse(in);
    const nlohmann::json written = toJson(Experiment());
    CHECK(keys(schema["properties"]) == keys(written));
    CHECK(keys(schema["properties"]["model"]["properties"]) == keys(written["model"]));
    const auto compareDefaults = [](const nlohmann::json& properties, const nlohmann::json& values) {
        for (const auto& [name, property] : properties.items())
            if (property.contains("default"))
                CHECK(nlohmann::json{name, property["default"]} == nlohmann::json{name, values[name]});
    };
    compareDefaults(schema["properties"], written);
    compareDefaults(schema["properties"]["model"]["properties"], written["model"]);
}
