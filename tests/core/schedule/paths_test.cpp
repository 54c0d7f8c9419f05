// The path search of SkipPipe against the constraints of schedules.md 8.3 (numbered in paths.h).

#include "core/schedule/search/paths.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace bubblescope;

namespace {

PathProblem problem(std::vector<int> nodes, int microbatches, int length)
{
    PathProblem made;
    made.forward.assign(nodes.size(), 1);
    made.backward.assign(nodes.size(), 2);
    made.nodes = std::move(nodes);
    made.microbatches = microbatches;
    made.length = length;
    return made;
}

/// First broken constraint of a plan, "" when it keeps all.
std::string broken(const PathProblem& of, const PathPlan& plan)
{
    struct Taken {
        Nanoseconds start;
        Nanoseconds end;
    };

    std::map<int, std::vector<Taken>> taken;
    std::map<int, int> load;
    std::map<int, int> ofStage;
    const int last = static_cast<int>(of.nodes.size()) - 1;
    if (static_cast<int>(plan.paths.size()) != of.microbatches)
        return "a path for each microbatch";
    for (const auto& path : plan.paths) {
        if (path.front().stage != 0 || path.back().stage != last)
            return "C1";
        std::set<int> stages;
        for (std::size_t k = 0; k < path.size(); ++k) {
            const PathVisit& visit = path[k];
            const auto stage = static_cast<std::size_t>(visit.stage);
            const int first = std::accumulate(of.nodes.begin(), of.nodes.begin() + visit.stage, 0);
            if (visit.node < first || visit.node >= first + of.nodes[stage])
                return "a node of the stage";
            stages.insert(visit.stage);
            ++load[visit.node];
            ++ofStage[visit.stage];
            taken[visit.node].push_back({visit.forward, visit.forward + of.forward[stage]});
            taken[visit.node].push_back({visit.backward, visit.backward + of.backward[stage]});
            const auto hop = [&](int from, int to) {
                return of.delay.empty() || from == to ? Nanoseconds{0}
                                                      : of.delay[static_cast<std::size_t>(from * of.nodeCount() + to)];
            };
            if (k + 1 == path.size()) {
                if (visit.backward < visit.forward + of.forward[stage])
                    return "C7";
                continue;
            }
            const PathVisit& next = path[k + 1];
            if (next.forward < visit.forward + of.forward[stage] + hop(visit.node, next.node))
                return "C6";
            if (visit.backward <
                next.backward + of.backward[static_cast<std::size_t>(next.stage)] + hop(next.node, visit.node))
                return "C7";
        }
        if (static_cast<int>(path.size()) != of.length || stages.size() != path.size())
            return "C2";
    }
    for (const auto& [node, count] : load)
        if (of.memory > 0 && count > of.memory)
            return "C3";
    for (const auto& [stage, count] : ofStage)
        if (of.memory > 0 && count > of.memory * of.nodes[static_cast<std::size_t>(stage)])
            return "C4";
    for (auto& [node, intervals] : taken) {
        std::sort(intervals.begin(), intervals.end(), [](const Taken& a, const Taken& b) { return a.start < b.start; });
        for (std::size_t i = 1; i < intervals.size(); ++i)
            if (intervals[i].start < intervals[i - 1].end)
                return "C5";
    }
    return "";
}

} // namespace

