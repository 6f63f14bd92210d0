#include "models/strand/statics.h"

#include "math/functions.h"
#include "models/strand/lanes/stage_solver.h"
#include "sinew/stop.h"

#include <algorithm>

namespace sinew::strand {

namespace {

/// A tree by itself, in units of its own: its time is that of a fall by one segment.
class StillTree {
public:
    StillTree(std::span<const SegmentData> segments, const StillLoads& loads)
        : segments_(segments), shape_(segments), units_(units_of(segments, 1)),
          params_(make_params(segments, units_)), numbers_(segments.size() * kNumbers),
          slots_(static_cast<std::size_t>(shape_.slots)),
          symmetric_slots_(static_cast<std::size_t>(shape_.slots)),
          sums_(static_cast<std::size_t>(shape_.slots))
    {
        double* next = numbers_.data();
        const auto rows = [&](int fields) {
            double* first = next;
            next += segments_.size() * static_cast<std::size_t>(fields);
            return Rows<double>{first, fields};
        };
        room_.trail = rows(Axial::count);
        room_.factor = rows(Factor::count);
        room_.load = rows(Load::count);
        room_.change = rows(3);
        room_.param = {params_.data(), Param::count};
        room_.slots = slots_;
        room_.symmetric_slots = symmetric_slots_;
        stage_ = {};
        stage_.turn = loads.base;
        stage_.acceleration = loads.gravity * (-1 / units_.length);
        const double force = units_.mass * units_.length;
        for (std::size_t i = 0; i < loads.tips.size(); ++i)
            room_.load.first[i] =
                loads.tips[i] / (i % Load::count < Load::air ? force : units_.length);
        for (const SegmentData& s : segments)
            has_drag_ = has_drag_ || s.drag_along > 0 || s.drag_across > 0;
        has_drag_ = has_drag_ && !loads.tips.empty();
    }

    int count() const { return static_cast<int>(segments_.size()); }
    int solves() const { return solves_; }

    void stand(std::span<const Quat> turns)
    {
        for (int i = 0; i < count(); ++i) {
            room_.trail.put(i, Trail::base_turn, turns[i]);
            room_.trail.put(i, Trail::base_rate, Vec3{});
            room_.trail.put(i, Trail::rate, Vec3{});
            room_.trail(i, Trail::weight) = 1;
            room_.trail(i, Trail::bend_sign) = 0;
        }
    }

    std::vector<Quat> turns() const
    {
        std::vector<Quat> out;
        for (int i = 0; i < count(); ++i)
            out.push_back(room_.trail.quat(i, Trail::turn));
        return out;
    }

    /// One step of gradient flow of length θ from the pose it stands in; false: too long.
    bool flow(double theta)
    {
        stage_.theta = theta, stage_.inverse_theta = 1 / theta;
        return has_drag_ ? solve_flow<true>() : solve_flow<false>();
    }

    struct NewtonStep {
        double largest = 0; ///< [rad]
        bool is_stable = false;
    };

    /// One of Newton's steps of the static equations from the pose it stands in; turns() is then
    /// where it leads.
    NewtonStep newton()
    {
        stage_.theta = stage_.inverse_theta = 0;
        return has_drag_ ? solve_newton<true>() : solve_newton<false>();
    }

    /// N of every joint: what its elastic torque must balance, world axes [N m].
    std::vector<Vec3> loads_of_joints()
    {
        stage_.theta = stage_.inverse_theta = 0;
        std::vector<double> residual(3 * segments_.size());
        const Rows<double> rows{residual.data(), 3};
        place_segments(shape_.view(), room_.trail, room_.param, stage_);
        if (has_drag_)
            find_residuals<true, double>(shape_.view(), room_.trail, room_.param, room_.load,
                                         stage_, sums_, rows);
        else
            find_residuals<false, double>(shape_.view(), room_.trail, room_.param, room_.load,
                                          stage_, sums_, rows);
        std::vector<Vec3> out;
        for (int i = 0; i < count(); ++i) {
            const Segment<double> s = segment_at(i, room_.trail, room_.param, stage_);
            const Bend<double> bend =
                bend_at(i, shape_.parent[i], s, room_.trail, room_.param, stage_);
            out.push_back((rows.vector(i, 0) - bend.torque) *
                          (units_.mass * units_.length * units_.length));
        }
        return out;
    }

