#include "formats/json.h"

#include <cstdio>

namespace sinew::formats {

std::string json_text(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text)
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
            out += code;
        } else {
            out += c;
        }
    return out + "\"";
}

} // namespace sinew::formats
