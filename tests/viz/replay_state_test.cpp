// The state at a moment and the player: values worked out by hand, and a clock that the test moves.

#include "tests/viz/support.h"
#include "viz/replay/replay_player.h"
#include "viz/replay/replay_state.h"
#include "viz/replay/state_picture.h"

#include <QSignalSpy>

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

constexpr Nanoseconds ms = 1'000'000;

/// "0 1 2": the microbatches in flight on a device.
std::string inFlight(const ReplayRun& run, int device, double units)
{
    QStringList numbers;
    for (const InFlight& entry : run.at(device, static_cast<Nanoseconds>(units * ms)).inFlight)
        numbers << microbatchText(entry);
    return numbers.join(QLatin1Char(' ')).toStdString();
}

std::string running(const ReplayRun& run, int device, double units)
{
    return runningText(run.at(device, static_cast<Nanoseconds>(units * ms)).running, run.run()->trace).toStdString();
}

double live(const ReplayRun& run, int device, double units)
{
    return run.at(device, static_cast<Nanoseconds>(units * ms)).memory->live;
}

} // namespace

TEST_CASE("1F1B, p=4, m=8, F=1, B=2: what runs and what is in flight", "[viz][replay]")
{
    // 0: F0 F1 F2 F3 .. .. .. .. .. .. B0--- F4 B1--- F5 …
    // 1: .. F0 F1 F2 .. .. .. .. B0--- F3 B1--- F4 …
    // 3: .. .. .. F0 B0--- F1 B1--- F2 B2--- …
    const ReplayRun run(test::predicted("1f1b"));
    CHECK(run.devices() == 4);
    CHECK(inFlight(run, 0, 0) == "0"); // a task that begins at the moment has begun
    CHECK(inFlight(run, 0, 2.5) == "0 1 2");
    CHECK(inFlight(run, 0, 11.9) == "0 1 2 3");
    CHECK(inFlight(run, 0, 12) == "1 2 3 4"); // B0 has ended, F4 begins
    CHECK(inFlight(run, 1, 5) == "0 1 2");
    CHECK(inFlight(run, 3, 2.9).empty());
    CHECK(inFlight(run, 3, 5) == "0");
    CHECK(inFlight(run, 3, 6.5) == "1");
    CHECK(inFlight(run, 0, 33).empty());
    CHECK(running(run, 0, 0.5) == "F 0");
    CHECK(running(run, 0, 7) == "idle");
    CHECK(running(run, 0, 11) == "B 0");
    CHECK(running(run, 3, 4) == "B 0");
    CHECK(live(run, 0, 0.5) == 1);
    CHECK(live(run, 0, 11) == 4);
    CHECK(live(run, 3, 11) == 1);
    CHECK(live(run, 0, 33) == 0);
    const MemoryLevel level = *run.at(0, 2 * ms + ms / 2).memory;
    CHECK(level.mostSoFar == 3);
    CHECK(level.peak == 4);
    CHECK(run.at(0, 32 * ms).memory->mostSoFar == 4);
    CHECK(run.at(0, 32 * ms).memory->live == 1);
}

TEST_CASE("ZB-H1, p=4, m=8, F=I=W=1: W frees, as many as 1F1B at most", "[viz][replay]")
{
    // 3: .. .. .. F0 I0 F1 I1 F2 I2 F3 I3 W0 F4 …    2: .. .. F0 F1 .. I0 F2 I1 F3 I2 W0 F4 …
    const ReplayRun run(test::predicted("zb-h1", 4, 8, "F=1,I=1,W=1"));
    CHECK(inFlight(run, 3, 5.5) == "0 1");
    CHECK(inFlight(run, 3, 11.5) == "0 1 2 3");
    CHECK(inFlight(run, 3, 12.5) == "1 2 3 4");
    CHECK(inFlight(run, 2, 9.5) == "0 1 2 3");
    CHECK(inFlight(run, 2, 11.5) == "1 2 3 4");
    CHECK(inFlight(run, 0, 8.5) == "0 1 2 3");
    CHECK(inFlight(run, 0, 9.5) == "1 2 3 4");
    CHECK(running(run, 3, 11.5) == "W 0");
    CHECK(running(run, 0, 4.5) == "idle");
    CHECK(live(run, 3, 11.5) == 4);
    CHECK(run.memoryPeak() == 4);
}

TEST_CASE("a run without a plan tells from its spans what is in flight", "[viz][replay]")
{
    RunView imported;
    imported.trace = test::predicted("zb-h1", 4, 8, "F=1,I=1,W=1")->trace;
    const ReplayRun run(analyse(std::move(imported), nullptr));
    CHECK(inFlight(run, 3, 11.5) == "0 1 2 3");
    CHECK(inFlight(run, 3, 12.5) == "1 2 3 4");
    CHECK(running(run, 3, 11.5) == "W 0");
    CHECK_FALSE(run.at(3, 0).memory);
}

