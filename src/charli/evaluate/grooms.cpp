// Many strands at once: curves from files, and such as grow on surfaces. Each is made once, however
// many instances have them.

#include "charli/evaluate/evaluator.h"
#include "charli/words/strand_words.h"

#include "base/text.h"
#include "geometry/grow.h"
#include "geometry/mesh_motion.h"
#include "math/functions.h"
#include "sinew/curves.h"

#include <algorithm>
#include <utility>

namespace sinew::charli {

namespace {

constexpr double kMostSegments = 2e6; // of a scene, as its validation has it

/// The arguments of a groom by name.
class GroomArguments {
public:
    GroomArguments(Signature signature, std::span<const Bound> bound)
        : signature_(signature), bound_(bound)
    {
    }

    const Bound* find(std::string_view name) const
    {
        for (std::size_t i = 0; i < bound_.size(); ++i)
            if (signature_[i].name == name)
                return bound_[i].kind != Bound::Kind::none ? &bound_[i] : nullptr;
        return nullptr;
    }
    double number(std::string_view name) const
    {
        if (const Bound* bound = find(name))
            return bound->value.number;
        for (const Argument& argument : signature_)
            if (argument.name == name)
                return argument.fallback;
        return 0;
    }
    std::uint32_t whole(std::string_view name) const
    {
        return static_cast<std::uint32_t>(min(number(name), 4e9));
    }
    bool has(std::string_view name) const { return find(name) != nullptr; }

    /// Of all numbers that are said.
    std::string key() const
    {
        std::string key;
        for (std::size_t i = 0; i < bound_.size(); ++i)
            if (bound_[i].kind == Bound::Kind::value)
                key += std::string(signature_[i].name) + "=" + number_text(bound_[i].value.number) +
                       " ";
        return key;
    }

private:
    Signature signature_;
    std::span<const Bound> bound_;
};

double area_of(const TriangleMesh& mesh)
{
    double area = 0;
    for (const auto& t : mesh.triangles) {
        const Vec3& a = mesh.vertices[t[0]];
        area += length(cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a));
    }
    return area;
}

/// Where the corners of a mesh that moves are, sixty times a second; less often where that is too
/// much to keep.
Skin make_skin(const TriangleMesh& mesh, const MeshMotion& motion, Origin origin)
{
    constexpr double kRate = 60;
    constexpr std::size_t kMostCorners = 10'000'000;
    const double span = max(end_of(motion) - motion.begin, 0.0);
    const std::size_t most = std::max<std::size_t>(2, kMostCorners / mesh.vertices.size());
    const std::size_t pieces =
        std::min(most - 1, static_cast<std::size_t>(min(span * kRate, 1e9)) + 1);
    Skin skin{.triangles = mesh.triangles, .origin = origin};
    MeshPoser poser(motion);
    std::vector<Vec3> corners;
    for (std::size_t k = 0; k <= pieces && (k == 0 || span > 0); ++k) {
        skin.times.push_back(motion.begin + span * double(k) / double(pieces));
        poser.set_time(skin.times.back());
        poser.place(corners);
        skin.vertices.insert(skin.vertices.end(), corners.begin(), corners.end());
    }
    return skin;
}

} // namespace

/// The curves of a groom; none for other words. Faults are told and make the call bad.
const Groom* Evaluator::find_groom(Site call, const Word& word, Arguments& arguments)
{
    if (word.kind != WordKind::strand || word.code != kReadsCurves || !arguments.is_good)
        return nullptr;
    const GroomArguments given(arguments.signature, arguments.bound);
    const Bound& file = arguments.bound[0];
    const std::optional<std::string> file_name =
        resolve_file(file.origin, std::string(file.text), name_below_folder(*call.tree));
    arguments.is_good = file_name.has_value();
    if (!file_name)
        return nullptr;
    std::string key = given.key() + *file_name;
    if (const Bound* guides = given.find("guides"))
        key += "\n" + std::string(guides->text) + "\n" + name_below_folder(*call.tree);
    const auto [known, is_new] = grooms_.try_emplace(key);
    if (is_new && given.has("count"))
        known->second = grow_groom(call, arguments, *file_name);
    else if (is_new)
        known->second = read_groom(arguments, *file_name);
    arguments.is_good = !known->second.curves.empty(); // its fault was told
    return &known->second;
}

