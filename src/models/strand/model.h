#pragma once

#include "base/parallel.h"
#include "models/strand/air.h"
#include "models/strand/bases/bases.h"
#include "models/strand/continuum.h"
#include "models/strand/lanes/batch.h"
#include "models/strand/plan.h"
#include "models/strand/rows/dynamics.h"
#include "models/strand/statics.h"
#include "scene/objects/strand_section.h"
#include "scene/objects/strands.h"
#include "scene/placement.h"
#include "sinew/scene.h"
#include "sinew/world.h"
#include "solve/rows/rows.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

/// Where things are around the strands, at the two ends of a step.
struct StrandSurroundings {
    const Scene& scene;
    std::span<const Affine> now, then; ///< as Scene::objects
    Posture posture;                   ///< at the end
    double begin = 0, end = 0;         ///< [s]
};

/// What a step of all strands did.
struct StrandReport {
    int steps = 0, stages = 0, solves = 0, halvings = 0, worst = 0;
    bool is_converged = true;
    double open = 0; ///< largest gap or depth of points that push [m]
    std::optional<std::uint32_t> fault_tree = {};

    /// And what some of them did when they took the step again.
    StrandReport& operator+=(const StrandReport& again);
};

/// The strands of a scene as trees of segments. Constant while stepping; the state is
///
///   x       4 per segment: its turn (x, y, z, w), world; behind them a length [m] per segment of
///           trees whose lengths move; behind these turn and place [m] of free bases
///   v       3 per segment: its rate [rad/s], its own axes; behind them the lengths' speeds [m/s];
///           behind these rates [rad/s], own axes, and velocities [m/s] of free bases
///   memory  6 per segment: the rates' rates of the last two stages; 16 per riding tree; 1 per
///           tree: for how many steps it still takes the exact matrix
class StrandModel {
public:
    StrandModel() = default;

    /// Requires a validated scene; `objects`: where they are at the start.
    StrandModel(const Scene& scene, std::span<const Affine> objects, int threads);

    bool is_empty() const { return trees_.empty(); }
    std::size_t segment_count() const { return segment_count_; }

    /// True when a step must know where objects are: trees ride on them, or something blows.
    bool needs_objects() const { return riding_count_ > 0 || needs_objects_; }

    ModelState initial_state(const Scene& scene, int threads = 1) const;

    /// From now on the base of a tree is an unknown: rows hold it, or nothing does. Moves the tree
    /// as one with its base, which moves so. Before the first step; trees ascending.
    void free_base(std::uint32_t tree, const PoseMotion& base, ModelState& state);
    bool has_free_bases() const { return base_count_ > 0; }
    bool has_free_base(std::uint32_t tree) const { return trees_[tree].has_free_base; }
    PoseMotion free_base_of(std::uint32_t tree, const ModelState& state) const;

    /// Whether rows could free the base of a tree: it rides on what moves by itself, as it is.
    bool can_free_base(std::uint32_t tree) const;

    /// Rest shapes of trees that are to hang as they are drawn. Problems where that cannot be,
    /// notes where it is not stable.
    Problems hang_as_drawn(const Scene& scene, std::span<const Affine> objects, int threads);

    /// Puts every tree into the static equilibrium that it falls into from its pose.
    Problems settle(const StrandSurroundings& around, ModelState& state);

    /// Makes trees move with their bases as rigid wholes, as they do at the start.
    void move_with_bases(const Scene& scene, ModelState& state) const;

    /// Where the joints of a tree's segments are, and how fast they move.
    struct Nodes {
        std::vector<Vec3> joint, tip, joint_velocity, tip_velocity;
    };

    /// What a thread needs to step batches.
    struct Room {
        strand::Storage lanes; ///< what its cache shall keep
        std::vector<double> numbers;
        std::vector<strand::RiderTouch> touches; ///< of directed trees, as the world has them
        Nodes nodes;
    };

    /// Room for steps: no state, a fresh one gives the same bits.
    struct Work {
        std::vector<Room> rooms; ///< one a thread
        std::vector<strand::StepOutcome> outcomes;
        std::vector<strand::Rider> riders;
        std::vector<strand::Ridden> ridden;
        ModelState next;
        std::vector<strand::BasesInStep> steps;
        std::vector<strand::StepOutcome> sums; ///< of several steps
        std::vector<strand::Surrounding> neighbours;
        std::vector<char> idle;           ///< by tree: taken by rows, or frozen
        std::vector<int> solves;          ///< by tree, of the last step with contacts
        std::vector<std::uint32_t> order; ///< of trees in batches

