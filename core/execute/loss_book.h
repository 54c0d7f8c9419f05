// Losses of the steps, as the stages report them from their threads.

#pragma once

#include <mutex>
#include <numeric>
#include <vector>

namespace bubblescope {

class LossBook {
public:
    /// `homes`: how many report each step.
    LossBook(int steps, std::size_t homes)
        : m_steps(static_cast<std::size_t>(steps), Step{std::vector<double>(homes), 0})
    {
    }

    /// Every home of a stage reports once per step; those without a head report 0.
    void add(int step, std::size_t home, double loss)
    {
        const std::lock_guard lock(m_mutex);
        Step& entry = m_steps[static_cast<std::size_t>(step)];
        entry.losses[home] += loss;
        ++entry.reported;
    }

    /// Losses of the steps that are complete, from the first on without a gap.
    std::vector<double> complete() const
    {
        const std::lock_guard lock(m_mutex);
        std::vector<double> losses;
        for (const Step& step : m_steps) {
            if (step.reported < step.losses.size())
                break;
            losses.push_back(std::accumulate(step.losses.begin(), step.losses.end(), 0.0)); // not in order of arrival
        }
        return losses;
    }

private:
    struct Step {
        std::vector<double> losses; ///< by home
        std::size_t reported = 0;
    };

    mutable std::mutex m_mutex;
    std::vector<Step> m_steps;
};

} // namespace bubblescope
