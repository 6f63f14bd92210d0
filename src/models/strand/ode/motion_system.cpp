#include "models/strand/ode/motion_system.h"

#include <algorithm>

namespace sinew::strand {

namespace {

Quat turn_of(const double* y) { return {y[0], y[1], y[2], y[3]}; }

Vec3 rate_of(const double* y) { return {y[4], y[5], y[6]}; }

void put(const Quat& q, double* to) { to[0] = q.x, to[1] = q.y, to[2] = q.z, to[3] = q.w; }

void put(const Vec3& v, double* to) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

/// Q⁻¹ b of a Q of any length.
Quat seen_from(const Quat& q, const Quat& b)
{
    const double square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    const Quat p = conjugate(q) * b;
    return {p.x / square, p.y / square, p.z / square, p.w / square};
}

} // namespace

MotionSystem::MotionSystem(const Topology& tree, const Units& units, bool has_drag,
                           MomentSource& source)
    : tree_(tree), units_(units), has_drag_(has_drag), source_(source)
{
    const std::size_t n = static_cast<std::size_t>(tree.count);
    for (Place* place : {&now_, &held_}) {
        place->y.resize(size());
        place->slope.resize(size());
        place->trail.resize(n * Trail::count);
        place->moment.params.resize(n * Param::count);
        place->moment.loads.resize(n * Load::count);
    }
    turns_.resize(4 * n);
    for (std::vector<double>* three : {&rates_, &residual_, &effect_, &given_, &shift_})
        three->resize(3 * n);
    factor_.resize(n * Factor::count);
    slots_.resize(static_cast<std::size_t>(tree.slots));
    sums_.resize(static_cast<std::size_t>(tree.slots));
}

bool MotionSystem::is_finite(const double* numbers, std::size_t count) const
{
    return std::all_of(numbers, numbers + count, [](double x) { return x - x == 0; });
}

/// What is around the tree where it is now.
void MotionSystem::see(double time, const double* y, Place& place)
{
    for (int i = 0; i < tree_.count; ++i) {
        put(normalised(turn_of(y + kUnknowns * i)), &turns_[4 * i]);
        put(rate_of(y + kUnknowns * i), &rates_[3 * i]);
    }
    source_.update(time, turns_, rates_, place.moment);
    const PoseMotion& base = place.moment.base;
    place.stage.turn = base.pose.rotation;
    place.stage.rate = base.angular_velocity;
    place.stage.spinning = base.angular_acceleration;
    place.stage.velocity = base.velocity / units_.length;
    place.stage.acceleration = (base.acceleration - place.moment.gravity) / units_.length;
}

/// c stands for 1/θ: ω̇ changes by c δω.
void MotionSystem::set_stage(double c, Place& place) const
{
    place.stage.inverse_theta = c;
    place.stage.theta = 1 / c;
}

/// Outward: what kernel.h wants to find with each segment. y₀ = c, y₁ = 1/4c.          [eq. 13]
void MotionSystem::put_segments(const double* y, const double* slope, Place& place) const
{
    const Rows<double> trail = rows(place.trail, Trail::count);
    const Rows<double> param = rows(place.moment.params, Param::count);
    for (int i = 0; i < tree_.count; ++i) {
        const Quat q = normalised(turn_of(y + kUnknowns * i));
        const Vec3 rate = rate_of(y + kUnknowns * i);
        trail.put(i, Trail::turn, q);
        trail.put(i, Trail::rate, rate);
        trail.put(i, Trail::base_rate, rate - rate_of(slope + kUnknowns * i) * place.stage.theta);
        trail.put(i, Trail::world_rate, rotation_matrix(q) * rate);
        trail(i, Trail::rate_coefficient) = place.stage.inverse_theta;
        trail(i, Trail::rate_coefficient + 1) = 0.25 * place.stage.theta;
        place_joint(i, tree_, trail, param, place.stage);
    }
}

void MotionSystem::find_demands(Place& place, std::vector<double>& out)
{
    const Rows<double> trail = rows(place.trail, Trail::count);
    const Rows<double> param = rows(place.moment.params, Param::count);
    const Rows<double> load = rows(place.moment.loads, Load::count);
    if (has_drag_)
        find_residuals<true, double>(tree_, trail, param, load, place.stage, sums_, rows(out, 3));
    else
        find_residuals<false, double>(tree_, trail, param, load, place.stage, sums_, rows(out, 3));
}

bool MotionSystem::find_residual(double time, const double* y, const double* slope, double* F)
{
    see(time, y, now_);
    set_stage(1, now_);
    put_segments(y, slope, now_);
    find_demands(now_, residual_);
    for (int i = 0; i < tree_.count; ++i) {
        const double* own = y + kUnknowns * i;
        const Vec3 half = rate_of(own) * 0.5;
        const Quat turning = turn_of(own) * Quat{half.x, half.y, half.z, 0}; // [eq. 12]
        double* to = F + kUnknowns * i;
        put(turning, to);
        for (int k = 0; k < 4; ++k)
            to[k] = slope[kUnknowns * i + k] - to[k];
        std::copy_n(&residual_[3 * i], 3, to + 4);
    }
    return is_finite(F, size());
}

/// The residual is linear in ω̇: M ω̇ + what is left at ω̇ = 0. Of a tree that stands still, without
/// loads and stiffness, the elimination with y₀ = 1/θ = 1 is that of M alone.        [eq. 15]
bool MotionSystem::find_slope(double time, const double* y, double* slope)
{
    std::fill_n(slope, size(), 0.0);
    std::vector<double>& F = held_.slope;
    if (!find_residual(time, y, slope, F.data()))
        return false;
    for (int i = 0; i < tree_.count; ++i) {
        std::copy_n(&F[kUnknowns * i + 4], 3, &given_[3 * i]);
        for (int k = 0; k < 4; ++k)
            slope[kUnknowns * i + k] = -F[kUnknowns * i + k];
    }
    const Vec3 o{0, 0, 0};
    const Rows<double> trail = rows(now_.trail, Trail::count);
    const Rows<double> param = rows(now_.moment.params, Param::count);
    for (int i = 0; i < tree_.count; ++i) {
        for (const Trail::Field field : {Trail::rate, Trail::base_rate, Trail::world_rate,
                                         Trail::acceleration, Trail::velocity})
            trail.put(i, field, o);
        param.put(i, Param::stiffness, o);
        param.put(i, Param::damping, o);
    }
    now_.stage.rate = o;
    std::ranges::fill(now_.moment.loads, 0.0);
    const Rows<double> load = rows(now_.moment.loads, Load::count);
    eliminate<false, true, false, double>(tree_, trail, param, load, now_.stage, slots_,
                                          rows(factor_, Factor::count), rows(given_, 3));
    for (int i = 0; i < tree_.count; ++i)
        put(substitute(i, tree_, trail, param, now_.stage, rows(factor_, Factor::count)),
            slope + kUnknowns * i + 4);
    return is_finite(slope, size());
}

void MotionSystem::hold(double time, double c, const double* y, const double* slope)
{
    std::copy_n(y, size(), held_.y.begin());
    std::copy_n(slope, size(), held_.slope.begin());
    see(time, y, held_);
    set_stage(c, held_);
    put_segments(y, slope, held_);
}

/// ∂F₂ by the part of δω that the turns do not tell, ±: F₂ is of second degree in ω and ω̇, so that
/// half the difference of the two is exact.                                          [eq. 14]
void MotionSystem::find_effect(const double* b, double sign, std::vector<double>& out)
{
    const double c = held_.stage.inverse_theta;
    now_.moment.params = held_.moment.params;
    now_.moment.loads = held_.moment.loads;
    now_.stage = held_.stage;
    set_stage(1, now_);
    now_.y = held_.y;
    now_.slope = held_.slope;
    for (int i = 0; i < tree_.count; ++i) {
        const std::size_t at = static_cast<std::size_t>(kUnknowns * i);
        const Quat seen = seen_from(turn_of(&held_.y[at]), turn_of(b + at));
        const Vec3 d = (seen.vector() * 2.0 + rate_of(&held_.y[at]) * (seen.w / c)) * -1.0;
        put(d, &shift_[3 * i]);
        for (int k = 0; k < 3; ++k) {
            now_.y[at + 4 + k] += sign * d[k];
            now_.slope[at + 4 + k] += sign * c * d[k];
        }
    }
    put_segments(now_.y.data(), now_.slope.data(), now_);
    find_demands(now_, out);
}

void MotionSystem::eliminate_given(Place& place, std::vector<double>& given)
{
    const Rows<double> trail = rows(place.trail, Trail::count);
    const Rows<double> param = rows(place.moment.params, Param::count);
    const Rows<double> load = rows(place.moment.loads, Load::count);
    const Rows<double> factor = rows(factor_, Factor::count);
    if (has_drag_)
        eliminate<true, true, false, double>(tree_, trail, param, load, place.stage, slots_, factor,
                                             rows(given, 3));
    else
        eliminate<false, true, false, double>(tree_, trail, param, load, place.stage, slots_,
                                              factor, rows(given, 3));
}

/// δQ = Q (ψ/2, σ), ψ = Rᵀδφ:  δω = Rᵀ Y δφ + d,  σ = (s − ψ·ω/4)/c.              [eqs 13, 14]
bool MotionSystem::solve(const double* b, double* x)
{
    find_effect(b, 1, effect_);
    find_effect(b, -1, residual_);
    for (int i = 0; i < tree_.count; ++i)
        for (int k = 0; k < 3; ++k) {
            const std::size_t at = static_cast<std::size_t>(3 * i + k);
            given_[at] = 0.5 * (effect_[at] - residual_[at]) - b[kUnknowns * i + 4 + k];
        }
    eliminate_given(held_, given_);
    const Rows<double> trail = rows(held_.trail, Trail::count);
    const Rows<double> param = rows(held_.moment.params, Param::count);
    const Rows<double> factor = rows(factor_, Factor::count);
    for (int i = 0; i < tree_.count; ++i) {
        const Vec3 d{shift_[3 * i], shift_[3 * i + 1], shift_[3 * i + 2]};
        const Vec3 change = substitute(i, tree_, trail, param, held_.stage, factor) + d;
        const Quat q = turn_of(&held_.y[kUnknowns * i]);
        const Mat3 R = rotation_matrix(trail.quat(i, Trail::turn));
        const Vec3 psi = transposed_times(R, factor.vector(i, Factor::v));
        const double s = seen_from(q, turn_of(b + kUnknowns * i)).w;
        const double stretch =
            (s - 0.25 * dot(psi, rate_of(&held_.y[kUnknowns * i]))) * held_.stage.theta;
        put(q * Quat{0.5 * psi.x, 0.5 * psi.y, 0.5 * psi.z, stretch}, x + kUnknowns * i);
        put(change, x + kUnknowns * i + 4);
    }
    return is_finite(x, size());
}

} // namespace sinew::strand
