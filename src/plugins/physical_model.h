#pragma once

/// What a model brings to take part in a world: blocks that rows touch (Dynamics), surfaces that
/// touch, ties to objects of the scene, and what people ask about it.
///
/// A model is constant while stepping and may be shared by worlds on several threads. All of it
/// that changes is in its ModelState, which the world packs, hashes, copies and restores; what
/// holds for one step alone goes through prepare() into the scratch of its trial.
///
///   world calls              | when
///   -------------------------|-----------------------------------------------------------------
///   start                    | once, when the world is created
///   ties                     | once; each gets its rows in every step from then on
///   prepare                  | at the beginning of every step, before the rows
///   add_surfaces             | at the beginning of every step: contacts are found between these,
///                            | shapes of bodies, segments of strands, spans of rods
///   Dynamics                 | in the stages of the step: solve/rows/rows.h
///   riders                   | once: where these objects are is asked of locate()
///   energy, momentum, name_of | when someone asks

#include "contacts/capsules.h"
#include "sinew/scene.h"
#include "sinew/world.h"
#include "solve/rows/rows.h"

#include <string>

namespace sinew {

/// Holds a site of a model to an object of the scene: a body or something fixed to it, a mass or
/// label of a linkage, a point of a strand or rod, something that tracks move; or to the world,
/// objects[0]. In the ties that a model returns `site` is its own: the world fills in its number.
struct ModelTie {
    enum class Law : std::uint8_t {
        position, ///< the site stays where it is at the start, as seen from the object
        fusion,   ///< and does not turn against it
        distance, ///< the site stays `length` away from the object's origin
        spring    ///< k (d − length) + c ḋ between the two
    };

    Law law = Law::position;
    Site site = {};
    ObjectId object = {};
    std::optional<double> length = {}; ///< [m]; none: as at the start
    double stiffness = 0;              ///< [N/m]
    double damping = 0;                ///< [N s/m]
};

/// An object of the scene that rides on a site of a model: its frame is the site's.
struct ModelRider {
    ObjectId object = {};
    Site site = {}; ///< the world fills in the model's number
};

/// What a model may look at when a step begins.
struct ModelStepInput {
    const Scene& scene;
    double begin = 0, end = 0;            ///< [s]
    Vec3 gravity = {0, 0, 0};             ///< where the step ends [m/s²]
    std::span<const Affine> objects;      ///< as Scene::objects, where the step begins
    std::span<const Affine> objects_then; ///< where they are expected when it ends
};

class PhysicalModel : public Dynamics {
public:
    /// What messages call the model, and its blocks.
    virtual std::string name() const = 0;
    virtual std::string name_of(std::uint32_t /*block*/) const { return name(); }

    virtual ModelState start() const = 0;

    virtual std::span<const ModelTie> ties() const { return {}; }

    /// What acts in this step, into the trial's scratch. The trial's state is not yet that of the
    /// step.
    virtual void prepare(const ModelStepInput&, Trial&) const noexcept {}

    /// Appends what may touch, always the same capsules in the same order. The world fills in the
    /// model's number in their sites.
    virtual void add_surfaces(const ModelState&, std::vector<ContactCapsule>&) const {}

    /// Nothing else may move these objects; what has them as its frame follows.
    virtual std::span<const ModelRider> riders() const { return {}; }

    virtual Energy energy(const ModelState&, const Vec3& gravity) const = 0;
    virtual Momentum momentum(const ModelState&) const = 0;
};

} // namespace sinew