TEST_CASE("a forward that an interrupted run never came back to stays in flight", "[viz][replay]")
{
    RunView broken;
    broken.trace = test::predicted("1f1b")->trace;
    for (TraceLane& lane : broken.trace.lanes)
        lane.spans.erase(
            std::remove_if(lane.spans.begin(), lane.spans.end(), [](const Span& span) { return span.end > 13 * ms; }),
            lane.spans.end());
    const ReplayRun run(analyse(std::move(broken), nullptr));
    CHECK(inFlight(run, 0, 12.5) == "1 2 3 4");
}

TEST_CASE("steps stop at every start and end of a task, in both directions", "[viz][replay]")
{
    std::vector<ReplayRun> runs;
    runs.emplace_back(test::predicted("1f1b", 2, 2)); // 0: F0 F1 . B0- . B1-   1: . F0 B0- F1 B1-
    std::vector<Nanoseconds> stops;
    for (auto stop = nextStop(runs, -1, +1); stop; stop = nextStop(runs, *stop, +1))
        stops.push_back(*stop / ms);
    CHECK(stops == std::vector<Nanoseconds>{0, 1, 2, 4, 5, 6, 7, 9});
    std::vector<Nanoseconds> back;
    for (auto stop = nextStop(runs, 10 * ms, -1); stop; stop = nextStop(runs, *stop, -1))
        back.insert(back.begin(), *stop / ms);
    CHECK(back == stops);
    CHECK_FALSE(nextStop(runs, 9 * ms, +1));
    CHECK_FALSE(nextStop(runs, 0, -1));
    runs.emplace_back(test::predicted("1f1b", 2, 2, "F=1.5,B=3")); // 1.5, 3, …: the nearer one counts
    CHECK(*nextStop(runs, 1 * ms, +1) == ms + ms / 2);
    CHECK(replayRange(runs) == std::pair<Nanoseconds, Nanoseconds>{0, 13 * ms + ms / 2});
}

TEST_CASE("a run that is shifted on the axis is asked at its own time", "[viz][replay]")
{
    std::vector<ReplayRun> runs;
    runs.emplace_back(test::predicted("1f1b"), 100 * ms);
    CHECK(inFlight(runs[0], 0, 102.5) == "0 1 2");
    CHECK(running(runs[0], 0, 111) == "B 0");
    CHECK(live(runs[0], 0, 111) == 4);
    CHECK(inFlight(runs[0], 0, 11).empty());
    CHECK(runs[0].at(0, 102 * ms).inFlight[0].begin == 0);
    CHECK(*nextStop(runs, 0, +1) == 100 * ms);
    CHECK(*nextStop(runs, 102 * ms, +1) == 103 * ms);
    CHECK(*nextStop(runs, 102 * ms, -1) == 101 * ms);
    CHECK(replayRange(runs) == std::pair<Nanoseconds, Nanoseconds>{100 * ms, 133 * ms});
}

TEST_CASE("joined units run as two, other directions are told apart", "[viz][replay]")
{
    const RunPtr dual = test::predicted("dualpipe", 4, 10);
    const ReplayRun run(dual);
    bool joined = false;
    bool both = false;
    for (auto stop = run.next(-1); stop; stop = run.next(*stop))
        for (int device = 0; device < run.devices(); ++device) {
            const DeviceMoment moment = run.at(device, *stop);
            joined = joined || runningText(moment.running, dual->trace).contains(QLatin1String(" + "));
            for (const InFlight& entry : moment.inFlight)
                both = both || microbatchText(entry).endsWith(QLatin1String("@1"));
        }
    CHECK(joined);
    CHECK(both);
}

namespace {

/// A player whose time only the test moves.
struct Played {
    Played()
    {
        player.setClock([this] { return now; });
        player.setRange({0, 33 * ms});
        player.setSpeed(0.01);
    }

    void pass(Nanoseconds time)
    {
        now += time;
        player.tick();
    }

    Nanoseconds now = 777;
    ReplayPlayer player;
};

constexpr Nanoseconds second = 1'000'000'000;

} // namespace

TEST_CASE("the position follows from the clock, however often it is asked", "[viz][replay]")
{
    Played few;
    Played many;
    few.player.play();
    many.player.play();
    few.pass(second);
    for (int i = 0; i < 1000; ++i)
        many.pass(second / 1000);
    CHECK(few.player.position() == 10 * ms);
    CHECK(many.player.position() == 10 * ms);
    for (int i = 0; i < 333; ++i)
        many.pass(3'000'003);                                                  // no frame rate fits; nothing adds up
    CHECK(many.player.position() == 10 * ms + (333 * 3'000'003LL + 50) / 100); // the nearest
}

