#include "models/linkage/equations/constraints.h"

#include "math/functions.h"
#include "math/spline.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

Jet2 length_of(const Vec3T<Jet2>& d)
{
    const Jet2 squared = dot(d, d);
    return squared.value > 0 ? sqrt(squared) : Jet2(0);
}

/// Weights of the points of a path at u, without those that are zero.
CurveWeights weights_at(PathKind kind, int n, double u)
{
    switch (kind) {
    case PathKind::spline: return bspline_basis(n, u);
    default: return polyline_basis(n, u); // a line has two points
    }
}

/// The moments of paths that pass through their points.
void update_moments_of(PathKind kind, const std::vector<Vec3T<Jet2>>& points,
                       std::vector<Vec3T<Jet2>>& moments)
{
    if (kind == PathKind::spline_through)
        update_moments(points, moments);
    else if (kind == PathKind::closed_spline)
        update_closed_moments(points, moments);
}

} // namespace

bool is_short(const PlannedTie& tie, const Instant& instant)
{
    const double t = instant.time;
    for (const ZeroWindow& window : tie.windows) {
        const bool is_behind_begin =
            instant.side == Side::after ? t >= window.begin : t > window.begin;
        const bool is_before_end = instant.side == Side::after ? t < window.end : t <= window.end;
        if (is_behind_begin && is_before_end)
            return true;
    }
    return false;
}

Constraints::Constraints(const LinkagePlan& plan)
    : plan_(&plan), residual_(plan.rows.size()), rate_(plan.rows.size()), bias_(plan.rows.size()),
      jacobian_(plan.row_columns.size()), path_points_(plan.paths.size()),
      path_moments_(plan.paths.size())
{
    std::size_t most_points = 0, most_columns = 0;
    for (std::size_t i = 0; i < plan.paths.size(); ++i) {
        const std::size_t n = plan.paths[i].values.count / 3;
        path_points_[i].resize(n);
        if (passes_through(plan.paths[i].kind))
            path_moments_[i].resize(n);
        most_points = std::max(most_points, n);
        if (!plan.paths[i].is_constant)
            continue;
        for (std::uint32_t k = 0; k < plan.paths[i].values.count; ++k)
            path_points_[i][k / 3][static_cast<int>(k % 3)] =
                plan.values[plan.path_values[plan.paths[i].values.first + k]].value.number;
        update_moments_of(plan.paths[i].kind, path_points_[i], path_moments_[i]);
    }
    for (std::vector<double>& weights : weights_)
        weights.resize(most_points);
    for (const PlannedValue& value : plan.values)
        most_columns = std::max<std::size_t>(most_columns, value.columns.count);
    value_partials_.resize(most_columns);
}

void Constraints::update(const Motion& motion, std::span<const double> memory)
{
    std::fill(jacobian_.begin(), jacobian_.end(), 0.0);
    for (const PlannedRelay& relay : plan_->relays)
        update_relay(motion, relay);
    magnitude_ = 0;
    for (const PlannedTie& tie : plan_->ties) {
        const Vec3 x =
            tie.kind == TieKind::coordinate ? Vec3{0, 0, 0} : value_of(motion.point(tie.b));
        magnitude_ = max(magnitude_, max(abs(x.x), max(abs(x.y), abs(x.z))));
        if (is_off(tie, memory)) {
            update_off(motion, tie);
            continue;
        }
        switch (tie.kind) {
        case TieKind::distance: update_distance(motion, tie, memory); break;
        case TieKind::coincidence: update_coincidence(motion, tie); break;
        case TieKind::path: update_path(motion, tie); break;
        case TieKind::coordinate: update_coordinate(motion, tie, memory); break;
        }
    }
}

void Constraints::set_row(std::uint32_t row, const Jet2& g)
{
    residual_[row] = g.value;
    rate_[row] = g.first;
    bias_[row] = g.second;
}

