#include "core/schedule/search/slice_sizes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>

namespace bubblescope {
namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();

class Programme {
public:
    explicit Programme(const SliceProblem& problem)
        : m_problem(problem), m_length(static_cast<std::size_t>(problem.length))
    {
        const auto groups = static_cast<std::size_t>(problem.largestGroup);
        m_latency.resize(groups);
        for (std::size_t group = 0; group < groups; ++group) {
            m_latency[group].resize((m_length + 1) * (m_length + 1), impossible);
            for (std::size_t length = 1; length <= m_length; ++length)
                for (std::size_t end = length; end <= m_length; ++end)
                    m_latency[group][end * (m_length + 1) + length] = problem.latency(
                        static_cast<int>(group) + 1, static_cast<int>(length), static_cast<int>(end - length));
        }
        m_best.resize(groups);
        m_last.resize(groups);
    }

    /// Distinct latencies in ascending order; of those that count as one, the largest.
    std::vector<double> bounds() const
    {
        std::vector<double> all;
        for (const std::vector<double>& of : m_latency)
            std::copy_if(of.begin(), of.end(), std::back_inserter(all),
                         [](double value) { return value != impossible; });
        std::sort(all.begin(), all.end());
        const double tolerance = sliceBoundTolerance * all.back();
        std::vector<double> distinct;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (i + 1 == all.size() || all[i + 1] - all[i] > tolerance)
                distinct.push_back(all[i]);
        return distinct;
    }

    /// The best sizes with no slice longer than `bound`; nullopt when there are none.
    std::optional<SliceSizes> within(double bound)
    {
        for (std::size_t group = 0; group < m_latency.size(); ++group)
            cutWithin(group, bound);
        const auto sequences = static_cast<std::size_t>(m_problem.sequences);
        std::vector<double> sum(sequences + 1, impossible);
        std::vector<std::size_t> last(sequences + 1, 0);
        sum[0] = 0;
        for (std::size_t n = 1; n <= sequences; ++n)
            for (std::size_t group = 1; group <= std::min(n, m_latency.size()); ++group)
                if (const double time = sum[n - group] + m_best[group - 1][m_length]; time < sum[n]) {
                    sum[n] = time;
                    last[n] = group;
                }
        if (sum[sequences] == impossible)
            return std::nullopt;
        SliceSizes sizes;
        for (std::size_t n = sequences; n > 0; n -= last[n])
            sizes.groups.push_back(groupOf(last[n] - 1, sizes.slowest));
        sizes.time = sum[sequences] + (m_problem.stages - 1) * sizes.slowest;
        return sizes;
    }

private:
    void cutWithin(std::size_t group, double bound)
    {
        std::vector<double>& best = m_best[group];
        std::vector<std::size_t>& last = m_last[group];
        best.assign(m_length + 1, impossible);
        last.assign(m_length + 1, 0);
        best[0] = 0;
        for (std::size_t end = 1; end <= m_length; ++end) {
            const double* latency = &m_latency[group][end * (m_length + 1)];
            for (std::size_t length = 1; length <= end; ++length)
                if (const double time = best[end - length] + latency[length];
                    latency[length] <= bound && time < best[end]) {
                    best[end] = time;
                    last[end] = length;
                }
        }
    }

    /// The programme runs from the front, so the slices come out from the end.
    SliceSizes::Group groupOf(std::size_t group, double& slowest) const
    {
        SliceSizes::Group result{.sequences = static_cast<int>(group) + 1, .lengths = {}};
        for (std::size_t end = m_length; end > 0; end -= m_last[group][end]) {
            const std::size_t length = m_last[group][end];
            slowest = std::max(slowest, m_latency[group][end * (m_length + 1) + length]);
            result.lengths.push_back(static_cast<int>(length));
        }
        std::reverse(result.lengths.begin(), result.lengths.end());
        return result;
    }

    const SliceProblem& m_problem;
    const std::size_t m_length;
    std::vector<std::vector<double>> m_latency;   // by group size; row of each end, column of each length
    std::vector<std::vector<double>> m_best;      // f of each end
    std::vector<std::vector<std::size_t>> m_last; // length of the last slice there
};

} // namespace

SliceSizes bestSliceSizes(const SliceProblem& problem, const Progress& progress)
{
    assert(problem.length >= 1 && problem.stages >= 1 && problem.sequences >= 1 && problem.largestGroup >= 1);
    Programme programme(problem);
    SliceSizes best;
    best.time = impossible;
    for (const double bound : programme.bounds()) {
        if (bound * problem.stages > best.time)
            break;
        progress.check();
        if (std::optional<SliceSizes> sizes = programme.within(bound); sizes && sizes->time < best.time)
            best = std::move(*sizes);
    }
    return best;
}

} // namespace bubblescope
