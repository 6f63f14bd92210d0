// Names and legends over a picture, dark with a pale rim, by FreeType.

#include "render/image/text.h"

#include "render/image/font.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <memory>

namespace sinew::picture {

namespace {

/// Coverage, 0 to 255, of a line of text.
struct Stencil {
    int width = 0, height = 0;
    std::vector<std::uint8_t> ink;

    int at(int x, int y) const
    {
        const bool is_inside = x >= 0 && y >= 0 && x < width && y < height;
        return is_inside ? ink[std::size_t(y) * std::size_t(width) + std::size_t(x)] : 0;
    }
};

struct Rectangle {
    int x, y, width, height;

    bool meets(const Rectangle& other) const
    {
        return x < other.x + other.width && other.x < x + width && y < other.y + other.height &&
               other.y < y + height;
    }
};

/// The next character of UTF-8; what is none gives the sign for it.
std::uint32_t take_character(const std::string& text, std::size_t& at)
{
    constexpr std::uint32_t kBroken = 0xfffd;
    const auto byte = [&](std::size_t i) { return std::uint32_t(std::uint8_t(text[i])); };
    const std::uint32_t first = byte(at++);
    if (first < 0x80)
        return first;
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    std::uint32_t character = first & (0x3fu >> more);
    for (int k = 0; k < more; ++k) {
        if (at >= text.size() || (byte(at) & 0xc0) != 0x80)
            return kBroken;
        character = character << 6 | (byte(at++) & 0x3f);
    }
    return more == 0 ? kBroken : character;
}

class Pen {
public:
    explicit Pen(int pixels)
    {
        const auto bytes = font_bytes();
        is_good_ =
            FT_Init_FreeType(&library_) == 0 &&
            FT_New_Memory_Face(library_, bytes.data(), FT_Long(bytes.size()), 0, &face_) == 0 &&
            FT_Set_Pixel_Sizes(face_, 0, FT_UInt(pixels)) == 0;
    }
    ~Pen() { FT_Done_FreeType(library_); }
    Pen(const Pen&) = delete;
    Pen& operator=(const Pen&) = delete;

    Stencil write(const std::string& text) const
    {
        Stencil stencil;
        if (!is_good_)
            return stencil;
        const int ascent = int(face_->size->metrics.ascender >> 6);
        stencil.height = ascent - int(face_->size->metrics.descender >> 6);
        stencil.width = width_of(text);
        stencil.ink.assign(std::size_t(stencil.width) * std::size_t(stencil.height), 0);
        int x = 0;
        for (std::size_t at = 0; at < text.size();)
            if (FT_Load_Char(face_, take_character(text, at), FT_LOAD_RENDER) == 0) {
                stamp(stencil, x, ascent);
                x += int(face_->glyph->advance.x >> 6);
            }
        return stencil;
    }

private:
    int width_of(const std::string& text) const
    {
        int width = 2;
        for (std::size_t at = 0; at < text.size();)
            if (FT_Load_Char(face_, take_character(text, at), FT_LOAD_DEFAULT) == 0)
                width += int(face_->glyph->advance.x >> 6);
        return width;
    }

    void stamp(Stencil& stencil, int left, int baseline) const
    {
        const FT_Bitmap& bitmap = face_->glyph->bitmap;
        for (int row = 0; row < int(bitmap.rows); ++row)
            for (int column = 0; column < int(bitmap.width); ++column) {
                const int x = left + face_->glyph->bitmap_left + column;
                const int y = baseline - face_->glyph->bitmap_top + row;
                if (x < 0 || y < 0 || x >= stencil.width || y >= stencil.height)
                    continue;
                std::uint8_t& ink =
                    stencil.ink[std::size_t(y) * std::size_t(stencil.width) + std::size_t(x)];
                ink = std::max(ink, bitmap.buffer[row * bitmap.pitch + column]);
            }
    }

