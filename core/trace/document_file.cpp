#include "core/trace/document_file.h"

#include "core/base/error.h"
#include "core/trace/run.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace bubblescope {
namespace {

constexpr int busyMs = 5000; // a commit takes milliseconds; a checkpoint of a slow disk may take seconds

std::string realPath(const std::string& path)
{
    std::error_code ignored;
    const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, ignored);
    return ignored || resolved.empty() ? path : resolved.string();
}

bool exists(const std::string& path)
{
    struct stat status {};

    return stat(path.c_str(), &status) == 0;
}

std::uint64_t inodeOf(const std::string& path)
{
    struct stat status {};

    return stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

/// Throws Error when there is nothing that could be a document.
void checkFile(const std::string& path)
{
    struct stat status {};

    if (stat(path.c_str(), &status) != 0) {
        if (errno == EACCES)
            throw Error("{} can't be reached: a folder on its way may not be entered.", path);
        throw Error("There is no file {}.", path);
    }
    if (!S_ISREG(status.st_mode))
        throw Error("{} is not a file.", path);
    if (status.st_size == 0)
        throw Error("{} is empty, so it is not a Bubblescope document.", path);
}

int newestVersion(std::span<const Migration> steps)
{
    return steps.empty() ? 0 : steps.back().number;
}

void migrate(const Database& database, std::span<const Migration> steps)
{
    Transaction transaction(database);
    const std::int64_t version = database.integer("PRAGMA user_version");
    for (const Migration& step : steps)
        if (step.number > version)
            database.exec(std::string(step.sql).c_str());
    database.exec(fmt::format("PRAGMA application_id = {}", DocumentFile::applicationId).c_str());
    database.exec(fmt::format("PRAGMA user_version = {}", newestVersion(steps)).c_str());
    transaction.commit();
}

/// Gives a finished file its name, unless something has that name by now.
void giveName(const std::string& temporary, const std::string& path)
{
    struct stat status {};

    const bool empty = stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
    int result = empty ? rename(temporary.c_str(), path.c_str()) : link(temporary.c_str(), path.c_str());
    if (result != 0 && !empty && (errno == EPERM || errno == EOPNOTSUPP) && !exists(path))
        result = rename(temporary.c_str(), path.c_str()); // a file system without hard links
    const int reason = errno;
    unlink(temporary.c_str());
    if (result == 0)
        return;
    if (reason == EEXIST)
        throw Error("{} exists already. Choose another name, or open it to add to it.", path);
    throw Failure(fmt::format("{} can't be made: {}.", path, std::strerror(reason))); // NOLINT(concurrency-mt-unsafe)
}

} // namespace

