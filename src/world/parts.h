#pragma once

#include "constraints/coordinate_rows.h"
#include "constraints/coupling.h"
#include "constraints/reeving.h"
#include "constraints/rod_links.h"
#include "constraints/strand_rows.h"
#include "contacts/rod_contacts.h"
#include "contacts/strand_contacts.h"
#include "contacts/strand_pairs.h"
#include "islands/rows/redundant.h"
#include "islands/step.h"
#include "models/linkage/model.h"
#include "models/linkage/paper/model.h"
#include "models/rigid/model.h"
#include "models/strand/air.h"
#include "models/strand/model.h"
#include "plugins/joined_models.h"
#include "scene/formula.h"
#include "scene/objects/bodies.h"
#include "scene/objects/carried.h"
#include "scene/placement.h"
#include "sinew/world.h"
#include "world/state.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace sinew {

struct EyeLegs;

/// What a World is made of.
struct World::Parts {
    /// What is left of an advance that was stopped: the same steps go on.
    struct Way {
        struct Piece { ///< of a step
            double until = 0;
            int halvings = 0;
        };
        double begin = 0, until = 0;    ///< [s] of the whole advance
        double count = 0, done = 0;     ///< steps
        std::vector<Piece> pieces = {}; ///< of the step under way; the next is the last
        StepReport report = {};
        bool is_open = false;

        double time_at(double i) const
        {
            return i < count ? begin + (until - begin) * (i / count) : until;
        }
    };

    Scene scene;
    std::vector<ImportFunction> imports;
    std::vector<ObjectId> frame_order;
    std::vector<ObjectId> moving_order; ///< of these, objects that may be elsewhere another time
    std::vector<Affine> still_places;   ///< of all others; none until they are found
    CarriedScene carried;               ///< where bodies carry linkages: the scene as these see it
    std::vector<ImportFunction> linkage_imports; ///< likewise
    std::unique_ptr<LinkageModel> linkages;
    std::unique_ptr<const CoordinateRows> coordinate_rows; ///< where coordinates have stops
    std::vector<std::uint32_t> noticed;  ///< events that the world notices, in Scene::events
    std::unique_ptr<CharliModel> charli; ///< moves the linkages instead, where the script says so
    Ensemble ensemble;
    State state;
    State begin_state; ///< of the step's start, to go back to
    Workspace work;
    Way way;
    std::uint64_t mechanism = 0; ///< fingerprint of all but how long is simulated and seen
    std::vector<double> coordinates, rates; ///< of the script, then those of carried frames
    Trial look;                             ///< of the linkages, to look at energy and constraints
    Problems notes;
    std::vector<Grab> grabs;       ///< what hands hold, bodies and others
    std::vector<Site> grips;       ///< of the grabs that hold no body, in their order
    std::vector<Attachment> hands; ///< of these

    RigidModel rigid;
    PileInput bodies_now; ///< of this step
    const Pile& pile() const { return bodies_now.pile; }
    std::shared_ptr<PileWork> pile_work = make_pile_work();
    Coupling coupling;
    std::unique_ptr<RigidBlocks> blocks; ///< where bodies are tied to linkages

    JoinedModels joined; ///< models that were given to the world

