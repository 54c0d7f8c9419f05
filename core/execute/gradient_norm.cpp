#include "core/execute/gradient_norm.h"

#include <cmath>
#include <numeric>

namespace bubblescope {

double sumOfSquares(const Buffer& buffer, std::size_t from, std::size_t to)
{
    double sum = 0;
    for (std::size_t i = from; i < to; ++i) {
        const double value = buffer.floats()[i];
        sum += value * value;
    }
    return sum;
}

float GradientNorm::factor(std::size_t homes) const
{
    return factorFor(std::accumulate(m_squares.begin(), m_squares.begin() + static_cast<std::ptrdiff_t>(homes), 0.0));
}

bool GradientNorm::disagrees() const
{
    const float whole = factor();
    double squares = 0;
    for (const double own : m_squares) {
        squares += own;
        if (factorFor(squares) != whole)
            return true;
    }
    return false;
}

void GradientNorm::count(bool rollback)
{
    const float whole = factor();
    m_counts.skipped += whole == 0 ? 1 : 0;
    m_counts.clipped += whole > 0 && whole < 1 ? 1 : 0;
    m_counts.rollbacks += rollback ? 1 : 0;
}

float GradientNorm::factorFor(double squares) const
{
    if (!std::isfinite(squares))
        return 0;
    const double norm = std::sqrt(squares);
    return norm <= m_limit ? 1.0F : static_cast<float>(m_limit / norm);
}

} // namespace bubblescope
