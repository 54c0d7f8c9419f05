// The quieter half of a document: experiments, notes, copies, its check, and addresses of runs.

#include "core/base/error.h"
#include "core/trace/document.h"
#include "core/trace/document_file.h"
#include "core/trace/run_table.h"

#include <sqlite3.h>

#include <charconv>
#include <filesystem>
#include <unistd.h>

namespace bubblescope {
namespace {

void bindNote(Statement& statement, const Note& note)
{
    statement.bindNull(1).bindNull(2).bind(3, note.start).bind(4, note.end).bind(5, std::string_view(note.text));
    if (note.run)
        statement.bind(1, *note.run);
    if (note.device)
        statement.bind(2, *note.device);
}

void putText(const Database& database, const std::string& key, const std::string& value)
{
    Statement(database,
              "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
        .bind(1, std::string_view(key))
        .bind(2, std::string_view(value))
        .run();
}

/// A compact copy; SQLite asks every now and then whether somebody still wants it.
void copyTo(const Database& database, const std::string& path, const Progress& progress)
{
    constexpr int steps = 10'000; // of SQLite's machine, between two questions
    const auto cancelled = [](void* of) { return static_cast<const Progress*>(of)->cancelled() ? 1 : 0; };
    sqlite3_progress_handler(database.handle(), steps, cancelled, const_cast<Progress*>(&progress)); // NOLINT: C
    try {
        Statement(database, "VACUUM INTO ?").bind(1, std::string_view(path)).run();
    } catch (const std::runtime_error&) {
        sqlite3_progress_handler(database.handle(), 0, nullptr, nullptr);
        progress.check();
        throw;
    }
    sqlite3_progress_handler(database.handle(), 0, nullptr, nullptr);
}

} // namespace

std::vector<std::string> Document::experiments() const
{
    Statement select(m_file->database(), "SELECT json FROM experiment ORDER BY id");
    std::vector<std::string> texts;
    while (select.step())
        texts.push_back(select.text(0));
    return texts;
}

std::vector<Note> Document::notes() const
{
    Statement select(m_file->database(),
                     "SELECT id, run, device, start_ns, end_ns, text, created_ms FROM note ORDER BY id");
    std::vector<Note> notes;
    while (select.step()) {
        Note note;
        note.id = select.integer(0);
        if (!select.isNull(1))
            note.run = static_cast<int>(select.integer(1));
        if (!select.isNull(2))
            note.device = Device(select.integer(2));
        note.start = select.integer(3);
        note.end = select.integer(4);
        note.text = select.text(5);
        note.createdMs = select.integer(6);
        notes.push_back(std::move(note));
    }
    return notes;
}

std::int64_t Document::addNote(const Note& note)
{
    m_file->requireWritable();
    if (note.run)
        run(*note.run); // throws when there is none
    Statement insert(m_file->database(),
                     "INSERT INTO note (run, device, start_ns, end_ns, text, created_ms) VALUES (?,?,?,?,?,?)");
    bindNote(insert, note);
    insert.bind(6, note.createdMs != 0 ? note.createdMs : nowMs()).run();
    return m_file->database().lastRowId();
}

void Document::updateNote(const Note& note)
{
    m_file->requireWritable();
    Statement update(m_file->database(),
                     "UPDATE note SET run = ?, device = ?, start_ns = ?, end_ns = ?, text = ? WHERE id = ?");
    bindNote(update, note);
    update.bind(6, note.id).run();
}

void Document::deleteNote(std::int64_t id)
{
    m_file->requireWritable();
    Statement(m_file->database(), "DELETE FROM note WHERE id = ?").bind(1, id).run();
}

std::string Document::text(const std::string& key) const
{
    Statement select(m_file->database(), "SELECT value FROM meta WHERE key = ?");
    return select.bind(1, std::string_view(key)).step() ? select.text(0) : std::string();
}

void Document::setText(const std::string& key, const std::string& value)
{
    m_file->requireWritable();
    putText(m_file->database(), key, value);
}

void Document::saveCopy(const std::string& path, const Texts& texts, const Progress& progress) const
{
    std::error_code problem;
    if (std::filesystem::equivalent(path, m_file->path(), problem))
        throw Error("{} is this document itself. Choose another name for the copy.", path);
    if (std::filesystem::is_directory(path, problem))
        throw Error("{} is a folder. Choose a name for the copy in it.", path);
    const std::string temporary = fmt::format("{}.new-{}", path, getpid());
    std::filesystem::remove(temporary, problem);
    try {
        copyTo(m_file->database(), temporary, progress);
        if (!texts.empty()) {
            const Database copy(temporary, SQLITE_OPEN_READWRITE);
            Transaction transaction(copy);
            for (const auto& [key, value] : texts)
                putText(copy, key, value);
            transaction.commit();
        }
        progress.check();
        std::filesystem::rename(temporary, path, problem);
        if (problem)
            throw Failure(fmt::format("{} can't be written: {}.", path, problem.message()));
    } catch (...) {
        std::filesystem::remove(temporary, problem);
        std::filesystem::remove(temporary + "-journal", problem);
        throw;
    }
}

std::vector<std::string> Document::check() const
{
    std::vector<std::string> problems;
    try {
        Statement select(m_file->database(), "PRAGMA integrity_check");
        while (select.step())
            if (const std::string line = select.text(0); line != "ok")
                problems.push_back(line);
    } catch (const Error& error) {
        problems.emplace_back(error.what());
    }
    return problems;
}

RunAddress parseRunAddress(const std::string& text)
{
    std::error_code ignored;
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos || colon == 0 || std::filesystem::exists(text, ignored))
        return {text, std::nullopt};
    const char* first = text.data() + colon + 1;
    const char* last = text.data() + text.size();
    int run = 0;
    const auto [end, status] = std::from_chars(first, last, run);
    const std::string path = text.substr(0, colon);
    if (status == std::errc() && end == last && run >= 1)
        return {path, run};
    // "demo.bscope:x" is a slip in the run, "a:b.bscope" a path.
    if (std::filesystem::exists(path, ignored))
        throw Error("\"{}\" in {} is not the number of a run. Runs are numbered 1, 2, 3, …, as in {}:1.",
                    text.substr(colon + 1), text, path);
    return {text, std::nullopt};
}

RunInfo resolveRun(const Document& document, const RunAddress& address)
{
    if (address.run)
        return document.run(*address.run);
    const std::vector<RunInfo> runs = document.runs();
    if (runs.empty())
        throw Error("{} holds no runs yet. Make one: bubblescope simulate … -o {}", document.path(), document.path());
    return document.run(runs.back().id);
}

} // namespace bubblescope
