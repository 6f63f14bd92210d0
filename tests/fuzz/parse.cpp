// Bytes: the lexer loses nothing, the parser survives, formatting is idempotent and keeps the
// meaning.

#include "fuzz.h"

using namespace sinew;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    std::size_t end = 0;
    for (const ScriptToken& token : script_tokens(text)) {
        fuzz::require(token.offset >= end && token.length > 0, "tokens do not overlap");
        end = token.offset + token.length;
        fuzz::require(end <= text.size(), "tokens lie in the text");
    }
    const Result<std::string> once = format_script("t.charli", text);
    if (!once)
        return 0;
    const Result<std::string> twice = format_script("t.charli", *once);
    fuzz::require(bool(twice) && *twice == *once, "formatting twice is formatting once");
    const auto before = script_tokens(text), after = script_tokens(*once);
    fuzz::require(before.size() == after.size(), "formatting keeps every token");
    for (std::size_t i = 0; i < before.size(); ++i)
        fuzz::require(text.substr(before[i].offset, before[i].length) ==
                          once->substr(after[i].offset, after[i].length),
                      "formatting keeps the text of every token");
    return 0;
}
