#include "core/schedule/search/split_heuristics.h"

#include <queue>

#include <algorithm>
#include <optional>
#include <tuple>

namespace bubblescope {
namespace {

using Kind = SplitPipeline::Kind;
// NOLINTBEGIN(readability-identifier-naming): the letters of the papers
constexpr Kind F = SplitPipeline::F;
constexpr Kind I = SplitPipeline::I;
constexpr Kind W = SplitPipeline::W;

// NOLINTEND(readability-identifier-naming)

/// The paper's heuristic for one choice of its three knobs. Round i brings F and I of one more
/// microbatch to every stage; W go where a stage would wait or where memory asks for them.
class Rounds {
public:
    struct Knobs {
        bool bubbleBeforeFirstI; ///< only forwards that end before the first I arrives
        bool preferI;            ///< a stage two forwards ahead of the next one may let a round pass
        bool noBubbleGreedy;     ///< fill every wait with W, also one that another stage has anyway
    };

    Rounds(const SplitPipeline& pipeline, Knobs knobs)
        : m_pipeline(pipeline), m_knobs(knobs), m_stages(static_cast<std::size_t>(pipeline.stages))
    {
        for (Stage& stage : m_stages)
            for (auto& ends : stage.ends)
                ends.reserve(static_cast<std::size_t>(pipeline.microbatches));
    }

    /// nullopt when memory runs full with no W to make room, or a stage let too many rounds pass.
    std::optional<SplitLanes> operator()()
    {
        fillPipeline();
        for (int round = 1; round < m_pipeline.microbatches; ++round) {
            const std::vector<char> runs = stagesWithForward();
            for (std::size_t j = 0; j < m_stages.size(); ++j)
                if (runs[j] != 0 && !place(j, F))
                    return std::nullopt;
            for (std::size_t j = m_stages.size(); j-- > 0;)
                if (!place(j, I))
                    return std::nullopt;
        }
        SplitLanes lanes;
        for (std::size_t j = 0; j < m_stages.size(); ++j) {
            while (m_stages[j].done(W) < m_pipeline.microbatches)
                put(j, W);
            lanes.push_back(std::move(m_stages[j].lane));
        }
        return lanes;
    }

private:
    struct Stage {
        std::string lane;
        std::vector<Nanoseconds> ends[3]; // by kind and microbatch
        Nanoseconds clock = 0;
        Nanoseconds bubble = 0; // waits since its first F
        std::int64_t live = 0;

        int done(Kind kind) const { return static_cast<int>(ends[kind].size()); }
    };

    Nanoseconds cost(std::size_t j, Kind kind) const { return m_pipeline.cost[j][kind]; }

    bool last(std::size_t j) const { return j + 1 == m_stages.size(); }

    /// When what the next task of this kind waits for arrives.
    Nanoseconds arrival(std::size_t j, Kind kind) const
    {
        const auto microbatch = m_stages[j].ends[kind].size();
        if (kind == F && j > 0)
            return m_stages[j - 1].ends[F][microbatch] + m_pipeline.down[j - 1];
        if (kind == I && !last(j))
            return m_stages[j + 1].ends[I][microbatch] + m_pipeline.up[j + 1];
        return 0;
    }

    void put(std::size_t j, Kind kind)
    {
        Stage& stage = m_stages[j];
        const Nanoseconds start = std::max(stage.clock, arrival(j, kind));
        if (!stage.lane.empty())
            stage.bubble += start - stage.clock;
        m_largestBubble = std::max(m_largestBubble, stage.bubble);
        stage.clock = start + cost(j, kind);
        stage.ends[kind].push_back(stage.clock);
        stage.live += m_pipeline.held[kind];
        stage.lane += "FIW"[kind];
    }

    bool pendingW(std::size_t j) const { return m_stages[j].done(W) < m_stages[j].done(I); }

