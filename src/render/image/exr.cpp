// OpenEXR files: half floats, one line of pixels after another, without compression.

#include "math/half.h"

#include "base/draft.h"
#include "sinew/render.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace sinew {

namespace {

class Bytes {
public:
    void number(std::uint64_t value, int size)
    {
        for (int i = 0; i < size; ++i)
            text.push_back(char(value >> (8 * i) & 0xff));
    }
    void word(const char* name) { text.append(name, std::strlen(name) + 1); }
    void attribute(const char* name, const char* type, std::uint64_t size)
    {
        word(name);
        word(type);
        number(size, 4);
    }

    std::string text;
};

void add_box(Bytes& out, const char* name, const Image& image)
{
    out.attribute(name, "box2i", 16);
    for (const int corner : {0, 0, image.width - 1, image.height - 1})
        out.number(std::uint64_t(corner), 4);
}

std::uint64_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }

void add_header(Bytes& out, const Image& image)
{
    out.number(20000630, 4); // the format's mark
    out.number(2, 4);        // version, one part, lines
    out.attribute("channels", "chlist", 4 * 18 + 1);
    for (const char* name : {"A", "B", "G", "R"}) {
        out.word(name);
        out.number(1, 4); // half
        out.number(0, 4);
        out.number(1, 4);
        out.number(1, 4);
    }
    out.number(0, 1);
    out.attribute("compression", "compression", 1);
    out.number(0, 1);
    add_box(out, "dataWindow", image);
    add_box(out, "displayWindow", image);
    out.attribute("lineOrder", "lineOrder", 1);
    out.number(0, 1);
    out.attribute("pixelAspectRatio", "float", 4);
    out.number(bits_of(1), 4);
    out.attribute("screenWindowCenter", "v2f", 8);
    out.number(0, 8);
    out.attribute("screenWindowWidth", "float", 4);
    out.number(bits_of(1), 4);
    out.number(0, 1);
}

std::string encode_exr(const Image& image)
{
    Bytes out;
    add_header(out, image);
    const auto width = std::size_t(image.width), height = std::size_t(image.height);
    const std::size_t line = 8 + 4 * 2 * width, first = out.text.size() + 8 * height;
    for (std::size_t y = 0; y < height; ++y)
        out.number(first + y * line, 8);
    for (std::size_t y = 0; y < height; ++y) {
        out.number(y, 4);
        out.number(line - 8, 4);
        for (int channel = 3; channel >= 0; --channel)
            for (std::size_t i = y * width; i < (y + 1) * width; ++i) {
                const float opacity = float(image.rgba[4 * i + 3]) / 255; // colours carry it
                const float value =
                    channel == 3 ? opacity : opacity * image.light[3 * i + std::size_t(channel)];
                out.number(to_half(std::clamp(value, 0.0f, 60000.0f)), 2);
            }
    }
    return std::move(out.text);
}

} // namespace

Problems write_exr(const std::string& path, const Image& image)
{
    const std::string draft = make_draft(path), bytes = encode_exr(image);
    std::FILE* file = draft.empty() ? nullptr : std::fopen(draft.c_str(), "wb");
    const bool is_written =
        file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    const bool is_closed = file && std::fclose(file) == 0;
    if (is_written && is_closed && std::rename(draft.c_str(), path.c_str()) == 0)
        return {};
    const std::string why = std::strerror(errno);
    std::remove(draft.c_str());
    return {{.code = "unwritable-picture",
             .place = {.file = path},
             .what = "the picture cannot be written: " + why,
             .hint = "name a file in a folder that exists and may be written to"}};
}

} // namespace sinew
