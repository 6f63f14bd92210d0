#include "record/database.h"

#include "base/hash.h"

#include "record/files.h"
#include "sinew/disks.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace sinew::record {

namespace {

constexpr int kPatience_ms = 5000; // with another program that holds the file

/// The path as a URI, with a promise that nobody changes the file.
std::string immutable_uri(const std::string& path)
{
    std::string uri = "file:";
    for (const char c : path) {
        constexpr char kDigits[] = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) || std::strchr("/._-", c)) {
            uri += c;
            continue;
        }
        uri += '%';
        uri += kDigits[byte >> 4];
        uri += kDigits[byte & 15];
    }
    return uri + "?immutable=1";
}

} // namespace

Problem make_problem(const std::string& name, std::string code, std::string what, std::string hint)
{
    return {.severity = Severity::error,
            .code = std::move(code),
            .place = {.file = name},
            .what = std::move(what),
            .hint = std::move(hint)};
}

// --- statements
// ---------------------------------------------------------------------------------------

Statement::Statement(sqlite3* database, const char* sql) : statement_(nullptr, sqlite3_finalize)
{
    sqlite3_stmt* statement = nullptr;
    take(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr));
    statement_.reset(statement);
}

void Statement::take(int code)
{
    if (code_ == SQLITE_OK)
        code_ = code;
}

Statement& Statement::bind(int index, std::int64_t value)
{
    if (is_ok())
        take(sqlite3_bind_int64(statement_.get(), index, value));
    return *this;
}

Statement& Statement::bind(int index, double value)
{
    if (is_ok())
        take(sqlite3_bind_double(statement_.get(), index, value));
    return *this;
}

Statement& Statement::bind(int index, std::string_view value)
{
    if (is_ok())
        take(sqlite3_bind_text64(statement_.get(), index, value.data() ? value.data() : "",
                                 value.size(), SQLITE_STATIC, SQLITE_UTF8));
    return *this;
}

Statement& Statement::bind(int index, std::span<const std::byte> value)
{
    if (is_ok())
        take(sqlite3_bind_blob64(statement_.get(), index, value.data() ? value.data() : nullptr,
                                 value.size(), SQLITE_STATIC));
    return *this;
}

bool Statement::next()
{
    if (!is_ok())
        return false;
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        take(code);
    return false;
}

bool Statement::run()
{
    while (next()) {
    }
    if (is_ok()) {
        take(sqlite3_reset(statement_.get()));
        take(sqlite3_clear_bindings(statement_.get()));
    }
    return is_ok();
}

std::int64_t Statement::whole(int column) const
{
    return sqlite3_column_int64(statement_.get(), column);
}

int Statement::small(int column) const
{
    return static_cast<int>(std::clamp<std::int64_t>(whole(column), INT_MIN, INT_MAX));
}

double Statement::number(int column) const
{
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL
               ? std::numeric_limits<double>::quiet_NaN()
               : sqlite3_column_double(statement_.get(), column);
}

void Statement::add_row(Hash& hash) const
{
    for (int i = 0; i < sqlite3_column_count(statement_.get()); ++i) {
        const int kind = sqlite3_column_type(statement_.get(), i);
        hash.add(kind);
        if (kind == SQLITE_INTEGER)
            hash.add(whole(i));
        else if (kind == SQLITE_FLOAT)
            hash.add(number(i));
        else if (kind != SQLITE_NULL)
            hash.add(text(i));
    }
}

std::string Statement::text(int column) const
{
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    const int size = sqlite3_column_bytes(statement_.get(), column);
    return text ? std::string(text, static_cast<std::size_t>(size)) : std::string();
}

std::span<const std::byte> Statement::bytes(int column) const
{
    const auto* bytes =
        static_cast<const std::byte*>(sqlite3_column_blob(statement_.get(), column));
    const int size = sqlite3_column_bytes(statement_.get(), column);
    return bytes ? std::span(bytes, static_cast<std::size_t>(size)) : std::span<const std::byte>();
}

// --- the file
// -----------------------------------------------------------------------------------------

