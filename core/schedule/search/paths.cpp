#include "core/schedule/search/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace bubblescope {

int PathProblem::nodeCount() const
{
    return std::accumulate(nodes.begin(), nodes.end(), 0);
}

namespace {

constexpr Nanoseconds never = std::numeric_limits<Nanoseconds>::max() / 4;

/// Microbatches that a stage can take.
int capacity(const PathProblem& problem, std::size_t stage)
{
    if (problem.memory == 0)
        return problem.microbatches;
    const std::int64_t all = std::int64_t{problem.memory} * problem.nodes[stage];
    return static_cast<int>(std::min<std::int64_t>(all, problem.microbatches));
}

} // namespace

std::vector<std::string> pathProblems(const PathProblem& problem)
{
    const auto stages = problem.nodes.size();
    const int ends = stages > 1 ? 2 : 1;
    std::vector<std::string> sentences;
    if (problem.length < ends || problem.length > static_cast<int>(stages))
        sentences.push_back(fmt::format("A path of {} stages can't lead through {}; {} to {} can.", problem.length,
                                        stages, ends, stages));
    for (const std::size_t stage : {std::size_t{0}, stages - 1})
        if (capacity(problem, stage) < problem.microbatches && (stage == 0 || stages > 1))
            sentences.push_back(fmt::format(
                "Stage {} is on every path, but its {} nodes hold {} microbatches each, {} in all, of {}. memory={} "
                "is enough.",
                stage, problem.nodes[stage], problem.memory, problem.memory * problem.nodes[stage],
                problem.microbatches, (problem.microbatches + problem.nodes[stage] - 1) / problem.nodes[stage]));
    std::int64_t room = 0;
    for (std::size_t stage = 1; stage + 1 < stages; ++stage)
        room += capacity(problem, stage);
    const std::int64_t visits = std::int64_t{problem.microbatches} * (problem.length - ends);
    if (sentences.empty() && room < visits)
        sentences.push_back(fmt::format(
            "{} microbatches make {} visits to the stages between the first and the last, which have room for {}. At "
            "most {} microbatches fit, or paths of {} stages.",
            problem.microbatches, visits, room, room / std::max(1, problem.length - ends),
            ends + room / problem.microbatches));
    return sentences;
}

namespace {

/// When a node is taken: intervals that neither overlap nor touch, sorted. Most of a node's time is taken without a gap,
/// so there are few.
class Reservations {
public:
    /// The first moment from `from` at which the node is free for `length`.
    Nanoseconds earliest(Nanoseconds from, Nanoseconds length) const
    {
        auto next = std::upper_bound(m_taken.begin(), m_taken.end(), from,
                                     [](Nanoseconds at, const Interval& interval) { return at < interval.end; });
        Nanoseconds start = from;
        while (next != m_taken.end() && next->start < start + length) {
            start = next->end;
            ++next;
        }
        return start;
    }

    /// The interval has to be free.
    void take(Nanoseconds start, Nanoseconds end)
    {
        if (start == end)
            return;
        const auto next = endingFrom(start);
        const bool before = next != m_taken.end() && next->end == start;
        const auto after = before ? std::next(next) : next;
        const bool behind = after != m_taken.end() && after->start == end;
        if (before && behind) {
            next->end = after->end;
            m_taken.erase(after);
        } else if (before) {
            next->end = end;
        } else if (behind) {
            after->start = start;
        } else {
            m_taken.insert(next, {start, end});
        }
    }

    /// What take() has taken.
    void release(Nanoseconds start, Nanoseconds end)
    {
        if (start == end)
            return;
        const auto around = endingFrom(end);
        const Interval whole = *around;
        if (whole.start == start && whole.end == end) {
            m_taken.erase(around);
        } else if (whole.start == start) {
            around->start = end;
        } else if (whole.end == end) {
            around->end = start;
        } else {
            around->start = end;
            m_taken.insert(around, {whole.start, start});
        }
    }

private:
    struct Interval {
        Nanoseconds start;
        Nanoseconds end;
    };