void DocumentFile::create(const std::string& path, std::span<const Migration> steps)
{
    struct stat status {};

    if (stat(path.c_str(), &status) == 0 && (!S_ISREG(status.st_mode) || status.st_size > 0))
        throw Error("{} exists already. Choose another name, or open it to add to it.", path);
    const std::string folder = std::filesystem::path(path).parent_path().string();
    if (!folder.empty() && !exists(folder))
        throw Error("{} can't be made: there is no folder {}.", path, folder);

    // Under a name of its own until it is whole, so that nobody ever meets half a document.
    const std::string temporary = fmt::format("{}.new-{}", realPath(path), getpid());
    unlink(temporary.c_str());
    try {
        const Database database(temporary, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
        database.exec("PRAGMA page_size = 16384");
        migrate(database, steps);
    } catch (...) {
        unlink(temporary.c_str());
        throw;
    }
    giveName(temporary, path);
}

std::shared_ptr<DocumentFile> DocumentFile::open(const std::string& path, bool write, std::span<const Migration> steps)
{
    checkFile(path);
    std::shared_ptr<DocumentFile> file(new DocumentFile());
    file->m_path = path;
    file->m_realPath = realPath(path);
    if (write) {
        file->m_lock = std::make_unique<WriterLock>(file->m_realPath);
    } else if ((exists(file->m_realPath + "-wal") || exists(file->m_realPath + "-journal")) && !file->beingWritten()) {
        // A writer died. Whoever opens the document next puts it in order, if it may.
        try {
            open(path, true, steps);
        } catch (const std::runtime_error&) { // then it is read as it is
        }
    }
    file->openDatabase(steps);
    if (write)
        file->prepareWriting();
    return file;
}

void DocumentFile::openDatabase(std::span<const Migration> steps)
{
    m_database = std::make_unique<Database>(m_path, writable() ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
    m_inode = inodeOf(m_path);
    m_database->busyTimeout(busyMs);
    if (m_database->integer("PRAGMA application_id") != applicationId)
        throw Error("{} is not a Bubblescope document: it is an SQLite file of another program. Profiles of other "
                    "programs are read with: bubblescope import",
                    m_path);
    bringUpToDate(steps);
    m_database->integer("SELECT count(*) FROM run"); // are the tables there, is their beginning readable?
}

void DocumentFile::bringUpToDate(std::span<const Migration> steps)
{
    const std::int64_t version = m_database->integer("PRAGMA user_version");
    const int newest = newestVersion(steps);
    if (version > newest)
        throw Error("{} was made by a newer Bubblescope (document version {}, this program knows up to {}). Use that "
                    "version to open it.",
                    m_path, version, newest);
    if (version == newest)
        return;
    if (writable()) {
        migrate(*m_database, steps);
        return;
    }
    // Reading needs today's tables too, so the step is taken for good.
    m_database.reset();
    try {
        open(m_path, true, steps);
    } catch (const std::runtime_error& problem) {
        throw Error("{} was made by an older Bubblescope (document version {}, now {}) and could not be brought up to "
                    "date: {}",
                    m_path, version, newest, problem.what());
    }
    openDatabase(steps);
}

void DocumentFile::prepareWriting()
{
    m_database->exec("PRAGMA cache_size = -65536"); // 64 MiB
    if (m_database->text("PRAGMA journal_mode = WAL") != "wal")
        throw Failure(fmt::format("{} can't be written: its folder doesn't allow a write-ahead log. Copy it to a local "
                                  "disk.",
                                  m_path));
    m_database->exec("PRAGMA synchronous = NORMAL");
    // We hold the lock, so whoever recorded these is gone.
    Statement interrupt(*m_database, "UPDATE run SET state = ?, sentence = ? WHERE state = ?");
    interrupt.bind(1, static_cast<std::int64_t>(RunState::Interrupted))
        .bind(2, std::string_view(interruptedSentence))
        .bind(3, static_cast<std::int64_t>(RunState::Recording))
        .run();
}

DocumentFile::~DocumentFile()
{
    if (!m_database)
        return;
    if (writable()) {
        // One file again. Readers that are still there prevent it; then the last of them does it.
        m_database->busyTimeout(100);
        sqlite3_exec(m_database->handle(), "PRAGMA wal_checkpoint(TRUNCATE)", nullptr, nullptr, nullptr);
        sqlite3_exec(m_database->handle(), "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
        m_database.reset();
        return;
    }
    m_database.reset();
    if (exists(m_realPath + "-wal") && !beingWritten()) {
        try {
            open(m_path, true);
        } catch (const std::exception&) { // a folder that may not be written: nothing is lost, there are more files
        }
    }
}

bool DocumentFile::beingWritten() const
{
    return WriterLock::holder(m_realPath).has_value();
}

void DocumentFile::checkStillThere() const
{
    if (inodeOf(m_path) != m_inode)
        throw Failure(fmt::format("{} was deleted or replaced while it was open. What was recorded since can't be "
                                  "written there any more; save to another file.",
                                  m_path));
}

void DocumentFile::requireWritable() const
{
    if (!writable())
        throw Error("{} is open for reading only.", m_path);
    checkStillThere();
}

} // namespace bubblescope
