// An order that no family makes: edited by hand, or read back from a document.
//
//     RecipeSpec (sizes, ties, semantics)  +  order of the tasks on every lane  ──►  Plan
//
// The family that it began as gives everything but the order: edges, groups, homes and what a step ends
// with. A run of it is stored with the recipe "custom:NAME", the family in its experiment, and its orders.

#pragma once

#include "core/experiment.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace bubblescope {

struct CustomOrder {
    std::string name;
    Schedule schedule; ///< of one step
};

using CustomOrderPtr = std::shared_ptr<const CustomOrder>;

/// "custom:NAME", what a stored run says instead of a recipe.
std::string customRecipe(const std::string& name);

/// The name in "custom:NAME"; nullopt for a recipe of the catalogue.
std::optional<std::string> customName(std::string_view recipe);

/// Like plan(), with the tasks in the given order. Whether the order works is for validate() to say. Throws Error
/// where it was made for other sizes than the experiment's, or where the steps of the family run into each other.
Plan planOrder(const Experiment& experiment, const RecipeSpec& base, const CustomOrder& order);

/// The order of a stored run: `orders` as the document keeps them, of `steps` steps. Throws Error.
CustomOrder orderOfRun(const std::string& recipe, const std::string& orders, int steps);

} // namespace bubblescope
