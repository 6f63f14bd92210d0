// Kinematics of a linkage in one sweep outwards from the world: amounts of the transformations,
// frames, points. Jets along the motion give velocities and biases; partials come from the world
// positions of axes, so that a point costs what lies between it and the relay above it.

#include "models/linkage/motion.h"

#include "math/functions.h"
#include "math/turn.h"
#include "scene/formula.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

template <class S>
void append_transformation(TransformationKind kind, const S& a, AffineT<S>& frame)
{
    const int k = static_cast<int>(kind);
    if (kind <= TransformationKind::translate_z) {
        frame.origin += frame.linear[k] * a;
    } else if (kind <= TransformationKind::rotate_z) {
        // Turning about one axis mixes the other two.
        Vec3T<S>& u = frame.linear[(k - 3 + 1) % 3];
        Vec3T<S>& v = frame.linear[(k - 3 + 2) % 3];
        const S c = cos(a), s = sin(a);
        const Vec3T<S> turned = u * c + v * s;
        v = v * c - u * s;
        u = turned;
    } else if (kind == TransformationKind::scale) {
        frame.linear = frame.linear * a;
    } else {
        frame.linear[k - 7] = frame.linear[k - 7] * a;
    }
}

Mat3 value_of(const Mat3T<Jet2>& A) { return {value_of(A.x), value_of(A.y), value_of(A.z)}; }

bool is_finite_jet(const Vec3T<Jet2>& x)
{
    return is_finite(value_of(x)) && is_finite(first_of(x)) && is_finite(second_of(x));
}

} // namespace

Vec3 transform(TransformationKind kind, double amount, const Vec3& x)
{
    Affine T;
    append_transformation(kind, amount, T);
    return apply(T, x);
}

Vec3 transform_slope(TransformationKind kind, const Vec3& x, const Vec3& Tx)
{
    const int k = static_cast<int>(kind);
    if (kind <= TransformationKind::translate_z)
        return kAxes[k];
    if (kind <= TransformationKind::rotate_z)
        return cross(kAxes[k - 3], Tx);
    return kind == TransformationKind::scale ? x : dot(kAxes[k - 7], x) * kAxes[k - 7];
}

/// Leaves along the motion: time goes on, coordinates move with their rates.
struct Motion::MotionLeaves {
    const Motion& motion;
    const PlannedValue& planned;

    Jet2 time() const { return Jet2::variable(motion.time_of(planned)); }
    Jet2 along() const { return 0; }
    Side side() const { return motion.instant_.side; }
    Jet2 coordinate(std::uint32_t i) const
    {
        const std::uint32_t c = motion.column_of(i);
        if (c != kNoIndex)
            return Jet2(motion.instant_.state[c], motion.instant_.rates[c]);
        const Coordinate& idle = motion.plan_->scene->coordinates[i]; // it goes on evenly
        if (idle.kind == CoordinateKind::event)
            return motion.event_time(i);
        const double since = motion.instant_.time - motion.plan_->scene->settings.start;
        return Jet2(idle.initial + since * idle.initial_rate, idle.initial_rate);
    }
    Jet2 imported(std::uint32_t i) const { return motion.import_jet(i); }
    Jet2 position(const Formula& leaf) const
    {
        return motion.relative(motion.position_of(planned, leaf))[static_cast<int>(leaf.axis)];
    }
};

/// Numbers alone, for forces: nothing is differentiated.
struct Motion::NumberLeaves {
    const Motion& motion;
    const PlannedValue& planned;

    double time() const { return motion.time_of(planned); }
    double along() const { return 0; }
    Side side() const { return motion.instant_.side; }
    double coordinate(std::uint32_t i) const
    {
        return MotionLeaves{motion, planned}.coordinate(i).value;
    }
    double rate(std::uint32_t i) const { return MotionLeaves{motion, planned}.coordinate(i).first; }
    double rate_of(Value value) const
    {
        return evaluate<Jet2>(*motion.plan_->scene, value, MotionLeaves{motion, planned}).first;
    }
    double imported(std::uint32_t i) const
    {
        return motion.call_import(i, motion.instant_.time).value;
    }
    double position(const Formula& leaf) const
    {
        return MotionLeaves{motion, planned}.position(leaf).value;
    }
};

/// Leaves as they change with one unknown.
struct Motion::ColumnLeaves {
    const Motion& motion;
    const PlannedValue& planned;
    std::uint32_t column;

