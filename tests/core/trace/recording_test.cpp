// Runs that are watched, and runs whose writer dies.

#include "core/base/error.h"
#include "core/trace/document.h"
#include "core/trace/run_follower.h"
#include "core/trace/run_writer.h"
#include "tests/core/trace/trace_fixtures.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>
#include <unistd.h>

using namespace bubblescope;
using namespace bubblescope::test;
using namespace std::chrono_literals;
using Mode = Document::Mode;

namespace {

struct Report {
    std::int64_t appended = 0;
    std::int64_t flushed = 0;
};

/// Records without end on 4 lanes, as an executor does, and reports what must survive.
void recordForever(const std::string& path, int reportTo)
{
    Document document = Document::openOrCreate(path);
    const std::unique_ptr<RunWriter> writer = document.record({});
    std::int64_t appended = 0;
    for (Nanoseconds time = 0;; time += 50) {
        for (int lane = 0; lane < 4; ++lane) {
            std::vector<Span> spans(50);
            for (std::size_t i = 0; i < spans.size(); ++i)
                spans[i] = {time + static_cast<Nanoseconds>(i),
                            time + static_cast<Nanoseconds>(i) + 1,
                            {.stage = Stage(lane)},
                            0};
            writer->append({writer->lane(Device(lane)), spans, {}});
        }
        appended += 200;
        const Report report{appended, writer->flushIfDue() ? appended : -1};
        if (::write(reportTo, &report, sizeof report) != sizeof report)
            return;
        std::this_thread::sleep_for(500us);
    }
}

} // namespace

TEST_CASE("a writer killed at any moment leaves a sound document with all that was flushed", "[trace][slow]")
{
    const Folder folder;
    const std::string path = folder / "a.bscope";
    std::mt19937 random(7);
    int documents = 0;
    for (int round = 1; round <= 30; ++round) {
        Report last;
        {
            Child child([&](int reportTo) { recordForever(path, reportTo); });
            // Every third one dies young: while it makes the document or its run.
            const auto life = std::chrono::milliseconds(round % 3 == 0 ? random() % 12 : 100 + random() % 700);
            std::this_thread::sleep_for(life);
            child.kill();
            Report report;
            while (read(child.reports(), &report, sizeof report) == sizeof report) {
                last.appended = report.appended;
                last.flushed = std::max(last.flushed, report.flushed);
            }
        }
        if (!std::filesystem::exists(path))
            continue; // it died before there was anything
        ++documents;
        const Document document = Document::open(path, Mode::ReadOnly);
        REQUIRE(document.check().empty());
        const std::vector<RunInfo> runs = document.runs();
        if (last.appended == 0)
            continue; // whether its run had begun is its own affair
        REQUIRE_FALSE(runs.empty());
        const RunInfo& run = runs.back();
        CHECK(run.outcome.state == RunState::Interrupted);
        CHECK(run.outcome.sentence == interruptedSentence);
        CHECK(run.spans >= last.flushed);
        const Trace trace = document.readTrace(run.id);
        CHECK(static_cast<std::int64_t>(trace.spanCount()) == run.spans);
        for (const TraceLane& lane : trace.lanes) { // no holes
            REQUIRE_FALSE(lane.spans.empty());
            CHECK(lane.spans.front().start == 0);
            CHECK(lane.spans.back().start == static_cast<Nanoseconds>(lane.spans.size()) - 1);
        }
    }
    CHECK(documents >= 20);
    std::string files = folder.names();
    CHECK(files.find("-wal") == std::string::npos);
}

TEST_CASE("a document whose writer died can be written again and says which run was interrupted", "[trace]")
{
    const Folder folder;
    const std::string path = folder / "a.bscope";
    {
        Child child([&](int reportTo) { recordForever(path, reportTo); });
        Report report;
        while (report.flushed <= 0 && read(child.reports(), &report, sizeof report) == sizeof report) {
        }
        REQUIRE(report.flushed > 0);
        CHECK_THROWS_AS(Document::open(path, Mode::ReadWrite), Error); // it lives
        CHECK(Document::open(path, Mode::ReadOnly).run(1).outcome.state == RunState::Recording);
        child.kill();
    }
    Document document = Document::open(path, Mode::ReadWrite);
    CHECK(document.run(1).outcome.state == RunState::Interrupted);
    CHECK(document.run(1).spans > 0);
    CHECK(document.addRun({}, plainTrace(2, 5)) == 2);
    CHECK(document.check().empty());
}

