#include "core/schedule/search/exact.h"

#include <algorithm>
#include <unordered_map>

namespace bubblescope {
namespace {

using Kind = SplitPipeline::Kind;
// NOLINTBEGIN(readability-identifier-naming): the letters of the papers
constexpr Kind F = SplitPipeline::F;
constexpr Kind I = SplitPipeline::I;
constexpr Kind W = SplitPipeline::W;
// NOLINTEND(readability-identifier-naming)
constexpr Nanoseconds notYet = -1;
constexpr Nanoseconds never = INT64_MAX;

/// An order that is being written: what every stage has done, and which inputs are known to arrive when.
struct Partial {
    struct Stage {
        std::string lane;
        std::array<int, 3> done{};
        Nanoseconds free = 0;
        std::int64_t live = 0;
        unsigned waits = 0; ///< kinds that let another task go first
    };

    explicit Partial(const SplitPipeline& given)
        : pipeline(given)
        , m(static_cast<std::size_t>(given.microbatches))
        , stages(static_cast<std::size_t>(given.stages))
    {
        for (auto& times : input)
            times.assign(stages.size() * m, notYet);
        std::fill_n(input[F].begin(), m, 0);
        std::fill_n(input[I].end() - static_cast<std::ptrdiff_t>(m), m, 0);
    }

    Nanoseconds cost(std::size_t stage, Kind kind) const { return pipeline.cost[stage][kind]; }

    /// Earliest start of the stage's next task of a kind; `never` when it can't be next.
    Nanoseconds start(std::size_t s, Kind kind) const
    {
        const Stage& stage = stages[s];
        const int next = stage.done[kind];
        const bool there = kind == F ? next < pipeline.microbatches : next < stage.done[kind - 1];
        if (!there || (stage.waits >> kind & 1U) != 0 || stage.live + pipeline.needs(kind) > pipeline.limit)
            return never;
        if (kind == W)
            return stage.free;
        const Nanoseconds arrives = input[kind][s * m + static_cast<std::size_t>(next)];
        return arrives == notYet ? never : std::max(stage.free, arrives);
    }

    void place(std::size_t s, Kind kind)
    {
        Stage& stage = stages[s];
        const auto at = static_cast<std::size_t>(stage.done[kind]);
        stage.free = start(s, kind) + cost(s, kind);
        stage.live += pipeline.held[kind];
        stage.waits = 0;
        stage.lane += "FIW"[kind];
        ++stage.done[kind];
        if (kind == F && s + 1 < stages.size())
            input[F][(s + 1) * m + at] = stage.free + pipeline.down[s];
        else if (kind == I && s > 0)
            input[I][(s - 1) * m + at] = stage.free + pipeline.up[s];
    }

    /// Takes back the last place() of a stage that was `before`.
    void undo(std::size_t s, Kind kind, const Stage& before)
    {
        const auto at = static_cast<std::size_t>(before.done[kind]);
        if (kind == F && s + 1 < stages.size())
            input[F][(s + 1) * m + at] = notYet;
        else if (kind == I && s > 0)
            input[I][(s - 1) * m + at] = notYet;
        stages[s].lane.pop_back();
        stages[s].done = before.done;
        stages[s].free = before.free;
        stages[s].live = before.live;
        stages[s].waits = before.waits;
    }

    const SplitPipeline& pipeline;
    std::size_t m;
    std::vector<Stage> stages;
    std::vector<Nanoseconds> input[2]; ///< arrivals for F and I, by stage and microbatch
};

/// What can't be undercut from a partial order on. Ends of F and I as if every stage could run all its
/// other work beside; then each stage with its own work one after another.
class Bound {
public:
    Bound(const SplitPipeline& pipeline, SplitObjective objective)
        : m_pipeline(pipeline)
        , m_count(static_cast<std::size_t>(pipeline.microbatches))
        , m_offset(static_cast<std::size_t>(pipeline.stages), 0)
    {
        for (auto& ends : m_end)
            ends.resize(m_offset.size() * m_count);
        for (std::size_t s = 1; objective == SplitObjective::Span && s < m_offset.size(); ++s)
            m_offset[s] = m_offset[s - 1] + pipeline.cost[s - 1][F] + pipeline.down[s - 1]; // its first F starts here
        m_reach = pipeline.held[F] > 0 ? std::max<std::int64_t>(1, pipeline.limit / pipeline.held[F]) : INT64_MAX;
    }

