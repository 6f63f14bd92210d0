#pragma once

#include "models/linkage/equations/plan.h"
#include "models/linkage/integrator.h"
#include "sinew/world.h"
#include "solve/rows/rows.h"

#include <memory>
#include <optional>
#include <vector>

namespace sinew {

class Kinematics;
struct LinkageStage;

/// A force from outside.
struct SiteForce {
    Site site;
    Vec3 force = {0, 0, 0}; ///< [N]
    ActingForce::Kind kind = ActingForce::Kind::hand;
};

/// A coordinate between two stops, as rows see it.
struct CoordinateStop {
    Site site; ///< of the coordinate itself
    double low = 0, high = 0, bounce = 0;
};

/// A coordinate with dry friction.
struct CoordinateGrip {
    Site site;               ///< of the coordinate itself
    std::uint32_t value = 0; ///< of its linkage: the most that friction holds
};

/// All linkages of a scene; each is a block. Constant while stepping.
class LinkageModel final : public Dynamics {
public:
    /// Requires a validated scene that outlives the model, and a function for each import. With
    /// problems() there is nothing to advance.
    LinkageModel(const Scene& scene, const std::vector<ImportFunction>& imports);
    const Problems& problems() const { return problems_; }

    /// Positions and rates as the script gives them, places on paths nearest to their points.
    ModelState initial_state() const;

    /// Moves a start onto the constraints; what moved how far, and what cannot be met.
    Problems assemble(Trial& trial) const;

    /// Values of all coordinates of the scene at `time`, also of those that move nothing.
    void read_coordinates(const ModelState& state, double time, std::span<double> coordinates,
                          std::span<double> rates) const;

    /// The other way round; places on paths stay as they are.
    void write_coordinates(std::span<const double> coordinates, std::span<const double> rates,
                           ModelState& state) const;

    /// Places on paths become those nearest to their points, for coordinates of the whole scene.
    void write_places(std::span<const double> coordinates, double time, ModelState& state) const;

    /// Sets the constant turns of a frame that a body carries (scene/carried.h). Not while
    /// stepping.
    void turn_frame(ObjectId object, const std::array<double, 3>& angles);

    Energy energy(Trial& trial, double time) const;
    Momentum momentum(Trial& trial, double time) const;

    /// Largest error of a constraint [m].
    double residual(Trial& trial, double time) const;

    /// Everything that pushes and pulls, `outside` included; errors of the script's constraints,
    /// distances first, into `residuals` [m].
    std::vector<ActingForce> forces(Trial& trial, double time,
                                    std::span<const SiteForce> outside) const;
    void read_residuals(Trial& trial, double time, std::span<double> residuals) const;

    /// The force of each constraint of the script on its first end, in the same order [N].
    void read_tie_forces(Trial& trial, double time, std::span<const SiteForce> outside,
                         std::span<Vec3> forces) const;

    /// Mass of the linkage a site is on [kg].
    double mass_of(const Site& site) const;

    /// Where rows may hold a mass or label; none when it is in no linkage.
    std::optional<Site> find_site(ObjectId object, std::uint32_t model) const;
    bool has_axes(const Site& site) const; ///< whether a site can be turned, not only pushed

    /// Stops and friction, for the steps in which others hold the linkage. A site of a coordinate q
    /// is the point (q, 0, 0): what pushes it along x is a force on the coordinate.
    std::vector<CoordinateStop> stops(std::uint32_t model) const;
    std::vector<CoordinateGrip> grips(std::uint32_t model) const;
    double most_of(const CoordinateGrip& grip, double time, const Trial& trial) const;

    /// Whether linkages see by themselves when an event comes.
    bool notices(std::uint32_t event) const;

    /// What follows from events that others have noticed, at this time.
    void carry_out(std::span<const NoticedEvent> events, double time, Trial& trial,
                   BlockReport& report) const;

    std::span<const BlockShape> blocks() const noexcept override { return shapes_; }
    bool finishes_steps() const noexcept override;
    void finish_step(const Cohort&, double time, Trial&,
                     std::span<BlockReport>) const noexcept override;
    std::unique_ptr<Scratch> make_scratch() const override;
    void locate(const Trial&, double time, std::span<const Site>,
                std::span<SiteMotion>) const noexcept override;
    void begin_stage(const Cohort&, const Stage&, Trial&) const noexcept override;
    void predict(const Cohort&, const RowSet&, const Stage&, Trial&) const noexcept override;
    void respond(const Cohort&, const RowSet&, const Trial&, Responses&) const noexcept override;
    void correct(const Cohort&, const RowSet&, const Stage&, Part, Trial&) const noexcept override;
    void measure(const Cohort&, const RowSet&, const Stage&, const Trial&,
                 std::span<BlockReport>) const noexcept override;
    void advance_alone(const Cohort&, double t0, double t1, Trial&,
                       std::span<BlockReport>) const noexcept override;

private:
    LinkageStage& stage_of(const Trial& trial, std::size_t block) const;
    void look(LinkageStage& stage, double time, const Trial& trial, std::size_t block) const;
    void update_residual(LinkageStage& stage, const Cohort& cohort, const Member& member,
                         const RowSet& rows, std::span<const double> impulse, double theta,
                         const Trial& trial) const;
    void free_coordinates(LinkageStage& stage, double time, Trial& trial, std::size_t block) const;
    void begin_given(const Stage& now, LinkageStage& stage) const;
    void project_stage(LinkageStage& stage, double time, Trial& trial, std::size_t block) const;
    void stabilise_where_needed();
    void find_imports_of_state();
    LinkageState view_of(ModelState& state, std::size_t block) const;
    void begin_memory(const Kinematics& kinematics, const LinkagePlan& plan,
                      std::span<double> memory) const;
    Vec3 first_direction(const Kinematics& kinematics, const LinkagePlan& plan,
                         const PlannedTie& tie) const;

    const Scene* scene_;
    const std::vector<ImportFunction>* imports_;
    std::vector<LinkagePlan> plans_;
    std::vector<LinkageMatrices> matrices_;
    std::vector<BlockShape> shapes_;
    Problems problems_;
};

} // namespace sinew
