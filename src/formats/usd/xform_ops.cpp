// Transformations of USD prims. Its points are rows; here they are columns, so that the operations
// multiply in the order they are written.

#include "formats/usd/xform_ops.h"

#include "math/functions.h"

#include <numbers>
#include <span>

namespace sinew {

namespace {

constexpr std::string_view kInverse = "!invert!";
constexpr std::string_view kOperation = "xformOp:";

Mat3 rotation_about(char axis, double degrees)
{
    const double angle = degrees * std::numbers::pi / 180, c = cos(angle), s = sin(angle);
    switch (axis) {
    case 'X': return {{1, 0, 0}, {0, c, s}, {0, -s, c}};
    case 'Y': return {{c, 0, -s}, {0, 1, 0}, {s, 0, c}};
    default: return {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
    }
}

/// `XYZ`: about x first.
Mat3 rotation_in_order(std::string_view axes, std::span<const double> degrees)
{
    Mat3 rotation = Mat3::identity();
    for (const char axis : axes)
        rotation = rotation_about(axis, degrees[std::size_t(axis - 'X')]) * rotation;
    return rotation;
}

bool are_axes(std::string_view text)
{
    return text.size() == 3 && text.find('X') < 3 && text.find('Y') < 3 && text.find('Z') < 3;
}

/// Of one operation by its kind: `translate`, `rotateXYZ`; nothing for other kinds and numbers.
std::optional<Affine> matrix_of(std::string_view kind, std::span<const double> v)
{
    const auto has = [&](std::string_view name, std::size_t count) {
        return kind == name && v.size() == count;
    };
    const Mat3 none = Mat3::identity();
    if (has("translate", 3))
        return Affine{none, {v[0], v[1], v[2]}};
    if (has("scale", 3))
        return Affine{Mat3::diagonal({v[0], v[1], v[2]}), {}};
    if (has("orient", 4)) // the real part comes first
        return Affine{rotation_matrix(normalised(Quat{v[1], v[2], v[3], v[0]})), {}};
    if (has("rotateX", 1) || has("rotateY", 1) || has("rotateZ", 1))
        return Affine{rotation_about(kind.back(), v[0]), {}};
    if (kind.starts_with("rotate") && are_axes(kind.substr(6)) && v.size() == 3)
        return Affine{rotation_in_order(kind.substr(6), v), {}};
    if (has("transform", 16) && v[3] == 0 && v[7] == 0 && v[11] == 0 && v[15] == 1)
        return Affine{{{v[0], v[1], v[2]}, {v[4], v[5], v[6]}, {v[8], v[9], v[10]}},
                      {v[12], v[13], v[14]}};
    return std::nullopt;
}

std::optional<Affine> inverse_of(const Affine& a)
{
    const Mat3 linear = inverse(a.linear);
    return is_finite(linear) ? std::optional(Affine{linear, -(linear * a.origin)}) : std::nullopt;
}

} // namespace

std::optional<Affine> XformOps::matrix(std::string& fault) const
{
    Affine all;
    for (const std::string& entry : order) {
        const bool is_inverse = entry.starts_with(kInverse);
        const std::string_view name =
            std::string_view(entry).substr(is_inverse ? kInverse.size() : 0);
        const auto found = numbers.find(name);
        std::optional<Affine> one;
        if (found != numbers.end() && name.starts_with(kOperation)) {
            std::string_view kind = name.substr(kOperation.size());
            kind = kind.substr(0, kind.find(':')); // behind it stands a name: translate:pivot
            one = matrix_of(kind, found->second);
        }
        if (one && is_inverse)
            one = inverse_of(*one);
        if (!one) {
            fault = entry;
            return std::nullopt;
        }
        all = all * *one;
    }
    return all;
}

} // namespace sinew
