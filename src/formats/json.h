#pragma once

#include "formats/out_file.h"

#include <span>
#include <string>
#include <string_view>

namespace sinew::formats {

/// A string of JSON, quotes included.
std::string json_text(std::string_view text);

template <class List>
std::string json_list(const List& numbers)
{
    std::string text = "[";
    for (const auto& number : numbers) {
        if (text.size() > 1)
            text += ',';
        if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(number)>>)
            text += std::to_string(number);
        else
            append_number(text, number);
    }
    return text + "]";
}

} // namespace sinew::formats
