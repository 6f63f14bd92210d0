#pragma once

// USD as a crate (usdc): its tables, and the values that curves need. Nothing that a file says
// makes it ask for more memory than some times the file's own size.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

class CrateFile {
public:
    static constexpr std::uint32_t kNone = 0xffffffff;

    /// A value's place, or the value itself.
    using Rep = std::uint64_t;

    struct Path {
        std::uint32_t parent = kNone;
        std::string_view name = {};
        std::uint32_t spec = kNone; ///< first field of its set
    };

    /// Empty when it was read; else what is wrong with it. Requires that the bytes outlive it.
    std::string open(std::string_view bytes);

    const std::vector<Path>& paths() const { return paths_; }

    /// The field of a path; nothing when it has none of that name.
    std::optional<Rep> field(std::uint32_t path, std::string_view name) const;

    // Nothing where the value is of another type, or reaches beyond the file.
    std::optional<std::string_view> token(Rep rep) const;
    std::optional<double> number(Rep rep) const;
    /// A number, a vector, a quaternion (its real part first) or a matrix of four rows.
    std::optional<std::vector<double>> numbers(Rep rep) const;
    std::optional<std::vector<std::string>> tokens(Rep rep) const; ///< of an array
    std::optional<std::vector<double>> times(Rep rep) const;
    /// Whole numbers; floats, doubles or halves, three for each element.
    std::optional<std::vector<std::int32_t>> wholes(Rep rep) const;
    std::optional<std::vector<double>> vectors(Rep rep) const;
    std::optional<std::size_t> count(Rep rep) const; ///< of an array
    /// Time samples: times, and where each value is.
    struct Samples {
        std::vector<double> times;
        std::vector<Rep> values;
    };
    std::optional<Samples> samples(Rep rep) const;

private:
    /// Bytes from a place on, read one after another.
    struct Reader {
        std::string_view bytes;
        std::size_t at = 0;
        bool is_good = true;

        template <class T>
        T take();
        std::string_view take_bytes(std::uint64_t size);
    };

    Reader section(std::string_view name) const;
    bool read_list(Rep rep, std::vector<double>& list) const;
    bool read_tokens();
    bool read_fields();
    bool read_paths();
    bool read_specs();
    bool read_count(Reader& reader, std::size_t& out) const;
    bool take_integers(Reader& reader, std::size_t count, std::vector<std::int32_t>& out) const;
    bool take_array(Rep rep, std::uint8_t type, Reader& reader, std::size_t& count) const;
    Reader at(Rep rep) const;

    std::string_view bytes_;
    std::uint32_t version_ = 0; ///< 0x000800 for 0.8.0
    std::string texts_;         ///< of all tokens
    std::vector<std::string_view> tokens_;
    std::vector<std::uint32_t> field_names_;
    std::vector<Rep> field_reps_;
    std::vector<std::int32_t> sets_;
    std::vector<Path> paths_;
};

/// An LZ4 block, or several behind their number; nothing when it is damaged or longer than `most`.
std::optional<std::string> unpack_bytes(std::string_view packed, std::size_t most);

} // namespace sinew
