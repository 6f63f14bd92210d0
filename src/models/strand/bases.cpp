#include "models/strand/bases.h"

#include "math/functions.h"
#include "math/jet.h"
#include "math/so3.h"
#include "scene/formula.h"
#include "scene/kinematics.h"

#include <algorithm>
#include <array>

namespace sinew::strand {

namespace {

using Affine2 = AffineT<Jet2>;

Jet2 jet_of(const Rates& rates) { return {rates.value, rates.first, rates.second}; }

/// One transformation whose amount moves.
Affine2 moving_transformation(TransformationKind kind, const Jet2& a)
{
    Affine2 T;
    const int k = static_cast<int>(kind);
    if (kind <= TransformationKind::translate_z) {
        T.origin[k] = a;
    } else if (kind <= TransformationKind::rotate_z) {
        Vec3T<Jet2> axis{Jet2(0), Jet2(0), Jet2(0)};
        axis[k - 3] = Jet2(1);
        T.linear = rotation_matrix(rotation_about(axis, a));
    } else if (kind == TransformationKind::scale) {
        T.linear = Mat3T<Jet2>::diagonal({a, a, a});
    } else {
        T.linear(k - 7, k - 7) = a;
    }
    return T;
}

Affine2 frame_by_tracks(const Scene& scene, ObjectId id, double time, Side side)
{
    Affine2 frame;
    for (; id.is_valid(); id = frame_parent(scene.objects[id.index])) {
        const Object& object = scene.objects[id.index];
        for (std::uint32_t k = 0; k < object.transformation_count; ++k) {
            const Transformation& t = scene.transformations[object.first_transformation + k];
            frame =
                moving_transformation(t.kind, jet_of(rates_at(scene, t.amount, time, 0, side))) *
                frame;
        }
    }
    return frame;
}

/// The vector of a skew matrix; of one that is not quite, of its skew part.
Vec3 vector_of(const Mat3& M)
{
    return Vec3{M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1)} * 0.5;
}

template <class Get>
Mat3 part_of(const Mat3T<Jet2>& M, double scale, Get&& get)
{
    Mat3 out;
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
            out(r, c) = get(M(r, c)) / scale;
    return out;
}

template <class Use>
void for_each_amount(const Scene& scene, ObjectId id, Use&& use)
{
    for (; id.is_valid(); id = frame_parent(scene.objects[id.index]))
        for (std::uint32_t k = 0; k < scene.objects[id.index].transformation_count; ++k)
            use(scene.transformations[scene.objects[id.index].first_transformation + k].amount);
}

bool is_placed_by_others(const Scene& scene, ObjectId id)
{
    const auto is = [&](const auto& thing) { return thing.object == id; };
    return std::ranges::any_of(scene.bodies, is) || std::ranges::any_of(scene.strand_sites, is);
}

Bases::Kind kind_of(const Scene& scene, ObjectId object)
{
    for (ObjectId id = object; id.is_valid(); id = frame_parent(scene.objects[id.index]))
        if (is_placed_by_others(scene, id))
            return Bases::Kind::riding;
    bool is_known = true, is_constant = true;
    for_each_amount(scene, object, [&](const Value& amount) {
        is_known = is_known && is_known_in_advance(scene, amount);
        is_constant = is_constant && amount.is_constant();
    });
    return !is_known ? Bases::Kind::riding : is_constant ? Bases::Kind::fixed : Bases::Kind::driven;
}

/// Keys at which a rate jumps.
std::vector<double> find_kinks(const Scene& scene, ObjectId object)
{
    std::vector<double> kinks;
    for_each_amount(scene, object, [&](const Value& amount) {
        for_each_leaf(scene, amount, [&](const Formula& leaf) {
            if (leaf.operation != Operation::track || scene.tracks[leaf.index].along)
                return;
            for (const Key& key : scene.tracks[leaf.index].keys) {
                const double before = rates_at(scene, amount, key.at, 0, Side::before).first;
                const double after = rates_at(scene, amount, key.at, 0, Side::after).first;
                if (abs(after - before) > 1e-9 * (1 + abs(before) + abs(after)))
                    kinks.push_back(key.at);
            }
        });
    });
    std::ranges::sort(kinks);
    return kinks;
}

/// From one motion to another with these poses and velocities at the ends.
PoseCurve hermite(const PoseMotion& a, const PoseMotion& b, double t0, double t1)
{
    const double h = t1 - t0;
    const auto cubic = [](const Vec3& x0, const Vec3& v0, const Vec3& x1, const Vec3& v1) {
        const Vec3 d = x1 - x0 - v0, e = v1 - v0;
        return PoseCurve::Coefficients{x0, v0, d * 3.0 - e, e - d * 2.0, {}, {}};
    };
    const Quat back = conjugate(a.pose.rotation);
    const Vec3 turn = log_quat(back * b.pose.rotation);
    const Vec3 rate_b = rotate(conjugate(b.pose.rotation), b.angular_velocity);
    return {t0, h, a.pose.rotation,
            cubic(a.pose.translation, a.velocity * h, b.pose.translation, b.velocity * h),
            cubic({0, 0, 0}, rotate(back, a.angular_velocity) * h, turn,
                  right_jacobian_inverse_times(turn, rate_b * h))};
}

void put(double* to, double time, const Pose& pose)
{
    const Quat& q = pose.rotation;
    const Vec3& p = pose.translation;
    const std::array<double, 8> numbers = {time, q.x, q.y, q.z, q.w, p.x, p.y, p.z};
    std::ranges::copy(numbers, to);
}

Pose pose_at(const double* from)
{
    return {{from[1], from[2], from[3], from[4]}, {from[5], from[6], from[7]}};
}

} // namespace

