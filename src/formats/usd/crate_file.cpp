// The layout is that of OpenUSD's crate files from version 0.4.0 on: a head, values, six sections,
// a table of contents. Integers of the sections are coded as differences, then wrapped as LZ4.

#include "formats/usd/crate_file.h"

#include "formats/read_mesh.h"

#include <lz4.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sinew {

namespace {

constexpr std::size_t kMostEntries = 4'000'000; // of a table
constexpr std::size_t kMostTimes = 1'000'000;
constexpr CrateFile::Rep kArray = CrateFile::Rep{1} << 63, kInlined = CrateFile::Rep{1} << 62,
                         kPacked = CrateFile::Rep{1} << 61;
constexpr CrateFile::Rep kPlace = (CrateFile::Rep{1} << 48) - 1;

enum Type : std::uint8_t {
    kInt = 3,
    kFloat = 8,
    kDouble = 9,
    kToken = 11,
    kHalf = 7,
    kMatrix4 = 15,
    kDouble4 = 16, // quaternions: the real part comes last
    kFloat4 = 17,
    kHalf4 = 18,
    kDouble3 = 23,
    kFloat3 = 24,
    kHalf3 = 25,
    kTimeSamples = 46,
    kDoubleVector = 48
};

std::uint8_t type_of(CrateFile::Rep rep) { return std::uint8_t(rep >> 48); }

double half_value(std::uint16_t bits)
{
    const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
    constexpr double kLeast = 1.0 / (1 << 24);
    const double size = exponent == 0 ? kLeast * mantissa
                                      : kLeast * (1024 + mantissa) * double(1 << (exponent - 1));
    return exponent == 31 ? HUGE_VAL : (bits & 0x8000) ? -size : size;
}

/// Appends one block to `out`; fails when it is damaged or would make `out` longer than `most`.
bool unpack_block(std::string_view in, std::size_t most, std::string& out)
{
    const std::size_t begin = out.size();
    if (begin > most || in.size() > LZ4_MAX_INPUT_SIZE)
        return false;
    const std::size_t space =
        std::min({most - begin, 256 * in.size(), std::size_t(LZ4_MAX_INPUT_SIZE)});
    out.resize(begin + space);
    const int size = LZ4_decompress_safe(in.data(), out.data() + begin, static_cast<int>(in.size()),
                                         static_cast<int>(space));
    out.resize(begin + static_cast<std::size_t>(std::max(size, 0)));
    return size >= 0;
}

} // namespace

std::optional<std::string> unpack_bytes(std::string_view packed, std::size_t most)
{
    if (packed.empty())
        return std::nullopt;
    const std::size_t blocks = static_cast<unsigned char>(packed[0]);
    packed.remove_prefix(1);
    most = std::min(most, 256 * packed.size() + 64); // no block says more than that
    std::string out;
    if (blocks == 0)
        return unpack_block(packed, most, out) ? std::optional(std::move(out)) : std::nullopt;
    for (std::size_t i = 0; i < blocks; ++i) {
        std::int32_t size = 0;
        if (packed.size() < 4)
            return std::nullopt;
        std::memcpy(&size, packed.data(), 4);
        packed.remove_prefix(4);
        if (size < 0 || std::size_t(size) > packed.size() ||
            !unpack_block(packed.substr(0, std::size_t(size)), most, out))
            return std::nullopt;
        packed.remove_prefix(std::size_t(size));
    }
    return out;
}

template <class T>
T CrateFile::Reader::take()
{
    T value{};
    if (!is_good || bytes.size() - at < sizeof(T)) {
        is_good = false;
        return value;
    }
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    at += sizeof(T);
    return value;
}

std::string_view CrateFile::Reader::take_bytes(std::uint64_t size)
{
    if (!is_good || size > bytes.size() - at) {
        is_good = false;
        return {};
    }
    at += std::size_t(size);
    return bytes.substr(at - std::size_t(size), std::size_t(size));
}

std::string CrateFile::open(std::string_view bytes)
{
    bytes_ = bytes;
    if (bytes.size() < 88 || !bytes.starts_with("PXR-USDC"))
        return "it does not begin as USD files do";
    for (std::size_t i = 8; i < 11; ++i)
        version_ = version_ << 8 | static_cast<unsigned char>(bytes[i]);
    if (version_ < 0x000400)
        return "it was written by a USD older than 0.4.0 of its format";
    if (!read_tokens() || !read_fields() || !read_paths() || !read_specs())
        return "its tables are cut off or damaged";
    return {};
}

