#include "scene/placement.h"

#include "math/spline.h"
#include "math/turn.h"
#include "scene/formula.h"
#include "scene/kinematics.h"
#include "scene/objects/rods.h"
#include "scene/objects/strands.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr Vec3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr std::size_t kPointsPerPiece = 12; // of a drawn spline

double section_part(const SectionForce& section, Measure what)
{
    return what == Measure::tension   ? section.tension
           : what == Measure::bending ? section.bending
                                      : section.twist;
}

struct Leaves {
    const Posture& posture;
    std::span<const Affine> frames;
    const Scene* scene = nullptr; ///< for conditions

    double time() const { return posture.time; }
    double along() const { return posture.along; }
    Side side() const { return Side::after; }
    double coordinate(std::uint32_t i) const { return posture.coordinates[i]; }
    double rate(std::uint32_t i) const { return posture.rates.empty() ? 0 : posture.rates[i]; }
    double imported(std::uint32_t i) const { return posture.imports[i]; }
    double position(const Formula& leaf) const
    {
        return seen_from(leaf, frames[leaf.index].origin);
    }
    double here(const Formula& leaf) const { return seen_from(leaf, posture.here); }
    double contact(const Formula& leaf) const
    {
        if (!posture.measured)
            return 0;
        const Measurements& measured = *posture.measured;
        if (const ConstraintPlace place = constraint_of(leaf); place.list != ConstraintList::none)
            return of_constraint(leaf, place, measured.constraints);
        switch (measure_of(leaf)) {
        case Measure::contact: return contact_force(leaf, measured.touches);
        case Measure::constraint:
            return measured.held.empty() ? 0
                                         : measured.held[leaf.index][static_cast<int>(leaf.axis)];
        case Measure::kinetic: return measured.kinetic;
        case Measure::potential: return measured.potential;
        case Measure::tension:
        case Measure::bending:
        case Measure::twist:
            return measured.sections.empty()
                       ? 0
                       : section_part(measured.sections[leaf.index], measure_of(leaf));
        default: return 0;
        }
    }
    static double of_constraint(const Formula& leaf, ConstraintPlace place,
                                std::span<const std::vector<ConstraintReading>> all)
    {
        const auto list = static_cast<std::size_t>(place.list);
        if (list >= all.size() || place.index >= all[list].size())
            return 0;
        const ConstraintReading& reading = all[list][place.index];
        switch (measure_of(leaf)) {
        case Measure::constraint: return reading.force[static_cast<int>(leaf.axis)];
        case Measure::tension: return reading.tension;
        case Measure::error: return reading.error;
        default: return 0;
        }
    }
    /// The central difference over the moments before and after.
    double rate_of(Value value) const
    {
        if (!posture.measured || !(posture.measured->moment > 0))
            return 0;
        const Measurements& measured = *posture.measured;
        Posture then = posture;
        then.measured = nullptr;
        then.time = posture.time + measured.moment;
        then.coordinates = measured.coordinates_after;
        const double after = evaluate<double>(*scene, value, Leaves{then, measured.after, scene});
        then.time = posture.time - measured.moment;
        then.coordinates = measured.coordinates_before;
        const double before = evaluate<double>(*scene, value, Leaves{then, measured.before, scene});
        return (after - before) / (2 * measured.moment);
    }
    /// Of everything in one object on everything in the other.
    double contact_force(const Formula& leaf, std::span<const TouchForce> touches) const
    {
        const auto is_in = [&](ObjectId object, std::uint32_t whole) {
            return object.index >= whole && object.index < scene->objects[whole].end;
        };
        const auto is_between = [&](ObjectId a, ObjectId b) {
            return is_in(a, leaf.index) && (!leaf.frame.is_valid() || is_in(b, leaf.frame.index));
        };
        double sum = 0;
        for (const TouchForce& touch : touches)
            if (is_between(touch.a, touch.b) || is_between(touch.b, touch.a))
                sum += touch.force;
        return sum;
    }

    double seen_from(const Formula& leaf, const Vec3& x) const
    {
        const Affine& F = frames[leaf.frame.index];
        return (inverse(F.linear) * (x - F.origin))[static_cast<int>(leaf.axis)];
    }
};

std::vector<Vec3> points_of(const Scene& scene, ValueList list, const Leaves& leaves)
{
    std::vector<Vec3> points(list.count / 3);
    for (std::uint32_t i = 0; i < list.count; ++i)
        points[i / 3][static_cast<int>(i % 3)] =
            evaluate<double>(scene, scene.values[list.first + i], leaves);
    return points;
}

void add_path(const Scene& scene, const Path& path, const Leaves& leaves, std::vector<Vec3>& out)
{
    const std::vector<Vec3> points = points_of(scene, path.points, leaves);
    const Affine& frame = leaves.frames[path.frame.index];
    const std::size_t count = path_point_count(path);
    std::vector<Vec3> moments(points.size());
    if (path.kind == PathKind::spline_through && points.size() > 1)
        update_moments(points, moments);
    if (path.kind == PathKind::closed_spline)
        update_closed_moments(points, moments);
    for (std::size_t i = 0; i < count; ++i) {
        Vec3 x = points[std::min(i, points.size() - 1)];
        const double u = count > 1 ? double(i) / double(count - 1) : 0;
        if (count > points.size())
            x = path.kind == PathKind::spline ? evaluate_bspline(points, u).point
                                              : evaluate_through(points, moments, u).point;
        out.push_back(apply(frame, x));
    }
}

} // namespace