    bool fits(std::size_t j, Kind kind) const { return m_stages[j].live + m_pipeline.needs(kind) <= m_pipeline.limit; }

    /// The first round: as many forwards as fit before the first I can arrive, fewer on every next stage.
    void fillPipeline()
    {
        const std::size_t p = m_stages.size();
        for (std::size_t j = 0; j < p; ++j)
            put(j, F);
        std::vector<int> extra(p, 0);
        Nanoseconds firstI = m_stages[p - 1].clock + cost(p - 1, I); // end of the first I of the next stage
        for (std::size_t j = p - 1; j-- > 0;) {
            const Nanoseconds arrives = firstI + m_pipeline.up[j + 1];
            std::int64_t live = m_stages[j].live;
            Nanoseconds clock = m_stages[j].clock;
            const auto another = [&] {
                return m_knobs.bubbleBeforeFirstI ? clock + cost(j, F) <= arrives : clock < arrives;
            };
            while (1 + extra[j] < m_pipeline.microbatches && live + m_pipeline.needs(F) <= m_pipeline.limit &&
                   another()) {
                live += m_pipeline.held[F];
                clock += cost(j, F);
                ++extra[j];
            }
            firstI = std::max(clock, arrives) + cost(j, I);
        }
        for (std::size_t j = 1; j < p; ++j) {
            extra[j] = std::min(extra[j], extra[j - 1]);
            if (extra[j] == extra[j - 1] && 1 + extra[j] < m_pipeline.microbatches)
                extra[j] = std::max(0, extra[j] - 1);
        }
        for (std::size_t j = 0; j < p; ++j)
            for (int i = 0; i < extra[j]; ++i)
                put(j, F);
        for (std::size_t j = p; j-- > 0;)
            put(j, I);
    }

    /// A stage far enough ahead of the next one may skip its F, when the next one can't take it yet anyway.
    bool skipsForward(std::size_t j) const
    {
        const Stage& stage = m_stages[j];
        if (!m_knobs.preferI || last(j) || stage.done(F) < m_stages[j + 1].done(F) + 2)
            return false;
        const Nanoseconds nextDone = m_stages[j + 1].clock + cost(j + 1, F) + cost(j + 1, I) + m_pipeline.up[j + 1];
        if (stage.clock >= nextDone)
            return true;
        std::int64_t live = stage.live;
        Nanoseconds clock = stage.clock + cost(j, F);
        for (int w = stage.done(W); live + m_pipeline.needs(F) > m_pipeline.limit && w < stage.done(I); ++w) {
            live += m_pipeline.held[W];
            clock += cost(j, W);
        }
        return clock > nextDone && nextDone - stage.clock <= m_largestBubble - stage.bubble;
    }

    std::vector<char> stagesWithForward() const
    {
        std::vector<char> runs(m_stages.size(), 0);
        for (std::size_t j = 0; j < m_stages.size(); ++j)
            runs[j] = m_stages[j].done(F) < m_pipeline.microbatches && !skipsForward(j) ? 1 : 0;
        for (std::size_t j = m_stages.size() - 1; j-- > 0;)
            runs[j] = std::min(runs[j], runs[j + 1]);
        return runs;
    }

    /// F or I, after the W that memory asks for and those that fit in the wait for it; false when it can't run.
    bool place(std::size_t j, Kind kind)
    {
        if (kind == I && m_stages[j].done(F) <= m_stages[j].done(I))
            return false;
        while (!fits(j, kind)) {
            if (!pendingW(j))
                return false;
            put(j, W);
        }
        const Nanoseconds arrives = arrival(j, kind);
        while (pendingW(j) && m_stages[j].clock + cost(j, W) <= arrives)
            put(j, W);
        const Nanoseconds wait = arrives - m_stages[j].clock;
        if (pendingW(j) && wait > 0 && (m_knobs.noBubbleGreedy || wait > m_largestBubble - m_stages[j].bubble))
            put(j, W);
        if (kind == I && j == 0 && m_stages[j].done(F) == m_pipeline.microbatches)
            while (pendingW(j))
                put(j, W);
        put(j, kind);
        return true;
    }