    Nanoseconds of(const Partial& partial)
    {
        relax(partial);
        Nanoseconds most = 0;
        for (std::size_t s = 0; s < m_offset.size(); ++s)
            most = std::max(most, alone(partial, s) - m_offset[s]);
        return most;
    }

private:
    void relax(const Partial& partial)
    {
        const std::size_t p = m_offset.size();
        for (std::size_t i = 0; i < m_count; ++i) {
            for (std::size_t s = 0; s < p; ++s)
                if (i >= done(partial, s, F))
                    m_end[F][s * m_count + i] = forwardStart(partial, s, i) + m_pipeline.cost[s][F];
            for (std::size_t s = p; s-- > 0;)
                if (i >= done(partial, s, I))
                    m_end[I][s * m_count + i] = inputStart(partial, s, i) + m_pipeline.cost[s][I];
        }
    }

    static std::size_t done(const Partial& partial, std::size_t s, Kind kind)
    {
        return static_cast<std::size_t>(partial.stages[s].done[kind]);
    }

    Nanoseconds forwardStart(const Partial& partial, std::size_t s, std::size_t i) const
    {
        Nanoseconds start = i > done(partial, s, F) ? m_end[F][s * m_count + i - 1] : partial.stages[s].free;
        const Nanoseconds arrives = partial.input[F][s * m_count + i];
        start = std::max(start, arrives != notYet ? arrives : m_end[F][(s - 1) * m_count + i] + m_pipeline.down[s - 1]);
        // Memory: the microbatch `reach` before it must have been through I here, and through W if only W frees.
        if (static_cast<std::int64_t>(i) < m_reach)
            return start;
        const std::size_t gone = i - static_cast<std::size_t>(m_reach);
        const bool onlyW = m_pipeline.held[I] >= 0;
        if (gone >= done(partial, s, I))
            start = std::max(start, m_end[I][s * m_count + gone] + (onlyW ? m_pipeline.cost[s][W] : 0));
        return start;
    }

    Nanoseconds inputStart(const Partial& partial, std::size_t s, std::size_t i) const
    {
        const std::size_t next = done(partial, s, I);
        Nanoseconds start = i > next ? m_end[I][s * m_count + i - 1] : partial.stages[s].free;
        if (i >= done(partial, s, F)) {
            // F up to i and I before it all run here first.
            const auto forwards = static_cast<Nanoseconds>(i + 1 - done(partial, s, F));
            const auto inputs = static_cast<Nanoseconds>(i - next);
            start =
                std::max({start, m_end[F][s * m_count + i],
                          partial.stages[s].free + forwards * m_pipeline.cost[s][F] + inputs * m_pipeline.cost[s][I]});
        }
        const Nanoseconds arrives = partial.input[I][s * m_count + i];
        return std::max(start, arrives != notYet ? arrives : m_end[I][(s + 1) * m_count + i] + m_pipeline.up[s + 1]);
    }

    /// The end of a stage that works on one task at a time: the latest of (start of a task + all work that
    /// starts no earlier). Each kind is sorted by its starts, so the three are merged from the end.
    Nanoseconds alone(const Partial& partial, std::size_t s) const
    {
        const auto& cost = m_pipeline.cost[s];
        std::array<std::size_t, 3> left{m_count, m_count, m_count};
        const auto head = [&](Kind kind) {
            if (left[kind] <= done(partial, s, kind))
                return notYet;
            const std::size_t i = left[kind] - 1;
            if (kind != W)
                return m_end[kind][s * m_count + i] - cost[kind];
            return i >= done(partial, s, I) ? m_end[I][s * m_count + i] : partial.stages[s].free;
        };
        Nanoseconds work = 0;
        Nanoseconds end = partial.stages[s].free;
        for (;;) {
            const std::array<Nanoseconds, 3> heads{head(F), head(I), head(W)};
            const auto latest = std::max_element(heads.begin(), heads.end());
            if (*latest == notYet)
                return end;
            const auto kind = static_cast<std::size_t>(latest - heads.begin());
            --left[kind];
            work += cost[kind];
            end = std::max(end, *latest + work);
        }
    }

