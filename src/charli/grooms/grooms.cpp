// Many strands at once: curves from files, and such as grow on surfaces. Each is made once, however
// many instances have them.

#include "charli/evaluate/evaluator.h"
#include "charli/words/strand_words.h"

#include "base/text.h"
#include "geometry/mesh_motion.h"
#include "math/functions.h"
#include "sinew/curves.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew::charli {

namespace {

constexpr double kMostSegments = 2e6; // of a process, as the validation of a scene has it
constexpr double kMostCounted = 1e9;  // of a shot in parts
constexpr double kMostStrands = 1e7;  // of the same: each is counted in every part

std::string whole_text(double number)
{
    return std::to_string(static_cast<std::int64_t>(min(number, 1e18)));
}

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

    /// Of all numbers and maps that are said.
    std::string key() const
    {
        std::string key;
        for (std::size_t i = 0; i < bound_.size(); ++i)
            if (bound_[i].kind == Bound::Kind::value)
                key += std::string(signature_[i].name) + "=" + number_text(bound_[i].value.number) +
                       " ";
            else if (bound_[i].kind == Bound::Kind::text &&
                     signature_[i].kind == ArgumentKind::text)
                key += std::string(signature_[i].name) + "=" + std::string(bound_[i].text) + "\n";
        return key;
    }

private:
    Signature signature_;
    std::span<const Bound> bound_;
};

/// Above 0 where some triangle has an area, and its corners a density.
double area_of(const TriangleMesh& mesh, std::span<const double> density = {})
{
    double area = 0;
    for (const auto& t : mesh.triangles) {
        const Vec3& a = mesh.vertices[t[0]];
        const double weight = density.empty() ? 1 : density[t[0]] + density[t[1]] + density[t[2]];
        area += weight * length(cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a));
    }
    return area;
}

std::vector<Vec3> first_points(const CurveSet& curves)
{
    std::vector<Vec3> points;
    std::size_t next = 0;
    for (const std::uint32_t count : curves.counts) {
        points.push_back(curves.points[next]);
        next += count;
    }
    return points;
}

/// The times at which the corners of a moving mesh are kept; one at which their velocity may jump
/// stands twice. Between two of these 120 times a second, 60 where the motion is sampled itself:
/// what a curve through the samples does between them is not looked at more closely than that.
std::vector<double> skin_times(const MeshMotion& motion, std::size_t most)
{
    const double end = end_of(motion);
    if (!std::isfinite(end))
        return {motion.begin};
    const KeyTimes keys = key_times(motion);
    std::vector<double> kinks = {motion.begin};
    for (const double kink : keys.kinks)
        if (kink > kinks.back() && kink < end)
            kinks.push_back(kink);
    if (2 * kinks.size() + 2 > most)
        kinks = {motion.begin};
    if (end > motion.begin)
        kinks.push_back(end);
    const double left =
        double(most - std::min(most, 2 * kinks.size())) / max(end - motion.begin, 1e-9);
    std::vector<double> times;
    for (std::size_t k = 0; k + 1 < kinks.size(); ++k) {
        const double begin = kinks[k], span = kinks[k + 1] - begin;
        const auto inside = std::ranges::upper_bound(keys.smooth, begin);
        const bool is_sampled = inside != keys.smooth.end() && *inside < kinks[k + 1];
        const double rate = min(is_sampled ? 60.0 : 120.0, left);
        const auto pieces = static_cast<std::size_t>(min(span * rate, double(most))) + 1;
        for (std::size_t i = 0; i < pieces; ++i)
            times.push_back(begin + span * double(i) / double(pieces));
        times.push_back(kinks[k + 1]);
    }
    return times.empty() ? kinks : times;
}