    /// What the segments must hold along themselves [N].
    std::vector<double> pulls()
    {
        stage_.theta = stage_.inverse_theta = 0;
        std::vector<double> residual(4 * segments_.size());
        const Rows<double> rows{residual.data(), 4};
        for (int i = 0; i < count(); ++i)
            for (int f = Trail::count; f < Axial::count; ++f)
                room_.trail(i, f) = 0;
        place_segments(shape_.view(), room_.trail, room_.param, stage_);
        if (has_drag_)
            find_residuals<true, double, true>(shape_.view(), room_.trail, room_.param, room_.load,
                                               stage_, sums_, rows);
        else
            find_residuals<false, double, true>(shape_.view(), room_.trail, room_.param, room_.load,
                                                stage_, sums_, rows);
        std::vector<double> out;
        for (int i = 0; i < count(); ++i)
            out.push_back(-rows(i, 3) * units_.mass * units_.length);
        return out;
    }

private:
    static constexpr std::size_t kNumbers =
        int{Axial::count} + int{Factor::count} + int{Load::count} + 3;

    template <bool kDrag>
    bool solve_flow()
    {
        using Solver = StageSolver<double, kDrag>;
        std::array<typename Solver::Ask, 1> asked;
        asked[0].status = Solver::Status::running;
        for (int i = 0; i < count(); ++i)
            room_.trail.put(i, Trail::rate, Vec3{});
        Effort effort;
        effort.tolerance = 1e-4;
        Solver(shape_.view(), room_, effort).solve(stage_, asked);
        place_segments(shape_.view(), room_.trail, room_.param, stage_);
        solves_ += asked[0].solves;
        return asked[0].status == Solver::Status::done;
    }

    template <bool kDrag>
    NewtonStep solve_newton()
    {
        place_segments(shape_.view(), room_.trail, room_.param, stage_);
        const Watch<double> watch =
            eliminate<kDrag, false, true>(shape_.view(), room_.trail, room_.param, room_.load,
                                          stage_, room_.slots, room_.factor, Rows<double>{});
        ++solves_;
        NewtonStep step{0, watch.pivot > 0};
        for (int i = 0; i < count(); ++i) {
            substitute(i, shape_.view(), room_.trail, room_.param, stage_, room_.factor);
            const Vec3 turn = room_.factor.vector(i, Factor::v);
            const double size = length(turn);
            step.largest = size < step.largest ? step.largest : size; // keeps what is no number
        }
        const double scale = step.largest > kLongest ? kLongest / step.largest : 1;
        for (int i = 0; i < count(); ++i) {
            const Quat q = room_.trail.quat(i, Trail::turn);
            const Vec3 turn = room_.factor.vector(i, Factor::v) * scale;
            room_.trail.put(i, Trail::turn, turned(q, rotate(conjugate(q), turn)));
        }
        return step;
    }

    static constexpr double kLongest = 0.5; // rad in one of Newton's steps