        /// Of trees that pull at what they stand on in this step.
        struct Pulls {
            std::vector<char> is_led = {};               ///< by tree; empty: none
            std::vector<strand::RiderPull> of_tree = {}; ///< by tree
            std::vector<double> guess = {};              ///< as memory, from the step as tried
            bool is_trial = false;                       ///< the step is tried, and leaves no trace
        } pulls = {};
    };

    /// Where trees touch what moves by itself: those of tree i are first[i] to first[i + 1].
    struct Touches {
        std::vector<strand::RiderTouch> points = {};
        std::vector<std::size_t> first = {}; ///< empty: none at all
        std::vector<char> is_jolted = {};    ///< by tree

        std::span<strand::RiderTouch> of(std::uint32_t tree)
        {
            return first.empty()
                       ? std::span<strand::RiderTouch>()
                       : std::span(points).subspan(first[tree], first[tree + 1] - first[tree]);
        }
    };

    /// Whether trees can touch so. Others need rows.
    bool can_touch_alone(const Scene& scene) const;

    /// With a fault the state is that before the step.
    /// `taken`: by tree, those that rows have moved already; none: no tree.
    StrandReport step(const StrandSurroundings& around, int threads, std::span<const char> taken,
                      Touches& touches, ModelState& state, Work& work);

    /// From now on the base of a tree goes as a leader does. Before the first step.
    void follow(std::uint32_t tree, std::uint32_t leader, const Pose& on_leader)
    {
        bases_.follow(tree, leader, on_leader);
    }
    void lead(std::uint32_t leader, double t0, double t1, const PoseMotion& from,
              const PoseMotion& to)
    {
        bases_.lead(leader, t0, t1, from, to);
    }

    /// Tries a step of the trees that work.pulls.is_led has, on bases that go as their leaders
    /// would: what they demand of them is in work.pulls, and what the step itself begins its
    /// searches with.
    void try_pulls(const StrandSurroundings& around, int threads, Touches& touches,
                   ModelState& state, Work& work);

    /// Whether a tree can be eliminated into what it stands on: one root, lengths that stay.
    bool can_be_led(std::uint32_t tree) const;

    /// The base of a tree that was led, where it is now.
    void place_base(std::uint32_t tree, const PoseMotion& base, ModelState& state) const;

    /// Sixteen numbers of a riding tree that survive a step.
    std::span<double> history_of(std::uint32_t tree, ModelState& state) const;

    /// From the base's origin to the joint of its root, in the base's frame.
    Vec3 root_of(std::uint32_t tree) const { return trees_[tree].segments.front().offset; }

    /// Of all nodes [kg].
    double whole_mass_of(std::uint32_t tree) const;

    /// Whether nothing but its base and gravity acts on a tree, contacts apart.
    bool is_unloaded(std::uint32_t tree) const
    {
        const Tree& own = trees_[tree];
        return !own.has_loads && !own.has_drag && own.gusts.empty() && !own.is_timed;
    }

    /// One step towards rest: from rest, on bases that stand still, with contacts; it ends at rest.
    /// `is_left`: by tree, those that stay as they are.
    StrandReport relax(const StrandSurroundings& around, int threads, std::span<const char> is_left,
                       Touches& touches, ModelState& state, Work& work);

    /// Largest angle between the segments of two states [rad].
    double largest_turn(const ModelState& a, const ModelState& b) const;

    /// The trees as blocks that rows can touch, block i tree i; x and v lie as in the state.
    struct Rows {
        strand::Bases bases;
        std::vector<strand::AirFlow> flows;
        std::unique_ptr<strand::StrandDynamics> dynamics;
        std::vector<strand::Surrounding> neighbours = {};
    };
    std::unique_ptr<Rows> make_rows() const;

    /// Loads, bases and numbers of the taken trees for a step. around.then: nearly where things
    /// will be.
    void prepare_rows(const StrandSurroundings& around, const ModelState& state,
                      std::span<const char> taken, Rows& rows) const;
    ModelState state_in_rows(const ModelState& state) const;
    void take_from_rows(const ModelState& in_rows, std::span<const char> taken,
                        ModelState& state) const;