/// Where the corners of a mesh that moves are.
Skin make_skin(const TriangleMesh& mesh, const MeshMotion& motion, Origin origin)
{
    constexpr std::size_t kMostCorners = 10'000'000;
    Skin skin{.triangles = mesh.triangles,
              .times = skin_times(motion, kMostCorners / mesh.vertices.size()),
              .origin = origin};
    MeshPoser poser(motion);
    std::vector<Vec3> corners;
    for (const double time : skin.times) {
        poser.set_time(time);
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
    for (const std::string_view name : {"guides", "skin"})
        if (const Bound* other = given.find(name))
            key += "\n" + std::string(name) + " " + std::string(other->text) + "\n" +
                   name_below_folder(*call.tree);
    const auto [known, is_new] = grooms_.try_emplace(key);
    if (is_new)
        known->second = make_groom(given.has("count") ? grow_groom(call, arguments, *file_name)
                                                      : read_groom(call, arguments, *file_name));
    arguments.is_good = !known->second.curves.empty(); // its fault was told
    return &known->second;
}

/// All curves of a groom; where a part will make its own, only how many they are.
Groom Evaluator::make_groom(std::shared_ptr<GroomSource> source)
{
    if (!source)
        return {};
    const std::uint32_t count = source->count();
    Groom groom;
    for (std::uint32_t i = 0; i < count; ++i)
        if (const auto factor = source->stiffness(i))
            groom.stiffness.push_back(*factor);
    const bool leaves_out = !options_.makes_curves && count > 1;
    if (leaves_out) {
        groom.curves.assign(count, {static_cast<std::uint32_t>(scene.values.size()), 0});
        groom.roots.assign(source->root(0) ? count : 0, source->root(0).value_or(StrandRoot{}));
        scene.values.push_back({source->identity()});
        groom.unmade = std::move(source);
        return groom;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        groom.curves.push_back(source->make(i, scene));
        if (const auto root = source->root(i))
            groom.roots.push_back(*root);
    }
    return groom;
}

std::shared_ptr<GroomSource> Evaluator::read_groom(Site call, const Arguments& arguments,
                                                   const std::string& file_name)
{
    const GroomArguments given(arguments.signature, arguments.bound);
    for (const std::string_view name :
         {"seed", "length", "vary", "droop", "curl", "curl_radius", "clumps", "clumping", "guides",
          "density_map", "length_map", "stiffness_map", "curl_map", "clump_map"})
        if (const Bound* bound = given.find(name)) {
            error(bound->origin, "groom-without-count",
                  "`" + std::string(name) + "` is for strands that grow on a surface",
                  "say how many with `count = ...`, or leave it out");
            return {};
        }
    const Bound* skin = given.find("skin");
    for (const std::string_view name : {"begin", "speed"})
        if (const Bound* bound = given.find(name); bound && !skin) {
            error(bound->origin, "groom-without-skin",
                  "`" + std::string(name) + "` is for strands on a surface that moves",
                  "name the surface: `skin = \"body.glb\"`, or leave it out");
            return {};
        }
    auto curves = read_curve_file(arguments.bound[0], file_name);
    if (!curves)
        return {};
    const double scale = given.number("scale");
    for (Vec3& point : curves->points)
        point = point * scale;
    if (!skin)
        return std::make_shared<GroomSource>(std::move(*curves));
    const auto skin_name =
        resolve_file(skin->origin, std::string(skin->text), name_below_folder(*call.tree));
    auto surface = skin_name ? read_surface(*skin, *skin_name, scale) : std::nullopt;
    if (!surface)
        return {};
    if (!(area_of(surface->mesh) > 0)) {
        error(skin->origin, "groom-without-area", "there is no area here for hair to stand on",
              "give it a mesh with triangles");
        return {};
    }
    const auto number = add_skin(*surface, arguments, skin->origin);
    if (!number)
        return std::make_shared<GroomSource>(std::move(*curves)); // it stands still
    std::vector<StrandRoot> roots;
    for (const MeshPlace& place : nearest_places(surface->mesh, first_points(*curves)))
        roots.push_back({*number, place.triangle, place.u, place.v});
    return std::make_shared<GroomSource>(std::move(*curves), std::move(roots));
}

/// The motion of a surface as the groom plays it; none where it stands still.
std::optional<std::uint32_t> Evaluator::add_skin(MovingMesh& surface, const Arguments& arguments,
                                                 Origin origin)
{
    if (!surface.motion)
        return std::nullopt;
    const GroomArguments given(arguments.signature, arguments.bound);
    surface.motion->begin = given.number("begin");
    surface.motion->speed = given.number("speed");
    const auto number = static_cast<std::uint32_t>(scene.skins.size());
    scene.skins.push_back(make_skin(surface.mesh, *surface.motion, origin));
    return number;
}

std::shared_ptr<GroomSource> Evaluator::grow_groom(Site call, const Arguments& arguments,
                                                   const std::string& file_name)
{
    const GroomArguments given(arguments.signature, arguments.bound);
    const Bound& file = arguments.bound[0];
    if (const Bound* skin = given.find("skin")) {
        error(skin->origin, "groom-with-skin", "`skin` is for curves of a file",
              "`count` strands grow on `file` and move with it: leave out `skin`");
        return {};
    }
    if (!given.has("length") && !given.has("guides")) {
        error(file.origin, "groom-without-length", "these strands have no length",
              "write `length = 10 cm`, or give them `guides`");
        return {};
    }
    if (!check_size(arguments))
        return {};
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
                  .points = given.whole("segments") + 1,
                  .vary = given.number("vary"),
                  .droop = given.number("droop"),
                  .curl = given.number("curl"),
                  .curl_radius = given.number("curl_radius"),
                  .clumps = given.whole("clumps"),
                  .clumping = given.number("clumping")};
    if (given.has("length"))
        growth.length = given.number("length");
    std::vector<double> stiffness;
    const bool has_maps =
        read_map(file, file_name, given.find("density_map"), growth.maps.density) &&
        read_map(file, file_name, given.find("length_map"), growth.maps.length) &&
        read_map(file, file_name, given.find("curl_map"), growth.maps.curl) &&
        read_map(file, file_name, given.find("clump_map"), growth.maps.clumping) &&
        read_map(file, file_name, given.find("stiffness_map"), stiffness);
    if (!has_maps)
        return {};
    if (const Bound* wanted = given.find("density_map");
        wanted && !(area_of(mesh, growth.maps.density) > 0)) {
        error(wanted->origin, "groom-without-density",
              "'" + excerpt(wanted->text, 100) + "' is 0 wherever the surface has an area",
              "paint where hair is to grow");
        return {};
    }
    const auto skin = add_skin(*surface, arguments, file.origin);
    return std::make_shared<GroomSource>(Grower(mesh, growth, guides), skin, std::move(stiffness));
}

/// Whether this process can hold a groom, or count it where it makes a part; told where not.
bool Evaluator::check_size(const Arguments& arguments)
{
    const GroomArguments given(arguments.signature, arguments.bound);
    const double count = given.number("count"), segments = given.number("segments");
    const double all = count * segments;
    if (segments >= 1 && all <= kMostSegments)
        return true;
    const bool can_be_cut = segments >= 1 && all <= kMostCounted && count <= kMostStrands;
    if (can_be_cut && !options_.makes_curves)
        return true;
    error(given.find("count")->origin, "groom-too-large",
          whole_text(count) + " strands of " + whole_text(segments) +
              " segments are too many for one process, which holds at most " +
              whole_text(kMostSegments) + " segments",
          can_be_cut ? "compute it in parts: `sinew plan SCRIPT --parts " +
                           whole_text(ceil(all / kMostSegments)) + "`"
                     : "a shot in parts has at most " + whole_text(kMostStrands) + " strands and " +
                           whole_text(kMostCounted) + " segments");
    return false;
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

} // namespace sinew::charli
