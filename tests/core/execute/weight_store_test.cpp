// The versions of a stage's weights: what is put into the module, what is held and when it goes.

#include "core/base/error.h"
#include "core/execute/weight_store.h"
#include "tests/support/toy_model.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace bubblescope;
using namespace bubblescope::test;

namespace {

/// A stage of two blocks, and updates that are easy to follow.
struct HeldStage {
    Arena arena;
    ToyMaker maker;
    std::unique_ptr<StageModule> module = maker.make({.firstBlock = 1, .blocks = 2}, {}, arena);
    WeightStore store;
    std::vector<std::vector<float>> history = {values()}; ///< by version

    explicit HeldStage(std::vector<int> readers, Semantics::Prediction prediction = Semantics::Prediction::None)
        : store(*module, arena, std::move(readers), prediction)
    {
    }

    std::vector<float> values() const
    {
        std::vector<float> all;
        for (const ParameterView& view : module->parameters())
            all.insert(all.end(), view.value, view.value + view.count);
        return all;
    }

    void update()
    {
        store.beginUpdate();
        CHECK(values() == history.back()); // an update starts from the newest
        Buffer& weights = module->weightBuffer();
        for (std::size_t i = 0; i < weights.size() / sizeof(float); ++i)
            weights.floats()[i] += 1 + static_cast<float>(i % 3);
        store.endUpdate();
        history.push_back(values());
    }

    void read(int version)
    {
        store.use(version);
        CHECK(values() == history.at(static_cast<std::size_t>(version)));
        store.release(version);
    }

    std::int64_t sets() const { return arena.liveBytes(MemoryClass::Weight) / (2 * 8 * 8 * 4); }
};

} // namespace

TEST_CASE("versions lie beside each other while somebody will read them, and no longer", "[execute]")
{
    HeldStage stage({3, 2, 0, 1});
    stage.read(0);
    CHECK(stage.sets() == 1);
    stage.update();
    CHECK(stage.sets() == 2);
    stage.read(1);
    stage.read(0);
    stage.update();
    CHECK(stage.sets() == 3);
    stage.read(1);
    CHECK(stage.sets() == 2); // 1 has had its two readers; 0 has one to come
    stage.update();
    CHECK(stage.sets() == 2); // nobody reads 2
    stage.read(0);
    CHECK(stage.sets() == 1);
    stage.read(3);
    CHECK(stage.store.newest() == 3);
    CHECK(stage.sets() == 1); // the newest stays
}

TEST_CASE("a schedule of one version copies nothing", "[execute]")
{
    HeldStage stage({4, 4, 4});
    const std::byte* where = stage.module->weightBuffer().bytes();
    for (int step = 0; step < 2; ++step) {
        for (int i = 0; i < 4; ++i)
            stage.read(step);
        stage.update();
    }
    CHECK(stage.module->weightBuffer().bytes() == where);
    CHECK(stage.arena.peakBytes(MemoryClass::Weight) == 2 * 8 * 8 * 4);
}

TEST_CASE("a version that isn't there is an error that names it", "[execute]")
{
    HeldStage stage({1, 1});
    CHECK_THROWS_WITH(stage.store.use(1), Catch::Contains("version 1") && Catch::Contains("newest is 0"));
    stage.read(0);
    stage.update();
    CHECK_THROWS_AS(stage.store.use(0), Failure);
}

TEST_CASE("a prediction from the last change is there for one task", "[execute]")
{
    HeldStage stage({2, 2}, Semantics::Prediction::Weights);
    stage.store.use(0, 2);
    CHECK(stage.values() == stage.history[0]); // nothing has moved yet
    stage.store.release(0);
    stage.update();
    stage.store.use(1, 2);
    const std::vector<float> ahead = stage.values();
    for (std::size_t i = 0; i < ahead.size(); ++i)
        REQUIRE(ahead[i] == Approx(stage.history[1][i] + 2 * (stage.history[1][i] - stage.history[0][i])));
    stage.store.release(1);
    stage.read(1);
}