    const SplitPipeline& m_pipeline;
    Knobs m_knobs;
    std::vector<Stage> m_stages;
    Nanoseconds m_largestBubble = 0;
};

/// List scheduling in the order of time: a free stage takes the first of its ready tasks. Fits any limit.
class Dispatch {
public:
    struct Knobs {
        int ahead;    ///< most microbatches between F and I: 0 as many as fit, 1 those of 1F1B, 2 twice as many
        bool forward; ///< F before I
        bool patient; ///< no W where something better is known to arrive before its end
    };

    Dispatch(const SplitPipeline& pipeline, Knobs knobs)
        : m_pipeline(pipeline), m_knobs(knobs), m_stages(static_cast<std::size_t>(pipeline.stages))
    {
        m_stages.front().arrived[F].assign(static_cast<std::size_t>(pipeline.microbatches), 0);
        m_stages.back().arrived[I].assign(static_cast<std::size_t>(pipeline.microbatches), 0);
    }

    SplitLanes operator()()
    {
        m_wakes.emplace(0, 0);
        while (!m_wakes.empty()) {
            const auto [now, j] = m_wakes.top();
            m_wakes.pop();
            if (m_stages[j].free <= now)
                wake(j, now);
        }
        SplitLanes lanes;
        for (Stage& stage : m_stages)
            lanes.push_back(std::move(stage.lane));
        return lanes;
    }

private:
    struct Stage {
        std::string lane;
        std::vector<Nanoseconds> arrived[2]; // inputs of F and I that are there or known to come
        std::array<int, 3> done{};
        Nanoseconds free = 0;
        std::int64_t live = 0;
    };

    bool fits(const Stage& stage, Kind kind) const { return stage.live + m_pipeline.needs(kind) <= m_pipeline.limit; }

    /// When the next F or I can start as far as known; INT64_MAX: not known, or not allowed.
    Nanoseconds startOf(std::size_t j, Kind kind) const
    {
        const Stage& stage = m_stages[j];
        const auto next = static_cast<std::size_t>(stage.done[kind]);
        const int ahead = stage.done[F] - stage.done[I];
        const int depth = m_pipeline.stages - static_cast<int>(j);
        const int most = m_knobs.ahead == 0 ? INT32_MAX : m_knobs.ahead == 1 ? depth : 2 * depth - 1;
        if (next >= stage.arrived[kind].size() || !fits(stage, kind) || (kind == F ? ahead >= most : ahead == 0))
            return INT64_MAX;
        return stage.arrived[kind][next];
    }

    void wake(std::size_t j, Nanoseconds now)
    {
        const Kind first = m_knobs.forward ? F : I;
        const Kind second = m_knobs.forward ? I : F;
        const Stage& stage = m_stages[j];
        const Nanoseconds soonest = std::min(startOf(j, F), startOf(j, I));
        if (startOf(j, first) <= now)
            run(j, first, now);
        else if (startOf(j, second) <= now)
            run(j, second, now);
        else if (stage.done[W] < stage.done[I] &&
                 !(m_knobs.patient && soonest != INT64_MAX && soonest < now + m_pipeline.cost[j][W]))
            run(j, W, now);
        else if (soonest != INT64_MAX)
            m_wakes.emplace(soonest, j);
    }

    void run(std::size_t j, Kind kind, Nanoseconds now)
    {
        Stage& stage = m_stages[j];
        stage.lane += "FIW"[kind];
        stage.live += m_pipeline.held[kind];
        ++stage.done[kind];
        stage.free = now + m_pipeline.cost[j][kind];
        m_wakes.emplace(stage.free, j);
        if (kind == F && j + 1 < m_stages.size())
            send(j + 1, F, stage.free + m_pipeline.down[j]);
        else if (kind == I && j > 0)
            send(j - 1, I, stage.free + m_pipeline.up[j]);
    }