    StrandModel strands;
    StrandModel::Work strand_work;
    StrandCoupling strand_coupling;
    std::unique_ptr<StrandModel::Rows> strand_rows; ///< where strands are held or touch
    /// A body with the trees that can be eliminated into it.
    struct Mount {
        std::uint32_t body = 0;
        std::vector<StrandRider> riders = {};
        std::vector<double> masses = {}; ///< of these, in this step [kg]
        BodyState begin = {}, end = {};  ///< of this step; the end as it is guessed, then as it is
        bool is_led = false;             ///< something stands on it so in this step
    };
    std::vector<Mount> mounts;
    std::vector<char> can_lead;          ///< by tree: those of the mounts; empty: none
    std::vector<BodyRiders> body_riders; ///< of this step, of bodies in the pile
    std::vector<BodyRiders> row_riders;  ///< of this step, of bodies that rows move
    std::vector<BodyState> ahead_bodies; ///< room
    struct LentRows {
        bool are_blocks = false; ///< whether the bodies' are lent too
        bool was_coupled = false;
        Scheme scheme = {};
    };
    std::optional<LentRows> lent; ///< rows of strands that only a hand needs
    std::vector<Ease> eases;      ///< as ConstraintState::strand_eases, in this step
    StrandContacts strand_contacts;
    StrandSearch strand_search;           ///< room
    std::vector<char> taken_strands;      ///< by tree: those that move by rows
    StrandModel::Touches lone_touches;    ///< of this step, of trees that need no rows for them
    std::vector<StrandTouch> lone;        ///< the same
    std::vector<StrandTouch> row_touches; ///< of this step, of trees that rows move
    StrandPairs strand_pairs;
    /// Strands that touch each other in this step and need no rows for it.
    struct Mutual {
        std::vector<StrandPair> pairs = {};
        std::vector<std::array<std::size_t, 2>> points = {}; ///< of each pair, in `lone`
        std::vector<StrandPiece> begin = {};                 ///< of all segments
        std::vector<char> is_left = {};                      ///< by tree: touches no other
    } mutual;
    std::vector<StrandPair> row_pairs;       ///< those that need them
    std::vector<StrandSegment> rod_partners; ///< segments that rods may touch
    struct Rods {
        std::unique_ptr<const rod::RodDynamics> model;
        rod::RodInput input = {};               ///< of this step
        double shortest = 0;                    ///< rest length [m]
        std::vector<RodLink> links = {};        ///< as Scene::rod_constraints
        std::vector<char> is_running = {};      ///< as Scene::rods: a chain that runs through eyes
        std::vector<EyeSpan> eyes = {};         ///< of this step
        std::vector<double> drawn_lengths = {}; ///< as Scene::rods: as they lie at the start [m]
        std::vector<ReevedWheel> reeved = {};   ///< as Scene::rod_constraints: wheels at the start
        RodContacts contacts = {};
        std::shared_ptr<RodContacts::Room> room = RodContacts::make_room();
        std::vector<strand::AirFlow> flows = {}; ///< as Scene::airs
        std::vector<std::uint32_t> pushed = {};  ///< as Scene::forces: at which RodSite; or kNone
        RodEases eases = {};
        std::vector<double> squares = {}; ///< room: of forces, as Scene::rod_constraints
    } rods;
    std::vector<std::uint32_t> tracked; ///< transformations by tracks and formulas of time
    double left_deep = 0;     ///< strands that rows moved, after all looks: depth by radius
    double row_gap = 0;       ///< largest error that rows left in this step [m]
    EnsembleState rows_begin; ///< the same with what rows need, where strands may step again
    PileState pile_ahead;     ///< bodies where the step ends: room
    ModelState again_strands; ///< of those that take the step again: room

    /// What is known at an instant, and where everything is.
    struct Instant {
        std::vector<double> values;
        std::vector<PlacedObject> placed;
        std::vector<Affine> objects;
        std::vector<std::uint32_t> marks; ///< room, as is what follows
        StrandModel::Nodes nodes;
    };
    Instant at_begin, at_end;     ///< of a step of the strands
    Instant rods_begin, rods_end; ///< of a step of the rods
    Instant at_events;            ///< when events are looked for
    /// Of a step of the bodies: room.
    struct BodyRoom {
        Instant at;
        std::vector<double> ahead; ///< coordinates
        std::vector<std::uint32_t> tied;
        std::vector<char> taken; ///< by body
        std::vector<Attachment> of_strands, of_rods, of_joined;
        std::vector<HeldForce> held;
        std::vector<BodyForce> forces;
        std::vector<Attachment> springs; ///< as Coupling::springs
        std::vector<char> soft;          ///< the same: those that the pile takes as forces
        std::vector<Attachment> pulls;   ///< of these
        std::vector<double> loads;       ///< of the contacts, before the step
    } body_room;

    /// All but the objects.
    Posture posture(double time, Instant& at) const
    {
        at.values.clear();
        for (const ImportFunction& import : imports)
            at.values.push_back(import({time, coordinates, rates}).value);
        rigid.place(state.pile, at.placed);
        if (has_rods())
            place_rod_sites(at.placed);
        joined.place_objects(state, 0, at.placed);
        place_sites(time, at);
        return {.time = time,
                .coordinates = coordinates,
                .imports = at.values,
                .placed = at.placed,
                .rates = rates};
    }
    /// The same, what moves by steps being where it is in `now`.
    Posture posture_to(double time, const Instant& now, Instant& at) const
    {
        if (!imports.empty() || has_strands())
            return posture(time, at);
        at.placed = now.placed;
        return {.time = time,
                .coordinates = coordinates,
                .imports = at.values,
                .placed = at.placed,
                .rates = rates};
    }
    Posture posture(double time, std::vector<double>& values,
                    std::vector<PlacedObject>& placed) const
    {
        Instant at;
        posture(time, at);
        values = std::move(at.values);
        placed = std::move(at.placed);
        return {.time = time,
                .coordinates = coordinates,
                .imports = values,
                .placed = placed,
                .rates = rates};
    }

