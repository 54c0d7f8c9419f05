// Predicts one experiment after another, as fast as a person drags: what didn't change isn't made again.
//
//     edit of a cost (partition, link, speed, recompute)    the order stays: only costs and times are new
//     edit of a size or of the schedule                     a new order
//
// The order is kept for families that don't look at costs; those that do are asked anew each time.

#pragma once

#include "core/custom_order.h"
#include "core/schedule/validate.h"
#include "core/simulate/simulate.h"

#include <memory>
#include <vector>

namespace bubblescope {

struct Predicted {
    std::shared_ptr<const Plan> plan;
    Timing timing;
    std::vector<Problem> problems; ///< of an order by hand; not empty: the timing is a sketch (sketch.h)
};

/// Used by one thread at a time.
class Predictor {
public:
    /// Throws Error like plan(). An order by hand that can't complete is no error: it has problems.
    Predicted predict(const Experiment& experiment, const RecipeSpec& spec, const CustomOrderPtr& order = nullptr);

    /// Whether the last call used the order that was there.
    bool keptOrder() const { return m_kept; }

private:
    bool mayKeep(const Experiment& experiment, const RecipeSpec& spec) const;

    Experiment m_experiment; // what m_plan was made from
    RecipeSpec m_spec;
    std::shared_ptr<const Plan> m_plan;
    std::unique_ptr<Simulator> m_simulator; // of m_plan's schedule
    bool m_kept = false;
};

/// True for families whose order is the same whatever tasks cost.
bool ignoresCosts(std::string_view family);

} // namespace bubblescope