    /// The first interval that ends at `moment` or later.
    std::vector<Interval>::iterator endingFrom(Nanoseconds moment)
    {
        return std::lower_bound(m_taken.begin(), m_taken.end(), moment,
                                [](const Interval& interval, Nanoseconds at) { return interval.end < at; });
    }

    std::vector<Interval> m_taken;
};

using Path = std::vector<PathVisit>;

/// Paths, one microbatch after another, around what is reserved.
class Planner {
public:
    explicit Planner(const PathProblem& problem)
        : m_problem(problem)
        , m_reserved(static_cast<std::size_t>(problem.nodeCount()))
        , m_load(m_reserved.size(), 0)
        , m_room(problem.nodes.size())
        , m_left(problem.microbatches)
        , m_random(problem.seed)
    {
        int node = 0;
        for (const int count : problem.nodes) {
            m_firstNode.push_back(node);
            node += count;
        }
        m_firstNode.push_back(node);
        for (std::size_t stage = 0; stage < m_room.size(); ++stage)
            m_room[stage] = capacity(problem, stage);
    }

    /// Plans one microbatch more and reserves its visits.
    Path plan()
    {
        std::vector<int> stages = m_problem.drawsStages ? drawnStages() : searchedStages();
        Path path = timed(stages);
        for (std::size_t i = 1; m_problem.swaps && i + 2 < stages.size(); ++i) {
            std::swap(stages[i], stages[i + 1]);
            Path other = timed(stages);
            if (other.front().backward < path.front().backward)
                path = std::move(other);
            else
                std::swap(stages[i], stages[i + 1]);
        }
        reserve(path);
        return path;
    }

    void remove(const Path& path)
    {
        for (const PathVisit& visit : path) {
            Reservations& node = m_reserved[static_cast<std::size_t>(visit.node)];
            node.release(visit.forward, visit.forward + forwardTime(visit.stage));
            node.release(visit.backward, visit.backward + backwardTime(visit.stage));
            --m_load[static_cast<std::size_t>(visit.node)];
            ++m_room[static_cast<std::size_t>(visit.stage)];
        }
        ++m_left;
    }

    /// Puts a path back that remove() has taken out.
    void reserve(const Path& path)
    {
        for (const PathVisit& visit : path) {
            Reservations& node = m_reserved[static_cast<std::size_t>(visit.node)];
            node.take(visit.forward, visit.forward + forwardTime(visit.stage));
            node.take(visit.backward, visit.backward + backwardTime(visit.stage));
            ++m_load[static_cast<std::size_t>(visit.node)];
            --m_room[static_cast<std::size_t>(visit.stage)];
        }
        --m_left;
    }

    /// End of the last backward.
    Nanoseconds end(const Path& path) const { return path.front().backward + backwardTime(path.front().stage); }

    std::mt19937_64& random() { return m_random; }

private:
    /// The earliest way to a node as one of a path's visits.
    struct Label {
        Nanoseconds end = never; ///< of the forward there
        int load = 0;            ///< microbatches on the nodes up to here: of two equal ways the emptier one
        int before = -1;         ///< index of the label before

        friend bool operator<(const Label& a, const Label& b)
        {
            return std::pair(a.end, a.load) < std::pair(b.end, b.load);
        }
    };

    Nanoseconds forwardTime(int stage) const { return m_problem.forward[static_cast<std::size_t>(stage)]; }

    Nanoseconds backwardTime(int stage) const { return m_problem.backward[static_cast<std::size_t>(stage)]; }

    Nanoseconds delay(int from, int to) const
    {
        return m_problem.delay.empty() || from == to
                   ? 0
                   : m_problem.delay[static_cast<std::size_t>(from) * m_reserved.size() + static_cast<std::size_t>(to)];
    }

    bool full(int node) const
    {
        return m_problem.memory > 0 && m_load[static_cast<std::size_t>(node)] >= m_problem.memory;
    }

    int stages() const { return static_cast<int>(m_room.size()); }

    /// Every microbatch still to come needs length − 2 different stages between the ends. A stage with room for all
    /// of them is urgent: each skip of it is lost for good. `spare` such skips can be afforded.
    struct Urgency {
        std::vector<int> before; ///< urgent stages before each stage
        int spare = 0;
    };

