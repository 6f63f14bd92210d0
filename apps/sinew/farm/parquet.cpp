// A table as a Parquet file: one row group, one plain page for each column, nothing compressed.
//
// Format: parquet.apache.org/docs/file-format. Headers and footer are Thrift structures in the
// compact protocol: a field is its distance from the one before and its kind, numbers are zigzag
// variable-length integers, a struct ends with 0.

#include "farm/sweep_table.h"

#include <bit>
#include <cstdint>

namespace sinew::app {

namespace {

using json = nlohmann::ordered_json;

enum Kind : std::uint8_t { kInt32 = 5, kInt64 = 6, kBinary = 8, kList = 9, kStruct = 12 };

class Thrift {
public:
    void number(int id, std::int64_t value, Kind kind = kInt64)
    {
        field(id, kind);
        integer(value);
    }
    void text(int id, const std::string& value)
    {
        field(id, kBinary);
        raw_text(value);
    }
    void list(int id, std::size_t size, Kind kind)
    {
        field(id, kList);
        if (size < 15) {
            bytes += char(size << 4 | kind);
            return;
        }
        bytes += char(0xf0 | kind);
        variable(size);
    }
    void raw_text(const std::string& value)
    {
        variable(value.size());
        bytes += value;
    }
    void integer(std::int64_t value)
    {
        variable(std::uint64_t(value) << 1 ^ std::uint64_t(value >> 63));
    }
    /// Writes a struct; `fill` writes its fields.
    template <class Fill>
    void structure(Fill fill)
    {
        const int outer = last_;
        last_ = 0;
        fill();
        bytes += '\0';
        last_ = outer;
    }
    template <class Fill>
    void structure(int id, Fill fill)
    {
        field(id, kStruct);
        structure(fill);
    }

    std::string bytes;

private:
    void field(int id, Kind kind)
    {
        bytes += char((id - last_) << 4 | kind);
        last_ = id;
    }
    void variable(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
            bytes += char(value | 0x80);
        bytes += char(value);
    }

    int last_ = 0;
};

void put_32(std::uint32_t value, std::string& bytes)
{
    for (int k = 0; k < 4; ++k)
        bytes += char(value >> (8 * k));
}

void put_64(std::uint64_t value, std::string& bytes)
{
    put_32(std::uint32_t(value), bytes);
    put_32(std::uint32_t(value >> 32), bytes);
}

/// INT64, DOUBLE or BYTE_ARRAY.
int type_of(const SweepTable::Column& column)
{
    constexpr int kTypes[] = {2, 5, 6};
    return kTypes[int(column.kind)];
}

/// Which rows have a value: runs of equal bits.
std::string encode_presence(const SweepTable& table, std::size_t column)
{
    std::string runs;
    for (std::size_t i = 0; i < table.rows.size();) {
        const bool is_there = !table.rows[i][column].is_null();
        std::uint64_t count = 0;
        for (; i < table.rows.size() && !table.rows[i][column].is_null() == is_there; ++i)
            ++count;
        for (count <<= 1; count >= 0x80; count >>= 7)
            runs += char(count | 0x80);
        runs += char(count);
        runs += char(is_there);
    }
    std::string bytes;
    put_32(std::uint32_t(runs.size()), bytes);
    return bytes + runs;
}

std::string encode_page(const SweepTable& table, std::size_t column)
{
    std::string data = encode_presence(table, column);
    for (const std::vector<json>& row : table.rows) {
        const json& cell = row[column];
        if (cell.is_null())
            continue;
        switch (table.columns[column].kind) {
        case SweepTable::Kind::whole: put_64(std::uint64_t(cell.get<std::int64_t>()), data); break;
        case SweepTable::Kind::real:
            put_64(std::bit_cast<std::uint64_t>(cell.get<double>()), data);
            break;
        case SweepTable::Kind::text:
            put_32(std::uint32_t(cell.get_ref<const std::string&>().size()), data);
            data += cell.get_ref<const std::string&>();
        }
    }
    constexpr int kPlain = 0, kRuns = 3;
    Thrift header;
    header.structure([&] {
        header.number(1, 0, kInt32); // a data page
        header.number(2, std::int64_t(data.size()), kInt32);
        header.number(3, std::int64_t(data.size()), kInt32);
        header.structure(5, [&] {
            header.number(1, std::int64_t(table.rows.size()), kInt32);
            header.number(2, kPlain, kInt32);
            header.number(3, kRuns, kInt32);
            header.number(4, kRuns, kInt32);
        });
    });
    return header.bytes + data;
}

struct Chunk {
    std::size_t offset = 0, size = 0;
};

void put_schema(const SweepTable& table, Thrift& footer)
{
    footer.list(2, table.columns.size() + 1, kStruct);
    footer.structure([&] {
        footer.text(4, "runs");
        footer.number(5, std::int64_t(table.columns.size()), kInt32);
    });
    for (const SweepTable::Column& column : table.columns)
        footer.structure([&] {
            footer.number(1, type_of(column), kInt32);
            footer.number(3, 1, kInt32); // may be missing
            footer.text(4, column.name);
            if (column.kind == SweepTable::Kind::text)
                footer.number(6, 0, kInt32); // UTF-8
        });
}

void put_chunk(const SweepTable& table, std::size_t column, const Chunk& chunk, Thrift& footer)
{
    footer.structure([&] {
        footer.number(2, std::int64_t(chunk.offset));
        footer.structure(3, [&] {
            footer.number(1, type_of(table.columns[column]), kInt32);
            footer.list(2, 2, kInt32);
            footer.integer(0);
            footer.integer(3);
            footer.list(3, 1, kBinary);
            footer.raw_text(table.columns[column].name);
            footer.number(4, 0, kInt32); // not compressed
            footer.number(5, std::int64_t(table.rows.size()));
            footer.number(6, std::int64_t(chunk.size));
            footer.number(7, std::int64_t(chunk.size));
            footer.number(9, std::int64_t(chunk.offset));
        });
    });
}

} // namespace

std::string encode_parquet(const SweepTable& table)
{
    std::string file = "PAR1";
    std::vector<Chunk> chunks;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const std::string page = encode_page(table, i);
        chunks.push_back({file.size(), page.size()});
        file += page;
    }
    Thrift footer;
    footer.structure([&] {
        footer.number(1, 1, kInt32); // version
        put_schema(table, footer);
        footer.number(3, std::int64_t(table.rows.size()));
        footer.list(4, 1, kStruct);
        footer.structure([&] {
            footer.list(1, chunks.size(), kStruct);
            for (std::size_t i = 0; i < chunks.size(); ++i)
                put_chunk(table, i, chunks[i], footer);
            footer.number(2, std::int64_t(file.size() - 4));
            footer.number(3, std::int64_t(table.rows.size()));
        });
        footer.text(6, "Sinew");
    });
    file += footer.bytes;
    put_32(std::uint32_t(footer.bytes.size()), file);
    return file + "PAR1";
}

} // namespace sinew::app
