// glTF 2.0 in one binary file: the triangles of its scene, where their nodes put them at rest.
// Skins, morph targets and animations are passed over.

#include "geometry/read_mesh.h"

#include "base/json.h"

#include <array>
#include <cstring>
#include <optional>

namespace sinew {

namespace {

constexpr int kDeepest = 64; // nodes in nodes
constexpr std::size_t kMostNodes = 1'000'000;

class GlbReader {
public:
    GlbReader(const std::string& name, std::string_view bytes) : name_(name), bytes_(bytes) {}

    Result<TriangleMesh> read()
    {
        if (!read_chunks() || !read_scene())
            return *problem_;
        return std::move(mesh_);
    }

private:
    /// A list of numbers in the buffer.
    struct Accessor {
        std::size_t place = 0, stride = 0, count = 0;
        int component = 0;
    };

    bool stop(std::string what, std::string hint)
    {
        if (!problem_)
            problem_ = Problem{.code = "mesh-glb",
                               .place = {.file = name_},
                               .what = std::move(what),
                               .hint = std::move(hint)};
        return false;
    }
    bool stop_damaged(const std::string& what)
    {
        return stop(what, "the file is cut off or damaged: export it again");
    }

    std::uint32_t word_at(std::size_t place) const
    {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes_.data() + place, 4);
        return word;
    }

    bool read_chunks()
    {
        constexpr std::uint32_t kMagic = 0x46546c67, kJson = 0x4e4f534a, kBinary = 0x004e4942;
        if (bytes_.size() < 20 || word_at(0) != kMagic || word_at(4) != 2)
            return stop("it does not begin as glTF 2.0 files do", "export it as .glb, version 2");
        const std::size_t size = word_at(12);
        if (word_at(16) != kJson || size > bytes_.size() - 20)
            return stop_damaged("it ends before its description does");
        std::optional<Json> document = Json::read(bytes_.substr(20, size));
        if (!document)
            return stop_damaged("its description is no JSON");
        document_ = std::move(*document);
        const std::size_t next = 20 + size;
        if (bytes_.size() < next + 8 || word_at(next + 4) != kBinary)
            return stop("its numbers are not in the file", "export it as one .glb file");
        buffer_ = bytes_.substr(next + 8, word_at(next));
        for (const char* packed : {"KHR_draco_mesh_compression", "EXT_meshopt_compression"})
            if (const Json* needs = document_.find("extensionsRequired"))
                for (const Json& extension : needs->items)
                    if (extension.text == packed)
                        return stop("it is packed by " + extension.text,
                                    "export it without compression");
        return true;
    }

    bool read_scene()
    {
        const Json* scene = document_.item("scenes", document_.number_of("scene").value_or(0));
        if (!scene)
            return stop("it has no scene", "export the objects you see");
        const Json* roots = scene->find("nodes");
        for (std::size_t i = 0; roots && i < roots->items.size(); ++i)
            if (!read_node(roots->items[i].number, Affine{}, 0))
                return false;
        return true;
    }

    bool read_node(double number, const Affine& outer, int depth)
    {
        const Json* node = document_.item("nodes", number);
        if (!node || depth > kDeepest || ++node_count_ > kMostNodes)
            return stop_damaged("a node is missing, or in itself");
        const Affine pose = outer * pose_of(*node);
        if (const auto mesh = node->number_of("mesh"))
            if (!read_mesh_of(*mesh, node->find("skin") ? Affine{} : pose))
                return false;
        const Json* children = node->find("children");
        for (std::size_t i = 0; children && i < children->items.size(); ++i)
            if (!read_node(children->items[i].number, pose, depth + 1))
                return false;
        return true;
    }

    static std::array<double, 16> numbers_of(const Json& node, std::string_view name,
                                             std::array<double, 16> otherwise)
    {
        const Json* list = node.find(name);
        for (std::size_t i = 0; list && i < list->items.size() && i < 16; ++i)
            otherwise[i] = list->items[i].number;
        return otherwise;
    }

    static Affine pose_of(const Json& node)
    {
        if (node.find("matrix")) {
            const auto m =
                numbers_of(node, "matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
            return {Mat3{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}},
                    {m[12], m[13], m[14]}};
        }
        const auto t = numbers_of(node, "translation", {}),
                   s = numbers_of(node, "scale", {1, 1, 1});
        const auto r = numbers_of(node, "rotation", {0, 0, 0, 1});
        const Quat q{r[0], r[1], r[2], r[3]};
        const Mat3 R = dot(q, q) > 0 ? rotation_matrix(normalised(q)) : Mat3::identity();
        return {R * Mat3::diagonal({s[0], s[1], s[2]}), {t[0], t[1], t[2]}};
    }