TEST_CASE("another process sees a run grow, each span once", "[trace]")
{
    const Folder folder;
    const std::string path = folder / "a.bscope";
    const Trace wanted = richTrace();
    RunFollower follower(path, 1);
    CHECK_FALSE(follower.poll().state); // there is no document yet

    Child child([&](int) {
        Document document = Document::create(path);
        std::this_thread::sleep_for(30ms);
        const std::unique_ptr<RunWriter> writer = document.record({});
        const std::uint32_t plain = writer->lane(Device(7));
        for (int i = 0; i < 100; ++i) {
            const std::vector<Span> spans = {{i, i + 1, {.microbatch = Microbatch(i)}, 0},
                                             {i, i + 1, {.microbatch = Microbatch(i)}, 0}};
            writer->append({plain, spans, {}});
            if (i == 50)
                write(*writer, wanted);
            writer->flush();
            std::this_thread::sleep_for(1ms);
        }
        RunOutcome outcome;
        outcome.state = RunState::Cancelled;
        outcome.sentence = "Somebody pressed Cancel.";
        writer->finish(outcome);
    });

    Trace trace;
    int polls = 0;
    RunUpdate update;
    for (const auto until = std::chrono::steady_clock::now() + 60s;
         !update.last && std::chrono::steady_clock::now() < until;) {
        update = follower.poll();
        append(trace, update);
        polls += update.lanes.empty() ? 0 : 1;
        std::this_thread::sleep_for(3ms);
    }
    CHECK(child.wait());
    CHECK(update.state == RunState::Cancelled);
    CHECK(update.sentence == "Somebody pressed Cancel.");
    CHECK(polls >= 2);
    CHECK(toText(trace) == toText(Document::open(path, Mode::ReadOnly).readTrace(1)));
    CHECK(trace.spanCount() == 207);
    const RunUpdate nothing = follower.poll();
    CHECK(nothing.empty());
    CHECK(nothing.last);
}

TEST_CASE("a follower is told that the writer died", "[trace]")
{
    const Folder folder;
    const std::string path = folder / "a.bscope";
    Child child([&](int reportTo) { recordForever(path, reportTo); });
    Report report;
    while (report.flushed <= 0 && read(child.reports(), &report, sizeof report) == sizeof report) {
    }
    RunFollower follower(path, 1);
    Trace trace;
    const RunUpdate first = follower.poll();
    append(trace, first);
    CHECK(first.state == RunState::Recording);
    CHECK_FALSE(first.last);
    child.kill();
    const RunUpdate last = follower.poll();
    append(trace, last);
    CHECK(last.state == RunState::Interrupted);
    CHECK(last.sentence == interruptedSentence);
    CHECK(last.last);
    CHECK(trace.spanCount() == Document::open(path, Mode::ReadOnly).readTrace(1).spanCount());
}

TEST_CASE("a follower of something else than a document says so", "[trace]")
{
    const Folder folder;
    std::ofstream(folder / "text") << "not a document";
    RunFollower follower(folder / "text", 1);
    CHECK_THROWS_AS(follower.poll(), Error);
    Document::create(folder / "a.bscope").addRun({}, plainTrace(1, 1));
    RunFollower other(folder / "a.bscope", 2);
    CHECK_FALSE(other.poll().state); // a run that may come
    RunFollower done(folder / "a.bscope", 1);
    CHECK(done.poll().last);
}

TEST_CASE("a writer that is dropped marks its run interrupted", "[trace]")
{
    const Folder folder;
    Document document = Document::create(folder / "a.bscope");
    {
        const std::unique_ptr<RunWriter> writer = document.record({});
        write(*writer, plainTrace(1, 3));
    }
    CHECK(document.run(1).outcome.state == RunState::Interrupted);
    CHECK(document.run(1).spans == 3);
}

TEST_CASE("a run outlives the document it was begun with", "[trace]")
{
    const Folder folder;
    std::unique_ptr<RunWriter> writer;
    {
        Document document = Document::create(folder / "a.bscope");
        writer = document.record({});
    }
    write(*writer, plainTrace(1, 3));
    writer->finish({});
    writer.reset();
    CHECK(folder.names() == "a.bscope");
    CHECK(Document::open(folder / "a.bscope", Mode::ReadOnly).run(1).outcome.state == RunState::Complete);
}

TEST_CASE("readers on several threads see whole states while a run is written", "[trace][threads]")
{
    const Folder folder;
    const std::string path = folder / "a.bscope";
    Document document = Document::create(path);
    const std::unique_ptr<RunWriter> writer = document.record({});
    std::atomic<bool> stop = false;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i)
        readers.emplace_back([&] {
            while (!stop) {
                const Document reader = Document::open(path, Mode::ReadOnly);
                const Trace trace = reader.readTrace(1);
                for (const TraceLane& lane : trace.lanes)
                    wrong += lane.spans.size() == trace.lanes[0].spans.size() ? 0 : 1;
            }
        });
    const Trace trace = plainTrace(4, 40);
    for (std::size_t i = 0; i < 40; ++i) {
        for (const TraceLane& lane : trace.lanes)
            writer->append({writer->lane(lane.device), std::span(lane.spans).subspan(i, 1), {}});
        writer->flush();
        std::this_thread::sleep_for(2ms);
    }
    stop = true;
    for (std::thread& reader : readers)
        reader.join();
    writer->finish({});
    CHECK(wrong == 0);
    CHECK(toText(document.readTrace(1)) == toText(trace));
}
