#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::charli {

/// What a script may ask for. Generous for people, small enough that a hostile script ends soon and
/// within half a gigabyte.
struct Limits {
    std::size_t file_bytes = 64u << 20;
    std::size_t token_count = 5'000'000;
    std::size_t name_length = 255;
    int nesting = 200; ///< brackets, blocks and instances inside one another
    int include_depth = 32;
    std::size_t problem_count = 500;
    std::uint64_t statement_count =
        1'000'000; ///< statements carried out, rounds of loops counted each
    std::size_t object_count = 1'000'000;
    std::size_t value_count = 4'000'000;    ///< formulas and list entries
    std::size_t triangle_count = 4'000'000; ///< of all meshes of a script
    std::size_t pair_count = 1'000'000;     ///< of bodies with a material of their own
};

} // namespace sinew::charli
