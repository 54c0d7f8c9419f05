#include "core/trace/run_table.h"

#include "core/base/error.h"
#include "core/trace/column_cache.h"
#include "core/trace/compress.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <unistd.h>

#ifndef BUBBLESCOPE_VERSION
#define BUBBLESCOPE_VERSION "unknown"
#endif

namespace bubblescope {
namespace {

constexpr const char* columns =
    "id, label, state, sentence, title, recipe, experiment, parent, summary, losses, verify, "
    "provenance, program_version, host, created_ms, spans, begin_ns, end_ns";

std::string hostName()
{
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

/// The row of this experiment, one for all runs that were made from the same JSON.
std::int64_t experimentId(const Database& database, const std::string& json)
{
    Statement insert(database, "INSERT OR IGNORE INTO experiment (json) VALUES (?)");
    insert.bind(1, std::string_view(json)).run();
    Statement find(database, "SELECT id FROM experiment WHERE json = ?");
    find.bind(1, std::string_view(json)).step();
    return find.integer(0);
}

std::string experimentJson(const Database& database, std::int64_t id)
{
    Statement find(database, "SELECT json FROM experiment WHERE id = ?");
    return find.bind(1, id).step() ? find.text(0) : std::string();
}

std::vector<std::string> deviceNames(const Database& database, int run)
{
    Statement find(database, "SELECT device, name FROM device WHERE run = ? ORDER BY device");
    find.bind(1, run);
    std::vector<std::string> names;
    while (find.step()) {
        const auto device = static_cast<std::size_t>(std::clamp<std::int64_t>(find.integer(0), 0, 0xffff));
        names.resize(std::max(names.size(), device + 1));
        names[device] = find.text(1);
    }
    return names;
}

template <class Enum>
Enum bounded(std::int64_t value, Enum last)
{
    return static_cast<Enum>(std::clamp<std::int64_t>(value, 0, static_cast<std::int64_t>(last)));
}

RunInfo rowOf(const Database& database, const Statement& row, bool beingWritten)
{
    RunInfo run;
    run.id = static_cast<int>(row.integer(0));
    run.header.label = bounded(row.integer(1), RunLabel::Imported);
    run.outcome.state = bounded(row.integer(2), RunState::Interrupted);
    run.outcome.sentence = row.text(3);
    run.header.title = row.text(4);
    run.header.recipe = row.text(5);
    if (!row.isNull(6))
        run.header.experiment = experimentJson(database, row.integer(6));
    if (!row.isNull(7))
        run.header.parent = static_cast<int>(row.integer(7));
    run.outcome.summary = row.text(8);
    run.outcome.losses = row.text(9);
    run.outcome.verify = row.text(10);
    run.header.provenance = row.text(11);
    run.programVersion = row.text(12);
    run.host = row.text(13);
    run.createdMs = row.integer(14);
    run.spans = row.integer(15);
    run.begin = row.integer(16);
    run.end = row.integer(17);
    run.header.devices = deviceNames(database, run.id);
    if (run.outcome.state == RunState::Recording && !beingWritten) {
        run.outcome.state = RunState::Interrupted;
        run.outcome.sentence = interruptedSentence;
    }
    return run;
}

} // namespace

std::int64_t nowMs()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

int insertRun(const Database& database, const RunHeader& header)
{
    Statement insert(database, "INSERT INTO run (label, state, title, recipe, experiment, parent, provenance, "
                               "program_version, host, created_ms) VALUES (?,?,?,?,?,?,?,?,?,?)");
    const std::string host = hostName();
    insert.bind(1, static_cast<std::int64_t>(header.label)).bind(2, static_cast<std::int64_t>(RunState::Recording));
    insert.bind(3, std::string_view(header.title.empty() ? header.recipe : header.title));
    insert.bind(4, std::string_view(header.recipe)).bindNull(5).bindNull(6);
    if (!header.experiment.empty())
        insert.bind(5, experimentId(database, header.experiment));
    if (header.parent)
        insert.bind(6, *header.parent);
    insert.bind(7, std::string_view(header.provenance)).bind(8, std::string_view(BUBBLESCOPE_VERSION));
    insert.bind(9, std::string_view(host)).bind(10, nowMs()).run();
    const auto run = static_cast<int>(database.lastRowId());
    if (!header.orders.empty()) {
        const std::string orders = compress(header.orders);
        Statement(database, "INSERT INTO run_orders VALUES (?,?)").bind(1, run).bindBlob(2, orders).run();
    }

    Statement device(database, "INSERT INTO device VALUES (?,?,?)");
    for (std::size_t i = 0; i < header.devices.size(); ++i)
        device.bind(1, run).bind(2, static_cast<std::int64_t>(i)).bind(3, std::string_view(header.devices[i])).run();
    return run;
}

void updateOutcome(const Database& database, int run, const RunOutcome& outcome)
{
    Statement update(database, "UPDATE run SET state = ?, sentence = ?, summary = ?, losses = ?, verify = ?, "
                               "provenance = coalesce(?, provenance), label = coalesce(?, label) WHERE id = ?");
    update.bind(1, static_cast<std::int64_t>(outcome.state))
        .bind(2, std::string_view(outcome.sentence))
        .bind(3, std::string_view(outcome.summary))
        .bind(4, std::string_view(outcome.losses))
        .bind(5, std::string_view(outcome.verify))
        .bindNull(6)
        .bindNull(7)
        .bind(8, run);
    if (!outcome.provenance.empty())
        update.bind(6, std::string_view(outcome.provenance));
    if (outcome.label)
        update.bind(7, static_cast<std::int64_t>(*outcome.label));
    update.run();
}

std::vector<RunInfo> readRuns(const Database& database, bool beingWritten)
{
    Statement select(database, fmt::format("SELECT {} FROM run ORDER BY id", columns));
    std::vector<RunInfo> runs;
    while (select.step())
        runs.push_back(rowOf(database, select, beingWritten));
    return runs;
}

std::optional<RunInfo> readRun(const Database& database, int run, bool beingWritten)
{
    Statement select(database, fmt::format("SELECT {} FROM run WHERE id = ?", columns));
    if (!select.bind(1, run).step())
        return std::nullopt;
    RunInfo info = rowOf(database, select, beingWritten);
    Statement orders(database, "SELECT orders FROM run_orders WHERE run = ?");
    if (orders.bind(1, run).step())
        info.header.orders = decompress(orders.text(0));
    return info;
}

void deleteTraceRows(const Database& database, int run)
{
    dropCache(database, run); // first: then the rows are nobody's copy any more
    for (const char* sql :
         {"DELETE FROM span WHERE run = ?", "DELETE FROM measurement WHERE run = ?",
          "DELETE FROM counter WHERE run = ?", "DELETE FROM link WHERE run = ?", "DELETE FROM lane WHERE run = ?"})
        Statement(database, sql).bind(1, run).run();
}

void deleteRunRows(const Database& database, int run)
{
    deleteTraceRows(database, run);
    for (const char* sql : {"DELETE FROM device WHERE run = ?", "DELETE FROM note WHERE run = ?",
                            "UPDATE run SET parent = NULL WHERE parent = ?", "DELETE FROM run WHERE id = ?"})
        Statement(database, sql).bind(1, run).run();
    database.exec("DELETE FROM experiment WHERE id NOT IN (SELECT experiment FROM run WHERE experiment IS NOT NULL)");
}

} // namespace bubblescope
