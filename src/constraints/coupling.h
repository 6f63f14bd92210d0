#pragma once

/// Bodies tied to linkages: which they are, and the rows between them.
///
/// A body is tied when a joint or a spring holds it to something that a linkage moves, or a spring
/// to anything. In every step all bodies that contacts and joints join to a tied one leave the pile
/// and move in islands of rows, with their contacts and joints as attachments.

#include "constraints/models.h"
#include "islands/ensemble.h"
#include "models/linkage/model.h"
#include "models/rigid/blocks.h"
#include "models/rigid/model.h"

namespace sinew {

/// One end of a spring that holds a body.
struct SpringEnd {
    std::optional<std::uint32_t> body = {}; ///< of the pile
    Site site = {};                         ///< the body's, a linkage's; else the ground
    Vec3 point = {0, 0, 0};                 ///< in the site's frame
    ObjectId object = {};                   ///< on the ground: where it is at the moment
};

struct BodySpring {
    std::uint32_t spring = 0; ///< in Scene::point_springs
    SpringEnd a, b;
};

/// A body that carries a linkage, and its frame there: one and the same.
struct CarriedFrame {
    std::uint32_t body = 0; ///< of the pile
    Site site = {};         ///< of the linkage
    Pose in_object = {};    ///< the body's centre and axes in the frame of its object
};

/// What does not change.
struct Coupling {
    std::vector<Site> carrier; ///< by body: of the linkage that moves it; else the ground
    std::vector<BodySpring> springs = {};
    std::vector<CarriedFrame> frames = {};
    std::vector<std::uint32_t> on_rods = {}; ///< bodies that constraints of rods hold
    bool has_obstacles = false;              ///< some that linkages carry
    bool is_used = false;

    bool is_carried(std::uint32_t body) const { return carrier[body].block != kGround; }
};

/// What contacts and joints of a body act on: itself, or the linkage that moves it.
inline Site site_of(const Coupling& coupling, std::uint32_t body)
{
    return coupling.is_carried(body) ? coupling.carrier[body] : Site{.block = {kBodies, body}};
}

/// A contact with a body, its b, that a linkage carries acts on the linkage. A surface that moves
/// by itself stays ground.
void hand_to_carrier(const Coupling& coupling, std::uint32_t body, Attachment& contact);

Coupling make_coupling(const Scene& scene, const LinkageModel& linkages, const RigidModel& rigid);

/// Bodies that joints and springs tie to something, as things are now. `soft`, as
/// Coupling::springs: those that the pile takes as forces.
void find_tied(const Coupling& coupling, const Pile& pile, const PileState& state,
               std::span<const char> soft, std::vector<std::uint32_t>& tied);

/// What the rows of a step are made from.
struct CouplingInput {
    const Coupling& coupling;
    const Pile& pile;
    std::span<const char> taken; ///< by body: those that move by rows
    double h = 0;
    double time = 0; ///< when the step begins
};

/// Contacts and joints of the taken bodies as attachments, and the forces they had in the step
/// before into `held`.
void add_contacts(const CouplingInput& input, const PileState& state,
                  std::vector<Attachment>& attachments, std::vector<HeldForce>& held);
void add_joints(const CouplingInput& input, const PileState& state,
                std::vector<Attachment>& attachments);

/// Holds the frames of bodies that carry linkages to these bodies.
void add_frames(const Coupling& coupling, std::vector<Attachment>& attachments);

/// A contact whose b is a surface that moves by itself through `place`, where a's site is `gap`
/// away at `time`: the ground, moving so.
void stand_on_surface(const Vec3& velocity, double time, const Vec3& place, double gap,
                      const Vec3& site_a, Attachment& contact);

/// Springs as Coupling::springs, with numbers and grounds as they are where the step ends. One
/// without stiffness and damping does nothing.
void make_springs(const Coupling& coupling, const Scene& scene, const Posture& posture,
                  const std::vector<Affine>& objects, std::vector<Attachment>& springs);

/// Which springs, as Coupling::springs, are so soft beside a step that a body which touches others
/// may stay in the pile and feel them as forces: no row then joins the pile to an island.
void find_soft(const Coupling& coupling, const Pile& pile, const PileState& state,
               std::span<const Attachment> springs, double h, std::vector<char>& soft);

/// Springs that hold a body which rows move are soft no longer: their bodies become `tied`. True
/// where there were any.
bool harden_springs(const Coupling& coupling, std::span<const char> taken, std::vector<char>& soft,
                    std::vector<std::uint32_t>& tied);

/// What springs do to bodies, as forces.
void add_pulls(std::span<const Attachment> springs, const PileState& state,
               std::vector<BodyForce>& forces);

/// Energy [J] that the springs of bodies hold: ½ k (|x_a − x_b| − L)².
double spring_energy(const Coupling& coupling, const Scene& scene, const Posture& posture,
                     const std::vector<Affine>& objects);

/// What the rows found, back into the pile's state: impulses of contacts, forces of joints, which
/// of them broke. Returns how many did. Forces of contacts leave `held`: the pile's state has them.
int keep_forces(const CouplingInput& input, std::span<const Attachment> attachments,
                PileState& state, std::vector<HeldForce>& held);

} // namespace sinew