    /// From the worlds of directed trees, taken or others, back into the true one at a step's end.
    void turn_back(const strand::Bases& bases, double time, std::span<const char> taken,
                   bool is_taken, ModelState& state) const;

    /// A place on a tree, as rows name it.
    struct Spot {
        std::uint32_t tree = 0, segment = 0;
        double fraction = 0; ///< of the segment: 0 at its joint
    };
    /// What a segment is joined to, and how it is turned there at rest.
    struct Joint {
        int parent = -1; ///< −1: the base
        Quat rest = {};
    };
    Joint joint_before(std::uint32_t tree, std::uint32_t segment) const
    {
        const strand::SegmentData& s = trees_[tree].segments[segment];
        return {s.parent, s.rest};
    }

    /// How a segment is turned, in the world.
    Quat turn_of(const ModelState& state, std::uint32_t tree, std::uint32_t segment) const
    {
        return turn_at(state, trees_[tree].first + segment);
    }

    /// A joint that is bent nearly as far as it may, in a step that begins then.
    struct BentJoint {
        std::uint32_t tree = 0, segment = 0, parent = 0;
        Quat turn = {}, parent_turn = {};
        Vec3 axis = {0, 0, 0};      ///< about which it is bent, unit length
        double angle = 0, most = 0; ///< [rad]
    };
    void find_bent(double time, double h, const ModelState& state,
                   std::vector<BentJoint>& found) const;

    /// Whether a tree's base carries it as it is, in a step that begins then.
    bool is_frozen(const Scene& scene, std::uint32_t tree, double time) const;

    /// Whether springs draw a tree to a pose: such a tree always moves by rows.
    bool is_posed(std::uint32_t tree) const { return !trees_[tree].poses.empty(); }
    Spot spot_of(const StrandSite& site) const;

    /// What turns as a curve does there: some tips have a segment of their own for it. [eq. 32]
    Spot turning_with(const Spot& spot) const;
    bool is_hub(const Spot& spot) const;
    std::size_t tree_count() const { return trees_.size(); }
    double mass_of(std::uint32_t tree) const;

    /// How the bases of all trees move; `objects`: where these are then.
    void base_motions(const Scene& scene, const ModelState& state, std::span<const Affine> objects,
                      double time, std::vector<PoseMotion>& motions) const;

    /// Those of a tree whose base moves so at a time.
    void place_nodes(const Scene& scene, double time, const ModelState& state, std::uint32_t tree,
                     const PoseMotion& base, Nodes& nodes) const;

    /// All of the trees that are not left becomes what it is in another state.
    void take_trees(const ModelState& from, std::span<const char> is_left, ModelState& to) const;

    /// A segment as something to touch.
    struct Touchable {
        int parent = -1;       ///< within its tree; −1: clamped to the base
        bool follows = false;  ///< begins at its parent's tip
        std::size_t index = 0; ///< among all segments
        double length = 0, radius = 0, friction = 0, sliding = 0, bounce = 0;
        bool touches = true;
    };
    std::vector<Touchable> touchables(std::uint32_t tree, double time) const;

    /// Whether its segments may have other lengths than when the scene began.
    bool has_other_lengths(std::uint32_t tree) const
    {
        return trees_[tree].is_stretched || trees_[tree].is_elastic;
    }

    /// True when a tree's steps between two times depend on nothing but itself.
    bool can_run(const Scene& scene, double begin, double end) const;

    /// Several steps from one time to the next, each batch all of them in a row: the same bits as
    /// step by step. With a fault the state is that before the first. Requires can_run.
    StrandReport run(const Scene& scene, std::span<const double> times, int threads,
                     ModelState& state, Work& work);

    /// Places of the sites on trees of this depth: 0 for those that ride on no strand.
    void place_sites(const Scene& scene, const ModelState& state, std::span<const Affine> objects,
                     double time, int depth, Nodes& room, std::vector<PlacedObject>& placed) const;
    int depth() const { return depth_; }

    /// Nodes and segments as they are seen, as Frame has them.
    void add_to_frame(const Scene& scene, const ModelState& state, int threads, Frame& frame) const;

    /// How a tree's base moves; of one that rides only its pose is known here.
    PoseMotion base_motion(const Scene& scene, const ModelState& state, std::uint32_t tree,
                           std::span<const Affine> objects, double time) const;

