#include "core/custom_order.h"

#include "core/base/error.h"
#include "core/schedule/edit_order.h"
#include "core/schedule/order_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bubblescope {
namespace {

constexpr std::string_view prefix = "custom:";

std::string sizesText(const Shape& shape)
{
    return fmt::format("{} devices, {} stages and {} microbatches", shape.devices, shape.allStages(),
                       fmt::join(shape.microbatches, " + "));
}

bool sameSizes(const Shape& a, const Shape& b)
{
    return a.devices == b.devices && a.allStages() == b.allStages() && a.pipes == b.pipes &&
           a.microbatches == b.microbatches;
}

} // namespace

std::string customRecipe(const std::string& name)
{
    return std::string(prefix) + name;
}

std::optional<std::string> customName(std::string_view recipe)
{
    if (recipe.substr(0, prefix.size()) != prefix)
        return std::nullopt;
    return std::string(recipe.substr(prefix.size()));
}

Plan planOrder(const Experiment& experiment, const RecipeSpec& base, const CustomOrder& order)
{
    if (recipe(base.id).writesSteps && experiment.steps > 1)
        throw Error("the steps of {} run into each other, so that an order of one step can't be repeated; 1 step can "
                    "be had.",
                    base.id);
    Experiment one = experiment;
    one.steps = 1;
    Plan made = plan(one, base);
    if (!sameSizes(made.schedule.shape, order.schedule.shape))
        throw Error("the order '{}' is for {}, but there are {} now. Set those numbers again, or drop the order.",
                    order.name, sizesText(order.schedule.shape), sizesText(made.schedule.shape));
    made.schedule = withOrder(made.schedule, order.schedule);
    if (experiment.steps > 1)
        made.schedule = repeatSteps(made.schedule, experiment.steps);
    made.spec = {customRecipe(order.name), {}};
    made.info = nullptr;
    made.theory.reset();
    return made;
}

CustomOrder orderOfRun(const std::string& recipe, const std::string& orders, int steps)
{
    CustomOrder order{customName(recipe).value_or(recipe), firstStepOf(scheduleFromOrders(orders), steps)};
    for (int& count : order.schedule.shape.microbatches)
        count /= std::max(1, steps);
    return order;
}

} // namespace bubblescope