    Urgency urgency() const
    {
        Urgency result;
        std::int64_t sum = 0;
        int urgent = 0;
        for (int stage = 0; stage < stages(); ++stage) {
            result.before.push_back(urgent);
            if (stage == 0 || stage == stages() - 1)
                continue;
            const int room = m_room[static_cast<std::size_t>(stage)];
            sum += std::min(room, m_left);
            urgent += room >= m_left ? 1 : 0;
        }
        const std::int64_t needed = std::int64_t{m_left} * std::max(0, m_problem.length - 2);
        result.spare = static_cast<int>(std::min<std::int64_t>(std::max<std::int64_t>(sum - needed, 0), urgent));
        if (result.spare >= stages() - m_problem.length) { // more than a path skips: nothing to count
            result.spare = 0;
            std::fill(result.before.begin(), result.before.end(), 0);
        }
        return result;
    }

    /// The stages of the earliest path in ascending order: shortest paths over (visits so far, urgent skips, node).
    /// Arriving earlier never ends later, so one label a state is enough.
    std::vector<int> searchedStages() const
    {
        const int length = m_problem.length;
        if (length == stages()) {
            std::vector<int> all(static_cast<std::size_t>(length));
            std::iota(all.begin(), all.end(), 0);
            return all;
        }
        const Urgency urgent = urgency();
        const int nodes = m_firstNode.back();
        const int skips = urgent.spare + 1;
        std::vector<Label> labels(static_cast<std::size_t>(length * skips * nodes));
        const auto at = [&](int visits, int skipped, int node) {
            return ((visits - 1) * skips + skipped) * nodes + node;
        };
        for (int node = 0; node < m_firstNode[1]; ++node)
            if (!full(node))
                labels[static_cast<std::size_t>(at(1, 0, node))] = {forwardEnd(0, node, 0),
                                                                    m_load[static_cast<std::size_t>(node)], -1};
        for (int stage = 0; stage + 1 < stages(); ++stage)
            for (int visits = std::max(1, length - (stages() - 1 - stage)); visits <= std::min(stage + 1, length - 1);
                 ++visits)
                for (int skipped = 0; skipped < skips; ++skipped)
                    extend(labels, urgent, stage, visits, skipped);
        return traced(labels, at(length, 0, 0), skips * nodes);
    }

    /// From all nodes of a stage to all nodes of the stages after it.
    void extend(std::vector<Label>& labels, const Urgency& urgent, int stage, int visits, int skipped) const
    {
        const int skips = urgent.spare + 1;
        const int left = m_problem.length - visits; // visits still to come
        const int nearest = left == 1 ? stages() - 1 : stage + 1;
        const int farthest = stages() - left;
        for (int next = nearest; next <= farthest; ++next) {
            const int more = skipped + urgentBetween(urgent, stage, next);
            if (more >= skips || (next + 1 < stages() && m_room[static_cast<std::size_t>(next)] == 0))
                continue;
            for (int node = m_firstNode[static_cast<std::size_t>(stage)];
                 node < m_firstNode[static_cast<std::size_t>(stage) + 1]; ++node)
                reach(labels, ((visits - 1) * skips + skipped) * m_firstNode.back() + node, next,
                      (visits * skips + more) * m_firstNode.back());
        }
    }

    /// From one label to all nodes of a stage, whose labels stand from `row`.
    void reach(std::vector<Label>& labels, int from, int stage, int row) const
    {
        const Label left = labels[static_cast<std::size_t>(from)];
        if (left.end >= never)
            return;
        for (int to = m_firstNode[static_cast<std::size_t>(stage)];
             to < m_firstNode[static_cast<std::size_t>(stage) + 1]; ++to) {
            Label& label = labels[static_cast<std::size_t>(row + to)];
            if (full(to) || left.end >= label.end)
                continue;
            const Nanoseconds there = forwardEnd(stage, to, left.end + delay(from % m_firstNode.back(), to));
            label = std::min(label, Label{there, left.load + m_load[static_cast<std::size_t>(to)], from});
        }
    }

