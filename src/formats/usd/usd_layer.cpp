#include "formats/usd/usd_layer.h"

#include "formats/export_scene.h"

namespace sinew::formats {

namespace {

template <class T>
UsdValue make_value(UsdType type, const T& value)
{
    return {.type = type, .bytes = {reinterpret_cast<const char*>(&value), sizeof value}};
}

} // namespace

UsdValue usd_number(double value) { return make_value(UsdType::real, value); }
UsdValue usd_float(float value) { return make_value(UsdType::single, value); }
UsdValue usd_boolean(bool value) { return make_value(UsdType::boolean, std::uint8_t(value)); }

UsdValue usd_text(UsdType type, std::string text)
{
    return {.type = type, .texts = {std::move(text)}};
}

UsdValue usd_texts(UsdType type, std::vector<std::string> texts)
{
    const std::size_t count = texts.size();
    return {.type = type, .is_array = true, .count = count, .texts = std::move(texts)};
}

/// Rows are axes, then the origin: USD multiplies from the right.
UsdValue usd_matrix(const Affine& pose)
{
    std::array<double, 16> m{};
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < 3; ++k)
            m[std::size_t(4 * axis + k)] = pose.linear[axis][k];
    for (int k = 0; k < 3; ++k)
        m[std::size_t(12 + k)] = pose.origin[k];
    m[15] = 1;
    return make_value(UsdType::matrix4, m);
}

UsdValue usd_vectors(std::span<const Vec3> list)
{
    UsdValue value{.type = UsdType::single3, .is_array = true, .count = list.size()};
    value.bytes.resize(12 * list.size());
    auto* out = reinterpret_cast<float*>(value.bytes.data());
    for (const Vec3& x : list) {
        *out++ = to_float(x.x);
        *out++ = to_float(x.y);
        *out++ = to_float(x.z);
    }
    return value;
}

std::string usd_name(const std::string& name)
{
    std::string out;
    for (const char c : name) {
        const bool is_digit = c >= '0' && c <= '9';
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (is_digit && out.empty())
            out = "_";
        out += is_digit || is_letter ? c : '_';
    }
    return out.empty() ? "_" : out;
}

} // namespace sinew::formats
