// STL: triangles one by one, in text or in records of fifty bytes.

#include "formats/read_mesh.h"
#include "geometry/mesh.h"

#include <bit>
#include <cmath>

namespace sinew {

namespace {

constexpr std::size_t kHeader = 80, kRecord = 50;

Problem refuse(const std::string& name, std::string code, std::string what, std::string hint)
{
    return {.code = std::move(code),
            .place = {.file = name},
            .what = std::move(what),
            .hint = std::move(hint)};
}

std::uint32_t whole_at(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value |= std::uint32_t(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    return value;
}

void add_triangle(TriangleMesh& mesh)
{
    const auto n = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.triangles.push_back({n - 3, n - 2, n - 1});
}

Result<TriangleMesh> read_binary(const std::string& name, std::string_view bytes)
{
    const std::size_t count = whole_at(bytes, kHeader);
    const std::size_t there = (bytes.size() - kHeader - 4) / kRecord;
    if (count > there || 3 * count > kMostCorners)
        return refuse(name, "mesh-cut-off",
                      "it promises " + std::to_string(count) + " triangles and holds " +
                          std::to_string(there),
                      "the file is cut off or damaged: export it again");
    TriangleMesh mesh;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = kHeader + 4 + i * kRecord + 12; // behind the normal
        for (std::size_t k = 0; k < 3; ++k) {
            Vec3 x;
            for (std::size_t c = 0; c < 3; ++c)
                x[static_cast<int>(c)] = std::bit_cast<float>(whole_at(bytes, at + 12 * k + 4 * c));
            if (!is_finite(x))
                return refuse(name, "mesh-number",
                              "triangle " + std::to_string(i + 1) +
                                  " has a corner that is not finite",
                              "export the mesh again");
            mesh.vertices.push_back(x);
        }
        add_triangle(mesh);
    }
    weld(mesh);
    return mesh;
}

Result<TriangleMesh> read_text(const std::string& name, std::string_view text)
{
    LineReader lines(name, text);
    TriangleMesh mesh;
    while (lines.next_line() && mesh.vertices.size() < kMostCorners) {
        const std::string_view word = lines.word();
        if (word == "vertex") {
            Vec3 x;
            for (int i = 0; i < 3; ++i)
                if (!lines.number(x[i]))
                    return lines.problem("mesh-number", "a vertex needs three finite numbers",
                                         "write: vertex 1.0 2.0 3.0");
            mesh.vertices.push_back(x);
        } else if (word == "endloop") {
            if (mesh.vertices.size() != 3 * (mesh.triangles.size() + 1))
                return lines.problem("mesh-face", "a loop has three vertices, no more, no fewer",
                                     "export triangles");
            add_triangle(mesh);
        }
    }
    if (mesh.vertices.size() != 3 * mesh.triangles.size())
        return refuse(name, "mesh-cut-off", "its last loop has no end",
                      "the file is cut off: export it again");
    weld(mesh);
    return mesh;
}

} // namespace

Result<TriangleMesh> read_stl(const std::string& name, std::string_view bytes)
{
    // A binary file may also begin with "solid": its length tells.
    const bool is_binary =
        bytes.size() >= kHeader + 4 &&
        (!bytes.starts_with("solid") ||
         bytes.size() == kHeader + 4 + std::size_t(whole_at(bytes, kHeader)) * kRecord);
    if (is_binary)
        return read_binary(name, bytes);
    if (!bytes.starts_with("solid"))
        return refuse(name, "mesh-unknown-format", "it is not an STL file",
                      "a text begins with `solid`, a binary file has 84 bytes at least");
    return read_text(name, bytes);
}

} // namespace sinew