    /// Urgent stages strictly between two.
    static int urgentBetween(const Urgency& urgent, int stage, int next)
    {
        return urgent.before[static_cast<std::size_t>(next)] - urgent.before[static_cast<std::size_t>(stage) + 1];
    }

    Nanoseconds forwardEnd(int stage, int node, Nanoseconds from) const
    {
        const Nanoseconds length = forwardTime(stage);
        return m_reserved[static_cast<std::size_t>(node)].earliest(from, length) + length;
    }

    /// Stages of the best label among `count` from `first`.
    std::vector<int> traced(const std::vector<Label>& labels, int first, int count) const
    {
        int best = first;
        for (int i = first; i < first + count; ++i)
            if (labels[static_cast<std::size_t>(i)] < labels[static_cast<std::size_t>(best)])
                best = i;
        std::vector<int> path;
        for (int label = best; label >= 0; label = labels[static_cast<std::size_t>(label)].before) {
            const int node = label % m_firstNode.back();
            const auto after = std::upper_bound(m_firstNode.begin(), m_firstNode.end(), node);
            path.push_back(static_cast<int>(after - m_firstNode.begin()) - 1);
        }
        std::reverse(path.begin(), path.end());
        return path;
    }

    /// Stages between the ends at random, but not so that later microbatches would find no room.
    std::vector<int> drawnStages()
    {
        if (stages() == 1)
            return {0};
        std::vector<int> urgentOnes;
        std::vector<int> others;
        for (int stage = 1; stage + 1 < stages(); ++stage) {
            const int room = m_room[static_cast<std::size_t>(stage)];
            if (room > 0)
                (room >= m_left ? urgentOnes : others).push_back(stage);
        }
        const int middle = m_problem.length - 2;
        const Urgency urgent = urgency();
        const bool counts = std::any_of(urgent.before.begin(), urgent.before.end(), [](int n) { return n > 0; });
        const int must = counts ? std::max(0, static_cast<int>(urgentOnes.size()) - urgent.spare) : 0;
        std::vector<int> chosen;
        while (static_cast<int>(chosen.size()) < middle) {
            if (static_cast<int>(chosen.size()) == must)
                others.insert(others.end(), urgentOnes.begin(), urgentOnes.end());
            std::vector<int>& from = static_cast<int>(chosen.size()) < must ? urgentOnes : others;
            const std::size_t pick = m_random() % from.size();
            chosen.push_back(from[pick]);
            from.erase(from.begin() + static_cast<std::ptrdiff_t>(pick));
        }
        std::sort(chosen.begin(), chosen.end());
        chosen.insert(chosen.begin(), 0);
        chosen.push_back(stages() - 1);
        return chosen;
    }

    /// Nodes and times for given stages: the earliest forwards, and the backwards along the same nodes.
    Path timed(const std::vector<int>& stages) const
    {
        std::vector<std::vector<Label>> labels; // by visit, by node of its stage
        for (std::size_t i = 0; i < stages.size(); ++i) {
            const int first = m_firstNode[static_cast<std::size_t>(stages[i])];
            const int count = m_problem.nodes[static_cast<std::size_t>(stages[i])];
            labels.emplace_back(static_cast<std::size_t>(count));
            for (int node = 0; node < count; ++node) {
                Label& label = labels[i][static_cast<std::size_t>(node)];
                if (full(first + node))
                    continue;
                const int load = m_load[static_cast<std::size_t>(first + node)];
                if (i == 0) {
                    label = {forwardEnd(stages[i], first + node, 0), load, -1};
                    continue;
                }
                const int firstBefore = m_firstNode[static_cast<std::size_t>(stages[i - 1])];
                for (std::size_t before = 0; before < labels[i - 1].size(); ++before) {
                    const Label& left = labels[i - 1][before];
                    if (left.end >= never)
                        continue;
                    const Nanoseconds there =
                        forwardEnd(stages[i], first + node,
                                   left.end + delay(firstBefore + static_cast<int>(before), first + node));
                    label = std::min(label, Label{there, left.load + load, static_cast<int>(before)});
                }
            }
        }
        return withBackwards(stages, labels);
    }