    Jet2 time() const { return motion.time_of(planned); }
    Jet2 along() const { return 0; }
    Side side() const { return motion.instant_.side; }
    Jet2 coordinate(std::uint32_t i) const
    {
        const Jet2 x = MotionLeaves{motion, planned}.coordinate(i);
        return Jet2(x.value, motion.column_of(i) == column ? 1 : 0);
    }
    Jet2 imported(std::uint32_t i) const
    {
        return motion.call_import(i, motion.instant_.time).value;
    }
    Jet2 position(const Formula& leaf) const
    {
        const PlannedPosition& p = motion.position_of(planned, leaf);
        const int axis = static_cast<int>(leaf.axis);
        return Jet2(motion.relative(p)[axis].value, motion.relative_partial(p, column)[axis]);
    }
};

Motion::Motion(const LinkagePlan& plan, const std::vector<ImportFunction>& imports)
    : plan_(&plan), imports_(&imports), value_partials_(plan.value_columns.size(), 1.0),
      amount_(plan.transformations.size()), axis_(plan.transformations.size()),
      centre_(plan.transformations.size()), outer_(plan.transformations.size()),
      turn_(plan.transformations.size()), frames_(plan.frames.size()),
      is_upright_(plan.frames.size()), has_fixed_partials_(plan.frames.size()),
      first_point_(plan.frames.size() + 1), points_(plan.points.size()),
      partials_(plan.partial_columns.size())
{
    if (!plan.coordinates.empty()) { // ascending
        first_coordinate_ = plan.coordinates.front();
        columns_.assign(plan.coordinates.back() + 1 - first_coordinate_, kNoIndex);
    }
    for (std::uint32_t c = 0; c < plan.coordinates.size(); ++c)
        columns_[plan.coordinates[c] - first_coordinate_] = c;
    for (const PlannedPoint& point : plan.points)
        ++first_point_[point.frame + 1];
    for (std::size_t k = 0; k < plan.frames.size(); ++k)
        first_point_[k + 1] += first_point_[k];
    std::vector<std::uint32_t> next(first_point_.begin(), first_point_.end() - 1);
    point_order_.resize(plan.points.size());
    for (std::uint32_t i = 0; i < plan.points.size(); ++i)
        point_order_[next[plan.points[i].frame]++] = i;
    relatives_.resize(plan.positions.size());
    for (std::size_t i = 0; !imports.empty() && i < plan.scene->coordinates.size(); ++i) {
        const Coordinate& coordinate = plan.scene->coordinates[i];
        import_coordinates_.push_back(coordinate.initial);
        import_rates_.push_back(coordinate.initial_rate);
    }
    find_upright_frames();
    for (std::uint32_t i = 0; i < plan.points.size(); ++i)
        if (has_fixed_partials_[plan.points[i].frame])
            update_partials(i);
}

void Motion::find_upright_frames()
{
    for (std::size_t k = 0; k < frames_.size(); ++k) {
        const PlannedFrame& frame = plan_->frames[k];
        const bool is_outermost = frame.parent == kNoIndex;
        bool is_upright = is_outermost || is_upright_[frame.parent];
        bool is_fixed =
            frame.relay == kNoIndex && (is_outermost || has_fixed_partials_[frame.parent]);
        for (std::uint32_t i = frame.transformations.first; i < frame.transformations.end(); ++i) {
            const PlannedTransformation& t = plan_->transformations[i];
            is_upright = is_upright && t.kind <= TransformationKind::translate_z;
            is_fixed = is_fixed && plan_->values[t.value].source != ValueSource::general;
            axis_[i] = kAxes[static_cast<int>(t.kind) % 3];
        }
        is_upright_[k] = is_upright;
        has_fixed_partials_[k] = is_upright && is_fixed;
    }
}

bool Motion::update(const Instant& instant)
{
    instant_ = instant;
    for (Relative& relative : relatives_)
        relative.is_known = false;
    if (!imports_->empty())
        for (std::uint32_t c = 0; c < plan_->coordinates.size(); ++c) {
            import_coordinates_[plan_->coordinates[c]] = instant.state[c];
            import_rates_[plan_->coordinates[c]] = instant.rates[c];
        }
    for (std::uint32_t k = 0; k < frames_.size(); ++k) {
        if (is_upright_[k])
            update_upright_frame(k);
        else
            update_frame(k);
        for (std::uint32_t i = first_point_[k]; i < first_point_[k + 1]; ++i)
            update_point(point_order_[i]);
    }
    for (const Vec3T<Jet2>& point : points_)
        if (!is_finite_jet(point))
            return false;
    for (const Vec3& partial : partials_)
        if (!is_finite(partial))
            return false;
    return true;
}

