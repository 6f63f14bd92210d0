#pragma once

// The tables of a USD crate file (usdc, version 0.8.0): tokens, strings, paths, fields, specs.

#include "formats/out_file.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sinew::formats {

/// A value's place, or the value itself: type in bits 48-55, what it is above them.
using CrateRep = std::uint64_t;

enum class CrateType : std::uint8_t {
    boolean = 1,
    whole = 3,
    whole64 = 5,
    single = 8,
    real = 9,
    string = 10,
    token = 11,
    asset = 12,
    matrix4 = 15,
    single4 = 17,
    half4 = 18,
    real2 = 19,
    single3 = 24,
    dictionary = 31,
    token_list = 32,
    path_list = 34,
    token_vector = 41,
    specifier = 42,
    variability = 44,
    time_samples = 46,
    real_vector = 48
};

enum class CrateSpec : std::uint8_t { attribute = 1, prim = 6, root = 7, relationship = 8 };

CrateRep inlined_rep(CrateType type, std::uint32_t value);
CrateRep placed_rep(CrateType type, std::uint64_t place, bool is_array = false);

class CrateTables {
public:
    CrateTables();

    std::uint32_t token(const std::string& text);
    std::uint32_t string(const std::string& text);
    /// The number of a path, "/World/box" or "/World/box.points"; what leads to it comes too.
    std::uint32_t path(const std::string& text);

    using Fields = std::vector<std::pair<std::string, CrateRep>>;
    void add_spec(const std::string& path_text, CrateSpec kind, const Fields& fields);

    /// Appends the sections and their table; the file's head then points to it.
    void write(OutFile& file) const;
    static void write_head(OutFile& file, std::uint64_t contents);

private:
    struct Node {
        std::uint32_t token = 0;
        bool is_property = false;
        std::vector<std::uint32_t> children = {};
    };
    struct Spec {
        std::uint32_t path = 0, fields = 0, kind = 0;
    };
    struct Encoded {
        std::vector<std::int32_t> paths, tokens, jumps;
    };

    void encode(std::uint32_t node, bool has_sibling, Encoded& out) const;
    std::string tokens_section() const;
    std::string strings_section() const;
    std::string fields_section() const;
    std::string field_sets_section() const;
    std::string paths_section() const;
    std::string specs_section() const;

    std::map<std::string, std::uint32_t> token_numbers_, string_numbers_, path_numbers_;
    std::vector<std::string> tokens_;
    std::vector<std::uint32_t> strings_; ///< tokens
    std::vector<Node> paths_;
    std::map<std::pair<std::uint32_t, CrateRep>, std::uint32_t> field_numbers_;
    std::vector<std::pair<std::uint32_t, CrateRep>> fields_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> set_numbers_;
    std::vector<std::uint32_t> sets_; ///< fields, each set ended by ~0
    std::vector<Spec> specs_;
};

/// LZ4 block of literals alone, behind the number of further blocks.
std::string pack_bytes(const std::string& bytes);
/// Differences with two-bit widths, then packed.
std::string pack_integers(const std::vector<std::int32_t>& list);

} // namespace sinew::formats