    Energy energy(const Scene& scene, const ModelState& state, std::span<const Affine> objects,
                  double time, int threads) const;
    Momentum momentum(const Scene& scene, const ModelState& state, std::span<const Affine> objects,
                      double time) const;

    /// The object of a tree, for messages.
    ObjectId object_of(std::uint32_t tree) const { return trees_[tree].object; }

private:
    struct Curve {
        std::uint32_t tree = 0;
        int first = 0, count = 0; ///< segments, within the tree
        int hub = -1; ///< the segment without mass that turns as the tip does; −1: none
        std::vector<std::uint32_t> fields = {}, flows = {}; ///< that push it, node by node
        std::uint32_t continuum = StrandCurve::kNone;       ///< in Scene::airs
        double viscosity = 0;                               ///< of it [1/s]
    };
    struct Tree {
        ObjectId object;
        int depth = 0;                          ///< how many strands it rides on, one on the other
        double scale = 1;                       ///< of its frame at the start
        std::size_t first = 0;                  ///< segment, among all
        std::vector<std::uint32_t> curves = {}; ///< ascending
        Vec3 spin = {0, 0, 0};                  ///< at the start
        bool hangs_as_drawn = false;
        Value blend = {1}, freeze = {0};
        std::vector<std::uint32_t> gusts = {}; ///< flows that its kernel blows with
        std::vector<std::uint32_t> poses = {}; ///< in Scene::strand_poses
        std::vector<strand::SegmentData> segments = {};
        std::vector<Quat> drawn = {};         ///< of each segment in its parent's frame
        std::vector<double> node_masses = {}; ///< at the tips: half of what meets there
        std::vector<double> lengths = {};     ///< of the segments, as drawn [m]
        std::vector<double> arcs = {};        ///< of the curve's pieces that these stand for [m]
        std::vector<double> slack = {};       ///< length at rest by that as drawn; none: 1
        bool is_stretched = false;            ///< its segments have other lengths
        bool is_elastic = false;              ///< they move under load
        std::size_t first_length = 0;         ///< how many of other trees before it move
        bool has_free_base = false;
        std::size_t first_base = 0; ///< how many trees before it have a free base
        std::uint32_t shape = 0;
        strand::Units units = {};
        bool is_timed = false, has_drag = false, has_loads = false;
    };
    struct Batch {
        std::uint32_t shape = 0;
        std::vector<std::uint32_t> trees = {};
        std::size_t first_rider = 0;
        std::uint32_t params = 0; ///< among those of all batches
        strand::Storage loads = {};
        std::vector<std::uint32_t> flows = {}; ///< of the gusts
        std::vector<double> strengths = {};    ///< of each flow for each tree
        std::vector<strand::Gust> gusts = {};
        bool has_drag = false, has_loads = false, is_timed = false;
        bool is_uniform = false; ///< its trees are alike
    };