void Motion::update_frame(std::uint32_t k)
{
    const PlannedFrame& planned = plan_->frames[k];
    AffineT<Jet2>& frame = frames_[k];
    frame = planned.parent == kNoIndex ? AffineT<Jet2>{} : frames_[planned.parent];
    for (std::uint32_t i = planned.transformations.first; i < planned.transformations.end(); ++i) {
        const PlannedTransformation& t = plan_->transformations[i];
        if (is_turn_part(t.kind)) {
            append_turn(i, planned.is_rigid, frame);
            i += 3;
            continue;
        }
        const Jet2 amount = value(t.value);
        const Range columns = plan_->values[t.value].columns;
        if (plan_->values[t.value].source == ValueSource::general)
            value_partials(t.value, {value_partials_.data() + columns.first, columns.count});
        amount_[i] = amount.value;
        if (planned.is_rigid) {
            const int axis = static_cast<int>(t.kind) % 3;
            axis_[i] = value_of(frame.linear[axis]);
            centre_[i] = value_of(frame.origin);
        } else {
            outer_[i] = value_of(frame.linear);
        }
        append_transformation(t.kind, amount, frame);
    }
}

/// The four parts of a turn, the outermost being z.
void Motion::append_turn(std::uint32_t i, bool is_rigid, AffineT<Jet2>& frame)
{
    TurnParts<Jet2> q;
    TurnParts<double> numbers;
    for (std::uint32_t part = 0; part < 4; ++part) {
        q[part] = value(plan_->transformations[i + 3 - part].value);
        numbers[part] = q[part].value;
    }
    const Mat3 outer = value_of(frame.linear);
    const std::array<Vec3, 4> axes = axes_of(numbers);
    const Mat3T<Jet2> R = matrix_of(q);
    for (std::uint32_t part = 0; part < 4; ++part) {
        const std::uint32_t at = i + 3 - part;
        axis_[at] = is_rigid ? outer * axes[part] : axes[part];
        centre_[at] = value_of(frame.origin);
        outer_[at] = outer;
        turn_[at] = value_of(R);
    }
    frame.linear = frame.linear * R;
}

/// What update_frame does when the axes are the world's: they stay as they were made.
void Motion::update_upright_frame(std::uint32_t k)
{
    const PlannedFrame& planned = plan_->frames[k];
    Vec3T<Jet2> origin{};
    if (planned.parent != kNoIndex)
        origin = frames_[planned.parent].origin;
    for (std::uint32_t i = planned.transformations.first; i < planned.transformations.end(); ++i) {
        const PlannedTransformation& t = plan_->transformations[i];
        const Range columns = plan_->values[t.value].columns;
        if (plan_->values[t.value].source == ValueSource::general)
            value_partials(t.value, {value_partials_.data() + columns.first, columns.count});
        origin[static_cast<int>(t.kind)] += value(t.value);
    }
    frames_[k].origin = origin;
}

void Motion::update_point(std::uint32_t i)
{
    const PlannedPoint& planned = plan_->points[i];
    const AffineT<Jet2>& frame = frames_[planned.frame];
    Vec3T<Jet2>& x = points_[i];
    x = frame.origin;
    for (int axis = 0; axis < 3; ++axis)
        if (planned.local[axis] != 0)
            x += frame.linear[axis] * Jet2(planned.local[axis]);
    if (!has_fixed_partials_[planned.frame])
        update_partials(i);
}

void Motion::update_partials(std::uint32_t i)
{
    const PlannedPoint& planned = plan_->points[i];
    Vec3* const partials = partials_.data() + planned.partials.first;
    for (std::uint32_t c = 0; c < planned.partials.count; ++c)
        partials[c] = {0, 0, 0};
    const std::uint32_t* slot = plan_->walk_slots.data() + planned.slots.first;
    walk(planned.frame, planned.local, value_of(points_[i]), false,
         [&](const Vec3& slope, const Vec3&) { partials[*slot++] += slope; });
}

/// The time that a value is looked at. Where min, abs or the like may switch, a little before or
/// behind: the switch itself is known to rounding only.
double Motion::time_of(const PlannedValue& planned) const
{
    constexpr double kAside = 5e-14;
    const double t = instant_.time;
    if (!planned.switches ||
        !std::binary_search(plan_->key_times.begin(), plan_->key_times.end(), t))
        return t;
    return t + (instant_.side == Side::after ? kAside : -kAside) * max(abs(t), 1.0);
}