CrateFile::Reader CrateFile::section(std::string_view name) const
{
    Reader contents{bytes_, 16};
    const auto place = contents.take<std::uint64_t>();
    contents.at = std::size_t(std::min<std::uint64_t>(place, bytes_.size()));
    const auto count = contents.take<std::uint64_t>();
    for (std::uint64_t i = 0; i < count && contents.is_good; ++i) {
        const std::string_view title = contents.take_bytes(16);
        const auto start = contents.take<std::uint64_t>(), size = contents.take<std::uint64_t>();
        if (title.substr(0, title.find('\0')) != name || start > bytes_.size() ||
            size > bytes_.size() - start)
            continue;
        return {bytes_.substr(std::size_t(start), std::size_t(size))};
    }
    return {{}, 0, false};
}

bool CrateFile::read_count(Reader& reader, std::size_t& out) const
{
    const auto count = reader.take<std::uint64_t>();
    out = std::size_t(count);
    return reader.is_good && count <= kMostEntries;
}

bool CrateFile::take_integers(Reader& reader, std::size_t count,
                              std::vector<std::int32_t>& out) const
{
    const auto size = reader.take<std::uint64_t>();
    const std::string_view packed = reader.take_bytes(size);
    out.clear();
    if (count == 0)
        return reader.is_good;
    const std::size_t codes = (count * 2 + 7) / 8;
    const auto numbers =
        reader.is_good ? unpack_bytes(packed, 4 + codes + 4 * count) : std::nullopt;
    if (!numbers || numbers->size() < 4 + codes)
        return false;
    Reader wide{*numbers, 4 + codes};
    std::int32_t usual = 0;
    std::memcpy(&usual, numbers->data(), 4);
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count && wide.is_good; ++i) {
        const int code = (static_cast<unsigned char>((*numbers)[4 + i / 4]) >> (2 * (i % 4))) & 3;
        const std::int32_t difference = code == 0   ? usual
                                        : code == 1 ? wide.take<std::int8_t>()
                                        : code == 2 ? wide.take<std::int16_t>()
                                                    : wide.take<std::int32_t>();
        value += std::uint32_t(difference); // may wrap
        out.push_back(std::int32_t(value));
    }
    return wide.is_good;
}

bool CrateFile::read_tokens()
{
    Reader reader = section("TOKENS");
    std::size_t count = 0;
    if (!read_count(reader, count))
        return false;
    const auto size = reader.take<std::uint64_t>(), packed = reader.take<std::uint64_t>();
    auto texts = unpack_bytes(reader.take_bytes(packed), std::size_t(size));
    if (!reader.is_good || !texts)
        return false;
    texts_ = std::move(*texts);
    for (std::size_t at = 0; tokens_.size() < count;) {
        const std::size_t end = texts_.find('\0', at);
        if (end == std::string::npos)
            return false;
        tokens_.push_back(std::string_view(texts_).substr(at, end - at));
        at = end + 1;
    }
    return true;
}

bool CrateFile::read_fields()
{
    Reader reader = section("FIELDS");
    std::size_t count = 0;
    std::vector<std::int32_t> names;
    if (!read_count(reader, count) || !take_integers(reader, count, names))
        return false;
    const auto reps = unpack_bytes(reader.take_bytes(reader.take<std::uint64_t>()), 8 * count);
    if (!reps || reps->size() != 8 * count)
        return false;
    field_names_.assign(names.begin(), names.end());
    field_reps_.resize(count);
    if (count > 0)
        std::memcpy(field_reps_.data(), reps->data(), 8 * count);
    Reader sets = section("FIELDSETS");
    return read_count(sets, count) && take_integers(sets, count, sets_);
}

bool CrateFile::read_paths()
{
    Reader reader = section("PATHS");
    std::size_t all = 0, count = 0;
    std::vector<std::int32_t> numbers, names, jumps;
    if (!read_count(reader, all) || !read_count(reader, count) || count > all ||
        !take_integers(reader, count, numbers) || !take_integers(reader, count, names) ||
        !take_integers(reader, count, jumps))
        return false;
    paths_.resize(all);
    std::vector<std::uint32_t> parents; // of what follows a path's children
    std::vector<std::size_t> returns;   // and where that is
    std::uint32_t parent = kNone;
    for (std::size_t i = 0; i < count; ++i) {
        while (!returns.empty() && returns.back() == i) {
            parent = parents.back();
            parents.pop_back();
            returns.pop_back();
        }
        const auto number = std::uint32_t(numbers[i]);
        const auto name =
            std::uint32_t(names[i] < 0 ? 0u - std::uint32_t(names[i]) : std::uint32_t(names[i]));
        if (number >= all || (i > 0 && name >= tokens_.size()))
            return false;
        paths_[number].parent = parent;
        if (i > 0)
            paths_[number].name = tokens_[name];
        if (jumps[i] > 0) {
            parents.push_back(parent);
            returns.push_back(i + std::size_t(jumps[i]));
        }
        if (jumps[i] == -1 || jumps[i] > 0)
            parent = number;
    }
    return true;
}

