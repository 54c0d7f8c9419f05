// Building blocks: repeated, filled, squeezed and reordered; and typed in by a person.

#include "core/base/error.h"
#include "core/schedule/building_block.h"
#include "core/schedule/registry.h"
#include "tests/core/schedule/sound.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace bubblescope;

namespace {

Schedule build(const std::string& text, int devices, int microbatches, int chunks = 2)
{
    const RecipeSpec spec = parseRecipe(text);
    return buildSchedule(
        recipe(spec.id),
        {.devices = devices, .chunks = chunks, .microbatches = microbatches, .parameters = spec.parameters});
}

std::string refusal(const std::string& text, int devices, int chunks = 2)
{
    try {
        build(text, devices, 8, chunks);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

Costs unitCosts(const Schedule& schedule)
{
    Costs costs(schedule.shape.stages);
    for (const Work work : {Work::Forward, Work::InputGradient, Work::WeightGradient})
        costs.set(work, unit);
    costs.set(Work::Backward, 2 * unit);
    return costs;
}

/// "0F0 0F1 …", one line for each device.
std::string textOf(const std::vector<std::vector<Task>>& orders)
{
    std::string text;
    for (const std::vector<Task>& order : orders) {
        for (const Task& task : order)
            text += toText(task) + (&task == &order.back() ? "\n" : " ");
    }
    return text;
}

/// The block of the head of building_block.h.
BuildingBlock smallV()
{
    BuildingBlock block;
    block.devices = 2;
    block.homes = zigzagHomes(2, 2);
    block.slots = {0, 1, 2, 3, 4, 5, 6, 7};
    return block;
}

} // namespace

TEST_CASE("a block is repeated every period, W take what is free", "[schedule]")
{
    REQUIRE(blockProblems(smallV()).empty());
    SlotTable table(smallV(), 3);
    CHECK(textOf(table.orders()) == "0F0 3F0 3I0 3W0 0F1 0I0 0W0 3F1 3I1 3W1 0F2 0I1 0W1 3F2 3I2 3W2 0I2 0W2\n"
                                    "1F0 2F0 2I0 1I0 1F1 2F1 2W0 1W0 2I1 1I1 1F2 2F2 2W1 1W1 2I2 1I2 2W2 1W2\n");
    CHECK(table.peak() == 4);
    CHECK(table.first(1).peak() == 2);
    CHECK(textOf(table.first(1).orders()) == "0F0 3F0 3I0 3W0 0I0 0W0\n1F0 2F0 2I0 1I0 2W0 1W0\n");
}

TEST_CASE("a block of several microbatches with slots for W: the groups of PipeOffload", "[schedule]")
{
    // p=2, g=2: F of microbatch j on device r at 3j+r, I behind it on the last device, W behind I.
    BuildingBlock block;
    block.devices = 2;
    block.homes = loopedHomes(2, 1);
    block.period = 6;
    block.microbatches = 2;
    block.slots = {0, 3, 1, 4, 2, 5, 4, 7};
    block.weightSlots = {5, 8, 3, 6};
    CHECK(blockProblems(block).empty());
    CHECK(textOf(SlotTable(block, 3).orders()) == "0F0 0F1 0I0 0W0 0F2 0I1 0W1 0I2 0W2\n"
                                                  "1F0 1I0 1W0 1F1 1I1 1W1 1F2 1I2 1W2\n");
}

TEST_CASE("reordering holds no more than the block did", "[schedule]")
{
    for (const int devices : {3, 4, 5, 6})
        for (const int chunks : {1, 2, 3}) {
            CAPTURE(devices, chunks);
            BuildingBlock block;
            block.devices = devices;
            block.homes = zigzagHomes(devices, chunks);
            block.period = 3 * chunks;
            REQUIRE(placeTightly(block));
            REQUIRE(blockProblems(block).empty());
            SlotTable table(block, 12);
            table.placeWeights();
            const int before = table.peak();
            table.reorder(SlotTable::Keep::Nothing);
            CHECK(table.peak() <= before);
            table.squeeze();
            CHECK(table.peak() <= before);
        }
}

TEST_CASE("the family's members can be typed in", "[schedule]")
{
    const auto same = [](const std::string& typed, const std::string& id, int devices) {
        return build(typed, devices, 9).tasks == build(id, devices, 9).tasks;
    };
    CHECK(same("block:offsets=F0:2r;F1:3p-r-2;I1:3p+2r+2;I0:6p-r+1", "v-half", 4));
    CHECK(same("block:offsets=F0:2r;F1:3p-r-2;I1:3p+2r-1;I0:6p-r-2", "v-half", 5));
    CHECK(same("block:offsets=F0:r;F1:2p-r-1;I1:2p+r;I0:4p-r-1", "v-min", 4));
    CHECK(same("block:offsets=F0:0/1/2;F1:5/4/3;I1:8/9/10;I0:13/12/11", "v-min", 3));
    CHECK(same("block:offsets=tight", "v-min", 4));
}

TEST_CASE("typed blocks are sound on a V and looped, split and whole", "[schedule]")
{
    int built = 0;
    for (const char* place : {"v", "looped"})
        for (const char* backward : {"split", "whole"})
            for (const char* reorder : {"yes", "no"})
                for (const int chunks : {1, 2, 3})
                    for (const int devices : {1, 2, 3, 4, 6}) {
                        CAPTURE(place, backward, reorder, chunks, devices);
                        const std::string text =
                            fmt::format("block:place={},backward={},reorder={},period={}", place, backward, reorder,
                                        std::string(backward) == "whole" ? 5 * chunks : 0);
                        if (!refusal(text, devices, chunks).empty())
                            continue;
                        ++built;
                        const Schedule schedule = build(text, devices, 7, chunks);
                        test::simulateSound(schedule, unitCosts(schedule));
                    }
    CHECK(built > 100);
    // 1F1B, typed: two slots per backward.
    const Schedule typed = build("block:offsets=F0:r;B0:3p-2-2r,place=looped,backward=whole,period=3", 4, 8, 1);
    CHECK(test::simulateSound(typed, unitCosts(typed)).makespan() == 33 * unit);
}

TEST_CASE("what is wrong with a typed block is said by name", "[schedule]")
{
    using Catch::Contains;
    // V-Min's offsets without the two slots that p=3 needs: f of device 0 and I of it meet.
    CHECK_THAT(refusal("block:offsets=F0:r;F1:2p-r-1;I1:2p+r;I0:4p-r-1", 3),
               Contains("On device 0, F of stage 0 (slot 0) and I of stage 5 (slot 6) both fall on slot 0 of every 6; "
                        "still free there: 1, 2, 3, 4"));
    CHECK_THAT(refusal("block:offsets=F0:r;F1:2p-r-1;I1:2p+r;I0:r", 4),
               Contains("I of stage 3 (slot 3) on device 3 waits for I of stage 4 (slot 11) on device 3; 12 is its "
                        "earliest slot."));
    CHECK_THAT(refusal("block:offsets=F0:r;F1:2p-r-1;I1:2p+r", 4), Contains("I0 has no slot"));
    CHECK_THAT(refusal("block:offsets=F0:r;F1:2p-r-1;I1:2p+r;I0:4p-r-1;F2:9", 4),
               Contains("'F2:9' isn't a pass and its slot; the passes are F0, F1, I0, I1, W0, W1"));
    CHECK_THAT(refusal("block:offsets=F0:r;F1:2q;I1:2p+r;I0:4p-r-1", 4), Contains("F1:2q isn't a slot"));
    CHECK_THAT(refusal("block:offsets=F0:r;F1:2p--r;I1:2p+r;I0:4p-r-1", 4), Contains("F1:2p--r isn't a slot"));
    CHECK_THAT(refusal("block:offsets=F0:0/1;F1:2p-r-1;I1:2p+r;I0:4p-r-1", 4),
               Contains("F0:0/1 isn't a list of 4 whole numbers"));
    CHECK_THAT(refusal("block:offsets=F0:r;F0:r;F1:2p-r-1;I1:2p+r;I0:4p-r-1", 4), Contains("F0 is given twice"));
    CHECK_THAT(refusal("block:offsets=F0:r;F1:2p-r-1;I1:2p+r;I0:4p-r-1;W0:5p", 4),
               Contains("W of every chunk, or of none"));
    CHECK_THAT(refusal("block:offsets=F0:r;F1:2p-r-1;I1:2p+r;I0:4p-r-1,period=5", 4),
               Contains("the period is 5; 6 is the shortest"));
    CHECK_THAT(refusal("block:period=4", 4), Contains("6 is the shortest"));
    CHECK_THAT(refusal("block:offsets=", 4), Contains("isn't a pass"));
    BuildingBlock block = smallV();
    block.slots.pop_back();
    CHECK_THAT(blockProblems(block).front(), Contains("7 slots are given") && Contains("need 8"));
    block = smallV();
    block.weightSlots = {8, 9, 10, 3};
    CHECK_THAT(fmt::format("{}", fmt::join(blockProblems(block), " ")),
               Contains("W of stage 3 (slot 3) waits for I of stage 3 (slot 4)"));
}