    const SplitPipeline& m_pipeline;
    std::size_t m_count;
    std::vector<Nanoseconds> m_offset;
    std::vector<Nanoseconds> m_end[2]; ///< earliest ends of F and I, where they aren't placed yet
    std::int64_t m_reach = INT64_MAX;  ///< microbatches between F and W that memory holds
};

/// Partial orders that were explored, by their counts. One with the same counts and no time earlier adds nothing.
class Explored {
public:
    bool covers(const Partial& partial)
    {
        describe(partial);
        std::vector<std::vector<Nanoseconds>>& known = m_known[m_key];
        for (const auto& times : known)
            if (noLater(times, m_times))
                return true;
        std::erase_if(known, [&](const auto& times) {
            const bool worse = noLater(m_times, times);
            m_stored -= worse ? times.size() : 0;
            return worse;
        });
        if (m_stored < mostStored) {
            known.push_back(m_times);
            m_stored += m_times.size();
        }
        return false;
    }

private:
    static constexpr std::size_t mostStored = 8'000'000; // times: 64 MB

    static bool noLater(const std::vector<Nanoseconds>& a, const std::vector<Nanoseconds>& b)
    {
        for (std::size_t i = 0; i < a.size(); ++i)
            if (a[i] > b[i])
                return false;
        return true;
    }

    /// Counts, and when each stage and each input that waits for it can be used.
    void describe(const Partial& partial)
    {
        m_key.clear();
        m_times.clear();
        for (std::size_t s = 0; s < partial.stages.size(); ++s) {
            const Partial::Stage& stage = partial.stages[s];
            for (const int count : stage.done)
                m_key += static_cast<char>(count);
            m_key += static_cast<char>(stage.waits);
            m_times.push_back(stage.free);
            for (const Kind kind : {F, I}) {
                Nanoseconds usable = stage.free;
                for (auto i = static_cast<std::size_t>(stage.done[kind]);
                     i < partial.m && partial.input[kind][s * partial.m + i] != notYet; ++i) {
                    usable = std::max(usable, partial.input[kind][s * partial.m + i]);
                    m_times.push_back(usable);
                    usable += partial.cost(s, kind);
                }
            }
        }
    }

    std::unordered_map<std::string, std::vector<std::vector<Nanoseconds>>> m_known;
    std::string m_key;
    std::vector<Nanoseconds> m_times;
    std::size_t m_stored = 0;
};

class Search {
public:
    Search(const SplitPipeline& pipeline, SplitObjective objective, std::int64_t nodes, const Progress& progress)
        : m_pipeline(pipeline)
        , m_objective(objective)
        , m_nodes(nodes)
        , m_progress(progress)
        , m_partial(pipeline)
        , m_bound(pipeline, objective)
    {
    }

    ExactResult operator()(SplitLanes lanes)
    {
        m_result.measured = measure(m_pipeline, lanes);
        m_result.lanes = std::move(lanes);
        m_best = valueOf(m_result.measured, m_objective);
        const Nanoseconds atRoot = m_bound.of(m_partial);
        if (atRoot < m_best)
            explore({0, 1});
        m_result.proved = m_open == never;
        m_result.bound = std::min(m_best, std::max(atRoot, m_open));
        return std::move(m_result);
    }

private:
    struct Share {
        double from;
        double to;
    };

    struct Branch {
        Kind kind;
        bool wait;
        Nanoseconds bound;
    };

