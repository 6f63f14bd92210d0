// Joints that bend no further than their least radius lets them.

#include "math/functions.h"
#include "models/strand/model.h"

#include <algorithm>

namespace sinew {

/// Straight they are far from it: of the others those that are half-way, or get there in a step.
void StrandModel::find_bent(double time, double h, const ModelState& state,
                            std::vector<BentJoint>& found) const
{
    constexpr double kStraight = 1e-3; // rad: no axis to bend about
    for (std::uint32_t c = 0; c < curves_.size(); ++c) {
        if (!sections_[c].find(StrandPropertyKind::least_radius))
            continue;
        const Tree& tree = trees_[curves_[c].tree];
        for (int k = 1; k < curves_[c].count; ++k) {
            const int i = curves_[c].first + k;
            const double radius = sections_[c].at(time, double(k) / curves_[c].count).least_radius;
            if (!(radius > 0))
                continue;
            const Quat q = turn_at(state, tree.first + std::size_t(i)),
                       p = turn_at(state, tree.first + std::size_t(i) - 1);
            const Vec3 along = rotate(q, Vec3{0, 1, 0}), before = rotate(p, Vec3{0, 1, 0});
            const Vec3 across = cross(before, along);
            const double sine = length(across), angle = atan2(sine, dot(before, along));
            const Vec3 drawn = rotate(tree.drawn[std::size_t(i)], Vec3{0, 1, 0});
            const double span =
                0.5 * (tree.lengths[std::size_t(i)] + tree.lengths[std::size_t(i) - 1]);
            const double most = max(span / radius, atan2(hypot(drawn.x, drawn.z), drawn.y));
            const Vec3 turning = rotate(q, rate_at(state, tree.first + std::size_t(i))) -
                                 rotate(p, rate_at(state, tree.first + std::size_t(i) - 1));
            if (angle < kStraight || sine < 1e-9 || angle + 2 * h * length(turning) < 0.5 * most)
                continue;
            found.push_back({curves_[c].tree, std::uint32_t(i), std::uint32_t(i - 1), q, p,
                             across / sine, angle, most});
        }
    }
}

} // namespace sinew
