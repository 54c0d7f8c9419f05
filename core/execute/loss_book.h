// Losses of the steps, as the stages report them from their threads.

#pragma once

#include <mutex>
#include <optional>
#include <vector>

namespace bubblescope {

class LossBook {
public:
    LossBook(int steps, int stages) : m_stages(stages), m_steps(static_cast<std::size_t>(steps)) {}

    /// Every stage reports once per step; those without a head report 0.
    void add(int step, double loss)
    {
        const std::lock_guard lock(m_mutex);
        Step& entry = m_steps[static_cast<std::size_t>(step)];
        entry.loss += loss; // only the head's isn't 0, so the order of arrival doesn't matter
        ++entry.reported;
    }

    /// Losses of the steps that are complete, from the first on without a gap.
    std::vector<double> complete() const
    {
        const std::lock_guard lock(m_mutex);
        std::vector<double> losses;
        for (const Step& step : m_steps) {
            if (step.reported < m_stages)
                break;
            losses.push_back(step.loss);
        }
        return losses;
    }

private:
    struct Step {
        double loss = 0;
        int reported = 0;
    };

    const int m_stages;
    mutable std::mutex m_mutex;
    std::vector<Step> m_steps;
};

} // namespace bubblescope