    bool read_mesh_of(double number, const Affine& pose)
    {
        const Json* mesh = document_.item("meshes", number);
        const Json* primitives = mesh ? mesh->find("primitives") : nullptr;
        if (!primitives)
            return stop_damaged("a mesh is missing");
        for (const Json& primitive : primitives->items)
            if (!read_primitive(primitive, pose))
                return false;
        return true;
    }

    bool read_primitive(const Json& primitive, const Affine& pose)
    {
        constexpr int kFloat = 5126;
        constexpr double kTriangles = 4;
        if (primitive.number_of("mode").value_or(kTriangles) != kTriangles)
            return true; // points, lines
        const Json* attributes = primitive.find("attributes");
        const auto places = attributes ? attributes->number_of("POSITION") : std::nullopt;
        const auto corners = places ? find_accessor(*places, "VEC3") : std::nullopt;
        if (!corners || corners->component != kFloat)
            return stop_damaged("a mesh has no places of its corners");
        const auto first = std::uint32_t(mesh_.vertices.size());
        if (mesh_.vertices.size() + corners->count > kMostCorners)
            return stop("the mesh has too many corners", "reduce it");
        for (std::size_t i = 0; i < corners->count; ++i) {
            std::array<float, 3> x{};
            std::memcpy(x.data(), buffer_.data() + corners->place + i * corners->stride, 12);
            mesh_.vertices.push_back(apply(pose, Vec3{x[0], x[1], x[2]}));
            if (!is_finite(mesh_.vertices.back()))
                return stop_damaged("a corner is not at a finite place");
        }
        return read_corners(primitive, first, corners->count, determinant(pose.linear) < 0);
    }

    bool read_corners(const Json& primitive, std::uint32_t first, std::size_t vertices,
                      bool is_mirrored)
    {
        const auto numbers = primitive.number_of("indices");
        const auto list = numbers ? find_accessor(*numbers, "SCALAR") : std::nullopt;
        if (numbers && !list)
            return stop_damaged("the triangles of a mesh are missing");
        const std::size_t count = list ? list->count : vertices;
        if (mesh_.triangles.size() + count / 3 > kMostCorners)
            return stop("the mesh has too many triangles", "reduce it");
        for (std::size_t i = 0; i + 2 < count; i += 3) {
            std::array<std::uint32_t, 3> triangle{};
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint64_t corner = list ? whole_at(*list, i + k) : i + k;
                if (corner >= vertices)
                    return stop_damaged("a triangle has a corner that is not there");
                triangle[k] = first + std::uint32_t(corner);
            }
            if (is_mirrored)
                std::swap(triangle[1], triangle[2]);
            mesh_.triangles.push_back(triangle);
        }
        return true;
    }

    std::uint64_t whole_at(const Accessor& list, std::size_t i) const
    {
        std::uint32_t value = 0;
        const std::size_t size = list.component == 5121 ? 1 : list.component == 5123 ? 2 : 4;
        std::memcpy(&value, buffer_.data() + list.place + i * list.stride, size);
        return value;
    }

    /// Nothing when it is missing, sparse, or reaches beyond the buffer.
    std::optional<Accessor> find_accessor(double number, std::string_view type) const
    {
        const Json* accessor = document_.item("accessors", number);
        const auto view_number = accessor ? accessor->number_of("bufferView") : std::nullopt;
        const Json* view = view_number ? document_.item("bufferViews", *view_number) : nullptr;
        const Json* kind = accessor ? accessor->find("type") : nullptr;
        if (!view || !kind || kind->text != type || accessor->find("sparse") ||
            view->number_of("buffer").value_or(0) != 0)
            return std::nullopt;
        const double component = accessor->number_of("componentType").value_or(0);
        const double size = component == 5126 || component == 5125 ? 4
                            : component == 5123                    ? 2
                            : component == 5121                    ? 1
                                                                   : 0;
        const double width = type == "VEC3" ? 3 * size : size;
        const double stride = view->number_of("byteStride").value_or(width);
        const double count = accessor->number_of("count").value_or(0);
        const double place = view->number_of("byteOffset").value_or(0) +
                             accessor->number_of("byteOffset").value_or(0);
        const double end = place + (count - 1) * stride + width;
        if (size == 0 || count < 1 || stride < width || place < 0 || count > double(kMostCorners) ||
            !(end <= double(buffer_.size())))
            return std::nullopt;
        return Accessor{.place = std::size_t(place),
                        .stride = std::size_t(stride),
                        .count = std::size_t(count),
                        .component = int(component)};
    }

    const std::string& name_;
    std::string_view bytes_, buffer_;
    Json document_;
    TriangleMesh mesh_;
    std::size_t node_count_ = 0;
    std::optional<Problem> problem_;
};

} // namespace

Result<TriangleMesh> read_glb(const std::string& name, std::string_view bytes)
{
    return GlbReader(name, bytes).read();
}

} // namespace sinew
