// From the elements of a display to the bodies, curves and plates of a file.
//
// What is drawn with constant points in a frame is a body with a shape: it moves as its frame
// does, exactly and cheaply. Only what changes its form is a curve or a plate.

#include "formats/export_scene.h"

#include "math/functions.h"
#include "scene/objects/strand_section.h"
#include "scene/objects/strands.h"
#include "sinew/names.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>

namespace sinew::formats {

namespace {

constexpr int kLineSides = 12, kWireSides = 8;
constexpr double kWire = 0.13;         // radius of a coil's wire, of the coil's
constexpr double kGroundReach = 200;   // half the length of a plane's edge, in units
constexpr std::size_t kMostTrees = 64; // that have a group each
constexpr double kFlattest = 1e-12;    // determinant of a frame that can be undone

class ExportMaker {
public:
    ExportMaker(const Scene& scene, const Frame& first, const ExportOptions& options,
                bool has_hairs)
        : scene_(scene), first_(first), options_(options), has_hairs_(has_hairs),
          names_(object_paths(scene))
    {
        exported_.options = options;
        exported_.display = make_display(scene, first);
        if (has_hairs && options.hairs.count > 0)
            sinew::add_hairs(scene, first, options.hairs, exported_.display);
        place_display(scene, exported_.display, first, placed_);
        find_sources();
    }

    ExportScene make()
    {
        for (const Element& element : exported_.display.elements)
            add(element);
        if (has_hairs_)
            add_hairs();
        gather_groups();
        if (scene_.settings.camera)
            exported_.bodies.push_back(
                {.name = unique("camera"), .pose = ExportBody::Pose::camera});
        return std::move(exported_);
    }

private:
    void find_sources();
    void add(const Element& element);
    void add_standing(const Element& element);
    void add_round(const Element& element);
    void add_spring(const Element& element);
    void add_drawn(const Element& element);
    void add_curve(const Element& element);
    void add_hairs();
    void add_plate(const Element& element);
    void add_rigid(const Element& element, ObjectId frame);
    std::optional<ObjectId> rigid_frame(const Element& element) const;
    bool are_constant(const ValueList& list) const;
    void gather_groups();
    std::vector<double> radii_of(const Element& element) const;
    std::uint32_t shape(const std::string& key, const std::string& name, Triangles triangles);
    std::uint32_t colour(const Vec3& rgb, const Look& look);
    std::string unique(const std::string& name);
    std::string name_of(const Element& element);
    std::vector<Vec3> points_of(const Element& element) const
    {
        const auto begin = placed_.points.begin() + element.first;
        return {begin, begin + element.count};
    }
    ExportBody& add_body(const Element& element, ExportBody::Pose pose, std::uint32_t source)
    {
        exported_.bodies.push_back({.name = name_of(element),
                                    .colour = colour(element.colour, element.look),
                                    .pose = pose,
                                    .source = source});
        return exported_.bodies.back();
    }

