#pragma once

/// The physical models that were given to a world, among its others: their numbers, the rows of
/// their ties and contacts in a step, what people ask about them.

#include "constraints/ends.h"
#include "contacts/capsule_contacts.h"
#include "contacts/strand_pairs.h"
#include "models/rigid/model.h"
#include "models/rod/dynamics.h"
#include "models/strand/model.h"
#include "plugins/physical_model.h"
#include "scene/placement.h"

#include <memory>
#include <vector>

namespace sinew {

/// The rest of a world, as ties and contacts see it where a step begins.
struct JoinedModelsInput {
    const Scene& scene;
    const Ensemble& ensemble;
    const EnsembleState& state;
    const StrandModel& strands;
    const ModelState& strand_state;
    const rod::RodDynamics* rods; ///< null: none
    const Pile& pile;
    const PileState& bodies;
    const Coupling& coupling;
    double until = 0;                     ///< [s]
    std::span<const Affine> objects;      ///< where the step begins
    std::span<const Affine> objects_then; ///< where they are expected when it ends
};

/// What joins the models to others in a step.
struct JoinedModelsRows {
    std::vector<Attachment> attachments;
    std::vector<std::uint32_t> bodies; ///< free ones that these hold or touch
};

class JoinedModels {
public:
    bool is_empty() const { return models_.empty(); }

    /// Takes the models in: behind all others of the ensemble.
    void join(std::vector<std::shared_ptr<const PhysicalModel>> models, Ensemble& ensemble,
              EnsembleState& state);

    /// Finds what the ties hold to, and what must not touch. Problems where something cannot be
    /// held. Once, when all other models are there.
    Problems tie(const EndInput& ends, const JoinedModelsInput& start);

    void prepare(const JoinedModelsInput& step, std::span<Trial> trials) const;
    JoinedModelsRows find_rows(const JoinedModelsInput& step) const;

    /// The name of a block; none: it is of another model.
    std::optional<std::string> name_of(BlockId block) const;

    /// Objects that ride on the models, `h` seconds after the state along its velocities.
    void place_objects(const EnsembleState& state, double h,
                       std::vector<PlacedObject>& placed) const;
    void add_energy(const JoinedModelsInput& now, Energy& energy) const;
    void add_momentum(const EnsembleState& state, Momentum& momentum) const;

private:
    struct Tie {
        ModelTie tie;
        StrandEnd end;     ///< of what it holds to; its frame: where the site is held
        double length = 0; ///< [m]
        bool is_ground = false;
        Pose in_object = {}; ///< the same, of the ground: in the object's frame
    };
    Vec3 gravity_of(const JoinedModelsInput& step) const;
    SiteMotion locate(const EnsembleState& state, const Site& site) const;
    std::vector<ContactCapsule> capsules_of(const JoinedModelsInput& step, std::size_t& own) const;
    template <class Use>
    auto with_contacts(const JoinedModelsInput& step, Use use) const;
    Attachment make_rows(const JoinedModelsInput& step, const Tie& tie, std::size_t number) const;

    std::uint32_t first_ = 0; ///< number of the first
    std::vector<std::shared_ptr<const PhysicalModel>> models_;
    std::vector<Tie> ties_;
    CapsuleContacts contacts_;
    std::vector<StrandSegment> segments_;         ///< of strands: all that touch
    std::vector<std::vector<SurfaceFeel>> spans_; ///< by rod and span
};

} // namespace sinew
