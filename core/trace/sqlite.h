// SQLite's C interface with owners and sentences: a connection, a statement, a transaction.
//
// Every failure becomes an Error (the file is not what it should be) or a Failure (it can't be written
// now) that names the file and says what to do.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace bubblescope {

/// A connection. Used by one thread at a time: SQLite's own mutex would be a tenth of all time.
class Database {
public:
    /// `flags` as for sqlite3_open_v2. The path is taken as it is, never as a URI.
    Database(std::string path, int flags);

    const std::string& path() const { return m_path; }

    sqlite3* handle() const { return m_handle.get(); }

    void exec(const char* sql) const;

    std::int64_t integer(const char* sql) const; ///< first column of the first row
    std::string text(const char* sql) const;

    void busyTimeout(int milliseconds) const;
    std::int64_t lastRowId() const;

    /// Throws what the result code means for this file.
    [[noreturn]] void fail(int code) const;

private:
    struct Closer {
        void operator()(sqlite3* handle) const;
    };

    std::string m_path;
    std::unique_ptr<sqlite3, Closer> m_handle;
};

/// A prepared statement. Parameters count from 1, columns from 0.
class Statement {
public:
    Statement(const Database& database, std::string_view sql);

    Statement& bind(int parameter, std::int64_t value);
    Statement& bind(int parameter, std::string_view text); ///< not copied: must live until reset()
    Statement& bindBlob(int parameter, std::string_view bytes);
    Statement& bindNull(int parameter);

    /// True when there is a row.
    bool step();

    /// step() and reset(), for statements without rows.
    void run();

    void reset();

    std::int64_t integer(int column) const;
    std::string text(int column) const;      ///< also blobs
    std::string_view blob(int column) const; ///< valid until the next step() or reset()
    bool isNull(int column) const;

    sqlite3_stmt* handle() const { return m_handle.get(); }

private:
    struct Finalizer {
        void operator()(sqlite3_stmt* handle) const;
    };

    const Database* m_database;
    std::unique_ptr<sqlite3_stmt, Finalizer> m_handle;
};

/// Rolled back unless commit() was reached.
class Transaction {
public:
    enum class Kind : std::uint8_t { Read, Write };

    explicit Transaction(const Database& database, Kind kind = Kind::Write);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    void commit();

private:
    const Database& m_database;
    bool m_open = true;
};

} // namespace bubblescope