/// Velocity of the origin and angular velocity: minus what the walk contributes, plus its own.
void Constraints::update_relay(const Motion& motion, const PlannedRelay& relay)
{
    const Vec3 origin = value_of(motion.frame(relay.frame).origin);
    const std::uint32_t* slot = plan_->row_slots.data() + relay.slots.first;
    motion.walk(relay.frame, {0, 0, 0}, origin, true, [&](const Vec3& slope, const Vec3& turn) {
        for (int i = 0; i < 3; ++i) {
            const auto k = relay.first_row + static_cast<std::uint32_t>(i);
            row_values(k)[*slot] -= slope[i];
            row_values(k + 3)[*slot] -= turn[i];
        }
        ++slot;
    });
    for (std::uint32_t i = 0; i < 6; ++i) {
        const Range columns = plan_->rows[relay.first_row + i].columns;
        jacobian_[columns.end() - 1] += 1;
        set_row(relay.first_row + i, 0);
    }
}

void Constraints::update_distance(const Motion& motion, const PlannedTie& tie,
                                  std::span<const double> memory)
{
    const Vec3T<Jet2> d = motion.point(tie.b) - motion.point(tie.a);
    const Jet2 f = motion.value(tie.length);
    const std::span<const Vec3> of_a = motion.partials(tie.a), of_b = motion.partials(tie.b);
    const std::uint32_t* slot = plan_->row_slots.data() + tie.slots.first;
    if (tie.row_count == 3 && is_short(tie, motion.instant())) {
        // The direction it had when it became short: the three rows b − a = f n.
        const double* n = memory.data() + tie.memory;
        for (int i = 0; i < 3; ++i) {
            double* const row = row_values(tie.first_row + static_cast<std::uint32_t>(i));
            const std::uint32_t* s = slot;
            for (const Vec3& partial : of_a)
                row[*s++] -= partial[i];
            for (const Vec3& partial : of_b)
                row[*s++] += partial[i];
            set_row(tie.first_row + static_cast<std::uint32_t>(i), d[i] - f * Jet2(n[i]));
        }
        return;
    }
    const Jet2 distance = length_of(d);
    const Vec3 n = distance.value > 0 ? value_of(d) / distance.value : Vec3{0, 0, 0};
    double* const row = row_values(tie.first_row);
    for (const Vec3& partial : of_a)
        row[*slot++] -= dot(n, partial);
    for (const Vec3& partial : of_b)
        row[*slot++] += dot(n, partial);
    const double sign = f.value < 0 ? -1 : 1;
    const Range columns = plan_->values[tie.length].columns;
    if (columns.count > 0) {
        motion.value_partials(tie.length, {value_partials_.data(), columns.count});
        for (std::uint32_t c = 0; c < columns.count; ++c)
            row[*slot++] -= sign * value_partials_[c];
    }
    set_row(tie.first_row, distance - f * Jet2(sign));
    for (std::uint32_t i = 1; i < tie.row_count; ++i)
        set_row(tie.first_row + i, 0);
}

/// What has let go says nothing; the place on a path, which nothing else moves, stands still.
void Constraints::update_off(const Motion& motion, const PlannedTie& tie)
{
    for (std::uint32_t i = 0; i < tie.row_count; ++i)
        set_row(tie.first_row + i, 0);
    const std::uint32_t u = tie.path == kNoIndex ? kNoIndex : plan_->paths[tie.path].column;
    if (u == kNoIndex)
        return;
    row_values(tie.first_row)[plan_->row_slots[tie.slots.end() - 1]] = 1;
    set_row(tie.first_row, Jet2(0, motion.instant().rates[u]));
}

void Constraints::update_coincidence(const Motion& motion, const PlannedTie& tie)
{
    const Vec3T<Jet2> d = motion.point(tie.b) - motion.point(tie.a);
    for (int i = 0; i < 3; ++i) {
        const std::uint32_t r = tie.first_row + static_cast<std::uint32_t>(i);
        const std::uint32_t* slot = plan_->row_slots.data() + tie.slots.first;
        for (const Vec3& partial : motion.partials(tie.a))
            row_values(r)[*slot++] -= partial[i];
        for (const Vec3& partial : motion.partials(tie.b))
            row_values(r)[*slot++] += partial[i];
        set_row(r, d[i]);
    }
}

void Constraints::update_coordinate(const Motion& motion, const PlannedTie& tie,
                                    std::span<const double> memory)
{
    const std::uint32_t c = plan_->row_columns[plan_->rows[tie.first_row].columns.first];
    row_values(tie.first_row)[0] = 1;
    set_row(tie.first_row,
            Jet2(motion.instant().state[c] - memory[tie.place], motion.instant().rates[c]));
}

