// Corners of a mesh that moves: channels give the nodes' places in each other, nodes carry corners
// alone or, weighted, as a skin.
//
//     x(t) = X_node(t) (x + Σ share_k(t) form_k),   or   Σ w_j X_j(t) X_j⁻¹(bind) (x + ...)

#include "geometry/mesh_motion.h"

#include "math/pose_curve.h"
#include "math/sampled.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

namespace {

Quat quat_of(const double* v)
{
    const Quat q{v[0], v[1], v[2], v[3]};
    return dot(q, q) > 0 ? normalised(q) : Quat{};
}

/// Whether a piece between keys is one of a motion that is sampled.
bool is_sampled(const MotionChannel& channel, std::size_t key)
{
    return key + 1 < channel.times.size() &&
           channel.times[key + 1] - channel.times[key] <= kSampled;
}

/// The samples that tell how the motion goes at `key`, one of the ends of a piece: of those that
/// hang together with it.
SampleWindow samples_about(const MotionChannel& channel, std::size_t key, std::size_t piece,
                           std::size_t most = kMostSamples)
{
    std::size_t low = piece, high = piece + 1;
    while (low > 0 && piece - low < kMostSamples && is_sampled(channel, low - 1))
        --low;
    while (high - piece < kMostSamples && is_sampled(channel, high))
        ++high;
    return window_about(channel.times, key, low, high, most);
}

Quat turn_at(const MotionChannel& channel, std::size_t key)
{
    return quat_of(&channel.values[4 * key]);
}

/// The rotation from one key to another as a vector in the axes of the first, across all keys
/// between: it may be longer than half a turn.
Vec3 turn_to(const MotionChannel& channel, std::size_t from, std::size_t to)
{
    if (from == to)
        return {0, 0, 0};
    const Quat end = turn_at(channel, to);
    const Vec3 turn = log_quat(conjugate(turn_at(channel, from)) * end);
    const std::size_t before = to > from ? to - 1 : to + 1;
    if (before == from)
        return turn;
    const Vec3 step = log_quat(conjugate(turn_at(channel, before)) * end);
    return detail::nearest_turn(turn, turn_to(channel, from, before) + step);
}

/// Angular velocity and acceleration at a key per piece, in its own axes: rates of the rotation
/// vectors from it. [notes: pose_curve, eq. 8]
detail::Rates<double> spin_at(const MotionChannel& channel, std::size_t key, std::size_t piece)
{
    constexpr double kWide = 3; // [rad] further apart, two rotation vectors are no neighbours
    SampleWindow window = samples_about(channel, key, piece);
    double angle = 0;
    for (std::size_t k = window.first; k + 1 < window.first + window.count; ++k)
        angle += length(turn_to(channel, k, k + 1));
    if (angle > kWide)
        window = samples_about(channel, key, piece, 3);
    const auto rates = rates_in(channel.times, key, window,
                                [&](std::size_t k) { return turn_to(channel, key, k); });
    const double h = channel.times[piece + 1] - channel.times[piece];
    return {{}, rates.first * h, rates.second * (h * h)};
}

/// The rotation vector of a piece from the orientation at its start to the end, which is turned by
/// r, with velocities and accelerations per piece at both. [notes: pose_curve, eqs 5, 6]
std::array<Vec3, 6> turn_between(const detail::Rates<double>& start, const Vec3& r,
                                 const detail::Rates<double>& end)
{
    const Vec3 first = right_jacobian_inverse_times(r, end.first);
    const Vec3 carried = angular_motion(r, first, Vec3{}).acceleration;
    const Vec3 second = right_jacobian_inverse_times(r, end.second - carried);
    return detail::quintic<double>({{}, start.first, start.second}, {r, first, second});
}

/// Between two samples of a motion, with continuous velocity and acceleration.
void mix_samples(const MotionChannel& channel, std::size_t key, double time, bool are_turns,
                 std::vector<double>& out)
{
    const std::size_t n = channel.width;
    const double h = channel.times[key + 1] - channel.times[key],
                 s = (time - channel.times[key]) / h;
    if (are_turns) {
        const auto turn = turn_between(spin_at(channel, key, key), turn_to(channel, key, key + 1),
                                       spin_at(channel, key + 1, key));
        const Quat q = turn_at(channel, key) * exp_quat(detail::evaluate(turn, s).value);
        return void(out = {q.x, q.y, q.z, q.w});
    }
    const SampleWindow from = samples_about(channel, key, key),
                       to = samples_about(channel, key + 1, key);
    for (std::size_t i = 0; i < n; ++i) {
        const auto value = [&](std::size_t k) { return channel.values[k * n + i]; };
        out[i] = quintic_value(value(key), rates_in(channel.times, key, from, value),
                               value(key + 1), rates_in(channel.times, key + 1, to, value), h, s);
    }
}

/// Between two keys, s from 0 to 1; `span` is the time between them.
void mix_keys(const MotionChannel& channel, std::size_t key, double s, double span, bool are_turns,
              std::vector<double>& out)
{
    const std::size_t n = channel.width;
    const bool is_cubic = channel.way == MotionChannel::Way::cubic;
    const double* a = &channel.values[is_cubic ? (3 * key + 1) * n : key * n];
    const double* b = is_cubic ? a + 3 * n : a + n;
    if (channel.way == MotionChannel::Way::hold)
        return void(out.assign(a, a + n));
    if (is_cubic) {
        const double s2 = s * s, s3 = s2 * s;
        for (std::size_t i = 0; i < n; ++i)
            out[i] = (2 * s3 - 3 * s2 + 1) * a[i] + span * (s3 - 2 * s2 + s) * a[n + i] +
                     (3 * s2 - 2 * s3) * b[i] + span * (s3 - s2) * *(b - n + i);
        return;
    }
    if (are_turns) {
        const Quat q = slerp(quat_of(a), quat_of(b), s);
        return void(out = {q.x, q.y, q.z, q.w});
    }
    for (std::size_t i = 0; i < n; ++i)
        out[i] = a[i] + (b[i] - a[i]) * s;
}

Affine pose_of(const Vec3& translation, const Quat& rotation, const Vec3& scale)
{
    return {rotation_matrix(rotation) * Mat3::diagonal(scale), translation};
}

} // namespace