    bool has_carriers() const { return !carried.carriers.empty(); }
    const Scene& scene_of_linkages() const { return has_carriers() ? carried.scene : scene; }
    void make_linkages();
    std::vector<BodyMotion> carried_motions() const; ///< as the linkages at the start have them
    void share_masses();
    void place_carried_frames(); ///< where the bodies are that carry them

    bool has_bodies() const { return !rigid.is_empty(); }
    Problems make_bodies(std::span<const BodyMotion> given);
    Problems couple_bodies();
    void make_blocks();
    Problems tie_joined();
    JoinedModelsInput joined_input(double until, std::span<const Affine> objects,
                                   std::span<const Affine> objects_then) const;
    double count_steps(double span) const;
    void tell_many_steps();
    bool check_tracks(double until, StepReport& report) const;
    void step_to(double until, StepReport& report);
    void go_back();
    void forget_work();
    static Result<World> make_world(const Scene& scene, const WorldOptions& options);
    void begin_way(double until);
    void take_steps(StepReport& report);
    void take_pieces(StepReport& report);
    void take_step(double until, StepReport& report);
    /// What rows move in a step.
    struct RowStep {
        std::span<const char> bodies; ///< by body; empty: none
    };
    void keep_begin();
    void place_objects_at_begin();
    RowStep lay_rows(double until, StepReport& report);
    void advance_rows(double begin, double until, const RowStep& rows, StepReport& report);
    void advance_pile(double begin, double until, const RowStep& rows, StepReport& report);
    void advance_lanes(double begin, double until, StepReport& report);
    void release_constraints(StepReport& report);
    /// What formulas ask for besides places, with room for it.
    struct Measured {
        std::vector<TouchForce> touches = {};
        std::vector<Vec3> held = {};
        std::vector<SectionForce> sections = {};
        std::vector<double> coordinates_before = {}, coordinates_after = {};
        Frame before = {}, after = {};
        std::array<std::vector<ConstraintReading>, kConstraintLists> constraints = {};
        Measurements all = {};
    };
    void make_events();
    void notice_events(StepReport& report);
    std::vector<TouchForce> touches_of_step(const StepReport& report) const;
    void step_linkages(double until, StepReport& report);
    void measure_conditions(const StepReport& report, Measured& measured) const;
    std::vector<std::size_t> due_events(const Measurements& measured);
    bool look_at_events(const Measurements& measured, std::vector<NoticedEvent>& found);
    void measure(std::span<const Value> values, Measured& out) const;
    void read_constraints(std::span<const bool> wanted, Measured& out) const;
    void read_ties(std::span<const Affine> objects, std::vector<ConstraintReading>& distances,
                   std::vector<ConstraintReading>& paths) const;
    void read_springs(const Posture& now, std::span<const Affine> objects, const Measured& measured,
                      std::vector<ConstraintReading>& springs) const;
    void read_joints(std::vector<ConstraintReading>& joints) const;
    Vec3 way_of_joint(std::size_t j) const;
    Vec3 way_between(ObjectId a, ObjectId b, PathId path, const Posture& now,
                     std::span<const Affine> objects) const;
    void read_held_strands(const Posture& now, const std::vector<Affine>& objects,
                           std::vector<ConstraintReading>& held) const;
    void read_held_rods(const Posture& now, const std::vector<Affine>& objects,
                        std::vector<ConstraintReading>& held) const;
    struct HandForces {
        std::vector<SiteForce> on_linkages = {};
        std::vector<ActingForce> on_others = {};
    };
    HandForces hand_forces(Trial& trial) const;
    std::vector<SiteForce> forces_on_linkages(Trial& trial) const;
    std::vector<ActingForce> forces_now() const;
    Energy energy_now() const;
    std::vector<Contact> contacts_now() const;
    void read_event_times();
    void step_to_rest(double until, StepReport& report);
    void sum_rod_forces();
    std::vector<char> find_broken() const;
    bool has_strands() const { return !strands.is_empty(); }
    Problems make_strands();
    void place_sites(double time, Instant& at) const;
    Posture update_instant(double time, Instant& at) const; ///< with the objects
    void find_still_objects();
    Problems couple_strands();
    void free_bases(std::span<const Affine> objects);
    void mount_riders();
    bool can_be_led(const StrandRider& rider) const;
    bool is_led(std::uint32_t tree) const
    {
        return !can_lead.empty() && can_lead[tree] && !taken_strands[tree];
    }
    void hold_riders(std::vector<Attachment>& attachments, std::vector<std::uint32_t>& tied);
    void weigh_riders(double begin, double until, const RowStep& rows);
    void guess_mount(double h, Mount& mount);
    BodyRiders sum_riders(const Mount& mount, double h);
    void lead_riders(double begin, double until);
    void settle_riders(double begin, double until, const StepReport& report);
    void settle_mount(double h, Mount& mount);
    Wrench taken_by(const Mount& mount, std::size_t rider, double h) const;
    Vec3 root_in_body(const StrandRider& rider) const;
    Wrench demand_of(const StrandRider& rider, const Mount& mount, double h) const;
    Wrench push_of_touches(std::uint32_t tree, const Mount& mount, bool& is_foreign) const;
    void make_stiff(const StrandRider& rider, const Mount& mount, BodyRiders& sum);
    PoseMotion carrier_motion(const StrandEnd& carrier, const Pose& frame) const;
    void open_strand_rows();
    void lend_strand_rows();
    void take_back_strand_rows();
    /// Whether a model is the world's own: it is there, and not for a grab alone.
    bool is_own(std::uint32_t model) const
    {
        const bool is_lent = lent && (model == kStrands || model == kTargets ||
                                      (model == kBodies && lent->are_blocks));
        return ensemble.models[model] != &no_model() && !is_lent;
    }
    std::vector<std::uint32_t> own_models() const
    {
        std::vector<std::uint32_t> models;
        for (std::uint32_t m = 0; m < ensemble.models.size(); ++m)
            if (is_own(m))
                models.push_back(m);
        return models;
    }
    std::vector<std::uint32_t> first_curve; ///< by object: of its strands, in Scene::strands
    void index_curves();
    std::optional<std::uint32_t> find_curve(const Grab& grab) const; ///< in Scene::strands
    std::optional<StrandModel::Spot> find_strand_spot(const Grab& grab) const;
    std::optional<std::uint32_t> find_tree(ObjectId object) const;
    ActingForce hand_on_strand(const Grab& grab, AttachmentKey key) const;