void Constraints::update_path_points(const Motion& motion, const PlannedPath& path)
{
    if (path.is_constant)
        return;
    const auto i = static_cast<std::size_t>(&path - plan_->paths.data());
    for (std::uint32_t k = 0; k < path.values.count; ++k)
        path_points_[i][k / 3][static_cast<int>(k % 3)] =
            motion.value(plan_->path_values[path.values.first + k]);
    update_moments_of(path.kind, path_points_[i], path_moments_[i]);
}

void Constraints::update_path(const Motion& motion, const PlannedTie& tie)
{
    const PlannedPath& path = plan_->paths[tie.path];
    update_path_points(motion, path);
    const std::vector<Vec3T<Jet2>>& points = path_points_[tie.path];
    const bool is_point = path.kind == PathKind::point;
    const Jet2 u =
        is_point ? Jet2(0)
                 : Jet2(motion.instant().state[path.column], motion.instant().rates[path.column]);
    CurvePointT<Jet2> curve{points[0], {}, {}};
    CurveWeights w;
    w.count = 1;
    w.weight[0] = 1;
    const double* weight = w.weight.data();
    if (passes_through(path.kind)) {
        const bool is_closed = path.kind == PathKind::closed_spline;
        curve = is_closed ? evaluate_closed(points, path_moments_[tie.path], u)
                          : evaluate_through(points, path_moments_[tie.path], u);
        const std::size_t n = points.size();
        if (!path.is_constant)
            (is_closed ? update_closed_weights : update_through_weights)(
                u.value, {weights_[0].data(), n}, {weights_[1].data(), n}, {weights_[2].data(), n});
        weight = weights_[0].data();
        w.count = static_cast<int>(n);
    } else if (!is_point) {
        curve = path.kind == PathKind::spline ? evaluate_bspline(points, u)
                                              : evaluate_polyline(points, u);
        w = weights_at(path.kind, static_cast<int>(points.size()), u.value);
        weight = w.weight.data();
    }
    const AffineT<Jet2>& frame = motion.frame(path.frame);
    const Vec3T<Jet2> place = apply(frame, curve.point);
    const Vec3T<Jet2> gap = motion.point(tie.b) - place;
    const std::uint32_t* slot = plan_->row_slots.data() + tie.slots.first;
    const auto add = [&](const Vec3& partial) {
        for (int i = 0; i < 3; ++i)
            row_values(tie.first_row + static_cast<std::uint32_t>(i))[*slot] += partial[i];
        ++slot;
    };
    for (const Vec3& partial : motion.partials(tie.b))
        add(partial);
    motion.walk(path.frame, value_of(curve.point), value_of(place), false,
                [&](const Vec3& partial, const Vec3&) { add(-partial); });
    for (std::uint32_t k = 0; k < path.values.count; ++k) {
        const std::uint32_t value = plan_->path_values[path.values.first + k];
        const Range columns = plan_->values[value].columns;
        if (columns.count == 0)
            continue;
        const int point = static_cast<int>(k / 3) - w.first;
        const double share = point >= 0 && point < w.count ? weight[point] : 0;
        motion.value_partials(value, {value_partials_.data(), columns.count});
        for (std::uint32_t c = 0; c < columns.count; ++c)
            add(value_of(frame.linear[static_cast<int>(k % 3)]) * (-share * value_partials_[c]));
    }
    if (!is_point) {
        const Vec3 t = value_of(curve.first);
        add(-(value_of(frame.linear.x) * t.x + value_of(frame.linear.y) * t.y +
              value_of(frame.linear.z) * t.z));
    }
    for (int i = 0; i < 3; ++i)
        set_row(tie.first_row + static_cast<std::uint32_t>(i), gap[i]);
}

double Constraints::largest_residual(std::uint32_t* row) const
{
    double largest = 0;
    for (std::uint32_t r = 0; r < residual_.size(); ++r)
        if (!(abs(residual_[r]) <= largest)) {
            largest = abs(residual_[r]);
            if (row)
                *row = r;
        }
    return largest;
}

} // namespace sinew