bool CrateFile::read_specs()
{
    Reader reader = section("SPECS");
    std::size_t count = 0;
    std::vector<std::int32_t> paths, sets, kinds;
    if (!read_count(reader, count) || !take_integers(reader, count, paths) ||
        !take_integers(reader, count, sets))
        return false;
    for (std::size_t i = 0; i < count; ++i) {
        const auto path = std::uint32_t(paths[i]), set = std::uint32_t(sets[i]);
        if (path >= paths_.size() || set >= sets_.size())
            return false;
        paths_[path].spec = set;
    }
    return true;
}

std::optional<CrateFile::Rep> CrateFile::field(std::uint32_t path, std::string_view name) const
{
    for (std::size_t i = paths_[path].spec; i < sets_.size(); ++i) {
        const auto number = std::uint32_t(sets_[i]);
        if (number >= field_names_.size())
            return std::nullopt; // the end of the set
        if (field_names_[number] < tokens_.size() && tokens_[field_names_[number]] == name)
            return field_reps_[number];
    }
    return std::nullopt;
}

CrateFile::Reader CrateFile::at(Rep rep) const
{
    const std::uint64_t place = rep & kPlace;
    return {bytes_, std::size_t(std::min<std::uint64_t>(place, bytes_.size()))};
}

std::optional<std::string_view> CrateFile::token(Rep rep) const
{
    const Rep number = rep & kPlace;
    if (type_of(rep) != kToken || !(rep & kInlined) || number >= tokens_.size())
        return std::nullopt;
    return tokens_[std::size_t(number)];
}