    void send(std::size_t to, Kind kind, Nanoseconds arrives)
    {
        m_stages[to].arrived[kind].push_back(arrives);
        m_wakes.emplace(arrives, to);
    }

    using Wake = std::pair<Nanoseconds, std::size_t>;

    const SplitPipeline& m_pipeline;
    Knobs m_knobs;
    std::vector<Stage> m_stages;
    std::priority_queue<Wake, std::vector<Wake>, std::greater<>> m_wakes;
};

/// The best order so far.
struct Best {
    const SplitPipeline& pipeline;
    SplitObjective objective;
    SplitLanes lanes{};
    SplitMeasure measured{};

    /// Shorter in what is asked for; or as short there, and shorter in the other measure.
    bool better(const SplitMeasure& a, const SplitMeasure& b) const
    {
        return objective == SplitObjective::Makespan ? std::tie(a.makespan, a.span) < std::tie(b.makespan, b.span)
                                                     : std::tie(a.span, a.makespan) < std::tie(b.span, b.makespan);
    }

    /// Takes the order if it fits and is better; `careful`: and isn't worse in the other measure either.
    void offer(SplitLanes candidate, bool careful)
    {
        const SplitMeasure found = measure(pipeline, candidate);
        if (found.peak > pipeline.limit)
            return;
        const bool worse = found.makespan > measured.makespan || found.span > measured.span;
        if (!lanes.empty() && (!better(found, measured) || (careful && worse)))
            return;
        lanes = std::move(candidate);
        measured = found;
    }
};

SplitLanes ruleLanes(const SplitPipeline& pipeline, SplitRule (*rule)(int, int))
{
    SplitLanes lanes;
    for (int stage = 0; stage < pipeline.stages; ++stage)
        lanes.push_back(ruleLane(rule(stage, pipeline.stages), pipeline.microbatches));
    return lanes;
}

} // namespace

std::string ruleLane(const SplitRule& rule, int microbatches)
{
    std::string lane(static_cast<std::size_t>(std::min(rule.warmup, microbatches)), 'F');
    int forwards = static_cast<int>(lane.size());
    int weights = 0;
    for (int i = 0; i < microbatches; ++i) {
        lane += 'I';
        if (forwards < microbatches) {
            if (forwards - weights >= rule.live) {
                lane += 'W';
                ++weights;
            }
            lane += 'F';
            ++forwards;
        } else if (i + 1 - weights > rule.pending) {
            lane += 'W';
            ++weights;
        }
    }
    return lane.append(static_cast<std::size_t>(microbatches - weights), 'W');
}

SplitRule ruleH1(int stage, int stages)
{
    return {stages - stage, stages, stage};
}

SplitRule ruleH2(int stage, int stages)
{
    return {2 * (stages - stage) - 1, 2 * stages - 1, 2 * stage};
}

SplitLanes bestHeuristicLanes(const SplitPipeline& pipeline, SplitObjective objective)
{
    Best best{pipeline, objective};
    for (const bool before : {true, false})
        for (const bool prefer : {true, false})
            for (const bool greedy : {true, false})
                if (auto lanes = Rounds(pipeline, {before, prefer, greedy})())
                    best.offer(std::move(*lanes), false);
    // A shorter span than the paper's own orders have is no gain if it costs makespan.
    const bool careful = objective == SplitObjective::Span;
    best.offer(ruleLanes(pipeline, ruleH1), careful);
    best.offer(ruleLanes(pipeline, ruleH2), careful);
    for (const int ahead : {1, 2, 0})
        for (const bool forward : {false, true})
            for (const bool patient : {false, true})
                best.offer(Dispatch(pipeline, {ahead, forward, patient})(), careful);
    return std::move(best.lanes);
}

} // namespace bubblescope