TEST_CASE("a replay stops at its end and begins again from there", "[viz][replay]")
{
    Played test;
    QSignalSpy playing(&test.player, &ReplayPlayer::playingChanged);
    test.player.play();
    test.pass(4 * second);
    CHECK(test.player.position() == 33 * ms);
    CHECK_FALSE(test.player.playing());
    CHECK(playing.count() == 2);
    test.player.play();
    CHECK(test.player.position() == 0);
    test.pass(second);
    CHECK(test.player.position() == 10 * ms);
}

TEST_CASE("a loop goes on from the begin by as much as it went too far", "[viz][replay]")
{
    Played test;
    test.player.setLoops(true);
    test.player.play();
    test.pass(4 * second); // 40 of 33 ms
    CHECK(test.player.position() == 7 * ms);
    CHECK(test.player.playing());
    test.pass(second);
    CHECK(test.player.position() == 17 * ms);
}

TEST_CASE("another speed, a pause, a seek and a hidden window lose no time and gain none", "[viz][replay]")
{
    Played test;
    test.player.play();
    test.pass(second / 2);
    CHECK(test.player.position() == 5 * ms);
    test.now += second / 2; // not yet ticked
    test.player.setSpeed(0.001);
    CHECK(test.player.position() == 10 * ms);
    test.pass(second);
    CHECK(test.player.position() == 11 * ms);
    test.player.pause();
    test.pass(100 * second);
    CHECK(test.player.position() == 11 * ms);
    test.player.play();
    test.player.setSuspended(true);
    test.pass(100 * second);
    CHECK(test.player.position() == 11 * ms);
    CHECK(test.player.playing());
    test.player.setSuspended(false);
    test.pass(second);
    CHECK(test.player.position() == 12 * ms);
    test.player.seek(20 * ms);
    test.pass(second);
    CHECK(test.player.position() == 21 * ms);
    test.player.setSpeed(7);
    CHECK(test.player.speed() == 1);
    test.player.setSpeed(0);
    CHECK(test.player.speed() == 0.001);
}

TEST_CASE("a shorter range keeps the position inside", "[viz][replay]")
{
    Played test;
    test.player.seek(30 * ms);
    test.player.setRange({0, 20 * ms});
    CHECK(test.player.position() == 20 * ms);
    test.player.setRange({0, 0});
    test.player.play();
    CHECK_FALSE(test.player.playing());
}

TEST_CASE("the first speed lets a replay last ten seconds or more where that is possible", "[viz][replay]")
{
    CHECK(pleasantSpeed(33 * ms) == 0.002); // 16.5 s; at 0.005 it would be 6.6 s
    CHECK(pleasantSpeed(15 * second) == 1);
    CHECK(pleasantSpeed(1 * ms) == 0.001);
}

TEST_CASE("state has places for everything, and says what it left out", "[viz][replay]")
{
    const std::vector<ReplayRun> runs{ReplayRun(test::predicted("1f1b", 8, 32)),
                                      ReplayRun(test::predicted("gpipe", 8, 32))};
    const QFont font;
    const StatePicture whole = layoutState(runs, 31 * ms, QRectF(0, 0, 1400, 0), font);
    REQUIRE(whole.blocks.size() == 2);
    CHECK(whole.blocks[1].title.left() > whole.blocks[0].rows[0].area.right() - 1); // beside each other
    for (const StateBlock& block : whole.blocks) {
        CHECK(block.rows.size() == 8);
        CHECK(block.left == 0);
        for (const StateRow& row : block.rows)
            for (const StateChip& chip : row.chips) {
                CHECK(row.area.contains(chip.place));
                CHECK_FALSE(chip.place.intersects(row.level));
            }
    }
    const StateRow& full = whole.blocks[1].rows[0]; // GPipe holds all 32
    CHECK(full.moment.inFlight.size() == 32);
    REQUIRE(full.chips.size() == 1); // no room for each
    CHECK(chipText(full, full.chips[0]) == QStringLiteral("0–31"));
    CHECK(full.hidden == 0);
    const StatePicture little = layoutState(runs, 31 * ms, QRectF(0, 0, 1400, whole.height / 2), font);
    CHECK(little.blocks[0].left > 0);
    CHECK(little.height <= whole.height / 2 + 1);
    const StatePicture narrow = layoutState(runs, 31 * ms, QRectF(0, 0, 500, 0), font);
    CHECK(narrow.blocks[1].title.top() > narrow.blocks[0].rows.back().area.bottom() - 1); // below each other
}