Groom Evaluator::read_groom(const Arguments& arguments, const std::string& file_name)
{
    const GroomArguments given(arguments.signature, arguments.bound);
    for (const std::string_view name : {"seed", "length", "vary", "droop", "curl", "curl_radius",
                                        "clumps", "clumping", "guides", "begin", "speed"})
        if (const Bound* bound = given.find(name)) {
            error(bound->origin, "groom-without-count",
                  "`" + std::string(name) + "` is for strands that grow on a surface",
                  "say how many with `count = ...`, or leave it out");
            return {};
        }
    const auto curves = read_curve_file(arguments.bound[0], file_name);
    return {curves ? add_curves(*curves, given.number("scale")) : std::vector<ValueList>{}, {}};
}

Groom Evaluator::grow_groom(Site call, const Arguments& arguments, const std::string& file_name)
{
    const GroomArguments given(arguments.signature, arguments.bound);
    const Bound& file = arguments.bound[0];
    if (!given.has("length") && !given.has("guides")) {
        error(file.origin, "groom-without-length", "these strands have no length",
              "write `length = 10 cm`, or give them `guides`");
        return {};
    }
    const double segments = given.number("segments"), count = given.number("count");
    if (!(segments >= 1 && count * segments <= kMostSegments)) {
        error(given.find("count")->origin, "groom-too-large",
              number_text(count) + " strands of " + number_text(segments) +
                  " segments are too many",
              "a scene has at most " + number_text(kMostSegments) + " segments");
        return {};
    }
    const double scale = given.number("scale");
    auto surface = read_surface(file, file_name, scale);
    if (!surface)
        return {};
    const TriangleMesh& mesh = surface->mesh;
    if (!(area_of(mesh) > 0)) {
        error(file.origin, "groom-without-area", "there is no area here for hair to grow on",
              "give it a mesh with triangles");
        return {};
    }
    CurveSet guides;
    if (const Bound* wanted = given.find("guides")) {
        const auto name =
            resolve_file(wanted->origin, std::string(wanted->text), name_below_folder(*call.tree));
        auto read = name ? read_curve_file(*wanted, *name) : std::nullopt;
        if (!read)
            return {};
        guides = std::move(*read);
        for (Vec3& point : guides.points)
            point = point * scale;
    }
    Growth growth{.count = given.whole("count"),
                  .seed = given.whole("seed"),
                  .points = static_cast<std::uint32_t>(segments) + 1,
                  .vary = given.number("vary"),
                  .droop = given.number("droop"),
                  .curl = given.number("curl"),
                  .curl_radius = given.number("curl_radius"),
                  .clumps = given.whole("clumps"),
                  .clumping = given.number("clumping")};
    if (given.has("length"))
        growth.length = given.number("length");
    const Grown grown = grow(mesh, growth, guides);
    Groom groom{add_curves(grown.curves, 1), {}};
    if (!surface->motion)
        return groom;
    surface->motion->begin = given.number("begin");
    surface->motion->speed = given.number("speed");
    const auto skin = static_cast<std::uint32_t>(scene.skins.size());
    scene.skins.push_back(make_skin(mesh, *surface->motion, file.origin));
    for (const MeshPlace& root : grown.roots)
        groom.roots.push_back({skin, root.triangle, root.u, root.v});
    return groom;
}

std::optional<CurveSet> Evaluator::read_curve_file(const Bound& file, const std::string& file_name)
{
    const auto bytes = read_asset(file, file_name);
    if (!bytes)
        return std::nullopt;
    Result<CurveSet> curves = read_curves(file_name, *bytes);
    if (curves)
        return std::move(*curves);
    const Problem& first = curves.problems().front();
    const std::string line =
        first.place.line > 0 ? "line " + std::to_string(first.place.line) + ": " : "";
    error(file.origin, "groom-faulty",
          "'" + excerpt(file.text, 100) + "' cannot be read, " + line + first.what, first.hint);
    return std::nullopt;
}

std::vector<ValueList> Evaluator::add_curves(const CurveSet& curves, double scale)
{
    std::vector<ValueList> lists;
    std::size_t next = 0;
    for (const std::uint32_t count : curves.counts) {
        lists.push_back({static_cast<std::uint32_t>(scene.values.size()), 3 * count});
        for (std::uint32_t k = 0; k < count; ++k, ++next)
            for (int axis = 0; axis < 3; ++axis)
                scene.values.push_back({curves.points[next][axis] * scale});
    }
    return lists;
}

} // namespace sinew::charli
