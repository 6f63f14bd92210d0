#include "base/text.h"

#include <algorithm>
#include <cstdio>

namespace sinew {

int count_characters(std::string_view text)
{
    return static_cast<int>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

Place locate(const std::string& file, std::string_view text, std::size_t offset, std::size_t length)
{
    const std::string_view before = text.substr(0, offset);
    const std::size_t line_start = before.rfind('\n') + 1; // npos + 1 is 0
    return {file, 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
            1 + count_characters(before.substr(line_start)),
            std::max(1, count_characters(text.substr(offset, length)))};
}

std::string_view line_at(std::string_view text, std::size_t offset)
{
    const std::size_t start = text.substr(0, offset).rfind('\n') + 1;
    std::string_view line = text.substr(start, text.find('\n', start) - start);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

std::string shown_line(std::string_view text, std::size_t offset)
{
    constexpr std::size_t kLongest = 400;
    const std::size_t begin = offset > kLongest ? offset - kLongest : 0;
    const std::string_view near = text.substr(begin, 2 * kLongest + 1);
    const std::string_view line = line_at(near, offset - begin);
    return std::string(line.size() <= kLongest ? line : std::string_view());
}

std::string excerpt(std::string_view text, std::size_t most_bytes)
{
    std::size_t length = std::min(text.find_first_of("\r\n"), text.size());
    if (length > most_bytes) {
        length = most_bytes;
        while (length > 0 && (text[length] & 0xc0) == 0x80)
            --length;
    }
    return std::string(text.substr(0, length)) + (length < text.size() ? "..." : "");
}

std::string number_text(double value)
{
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.4g", value);
    return buffer;
}

} // namespace sinew
