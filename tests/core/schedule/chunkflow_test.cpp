// ChunkFlow: what is packed, what is split, what is computed again, and what that holds.

#include "core/base/error.h"
#include "core/experiment.h"
#include "core/simulate/memory.h"
#include "tests/core/schedule/sound.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace bubblescope;

namespace {

Plan planOf(const std::string& recipe, int stages, int sequences, const std::string& cost = "F=1,B=2,R=1")
{
    Experiment experiment;
    experiment.stages = stages;
    experiment.microbatches = sequences;
    experiment.cost = cost;
    return plan(experiment, parseRecipe(recipe));
}

std::vector<std::vector<int>> cutsOf(const Plan& made)
{
    std::vector<std::vector<int>> cuts;
    for (const SliceCut& cut : made.schedule.slicing.cuts)
        cuts.push_back(cut.sequences.empty() ? cut.lengths : cut.sequences);
    return cuts;
}

std::string refusal(const std::string& recipe, int stages, int sequences)
{
    try {
        planOf(recipe, stages, sequences);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::vector<double> peaksOf(const Plan& made)
{
    std::vector<double> peaks;
    const Timing timing = test::simulateSound(made.schedule, made.costs);
    for (const ActivationCurve& curve : activationCurves(made.schedule, timing, made.deltas, false))
        peaks.push_back(curve.peakActivations() * made.schedule.shape.slices); // in chunks
    return peaks;
}

} // namespace

TEST_CASE("chunkflow splits what is longer than a chunk and packs the rest", "[schedule][chunkflow]")
{
    const Plan made = planOf("chunkflow:chunk=8,lengths=3+20+8+5+2+9+4", 2, 7);
    CHECK(cutsOf(made) ==
          std::vector<std::vector<int>>{{8, 8, 4}, {8, 1}, {8}, {5, 3}, {4, 2}}); // long ones first, bins by first fit
    CHECK(made.schedule.shape.slices == 3);
    CHECK(made.schedule.shape.microbatches == std::vector<int>{5});
    // The list is repeated.
    CHECK(cutsOf(planOf("chunkflow:chunk=8,lengths=3+20", 2, 5)) ==
          std::vector<std::vector<int>>{{8, 8, 4}, {8, 8, 4}, {3, 3}, {3}});
}

TEST_CASE("chunkflow loses no token of drawn sequences and fills its bins", "[schedule][chunkflow]")
{
    for (const int chunk : {1, 7, 16, 64, 100})
        for (const char* seed : {"1", "2", "77"}) {
            CAPTURE(chunk, seed);
            const Plan made = planOf(fmt::format("chunkflow:chunk={},longest=64,seed={}", chunk, seed), 4, 40);
            const Plan whole = planOf(fmt::format("chunkflow:chunk=64,longest=64,seed={}", seed), 4, 40);
            const auto tokens = [](const Plan& of) {
                int sum = 0;
                for (const SliceCut& cut : of.schedule.slicing.cuts)
                    sum = std::accumulate(cut.lengths.begin(), cut.lengths.end(), sum);
                return sum;
            };
            CHECK(tokens(made) == tokens(whole));
            int packed = 0;
            int bins = 0;
            for (const SliceCut& cut : made.schedule.slicing.cuts) {
                for (const int length : cut.lengths)
                    CHECK(length <= chunk);
                if (cut.sequences.empty())
                    continue;
                CHECK(std::accumulate(cut.sequences.begin(), cut.sequences.end(), 0) == cut.lengths.front());
                packed += cut.lengths.front();
                ++bins;
            }
            CHECK(bins <= 2 * packed / chunk + 1); // no two bins fit into one
            test::simulateSound(made.schedule, made.costs);
        }
}

TEST_CASE("chunkflow goes back from the last chunk and recomputes all but the kept ones", "[schedule][chunkflow]")
{
    const Plan made = planOf("chunkflow:chunk=8,keep=2,lengths=32+8", 2, 2);
    CHECK(laneTexts(made.schedule, LaneId(1), false) == std::vector<std::string>{"1F0", "1F0:1", "1F0:2", "1F0:3",
                                                                                 "1B0:3", "1F1", "1B0:2", "1R0:1",
                                                                                 "1B0:1", "1R0", "1B0", "1B1"});
    CHECK(laneTexts(made.schedule, LaneId(0), false).front() == "0F0");
    const Plan all = planOf("chunkflow:chunk=8,keep=4,lengths=32+8", 2, 2);
    CHECK(std::none_of(all.schedule.tasks.begin(), all.schedule.tasks.end(),
                       [](const Task& task) { return task.work == Work::Recompute; }));
}

TEST_CASE("chunkflow's memory follows the kept chunks, not the longest sequence", "[schedule][chunkflow]")
{
    // One device, so that nothing else is in flight: the kept chunks, and what is there for a moment.
    CHECK(peaksOf(planOf("chunkflow:chunk=8,keep=1,lengths=64", 1, 1)) == std::vector<double>{1});
    CHECK(peaksOf(planOf("chunkflow:chunk=8,keep=3,lengths=64", 1, 1)) == std::vector<double>{3});
    CHECK(peaksOf(planOf("chunkflow:chunk=8,keep=8,lengths=64", 1, 1)) == std::vector<double>{8});
    // The price is the forward of the others, once more.
    const auto makespan = [](int keep) {
        const Plan made = planOf(fmt::format("chunkflow:chunk=8,keep={},lengths=64", keep), 1, 1);
        return simulate(made.schedule, made.costs).makespan();
    };
    CHECK(makespan(8) == 3 * unit);
    CHECK(makespan(1) == 3 * unit + unit * 7 / 8);
}

TEST_CASE("chunkflow with sequences of one length is seq1f1b, and with short ones 1F1B", "[schedule][chunkflow]")
{
    const Plan chunks = planOf("chunkflow:chunk=8,keep=4,lengths=32", 4, 6);
    const Plan slices = planOf("seq1f1b:slices=4", 4, 6);
    CHECK(chunks.schedule.tasks == slices.schedule.tasks);
    const Plan packs = planOf("chunkflow:chunk=8,lengths=8", 4, 6);
    const Plan plain = planOf("1f1b", 4, 6);
    CHECK(packs.schedule.tasks == plain.schedule.tasks);
    CHECK(simulate(packs.schedule, packs.costs).makespan() == simulate(plain.schedule, plain.costs).makespan());
}

TEST_CASE("chunkflow refuses what it can't cut and says what it can", "[schedule][chunkflow]")
{
    CHECK(refusal("chunkflow:lengths=8+x", 4, 4).find("64+24+8+8") != std::string::npos);
    CHECK(refusal("chunkflow:chunk=1,lengths=5000", 4, 4).find("chunk=2 would do") != std::string::npos);
    CHECK(refusal("chunkflow:chunk=1,lengths=4096", 1000, 100'000).find("97 sequences would fit") != std::string::npos);
    CHECK(planOf("chunkflow:chunk=64,lengths=8", 4, 4).warnings.size() == 1);
    Experiment experiment;
    experiment.model.layers = 4;
    experiment.model.sequence = 32;
    CHECK_THROWS_WITH(plan(experiment, parseRecipe("chunkflow:lengths=48")), Catch::Contains("48 tokens"));
    CHECK_THROWS_WITH(plan(experiment, parseRecipe("seq1f1b:slices=40")), Catch::Contains("fewer slices"));
}
