#include "render/image/denoise.h"

#include "base/parallel.h"

namespace sinew::picture {

namespace {

constexpr int kPasses = 5;         // the last reaches 32 pixels
constexpr float kLeast = 4e-7f;    // variance that is not seen: 1/6 of a step of eight bits
constexpr float kTolerance = 3.5f; // deviations within which two pixels may be the same
constexpr float kFloor = 0.05f;    // of an albedo

/// Weights of a B-spline at −2 to 2.
constexpr float kSpline[] = {1 / 16.0f, 1 / 4.0f, 3 / 8.0f, 1 / 4.0f, 1 / 16.0f};

/// Light without what the surface paints on it.
Vec divided(const Vec& colour, const Vec& albedo)
{
    return {colour.x / max(kFloor, albedo.x), colour.y / max(kFloor, albedo.y),
            colour.z / max(kFloor, albedo.z)};
}

Vec painted(const Vec& light, const Vec& albedo)
{
    return {light.x * max(kFloor, albedo.x), light.y * max(kFloor, albedo.y),
            light.z * max(kFloor, albedo.z)};
}

/// e^−x, near enough for a weight.
float fall(float x)
{
    const float t = 1 - x / 8;
    if (!(t > 0))
        return 0;
    const float t2 = t * t, t4 = t2 * t2;
    return t4 * t4;
}

class Smoother {
public:
    Smoother(Film& film, const Vec& eye, float pixel)
        : film_(film), light_(film.colours.size()), lights_(film.colours.size()),
          variances_(film.variances), calm_(film.colours.size()), sizes_(film.colours.size())
    {
        for (std::size_t i = 0; i < light_.size(); ++i) {
            light_[i] = divided(film.colours[i], film.albedos[i]);
            const float bright = max(kFloor, luminance(film.albedos[i]));
            film_.variances[i] /= bright * bright;
            sizes_[i] = pixel * length(film.places[i] - eye);
        }
    }

    void run(int threads)
    {
        const auto rows = std::size_t(film_.height);
        for (int pass = 0; pass < kPasses; ++pass) {
            for_each_index(rows, threads, [&](std::size_t y) { calm_row(int(y)); });
            for_each_index(rows, threads, [&](std::size_t y) { pass_row(int(y), 1 << pass); });
            light_.swap(lights_);
            film_.variances.swap(variances_);
        }
        for (std::size_t i = 0; i < light_.size(); ++i)
            film_.colours[i] = painted(light_[i], film_.albedos[i]);
    }

private:
    std::size_t at(int x, int y) const
    {
        return std::size_t(y) * std::size_t(film_.width) + std::size_t(x);
    }

    /// The variance of a pixel's surroundings: that of one alone is too uncertain.
    void calm_row(int y)
    {
        constexpr float kNear[] = {0.25f, 0.5f, 0.25f};
        for (int x = 0; x < film_.width; ++x) {
            float sum = 0, weights = 0;
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i) {
                    if (x + i < 0 || x + i >= film_.width || y + j < 0 || y + j >= film_.height)
                        continue;
                    const float w = kNear[i + 1] * kNear[j + 1];
                    sum += w * film_.variances[at(x + i, y + j)];
                    weights += w;
                }
            calm_[at(x, y)] = sum / weights;
        }
    }

    /// How much two pixels belong together: the same plane, the same light within its noise.
    float kinship(std::size_t p, std::size_t q, float tolerance, float reach) const
    {
        const float facing = dot(film_.normals[p], film_.normals[q]);
        if (!(facing > 0.8f))
            return 0;
        const float off = abs(dot(film_.normals[p], film_.places[q] - film_.places[p]));
        const float apart = abs(luminance(light_[p]) - luminance(light_[q]));
        return fall(off / (sizes_[p] * reach) + apart * tolerance + 24 * (1 - facing));
    }

    void pass_row(int y, int step)
    {
        for (int x = 0; x < film_.width; ++x) {
            const std::size_t p = at(x, y);
            lights_[p] = light_[p];
            variances_[p] = film_.variances[p];
            if (calm_[p] > kLeast && film_.may_change[p])
                smooth_pixel(x, y, step);
        }
    }

    void smooth_pixel(int x, int y, int step)
    {
        const std::size_t p = at(x, y);
        const float tolerance = 1 / (kTolerance * sqrt(calm_[p]) + 1e-4f);
        const float reach = 1 + float(step);
        Vec sum = {0, 0, 0};
        float weights = 0, variance = 0;
        for (int j = -2; j <= 2; ++j) {
            const int b = y + j * step;
            if (b < 0 || b >= film_.height)
                continue;
            for (int i = -2; i <= 2; ++i) {
                const int a = x + i * step;
                if (a < 0 || a >= film_.width)
                    continue;
                const std::size_t q = at(a, b);
                const float w = kSpline[i + 2] * kSpline[j + 2] *
                                (p == q ? 1 : kinship(p, q, tolerance, reach));
                if (!(w > 0))
                    continue;
                sum += light_[q] * w;
                variance += film_.variances[q] * (w * w);
                weights += w;
            }
        }
        lights_[p] = sum / weights;
        variances_[p] = variance / (weights * weights);
    }

    Film& film_;
    std::vector<Vec> light_, lights_;
    std::vector<float> variances_, calm_, sizes_;
};

} // namespace

Film::Film(int wide, int high) : width(wide), height(high)
{
    const std::size_t count = std::size_t(wide) * std::size_t(high);
    colours.resize(count);
    albedos.resize(count, {1, 1, 1});
    normals.resize(count);
    places.resize(count);
    variances.resize(count);
    opacities.resize(count);
    may_change.resize(count, 1);
}

void smooth(Film& film, const Vec& eye, float pixel, int threads)
{
    Smoother(film, eye, pixel).run(threads);
}

} // namespace sinew::picture