std::optional<double> CrateFile::number(Rep rep) const
{
    if ((rep & kArray) || (type_of(rep) != kDouble && type_of(rep) != kFloat))
        return std::nullopt;
    double value = 0;
    if (rep & kInlined) { // doubles too are stored as floats where nothing is lost
        const auto bits = std::uint32_t(rep);
        float narrow = 0;
        std::memcpy(&narrow, &bits, 4);
        value = double(narrow);
    } else {
        Reader reader = at(rep);
        value = reader.take<double>();
        if (!reader.is_good)
            return std::nullopt;
    }
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// What fits is stored in the rep itself: vectors and the diagonals of matrices as small wholes.
std::optional<std::vector<double>> CrateFile::numbers(Rep rep) const
{
    const std::uint8_t type = type_of(rep);
    const bool is_matrix = type == kMatrix4,
               is_turn = type == kDouble4 || type == kFloat4 || type == kHalf4,
               is_vector = type == kDouble3 || type == kFloat3 || type == kHalf3;
    if (rep & kArray)
        return std::nullopt;
    if (type == kFloat || type == kDouble) {
        const auto one = number(rep);
        return one ? std::optional(std::vector{*one}) : std::nullopt;
    }
    if (type == kHalf)
        return std::vector{half_value(std::uint16_t(rep))};
    if (!is_matrix && !is_turn && !is_vector)
        return std::nullopt;
    std::vector<double> list(is_matrix ? 16 : is_turn ? 4 : 3, 0.0);
    if (rep & kInlined) {
        for (std::size_t i = 0; i < (is_matrix ? 4u : 3u); ++i)
            list[is_matrix ? 5 * i : i] = double(std::int8_t(rep >> (8 * i)));
        return is_turn ? std::nullopt : std::optional(std::move(list));
    }
    if (!read_list(rep, list))
        return std::nullopt;
    if (is_turn)
        std::ranges::rotate(list, list.end() - 1);
    return list;
}

/// As many numbers as the list has, in the width that the rep says; false where one is not finite.
bool CrateFile::read_list(Rep rep, std::vector<double>& list) const
{
    const std::uint8_t type = type_of(rep);
    const bool is_wide = type == kMatrix4 || type == kDouble4 || type == kDouble3,
               is_narrow = type == kHalf4 || type == kHalf3;
    Reader reader = at(rep);
    for (double& x : list)
        x = is_wide     ? reader.take<double>()
            : is_narrow ? half_value(reader.take<std::uint16_t>())
                        : double(reader.take<float>());
    return reader.is_good && std::ranges::all_of(list, [](double x) { return std::isfinite(x); });
}

std::optional<std::vector<std::string>> CrateFile::tokens(Rep rep) const
{
    Reader reader{bytes_};
    std::size_t number = 0;
    if (!take_array(rep, kToken, reader, number) || number > bytes_.size() / 4)
        return std::nullopt;
    std::vector<std::string> list;
    for (std::size_t i = 0; i < number; ++i) {
        const auto token = reader.take<std::uint32_t>();
        if (!reader.is_good || token >= tokens_.size())
            return std::nullopt;
        list.emplace_back(tokens_[token]);
    }
    return list;
}

std::optional<std::vector<double>> CrateFile::times(Rep rep) const
{
    Reader reader = at(rep);
    const bool is_vector = type_of(rep) == kDoubleVector && !(rep & kInlined);
    const auto size = reader.take<std::uint64_t>();
    const std::string_view bytes =
        reader.take_bytes(size <= kMostTimes ? 8 * size : ~std::uint64_t{0});
    if (!is_vector || !reader.is_good)
        return std::nullopt;
    std::vector<double> list(std::size_t(size), 0.0);
    if (!list.empty())
        std::memcpy(list.data(), bytes.data(), bytes.size());
    return list;
}

/// Behind the count of an array's elements. An array without any has no place.
bool CrateFile::take_array(Rep rep, std::uint8_t type, Reader& reader, std::size_t& count) const
{
    count = 0;
    if (type_of(rep) != type || !(rep & kArray))
        return false;
    if ((rep & kPlace) == 0)
        return true;
    reader = at(rep);
    if (version_ < 0x000500)
        reader.take<std::uint32_t>(); // its rank
    const auto size =
        version_ < 0x000700 ? reader.take<std::uint32_t>() : reader.take<std::uint64_t>();
    count = std::size_t(size);
    return reader.is_good && size <= kMostCorners;
}

std::optional<std::size_t> CrateFile::count(Rep rep) const
{
    Reader reader{bytes_};
    std::size_t number = 0;
    return take_array(rep, type_of(rep), reader, number) ? std::optional(number) : std::nullopt;
}

std::optional<std::vector<std::int32_t>> CrateFile::wholes(Rep rep) const
{
    constexpr std::size_t kLeastPacked = 16;
    Reader reader{bytes_};
    std::size_t number = 0;
    if (!take_array(rep, kInt, reader, number))
        return std::nullopt;
    std::vector<std::int32_t> list;
    if ((rep & kPacked) && number >= kLeastPacked)
        return take_integers(reader, number, list) ? std::optional(std::move(list)) : std::nullopt;
    const std::string_view bytes = reader.take_bytes(4 * number);
    if (!reader.is_good)
        return std::nullopt;
    list.resize(number);
    if (number > 0)
        std::memcpy(list.data(), bytes.data(), bytes.size());
    return list;
}

std::optional<std::vector<double>> CrateFile::vectors(Rep rep) const
{
    const std::uint8_t type = type_of(rep);
    Reader reader{bytes_};
    std::size_t number = 0;
    if ((type != kFloat3 && type != kDouble3 && type != kHalf3) ||
        !take_array(rep, type, reader, number))
        return std::nullopt;
    const std::size_t width = type == kFloat3 ? 4 : type == kDouble3 ? 8 : 2;
    if (number * 3 * width > bytes_.size() - reader.at)
        return std::nullopt;
    std::vector<double> list;
    list.reserve(3 * number);
    for (std::size_t i = 0; i < 3 * number; ++i)
        list.push_back(type == kFloat3    ? double(reader.take<float>())
                       : type == kDouble3 ? reader.take<double>()
                                          : half_value(reader.take<std::uint16_t>()));
    return list;
}

/// Each part stands behind the distance to what follows it.
std::optional<CrateFile::Samples> CrateFile::samples(Rep rep) const
{
    if (type_of(rep) != kTimeSamples || (rep & kInlined))
        return std::nullopt;
    Reader reader = at(rep);
    const auto skip = [&] {
        const std::size_t begin = reader.at;
        const auto way = reader.take<std::int64_t>();
        if (way < 0 || std::uint64_t(way) > bytes_.size() - begin)
            reader.is_good = false;
        else
            reader.at = begin + std::size_t(way);
    };
    skip();
    const Rep where = reader.take<Rep>();
    skip();
    const auto size = reader.take<std::uint64_t>();
    auto at_times = reader.is_good ? times(where) : std::nullopt;
    if (!at_times || size != at_times->size())
        return std::nullopt;
    Samples samples{std::move(*at_times), {}};
    for (std::uint64_t i = 0; i < size; ++i)
        samples.values.push_back(reader.take<Rep>());
    return reader.is_good ? std::optional(std::move(samples)) : std::nullopt;
}

} // namespace sinew
