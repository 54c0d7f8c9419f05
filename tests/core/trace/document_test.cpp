#include "core/base/error.h"
#include "core/trace/document.h"
#include "core/trace/run_writer.h"
#include "tests/core/trace/trace_fixtures.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>

using namespace bubblescope;
using namespace bubblescope::test;
using Catch::Matchers::Contains;

namespace {

RunHeader header(const std::string& recipe, std::optional<int> parent = std::nullopt)
{
    RunHeader header;
    header.recipe = recipe;
    header.experiment = R"({"stages":4})";
    header.parent = parent;
    return header;
}

/// What somebody without this program gets.
std::string foreignQuery(const std::string& path, const char* sql)
{
    sqlite3* database = nullptr;
    sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr);
    std::string text;
    const auto row = [](void* into, int columns, char** values, char**) {
        for (int i = 0; i < columns; ++i)
            *static_cast<std::string*>(into) += std::string(i > 0 ? "|" : "") + (values[i] ? values[i] : "NULL");
        *static_cast<std::string*>(into) += "\n";
        return 0;
    };
    sqlite3_exec(database, sql, row, &text, nullptr);
    sqlite3_close(database);
    return text;
}

} // namespace

TEST_CASE("a run comes back from its document as it was", "[trace]")
{
    const Folder folder;
    const Trace trace = richTrace();
    {
        Document document = Document::create(folder / "a.bscope");
        RunHeader first = header("zb-h1");
        first.label = RunLabel::Measured;
        first.title = "my run";
        first.orders = std::string(10'000, 'x');
        first.provenance = R"({"cores":2})";
        first.devices = {"left", "right"};
        REQUIRE(document.addRun(first, trace,
                                {RunState::Failed, "Device 1 died.", R"({"makespan_ns":5})", "[1]", "{}", ""}) == 1);
    }
    CHECK(folder.names() == "a.bscope");

    const Document document = Document::open(folder / "a.bscope", Document::Mode::ReadOnly);
    const RunInfo run = document.run(1);
    CHECK(run.header.label == RunLabel::Measured);
    CHECK(run.header.title == "my run");
    CHECK(run.header.recipe == "zb-h1");
    CHECK(run.header.experiment == R"({"stages":4})");
    CHECK(run.header.orders == std::string(10'000, 'x'));
    CHECK(run.header.provenance == R"({"cores":2})");
    CHECK(run.header.devices == std::vector<std::string>{"left", "right"});
    CHECK_FALSE(run.header.parent);
    CHECK(run.outcome.state == RunState::Failed);
    CHECK(run.outcome.sentence == "Device 1 died.");
    CHECK(run.outcome.summary == R"({"makespan_ns":5})");
    CHECK(run.outcome.losses == "[1]");
    CHECK(run.outcome.verify == "{}");
    CHECK(run.spans == 7);
    CHECK(run.begin == -5);
    CHECK(run.end == 3'000'000'000'200);
    CHECK(run.createdMs > 1'600'000'000'000);
    CHECK(toText(document.readTrace(1)) == toText(trace));
    CHECK(folder.names() == "a.bscope");
}

TEST_CASE("a recorded run equals a stored one", "[trace]")
{
    const Folder folder;
    Document document = Document::create(folder / "a.bscope");
    const std::unique_ptr<RunWriter> writer = document.record(header("1f1b"));
    write(*writer, richTrace());
    writer->flush();
    CHECK(document.run(1).outcome.state == RunState::Recording);
    CHECK(document.run(1).spans == 7);
    writer->finish({});
    CHECK(document.run(1).outcome.state == RunState::Complete);
    CHECK(toText(document.readTrace(1)) == toText(richTrace()));
}

TEST_CASE("a finished run may be restated: other times, another label, the rest as it was", "[trace]")
{
    const Folder folder;
    const Trace trace = richTrace();
    Document document = Document::create(folder / "a.bscope");
    RunHeader measured = header("1f1b");
    measured.label = RunLabel::Measured;
    const int other = document.addRun(header("gpipe"), trace);
    const std::unique_ptr<RunWriter> writer = document.record(measured);
    write(*writer, trace);
    RunOutcome outcome;
    outcome.label = RunLabel::Replayed;
    writer->finish(outcome);
    Trace restated = trace;
    for (TraceLane& lane : restated.lanes)
        for (Span& span : lane.spans)
            span.end += 5;
    document.replaceTrace(writer->run(), restated);
    CHECK(document.run(writer->run()).header.label == RunLabel::Replayed);
    CHECK(document.run(writer->run()).spans == static_cast<std::int64_t>(trace.spanCount()));
    const Trace read = document.readTrace(writer->run());
    REQUIRE(read.spanCount() == trace.spanCount());
    CHECK(read.lanes.front().spans.front().end == trace.lanes.front().spans.front().end + 5);
    CHECK(document.readTrace(other).lanes.front().spans.front().end == trace.lanes.front().spans.front().end);
    CHECK(document.check().empty());
}

TEST_CASE("spans that came in many batches are kept in the order of their lanes", "[trace]")
{
    const Folder folder;
    const Trace trace = plainTrace(5, 700);
    Document document = Document::create(folder / "a.bscope");
    const std::unique_ptr<RunWriter> writer = document.record(header("1f1b"));
    for (std::size_t at = 0; at < 700; at += 35) {
        for (std::size_t lane = trace.lanes.size(); lane-- > 0;) // devices appear in any order
            writer->append(
                {writer->lane(trace.lanes[lane].device), std::span(trace.lanes[lane].spans).subspan(at, 35), {}});
        writer->flush();
    }
    writer->finish({});
    CHECK(toText(document.readTrace(1)) == toText(trace));
}

TEST_CASE("spans out of order are refused, and nothing that came before is lost", "[trace]")
{
    const Folder folder;
    Document document = Document::create(folder / "a.bscope");
    const std::unique_ptr<RunWriter> writer = document.record(header("1f1b"));
    const std::uint32_t lane = writer->lane(Device(0));
    const std::vector<Span> spans = {{10, 20, {}, 0}, {5, 6, {}, 0}};
    writer->append({lane, std::span(spans).first(1), {}});
    CHECK_THROWS_WITH(writer->append({lane, std::span(spans).last(1), {}}), Contains("starts at 5 ns, before"));
    const std::vector<Measurement> one(1);
    CHECK_THROWS_AS(writer->append({lane, std::span(spans).first(1), one}), Failure); // measured, the first one was not
    writer->finish({});
    CHECK(document.run(1).spans == 1);
    CHECK_THROWS_AS(
        document.addRun({}, Trace{{{Device(0), LaneKind::Compute, 0, {spans[0], spans[1]}, {}}}, {}, {}, {""}}),
        Failure);
    CHECK(document.runs().size() == 1);
}

TEST_CASE("runs are listed with their experiments and parents, and keep their numbers", "[trace]")
{
    const Folder folder;
    Document document = Document::create(folder / "a.bscope");
    for (const char* recipe : {"gpipe", "1f1b", "zb-h1"})
        document.addRun(header(recipe), plainTrace(2, 3));
    document.addRun(header("zb-h1", 3), plainTrace(2, 4));
    CHECK(document.experiments().size() == 1);
    CHECK(document.run(4).header.parent == 3);

    document.addNote({0, 3, std::nullopt, 0, 0, "gone with its run", 0});
    document.deleteRun(3);
    document.deleteRun(4);
    CHECK(document.notes().empty());
    CHECK(document.addRun(header("v-half"), plainTrace(1, 1)) == 5);
    std::string list;
    for (const RunInfo& run : document.runs())
        list += fmt::format("{} {} {} spans\n", run.id, run.header.title, run.spans);
    CHECK(list == "1 gpipe 6 spans\n2 1f1b 6 spans\n5 v-half 1 spans\n");
    CHECK_THROWS_WITH(document.run(3), Contains("has no run 3. Its runs are 1, 2, 5."));
    CHECK_THROWS_AS(document.readTrace(3), Error);
    CHECK_THROWS_AS(document.deleteRun(3), Error);
    CHECK_THROWS_AS(document.addRun(header("x", 77), Trace()), Error);
    CHECK_THROWS_AS(document.record(header("x", 77)), Error);

    RunOutcome outcome;
    outcome.summary = "{}";
    document.setOutcome(2, outcome);
    CHECK(document.run(2).outcome.summary == "{}");
    CHECK(foreignQuery(folder / "a.bscope", "SELECT count(*) FROM span; SELECT count(*) FROM lane") == "13\n5\n");
}

TEST_CASE("people with an SQLite shell find the spans", "[trace]")
{
    const Folder folder;
    Document::create(folder / "a.bscope").addRun(header("1f1b"), richTrace());
    CHECK(foreignQuery(folder / "a.bscope", "SELECT * FROM span_text WHERE device = 0 AND lane = 'compute' LIMIT 2") ==
          "1|0|compute|0|-5|10|F|2|70000|3|1|0|NULL\n1|0|compute|0|10|20|I|1|4|0|0|0|NULL\n");
    CHECK(foreignQuery(folder / "a.bscope", "SELECT work FROM span_text WHERE lane = 'collective'") ==
          "naïve \"kernel\", <T>\ngemm_64x64\n");
    CHECK(foreignQuery(folder / "a.bscope",
                       "PRAGMA page_size; PRAGMA journal_mode; PRAGMA user_version; PRAGMA application_id") ==
          fmt::format("16384\ndelete\n{}\n{}\n", migrations().back().number, 0x42626c73));
    // The view spells works as schedules do.
    for (int i = 0; i < workCount; ++i)
        CHECK(foreignQuery(folder / "a.bscope",
                           fmt::format("SELECT substr('FBIWRUsrohlpgcabyxedvtkqz', {}, 1)", i + 1).c_str()) ==
              std::string(1, workName(static_cast<Work>(i)).letter) + "\n");
}

TEST_CASE("notes are kept, changed and deleted", "[trace]")
{
    const Folder folder;
    Document document = Document::create(folder / "a.bscope");
    document.addRun(header("1f1b"), plainTrace(2, 3));
    const std::int64_t first = document.addNote({0, 1, Device(1), 5, 9, "why so late?", 0});
    document.addNote({0, std::nullopt, std::nullopt, 0, 0, "for the seminar", 42});
    CHECK_THROWS_AS(document.addNote({0, 9, std::nullopt, 0, 0, "nowhere", 0}), Error);

    std::vector<Note> notes = document.notes();
    REQUIRE(notes.size() == 2);
    CHECK(notes[0].run == 1);
    CHECK(notes[0].device == Device(1));
    CHECK(notes[0].start == 5);
    CHECK(notes[0].end == 9);
    CHECK(notes[0].createdMs > 0);
    CHECK_FALSE(notes[1].run);
    CHECK_FALSE(notes[1].device);
    CHECK(notes[1].createdMs == 42);

    notes[0].text = "because of the link";
    document.updateNote(notes[0]);
    document.deleteNote(notes[1].id);
    notes = document.notes();
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].id == first);
    CHECK(notes[0].text == "because of the link");
}

TEST_CASE("a copy is a document of its own and replaces a file only when it is whole", "[trace]")
{
    const Folder folder;
    Document document = Document::create(folder / "a.bscope");
    document.addRun(header("1f1b"), richTrace());
    std::ofstream(folder / "b.bscope") << "old";
    document.saveCopy(folder / "b.bscope");
    CHECK(toText(Document::open(folder / "b.bscope", Document::Mode::ReadOnly).readTrace(1)) == toText(richTrace()));
    CHECK_THROWS_WITH(document.saveCopy(folder / "a.bscope"), Contains("this document itself"));
    CHECK_THROWS_AS(document.saveCopy(folder / "nowhere/c.bscope"), Failure);
    CHECK_THROWS_AS(document.saveCopy(folder.path()), Error);
    CHECK(document.check().empty());
}

TEST_CASE("storing a run can be cancelled, and nothing of it is stored", "[trace]")
{
    const Folder folder;
    Document document = Document::create(folder / "a.bscope");
    Progress progress;
    progress.cancel();
    CHECK_THROWS_AS(document.addRun(header("1f1b"), plainTrace(4, 10), {}, progress), Cancelled);
    CHECK(document.runs().empty());
    document.addRun(header("1f1b"), plainTrace(4, 10));
    CHECK_THROWS_AS(document.readTrace(1, progress), Cancelled);
}

TEST_CASE("an address is a path and perhaps a run", "[trace]")
{
    const Folder folder;
    const auto text = [](const std::string& address) {
        const RunAddress parsed = parseRunAddress(address);
        return parsed.path + " | " + (parsed.run ? std::to_string(*parsed.run) : "-");
    };
    CHECK(text("a.bscope") == "a.bscope | -");
    CHECK(text("a.bscope:2") == "a.bscope | 2");
    CHECK(text("runs:old/a.bscope") == "runs:old/a.bscope | -");
    CHECK(text("runs:old/a.bscope:12") == "runs:old/a.bscope | 12");
    CHECK(text("a.bscope:") == "a.bscope: | -");
    CHECK(text("a.bscope:0") == "a.bscope:0 | -");
    CHECK(text("a.bscope:2x") == "a.bscope:2x | -");
    CHECK(text(":7") == ":7 | -");

    Document::create(folder / "a:1").addRun(header("gpipe"), plainTrace(1, 1));
    CHECK(text(folder / "a:1") == (folder / "a:1") + " | -");
    CHECK(text(folder / "a:1:1") == (folder / "a:1") + " | 1");
    CHECK_THROWS_WITH(parseRunAddress(folder / "a:1:one"),
                      Contains("\"one\" in ") && Contains("is not the number of a run"));

    Document document = Document::create(folder / "b.bscope");
    CHECK_THROWS_WITH(resolveRun(document, {folder / "b.bscope", std::nullopt}), Contains("holds no runs yet"));
    CHECK_THROWS_WITH(resolveRun(document, {folder / "b.bscope", 1}), Contains("has no run 1: it holds no runs yet"));
    document.addRun(header("gpipe"), plainTrace(1, 1));
    document.addRun(header("1f1b"), plainTrace(1, 1));
    CHECK(resolveRun(document, {folder / "b.bscope", std::nullopt}).id == 2);
    CHECK(resolveRun(document, {folder / "b.bscope", 1}).header.recipe == "gpipe");
}

TEST_CASE("a large run takes at most 32 bytes a span, everything counted", "[trace]")
{
    const Folder folder;
    const int perLane = 20'000;
    Trace trace = plainTrace(40, perLane);
    for (TraceLane& lane : trace.lanes)
        for (Span& span : lane.spans) { // late enough that a time takes its full size
            span.start += 10'000 * unit;
            span.end += 10'000 * unit;
        }
    RunHeader head = header("1f1b");
    for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane)
        for (int i = 0; i < perLane / 2; ++i)
            head.orders += fmt::format("{0}F{1} {0}B{2} ", lane, i + 15 - lane, i);
    Document::create(folder / "a.bscope").addRun(head, trace);
    const auto bytes = static_cast<double>(std::filesystem::file_size(folder / "a.bscope"));
    CHECK(bytes / (40.0 * perLane) <= 32.0);
}