    void make_sections(const Scene& scene, std::span<const StrandShape> shapes, int threads);
    void make_trees(const Scene& scene, const std::vector<std::vector<std::uint32_t>>& curves,
                    std::span<const StrandShape> shapes, std::span<const Affine> objects,
                    int threads);
    void build_tree(const Scene& scene, const StrandTree* wish, std::uint32_t number,
                    std::span<const StrandShape> shapes, std::span<const Affine> objects);
    void add_curve(const Scene& scene, std::uint32_t tree_number, std::uint32_t number,
                   const StrandShape& shape, std::vector<Quat>& turns, Tree& tree);
    void put_initial(const Scene& scene, std::uint32_t tree, ModelState& state) const;
    void number_trees(std::span<const std::optional<strand::TreeShape>> shapes);
    void build_batches(int threads);
    void build_params(int threads);
    void regroup(std::span<const char> idle, Touches& touches, Work& work);
    static bool can_swap(const Batch& a, const Batch& b);
    static void find_params(const Tree& tree, std::vector<double>& numbers);
    void add_hub(std::uint32_t number, std::vector<Quat>& turns, Tree& tree);
    void update_segments(const Scene& scene, double time, Tree& tree) const;
    void update_hub(const Scene& scene, double time, std::uint32_t curve, Tree& tree) const;
    Vec3 seat_compliance(double time, std::uint32_t curve, const Tree& tree) const;
    strand::StillLoads still_loads(const Scene& scene, std::uint32_t tree,
                                   std::span<const Affine> objects) const;
    std::vector<Quat> turns_of(const Tree& tree, const ModelState& state) const;
    void slacken(const Scene& scene, const strand::StillLoads& loads, std::span<const Quat> turns,
                 Tree& tree) const;
    void update_params(const Scene& scene, double time, Batch& batch, Room& room);
    void find_pushes(const Scene& scene);
    void find_neighbours(const StrandSurroundings& around, const ModelState& state, int threads,
                         std::vector<strand::Surrounding>& found) const;
    void add_neighbours(std::uint32_t tree, std::span<const strand::Surrounding> neighbours,
                        double h, std::span<const Vec3> axes, std::span<double> numbers) const;
    const Tree& at(const Scene& scene, const Tree& tree, double time, Tree& room) const;
    std::size_t length_index(const Tree& tree) const
    {
        return 4 * segment_count_ + tree.first_length;
    }
    std::size_t speed_index(const Tree& tree) const
    {
        return 3 * segment_count_ + tree.first_length;
    }
    std::size_t base_index(const Tree& tree) const
    {
        return 4 * segment_count_ + length_count_ +
               strand::StrandDynamics::kBaseNumbers * tree.first_base;
    }
    std::size_t base_rate_index(const Tree& tree) const
    {
        return 3 * segment_count_ + length_count_ +
               strand::StrandDynamics::kBaseRates * tree.first_base;
    }
    /// Lengths of a tree's segments and their speeds; null where they do not move.
    struct Growth {
        const double *lengths = nullptr, *speeds = nullptr;
    };
    Growth growth_of(const Tree& tree, const ModelState& state) const
    {
        return tree.is_elastic ? Growth{&state.x[length_index(tree)], &state.v[speed_index(tree)]}
                               : Growth{};
    }
    std::vector<double> shown_turns(const Scene& scene, const Tree& tree, const ModelState& state,
                                    const Quat& base, double time) const;
    std::vector<double> shown_lengths(const Scene& scene, const Tree& tree, const ModelState& state,
                                      double time) const;
    Growth shown_growth(const Tree& tree, const ModelState& state,
                        const std::vector<double>& lengths) const;
    PoseMotion seen_base(const Scene& scene, const ModelState& state, std::uint32_t tree,
                         std::span<const Affine> objects, double time) const;
    static double blend_at(const Scene& scene, const Tree& tree, double time);
    void carry_frozen(const StrandSurroundings& around, std::uint32_t tree, const ModelState& state,
                      ModelState& next) const;
    void take_gusts(Tree& tree);
    void update_gusts(Batch& batch) const;
    void update_loads(const StrandSurroundings& around, const ModelState& state,
                      std::span<const strand::Surrounding> neighbours, Batch& batch,
                      Room& room) const;
    void add_loads(const StrandSurroundings& around, const ModelState& state, std::uint32_t tree,
                   std::span<const strand::AirFlow> flows,
                   std::span<const strand::Surrounding> neighbours, Nodes& nodes,
                   std::span<double> numbers) const;
    void add_loads_at(const Scene& scene, const Tree& tree, std::span<const Vec3> places,
                      Posture posture, std::span<const Affine> objects,
                      std::span<const strand::AirFlow> flows, std::span<double> numbers) const;
    struct Outside {
        Vec3 acceleration = {0, 0, 0}, air = {0, 0, 0};
    };
    Outside outside_at(const Scene& scene, const Curve& curve, const Posture& posture,
                       std::span<const Affine> objects,
                       std::span<const strand::AirFlow> flows) const;
    void add_point_forces(const Scene& scene, std::uint32_t tree, const Posture& posture,
                          std::span<const Affine> objects, std::span<double> numbers) const;
    void set_pull(const StrandSurroundings& around, std::uint32_t tree, Rows& rows) const;
    strand::Effort trial_effort() const;
    void set_row_loads(const StrandSurroundings& around, const ModelState& state,
                       std::uint32_t tree, Rows& rows) const;
    static void add_force(const Tree& tree, int segment, double fraction, const Vec3& force,
                          std::span<double> numbers);
    static void scale_loads(const strand::Units& units, std::span<double> numbers);
    void begin(bool is_ida, int threads, const ModelState& state, Work& work) const;
    StrandReport report_of(std::span<const strand::StepOutcome> outcomes, bool is_ida) const;
    template <class Use>
    void for_each_batch(int threads, Work& work, Use&& use);
    void step_batch(const StrandSurroundings& around, const strand::BaseSource& bases,
                    ModelState& state, std::size_t batch, std::span<const char> taken,
                    Touches& touches, Work& work, Room& room);
    static void turn_touches(const strand::BaseSource& bases, std::uint32_t tree, double begin,
                             double end, std::span<strand::RiderTouch> touches,
                             std::vector<strand::RiderTouch>& before);
    static const strand::RiderTouch* turn_touches_back(const strand::BaseSource& bases,
                                                       std::uint32_t tree, double end,
                                                       const strand::RiderTouch* before,
                                                       std::span<strand::RiderTouch> touches);
    void run_batch(const Scene& scene, std::span<const double> times, ModelState& state,
                   std::size_t batch, Work& work, Room& room);
    class AnyTime; ///< a tree at any time of a step
    void step_with_ida(const StrandSurroundings& around, ModelState& state, std::uint32_t tree,
                       Work& work) const;
    std::size_t first_pause() const
    {
        return 6 * segment_count_ + riding_count_ * strand::Ridden::kNumbers;
    }
    static Quat turn_at(const ModelState& state, std::size_t segment)
    {
        const double* q = &state.x[4 * segment];
        return {q[0], q[1], q[2], q[3]};
    }
    static Vec3 rate_at(const ModelState& state, std::size_t segment)
    {
        const double* w = &state.v[3 * segment];
        return {w[0], w[1], w[2]};
    }