    Path withBackwards(const std::vector<int>& stages, const std::vector<std::vector<Label>>& labels) const
    {
        Path path(stages.size());
        const auto best = std::min_element(labels.back().begin(), labels.back().end());
        auto node = static_cast<int>(best - labels.back().begin());
        for (std::size_t i = stages.size(); i-- > 0;) {
            const Label& label = labels[i][static_cast<std::size_t>(node)];
            path[i] = {stages[i], m_firstNode[static_cast<std::size_t>(stages[i])] + node,
                       label.end - forwardTime(stages[i]), 0};
            node = label.before;
        }
        Nanoseconds free = best->end;
        for (std::size_t i = stages.size(); i-- > 0;) {
            if (i + 1 < stages.size())
                free += delay(path[i + 1].node, path[i].node);
            const Nanoseconds length = backwardTime(stages[i]);
            path[i].backward = m_reserved[static_cast<std::size_t>(path[i].node)].earliest(free, length);
            free = path[i].backward + length;
        }
        return path;
    }

    const PathProblem& m_problem;
    std::vector<int> m_firstNode; // of each stage, and the number of nodes
    std::vector<Reservations> m_reserved;
    std::vector<int> m_load; // microbatches of each node
    std::vector<int> m_room; // microbatches that each stage can still take
    int m_left;              // microbatches without a path
    std::mt19937_64 m_random;
};

struct Quality {
    Nanoseconds finish = 0;
    Nanoseconds sum = 0;

    friend bool operator<(const Quality& a, const Quality& b)
    {
        return std::pair(a.finish, a.sum) < std::pair(b.finish, b.sum);
    }
};

Quality qualityOf(const Planner& planner, const std::vector<Path>& paths)
{
    Quality quality;
    for (const Path& path : paths) {
        quality.finish = std::max(quality.finish, planner.end(path));
        quality.sum += planner.end(path);
    }
    return quality;
}

/// Takes the last path to end and some others out and plans them anew; undoes it when that is no better.
void improve(Planner& planner, std::vector<Path>& paths, Quality& quality)
{
    const std::size_t count = std::min<std::size_t>(paths.size(), 8);
    std::vector<std::size_t> chosen{static_cast<std::size_t>(
        std::max_element(paths.begin(), paths.end(),
                         [&](const Path& a, const Path& b) { return planner.end(a) < planner.end(b); }) -
        paths.begin())};
    while (chosen.size() < count) {
        const std::size_t pick = planner.random()() % paths.size();
        if (std::find(chosen.begin(), chosen.end(), pick) == chosen.end())
            chosen.push_back(pick);
    }
    std::vector<Path> before;
    for (const std::size_t i : chosen) {
        before.push_back(paths[i]);
        planner.remove(paths[i]);
    }
    for (const std::size_t i : chosen)
        paths[i] = planner.plan();
    const Quality now = qualityOf(planner, paths);
    if (now < quality) {
        quality = now;
        return;
    }
    for (const std::size_t i : chosen)
        planner.remove(paths[i]);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        paths[chosen[i]] = before[i];
        planner.reserve(before[i]);
    }
}

} // namespace

PathPlan findPaths(const PathProblem& problem, const Progress& progress)
{
    Planner planner(problem);
    PathPlan plan;
    for (int i = 0; i < problem.microbatches; ++i) {
        progress.check();
        if (i % 16 == 0)
            progress.report(0.5 * i / problem.microbatches, fmt::format("path {} of {}", i, problem.microbatches));
        plan.paths.push_back(planner.plan());
    }
    Quality quality = qualityOf(planner, plan.paths);
    plan.firstFinish = quality.finish;
    for (int round = 0; round < problem.rounds && !problem.drawsStages; ++round) {
        progress.check();
        progress.report(0.5 + 0.5 * round / problem.rounds, fmt::format("round {} of {}", round, problem.rounds));
        improve(planner, plan.paths, quality);
    }
    std::stable_sort(plan.paths.begin(), plan.paths.end(),
                     [](const Path& a, const Path& b) { return a.front().forward < b.front().forward; });
    plan.finish = quality.finish;
    return plan;
}

} // namespace bubblescope
