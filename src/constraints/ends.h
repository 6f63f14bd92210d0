#pragma once

/// Ends of constraints in terms of sites: which block an object of the scene moves with.

#include "constraints/targets.h"
#include "models/linkage/model.h"
#include "models/rigid/model.h"
#include "models/strand/model.h"
#include "scene/objects/bodies.h"

namespace sinew {

/// A frame fixed to a site.
struct StrandEnd {
    Site site = {};
    Pose frame = {}; ///< in the site's
    std::optional<std::uint32_t> body = {};
};

/// What ends may be on.
struct EndInput {
    const Scene& scene;
    const LinkageModel* linkages; ///< null: the method charli moves them
    const RigidModel& rigid;
    const StrandModel& strands;
};

class EndFinder {
public:
    /// What only tracks move becomes a block of `targets`.
    EndFinder(const EndInput& input, Targets& targets);

    /// Nothing where an object moves in another way.
    std::optional<StrandEnd> find(ObjectId object);
    std::optional<StrandEnd> on_strand(ObjectId object) const;

private:
    std::optional<StrandEnd> on_body(ObjectId object) const;

    EndInput in_;
    Targets& targets_;
    BodyMap map_;
};

} // namespace sinew