    void find_nodes(const Tree& tree, const ModelState& state, const PoseMotion& base,
                    Nodes& nodes) const
    {
        find_nodes(tree, &state.x[4 * tree.first], &state.v[3 * tree.first], growth_of(tree, state),
                   base, nodes);
    }
    static void find_nodes(const Tree& tree, const double* turns, const double* rates,
                           const Growth& growth, const PoseMotion& base, Nodes& nodes);
    /// Calls use(begin, end) for portions of the trees, the same ones for any number of threads.
    template <class Use>
    void for_each_portion(int threads, Use&& use) const
    {
        constexpr std::size_t kPortion = 16;
        for_each_index((trees_.size() + kPortion - 1) / kPortion, threads, [&](std::size_t i) {
            use(static_cast<std::uint32_t>(i * kPortion),
                static_cast<std::uint32_t>(std::min(trees_.size(), (i + 1) * kPortion)));
        });
    }
    Momentum momentum_of_tree(const Tree& tree, const ModelState& state, const Nodes& nodes) const;
    Energy energy_of_tree(const Tree& tree, const ModelState& state, const PoseMotion& base,
                          const Vec3& gravity, const Nodes& nodes) const;
    static double energy_of_joint(const strand::SegmentData& segment, const Quat& before,
                                  const Quat& turn);
    static void add_energy_of_length(const strand::SegmentData& segment, double length,
                                     double speed, const Vec3& rate, Energy& sum);
    /// How a tree hangs as it is drawn.
    enum class Hanging : std::uint8_t { stable, unstable, impossible };
    Hanging hang_tree(const Scene& scene, std::uint32_t tree, std::span<const Affine> objects,
                      const ModelState& drawn);
    void stop_tree(const Tree& tree, ModelState& state) const;
    void copy_tree(const Tree& tree, const ModelState& from, ModelState& to) const;
    /// Where a tree's numbers begin in rows, `each` for a segment and `of_base` for a free base.
    std::size_t first_in_rows(const Tree& tree, std::size_t each, std::size_t of_base) const
    {
        return each * tree.first + tree.first_length + of_base * tree.first_base;
    }

    std::vector<Tree> trees_;
    std::vector<Curve> curves_; ///< as Scene::strands
    std::vector<StrandSite> sites_;
    std::vector<char> asked_tips_;         ///< by curve: a branch turns with its tip
    std::vector<StrandSections> sections_; ///< as Scene::strands
    std::vector<strand::TreeShape> shapes_;
    std::vector<Batch> batches_;
    std::vector<strand::Storage> params_; ///< of batches; some share theirs
    std::vector<strand::AirFlow> flows_;
    strand::Bases bases_;
    strand::Effort effort_;
    const strand::Kernel* kernel_ = nullptr;
    std::size_t segment_count_ = 0, riding_count_ = 0, length_count_ = 0, base_count_ = 0;
    bool has_loads_ = false, needs_objects_ = false, has_continuum_ = false, can_freeze_ = false;
    int depth_ = 0;
};

} // namespace sinew