Database::Database(const std::string& path, std::string name, Access access)
    : name_(std::move(name)), database_(nullptr, sqlite3_close)
{
    if (access != Access::read) {
        open(path, SQLITE_OPEN_READWRITE | (access == Access::create ? SQLITE_OPEN_CREATE : 0));
        return;
    }
    open_to_read(path);
    if (is_open()) // a reader leaves the log to its writer
        sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

void Database::open_to_read(const std::string& path)
{
    // Over a network files are moved to their place when they are whole: no lock, then.
    if (is_on_network(path) && !has_content(path + "-journal") && !has_content(path + "-wal"))
        return open(immutable_uri(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    open(path, SQLITE_OPEN_READONLY);
    // SQLite opens lazily: look once.
    if (!is_open() || prepare("SELECT count(*) FROM sqlite_schema").next())
        return;
    const int fault = code() & 0xff;
    if (fault != SQLITE_CANTOPEN && fault != SQLITE_READONLY)
        return;
    // A writer killed while it opened or folded its log left a journal: SQLite mends the file with
    // it, where it may write. A file that says it has a log cannot be opened in a folder that
    // cannot be written; where there is no log, it need not be asked for.
    if (has_content(path + "-journal"))
        open(path, SQLITE_OPEN_READWRITE);
    else if (!has_content(path + "-wal"))
        open(immutable_uri(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

void Database::open(const std::string& path, int flags)
{
    sqlite3* database = nullptr;
    code_ = sqlite3_open_v2(path.c_str(), &database, flags, nullptr);
    database_.reset(database);
    if (!is_open())
        return;
    sqlite3_extended_result_codes(database, 1);
    sqlite3_busy_timeout(database, kPatience_ms);
    distrust();
}

/// The file may come from anywhere: nothing in it is run.
void Database::distrust() const
{
    sqlite3* database = database_.get();
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    run("PRAGMA cell_size_check = ON");
    run("PRAGMA mmap_size = 0");
}

std::int64_t Database::whole(const char* sql, std::int64_t otherwise) const
{
    Statement statement = prepare(sql);
    return statement.next() ? statement.whole(0) : otherwise;
}

int Database::code() const
{
    return database_ && code_ == SQLITE_OK ? sqlite3_extended_errcode(database_.get()) : code_;
}

Problem Database::read_problem() const
{
    switch (code() & 0xff) {
    case SQLITE_NOTADB:
        return make_problem(name_, "recording-other-file", "is not a recording",
                            "`sinew run SCRIPT` makes one");
    case SQLITE_BUSY:
        return make_problem(name_, "recording-busy", "another program holds it",
                            "close that program, or try again later");
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return make_problem(name_, "recording-unreadable", "cannot be read",
                            "may you read it? If a file with the ending -wal lies beside it, "
                            "copy both into a folder that you may write");
    case SQLITE_IOERR:
    case SQLITE_FULL:
        return make_problem(name_, "recording-unreadable",
                            std::string("cannot be read: ") + sqlite3_errstr(code()),
                            "is the disk full or gone?");
    case SQLITE_OK:
    case SQLITE_DONE:
    case SQLITE_ROW:
        return make_problem(name_, "recording-damaged",
                            "is damaged: what a recording must hold is missing",
                            "remove it and make it again with `sinew run`");
    default:
        return make_problem(name_, "recording-damaged",
                            std::string("is damaged: ") + sqlite3_errstr(code()),
                            "remove it and make it again with `sinew run`");
    }
}

Problem Database::write_problem() const
{
    const int fault = code();
    const int system = database_ ? sqlite3_system_errno(database_.get()) : 0;
    const std::string reason = system != 0 ? std::strerror(system) : sqlite3_errstr(fault);
    switch (fault & 0xff) {
    case SQLITE_FULL:
        return make_problem(name_, "recording-full", "the disk is full",
                            "free some space, then continue with --resume");
    case SQLITE_IOERR:
        return make_problem(name_, "recording-unwritable", "cannot be written: " + reason,
                            "is the disk full or gone? Fix that, then continue with --resume");
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return make_problem(name_, "recording-unwritable", "cannot be written: " + reason,
                            "may you write in its folder?");
    default: return read_problem();
    }
}

void Database::roll_back() const
{
    if (!sqlite3_get_autocommit(database_.get()))
        run("ROLLBACK");
}

} // namespace sinew::record