void values_at(const MotionChannel& channel, double time, bool are_turns, std::vector<double>& out)
{
    const std::size_t n = channel.width, count = channel.times.size();
    const std::size_t after =
        std::size_t(std::ranges::upper_bound(channel.times, time) - channel.times.begin());
    out.assign(n, 0);
    if (after > 0 && after < count) {
        const double span = channel.times[after] - channel.times[after - 1];
        if (channel.way == MotionChannel::Way::linear && is_sampled(channel, after - 1))
            return mix_samples(channel, after - 1, time, are_turns, out);
        return mix_keys(channel, after - 1, (time - channel.times[after - 1]) / span, span,
                        are_turns, out);
    }
    const std::size_t key = after == 0 ? 0 : count - 1;
    const bool is_cubic = channel.way == MotionChannel::Way::cubic;
    const double* first = &channel.values[is_cubic ? (3 * key + 1) * n : key * n];
    out.assign(first, first + n);
}

namespace {

bool is_sound(const MotionChannel& channel)
{
    const std::size_t keys =
        channel.times.size() * (channel.way == MotionChannel::Way::cubic ? 3 : 1);
    return !channel.times.empty() && channel.values.size() == keys * channel.width &&
           std::ranges::is_sorted(channel.times, std::ranges::less_equal{}) &&
           std::ranges::all_of(channel.times, [](double x) { return is_finite(x); }) &&
           std::ranges::all_of(channel.values, [](double x) { return is_finite(x); });
}

bool is_sound(const MeshMotion& motion, const MeshMotion::Node& node, std::size_t number)
{
    const auto has = [&](std::uint32_t channel, std::uint32_t width) {
        return channel == MeshMotion::kNone ||
               (channel < motion.channels.size() && motion.channels[channel].width == width);
    };
    return (node.parent == MeshMotion::kNone || node.parent < number) && has(node.translated, 3) &&
           has(node.turned, 4) && has(node.scaled, 3) && is_finite(node.matrix.linear) &&
           is_finite(node.matrix.origin) && is_finite(node.translation) &&
           is_finite(node.rotation) && is_finite(node.scale);
}

bool is_sound(const MeshMotion& motion, const MeshMotion::Part& part)
{
    const bool is_skinned = part.skin != MeshMotion::kNone;
    if (part.node >= motion.nodes.size() || part.shares.size() != part.forms.size() ||
        std::ranges::any_of(part.forms, [&](const auto& f) { return f.size() != part.count; }) ||
        (part.mixed != MeshMotion::kNone &&
         (part.mixed >= motion.channels.size() ||
          motion.channels[part.mixed].width != part.forms.size())) ||
        (is_skinned && part.skin >= motion.skins.size()))
        return false;
    for (std::size_t i = part.first; is_skinned && i < part.first + part.count; ++i)
        for (const std::uint32_t joint : motion.joints[i])
            if (joint >= motion.skins[part.skin].nodes.size())
                return false;
    return true;
}

} // namespace

bool is_sound(const MeshMotion& motion, const TriangleMesh& mesh)
{
    const std::size_t count = motion.corners.size();
    const std::size_t weighted = motion.skins.empty() ? 0 : count;
    bool is_good = count == mesh.vertices.size() && motion.joints.size() == weighted &&
                   motion.weights.size() == weighted && motion.speed > 0 &&
                   is_finite(motion.speed) && is_finite(motion.begin) && is_finite(motion.scale);
    for (const MotionChannel& channel : motion.channels)
        is_good = is_good && is_sound(channel);
    for (std::size_t i = 0; is_good && i < motion.nodes.size(); ++i)
        is_good = is_sound(motion, motion.nodes[i], i);
    for (const MeshMotion::Skin& skin : motion.skins)
        is_good = is_good && skin.nodes.size() == skin.to_node.size() &&
                  std::ranges::all_of(skin.nodes,
                                      [&](std::uint32_t n) { return n < motion.nodes.size(); });
    std::size_t next = 0; // parts follow each other
    for (std::size_t i = 0; is_good && i < motion.parts.size(); ++i) {
        is_good = motion.parts[i].first == next && motion.parts[i].count <= count - next &&
                  is_sound(motion, motion.parts[i]);
        next += motion.parts[i].count;
    }
    return is_good && next == count;
}

