// The document: one .bscope file (SQLite) with experiments, runs and notes.
//
//     Document document = Document::openOrCreate("demo.bscope");
//     const int predicted = document.addRun(header, trace, outcome);     // at once, in one transaction
//     std::unique_ptr<RunWriter> writer = document.record(header);       // or while it runs
//     Trace trace = document.readTrace(predicted);
//
// One process writes, any number read. While a document is open for writing it keeps a write-ahead
// log beside it (FILE-wal, FILE-shm) and a lock (FILE-lock); when the last one closes it, it is one
// file again. A writer that is killed leaves the log: the next one to open the document puts it in order.
//
// A Document, with its RunWriters, belongs to one thread at a time; threads that read open it each for
// themselves.
//
// The document's file is never opened by hand: closing any other descriptor of it would drop the locks
// that SQLite holds for this process.

#pragma once

#include "core/base/progress.h"
#include "core/trace/lane_columns.h"
#include "core/trace/migrations.h"
#include "core/trace/run.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bubblescope {

class DocumentFile;
class RunWriter;
struct EncodedColumns;

/// A person's remark on a moment, an interval, or a run as a whole.
struct Note {
    std::int64_t id = 0;
    std::optional<int> run;
    std::optional<Device> device;
    Nanoseconds start = 0;
    Nanoseconds end = 0;
    std::string text;
    std::int64_t createdMs = 0;
};

class Document {
public:
    enum class Mode : std::uint8_t { ReadOnly, ReadWrite };

    /// A new document. Throws Error when there is a file of that name: nothing is ever overwritten.
    static Document create(const std::string& path);

    /// Throws Error with a sentence for a file that is missing, empty, no document, newer than this program,
    /// damaged, or (to write) locked by another process. An older document is brought up to date.
    static Document open(const std::string& path, Mode mode, std::span<const Migration> steps = migrations());

    /// For commands with -o: open(ReadWrite) where the file exists, else create().
    static Document openOrCreate(const std::string& path);

    /// Movable. The last owner (a RunWriter is one too) makes it one file again, unless others still read it.
    Document(Document&&) noexcept = default;
    Document& operator=(Document&&) noexcept = default;
    ~Document() = default;

    const std::string& path() const;
    bool writable() const;

    /// Oldest first, without RunHeader::orders.
    std::vector<RunInfo> runs() const;

    /// Throws Error naming the runs that there are.
    RunInfo run(int id) const;

    /// Throws Error when there is no such run or the file is damaged, Cancelled when progress says so.
    Trace readTrace(int run, const Progress& progress = Progress()) const;

    /// The spans as columns, much smaller than a trace: from the document's cache where it holds a fresh one, otherwise
    /// from the rows. Throws as readTrace().
    TraceColumns readColumns(int run, const Progress& progress = Progress()) const;

    /// A few spans that look like all of them when they are drawn narrow; nothing when the cache holds none.
    std::optional<TraceColumns> readPreview(int run) const;

    bool hasColumnCache(int run) const;

    /// Keeps columns for the next time. False when that can't be: nothing is lost by it.
    bool writeColumnCache(int run, const TraceColumns& columns);
    bool writeColumnCache(int run, const EncodedColumns& columns);

    /// Stores a finished run in one transaction and returns its id. Throws Failure when it can't be written
    /// (nothing of it is stored then), Cancelled when progress says so.
    int addRun(const RunHeader& header, const Trace& trace, const RunOutcome& outcome = {},
               const Progress& progress = Progress());

    /// Begins a run whose spans come while it is recorded. It must be finished before the document is closed.
    std::unique_ptr<RunWriter> record(const RunHeader& header);

    /// Replaces what a run says about its end: summary, losses, …
    void setOutcome(int run, const RunOutcome& outcome);

    /// Puts another trace in the place of a run's: its times were restated when it had ended. One transaction.
    void replaceTrace(int run, const Trace& trace);

    void deleteRun(int run); ///< its children lose their parent, its notes go too

    /// Different experiments (JSON texts) of the document, oldest first.
    std::vector<std::string> experiments() const;

    std::vector<Note> notes() const;
    std::int64_t addNote(const Note& note);
    void updateNote(const Note& note);
    void deleteNote(std::int64_t id);

    /// A text that a program keeps with the document, such as the draft that was edited last; empty when
    /// there is none.
    std::string text(const std::string& key) const;
    void setText(const std::string& key, const std::string& value);

    using Texts = std::vector<std::pair<std::string, std::string>>; ///< keys and values

    /// Writes a compact copy to `path`, with other texts where some are given; replaces a file of that name only
    /// when all is written. Throws Cancelled when progress says so.
    void saveCopy(const std::string& path, const Texts& texts = {}, const Progress& progress = Progress()) const;

    /// Reads everything once; sentences for what is damaged, empty when all is well.
    std::vector<std::string> check() const;

private:
    explicit Document(std::shared_ptr<DocumentFile> file) : m_file(std::move(file)) {}

    std::shared_ptr<DocumentFile> m_file;
};

/// "FILE" or "FILE:RUN". The path may hold colons: only digits after the last one are a run, and only
/// where no file has the whole text as its name.
struct RunAddress {
    std::string path;
    std::optional<int> run;
};

RunAddress parseRunAddress(const std::string& text);

/// The run that an address means: the one it names (Error naming those that there are), otherwise the only
/// or the last one of the document.
RunInfo resolveRun(const Document& document, const RunAddress& address);

} // namespace bubblescope
