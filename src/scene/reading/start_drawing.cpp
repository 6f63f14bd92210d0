// Lines that are meant as rods but are drawn to the wrong end.
//
// A rod keeps its length. A line whose length changes with the angle of a joint, while a line to
// the object at that joint would keep its length, is drawn past the joint: the slip in figures 3
// and 14 of HerrWyvill90.

#include "scene/reading/start.h"
#include "scene/validate/problems.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sinew {

namespace {

/// An end of a drawn line: a point of the frame it is drawn in, or the place of an object.
struct End {
    ObjectId object; ///< invalid: a fixed point
    Vec3 local;
};

std::optional<End> find_end(const Scene& scene, const Drawing& line, std::uint32_t first)
{
    End end{{}, {0, 0, 0}};
    double coordinates[3] = {0, 0, 0};
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
        const Value value = scene.values[line.points.first + first + axis];
        if (value.is_constant()) {
            coordinates[axis] = value.number;
            continue;
        }
        const Formula& formula = scene.formulas[value.formula];
        if (formula.operation != Operation::position ||
            static_cast<std::uint32_t>(formula.axis) != axis)
            return std::nullopt;
        if (end.object.is_valid() && end.object.index != formula.index)
            return std::nullopt;
        end.object = ObjectId{formula.index};
    }
    end.local = {coordinates[0], coordinates[1], coordinates[2]};
    return end;
}

Vec3 place_of_end(const Kinematics& kinematics, const Drawing& line, const End& end)
{
    return end.object.is_valid() ? kinematics.frame(end.object).origin
                                 : apply(kinematics.frame(line.object), end.local);
}

/// Coordinates that turn something, and only turn.
std::set<std::uint32_t> joint_angles(const Scene& scene)
{
    std::set<std::uint32_t> turning, other;
    for (const Transformation& t : scene.transformations) {
        if (t.amount.is_constant() ||
            scene.formulas[t.amount.formula].operation != Operation::coordinate)
            continue;
        const bool turns =
            t.kind >= TransformationKind::rotate_x && t.kind <= TransformationKind::rotate_z;
        (turns ? turning : other).insert(scene.formulas[t.amount.formula].index);
    }
    for (const std::uint32_t coordinate : other)
        turning.erase(coordinate);
    return turning;
}

/// True when an object hangs in one of the frames passed on the way down to another.
bool is_beside_way(const Scene& scene, ObjectId from, ObjectId to, ObjectId object)
{
    const ObjectId parent = scene.objects[object.index].parent;
    for (ObjectId id = scene.objects[to.index].parent; id.is_valid() && id != from;
         id = scene.objects[id.index].parent)
        if (id == parent)
            return true;
    return false;
}

/// Three postures of no special shape: rods keep their length in all.
class Postures {
public:
    Postures(const Scene& scene, const std::set<std::uint32_t>& angles) : states_(3)
    {
        for (int k = 0; k < 3; ++k) {
            for (std::size_t i = 0; i < scene.coordinates.size(); ++i)
                states_[k].push_back(scene.coordinates[i].initial +
                                     (angles.contains(static_cast<std::uint32_t>(i))
                                          ? 0.7 * k + 0.3 * k * double(i + 1)
                                          : 0));
            postures_.emplace_back(scene, states_[k], scene.settings.start);
        }
    }

    [[nodiscard]] bool keep_length(const Drawing& line, const End& a, const End& b) const
    {
        double lengths[3];
        for (int k = 0; k < 3; ++k)
            lengths[k] =
                length(place_of_end(postures_[k], line, b) - place_of_end(postures_[k], line, a));
        return std::abs(lengths[1] - lengths[0]) + std::abs(lengths[2] - lengths[0]) <
                   1e-9 * (1 + lengths[0]) &&
               lengths[0] > 0;
    }

private:
    std::vector<std::vector<double>> states_;
    std::vector<Kinematics> postures_;
};

/// The objects at which a drawn rod may end: masses, labels, and what formulas take the place of.
std::set<std::uint32_t> possible_ends(const Scene& scene)
{
    std::set<std::uint32_t> ends;
    for (const Mass& mass : scene.masses)
        ends.insert(mass.object.index);
    for (const Label& label : scene.labels)
        ends.insert(label.object.index);
    for (const Formula& f : scene.formulas)
        if (f.operation == Operation::position)
            ends.insert(f.index);
    return ends;
}

} // namespace

Problems check_drawn_rods(const Scene& scene)
{
    constexpr std::size_t kMostObjects = 300; // beyond, drawing slips are not looked for
    const std::set<std::uint32_t> angles = joint_angles(scene);
    const bool is_tree = scene.distance_constraints.empty() && scene.path_constraints.empty();
    if (angles.empty() || !is_tree || scene.objects.size() > kMostObjects ||
        scene.drawings.size() > kMostObjects || angles.size() > kMostObjects)
        return {};
    const Postures postures(scene, angles);
    const std::set<std::uint32_t> candidates = possible_ends(scene);
    const std::vector<std::string> names = object_names(scene);
    Problems problems;
    for (const Drawing& line : scene.drawings) {
        if (line.kind != DrawingKind::line)
            continue;
        const auto a = find_end(scene, line, 0), b = find_end(scene, line, 3);
        if (!a || !b || !b->object.is_valid() || postures.keep_length(line, *a, *b))
            continue;
        // The objects on the way down to the end: one of them may sit at the joint.
        const auto sits_at_joint = [&](std::uint32_t i) {
            return i < scene.objects[line.object.index].end && i != b->object.index &&
                   is_beside_way(scene, line.object, b->object, ObjectId{i}) &&
                   postures.keep_length(line, *a, End{ObjectId{i}, {0, 0, 0}});
        };
        const auto joint = std::find_if(candidates.upper_bound(line.object.index), candidates.end(),
                                        sits_at_joint);
        if (joint != candidates.end())
            problems.push_back(
                make_problem(scene, Severity::warning, "rod-past-joint", line.origin, "drawings",
                             "this line changes its length as the joints rotate: it passes by '" +
                                 names[*joint] + "' and ends at '" + names[b->object.index] + "'",
                             "did you mean '" + names[*joint] + "'?"));
    }
    return problems;
}

} // namespace sinew