    /// Rows of strands in the step to `until`, and the bodies they tie.
    void take_strands(std::span<const Affine> before, const Posture& then,
                      const std::vector<Affine>& objects, std::vector<Attachment>& attachments,
                      std::vector<std::uint32_t>& tied);
    void prepare_strands(std::span<const Affine> before, const Posture& then,
                         std::span<const Affine> objects);
    void return_strands(double until);
    void ease_in(std::vector<Attachment>& attachments);
    bool is_above(std::uint32_t constraint) const;
    EaseState measure_ease(const Attachment& attachment, EaseState before);
    void add_strand_forces(std::vector<ActingForce>& forces) const;
    void add_strand_loads(const std::vector<Affine>& objects,
                          std::span<ConstraintLoad> loads) const;
    std::vector<StrandTouch> touches_now() const;
    void add_touches(std::span<const StrandTouch> touches, double h,
                     std::vector<Attachment>& attachments, std::vector<std::uint32_t>& tied);
    StrandContactInput contacts_at_start(const std::vector<Affine>& objects, const ModelState& at,
                                         double h) const;
    void settle_on_obstacles(const std::vector<Affine>& objects);
    double relax_strands(const std::vector<Affine>& objects, double h,
                         std::span<const char> is_left);
    void find_strands_inside(const std::vector<Affine>& objects);
    void split_touches(std::vector<StrandTouch>& touches, double h);
    void set_lone_touches(double h, std::span<const BodyState> ends);
    void count_lone_touches();
    void sort_lone_touches();
    void step_deep_strands(const StrandSurroundings& step, StrandReport& done);
    void take_planes(const StrandSurroundings& step, std::span<const char> is_left);
    void keep_lone_touches();
    void split_pairs(std::vector<char>& in_rows);
    void add_mutual_touches();
    void step_mutual(const StrandSurroundings& step, StrandReport& done);
    double meet_again(const StrandSurroundings& step, int pass);
    bool may_be_deep() const;
    void look_ahead(double h, double until, std::span<const char> taken);
    struct Deep {
        std::vector<BlockId> trees = {};
        double most = 0; ///< depth by radius
    };
    Deep take_deep_touches(double begin, double until, std::span<const char> taken);
    void see_at_end(StrandTouch touch, std::size_t known, double until);
    double step_deep_rows(double begin, double until, std::span<const char> taken,
                          StepReport& report);
    void add_touches_of_strands(const StrandSurroundings& around,
                                std::vector<Attachment>& attachments);
    std::vector<Affine> objects_at(double time) const;
    Frame extrapolated(double h) const;
    void step_strands(double begin, double until, StepReport& report);
    void add_report(const StrandReport& done, StepReport& report) const;

