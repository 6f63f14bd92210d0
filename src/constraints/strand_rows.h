#pragma once

/// What holds points of strands: which constraints there are, and their rows in a step.

#include "constraints/coupling.h"
#include "constraints/ends.h"
#include "models/linkage/model.h"
#include "models/rigid/model.h"
#include "models/strand/model.h"

namespace sinew {

struct HeldStrand {
    std::uint32_t constraint = 0; ///< in Scene::strand_constraints
    StrandEnd a, b;
    Vec3 normal = {0, 1, 0}; ///< above: of the plane through b's frame, in its site's frame
    double start_distance = 0;
    Vec3 normal_in_b = {0, 1, 0}; ///< the same, in b's own frame
};

/// A tree that pulls at what it stands on: six rows hold its base there.
struct StrandRider {
    std::uint32_t tree = 0;
    StrandEnd carrier = {}; ///< the frame of the base in the site's
};

/// What does not change.
struct StrandCoupling {
    std::vector<HeldStrand> held;
    std::vector<StrandRider> riders;
    std::unique_ptr<Targets> targets;
    bool is_used = false;
};

struct StrandCouplingInput {
    const Scene& scene;
    const LinkageModel* linkages; ///< null: the method charli moves them
    const RigidModel& rigid;
    const StrandModel& strands;
    std::span<const Affine> objects; ///< at the start
};

/// Problems where something is held to what cannot be held on to.
Problems make_strand_coupling(const StrandCouplingInput& input, StrandCoupling& coupling);

/// Trees that stand on bodies, linkages, rods or other trees, ascending.
std::vector<StrandRider> find_riders(const StrandCouplingInput& input);

/// The rows that hold a rider's base to its carrier.
Attachment make_attachment(const StrandRider& rider);

/// Which constraint a key of rows belongs to; none: not one of a strand.
std::optional<std::uint32_t> constraint_of_key(AttachmentKey key);

/// Whether rows hold without letting go: what is open when they begin is closed with ease.
bool has_only_equal_rows(const Attachment& attachment);

/// The rows of a constraint as of a step that ends with this posture. False where it does not hold.
bool add_attachments(const Scene& scene, const HeldStrand& held, const Posture& posture,
                     const std::vector<Affine>& objects, std::vector<Attachment>& attachments);

/// Where things are that loads are read from.
struct StrandLoadInput {
    const Scene& scene;
    const StrandModel& strands;
    const ModelState& state; ///< of the strands
    const Targets& targets;
    std::span<const HeldForce> forces; ///< what rows pushed with
    const std::vector<Affine>& objects;
    double time = 0;
};

/// What a constraint pushes and turns a's point with, about that point.
Wrench load_of(const StrandLoadInput& input, const HeldStrand& held);

} // namespace sinew
