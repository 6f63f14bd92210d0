#pragma once

#include "sinew/error.h"

#include <string>
#include <string_view>

namespace sinew {

/// Line, column and length in characters of a piece of a UTF-8 text.
Place locate(const std::string& file, std::string_view text, std::size_t offset,
             std::size_t length);

/// The line a piece of a text begins in, without its end.
std::string_view line_at(std::string_view text, std::size_t offset);

/// The same for showing in a message: empty when it is too long to be read there.
std::string shown_line(std::string_view text, std::size_t offset);

/// Characters in a piece of UTF-8: bytes that do not continue one.
int count_characters(std::string_view text);

/// The beginning of a text as messages quote it: one line, whole characters, "..." where it was
/// cut.
std::string excerpt(std::string_view text, std::size_t most_bytes = 40);

/// A number as people write it: 14.14, 1e-07, 3.
std::string number_text(double value);

} // namespace sinew