    void explore(Share share)
    {
        if ((++m_result.nodes & 0x3ff) == 0) {
            m_progress.check();
            m_progress.report(share.from, "searching for a shorter order");
        }
        const std::size_t stage = nextStage();
        if (stage == m_partial.stages.size()) {
            if (complete())
                keep();
            return; // otherwise everything waits for something that waits
        }
        const std::vector<Branch> branches = branchesOf(stage);
        const double each = (share.to - share.from) / static_cast<double>(std::max<std::size_t>(1, branches.size()));
        for (std::size_t i = 0; i < branches.size(); ++i) {
            const Branch& branch = branches[i];
            if (branch.bound >= m_best)
                break; // sorted
            if (m_result.nodes >= m_nodes) {
                m_open = std::min(m_open, branch.bound);
                break;
            }
            const Partial::Stage before = m_partial.stages[stage];
            enter(stage, branch);
            const double from = share.from + each * static_cast<double>(i);
            if (!m_explored.covers(m_partial))
                explore({from, from + each});
            leave(stage, branch, before);
        }
    }

    /// The stage of the task that can end first; the number of stages when there is none.
    std::size_t nextStage()
    {
        std::size_t stage = m_partial.stages.size();
        m_firstEnd = never;
        for (std::size_t s = 0; s < m_partial.stages.size(); ++s)
            for (const Kind kind : {F, I, W}) {
                const Nanoseconds start = m_partial.start(s, kind);
                if (start == never || start + m_partial.cost(s, kind) >= m_firstEnd)
                    continue;
                m_firstEnd = start + m_partial.cost(s, kind);
                m_first = kind;
                stage = s;
            }
        return stage;
    }

    std::vector<Branch> branchesOf(std::size_t stage)
    {
        std::vector<Branch> branches;
        for (const Kind kind : {F, I, W}) {
            const Nanoseconds start = m_partial.start(stage, kind);
            if (start < m_firstEnd || (kind == m_first && start == m_firstEnd)) // a task without length
                branches.push_back({kind, false, 0});
        }
        if (m_pipeline.held[I] > 0 && m_first != W)
            branches.push_back({m_first, true, 0});
        for (Branch& branch : branches) {
            const Partial::Stage before = m_partial.stages[stage];
            enter(stage, branch);
            branch.bound = m_bound.of(m_partial);
            leave(stage, branch, before);
        }
        std::stable_sort(branches.begin(), branches.end(),
                         [](const Branch& a, const Branch& b) { return a.bound < b.bound; });
        return branches;
    }

    void enter(std::size_t stage, const Branch& branch)
    {
        if (branch.wait)
            m_partial.stages[stage].waits |= 1U << branch.kind;
        else
            m_partial.place(stage, branch.kind);
    }

    void leave(std::size_t stage, const Branch& branch, const Partial::Stage& before)
    {
        if (branch.wait)
            m_partial.stages[stage].waits = before.waits;
        else
            m_partial.undo(stage, branch.kind, before);
    }

    bool complete() const
    {
        return std::all_of(m_partial.stages.begin(), m_partial.stages.end(),
                           [&](const Partial::Stage& stage) { return stage.done[W] == m_pipeline.microbatches; });
    }

    void keep()
    {
        SplitLanes lanes;
        for (const Partial::Stage& stage : m_partial.stages)
            lanes.push_back(stage.lane);
        const SplitMeasure found = measure(m_pipeline, lanes);
        if (valueOf(found, m_objective) >= m_best)
            return;
        m_best = valueOf(found, m_objective);
        m_result.measured = found;
        m_result.lanes = std::move(lanes);
    }

    const SplitPipeline& m_pipeline;
    SplitObjective m_objective;
    std::int64_t m_nodes;
    const Progress& m_progress;
    Partial m_partial;
    Bound m_bound;
    Explored m_explored;
    ExactResult m_result;
    Nanoseconds m_best = 0;
    Nanoseconds m_open = never; ///< least bound among what was left unexplored
    Nanoseconds m_firstEnd = never;
    Kind m_first = F;
};

} // namespace

Nanoseconds lowerBound(const SplitPipeline& pipeline, SplitObjective objective)
{
    return Bound(pipeline, objective).of(Partial(pipeline));
}

ExactResult solveExactly(const SplitPipeline& pipeline, SplitObjective objective, SplitLanes lanes, std::int64_t nodes,
                         const Progress& progress)
{
    return Search(pipeline, objective, nodes, progress)(std::move(lanes));
}

} // namespace bubblescope
