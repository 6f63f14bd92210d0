#include "scene/kinematics.h"

#include "scene/formula.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sinew {

namespace {

constexpr Vec3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

void add_partial(std::vector<Partial<Vec3>>& partials, std::uint32_t column, const Vec3& value)
{
    for (Partial<Vec3>& partial : partials)
        if (partial.column == column) {
            partial.value = partial.value + value;
            return;
        }
    partials.push_back({column, value});
}

} // namespace

ObjectId frame_parent(const Object& object)
{
    return object.on.is_valid() ? object.on : object.parent;
}

std::vector<ObjectId> order_of_frames(const Scene& scene, ObjectId& faulty)
{
    enum class Mark : std::uint8_t { unseen, open, done };
    std::vector<Mark> marks(scene.objects.size(), Mark::unseen);
    std::vector<ObjectId> order, stack;
    std::vector<ObjectId> needs;
    for (std::uint32_t root = 0; root < scene.objects.size(); ++root) {
        stack.push_back(ObjectId{root});
        while (!stack.empty()) {
            const ObjectId id = stack.back();
            if (marks[id.index] == Mark::done) {
                stack.pop_back();
                continue;
            }
            const Object& object = scene.objects[id.index];
            needs.clear();
            if (const ObjectId parent = frame_parent(object); parent.is_valid())
                needs.push_back(parent);
            auto add_need = [&](const Formula& formula) {
                if (formula.operation == Operation::position) {
                    needs.push_back(ObjectId{formula.index});
                    needs.push_back(formula.frame);
                }
            };
            for (std::uint32_t k = 0; k < object.transformation_count; ++k)
                for_each_leaf(scene, scene.transformations[object.first_transformation + k].amount,
                              add_need);
            const bool was_open = marks[id.index] == Mark::open;
            marks[id.index] = Mark::open;
            bool is_ready = true;
            for (const ObjectId need : needs) {
                if (marks[need.index] == Mark::done)
                    continue;
                if (marks[need.index] == Mark::open) {
                    faulty = id;
                    return {};
                }
                is_ready = false;
                if (!was_open)
                    stack.push_back(need);
            }
            if (!is_ready)
                continue;
            stack.pop_back();
            marks[id.index] = Mark::done;
            order.push_back(id);
        }
    }
    return order;
}

Kinematics::Kinematics(const Scene& scene, std::span<const double> coordinates, double time)
    : scene_(scene), coordinates_(coordinates), time_(time), frames_(scene.objects.size()),
      amounts_(scene.transformations.size())
{
    for (const ObjectId object : order_of_frames(scene, faulty_object_))
        update_frame(object);
}

void Kinematics::update_frame(ObjectId id)
{
    const Object& object = scene_.objects[id.index];
    const ObjectId parent = frame_parent(object);
    Affine local;
    for (std::size_t k = 0; k < object.transformation_count; ++k) {
        const std::size_t i = object.first_transformation + k;
        amounts_[i] = value(scene_.transformations[i].amount);
        local = transformation(i) * local;
    }
    frames_[id.index] = parent.is_valid() ? frames_[parent.index] * local : local;
}

Affine Kinematics::transformation(std::size_t i) const
{
    const double a = amounts_[i].value;
    const auto kind = static_cast<int>(scene_.transformations[i].kind);
    Affine result;
    if (scene_.transformations[i].kind == TransformationKind::turn_z)
        result.linear = matrix_of(turn_parts(i)); // the others wait for it
    if (is_turn_part(scene_.transformations[i].kind))
        return result;
    if (kind <= static_cast<int>(TransformationKind::translate_z))
        result.origin = a * kAxes[kind];
    else if (kind <= static_cast<int>(TransformationKind::rotate_z))
        result.linear = rotation_matrix(rotation_about(kAxes[kind - 3], a));
    else if (kind == static_cast<int>(TransformationKind::scale))
        result.linear = Mat3::diagonal({a, a, a});
    else
        result.linear = Mat3::diagonal(Vec3{1, 1, 1} + (a - 1) * kAxes[kind - 7]);
    return result;
}

/// The parts of a turn, given the number of the last.
TurnParts<double> Kinematics::turn_parts(std::size_t last) const
{
    TurnParts<double> q;
    for (std::size_t k = 0; k < 4; ++k)
        q[k] = amounts_[last + k - 3].value;
    return q;
}

/// ∂(T x)/∂amount, x in front of the transformation.
Vec3 Kinematics::derivative(std::size_t i, const Vec3& x) const
{
    const auto kind = static_cast<int>(scene_.transformations[i].kind);
    if (is_turn_part(scene_.transformations[i].kind)) {
        const std::size_t part = std::size_t(kind) - std::size_t(TransformationKind::turn_w);
        const TurnParts<double> q = turn_parts(i - part + 3);
        const Mat3 R = matrix_of(q);
        const Vec3 slope = cross(axes_of(q)[part], R * x);
        return part == 3 ? slope : transpose(R) * slope; // those in front of R are turned by it
    }
    if (kind <= static_cast<int>(TransformationKind::translate_z))
        return kAxes[kind];
    if (kind <= static_cast<int>(TransformationKind::rotate_z))
        return cross(kAxes[kind - 3], transformation(i).linear * x);
    if (kind == static_cast<int>(TransformationKind::scale))
        return x;
    return dot(kAxes[kind - 7], x) * kAxes[kind - 7];
}