Vec3 along_axes(const Affine& frame, const Vec3& components)
{
    Vec3 sum{0, 0, 0};
    for (int i = 0; i < 3; ++i)
        sum += normalised(frame.linear[i]) * components[i];
    return sum;
}

Affine make_transformation(TransformationKind kind, double a)
{
    const int k = static_cast<int>(kind);
    Affine T;
    if (is_turn_part(kind))
        return T; // one part alone turns nothing
    if (kind <= TransformationKind::translate_z)
        T.origin = a * kAxes[k];
    else if (kind <= TransformationKind::rotate_z)
        T.linear = rotation_matrix(rotation_about(kAxes[k - 3], a));
    else if (kind == TransformationKind::scale)
        T.linear = Mat3::diagonal({a, a, a});
    else
        T.linear = Mat3::diagonal(Vec3{1, 1, 1} + (a - 1) * kAxes[k - 7]);
    return T;
}

std::size_t path_point_count(const Path& path)
{
    const std::size_t n = path.points.count / 3;
    const bool is_curved = path.kind == PathKind::spline || passes_through(path.kind);
    return is_curved && n > 2 ? (n - 1) * kPointsPerPiece + 1 : n;
}

bool is_told_by_frame(const Scene& scene, Value value)
{
    bool is_told = true;
    for_each_leaf(scene, value, [&](const Formula& leaf) {
        is_told = is_told && leaf.operation != Operation::coordinate &&
                  leaf.operation != Operation::rate && leaf.operation != Operation::contact &&
                  leaf.operation != Operation::imported;
    });
    return is_told;
}

double value_in_frame(const Scene& scene, Value value, const Frame& frame)
{
    const Posture posture{.time = frame.time, .coordinates = {}, .imports = {}};
    return evaluate<double>(scene, value, Leaves{posture, frame.objects});
}

void add_path_in_frame(const Scene& scene, const Path& path, const Frame& frame,
                       std::vector<Vec3>& out)
{
    const Posture posture{.time = frame.time, .coordinates = {}, .imports = {}};
    add_path(scene, path, Leaves{posture, frame.objects}, out);
}

std::size_t drawing_point_count(const Scene& scene, const Drawing& drawing)
{
    return drawing.kind == DrawingKind::path ? path_point_count(scene.paths[drawing.path.index])
                                             : drawing.points.count / 3;
}

std::vector<Affine> place_objects(const Scene& scene, std::span<const ObjectId> order,
                                  const Posture& posture)
{
    std::vector<std::uint32_t> marks;
    std::vector<Affine> objects;
    place_objects(scene, order, posture, marks, objects);
    return objects;
}

void place_objects(const Scene& scene, std::span<const ObjectId> order, const Posture& posture,
                   std::vector<std::uint32_t>& placed, std::vector<Affine>& objects)
{
    constexpr std::uint32_t kNotPlaced = 0xffffffff;
    objects.resize(scene.objects.size());
    placed.assign(posture.placed.empty() ? 0 : objects.size(), kNotPlaced);
    for (std::uint32_t i = 0; i < posture.placed.size(); ++i)
        placed[posture.placed[i].object.index] = i;
    const Leaves leaves{posture, objects};
    for (const ObjectId id : order) {
        const Object& object = scene.objects[id.index];
        if (!placed.empty() && placed[id.index] != kNotPlaced) {
            objects[id.index] = posture.placed[placed[id.index]].place;
            continue;
        }
        Affine local;
        TurnParts<double> turn{};
        for (std::uint32_t k = 0; k < object.transformation_count; ++k) {
            const Transformation& t = scene.transformations[object.first_transformation + k];
            const double amount = evaluate<double>(scene, t.amount, leaves);
            local = make_transformation(t.kind, amount) * local;
            if (is_turn_part(t.kind))
                turn[std::size_t(t.kind) - std::size_t(TransformationKind::turn_w)] = amount;
            if (t.kind == TransformationKind::turn_z)
                local = Affine{matrix_of(turn), {0, 0, 0}} * local;
        }
        const ObjectId parent = frame_parent(object);
        objects[id.index] = parent.is_valid() ? objects[parent.index] * local : local;
    }
}

double value_at(const Scene& scene, Value value, const Posture& posture,
                std::span<const Affine> objects)
{
    return evaluate<double>(scene, value, Leaves{posture, objects, &scene});
}

namespace {

void add_strands(const Scene& scene, const Posture& posture, Frame& frame)
{
    if (scene.strands.empty() && scene.rods.empty())
        return;
    if (posture.nodes.empty()) {
        add_rest_strands(scene, sample_strands(scene), frame);
        return add_drawn_rods(scene, frame);
    }
    frame.nodes.assign(posture.nodes.begin(), posture.nodes.end());
    frame.segments.assign(posture.segments.begin(), posture.segments.end());
}

} // namespace

Frame place_frame(const Scene& scene, std::span<const ObjectId> order, const Posture& posture)
{
    Frame frame;
    frame.time = posture.time;
    frame.objects = place_objects(scene, order, posture);
    const Leaves leaves{posture, frame.objects, &scene};
    for (const Drawing& drawing : scene.drawings)
        if (drawing.kind == DrawingKind::path)
            add_path(scene, scene.paths[drawing.path.index], leaves, frame.points);
        else
            for (const Vec3& x : points_of(scene, drawing.points, leaves))
                frame.points.push_back(apply(frame.objects[drawing.object.index], x));
    return frame;
}

Frame make_frame(const Scene& scene, std::span<const ObjectId> order, const Posture& posture)
{
    Frame frame = place_frame(scene, order, posture);
    add_strands(scene, posture, frame);
    return frame;
}

} // namespace sinew