    /// Steps to the next of these times, as many as strands can go on their own: 0 where they
    /// depend on others, or cannot.
    int run_strands(std::span<const double> times, StepReport& report);
    void add_report(const CouplingReport& step, StepReport& report) const;

    bool has_rods() const { return rods.model != nullptr; }
    std::optional<std::uint32_t> find_rod(ObjectId object) const;
    std::vector<std::uint32_t> find_rod_bodies() const;
    Problems make_rods();
    Problems make_links();
    HeldEnd make_held_end(ObjectId object, const BodyMap& map) const;
    SiteMotion locate_site(const Site& site) const;
    void set_wheel(std::size_t i, RodLink& link, RodLinkState& link_state) const;
    void drive_winch(const RodConstraint& c, const RodInstant& begin, const RodInstant& end,
                     const RodLinkInput& input, RodLink& link) const;
    Quat turn_of(const HeldEnd& end) const;
    Vec3 place_of(const HeldEnd& end) const;
    void update_curve(const RodConstraint& constraint, const std::vector<Affine>& objects,
                      RodLink& link) const;
    /// Their rows and loads for a step; or what of these is no finite number.
    std::optional<Problem> prepare_rods(double until);
    std::optional<Problem> load_rods(Posture then, const std::vector<Affine>& objects_now,
                                     const std::vector<Affine>& objects_then, double h);
    Problem rod_input_not_finite(Origin origin, const char* what) const;
    static void add_rod_force(const rod::Plan& plan, double u, const Vec3& force,
                              rod::Loads& loads);
    void finish_rods(double gap, StepReport& report);
    RodContactInput rod_contact_input(double h, std::span<const StrandPiece> near = {}) const;
    std::vector<StrandPiece> strands_near_rods(std::span<const Affine> objects) const;
    bool may_rods_touch_bodies() const;
    void take_rods(double h, std::span<const Affine> before, std::vector<Attachment>& attachments,
                   std::vector<std::uint32_t>& tied) const;
    std::vector<RodTouch> rod_touches_now() const;  ///< those that pushed in the last step
    ObjectId other_of(const RodTouch& touch) const; ///< what the rod touches
    void set_way(const RodLink& link, RodLinkInput& input) const;
    void turn_to_angles(Ensemble at_rest, const rod::RodInput& input, EnsembleState& still);
    bool is_held_elsewhere(const Attachment& made) const;
    /// Rows of the constraints of rods between two instants; keeps in the links what these point
    /// to.
    std::optional<Problem> add_link_rows(const RodInstant& begin, const RodInstant& end,
                                         double from, double until, std::vector<RodLink>& links,
                                         std::vector<Attachment>& attachments) const;
    std::optional<Problem> add_link_rows_now(std::vector<RodLink>& links,
                                             std::vector<Attachment>& attachments) const;
    Problems reeve_rod(std::size_t rod, std::span<const Affine> objects, rod::Drawing& drawing);
    double expected_tension(std::size_t rod, std::span<const Affine> objects) const;
    bool runs_through_eyes(std::size_t rod, std::span<const Affine> objects) const;
    EyePass make_pass(std::uint32_t owner) const;
    double margin_of(std::uint32_t owner, double from, double until) const;
    void find_eye_spans(double from, double until);
    void store_on_drums(double from, double until, EyeSpan& span) const;
    std::vector<SiteMotion> locate_eyes(const EyeSpan& eyes, double time) const;
    std::optional<Vec3> find_beyond(const EyeSpan& eyes, std::size_t end) const;
    void freeze_legs(double h, std::span<const SiteMotion> motion, EyeSpan& eyes) const;
    void add_eye_rows(double from, double until, std::vector<Attachment>& attachments);
    static void set_marks(std::span<const SiteMotion> motion, EyePath& path);
    void add_rows_of(const EyeSpan& eyes, std::vector<Attachment>& attachments) const;
    Attachment make_eye_row(const EyeSpan& eyes, Attachment::Kind kind) const;
    void add_carried_rows(const EyeSpan& eyes, const EyeLegs& legs,
                          std::vector<Attachment>& attachments) const;
    void finish_eyes();
    void wind_drums(const EyeLegs& legs, EyeSpan& eyes);
    std::vector<double> leg_tensions(const EyeSpan& eyes) const;
    void add_eye_load(const EyeSpan& eyes, std::size_t i, std::span<const SiteMotion> motion,
                      const EyeLegs& legs);
    void pass_nodes(const EyeSpan& eyes, std::span<const SiteMotion> motion, const EyeLegs& legs);
    static double speed_past(const EyeSpan& eyes, std::span<const SiteMotion> motion,
                             const EyeLegs& legs, std::size_t own, double share);
    void carry_nodes(const EyeSpan& eyes, std::span<const SiteMotion> motion, const EyeLegs& legs);
    void make_rod_eases();
    bool is_closing(std::size_t constraint, double time) const;
    void ease_rods(std::vector<Attachment>& attachments);
    EaseState measure_rod_ease(const Attachment& made, EaseState before) const;
    void add_rod_forces(std::vector<ActingForce>& forces) const;
    void add_link_forces(std::vector<ActingForce>& forces) const;
    /// What a group of a constraint's rows pushes both its ends with.
    struct LinkLoad {
        std::size_t constraint = 0;
        std::array<ConstraintLoad, 2> on = {};
    };
    std::vector<LinkLoad> link_loads_now() const;
    void add_rod_loads(std::span<const Affine> objects, std::span<ConstraintLoad> loads) const;
    bool has_left(std::size_t constraint) const;
    bool is_beyond(std::size_t constraint) const;
    double kept_share() const; ///< of a rod's length: what a constraint may be off by
    void tell_unkept(StepReport& report);
    void place_rod_sites(std::vector<PlacedObject>& placed) const;
    void add_rods_to_frame(Frame& frame) const;
    std::vector<SectionForce> sections_of_rod(std::uint32_t rod) const;
    void add_rod_sections(Frame& frame) const;
    std::vector<SectionForce> sections_by_object() const;
    Energy energy_of_rods() const;
    Momentum momentum_of_rods() const;
    double energy_of_springs() const; ///< of bodies [J]
    Problems assemble_rods();
    std::vector<char> find_loose_beads() const;
    void thread_beads(std::span<const char> is_loose);
    void hold_eyes(std::span<const char> is_loose, bool with_beads);
    void tell_overlaps();
    RowSet rows_of(Attachment made) const;
    double gap_of(const Attachment& made) const;
    void tell_redundant(Problems& problems) const;
    void add_weights(const Site& site, const Wrench& unit, const Trial& trial,
                     SparseRow& row) const;
    std::optional<std::size_t> constraint_of(const Attachment& made) const;
    double rod_length_of(const Attachment& made) const;
    std::string name_of(const RodConstraint& constraint) const;

