#include "formats/export_scene.h"
#include "formats/usd/crate.h"
#include "formats/usd/usd_prims.h"
#include "math/half.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

using namespace sinew;
using namespace sinew::formats;

namespace {

/// What a reader of the format does: LZ4 with literals alone.
std::string unpack_bytes(const std::string& packed)
{
    REQUIRE(packed[0] == 0);
    std::size_t at = 1, size = static_cast<unsigned char>(packed[at++]) >> 4;
    for (unsigned char more = 255; size >= 15 && more == 255;)
        size += more = static_cast<unsigned char>(packed[at++]);
    REQUIRE(packed.size() - at == size);
    return packed.substr(at);
}

std::vector<std::int32_t> unpack_integers(const std::string& packed, std::size_t count)
{
    const std::string bytes = unpack_bytes(packed);
    std::int32_t usual = 0, value = 0;
    std::memcpy(&usual, bytes.data(), 4);
    std::size_t at = 4 + (count * 2 + 7) / 8;
    std::vector<std::int32_t> out;
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned code = static_cast<unsigned char>(bytes[4 + i / 4]) >> (2 * (i % 4)) & 3;
        std::int32_t difference = usual;
        if (code == 1)
            difference = static_cast<signed char>(bytes[at]);
        if (code == 2) {
            std::int16_t two = 0;
            std::memcpy(&two, bytes.data() + at, 2);
            difference = two;
        }
        if (code == 3)
            std::memcpy(&difference, bytes.data() + at, 4);
        at += code == 3 ? 4 : code;
        value = std::int32_t(std::uint32_t(value) + std::uint32_t(difference));
        out.push_back(value);
    }
    CHECK(at == bytes.size());
    return out;
}

} // namespace

TEST_CASE("half precision: every half comes back, and rounding goes to the nearest")
{
    for (std::uint32_t bits = 0; bits < 0x7c00; ++bits)
        for (const std::uint32_t sign : {0u, 0x8000u}) {
            const auto half = std::uint16_t(bits | sign);
            CHECK_MESSAGE(to_half(from_half(half)) == half, bits);
        }
    CHECK(to_half(1.0f) == 0x3c00);
    CHECK(to_half(0.5f + 0x1p-12f) == 0x3800); // halfway: to even
    CHECK(to_half(0.5f + 0x1.8p-11f) == 0x3802);
    CHECK(from_half(0x0001) == 0x1p-24f);
}

TEST_CASE("integers of a crate come back from their differences, wrapped ones too")
{
    for (const std::vector<std::int32_t>& list : {std::vector<std::int32_t>{0},
                                                  {0, 1, 2, 3, 4},
                                                  {123, 124, 125, 100125, 100125, -7, 40000},
                                                  {-1, INT32_MAX, INT32_MIN, 0, 300, -300}})
        CHECK(unpack_integers(pack_integers(list), list.size()) == list);
    for (const std::size_t size : {0, 14, 15, 16, 269, 270, 271, 100000}) {
        const std::string bytes(size, 'x');
        CHECK(unpack_bytes(pack_bytes(bytes)) == bytes);
    }
}

TEST_CASE("the B-spline of the control points passes through the nodes")
{
    const std::vector<Vec3> nodes{{0, 0, 0}, {1, 2, 0}, {2, -1, 3}, {4, 0, 1}, {5, 5, 5}};
    std::vector<Vec3> p = nodes;
    fit_basis(CurveBasis::bspline, p);
    CHECK(p.front() == nodes.front());
    CHECK(p.back() == nodes.back());
    for (std::size_t i = 1; i + 1 < p.size(); ++i)
        CHECK(length((p[i - 1] + p[i] * 4 + p[i + 1]) / 6 - nodes[i]) < 1e-14);
    std::vector<Vec3> same = nodes;
    fit_basis(CurveBasis::catmull_rom, same);
    CHECK(same == nodes);
}

TEST_CASE("before the first frame things turn on about a fixed axis, points go straight")
{
    const auto frame = [](std::int64_t index, double angle, double x) {
        ExportFrame out;
        out.index = index;
        out.poses.push_back(
            {rotation_matrix(rotation_about(Vec3{0, 0, 1}, angle)), Vec3{x, 2 * x, 0}});
        out.points.push_back({x, 0, -x});
        return out;
    };
    const ExportFrame before = extrapolate(frame(0, 0.3, 1), frame(1, 0.5, 4));
    const ExportFrame expected = frame(-1, 0.1, -2);
    CHECK(before.index == -1);
    CHECK(length(before.points[0] - expected.points[0]) < 1e-14);
    CHECK(length(before.poses[0].origin - expected.poses[0].origin) < 1e-14);
    for (int k = 0; k < 3; ++k)
        CHECK(length(before.poses[0].linear[k] - expected.poses[0].linear[k]) < 1e-14);
}

TEST_CASE("a tube is closed, faces outwards, and has the volume of its polygon")
{
    const int sides = 64;
    const Triangles tube = make_tube({{0, 0, 0}, {0, 1, 0}, {0, 3, 0}}, {0.5}, false, sides);
    std::map<std::pair<std::array<double, 3>, std::array<double, 3>>, int> edges;
    double volume = 0;
    for (const auto& corner : tube.corners) {
        const Vec3 a = tube.vertices[corner[0]], b = tube.vertices[corner[1]],
                   c = tube.vertices[corner[2]];
        volume += dot(a, cross(b, c)) / 6;
        const std::array<Vec3, 3> all{a, b, c};
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 from = all[k], to = all[(k + 1) % 3];
            ++edges[{{from.x, from.y, from.z}, {to.x, to.y, to.z}}];
            --edges[{{to.x, to.y, to.z}, {from.x, from.y, from.z}}];
        }
    }
    for (const auto& [edge, count] : edges)
        CHECK(count == 0);
    const double angle = 2 * 3.14159265358979323846 / sides;
    CHECK(volume == doctest::Approx(3 * sides * 0.5 * 0.25 * std::sin(angle)));
}