    std::span<const SegmentData> segments_;
    TreeShape shape_;
    Units units_;
    std::vector<double> params_, numbers_;
    std::vector<Demand<double>> slots_;
    std::vector<SymmetricDemand<double>> symmetric_slots_;
    std::vector<Load6<double>> sums_;
    Room<double> room_;
    StageOf<double> stage_;
    bool has_drag_ = false;
    int solves_ = 0;
};

constexpr double kQuick = 3, kCareful = 1.5; // from one flow's length to the next

/// Newton to rounding; false where it does not go there.
bool polish(StillTree& tree, std::vector<Quat>& turns, bool& is_stable)
{
    double last = 1e300;
    for (int i = 0; i < 30 && !is_stopping(); ++i) {
        tree.stand(turns);
        const StillTree::NewtonStep step = tree.newton();
        if (!(step.largest < 1e6))
            return false;
        is_stable = step.is_stable;
        if (step.largest >= last && last < 1e-8) // rounding
            return true;
        last = step.largest;
        turns = tree.turns();
        if (last < 1e-14)
            return true;
    }
    return last < 1e-8;
}

} // namespace

double largest_turn(std::span<const Quat> a, std::span<const Quat> b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = max(largest, length(log_quat(conjugate(a[i]) * b[i])));
    return largest;
}

namespace {

/// Steps of the flow, each longer than the last by a factor while they lead less and less far; then
/// Newton. An implicit step that is too long leads to an equilibrium that is not stable as well as
/// to one that is: small factors do not pass by the lengths with which it is left.
Equilibrium go_down(StillTree& tree, std::vector<Quat> from, double factor)
{
    constexpr int kMostFlows = 400;
    constexpr double kShort = 1e-6, kStill = 1e-7;
    Equilibrium found;
    double theta = 0.05, last = 1e300;
    for (int i = 0; i < kMostFlows && theta > kShort && !is_stopping(); ++i) {
        tree.stand(from);
        if (!tree.flow(theta)) {
            theta /= 4;
            continue;
        }
        std::vector<Quat> to = tree.turns();
        const double way = largest_turn(from, to);
        from = std::move(to);
        theta *= way < 0.3 && (way < last || factor > kCareful) ? factor : 1;
        last = way;
        if (way < kStill && theta > 1e3)
            break;
    }
    found.turns = from;
    std::vector<Quat> exact = from;
    found.is_found = polish(tree, exact, found.is_stable) && largest_turn(from, exact) < 0.1;
    if (found.is_found)
        found.turns = std::move(exact);
    return found;
}

} // namespace

std::vector<double> tensions_of(std::span<const SegmentData> segments, const StillLoads& loads,
                                std::span<const Quat> turns)
{
    StillTree tree(segments, loads);
    tree.stand(turns);
    return tree.pulls();
}

namespace {

/// Of segments that keep their lengths.
Equilibrium find_rigid_equilibrium(std::span<const SegmentData> segments, const StillLoads& loads,
                                   std::vector<Quat> from)
{
    constexpr double kSame = 1e-6; // rad
    StillTree tree(segments, loads);
    Equilibrium found = go_down(tree, from, kQuick);
    if (found.is_found && !found.is_stable && largest_turn(from, found.turns) > kSame)
        if (Equilibrium other = go_down(tree, from, kCareful); other.is_found)
            found = std::move(other);
    found.solves = tree.solves();
    return found;
}

} // namespace

/// Where lengths move: turns for the lengths, lengths for what then pulls, and again. What pulls
/// does not depend on the lengths but through the turns.
Equilibrium find_equilibrium(std::span<const SegmentData> segments, const StillLoads& loads,
                             std::vector<Quat> from)
{
    constexpr int kMostRounds = 100;
    constexpr double kSame = 1e-14; // of a length
    if (std::ranges::none_of(segments, [](const SegmentData& s) { return s.stretch > 0; }))
        return find_rigid_equilibrium(segments, loads, std::move(from));
    std::vector<SegmentData> now(segments.begin(), segments.end());
    Equilibrium found;
    double change = 1;
    for (int round = 0; round < kMostRounds && change > kSame && !is_stopping(); ++round) {
        found = find_rigid_equilibrium(now, loads, std::move(from));
        from = found.turns;
        const std::vector<double> pulls = tensions_of(now, loads, from);
        change = 0;
        for (std::size_t i = 0; i < now.size(); ++i) {
            const double length = length_for_tension(segments[i], pulls[i]);
            change = max(change, abs(length - now[i].length) / segments[i].length);
            now[i].length = length;
        }
    }
    found.is_found = found.is_found && change < 1e-9;
    for (const SegmentData& s : now)
        found.lengths.push_back(s.length);
    return found;
}

bool is_stable_at(std::span<const SegmentData> segments, const StillLoads& loads,
                  const std::vector<Quat>& turns)
{
    constexpr double kThere = 1e-8; // rad: Newton's next step is below rounding
    if (std::ranges::none_of(segments, [](const SegmentData& s) { return s.stretch > 0; })) {
        StillTree tree(segments, loads);
        tree.stand(turns);
        if (const StillTree::NewtonStep step = tree.newton(); step.largest < kThere)
            return step.is_stable;
    }
    return find_equilibrium(segments, loads, turns).is_stable;
}

Vec3 bend_for_torque(const Vec3& torque, const Vec3& K)
{
    Vec3 g{K.x > 0 ? torque.x / K.x : 0, K.y > 0 ? torque.y / K.y : 0,
           K.z > 0 ? torque.z / K.z : 0};
    if (K.x == K.y && K.x == K.z)
        return g;
    for (int i = 0; i < 60; ++i) {
        const BendTerms<double> b = bend_terms(g, K);
        const Vec3 error = g * K.x + b.u_y * b.c_y + b.u_z * b.c_z - torque;
        const double dc_y = (K.y - K.x) * (1 - g.y * g.y) * b.down_y * b.down_y;
        const double dc_z = (K.z - K.x) * (1 - g.z * g.z) * b.down_z * b.down_z;
        Mat3 slope{{0, b.c_z, -b.c_y}, b.u_y * dc_y + g * b.c_y, b.u_z * dc_z + g * b.c_z};
        slope.y.x -= b.c_z;
        slope.z.x += b.c_y;
        add_diagonal(slope, K.x + b.c_y * g.y + b.c_z * g.z);
        const Vec3 step = inverse(slope) * error;
        const double size = length(step), most = 0.5 * (1 + length(g));
        g -= step * (size > most ? most / size : 1);
        if (size < 1e-15 * (1 + length(g)))
            break;
    }
    return g;
}

namespace {

/// The rest rotation with which a joint that is turned by `turn` bears a torque, the segment's
/// axes. The joint's axes depend on it: p d p* = rest* ⊗ turn, p² = rest unless clamped.
Quat rest_for_torque(SegmentData segment, const Quat& turn, const Vec3& torque)
{
    segment.rest = turn;
    for (int i = 0; i < 60; ++i) {
        const Quat p = joint_axes(segment);
        const Vec3 g = bend_for_torque(rotate(p, torque), segment.stiffness);
        const Quat d = normalised(Quat{g.x, g.y, g.z, 1});
        const Quat rest = normalised(turn * (conjugate(p) * conjugate(d) * p));
        const double change = length(log_quat(conjugate(segment.rest) * rest));
        segment.rest = rest;
        if (change < 1e-16)
            break;
    }
    return segment.rest;
}

} // namespace

/// residual = N + t = 0 with t the elastic torque of d = rest* ⊗ (Q_p* ⊗ Q), so rest = (Q_p* ⊗ Q) ⊗
/// d*.
RestShape find_rest_shape(std::span<const SegmentData> segments, const StillLoads& loads,
                          std::span<const Quat> turns)
{
    StillTree tree(segments, loads);
    tree.stand(turns);
    const std::vector<Vec3> N = tree.loads_of_joints();
    RestShape shape;
    for (int i = 0; i < static_cast<int>(segments.size()); ++i) {
        const SegmentData& s = segments[i];
        const Vec3 own = rotate(conjugate(turns[i]), -N[i]);
        const double scale = s.mass * s.length * length(loads.gravity);
        for (int a = 0; a < 3; ++a)
            if (s.stiffness[a] <= 0 && abs(own[a]) > 1e-9 * scale && shape.is_found) {
                shape.is_found = false;
                shape.segment = i;
            }
        const Quat before = s.parent < 0 ? loads.base : turns[s.parent];
        shape.rest.push_back(rest_for_torque(s, normalised(conjugate(before) * turns[i]), own));
    }
    return shape;
}

} // namespace sinew::strand
