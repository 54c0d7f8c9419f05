// The file under a Document: what it is, which version, who writes it, and how it is left.
//
// Internal to core/trace: Document, RunWriter and RunFollower share it.

#pragma once

#include "core/trace/migrations.h"
#include "core/trace/sqlite.h"
#include "core/trace/writer_lock.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace bubblescope {

class DocumentFile {
public:
    /// In the header of every document: "Bbls".
    static constexpr std::int64_t applicationId = 0x42626c73;

    /// A new document under a name that nothing has yet.
    static void create(const std::string& path, std::span<const Migration> steps = migrations());

    /// See Document::open.
    static std::shared_ptr<DocumentFile> open(const std::string& path, bool write,
                                              std::span<const Migration> steps = migrations());

    ~DocumentFile();
    DocumentFile(const DocumentFile&) = delete;
    DocumentFile& operator=(const DocumentFile&) = delete;

    const std::string& path() const { return m_path; }

    bool writable() const { return m_lock != nullptr; }

    const Database& database() const { return *m_database; }

    /// True while this or another process has the document open for writing. Asked before reading: what
    /// a run says about itself afterwards is at least as new.
    bool beingWritten() const;

    /// Throws Failure when the file under this name is no longer the one that was opened.
    void checkStillThere() const;

    /// Throws Error when it is open for reading only, Failure as checkStillThere().
    void requireWritable() const;

private:
    DocumentFile() = default;

    void openDatabase(std::span<const Migration> steps);
    void bringUpToDate(std::span<const Migration> steps);
    void prepareWriting();

    std::string m_path;                 // as it was given, for sentences
    std::string m_realPath;             // behind links: SQLite keeps its log there
    std::unique_ptr<WriterLock> m_lock; // before the database, so that it outlives it
    std::unique_ptr<Database> m_database;
    std::uint64_t m_inode = 0;
};

} // namespace bubblescope