double end_of(const MeshMotion& motion)
{
    double last = 0;
    for (const MotionChannel& channel : motion.channels)
        last = std::max(last, channel.times.back());
    return motion.begin + last / motion.speed;
}

KeyTimes key_times(const MeshMotion& motion)
{
    KeyTimes keys;
    for (const MotionChannel& channel : motion.channels)
        for (std::size_t key = 0; key < channel.times.size(); ++key) {
            const bool is_smooth = channel.way == MotionChannel::Way::linear && key > 0 &&
                                   is_sampled(channel, key - 1) && is_sampled(channel, key);
            (is_smooth ? keys.smooth : keys.kinks)
                .push_back(motion.begin + channel.times[key] / motion.speed);
        }
    std::ranges::sort(keys.kinks);
    std::ranges::sort(keys.smooth);
    return keys;
}

MeshPoser::MeshPoser(const MeshMotion& motion)
    : motion_(motion), nodes_(motion.nodes.size()), skins_(motion.skins.size()),
      shares_(motion.parts.size())
{
    set_time(motion.begin);
}

void MeshPoser::set_time(double time)
{
    const double at = (time - motion_.begin) * motion_.speed;
    std::vector<double> v;
    const auto read = [&](std::uint32_t channel, bool are_turns) {
        values_at(motion_.channels[channel], at, are_turns, v);
        return v.data();
    };
    constexpr std::uint32_t kNone = MeshMotion::kNone;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const MeshMotion::Node& node = motion_.nodes[i];
        Affine pose = node.matrix;
        if (node.translated != kNone || node.turned != kNone || node.scaled != kNone) {
            Vec3 translation = node.translation, scale = node.scale;
            Quat rotation = node.rotation;
            if (node.translated != kNone) {
                const double* x = read(node.translated, false);
                translation = {x[0], x[1], x[2]};
            }
            if (node.turned != kNone)
                rotation = quat_of(read(node.turned, true));
            if (node.scaled != kNone) {
                const double* x = read(node.scaled, false);
                scale = {x[0], x[1], x[2]};
            }
            pose = pose_of(translation, rotation, scale);
        }
        nodes_[i] = node.parent == kNone ? pose : nodes_[node.parent] * pose;
    }
    for (std::size_t s = 0; s < skins_.size(); ++s) {
        skins_[s].clear();
        for (std::size_t j = 0; j < motion_.skins[s].nodes.size(); ++j)
            skins_[s].push_back(nodes_[motion_.skins[s].nodes[j]] * motion_.skins[s].to_node[j]);
    }
    for (std::size_t p = 0; p < shares_.size(); ++p) {
        shares_[p] = motion_.parts[p].shares;
        if (motion_.parts[p].mixed != kNone)
            values_at(motion_.channels[motion_.parts[p].mixed], at, false, shares_[p]);
    }
}

Vec3 MeshPoser::corner_of(const MeshMotion::Part& part, std::size_t number,
                          std::span<const double> shares) const
{
    Vec3 x = motion_.corners[number];
    for (std::size_t k = 0; k < part.forms.size(); ++k)
        x += part.forms[k][number - part.first] * shares[k];
    if (part.skin == MeshMotion::kNone)
        return apply(nodes_[part.node], x) * motion_.scale;
    const std::vector<Affine>& nodes = skins_[part.skin];
    Vec3 placed{0, 0, 0};
    for (std::size_t j = 0; j < 4; ++j)
        if (const double weight = motion_.weights[number][j]; weight != 0)
            placed += apply(nodes[motion_.joints[number][j]], x) * weight;
    return placed * motion_.scale;
}

Vec3 MeshPoser::corner(std::uint32_t number) const
{
    const auto behind =
        std::ranges::upper_bound(motion_.parts, number, {}, &MeshMotion::Part::first);
    const auto part = std::size_t(behind - motion_.parts.begin()) - 1;
    return corner_of(motion_.parts[part], number, shares_[part]);
}

void MeshPoser::place(std::vector<Vec3>& corners) const
{
    corners.resize(motion_.corners.size());
    for (std::size_t p = 0; p < motion_.parts.size(); ++p) {
        const MeshMotion::Part& part = motion_.parts[p];
        for (std::size_t i = part.first; i < part.first + part.count; ++i)
            corners[i] = corner_of(part, i, shares_[p]);
    }
}

} // namespace sinew
