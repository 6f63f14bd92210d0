#pragma once

// A thin hold on SQLite: handles that close themselves, result codes that become problems.

#include "sinew/error.h"

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sinew {
class Hash;
}

namespace sinew::record {

/// One statement: bind, then `next` until it is false, then look whether `is_ok`. A fault sticks:
/// what follows does nothing. The texts and bytes bound must outlive the statement.
class Statement {
public:
    Statement(sqlite3* database, const char* sql);

    Statement& bind(int index, std::int64_t value);
    Statement& bind(int index, int value) { return bind(index, std::int64_t{value}); }
    Statement& bind(int index, double value); ///< what is not a number becomes null
    Statement& bind(int index, std::string_view value);
    Statement& bind(int index, std::span<const std::byte> value);

    /// True while there is a row.
    bool next();
    /// Runs a statement without rows; then it can be bound and run again.
    bool run();
    bool is_ok() const { return code_ == SQLITE_OK; }

    std::int64_t whole(int column) const;
    int small(int column) const; ///< whole, held between the ends of int
    double number(int column) const;
    std::string text(int column) const;
    void add_row(Hash& hash) const;                     ///< all columns, with their kinds
    std::span<const std::byte> bytes(int column) const; ///< until the next call of next()

private:
    void take(int code);

    std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement_;
    int code_ = SQLITE_OK;
};

class Database {
public:
    enum class Access { read, write, create };

    /// Opens the file; whether that went well, `is_open` says. `name` appears in problems.
    Database(const std::string& path, std::string name, Access access);

    bool is_open() const { return code_ == SQLITE_OK; }
    Statement prepare(const char* sql) const { return {database_.get(), sql}; }
    bool run(const char* sql) const { return prepare(sql).run(); }
    /// The first column of the first row, or `otherwise`.
    std::int64_t whole(const char* sql, std::int64_t otherwise) const;

    int code() const; ///< of the last fault
    Problem read_problem() const;
    Problem write_problem() const;

    /// Undoes a transaction that was not committed.
    void roll_back() const;

private:
    void open(const std::string& path, int flags);
    void open_to_read(const std::string& path);
    void distrust() const;

    std::string name_;
    std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
    int code_ = SQLITE_OK;
};

Problem make_problem(const std::string& name, std::string code, std::string what, std::string hint);

} // namespace sinew::record
