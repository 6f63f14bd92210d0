// glTF 2.0 in one binary file: the triangles of its scene, where nodes, skins and mixed forms put
// them at time zero, and how its first animation moves them.

#include "formats/gltf/glb_file.h"
#include "formats/read_mesh.h"
#include "geometry/mesh_motion.h"
#include "geometry/shot.h"

#include <algorithm>
#include <array>
#include <numbers>

namespace sinew {

namespace {

constexpr std::uint32_t kNone = MeshMotion::kNone;
constexpr int kDeepest = 64; // nodes in nodes

std::array<double, 16> numbers_of(const Json& node, std::string_view name,
                                  std::array<double, 16> otherwise)
{
    const Json* list = node.find(name);
    for (std::size_t i = 0; list && i < list->items.size() && i < 16; ++i)
        otherwise[i] = list->items[i].number;
    return otherwise;
}

/// Column by column; the last row is that of a frame.
Affine affine_of(const double* m)
{
    return {Mat3{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}},
            {m[12], m[13], m[14]}};
}

MeshMotion::Node node_of(const Json& node, std::uint32_t parent)
{
    MeshMotion::Node made;
    made.parent = parent;
    const auto t = numbers_of(node, "translation", {}), s = numbers_of(node, "scale", {1, 1, 1});
    const auto r = numbers_of(node, "rotation", {0, 0, 0, 1});
    const Quat q{r[0], r[1], r[2], r[3]};
    made.translation = {t[0], t[1], t[2]};
    made.scale = {s[0], s[1], s[2]};
    made.rotation = dot(q, q) > 0 ? normalised(q) : Quat{};
    made.matrix = {rotation_matrix(made.rotation) * Mat3::diagonal(made.scale), made.translation};
    if (node.find("matrix"))
        made.matrix = affine_of(
            numbers_of(node, "matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}).data());
    return made;
}

class GlbReader {
public:
    GlbReader(const std::string& name, std::string_view bytes) : file_(name, bytes) {}

    Result<MovingMesh> read()
    {
        if (!file_.open() || !read_scene() || !read_skins() || !read_animation() || !finish())
            return file_.problem();
        MovingMesh made{std::move(mesh_), {}};
        if (does_move())
            made.motion = std::move(motion_);
        return made;
    }

    Result<FileShot> read_view()
    {
        if (!file_.open() || !read_scene() || !read_skins() || !read_animation())
            return file_.problem();
        FileShot shot;
        shot.end = end_of(motion_);
        shot.field_of_view = field_of_view_;
        if (camera_ != kNone && !add_keys(shot))
            return file_.problem();
        return shot;
    }

    Result<std::vector<double>> read_numbers(const std::string& name, const std::string& which)
    {
        wanted_ = which;
        if (!file_.open() || !read_scene())
            return file_.problem();
        if (has_numbers_)
            return std::move(numbers_);
        return no_vertex_numbers(name, which,
                                 "paint its vertices, or give them an attribute of that name");
    }

    /// A node without a name gets its number in the file.
    Result<NodeTree> read_tree()
    {
        if (!file_.open() || !read_scene() || !read_skins() || !read_animation())
            return file_.problem();
        NodeTree tree;
        tree.names.resize(motion_.nodes.size());
        for (std::size_t i = 0; i < number_of_.size(); ++i) {
            if (number_of_[i] == kNone)
                continue;
            const Json* name = document().item("nodes", double(i))->find("name");
            tree.names[number_of_[i]] =
                name && !name->text.empty() ? name->text : std::to_string(i);
        }
        tree.motion.nodes = std::move(motion_.nodes);
        tree.motion.channels = std::move(motion_.channels);
        return tree;
    }

private:
    const Json& document() const { return file_.document(); }

    bool read_scene()
    {
        number_of_.assign(document().count_of("nodes"), kNone);
        const Json* scene = document().item("scenes", document().number_of("scene").value_or(0));
        if (!scene)
            return file_.stop("it has no scene", "export the objects you see");
        const Json* roots = scene->find("nodes");
        for (std::size_t i = 0; roots && i < roots->items.size(); ++i)
            if (!read_node(roots->items[i].number, kNone, 0))
                return false;
        return true;
    }

    bool read_node(double number, std::uint32_t parent, int depth)
    {
        const Json* node = document().item("nodes", number);
        if (!node || depth > kDeepest || number_of_[std::size_t(number)] != kNone)
            return file_.stop_damaged("a node is missing, or in two places");
        const auto here = std::uint32_t(motion_.nodes.size());
        number_of_[std::size_t(number)] = here;
        motion_.nodes.push_back(node_of(*node, parent));
        if (node->find("mesh") && !read_mesh_of(*node, here))
            return false;
        if (node->find("camera") && camera_ == kNone)
            read_camera(*node, here);
        const Json* children = node->find("children");
        for (std::size_t i = 0; children && i < children->items.size(); ++i)
            if (!read_node(children->items[i].number, here, depth + 1))
                return false;
        return true;
    }

    void read_camera(const Json& node, std::uint32_t here)
    {
        const Json* camera = document().item("cameras", node.number_of("camera").value_or(-1));
        const Json* lens = camera ? camera->find("perspective") : nullptr;
        const double angle = lens ? lens->number_of("yfov").value_or(0) : 0;
        if (!(angle > 0 && angle < std::numbers::pi))
            return;
        camera_ = here;
        field_of_view_ = angle;
    }

    /// It looks along −z of its node. Channels turn it: keys are dense enough to go straight.
    bool add_keys(FileShot& shot)
    {
        constexpr double kRate = 60, kMostKeys = 100'000;
        bool moves = false;
        for (std::uint32_t n = camera_; n != kNone; n = motion_.nodes[n].parent)
            moves = moves || motion_.nodes[n].translated != kNone ||
                    motion_.nodes[n].turned != kNone || motion_.nodes[n].scaled != kNone;
        if (moves && shot.end * kRate > kMostKeys)
            return file_.stop("its animation is too long", "export a shorter one");
        const int count = moves ? int(shot.end * kRate) + 2 : 1;
        MeshPoser poser(motion_);
        for (int i = 0; i < count; ++i) {
            const double time = std::min(i / kRate, shot.end);
            poser.set_time(time);
            const Affine& X = poser.node(camera_);
            const double size = length(X.linear.z);
            if (!(size > 0) || !is_finite(X.origin) || !is_finite(size))
                return file_.stop_damaged("its camera is at no place");
            if (shot.keys.empty() || time > shot.keys.back().time)
                shot.keys.push_back({time, X.origin, X.origin - X.linear.z / size});
        }
        return true;
    }

    bool read_mesh_of(const Json& node, std::uint32_t here)
    {
        const Json* mesh = document().item("meshes", node.number_of("mesh").value_or(-1));
        const Json* primitives = mesh ? mesh->find("primitives") : nullptr;
        if (!primitives)
            return file_.stop_damaged("a mesh is missing");
        for (const Json& primitive : primitives->items)
            if (!read_primitive(node, *mesh, primitive, here))
                return false;
        return true;
    }

    bool read_primitive(const Json& node, const Json& mesh, const Json& primitive,
                        std::uint32_t here)
    {
        constexpr double kTriangles = 4;
        if (primitive.number_of("mode").value_or(kTriangles) != kTriangles)
            return true; // points, lines
        const Json* attributes = primitive.find("attributes");
        const auto accessor = attributes ? attributes->number_of("POSITION") : std::nullopt;
        const auto places = accessor ? file_.numbers(*accessor, "VEC3") : std::nullopt;
        if (!places)
            return file_.stop_damaged("a mesh has no places of its corners");
        const std::size_t first = motion_.corners.size(), count = places->size() / 3;
        if (first + count > kMostCorners)
            return file_.stop("the mesh has too many corners", "reduce it");
        for (std::size_t i = 0; i < places->size(); i += 3)
            motion_.corners.push_back({(*places)[i], (*places)[i + 1], (*places)[i + 2]});
        if (!wanted_.empty() && !read_numbers_of(*attributes, count))
            return file_.stop_damaged("a number of its vertices is missing");
        MeshMotion::Part part{
            .first = std::uint32_t(first), .count = std::uint32_t(count), .node = here};
        if (!read_forms(node, mesh, primitive, part) ||
            !read_weights(node, *attributes, count, part))
            return false;
        motion_.parts.push_back(std::move(part));
        return read_corners(primitive, std::uint32_t(first), count);
    }

    /// The wanted number of each vertex; 1 for parts of the mesh that do not have it.
    bool read_numbers_of(const Json& attributes, std::size_t count)
    {
        constexpr std::string_view parts[] = {"red", "green", "blue", "alpha"};
        const auto part = std::size_t(std::ranges::find(parts, wanted_) - std::begin(parts));
        const bool is_colour = part < std::size(parts);
        auto accessor = attributes.number_of(is_colour ? "COLOR_0" : wanted_);
        if (!accessor && !is_colour) // glTF wants an underscore before names of one's own
            accessor = attributes.number_of("_" + wanted_);
        numbers_.resize(numbers_.size() + count, 1);
        if (!accessor)
            return true;
        auto values = file_.numbers(*accessor, is_colour ? "VEC4" : "SCALAR");
        std::size_t width = is_colour ? 4 : 1;
        if (!values && is_colour && part < 3) {
            values = file_.numbers(*accessor, "VEC3");
            width = 3;
        }
        if (!values || values->size() != count * width)
            return false;
        has_numbers_ = true;
        for (std::size_t i = 0; i < count; ++i)
            numbers_[numbers_.size() - count + i] = (*values)[i * width + (is_colour ? part : 0)];
        return true;
    }

    /// Morph targets.
    bool read_forms(const Json& node, const Json& mesh, const Json& primitive,
                    MeshMotion::Part& part)
    {
        const Json* targets = primitive.find("targets");
        for (std::size_t k = 0; targets && k < targets->items.size(); ++k) {
            const auto accessor = targets->items[k].number_of("POSITION");
            const auto moved = accessor ? file_.numbers(*accessor, "VEC3") : std::nullopt;
            form_corners_ += part.count;
            if (accessor && (!moved || moved->size() != 3 * std::size_t(part.count)))
                return file_.stop_damaged("a form of a mesh is missing");
            if (form_corners_ > kMostCorners)
                return file_.stop("the mesh has too many forms", "reduce it");
            std::vector<Vec3>& form = part.forms.emplace_back(part.count);
            for (std::size_t i = 0; moved && i < form.size(); ++i)
                form[i] = {(*moved)[3 * i], (*moved)[3 * i + 1], (*moved)[3 * i + 2]};
        }
        part.shares.assign(part.forms.size(), 0);
        const Json* shares = node.find("weights") ? node.find("weights") : mesh.find("weights");
        for (std::size_t k = 0; shares && k < shares->items.size() && k < part.shares.size(); ++k)
            part.shares[k] = shares->items[k].number;
        return true;
    }

    /// Which nodes of a skin hold each corner, and how much.
    bool read_weights(const Json& node, const Json& attributes, std::size_t count,
                      MeshMotion::Part& part)
    {
        const auto skin = node.number_of("skin");
        const auto joints = attributes.number_of("JOINTS_0"),
                   weights = attributes.number_of("WEIGHTS_0");
        if (!skin || !joints || !weights)
            return true;
        const auto which = file_.wholes(*joints, "VEC4");
        const auto shares = file_.numbers(*weights, "VEC4");
        if (!which || !shares || which->size() != 4 * count || shares->size() != 4 * count)
            return file_.stop_damaged("the weights of a skin are missing");
        part.skin = skin_number(*skin);
        motion_.joints.resize(motion_.corners.size());
        motion_.weights.resize(motion_.corners.size());
        for (std::size_t i = 0; i < count; ++i) {
            double sum = 0;
            for (std::size_t k = 0; k < 4; ++k)
                sum += std::max((*shares)[4 * i + k], 0.0);
            for (std::size_t k = 0; k < 4; ++k) {
                motion_.joints[part.first + i][k] = (*which)[4 * i + k];
                motion_.weights[part.first + i][k] =
                    sum > 0 ? std::max((*shares)[4 * i + k], 0.0) / sum : k == 0;
            }
        }
        return true;
    }

    std::uint32_t skin_number(double skin)
    {
        const auto found = std::ranges::find(skins_, skin);
        if (found == skins_.end())
            skins_.push_back(skin);
        return std::uint32_t(std::ranges::find(skins_, skin) - skins_.begin());
    }

    bool read_corners(const Json& primitive, std::uint32_t first, std::size_t vertices)
    {
        const auto accessor = primitive.number_of("indices");
        const auto list = accessor ? file_.wholes(*accessor, "SCALAR") : std::nullopt;
        if (accessor && !list)
            return file_.stop_damaged("the triangles of a mesh are missing");
        const std::size_t count = list ? list->size() : vertices;
        if (mesh_.triangles.size() + count / 3 > kMostCorners)
            return file_.stop("the mesh has too many triangles", "reduce it");
        for (std::size_t i = 0; i + 2 < count; i += 3) {
            std::array<std::uint32_t, 3> triangle{};
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t corner = list ? (*list)[i + k] : i + k;
                if (corner >= vertices)
                    return file_.stop_damaged("a triangle has a corner that is not there");
                triangle[k] = first + std::uint32_t(corner);
            }
            mesh_.triangles.push_back(triangle);
        }
        last_triangle_.push_back(mesh_.triangles.size());
        return true;
    }

    bool read_skins()
    {
        for (const double number : skins_) {
            const Json* skin = document().item("skins", number);
            const Json* joints = skin ? skin->find("joints") : nullptr;
            if (!joints || joints->items.empty())
                return file_.stop_damaged("a skin has no nodes");
            MeshMotion::Skin made;
            for (const Json& joint : joints->items) {
                const bool is_there = joint.number >= 0 && joint.number < double(number_of_.size());
                const auto node = is_there ? number_of_[std::size_t(joint.number)] : kNone;
                if (node == kNone)
                    return file_.stop_damaged("a skin has a node that is not in the scene");
                made.nodes.push_back(node);
            }
            const auto accessor = skin->number_of("inverseBindMatrices");
            const auto numbers = accessor ? file_.numbers(*accessor, "MAT4") : std::nullopt;
            if (accessor && (!numbers || numbers->size() < 16 * made.nodes.size()))
                return file_.stop_damaged("a skin has no places of its nodes");
            for (std::size_t i = 0; i < made.nodes.size(); ++i)
                made.to_node.push_back(numbers ? affine_of(&(*numbers)[16 * i]) : Affine{});
            motion_.skins.push_back(std::move(made));
        }
        for (const MeshMotion::Part& part : motion_.parts)
            for (std::size_t i = part.first; part.skin != kNone && i < part.first + part.count; ++i)
                for (const std::uint32_t joint : motion_.joints[i])
                    if (joint >= motion_.skins[part.skin].nodes.size())
                        return file_.stop_damaged(
                            "a corner hangs on a node its skin does not have");
        motion_.joints.resize(motion_.skins.empty() ? 0 : motion_.corners.size());
        motion_.weights.resize(motion_.joints.size());
        return true;
    }

    bool read_animation()
    {
        const Json* animation = document().item("animations", 0);
        const Json* channels = animation ? animation->find("channels") : nullptr;
        for (std::size_t i = 0; channels && i < channels->items.size(); ++i) {
            const Json& channel = channels->items[i];
            const Json* target = channel.find("target");
            const Json* path = target ? target->find("path") : nullptr;
            const double node = target ? target->number_of("node").value_or(-1) : -1;
            if (!path || !(node >= 0 && node < double(number_of_.size())) ||
                number_of_[std::size_t(node)] == kNone)
                continue; // it moves nothing that is there
            const Json* sampler =
                animation->item("samplers", channel.number_of("sampler").value_or(-1));
            if (!sampler || !read_channel(*sampler, path->text, number_of_[std::size_t(node)]))
                return file_.stop_damaged("a channel of its animation is missing");
        }
        return true;
    }

    /// Lets the next channel move a node, or mix the forms of the parts on it, which must be as
    /// many as the channel has weights.
    bool connect_channel(const std::string& path, std::uint32_t width, std::uint32_t node)
    {
        const auto number = std::uint32_t(motion_.channels.size());
        MeshMotion::Node& moved = motion_.nodes[node];
        if (path != "weights") {
            (path == "rotation" ? moved.turned
             : path == "scale"  ? moved.scaled
                                : moved.translated) = number;
            return true;
        }
        for (MeshMotion::Part& part : motion_.parts) {
            if (part.node != node)
                continue;
            if (part.forms.size() != width)
                return false;
            part.mixed = number;
        }
        return true;
    }

    bool read_channel(const Json& sampler, const std::string& path, std::uint32_t node)
    {
        const bool is_turn = path == "rotation", is_mix = path == "weights";
        if (!is_turn && !is_mix && path != "translation" && path != "scale")
            return true; // of an extension
        const auto input = sampler.number_of("input"), output = sampler.number_of("output");
        const auto times = input ? file_.numbers(*input, "SCALAR") : std::nullopt;
        const auto values = output ? file_.numbers(*output, is_turn  ? "VEC4"
                                                            : is_mix ? "SCALAR"
                                                                     : "VEC3")
                                   : std::nullopt;
        if (!times || !values || !std::ranges::is_sorted(*times, std::ranges::less_equal{}))
            return false;
        MotionChannel made{.times = *times, .values = *values};
        if (const Json* way = sampler.find("interpolation"))
            made.way = way->text == "STEP"          ? MotionChannel::Way::hold
                       : way->text == "CUBICSPLINE" ? MotionChannel::Way::cubic
                                                    : MotionChannel::Way::linear;
        const std::size_t keys = times->size() * (made.way == MotionChannel::Way::cubic ? 3 : 1);
        made.width = std::uint32_t(values->size() / keys);
        if (made.width == 0 || made.width * keys != values->size() ||
            (!is_mix && made.width != (is_turn ? 4 : 3)))
            return false;
        if (!connect_channel(path, made.width, node))
            return false;
        motion_.channels.push_back(std::move(made));
        return true;
    }

    /// Corners at time zero; triangles of mirrored parts turned.
    bool finish()
    {
        MeshPoser(motion_).place(mesh_.vertices);
        for (const Vec3& corner : mesh_.vertices)
            if (!is_finite(corner))
                return file_.stop_damaged("a corner is not at a finite place");
        for (std::size_t p = 0; p < motion_.parts.size(); ++p) {
            if (!is_mirrored(motion_.parts[p]))
                continue;
            for (std::size_t t = p == 0 ? 0 : last_triangle_[p - 1]; t < last_triangle_[p]; ++t)
                std::swap(mesh_.triangles[t][1], mesh_.triangles[t][2]);
        }
        return true;
    }

    bool is_mirrored(const MeshMotion::Part& part) const
    {
        double sign = 1;
        for (std::uint32_t n = part.node; n != kNone && part.skin == kNone;
             n = motion_.nodes[n].parent)
            sign = determinant(motion_.nodes[n].matrix.linear) < 0 ? -sign : sign;
        return sign < 0;
    }

    /// Whether a channel reaches a corner.
    bool does_move() const
    {
        std::vector<bool> moves(motion_.nodes.size());
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const MeshMotion::Node& node = motion_.nodes[i];
            moves[i] = node.translated != kNone || node.turned != kNone || node.scaled != kNone ||
                       (node.parent != kNone && moves[node.parent]);
        }
        return std::ranges::any_of(motion_.parts, [&](const MeshMotion::Part& part) {
            if (part.mixed != kNone)
                return true;
            if (part.skin == kNone)
                return bool(moves[part.node]);
            const auto& nodes = motion_.skins[part.skin].nodes;
            return std::ranges::any_of(nodes, [&](std::uint32_t n) { return bool(moves[n]); });
        });
    }

    GlbFile file_;
    TriangleMesh mesh_;
    MeshMotion motion_;
    std::vector<std::uint32_t> number_of_;   ///< of the file's nodes: in the motion
    std::vector<double> skins_;              ///< numbers in the file
    std::vector<std::size_t> last_triangle_; ///< behind the triangles of each part
    std::size_t form_corners_ = 0;
    std::uint32_t camera_ = kNone; ///< node
    double field_of_view_ = 0;
    std::string wanted_ = {}; ///< number of the vertices
    std::vector<double> numbers_ = {};
    bool has_numbers_ = false;
};

} // namespace

Result<MovingMesh> read_moving_glb(const std::string& name, std::string_view bytes)
{
    return GlbReader(name, bytes).read();
}

Result<FileShot> read_shot(const std::string& name, std::string_view bytes)
{
    return GlbReader(name, bytes).read_view();
}

Result<std::vector<double>> read_glb_numbers(const std::string& name, std::string_view bytes,
                                             const std::string& which)
{
    return GlbReader(name, bytes).read_numbers(name, which);
}

Result<NodeTree> read_glb_nodes(const std::string& name, std::string_view bytes)
{
    return GlbReader(name, bytes).read_tree();
}

Result<TriangleMesh> read_glb(const std::string& name, std::string_view bytes)
{
    Result<MovingMesh> read = read_moving_glb(name, bytes);
    if (!read)
        return read.problems();
    return std::move(read->mesh);
}

} // namespace sinew