    FT_Library library_ = nullptr;
    FT_Face face_ = nullptr;
    bool is_good_ = false;
};

/// Lays a colour over a pixel.
void lay(Image& image, int x, int y, int grey, int alpha)
{
    if (x < 0 || y < 0 || x >= image.width || y >= image.height || alpha == 0)
        return;
    std::uint8_t* pixel =
        &image.rgba[4 * (std::size_t(y) * std::size_t(image.width) + std::size_t(x))];
    const int below = pixel[3] * (255 - alpha) / 255, all = alpha + below;
    for (int k = 0; k < 3; ++k)
        pixel[k] = std::uint8_t((grey * alpha + pixel[k] * below) / all);
    pixel[3] = std::uint8_t(std::min(255, all));
}

/// Sets a pixel.
void lay(Image& image, int x, int y, const Vec3& colour)
{
    if (x < 0 || y < 0 || x >= image.width || y >= image.height)
        return;
    std::uint8_t* pixel =
        &image.rgba[4 * (std::size_t(y) * std::size_t(image.width) + std::size_t(x))];
    for (int k = 0; k < 3; ++k)
        pixel[k] = std::uint8_t(colour[k] * 255 + 0.5);
    pixel[3] = 255;
}

void draw(const Stencil& stencil, const Rectangle& place, int rim, Image& image)
{
    constexpr int kInk = 28, kRim = 250;
    for (int y = -rim; y < stencil.height + rim; ++y)
        for (int x = -rim; x < stencil.width + rim; ++x) {
            int near = 0;
            for (int v = -rim; v <= rim; ++v)
                for (int u = -rim; u <= rim; ++u)
                    if (u * u + v * v <= rim * rim)
                        near = std::max(near, stencil.at(x + u, y + v));
            lay(image, place.x + x, place.y + y, kRim, near * 4 / 5);
            lay(image, place.x + x, place.y + y, kInk, stencil.at(x, y));
        }
}

/// The first place around a point, near it or a little farther, that meets no other text; else the
/// nearest.
Rectangle find_room(const Stencil& stencil, int x, int y, int size,
                    const std::vector<Rectangle>& taken)
{
    const int w = stencil.width, h = stencil.height;
    for (const int away : {size, 2 * size, 3 * size, 4 * size}) {
        const Rectangle places[] = {
            {x + away, y - h / 2, w, h},     {x + away, y - h - away / 2, w, h},
            {x + away, y + away / 2, w, h},  {x - away - w, y - h / 2, w, h},
            {x - w / 2, y - h - away, w, h}, {x - w / 2, y + away, w, h}};
        for (const Rectangle& place : places)
            if (std::none_of(taken.begin(), taken.end(),
                             [&](const Rectangle& other) { return other.meets(place); }))
                return place;
    }
    return {x + size, y - h / 2, w, h};
}

} // namespace

void draw_captions(std::span<const Caption> captions, const Ruler& ruler, const Lens& lens,
                   Image& image)
{
    const int size = std::max(10, image.height / 40), rim = std::max(1, size / 9);
    const Pen pen(size);
    std::vector<Rectangle> taken;
    for (const Caption& caption : captions) {
        const Lens::Pixel at = lens.project(ruler.point(caption.place));
        const bool is_seen = at.is_ahead && at.x >= 0 && at.y >= 0 && at.x < float(image.width) &&
                             at.y < float(image.height);
        if (!is_seen)
            continue;
        const Stencil stencil = pen.write(caption.text);
        const Rectangle place = find_room(stencil, int(at.x), int(at.y), size, taken);
        taken.push_back(place);
        draw(stencil, place, rim, image);
    }
}

void draw_legend(const Legend& legend, Image& image)
{
    const int size = std::max(10, image.height / 40), rim = std::max(1, size / 9);
    const int width = std::max(8, image.width / 4), height = std::max(3, size / 2);
    const int left = image.width - width - 2 * size, top = image.height - height - 3 * size;
    for (int y = -rim; y < height + rim; ++y)
        for (int x = -rim; x < width + rim; ++x) {
            const bool is_rim = x < 0 || y < 0 || x >= width || y >= height;
            const LoadScale scale{.low = 0, .high = double(width - 1)};
            const Vec3 colour = is_rim ? Vec3{0.98, 0.98, 0.98} : scale.colour(x);
            lay(image, left + x, top + y, colour);
        }
    const Pen pen(size);
    const auto write = [&](const std::string& text, double part, int y) {
        const Stencil stencil = pen.write(text);
        draw(stencil,
             {left + int(part * (width - stencil.width)), y, stencil.width, stencil.height}, rim,
             image);
    };
    write(legend.low, 0, top + height + rim);
    write(legend.high, 1, top + height + rim);
    write(legend.title, 0.5, top - size - 3 * rim);
}

} // namespace sinew::picture