PointMotion Kinematics::point(ObjectId id, const Vec3& local) const
{
    PointMotion motion{local};
    for (; id.is_valid(); id = frame_parent(scene_.objects[id.index])) {
        const Object& object = scene_.objects[id.index];
        for (std::size_t k = 0; k < object.transformation_count; ++k) {
            const std::size_t i = object.first_transformation + k;
            const Affine T = transformation(i);
            motion.is_imported = motion.is_imported || amounts_[i].is_imported;
            for (Partial<Vec3>& partial : motion.partials)
                partial.value = T.linear * partial.value;
            if (!amounts_[i].partials.empty()) {
                const Vec3 slope = derivative(i, motion.position);
                for (const Partial<double>& amount : amounts_[i].partials)
                    add_partial(motion.partials, amount.column, amount.value * slope);
            }
            motion.position = apply(T, motion.position);
        }
    }
    return motion;
}

PointMotion Kinematics::relative(ObjectId object, ObjectId frame) const
{
    PointMotion motion = point(object);
    if (frame.index == 0)
        return motion;
    const Affine& F = frames_[frame.index];
    const Mat3 back = inverse(F.linear);
    motion.position = back * (motion.position - F.origin);
    // The point stays where it is while the frame moves under it.
    const PointMotion below = point(frame, motion.position);
    motion.is_imported = motion.is_imported || below.is_imported;
    for (const Partial<Vec3>& carried : below.partials)
        add_partial(motion.partials, carried.column, -carried.value);
    for (Partial<Vec3>& partial : motion.partials)
        partial.value = back * partial.value;
    return motion;
}

namespace {

/// Leaves of a formula as jets along one column.
struct ColumnLeaves {
    std::span<const double> coordinates;
    double now;
    std::uint32_t column;
    const std::map<const Formula*, PointMotion>& positions;

    Jet2 time() const { return Jet2(now, column == coordinates.size() ? 1 : 0); }
    Jet2 along() const { return 0; }
    Side side() const { return Side::after; }
    Jet2 coordinate(std::uint32_t i) const { return Jet2(coordinates[i], column == i ? 1 : 0); }
    Jet2 imported(std::uint32_t) const { return 0; }
    Jet2 position(const Formula& formula) const
    {
        const PointMotion& motion = positions.at(&formula);
        const auto axis = static_cast<int>(formula.axis);
        for (const Partial<Vec3>& partial : motion.partials)
            if (partial.column == column)
                return Jet2(motion.position[axis], partial.value[axis]);
        return motion.position[axis];
    }
};

} // namespace

ValueMotion Kinematics::value(Value wanted) const
{
    if (wanted.is_constant())
        return {wanted.number};
    std::vector<std::uint32_t> columns;
    std::map<const Formula*, PointMotion> positions;
    bool is_imported = false;
    auto add_columns = [&](const Formula& formula) {
        is_imported = is_imported || formula.operation == Operation::imported;
        if (formula.operation == Operation::coordinate) {
            columns.push_back(formula.index);
        } else if (formula.operation == Operation::position) {
            const auto [entry, is_new] = positions.try_emplace(&formula);
            if (!is_new)
                return;
            entry->second = relative(ObjectId{formula.index}, formula.frame);
            is_imported = is_imported || entry->second.is_imported;
            for (const Partial<Vec3>& partial : entry->second.partials)
                columns.push_back(partial.column);
        } else if (formula.operation == Operation::time ||
                   (formula.operation == Operation::track && !scene_.tracks[formula.index].along)) {
            columns.push_back(time_column());
        }
    };
    for_each_leaf(scene_, wanted, add_columns);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());

    ValueMotion motion{evaluate<Jet2>(scene_, wanted,
                                      ColumnLeaves{coordinates_, time_, Id<void>::kNone, positions})
                           .value};
    motion.is_imported = is_imported;
    for (const std::uint32_t column : columns) {
        const Jet2 jet =
            evaluate<Jet2>(scene_, wanted, ColumnLeaves{coordinates_, time_, column, positions});
        motion.partials.push_back({column, jet.first});
    }
    return motion;
}

std::optional<std::uint32_t> Kinematics::find_not_finite() const
{
    for (std::uint32_t i = 0; i < amounts_.size(); ++i) {
        bool is_good = std::isfinite(amounts_[i].value);
        for (const Partial<double>& partial : amounts_[i].partials)
            is_good = is_good && std::isfinite(partial.value);
        if (!is_good)
            return i;
    }
    return std::nullopt;
}

} // namespace sinew
