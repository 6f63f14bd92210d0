#include "render/shade/fibre.h"

#include <array>

namespace sinew::picture {

namespace {

constexpr float kPi = 3.14159265f;
constexpr float kIndex = 1.55f;   // of refraction
constexpr float kScale = 0.0349f; // radians that the scales of a hair are tilted
constexpr float kAround = 0.3f;   // roughness about it

float square(float x) { return x * x; }

/// The modified Bessel function of the first kind and order 0, by its series.
float bessel(float x)
{
    float sum = 1, term = 1;
    for (int k = 1; k < 12; ++k) {
        term *= square(x / float(2 * k));
        sum += term;
    }
    return sum;
}

float log_bessel(float x)
{
    return x > 12 ? x + 0.5f * (-log(2 * kPi) + log(1 / x) + 1 / (8 * x)) : log(bessel(x));
}

/// Along the hair: a Gaussian on the circle of angles, normalised [Chiang16].
float along_hair(float cos_in, float cos_out, float sin_in, float sin_out, float variance)
{
    const float a = cos_in * cos_out / variance, b = sin_in * sin_out / variance;
    if (variance <= 0.1f)
        return exp(log_bessel(a) - b - 1 / variance + 0.6931f + log(1 / (2 * variance)));
    return exp(-b) * bessel(a) / (sinh(1 / variance) * 2 * variance);
}

float logistic(float x, float scale)
{
    const float e = exp(-abs(x) / scale);
    return e / (scale * square(1 + e));
}

float logistic_sum(float x, float scale) { return 1 / (1 + exp(-x / scale)); }

/// About the hair: a logistic, cut to one turn [Chiang16].
float about_hair(float angle, float scale)
{
    while (angle > kPi)
        angle -= 2 * kPi;
    while (angle < -kPi)
        angle += 2 * kPi;
    return logistic(angle, scale) / (logistic_sum(kPi, scale) - logistic_sum(-kPi, scale));
}

/// The part of light that a smooth surface mirrors.
float mirrored_part(float cosine)
{
    const float sine_in = sqrt(max(0.0f, 1 - cosine * cosine)) / kIndex;
    const float inner = sqrt(max(0.0f, 1 - sine_in * sine_in));
    const float parallel = (kIndex * cosine - inner) / (kIndex * cosine + inner);
    const float across = (cosine - kIndex * inner) / (cosine + kIndex * inner);
    return 0.5f * (parallel * parallel + across * across);
}

/// The angle that a ray through the hair has turned about it after p passes.
float turned(int p, float outer, float inner)
{
    return 2 * float(p) * inner - 2 * outer + float(p) * kPi;
}

} // namespace

Fibre::Fibre(const Vec& colour, float roughness)
{
    const float n = kAround;
    // The absorption that gives much of such hair its colour [Chiang16].
    const float fit = 5.969f - 0.215f * n + 2.532f * n * n - 10.73f * n * n * n +
                      5.574f * square(n * n) + 0.245f * square(n * n) * n;
    const auto absorb = [&](float c) { return square(log(min(0.98f, max(0.002f, c))) / fit); };
    absorption_ = {absorb(colour.x), absorb(colour.y), absorb(colour.z)};
    const float m = max(0.08f, roughness);
    const float v = square(0.726f * m + 0.812f * m * m + 3.7f * pow(m, 20.0f));
    variances_[0] = v;
    variances_[1] = 0.25f * v;
    variances_[2] = variances_[3] = 4 * v;
    scale_ = 0.626657069f * (0.265f * n + 1.194f * n * n + 5.372f * pow(n, 22.0f));
}

Vec Fibre::scatter(const Vec& tangent, const Vec& to_eye, const Vec& to_light, float across) const
{
    const float sin_out = dot(to_eye, tangent), sin_in = dot(to_light, tangent);
    const float cos_out = sqrt(max(1e-6f, 1 - square(sin_out)));
    const float cos_in = sqrt(max(1e-6f, 1 - square(sin_in)));
    const Vec u = normalised(to_eye - tangent * sin_out), w = cross(tangent, u);
    const float angle = atan2(dot(to_light, w), dot(to_light, u));

    const float outer = asin(min(0.999f, max(-0.999f, across)));
    const float sin_inner = sin_out / kIndex, cos_inner = sqrt(1 - square(sin_inner));
    const float slanted = sqrt(kIndex * kIndex - square(sin_out)) / cos_out;
    const float inner = asin(min(0.999f, max(-0.999f, across / slanted)));
    const Vec depth = absorption_ * (2 * cos(inner) / cos_inner);
    const Vec passed{exp(-depth.x), exp(-depth.y), exp(-depth.z)};
    const float f = mirrored_part(cos_out * cos(outer));

    const Vec once = passed * square(1 - f), twice = multiply(once, passed) * f;
    const auto rest = [&](float two, float t) { return two * f * t / (1 - t * f); };
    const std::array<Vec, 4> parts = {
        Vec{f, f, f}, once, twice,
        Vec{rest(twice.x, passed.x), rest(twice.y, passed.y), rest(twice.z, passed.z)}};
    // Scales tilt the lobes: the first towards the root, the others towards the tip.
    constexpr float kTilts[] = {2 * kScale, -kScale, -4 * kScale, 0};
    Vec sum = {0, 0, 0};
    for (int p = 0; p < 4; ++p) {
        const float s = sin_out * cos(kTilts[p]) - cos_out * sin(kTilts[p]);
        const float c = abs(cos_out * cos(kTilts[p]) + sin_out * sin(kTilts[p]));
        const float about =
            p < 3 ? about_hair(angle - turned(p, outer, inner), scale_) : 1 / (2 * kPi);
        sum += parts[std::size_t(p)] * (along_hair(cos_in, c, sin_in, s, variances_[p]) * about);
    }
    return sum;
}

} // namespace sinew::picture
