// Meshes from files: the same tetrahedron in every format, and what is wrong with others.

#include "sinew/shapes.h"

#include "geometry/mass_properties.h"
#include "geometry/mesh.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <string>

using namespace sinew;

namespace {

const char* kObj = "# a tetrahedron\r\no thing\nv 0 0 0\nv 1 0 0 1.0\nv +0 1 0\nv 0 0 1e0\n"
                   "vn 0 0 1\nvt 0 0\nusemtl red\nf 1 3 2\nf 1/1 2/1 4/1\nf 1//1 4//1 3//1\n"
                   "f -3/1/1 -2/1/1 -1/1/1 # last\n";

const char* kPly = "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 4\n"
                   "property float x\nproperty double y\nproperty float z\nproperty uchar red\n"
                   "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
                   "0 0 0 9\n1 0 0 9\n0 1 0 9\n0 0 1 9\n"
                   "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

TriangleMesh sound(const std::string& name, const std::string& bytes)
{
    Result<TriangleMesh> mesh = read_mesh(name, bytes);
    REQUIRE_MESSAGE(bool(mesh), (mesh ? "" : mesh.problems()[0].what));
    CHECK(check_solid(*mesh, name).empty());
    return *mesh;
}

Problem problem(const std::string& name, const std::string& bytes)
{
    const Result<TriangleMesh> mesh = read_mesh(name, bytes);
    REQUIRE_FALSE(bool(mesh));
    return mesh.problems()[0];
}

void put(std::string& bytes, std::uint64_t bits, int size, bool big = false)
{
    for (int i = 0; i < size; ++i)
        bytes += static_cast<char>(bits >> (8 * (big ? size - 1 - i : i)));
}

std::string binary_stl(const TriangleMesh& mesh)
{
    std::string bytes = "solid but binary";
    bytes.resize(80, ' ');
    put(bytes, mesh.triangles.size(), 4);
    for (const auto& triangle : mesh.triangles) {
        bytes.append(12, '\0');
        for (const std::uint32_t corner : triangle)
            for (int i = 0; i < 3; ++i)
                put(bytes, std::bit_cast<std::uint32_t>(float(mesh.vertices[corner][i])), 4);
        bytes.append(2, '\0');
    }
    return bytes;
}

std::string binary_ply(const TriangleMesh& mesh, bool big)
{
    std::string bytes = std::string("ply\nformat binary_") + (big ? "big" : "little") +
                        "_endian 1.0\nelement vertex " + std::to_string(mesh.vertices.size()) +
                        "\nproperty double x\nproperty double y\nproperty double z\n"
                        "element face " +
                        std::to_string(mesh.triangles.size()) +
                        "\nproperty short flags\nproperty list uint8 uint16 vertex_index\n"
                        "end_header\n";
    for (const Vec3& x : mesh.vertices)
        for (int i = 0; i < 3; ++i)
            put(bytes, std::bit_cast<std::uint64_t>(x[i]), 8, big);
    for (const auto& triangle : mesh.triangles) {
        put(bytes, 0xffff, 2, big);
        put(bytes, 3, 1, big);
        for (const std::uint32_t corner : triangle)
            put(bytes, corner, 2, big);
    }
    return bytes;
}

const char* kStl = "solid t\n facet normal 0 0 -1\n  outer loop\n   vertex 0 0 0\n"
                   "   vertex 0 1 0\n   vertex 1 0 0\n  endloop\n endfacet\n";

} // namespace

TEST_CASE("the same solid from every format")
{
    const TriangleMesh mesh = sound("t.obj", kObj);
    CHECK(mesh_mass(mesh).volume == doctest::Approx(1.0 / 6));
    CHECK(sound("t.PLY", kPly) == mesh);
    CHECK(sound("t.ply", binary_ply(mesh, false)) == mesh);
    CHECK(sound("t.ply", binary_ply(mesh, true)) == mesh);
    const TriangleMesh welded = sound("t.stl", binary_stl(mesh));
    CHECK(welded.vertices.size() == 4);
    CHECK(mesh_mass(welded).volume == doctest::Approx(1.0 / 6));
    const Result<TriangleMesh> text = read_mesh("t.stl", kStl);
    REQUIRE(bool(text));
    CHECK(text->triangles.size() == 1);
}

TEST_CASE("faces with more corners are cut into triangles")
{
    const Result<TriangleMesh> mesh =
        read_mesh("q.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 2 0\nf 1 2 3 4 5\n");
    REQUIRE(bool(mesh));
    CHECK(mesh->triangles.size() == 3);
}