ScaledPose scaled_pose(const Affine& frame)
{
    const double volume = determinant(frame.linear);
    const double scale = volume == 1 ? 1 : pow(abs(volume), 1.0 / 3);
    Mat3 R = frame.linear;
    for (int i = 0; i < 3; ++i)
        R[i] = normalised(R[i]);
    return {{rotation_quat(R), frame.origin}, scale};
}

/// ω = Ṙ Rᵀ, ω̇ = (R̈ Rᵀ) less its symmetric part.
PoseMotion motion_by_tracks(const Scene& scene, ObjectId object, double time, Side side)
{
    const Affine2 frame = frame_by_tracks(scene, object, time, side);
    const Mat3 linear = part_of(frame.linear, 1, [](const Jet2& j) { return j.value; });
    const ScaledPose at =
        scaled_pose({linear, {frame.origin.x.value, frame.origin.y.value, frame.origin.z.value}});
    const Mat3 first = part_of(frame.linear, at.scale, [](const Jet2& j) { return j.first; });
    const Mat3 second = part_of(frame.linear, at.scale, [](const Jet2& j) { return j.second; });
    const Mat3 back = transpose(rotation_matrix(at.pose.rotation));
    return {at.pose,
            {frame.origin.x.first, frame.origin.y.first, frame.origin.z.first},
            vector_of(first * back),
            {frame.origin.x.second, frame.origin.y.second, frame.origin.z.second},
            vector_of(second * back)};
}

Bases::Bases(const Scene& scene, std::span<const ObjectId> trees, std::span<const Affine> objects)
{
    for (const ObjectId object : trees) {
        Tree tree{.object = object, .kind = kind_of(scene, object)};
        tree.still.pose = scaled_pose(objects[object.index]).pose;
        if (tree.kind == Kind::driven)
            tree.kinks = find_kinks(scene, object);
        trees_.push_back(std::move(tree));
    }
}

PoseMotion Bases::start(const Scene& scene, std::size_t tree) const
{
    return trees_[tree].kind == Kind::driven
               ? motion_by_tracks(scene, trees_[tree].object, scene.settings.start)
               : trees_[tree].still;
}

void Bases::prepare(const Scene& scene, double t0, double t1, std::span<const Affine> now,
                    std::span<const Affine> then, std::span<Ridden> ridden)
{
    scene_ = &scene;
    end_ = t1;
    std::size_t next = 0;
    for (Tree& tree : trees_) {
        const auto kink = std::ranges::lower_bound(tree.kinks, t0);
        tree.has_curve = kink != tree.kinks.end() && *kink < t1;
        if (tree.has_curve) // a jump of velocity acts over the whole step
            tree.curve = hermite(motion_by_tracks(scene, tree.object, t0, Side::before),
                                 motion_by_tracks(scene, tree.object, t1, Side::before), t0, t1);
        if (tree.kind != Kind::riding)
            continue;
        ride(tree, t0, t1, scaled_pose(now[tree.object.index]).pose,
             scaled_pose(then[tree.object.index]).pose, ridden[next++]);
    }
}

/// Through the last four poses; where there are none yet, as if it had always moved so.
void Bases::ride(Tree& tree, double t0, double t1, const Pose& now, const Pose& then,
                 Ridden& ridden)
{
    double* before = ridden.numbers + 8;
    double* long_before = ridden.numbers;
    if (before[0] == Ridden::kNever)
        put(before, 2 * t0 - t1, extrapolated(then, now));
    if (long_before[0] == Ridden::kNever)
        put(long_before, 2 * before[0] - t0, extrapolated(now, pose_at(before)));
    tree.curve = make_pose_cubic<double>({pose_at(long_before), pose_at(before), now, then},
                                         {long_before[0], before[0], t0, t1});
    tree.has_curve = true;
    std::copy_n(before, 8, long_before);
    put(before, t0, now);
}

PoseMotion Bases::base_at(std::uint32_t index, double time) const noexcept
{
    const Tree& tree = trees_[index];
    if (tree.has_curve)
        return evaluate(tree.curve, time);
    if (tree.kind == Kind::fixed)
        return tree.still;
    return motion_by_tracks(*scene_, tree.object, time, time < end_ ? Side::after : Side::before);
}

Vec3 Bases::gravity_at(double time) const noexcept { return Gravity(*scene_, time).value; }

Gravity::Gravity(const Scene& scene, double time)
{
    const Settings& s = scene.settings;
    const auto at = [&](const Value& amount) {
        return amount.is_constant() ? amount.number : rates_at(scene, amount, time).value;
    };
    value = {at(s.gravity_x), at(s.gravity_y), at(s.gravity_z)};
}

} // namespace sinew::strand
