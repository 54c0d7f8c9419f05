// Cases of real deadlocks, as files with their own sends and receives.

#include "core/schedule/program.h"
#include "core/schedule/registry.h"
#include "core/schedule/torch_csv.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

using namespace bubblescope;

namespace {

CommProgram programFrom(const std::vector<std::string>& rows)
{
    std::string text;
    for (const std::string& row : rows)
        text += row + "\n";
    return programOf(readTorchCsv(text));
}

std::map<int, std::string> blocked(const CommProgram& program, const ProgramResult& result)
{
    std::map<int, std::string> heads;
    for (std::size_t device = 0; device < result.blocked.size(); ++device)
        if (result.blocked[device])
            heads[static_cast<int>(device)] = program.devices[device][*result.blocked[device]].text();
    return heads;
}

std::vector<int> numbers(const std::vector<Device>& devices)
{
    return {devices.begin(), devices.end()};
}

using Heads = std::map<int, std::string>;
using Numbers = std::vector<int>;

} // namespace

TEST_CASE("four ranks hang in a cycle of two whatever the buffering", "[schedule][program]")
{
    const CommProgram program = programFrom({
        "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1",
        "1RECV_F0,1F0,1SEND_F0,1RECV_F1,1F1,1RECV_B0,1SEND_F1,1B0,1SEND_B0,1RECV_B1,1B1,1SEND_B1",
        "2RECV_F0,2F0,2SEND_F0,2RECV_F1,2F1,2SEND_F1,2RECV_B0,2B0,2SEND_B0,2RECV_B1,2B1,2SEND_B1",
        "3RECV_F0,3F0,3B0,3SEND_B0,3RECV_F1,3F1,3B1,3SEND_B1",
    });
    const ProgramCheck check = checkProgram(program);
    CHECK(check.unmatched.empty());
    CHECK(numbers(check.buffered.cycle) == Numbers{1, 2});
    CHECK(numbers(check.buffered.victims) == Numbers{0, 3});
    CHECK(blocked(program, check.buffered) ==
          Heads{{0, "0RECV_B0"}, {1, "1RECV_B0"}, {2, "2RECV_F1"}, {3, "3RECV_F1"}});
    CHECK(numbers(check.rendezvous.cycle) == Numbers{1, 2});
    CHECK(blocked(program, check.rendezvous) ==
          Heads{{0, "0RECV_B0"}, {1, "1RECV_B0"}, {2, "2RECV_F1"}, {3, "3SEND_B0"}});
    CHECK(check.verdict() == "hangs whatever the buffering");
    CHECK(describe(program, check.buffered) ==
          "Devices 1, 2 wait for each other: device 1 at 1RECV_B0, device 2 at 2RECV_F1. "
          "Devices 0, 3 wait because of them (device 0 at 0RECV_B0, device 3 at 3RECV_F1).");
}

TEST_CASE("looped stages on two ranks pass with buffers and hang without", "[schedule][program]")
{
    const CommProgram program = programFrom({
        "0F0,0SEND_F0,0F1,0SEND_F1,2RECV_F0,2F0,2SEND_F0,2RECV_F1,2F1,2SEND_F1",
        "1RECV_F0,1F0,1SEND_F0,1RECV_F1,1F1,1SEND_F1,3RECV_F0,3F0,3RECV_F1,3F1",
    });
    const ProgramCheck check = checkProgram(program);
    CHECK_FALSE(check.buffered.hangs());
    CHECK(check.rendezvous.hangs());
    CHECK(numbers(check.rendezvous.cycle) == Numbers{0, 1});
    CHECK(blocked(program, check.rendezvous) == Heads{{0, "0SEND_F1"}, {1, "1SEND_F0"}});
    CHECK(check.verdict() == "depends on send buffering: small messages pass, large ones hang");
    CHECK_FALSE(check.good());
}

TEST_CASE("a send without a receive is found by counting", "[schedule][program]")
{
    const CommProgram program = programFrom({"0F0,0SEND_F0,0F1,0SEND_F1,0F2,0SEND_F2", "1RECV_F0,1F0,1RECV_F1,1F1"});
    const ProgramCheck check = checkProgram(program);
    REQUIRE(check.unmatched.size() == 1);
    CHECK(check.unmatched[0].action == "0SEND_F2");
    CHECK(check.unmatched[0].missing == "1RECV_F2");
    CHECK(check.unmatched[0].missingCompute == "1F2");
    CHECK(describe(check.unmatched[0]) == "0SEND_F2 on device 0 has no partner: 1RECV_F2 is missing, and so is 1F2.");
    CHECK_FALSE(check.good());
}

TEST_CASE("calls in another order are a mismatch and not a wait", "[schedule][program]")
{
    const CommProgram program = programFrom({"0F0,0F1,0SEND_F0,0SEND_F1", "1RECV_F1,1RECV_F0,1F0,1F1"});
    const ProgramCheck check = checkProgram(program);
    CHECK(check.buffered.good());
    CHECK_FALSE(check.rendezvous.hangs());
    CHECK(check.rendezvous.mismatches.size() == 2);
    CHECK(describe(program, check.rendezvous) ==
          "0SEND_F0 of device 0 meets 1RECV_F1 of device 1, and 1 more like it.");
}

TEST_CASE("grouped calls pass where single ones hang", "[schedule][program]")
{
    // Both devices send first: the classic hang, which one ncclGroup cures.
    const CommProgram program = programFrom(
        {"0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1", "1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1"});
    const ProgramCheck check = checkProgram(program);
    CHECK(numbers(check.rendezvous.cycle) == Numbers{0, 1});
    CHECK(check.grouped.good());
}

TEST_CASE("the naive lowering hangs, ours doesn't", "[schedule][program]")
{
    // ir.md 4: single calls hang for everything but GPipe, grouped ones still for ZB-H2.
    struct Row {
        const char* id;
        bool single;
        bool grouped;
    };

    for (const Row& row :
         {Row{"gpipe", true, true}, Row{"1f1b", false, true}, Row{"zb-h1", false, true}, Row{"zb-h2", false, false}}) {
        CAPTURE(row.id);
        const RecipeRequest request{.parameters = parseRecipe(row.id).parameters};
        const ScheduleCheck check = checkSchedule(buildSchedule(recipe(row.id), request));
        CHECK(check.good());
        REQUIRE(check.naive);
        CHECK(check.naive->buffered.good());
        CHECK(check.naive->unmatched.empty());
        CHECK(check.naive->rendezvous.good() == row.single);
        CHECK(check.naive->grouped.good() == row.grouped);
        REQUIRE(check.lowered);
        CHECK(check.lowered->rendezvous.good());
        CHECK(check.lowered->grouped.good());
    }
}

TEST_CASE("what check says of an order", "[schedule][program]")
{
    const RecipeRequest request{.devices = 2, .microbatches = 2, .parameters = parseRecipe("1f1b").parameters};
    const Schedule schedule = buildSchedule(recipe("1f1b"), request);
    CHECK(toText(checkSchedule(schedule)) ==
          "order: complete, and free of deadlocks with buffered sends\n"
          "our lowering, 4 messages in one global order, in-order rendezvous: no deadlock\n"
          "for information, the naive lowering (receive before its consumer, send after its producer):\n"
          "  in-order rendezvous: Devices 0, 1 wait for each other: device 0 at 0SEND_F1, device 1 at 1SEND_B0.\n"
          "  grouped rendezvous: no deadlock\n");
    CHECK(toJson(checkSchedule(schedule)).at("naive").at("rendezvous").at("blocked").dump() ==
          R"({"0":"0SEND_F1","1":"1SEND_B0"})");
}