TEST_CASE("faults have their place")
{
    const Problem number = problem("a.obj", "v 0 0 0\nv 1 x 0\nf 1 1 1\n");
    CHECK(number.code == "mesh-number");
    CHECK(number.place.line == 2);
    CHECK(number.place.column == 5);
    const Problem corner = problem("a.obj", "v 0 0 0\nf 1 2 3\n");
    CHECK(corner.code == "mesh-corner");
    CHECK(corner.what == "'2' is none of the 1 vertices before it");
    CHECK(corner.place.column == 5);
    CHECK(problem("a.obj", "v 0 0 0\nf 1 1\n").code == "mesh-face");
    CHECK(problem("a.obj", "v 0 0 nan\n").code == "mesh-number");
    CHECK(problem("a.obj", "v 0 0 0\nf 0 1 1\n").code == "mesh-corner");
    CHECK(problem("a.obj", "").code == "mesh-no-faces");
    CHECK(problem("a.fbx", "").code == "mesh-unknown-format");
    CHECK(problem("a", "").code == "mesh-unknown-format");
    CHECK(problem("a.ply", "plx\n").code == "mesh-unknown-format");
    CHECK(problem("a.ply", "ply\nformat ascii 1.0\nelement vertex -3\n").code == "mesh-header");
    CHECK(problem("a.ply", "ply\nformat ascii 1.0\n").code == "mesh-header");
    CHECK(problem("a.ply", std::string(kPly, std::strlen(kPly) - 12)).code == "mesh-element");
    CHECK(problem("a.stl", "solid t\nvertex 0 0\n").code == "mesh-number");
    CHECK(problem("a.stl", "solid t\nvertex 0 0 0\nendloop\n").code == "mesh-face");
    CHECK(problem("a.stl", "something").code == "mesh-unknown-format");
    std::string cut = binary_stl(*read_mesh("t.obj", kObj));
    cut[3] = 'X';
    CHECK(problem("a.stl", cut.substr(0, 150)).code == "mesh-cut-off");
}

TEST_CASE("a promise of much costs no memory")
{
    CHECK(problem("a.ply", "ply\nformat binary_little_endian 1.0\nelement vertex 19999999\n"
                           "property float x\nend_header\n")
              .code == "mesh-element");
    CHECK(problem("a.ply", "ply\nformat binary_little_endian 1.0\nelement vertex 19999999\n"
                           "end_header\n")
              .code == "mesh-no-faces");
    std::string bytes(84, ' ');
    bytes.replace(80, 4, "\xff\xff\xff\xff");
    CHECK(problem("a.stl", bytes).code == "mesh-cut-off");
}

TEST_CASE("random bytes and cut files end in a mesh or a problem")
{
    std::mt19937 dice(3);
    const TriangleMesh mesh = *read_mesh("t.obj", kObj);
    const std::string seeds[] = {kObj, kPly, binary_ply(mesh, true), binary_stl(mesh), kStl};
    for (int round = 0; round < 3000; ++round) {
        std::string bytes = seeds[round % 5];
        for (unsigned i = 0; i < 1 + dice() % 6; ++i)
            bytes[dice() % bytes.size()] = static_cast<char>(dice());
        if (dice() % 3 == 0)
            bytes.resize(dice() % bytes.size());
        for (const char* name : {"t.obj", "t.ply", "t.stl"})
            if (const Result<TriangleMesh> read = read_mesh(name, bytes))
                for (const auto& triangle : read->triangles)
                    REQUIRE(std::ranges::max(triangle) < read->vertices.size());
    }
}

TEST_CASE("a surface that bounds nothing is told with an example")
{
    TriangleMesh mesh = *read_mesh("t.obj", kObj);
    mesh.triangles.pop_back();
    const Problems open = check_solid(mesh, "t.obj");
    REQUIRE(open.size() == 1);
    CHECK(open[0].code == "mesh-open");
    CHECK(open[0].what.starts_with("3 edges"));
    mesh = *read_mesh("t.obj", kObj);
    std::swap(mesh.triangles[0][0], mesh.triangles[0][1]);
    CHECK(check_solid(mesh, "t.obj")[0].code == "mesh-crowded");
    turn_inside_out(mesh);
    mesh.vertices[3] = mesh.vertices[0];
    CHECK(check_solid(mesh, "t.obj")[0].code == "mesh-empty-triangles");
}

TEST_CASE("a file that ends with its header is told, not read beyond")
{
    const Result<TriangleMesh> mesh =
        read_mesh("m.ply", "ply\nformat binary_little_endian 1.0\nelement vertex 3\n"
                           "property float x\nend_header");
    REQUIRE(!mesh);
    CHECK(mesh.problems()[0].code == "mesh-element");
}
