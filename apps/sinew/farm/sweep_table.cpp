#include "farm/sweep_table.h"

#include "farm/shared_files.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <unistd.h>

namespace sinew::app {

namespace {

using json = nlohmann::ordered_json;

/// Values of params are texts in the rows; in the table they are numbers where all of them are.
json to_cell(const json& value)
{
    if (!value.is_string())
        return value.is_boolean() ? json(int(value.get<bool>())) : value;
    const std::string text = value;
    double number = 0;
    const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc() || rest != text.data() + text.size())
        return value;
    std::int64_t whole = 0;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), whole);
    return wrong == std::errc() && end == text.data() + text.size() ? json(whole) : json(number);
}

/// The kind that holds every cell of a column, to which they are then brought.
SweepTable::Kind kind_of(const std::vector<std::vector<json>>& rows, std::size_t column)
{
    auto kind = SweepTable::Kind::whole;
    for (const std::vector<json>& row : rows) {
        const json& cell = row[column];
        if (cell.is_string())
            return SweepTable::Kind::text;
        if (cell.is_number_float())
            kind = SweepTable::Kind::real;
    }
    return kind;
}

std::string cell_text(const json& cell)
{
    if (cell.is_null())
        return "";
    if (cell.is_number_float())
        return fmt::format("{}", cell.get<double>());
    return cell.is_string() ? cell.get<std::string>() : cell.dump();
}

std::string csv_cell(const json& cell)
{
    const std::string text = cell_text(cell);
    if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string encode_csv(const SweepTable& table)
{
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        text += (i ? "," : "") + csv_cell(table.columns[i].name);
    text += '\n';
    for (const std::vector<json>& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += (i ? "," : "") + csv_cell(row[i]);
        text += '\n';
    }
    return text;
}

std::string quoted_name(const std::string& name)
{
    std::string quoted = "\"";
    for (const char c : name)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

bool bind(sqlite3_stmt* statement, int index, const json& cell)
{
    if (cell.is_null())
        return sqlite3_bind_null(statement, index) == SQLITE_OK;
    if (cell.is_string()) {
        const std::string text = cell;
        return sqlite3_bind_text(statement, index, text.c_str(), int(text.size()),
                                 SQLITE_TRANSIENT) == SQLITE_OK;
    }
    return (cell.is_number_float()
                ? sqlite3_bind_double(statement, index, cell.get<double>())
                : sqlite3_bind_int64(statement, index, cell.get<std::int64_t>())) == SQLITE_OK;
}

bool fill_database(sqlite3* database, const SweepTable& table)
{
    constexpr const char* kKinds[] = {"INTEGER", "REAL", "TEXT"};
    std::string columns, places;
    for (const SweepTable::Column& column : table.columns) {
        columns += (columns.empty() ? "" : ", ") + quoted_name(column.name) + " " +
                   kKinds[int(column.kind)];
        places += places.empty() ? "?" : ", ?";
    }
    const std::string make =
        "PRAGMA journal_mode = OFF; BEGIN; CREATE TABLE runs (" + columns + ")";
    const std::string insert = "INSERT INTO runs VALUES (" + places + ")";
    sqlite3_stmt* statement = nullptr;
    bool is_good =
        sqlite3_exec(database, make.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK &&
        sqlite3_prepare_v2(database, insert.c_str(), -1, &statement, nullptr) == SQLITE_OK;
    for (std::size_t r = 0; is_good && r < table.rows.size(); ++r) {
        for (std::size_t i = 0; is_good && i < table.columns.size(); ++i)
            is_good = bind(statement, int(i) + 1, table.rows[r][i]);
        is_good = is_good && sqlite3_step(statement) == SQLITE_DONE;
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    return is_good && sqlite3_exec(database, "COMMIT", nullptr, nullptr, nullptr) == SQLITE_OK;
}

/// Made on this machine's own disk: SQLite does not work over networks.
Problems write_database(const std::string& path, const SweepTable& table)
{
    const char* wish = std::getenv("TMPDIR");
    const std::string draft =
        fmt::format("{}/sinew-results-{}.db", wish && *wish ? wish : "/tmp", getpid());
    std::filesystem::remove(draft);
    sqlite3* database = nullptr;
    const bool is_good =
        sqlite3_open(draft.c_str(), &database) == SQLITE_OK && fill_database(database, table);
    const std::string what = is_good ? "" : sqlite3_errmsg(database);
    sqlite3_close(database);
    Problems problems;
    if (!is_good)
        problems = {{.code = "sweep-table",
                     .place = {.file = draft},
                     .what = "the table cannot be written: " + what,
                     .hint = "make room there, or name another folder by TMPDIR"}};
    else
        problems = copy_whole(draft, path);
    std::filesystem::remove(draft);
    return problems;
}

} // namespace

SweepTable gather_results(const SweepFolder& folder, const SweepPlan& plan)
{
    std::vector<json> lines;
    std::map<std::string, std::size_t> index;
    SweepTable table;
    for (std::size_t run = 0; run < plan.runs.size(); ++run) {
        json line = folder.read_row(run).value_or(json());
        if (!line.is_object()) {
            line = {{"run", run}};
            for (const auto& [name, value] : plan.runs[run])
                line[name] = value;
            line["status"] = "open";
        }
        for (const auto& [name, value] : line.items())
            if (index.emplace(name, table.columns.size()).second)
                table.columns.push_back({.name = name});
        lines.push_back(std::move(line));
    }
    const std::size_t hash = index.contains("state_hash") ? index["state_hash"] : SIZE_MAX;
    for (const json& line : lines) {
        std::vector<json>& row = table.rows.emplace_back(table.columns.size());
        for (const auto& [name, value] : line.items())
            row[index[name]] = index[name] == hash ? value : to_cell(value);
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const SweepTable::Kind kind = table.columns[i].kind = kind_of(table.rows, i);
        for (std::vector<json>& row : table.rows)
            if (kind == SweepTable::Kind::text && !row[i].is_null())
                row[i] = cell_text(row[i]);
            else if (kind == SweepTable::Kind::real && row[i].is_number())
                row[i] = row[i].get<double>();
    }
    return table;
}

Problems write_results(const SweepFolder& folder, const SweepTable& table, bool wants_parquet)
{
    Problems problems = write_whole(folder.file("results.csv"), encode_csv(table));
    if (problems.empty())
        problems = write_database(folder.file("results.db"), table);
    if (problems.empty() && wants_parquet)
        problems = write_whole(folder.file("results.parquet"), encode_parquet(table));
    return problems;
}

} // namespace sinew::app
