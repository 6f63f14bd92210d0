#include "formats/gltf/json_tree.h"
#include "formats/read_mesh.h"
#include "geometry/mass_properties.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace sinew;

namespace {

template <class T>
void append(std::string& out, T value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A corner of a cube with legs of one metre, in a node.
std::string tetrahedron(const std::string& node, const std::string& more = "")
{
    std::string text =
        R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0)" + node +
        R"(}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"accessors":[)"
        R"({"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},)"
        R"({"bufferView":1,"componentType":5121,"count":12,"type":"SCALAR"}],"bufferViews":[)"
        R"({"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}])" +
        more + "}";
    text.append((4 - text.size() % 4) % 4, ' ');
    std::string bytes;
    for (const float x : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f})
        append(bytes, x);
    for (const int corner : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3})
        append(bytes, std::uint8_t(corner));
    std::string out;
    for (const std::size_t word :
         {std::size_t{0x46546c67}, std::size_t{2}, 28 + text.size() + bytes.size(), text.size(),
          std::size_t{0x4e4f534a}})
        append(out, std::uint32_t(word));
    out += text;
    append(out, std::uint32_t(bytes.size()));
    append(out, std::uint32_t{0x004e4942});
    return out + bytes;
}

} // namespace

TEST_CASE("a mesh of glTF stands where its node puts it")
{
    const Result<TriangleMesh> mesh = read_glb(
        "t.glb",
        tetrahedron(
            R"(,"translation":[1,2,3],"scale":[2,2,2],"rotation":[0,0,0.70710678,0.70710678])"));
    REQUIRE(mesh);
    REQUIRE(mesh->vertices.size() == 4);
    CHECK(mesh->triangles.size() == 4);
    CHECK(length(mesh->vertices[0] - Vec3{1, 2, 3}) < 1e-6);
    CHECK(length(mesh->vertices[1] - Vec3{1, 4, 3}) < 1e-6);
    CHECK(mesh_mass(*mesh).volume == doctest::Approx(8.0 / 6));
}

TEST_CASE("a mirrored node leaves the mesh with its outside outside")
{
    const Result<TriangleMesh> mesh = read_glb("t.glb", tetrahedron(R"(,"scale":[-1,1,1])"));
    REQUIRE(mesh);
    CHECK(mesh_mass(*mesh).volume == doctest::Approx(1.0 / 6));
}

TEST_CASE("glTF that cannot be read says why")
{
    const std::string good = tetrahedron("");
    REQUIRE(read_glb("t.glb", good));
    for (std::size_t size = 0; size < good.size(); ++size) {
        const Result<TriangleMesh> mesh = read_glb("t.glb", good.substr(0, size));
        REQUIRE(!mesh);
        CHECK(!mesh.problems()[0].hint.empty());
    }
    CHECK(!read_glb("t.glb", tetrahedron(R"(,"children":[0])")));
    const Result<TriangleMesh> packed = read_glb(
        "t.glb", tetrahedron("", R"(,"extensionsRequired":["KHR_draco_mesh_compression"])"));
    REQUIRE(!packed);
    CHECK(packed.problems()[0].hint == "export it without compression");
}

TEST_CASE("JSON: what is read, and what is not")
{
    const auto value = Json::read(R"( {"a": [1, -2.5e1, true, null], "b\n": {"c": "x\"y"}} )");
    REQUIRE(value);
    CHECK(value->item("a", 1)->number == -25);
    CHECK(value->item("a", 4) == nullptr);
    CHECK(value->find("b\n")->find("c")->text == "x\"y");
    CHECK(!value->number_of("a"));
    for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "[1] 2", "nul", "1e999", "\"a"})
        CHECK_MESSAGE(!Json::read(text), text);
    CHECK(!Json::read(std::string(100, '[') + std::string(100, ']')));
}
