// Scripts that are almost right: tokens of the corpus deleted, doubled, exchanged and replaced.

#include "fuzz.h"

#include <random>
#include <vector>

using namespace sinew;

extern "C" std::size_t LLVMFuzzerMutate(unsigned char* data, std::size_t size,
                                        std::size_t max_size);

namespace {

/// A token with the white space before it.
std::vector<std::string> pieces_of(const std::string& text)
{
    std::vector<std::string> pieces;
    std::size_t end = 0;
    for (const ScriptToken& token : script_tokens(text)) {
        pieces.push_back(text.substr(end, token.offset + token.length - end));
        end = token.offset + token.length;
    }
    return pieces;
}

constexpr const char* kWords[] = {" def",
                                  " end;",
                                  " for i in 1..3",
                                  " if",
                                  " else",
                                  " {",
                                  "}",
                                  " var",
                                  " dynamic",
                                  " at",
                                  " on",
                                  " 1e12",
                                  " time",
                                  ".",
                                  " initial",
                                  " linear",
                                  " translatex(",
                                  ")",
                                  " mass(1)",
                                  " -",
                                  "[",
                                  "]",
                                  "..",
                                  " \"x\"",
                                  "=",
                                  " m0",
                                  " m0_x",
                                  ";"};

} // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(unsigned char* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed)
{
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    std::vector<std::string> pieces = pieces_of({reinterpret_cast<const char*>(data), size});
    if (pieces.empty() || below(20) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    for (std::size_t change = 0; change <= below(4) && !pieces.empty(); ++change) {
        const std::size_t at = below(pieces.size()), other = below(pieces.size());
        switch (below(5)) {
        case 0: pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(at)); break;
        case 1:
            pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(at),
                          std::string(pieces[other]));
            break;
        case 2: std::swap(pieces[at], pieces[other]); break;
        case 3: pieces[at] = pieces[other]; break;
        default: pieces[at] = kWords[below(std::size(kWords))]; break;
        }
    }
    std::string text;
    for (const std::string& piece : pieces)
        text += piece;
    text.resize(std::min(text.size(), max_size));
    std::copy(text.begin(), text.end(), data);
    return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const ScriptReading reading = fuzz::read(text);
    fuzz::check_reading(reading);
    const Result<std::string> formatted = format_script("t.charli", text);
    if (formatted && reading.is_sound())
        fuzz::require(fingerprint(fuzz::read(*formatted).scene) == fingerprint(reading.scene),
                      "formatting keeps the scene");
    return 0;
}