    /// Which bodies move by rows in the step to `until`: tied ones, and what these touch. Their
    /// rows are ready then. Without ties none, and an empty list.
    std::span<const char> take_bodies(double until, std::span<const Affine> before);
    void add_hands(std::span<const char> taken); ///< on bodies that move by rows
    void return_bodies(double h, std::span<const char> taken, StepReport& report);
    void step_bodies(double begin, double until, std::span<const char> taken, StepReport& report);

    void read_coordinates()
    {
        if (charli)
            charli->read_coordinates(state.models[0], coordinates, rates);
        else
            linkages->read_coordinates(state.models[0], state.time, coordinates, rates);
        read_event_times();
    }

    /// The linkages as they are now, with scratch of their own.
    Trial linkages_now() const
    {
        Trial trial;
        trial.state = look.state;
        trial.scratch = linkages->make_scratch();
        copy_linkages(trial.state);
        return trial;
    }
    /// The same into scratch that stays: while nobody else looks.
    Trial& look_at_linkages()
    {
        copy_linkages(look.state);
        return look;
    }
    void copy_linkages(ModelState& to) const
    {
        if (charli) {
            linkages->write_coordinates(coordinates, rates, to);
            linkages->write_places(coordinates, state.time, to);
        } else {
            to = state.models[0];
        }
    }
};

} // namespace sinew