double Motion::event_time(std::uint32_t coordinate) const
{
    for (const PlannedEvent& event : plan_->events)
        if (plan_->scene->events[event.event].time.index == coordinate)
            return instant_.memory.empty() ? kNever : instant_.memory[event.time];
    return kNever;
}

Jet2 Motion::value(std::uint32_t i) const
{
    const PlannedValue& planned = plan_->values[i];
    switch (planned.source) {
    case ValueSource::constant: return planned.value.number;
    case ValueSource::coordinate: {
        const std::uint32_t c = plan_->value_columns[planned.columns.first];
        return Jet2(instant_.state[c], instant_.rates[c]);
    }
    default: return evaluate<Jet2>(*plan_->scene, planned.value, MotionLeaves{*this, planned});
    }
}

double Motion::number(std::uint32_t i) const
{
    const PlannedValue& planned = plan_->values[i];
    if (planned.source == ValueSource::constant)
        return planned.value.number;
    return evaluate<double>(*plan_->scene, planned.value, NumberLeaves{*this, planned});
}

void Motion::value_partials(std::uint32_t i, std::span<double> out) const
{
    const PlannedValue& planned = plan_->values[i];
    for (std::uint32_t k = 0; k < planned.columns.count; ++k) {
        const std::uint32_t column = plan_->value_columns[planned.columns.first + k];
        out[k] =
            planned.source == ValueSource::coordinate
                ? 1
                : evaluate<Jet2>(*plan_->scene, planned.value, ColumnLeaves{*this, planned, column})
                      .first;
    }
}

ImportValue Motion::call_import(std::uint32_t i, double time) const
{
    return (*imports_)[i]({time, import_coordinates_, import_rates_});
}

/// Derivatives that the import does not give come from five points around now.
Jet2 Motion::import_jet(std::uint32_t i) const
{
    constexpr double h = 2e-3;
    const double t = instant_.time;
    const ImportValue here = call_import(i, t);
    if (here.first && here.second)
        return Jet2(here.value, *here.first, *here.second);
    const double f0 = here.value, f1 = call_import(i, t + h).value,
                 f2 = call_import(i, t + 2 * h).value, b1 = call_import(i, t - h).value,
                 b2 = call_import(i, t - 2 * h).value;
    const double first = here.first.value_or((8 * (f1 - b1) - (f2 - b2)) / (12 * h));
    const double second = (16 * (f1 + b1) - (f2 + b2) - 30 * f0) / (12 * h * h);
    return Jet2(f0, first, here.second.value_or(second));
}

const PlannedPosition& Motion::position_of(const PlannedValue& value, const Formula& leaf) const
{
    const auto formula = static_cast<std::uint32_t>(&leaf - plan_->scene->formulas.data());
    std::uint32_t i = value.positions.first;
    while (plan_->positions[i].formula != formula)
        ++i;
    return plan_->positions[i];
}

const Vec3T<Jet2>& Motion::relative(const PlannedPosition& position) const
{
    const Vec3T<Jet2>& x = points_[position.point];
    if (position.frame == kNoIndex)
        return x;
    Relative& relative = relatives_[std::size_t(&position - plan_->positions.data())];
    if (!relative.is_known) {
        const AffineT<Jet2>& F = frames_[position.frame];
        const bool is_rigid = plan_->frames[position.frame].is_rigid;
        relative.place = (is_rigid ? transpose(F.linear) : inverse(F.linear)) * (x - F.origin);
        relative.back = inverse(value_of(F.linear));
        relative.is_known = true;
    }
    return relative.place;
}

Vec3 Motion::relative_partial(const PlannedPosition& position, std::uint32_t column) const
{
    Vec3 sum{0, 0, 0};
    const Range own = plan_->points[position.point].partials;
    for (std::uint32_t c = own.first; c < own.end(); ++c)
        if (plan_->partial_columns[c] == column)
            sum += partials_[c];
    if (position.frame == kNoIndex)
        return sum;
    // The point stays where it is while the frame moves under it.
    const std::uint32_t* below = plan_->walk_columns.data() + position.columns.first;
    walk(position.frame, value_of(relative(position)), value_of(points_[position.point]), false,
         [&](const Vec3& slope, const Vec3&) {
             if (*below++ == column)
                 sum -= slope;
         });
    relative(position);
    return relatives_[std::size_t(&position - plan_->positions.data())].back * sum;
}

} // namespace sinew