    const Scene& scene_;
    const Frame& first_;
    const ExportOptions& options_;
    bool has_hairs_;
    std::vector<std::string> names_;
    ExportScene exported_;
    DisplayFrame placed_;
    std::map<std::uint32_t, DisplaySource> point_sources_, pose_sources_; ///< by their first
    std::map<std::uint32_t, std::uint32_t> drawings_;                     ///< by their first point
    std::map<std::string, std::uint32_t> shapes_;
    std::map<std::array<double, 7>, std::uint32_t> colours_;
    std::map<std::string, int> used_;
    std::uint32_t strand_ = 0, tapered_seen_ = 0; ///< of strands, then rods; of tapered curves
    std::vector<ExportCurve> loose_;              ///< before they are gathered
    std::vector<std::vector<double>> radii_;      ///< of each of them
    std::vector<ObjectId> owners_;                ///< of each of them
};

void ExportMaker::find_sources()
{
    std::uint32_t point = 0, pose = 0;
    for (const DisplaySource& source : exported_.display.sources) {
        const bool is_pose =
            source.kind == DisplaySource::Kind::pose || source.kind == DisplaySource::Kind::plane;
        if (is_pose)
            pose_sources_[pose++] = source;
        else
            point_sources_[point] = source;
        point += is_pose ? 0 : source.count;
    }
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < scene_.drawings.size(); ++i) {
        drawings_[first] = i;
        first += std::uint32_t(drawing_point_count(scene_, scene_.drawings[i]));
    }
}

std::string ExportMaker::unique(const std::string& name)
{
    const int before = used_[name]++;
    return before == 0 ? name : unique(name + "_" + std::to_string(before + 1));
}

std::string ExportMaker::name_of(const Element& element)
{
    const bool is_named = element.object.is_valid() && element.object.index > 0;
    return unique(is_named ? names_[element.object.index] : "drawing");
}

std::uint32_t ExportMaker::colour(const Vec3& rgb, const Look& look)
{
    const auto [found, is_new] = colours_.emplace(
        std::array{rgb.x, rgb.y, rgb.z, look.roughness, look.metal, look.transparency, look.glow},
        std::uint32_t(exported_.colours.size()));
    if (is_new) {
        exported_.colours.push_back(rgb);
        exported_.looks.push_back(look);
    }
    return found->second;
}

std::uint32_t ExportMaker::shape(const std::string& key, const std::string& name,
                                 Triangles triangles)
{
    const auto [found, is_new] = shapes_.emplace(key, std::uint32_t(exported_.shapes.size()));
    if (!is_new)
        return found->second;
    for (Vec3& x : triangles.vertices)
        x *= options_.scale;
    for (Vec3& n : triangles.normals) {
        const double size = length(n);
        n = size > 0 && is_finite(size) ? n / size : Vec3{0, 1, 0};
    }
    exported_.shapes.push_back({name + "_" + std::to_string(found->second), std::move(triangles)});
    return found->second;
}

void ExportMaker::add(const Element& element)
{
    if (element.role == ElementRole::label)
        add_body(element, ExportBody::Pose::turned, element.object.index);
    if (element.role != ElementRole::thing)
        return;
    switch (element.kind) {
    case ElementKind::sphere: add_round(element); return;
    case ElementKind::spring: add_spring(element); return;
    case ElementKind::curve:
    case ElementKind::polygon: add_drawn(element); return;
    case ElementKind::surface: return; // comes from another program's file, animation and all
    default: add_standing(element);
    }
}

std::string key_of(const Element& element)
{
    char text[200];
    std::snprintf(text, sizeof text, "%d %.17g %.17g %.17g %.17g %u %d", int(element.kind),
                  element.radius, element.size.x, element.size.y, element.size.z, element.mesh,
                  element.turns);
    return text;
}

/// Balls turn with their frames, which pictures do not show and other programs do.
void ExportMaker::add_round(const Element& element)
{
    const DisplaySource& source = point_sources_.at(element.first);
    ExportBody& body = add_body(element, ExportBody::Pose::turned, source.index);
    body.shape = shape(key_of(element), "sphere", picture::make_capsule(element.radius, 0));
}

/// A coil of length one along y, stretched by its pose.
void ExportMaker::add_spring(const Element& element)
{
    const std::vector<Vec3> ends = points_of(element);
    const double rest = length(ends[1] - ends[0]);
    Triangles coil;
    if (rest > 0 && is_finite(rest)) {
        const auto wire =
            picture::make_coil({0, 0, 0}, {0, rest, 0}, element.radius, std::max(1, element.turns));
        coil = make_tube(wire, {element.radius * kWire}, false, kWireSides);
        for (Vec3& x : coil.vertices)
            x.y /= rest;
    }
    ExportBody& body = add_body(element, ExportBody::Pose::spring, element.first);
    if (!coil.corners.empty())
        body.shape = shape("spring " + std::to_string(element.first), "spring", std::move(coil));
}

void ExportMaker::add_standing(const Element& element)
{
    const DisplaySource& source = pose_sources_.at(element.first);
    const bool is_plane = element.kind == ElementKind::plane;
    ExportBody& body =
        add_body(element, is_plane ? ExportBody::Pose::plane : ExportBody::Pose::object,
                 is_plane ? element.first : source.index);
    const std::string key = key_of(element);
    const double reach = kGroundReach * exported_.display.unit;
    switch (element.kind) {
    case ElementKind::box: body.shape = shape(key, "box", picture::make_box(element.size)); return;
    case ElementKind::capsule:
        body.shape = shape(key, "capsule", picture::make_capsule(element.radius, element.size.y));
        return;
    case ElementKind::cylinder:
        body.shape = shape(key, "cylinder", picture::make_cylinder(element.radius, element.size.y));
        return;
    case ElementKind::cone:
        body.shape = shape(key, "cone", picture::make_cone(element.radius, element.size.y));
        return;
    case ElementKind::mesh:
        body.shape = shape(key, "mesh", picture::make_mesh(exported_.display.meshes[element.mesh]));
        return;
    default: {
        Triangles ground;
        ground.vertices = {
            {-reach, 0, -reach}, {-reach, 0, reach}, {reach, 0, reach}, {reach, 0, -reach}};
        ground.normals.assign(4, {0, 1, 0});
        ground.corners = {{0, 1, 2}, {0, 2, 3}};
        body.shape = shape("plane", "plane", std::move(ground));
    }
    }
}

bool ExportMaker::are_constant(const ValueList& list) const
{
    const auto begin = scene_.values.begin() + list.first;
    return std::all_of(begin, begin + list.count,
                       [](const Value& value) { return value.is_constant(); });
}

/// The frame in which all its points stay where they are.
std::optional<ObjectId> ExportMaker::rigid_frame(const Element& element) const
{
    const auto found = point_sources_.find(element.first);
    if (found == point_sources_.end() || found->second.kind != DisplaySource::Kind::drawing)
        return std::nullopt;
    const Drawing& drawing = scene_.drawings[drawings_.at(found->second.index)];
    const bool is_path = drawing.kind == DrawingKind::path;
    const ObjectId frame = is_path ? scene_.paths[drawing.path.index].frame : drawing.object;
    if (!frame.is_valid() ||
        !are_constant(is_path ? scene_.paths[drawing.path.index].points : drawing.points))
        return std::nullopt;
    const double size = determinant(first_.objects[frame.index].linear);
    return is_finite(size) && abs(size) > kFlattest ? std::optional(frame) : std::nullopt;
}

void ExportMaker::add_drawn(const Element& element)
{
    const std::optional<ObjectId> frame = rigid_frame(element);
    if (frame)
        add_rigid(element, *frame);
    else if (element.kind == ElementKind::polygon)
        add_plate(element);
    else
        add_curve(element);
}

void ExportMaker::add_rigid(const Element& element, ObjectId frame)
{
    const Affine& at = first_.objects[frame.index];
    const Mat3 back = inverse(at.linear);
    const double radius = element.radius / pow(abs(determinant(at.linear)), 1.0 / 3);
    std::vector<Vec3> points = points_of(element);
    for (Vec3& x : points)
        x = back * (x - at.origin);
    const bool is_plate = element.kind == ElementKind::polygon;
    Triangles triangles = is_plate ? picture::make_plate(points, 2 * radius)
                                   : make_tube(points, {radius}, element.is_closed, kLineSides);
    ExportBody& body = add_body(element, ExportBody::Pose::object, frame.index);
    if (!triangles.corners.empty())
        body.shape = shape("drawing " + std::to_string(element.first), is_plate ? "plate" : "line",
                           std::move(triangles));
}

/// As thick as a strand or rod is, not as thick as it must be to be seen in a picture.
std::vector<double> ExportMaker::radii_of(const Element& element) const
{
    const DisplaySource& source = point_sources_.at(element.first);
    std::vector<double> radii(element.count, element.radius);
    if (source.kind != DisplaySource::Kind::nodes) {
        if (element.radii != kNone)
            std::copy_n(exported_.display.radii.begin() + element.radii, element.count,
                        radii.begin());
        return radii;
    }
    if (strand_ >= scene_.strands.size()) {
        std::ranges::fill(radii, scene_.rods[strand_ - scene_.strands.size()].radius);
        return radii;
    }
    const StrandCurve& strand = scene_.strands[strand_];
    double rest = 0;
    for (std::uint32_t k = 0; k < strand.segments; ++k)
        rest += length(first_.nodes[source.index + k + 1] - first_.nodes[source.index + k]);
    const StrandSections sections(scene_, strand_, rest);
    for (std::uint32_t k = 0; k <= strand.segments; ++k)
        radii[k] = sections.at(first_.time, double(k) / strand.segments).radius;
    return radii;
}

void ExportMaker::add_curve(const Element& element)
{
    const DisplaySource& source = point_sources_.at(element.first);
    const bool is_strand = source.kind == DisplaySource::Kind::nodes;
    const bool is_wanted = (element.radii == kNone || tapered_seen_++ % options_.every == 0) &&
                           !(has_hairs_ && element.is_guide);
    if (is_wanted && element.count > 1) {
        ExportCurve curve{.name = name_of(element),
                          .count = element.count,
                          .display_first = element.first,
                          .colour = colour(element.colour, element.look),
                          .is_closed = element.is_closed};
        if (is_strand) {
            curve.node = source.index;
            curve.segment = source.index - strand_; // one less than nodes, in each strand before
        }
        radii_.push_back(radii_of(element));
        owners_.push_back(strand_ < scene_.strands.size() && is_strand
                              ? scene_.strands[strand_].tree
                              : element.object);
        loose_.push_back(std::move(curve));
    }
    strand_ += is_strand;
}

void ExportMaker::add_hairs()
{
    HairCurves hairs;
    place_hairs(exported_.display, placed_, hairs);
    for (std::uint32_t i = 0; i < hairs.groups.size(); i += options_.every) {
        const HairGroup& group = exported_.display.hair_groups[hairs.groups[i]];
        const bool is_named = group.object.is_valid() && group.object.index > 0;
        loose_.push_back({.name = is_named ? names_[group.object.index] : "hair",
                          .count = hairs.starts[i + 1] - hairs.starts[i],
                          .display_first = hairs.starts[i],
                          .colour = colour(group.colour, group.look),
                          .hair = i});
        radii_.emplace_back(hairs.radii.begin() + hairs.starts[i],
                            hairs.radii.begin() + hairs.starts[i + 1]);
        owners_.push_back(group.object);
    }
}

/// Curves of one tree together; of one colour where there are too many trees.
void ExportMaker::gather_groups()
{
    const std::set<ObjectId> trees(owners_.begin(), owners_.end());
    const bool by_tree = trees.size() <= kMostTrees;
    std::map<std::array<std::uint32_t, 3>, std::vector<std::uint32_t>> members;
    for (std::uint32_t i = 0; i < loose_.size(); ++i)
        members[{by_tree ? owners_[i].index : 0, loose_[i].colour, loose_[i].is_closed}].push_back(
            i);
    for (const auto& [key, list] : members) {
        const ObjectId owner = owners_[list[0]];
        const bool is_named = by_tree && owner.is_valid() && owner.index > 0;
        ExportGroup group{.name = unique((is_named ? names_[owner.index] + "_" : "") + "curves"),
                          .colour = key[1],
                          .is_closed = key[2] != 0,
                          .first_curve = std::uint32_t(exported_.curves.size()),
                          .curve_count = std::uint32_t(list.size()),
                          .first_point = std::uint32_t(exported_.point_count)};
        for (const std::uint32_t i : list) {
            loose_[i].first = std::uint32_t(exported_.point_count);
            loose_[i].group = std::uint32_t(exported_.groups.size());
            exported_.point_count += loose_[i].count;
            for (const double radius : radii_[i])
                exported_.radii.push_back(radius * options_.scale);
            exported_.curves.push_back(std::move(loose_[i]));
        }
        group.point_count = std::uint32_t(exported_.point_count) - group.first_point;
        exported_.groups.push_back(std::move(group));
    }
    for (ExportPlate& plate : exported_.plates) {
        plate.outline.first = std::uint32_t(exported_.point_count);
        exported_.point_count += plate.outline.count;
    }
}

void ExportMaker::add_plate(const Element& element)
{
    const std::vector<Vec3> outline = points_of(element);
    Vec3 area = {0, 0, 0};
    for (std::size_t i = 1; i + 1 < outline.size(); ++i)
        area += cross(outline[i] - outline[0], outline[i + 1] - outline[0]);
    if (outline.size() < 3 || !is_finite(area) || !(length(area) > 0))
        return;
    const auto n = std::uint32_t(outline.size());
    ExportPlate plate{.outline = {.name = name_of(element),
                                  .count = n,
                                  .display_first = element.first,
                                  .colour = colour(element.colour, element.look),
                                  .is_closed = true},
                      .half_thickness = element.radius * options_.scale,
                      .triangles = {}};
    for (const auto& [a, b, c] : picture::cut_ears(outline, normalised(area))) {
        plate.triangles.push_back({a, b, c});
        plate.triangles.push_back({n + a, n + c, n + b});
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t j = (i + 1) % n;
        plate.triangles.push_back({n + i, n + j, j});
        plate.triangles.push_back({n + i, j, i});
    }
    exported_.plates.push_back(std::move(plate));
}

} // namespace

ExportScene make_export_scene(const Scene& scene, const Frame& first, const ExportOptions& options,
                              bool has_hairs)
{
    return ExportMaker(scene, first, options, has_hairs).make();
}

} // namespace sinew::formats
