#pragma once

// What the ends of constraints are.

#include "scene/objects/bodies.h"
#include "sinew/scene.h"

#include <optional>
#include <vector>

namespace sinew {

/// Which objects are points of strands, of rods, or parts of bodies, or fixed to such.
class EndMap {
public:
    explicit EndMap(const Scene& scene);

    bool is_on_strand(ObjectId object) const { return on_strand_[object.index]; }
    bool is_on_rod(ObjectId object) const { return find_arm(object).has_value(); }
    bool is_in_body(ObjectId object) const { return bodies.is_in_moved(object); }

    /// The frame of a rod: where it was drawn, and not where it is.
    bool is_whole_rod(ObjectId object) const { return is_rod_[object.index]; }

    /// The frame of a tree of strands, or what names one of its curves.
    bool is_whole_strand(ObjectId object) const { return is_strand_[object.index]; }

    /// The first point of a strand that stands on its own: its def holds it already.
    bool is_root(ObjectId object) const { return is_root_[object.index]; }

    /// Where an object is on a rod that it stands on, or is a point of, from there.
    std::optional<Vec3> find_arm(ObjectId object) const;

    /// The point of a rod that an object is, stands on or moves against.
    ObjectId find_rod_site(ObjectId object) const;

    BodyMap bodies;

private:
    const Scene& scene_;
    std::vector<bool> on_strand_, is_strand_, is_rod_, is_rod_site_, is_root_;
};

} // namespace sinew
