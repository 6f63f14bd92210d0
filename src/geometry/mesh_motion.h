#pragma once

#include "sinew/shapes.h"

#include <span>

namespace sinew {

/// The corners of a mesh that moves, at one time.
class MeshPoser {
public:
    /// Requires that the motion outlives it.
    explicit MeshPoser(const MeshMotion& motion);

    /// Goes to a time of the scene [s]; the work of all nodes.
    void set_time(double time);

    /// One corner there; the work of that corner alone.
    Vec3 corner(std::uint32_t number) const;

    /// A node there, in the world of the motion.
    const Affine& node(std::uint32_t number) const { return nodes_[number]; }

    /// All corners there.
    void place(std::vector<Vec3>& corners) const;

private:
    Vec3 corner_of(const MeshMotion::Part& part, std::size_t number,
                   std::span<const double> shares) const;

    const MeshMotion& motion_;
    std::vector<Affine> nodes_;
    std::vector<std::vector<Affine>> skins_;  ///< as the skins' nodes
    std::vector<std::vector<double>> shares_; ///< of the parts' forms
};

/// Whether its lists fit each other and the mesh, and its numbers are finite: else it must not be
/// posed.
bool is_sound(const MeshMotion& motion, const TriangleMesh& mesh);

/// The last time at which a key says something, in the scene's time [s]; its `begin` if none does.
double end_of(const MeshMotion& motion);

/// Scene times of keys [s], rising.
struct KeyTimes {
    std::vector<double> kinks = {};  ///< there the velocity of a corner may jump
    std::vector<double> smooth = {}; ///< those of samples of a motion, with samples on both sides
};
KeyTimes key_times(const MeshMotion& motion);

/// The numbers of a channel at a time of its own. Requires a key.
void values_at(const MotionChannel& channel, double time, bool are_turns, std::vector<double>& out);

} // namespace sinew
