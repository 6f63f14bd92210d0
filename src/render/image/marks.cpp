// Dots with needles over a picture: all rims first, so that no mark hides another's colour.

#include "render/image/marks.h"

#include "math/functions.h"

#include <algorithm>

namespace sinew::picture {

namespace {

/// A round piece between two pixels.
struct Stroke {
    float ax, ay, bx, by, radius;

    /// From its middle line, in pixels.
    float distance(float x, float y) const
    {
        const float dx = bx - ax, dy = by - ay, size = dx * dx + dy * dy;
        const float along = size > 0 ? ((x - ax) * dx + (y - ay) * dy) / size : 0;
        const float t = std::clamp(along, 0.0f, 1.0f);
        return hypot(x - ax - t * dx, y - ay - t * dy);
    }
};

/// Lays a colour over a pixel.
void lay(Image& image, int x, int y, const Vec3& colour, float alpha)
{
    std::uint8_t* pixel =
        &image.rgba[4 * (std::size_t(y) * std::size_t(image.width) + std::size_t(x))];
    const float below = float(pixel[3]) / 255 * (1 - alpha), all = alpha + below;
    for (int k = 0; k < 3; ++k)
        pixel[k] =
            std::uint8_t(round((255 * float(colour[k]) * alpha + float(pixel[k]) * below) / all));
    pixel[3] = std::uint8_t(round(255 * all));
}

void draw(const Stroke& stroke, const Vec3& colour, Image& image)
{
    const float reach = stroke.radius + 1;
    const auto clip = [](float value, int most) {
        return int(std::clamp(value, 0.0f, float(most)));
    };
    const int x0 = clip(min(stroke.ax, stroke.bx) - reach, image.width);
    const int x1 = clip(max(stroke.ax, stroke.bx) + reach + 1, image.width);
    const int y0 = clip(min(stroke.ay, stroke.by) - reach, image.height);
    const int y1 = clip(max(stroke.ay, stroke.by) + reach + 1, image.height);
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) {
            const float away = stroke.distance(float(x) + 0.5f, float(y) + 0.5f);
            const float cover = std::clamp(stroke.radius + 0.5f - away, 0.0f, 1.0f);
            if (cover > 0)
                lay(image, x, y, colour, cover);
        }
}

} // namespace

void draw_marks(std::span<const Mark> marks, const Ruler& ruler, const Lens& lens, Image& image)
{
    constexpr Vec3 kRim = {0.98, 0.98, 0.98};
    const float dot = max(1.2f, float(image.height) / 240), needle = 0.35f * dot, rim = 0.35f * dot;
    for (const bool is_rim : {true, false})
        for (const Mark& mark : marks) {
            const Lens::Pixel a = lens.project(ruler.point(mark.place));
            const Lens::Pixel b = lens.project(ruler.point(mark.tip));
            if (!a.is_ahead || !b.is_ahead)
                continue;
            const float more = is_rim ? rim : 0;
            const Vec3 colour = is_rim ? kRim : mark.colour;
            draw({a.x, a.y, b.x, b.y, needle + more}, colour, image);
            draw({a.x, a.y, a.x, a.y, dot + more}, colour, image);
        }
}

} // namespace sinew::picture
