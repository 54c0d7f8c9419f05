#include "core/trace/sqlite.h"

#include "core/base/error.h"

#include <sqlite3.h>

namespace bubblescope {

void Database::Closer::operator()(sqlite3* handle) const
{
    sqlite3_close_v2(handle);
}

Database::Database(std::string path, int flags) : m_path(std::move(path))
{
    sqlite3* handle = nullptr;
    const int code =
        sqlite3_open_v2(m_path.c_str(), &handle, flags | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX, nullptr);
    m_handle.reset(handle);
    if (code != SQLITE_OK)
        fail(code);
}

void Database::exec(const char* sql) const
{
    if (const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr); code != SQLITE_OK)
        fail(code);
}

std::int64_t Database::integer(const char* sql) const
{
    Statement statement(*this, sql);
    return statement.step() ? statement.integer(0) : 0;
}

std::string Database::text(const char* sql) const
{
    Statement statement(*this, sql);
    return statement.step() ? statement.text(0) : std::string();
}

void Database::busyTimeout(int milliseconds) const
{
    sqlite3_busy_timeout(handle(), milliseconds);
}

std::int64_t Database::lastRowId() const
{
    return sqlite3_last_insert_rowid(handle());
}

void Database::fail(int code) const
{
    const std::string reason = m_handle ? sqlite3_errmsg(handle()) : sqlite3_errstr(code);
    switch (code & 0xff) {
    case SQLITE_NOTADB:
        throw Error("{} is not a Bubblescope document: its content is not an SQLite file.", m_path);
    case SQLITE_CORRUPT:
        throw Error("{} is damaged ({}). Take a backup copy, or save what can be read with: "
                    "sqlite3 {} .recover",
                    m_path, reason, m_path);
    case SQLITE_FULL:
        throw Failure(fmt::format("{} can't grow: the disk is full. Make room, or write to another disk.", m_path));
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
    case SQLITE_AUTH:
        throw Failure(fmt::format("{} can't be opened or written here ({}). Check that you may write to it and to its "
                                  "folder, or copy it to a folder of yours.",
                                  m_path, reason));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        throw Failure(fmt::format("{} is in use by another program. Try again when that has finished.", m_path));
    case SQLITE_IOERR:
        throw Failure(fmt::format("{} can't be read or written ({}). Is its disk still there?", m_path, reason));
    case SQLITE_NOMEM:
        throw std::bad_alloc();
    default:
        // What is left are statements that don't fit the tables, so the tables aren't ours.
        throw Error("{} doesn't have the content of a Bubblescope document ({}).", m_path, reason);
    }
}

void Statement::Finalizer::operator()(sqlite3_stmt* handle) const
{
    sqlite3_finalize(handle);
}

Statement::Statement(const Database& database, std::string_view sql) : m_database(&database)
{
    sqlite3_stmt* handle = nullptr;
    const int code =
        sqlite3_prepare_v3(database.handle(), sql.data(), static_cast<int>(sql.size()), 0, &handle, nullptr);
    m_handle.reset(handle);
    if (code != SQLITE_OK)
        database.fail(code);
}

Statement& Statement::bind(int parameter, std::int64_t value)
{
    sqlite3_bind_int64(handle(), parameter, value);
    return *this;
}

Statement& Statement::bind(int parameter, std::string_view text)
{
    const char* data = text.data() ? text.data() : "";
    sqlite3_bind_text64(handle(), parameter, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
    return *this;
}

Statement& Statement::bindBlob(int parameter, std::string_view bytes)
{
    sqlite3_bind_blob64(handle(), parameter, bytes.data(), bytes.size(), SQLITE_STATIC);
    return *this;
}

Statement& Statement::bindNull(int parameter)
{
    sqlite3_bind_null(handle(), parameter);
    return *this;
}

bool Statement::step()
{
    const int code = sqlite3_step(handle());
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        return code == SQLITE_ROW;
    // Left in the middle it would block a rollback and refuse new parameters.
    try {
        m_database->fail(code);
    } catch (...) {
        sqlite3_reset(handle());
        throw;
    }
}

void Statement::run()
{
    step();
    sqlite3_reset(handle());
}

void Statement::reset() // NOLINT(readability-make-member-function-const): it changes what the handle stands for
{
    sqlite3_reset(handle());
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(handle(), column);
}

std::string_view Statement::blob(int column) const
{
    const void* data = sqlite3_column_blob(handle(), column);
    return {static_cast<const char*>(data), static_cast<std::size_t>(sqlite3_column_bytes(handle(), column))};
}

std::string Statement::text(int column) const
{
    const void* data = sqlite3_column_blob(handle(), column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle(), column));
    return data ? std::string(static_cast<const char*>(data), size) : std::string();
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(handle(), column) == SQLITE_NULL;
}

Transaction::Transaction(const Database& database, Kind kind) : m_database(database)
{
    m_database.exec(kind == Kind::Write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction()
{
    // SQLite has rolled back by itself after some failures; then there is nothing left to end.
    if (m_open && sqlite3_get_autocommit(m_database.handle()) == 0)
        sqlite3_exec(m_database.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit()
{
    m_database.exec("COMMIT");
    m_open = false;
}

} // namespace bubblescope
