// What isn't a whole, current, free document is refused with a sentence, and never harmed.

#include "core/base/error.h"
#include "core/trace/document.h"
#include "core/trace/document_file.h"
#include "core/trace/run_writer.h"
#include "tests/core/trace/trace_fixtures.h"

#include <catch2/catch.hpp>
#include <sqlite3.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace bubblescope;
using namespace bubblescope::test;
using Catch::Matchers::Contains;
using Mode = Document::Mode;

namespace {

std::string content(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void put(const std::string& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

void foreignExec(const std::string& path, const char* sql)
{
    sqlite3* database = nullptr;
    sqlite3_open(path.c_str(), &database);
    REQUIRE(sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(database);
}

std::string refusal(const std::string& path, Mode mode = Mode::ReadOnly)
{
    try {
        Document::open(path, mode);
    } catch (const Error& error) {
        return error.what();
    }
    return "opened";
}

constexpr std::array<Migration, 2> twoSteps = {
    Migration{1, "CREATE TABLE run (id INTEGER PRIMARY KEY AUTOINCREMENT, state INTEGER, sentence TEXT); INSERT INTO "
                 "run (state) VALUES (1)"},
    Migration{2, "ALTER TABLE run ADD COLUMN colour TEXT DEFAULT 'red'"},
};

} // namespace

TEST_CASE("an existing file is never overwritten", "[trace]")
{
    const Folder folder;
    put(folder / "thesis.txt", "years of work");
    CHECK_THROWS_WITH(Document::create(folder / "thesis.txt"), Contains("thesis.txt exists already"));
    CHECK(content(folder / "thesis.txt") == "years of work");
    CHECK_THROWS_AS(Document::openOrCreate(folder / "thesis.txt"), Error);
    CHECK(content(folder / "thesis.txt") == "years of work");

    Document::create(folder / "a.bscope").addRun({}, plainTrace(1, 1));
    CHECK_THROWS_AS(Document::create(folder / "a.bscope"), Error);
    CHECK(Document::openOrCreate(folder / "a.bscope").runs().size() == 1);
    CHECK_THROWS_AS(Document::create(folder.path()), Error);
    CHECK_THROWS_WITH(Document::create(folder / "no/a.bscope"), Contains("there is no folder"));

    put(folder / "touched.bscope", "");
    CHECK(refusal(folder / "touched.bscope").find("is empty") != std::string::npos);
    CHECK(Document::openOrCreate(folder / "touched.bscope").runs().empty()); // there was nothing to lose
    CHECK(folder.names() == "a.bscope thesis.txt touched.bscope");
}

TEST_CASE("what isn't a document is refused with a sentence", "[trace]")
{
    const Folder folder;
    Document::create(folder / "a.bscope").addRun({}, plainTrace(8, 4000));
    const std::string whole = content(folder / "a.bscope");
    REQUIRE(whole.size() > 500'000);

    CHECK_THAT(refusal(folder / "none.bscope"), Contains("There is no file"));
    CHECK_THAT(refusal(folder.path()), Contains("is not a file"));
    put(folder / "text", std::string(5000, 'x'));
    CHECK_THAT(refusal(folder / "text"), Contains("is not a Bubblescope document"));
    put(folder / "short", "SQLite");
    CHECK_THAT(refusal(folder / "short"), Contains("is not a Bubblescope document"));
    foreignExec(folder / "other.sqlite", "CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    CHECK_THAT(refusal(folder / "other.sqlite"), Contains("SQLite file of another program"));
    CHECK_THAT(refusal(folder / "other.sqlite", Mode::ReadWrite), Contains("SQLite file of another program"));
    foreignExec(folder / "liar", "CREATE TABLE t (a); PRAGMA application_id = 1113746547; PRAGMA user_version = 1");
    CHECK_THAT(refusal(folder / "liar"), Contains("doesn't have the content"));

    put(folder / "cut", whole.substr(0, whole.size() / 2));
    CHECK_THAT(refusal(folder / "cut"), Contains("is damaged"));
    put(folder / "cut2", whole.substr(0, 16384 + 100));
    CHECK_THAT(refusal(folder / "cut2"), Contains("is damaged"));

    std::filesystem::copy_file(folder / "a.bscope", folder / "newer.bscope");
    foreignExec(folder / "newer.bscope", "PRAGMA user_version = 1000");
    CHECK_THAT(refusal(folder / "newer.bscope"), Contains("newer Bubblescope (document version 1000"));
    CHECK_THAT(refusal(folder / "newer.bscope", Mode::ReadWrite), Contains("newer Bubblescope"));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        CHECK(entry.path().string().find("-lock") == std::string::npos);
}

TEST_CASE("damage in the middle is found when it is read, never a crash", "[trace]")
{
    const Folder folder;
    Document::create(folder / "a.bscope").addRun({}, plainTrace(8, 4000));
    const std::string whole = content(folder / "a.bscope");
    int found = 0;
    for (std::size_t page = 1; page < whole.size() / 16384; page += 4) {
        std::string broken = whole;
        for (std::size_t i = 0; i < 16384; i += 3)
            broken[page * 16384 + i] = static_cast<char>(i * 31 + page);
        put(folder / "b.bscope", broken);
        try {
            const Document document = Document::open(folder / "b.bscope", Mode::ReadOnly);
            const bool sound = document.check().empty();
            const Trace trace = document.readTrace(1);
            found += !sound || trace.spanCount() != 32'000 ? 1 : 0;
        } catch (const Error&) {
            ++found;
        }
    }
    CHECK(found > 0);
}

TEST_CASE("an older document is brought up to date on opening, whole or not at all", "[trace]")
{
    const Folder folder;
    const std::string path = folder / "old.bscope";
    DocumentFile::create(path, std::span(twoSteps).first(1));
    CHECK(DocumentFile::open(path, false, std::span(twoSteps).first(1))->database().integer("PRAGMA user_version") ==
          1);

    SECTION("for writing")
    {
        const auto file = DocumentFile::open(path, true, twoSteps);
        CHECK(file->database().integer("PRAGMA user_version") == 2);
        CHECK(file->database().text("SELECT colour FROM run") == "red");
    }
    SECTION("for reading")
    {
        const auto file = DocumentFile::open(path, false, twoSteps);
        CHECK(file->database().text("SELECT colour FROM run") == "red");
    }
    SECTION("a step that fails leaves the old version")
    {
        const std::array<Migration, 3> broken = {twoSteps[0], twoSteps[1],
                                                 Migration{3, "CREATE TABLE new (a); INSERT INTO missing VALUES (1)"}};
        CHECK_THROWS_AS(DocumentFile::open(path, true, broken), Error);
        CHECK_THROWS_WITH(DocumentFile::open(path, false, broken),
                          Contains("made by an older Bubblescope (document version 1, now 3)"));
        const auto file = DocumentFile::open(path, false, std::span(twoSteps).first(1));
        CHECK(file->database().integer("PRAGMA user_version") == 1);
        CHECK(file->database().integer("SELECT count(*) FROM pragma_table_info('run')") == 3);
    }
    SECTION("then it is too new for the old program")
    {
        DocumentFile::open(path, true, twoSteps);
        CHECK_THROWS_WITH(DocumentFile::open(path, false, std::span(twoSteps).first(1)),
                          Contains("document version 2, this program knows up to 1"));
    }
}

TEST_CASE("a document from before weight versions keeps its runs and takes new ones", "[trace]")
{
    const Folder folder;
    const std::string path = folder / "old.bscope";
    DocumentFile::create(path, migrations().first(1));
    foreignExec(path,
                "INSERT INTO run (label, state, title, recipe, provenance, program_version, host, created_ms, spans, "
                "end_ns) VALUES (1, 1, 'old', '1f1b', '{}', '0', '', 0, 1, 5);"
                "INSERT INTO lane VALUES (1, 0, 0, 0, 0, 1); INSERT INTO span VALUES (1, 0, 2, 0, 3, 1, 4, 6, NULL)");
    Document document = Document::open(path, Mode::ReadWrite);
    const Span old = document.readTrace(1).lanes.at(0).spans.at(0);
    CHECK(toText(old.task) == "4B6");
    CHECK(old.version == noVersion);
    Trace trace = plainTrace(1, 1);
    trace.lanes[0].spans[0].version = 3;
    CHECK(document.readTrace(document.addRun({}, trace)).lanes.at(0).spans.at(0).version == 3);
}

TEST_CASE("the steps of the schema are numbered without gaps", "[trace]")
{
    int number = 0;
    for (const Migration& step : migrations())
        CHECK(step.number == ++number);
}

TEST_CASE("one writes, any number reads", "[trace]")
{
    const Folder folder;
    Document writer = Document::create(folder / "a.bscope");
    CHECK_THAT(refusal(folder / "a.bscope", Mode::ReadWrite),
               Contains("being written by process " + std::to_string(getpid())));
    {
        std::vector<Document> readers;
        for (int i = 0; i < 8; ++i)
            readers.push_back(Document::open(folder / "a.bscope", Mode::ReadOnly));
        writer.addRun({}, plainTrace(3, 100));
        for (const Document& reader : readers)
            CHECK(reader.readTrace(1).spanCount() == 300);
        CHECK_THROWS_WITH(readers[0].addRun({}, Trace()), Contains("open for reading only"));
        CHECK_THROWS_AS(readers[0].deleteNote(1), Error);
        Child child([&](int) {
            if (Document::open(folder / "a.bscope", Mode::ReadOnly).readTrace(1).spanCount() != 300)
                throw std::runtime_error("other content");
            if (refusal(folder / "a.bscope", Mode::ReadWrite).find("being written by process") == std::string::npos)
                throw std::runtime_error("two writers");
        });
        CHECK(child.wait());
        {
            const Document closed = std::move(writer);
        } // while others read it stays as it is
        CHECK(readers[3].readTrace(1).spanCount() == 300);
    }
    CHECK(folder.names() == "a.bscope"); // the last reader made it one file
}

TEST_CASE("a document in a folder that can't be written opens for reading only", "[trace]")
{
    if (geteuid() == 0) {
        // Nothing is forbidden to root, so the child becomes nobody.
        const Folder folder;
        Document::create(folder / "a.bscope").addRun({}, plainTrace(1, 5));
        REQUIRE(chmod(folder.path().c_str(), 0555) == 0);
        Child child([&](int) {
            if (setgid(65534) != 0 || setuid(65534) != 0)
                throw std::runtime_error("can't become nobody");
            if (Document::open(folder / "a.bscope", Mode::ReadOnly).readTrace(1).spanCount() != 5)
                throw std::runtime_error("other content");
            for (const auto& attempt :
                 {std::function<void()>([&] { Document::open(folder / "a.bscope", Mode::ReadWrite); }),
                  std::function<void()>([&] { Document::create(folder / "b.bscope"); })})
                try {
                    attempt();
                    throw std::logic_error("written");
                } catch (const Failure& failure) {
                    if (std::string(failure.what()).find("folder") == std::string::npos)
                        throw;
                }
        });
        CHECK(child.wait());
        return;
    }
    WARN("SKIPPED: needs root to become somebody else");
}

TEST_CASE("a document that was deleted while it is written says so", "[trace]")
{
    const Folder folder;
    Document document = Document::create(folder / "a.bscope");
    const std::unique_ptr<RunWriter> writer = document.record({});
    const std::vector<Span> spans = plainTrace(1, 1).lanes[0].spans;
    writer->append({writer->lane(Device(0)), spans, {}});
    std::filesystem::remove(folder / "a.bscope");
    CHECK_THROWS_WITH(writer->flush(), Contains("was deleted or replaced while it was open"));
    CHECK_THROWS_AS(document.addRun({}, Trace()), Failure);
}

TEST_CASE("a document that can't grow says so and keeps what it has", "[trace]")
{
    const Folder folder;
    const std::string path = folder / "a.bscope";
    DocumentFile::create(path);
    int run = 0;
    {
        Document document = Document::open(path, Mode::ReadWrite);
        run = document.record({})->run();
    }
    const auto file = DocumentFile::open(path, true);
    file->database().exec("PRAGMA max_page_count = 40");
    const Trace trace = plainTrace(4, 4000);
    {
        RunWriter writer(file, run);
        std::size_t stored = 0;
        const auto record = [&](std::size_t until) {
            for (const TraceLane& lane : trace.lanes)
                writer.append({writer.lane(lane.device), std::span(lane.spans).subspan(stored, until - stored), {}});
            stored = until;
            writer.flush();
        };
        record(1000);
        CHECK_THROWS_WITH(record(4000), Contains("the disk is full"));
        CHECK_THROWS_WITH(writer.flush(), Contains("the disk is full")); // nothing is forgotten
        file->database().exec("PRAGMA max_page_count = 100000");         // somebody makes room
        writer.finish({});
    }
    const Document document = Document::open(path, Mode::ReadOnly);
    CHECK(document.check().empty());
    CHECK(toText(document.readTrace(run)) == toText(trace));
}

TEST_CASE("a full disk stops a recording with a sentence and leaves what was committed", "[trace]")
{
    const Folder folder;
    if (mount("bubblescope-test", folder.path().c_str(), "tmpfs", 0, "size=2m") != 0) {
        WARN("SKIPPED: needs the right to mount a small file system");
        return;
    }
    std::int64_t stored = 0;
    {
        Document document = Document::create(folder / "a.bscope");
        const std::unique_ptr<RunWriter> writer = document.record({});
        Nanoseconds time = 0;
        try {
            for (;;) {
                std::vector<Span> spans(2000);
                for (Span& span : spans)
                    span.start = span.end = time++;
                writer->append({writer->lane(Device(0)), spans, {}});
                writer->flush();
                stored += 2000;
            }
        } catch (const Failure& failure) {
            CHECK_THAT(failure.what(), Contains("the disk is full"));
        }
        CHECK(stored > 2000);
        CHECK_THROWS_AS(document.addRun({}, plainTrace(4, 40'000)), Failure);
    }
    {
        const Document document = Document::open(folder / "a.bscope", Mode::ReadOnly);
        CHECK(document.check().empty());
        CHECK(document.run(1).spans == stored);
        CHECK(document.run(1).outcome.state == RunState::Interrupted);
    }
    CHECK(umount(folder.path().c_str()) == 0);
}