TEST_CASE("paths keep every constraint, with memory to spare and with none", "[schedule][paths]")
{
    std::mt19937 random(5); // NOLINT: the same cases every time
    const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    int tight = 0;
    int refused = 0;
    for (int i = 0; i < 400; ++i) {
        PathProblem of = problem(std::vector<int>(static_cast<std::size_t>(pick(1, 7)), 1), pick(1, 14), 1);
        for (std::size_t stage = 0; stage < of.nodes.size(); ++stage) {
            of.nodes[stage] = pick(1, 4);
            of.forward[stage] = pick(1, 5);
            of.backward[stage] = pick(1, 9);
        }
        const int stages = static_cast<int>(of.nodes.size());
        of.length = pick(std::min(2, stages), stages);
        of.memory = pick(0, 1) == 0 ? 0 : pick(1, 8);
        of.swaps = pick(0, 1) == 1;
        of.drawsStages = pick(0, 2) == 0;
        of.seed = static_cast<std::uint64_t>(i);
        of.rounds = 5;
        if (pick(0, 1) == 1)
            for (int hop = 0; hop < of.nodeCount() * of.nodeCount(); ++hop)
                of.delay.push_back(pick(0, 4));
        if (!pathProblems(of).empty()) {
            ++refused;
            continue;
        }
        int room = 0;
        for (int stage = 1; stage + 1 < stages; ++stage)
            room += std::min(of.memory * of.nodes[static_cast<std::size_t>(stage)], of.microbatches);
        tight += of.memory > 0 && room - of.microbatches * (of.length - 2) < stages ? 1 : 0;
        const PathPlan plan = findPaths(of, Progress());
        CAPTURE(i, stages, of.length, of.memory, of.microbatches);
        CHECK(broken(of, plan) == "");
        CHECK(plan.finish <= plan.firstFinish);
    }
    CHECK(tight > 20);
    CHECK(refused > 50);
}

TEST_CASE("the reference's setting: 20 nodes, 6 stages, paths of 4, memory for 3", "[schedule][paths]")
{
    PathProblem of = problem({5, 3, 3, 3, 3, 3}, 6, 4);
    of.memory = 3;
    const PathPlan plan = findPaths(of, Progress());
    CHECK(broken(of, plan) == "");
    // Three nodes of the last stage: two microbatches each. F and B of two take 6 there, after 3 stages there and
    // before 3 back: 3 + 6 + 6 = 15 at least.
    CHECK(plan.finish == 15);
}

TEST_CASE("what no path can satisfy is refused with the numbers that could be", "[schedule][paths]")
{
    PathProblem of = problem({1, 1, 1, 1}, 4, 3);
    of.memory = 3;
    CHECK(pathProblems(of).front() ==
          "Stage 0 is on every path, but its 1 nodes hold 3 microbatches each, 3 in all, of "
          "4. memory=4 is enough.");
    of.nodes = {2, 1, 1, 2};
    of.memory = 2;
    CHECK(pathProblems(of).empty());
    of.length = 4;
    CHECK(pathProblems(of).front() ==
          "4 microbatches make 8 visits to the stages between the first and the last, which "
          "have room for 4. At most 2 microbatches fit, or paths of 3 stages.");
    of.length = 5;
    CHECK(pathProblems(of).front() == "A path of 5 stages can't lead through 4; 2 to 4 can.");
}

TEST_CASE("a search can be cancelled, and reports how far it is", "[schedule][paths]")
{
    PathProblem of = problem({1, 1, 1, 1}, 64, 3);
    int reports = 0;
    Progress progress([&](double fraction, const std::string&) {
        CHECK(fraction >= 0);
        CHECK(fraction <= 1);
        if (++reports == 3)
            progress.cancel();
    });
    CHECK_THROWS_AS(findPaths(of, progress), Cancelled);
    CHECK(reports == 3);
}

TEST_CASE("planning anew shortens what was planned first", "[schedule][paths]")
{
    int better = 0;
    std::mt19937 random(9); // NOLINT: the same cases every time
    for (int i = 0; i < 20; ++i) {
        PathProblem of = problem({2, 2, 1, 2, 2}, 10, 4);
        for (std::size_t stage = 0; stage < of.nodes.size(); ++stage) {
            of.forward[stage] = 1 + static_cast<Nanoseconds>(random() % 4);
            of.backward[stage] = 1 + static_cast<Nanoseconds>(random() % 6);
        }
        const PathPlan plan = findPaths(of, Progress());
        CHECK(broken(of, plan) == "");
        better += plan.finish < plan.firstFinish ? 1 : 0;
    }
    CHECK(better > 5);
}
