#pragma once

#include "models/rigid/contacts/patch.h"
#include "models/rigid/islands/pile_sweeps.h"
#include "models/rigid/joints/jointed_factor.h"
#include "models/rigid/joints/joints.h"
#include "solve/linear/sparse/block_cholesky.h"

#include <memory>
#include <span>
#include <vector>

namespace sinew {

/// How the matrices of an island are factored: functions of its links and joints.
struct IslandPlan {
    std::vector<BlockCholesky::Link> links = {};
    BlockCholesky cholesky = {};
    JointedFactor masses = {}, stiff = {}; ///< where there are joints: M, and H
};

/// Plans of islands by their first bodies: whichever solver has the island finds what another made.
struct IslandPlans {
    std::vector<std::unique_ptr<IslandPlan>> of_first; ///< as many as there are bodies

    IslandPlan& operator[](std::uint32_t first)
    {
        if (!of_first[first])
            of_first[first] = std::make_unique<IslandPlan>();
        return *of_first[first];
    }
};

/// Solves the contact laws of one island: sweeps over patches, then Newton over bodies. Rows of
/// joints that always hold are unknowns of the factor: they hold to rounding, at any mass ratio.
///
/// On exit v = v_free + M⁻¹ Jᵀ λ always holds: momentum is exact whatever the residual.
class IslandSolver {
public:
    struct Settings {
        double tolerance = 2e-5;         ///< [m/s]
        double step = 0.01;              ///< h [s]
        double speed = 0.0981;           ///< |g| h [m/s]
        Vec3 gravity_change = {0, 0, 0}; ///< of a free body's velocity in the step
        int sweeps = 2, rounds = 4, newton = 8;
        double penalty = 1e3;
        int threads = 1; ///< at most; the same bits for any number
    };

    /// The bodies it works on: all of them, whatever the island.
    void set_bodies(const Pile& pile, const std::vector<BodyState>& poses,
                    std::span<const Quat> turned, IslandPlans& plans, std::vector<SolverBody>& all);

    std::span<const std::uint32_t> members; ///< the island's free bodies
    std::vector<Patch*> patches;
    std::vector<JointRows*> joints;
    std::span<const BlockCholesky::Link> near; ///< members that may come to touch

    /// Solves and returns the residual [m/s]; `mood` goes on to the next step.
    double solve(const Settings& settings, SolverMood& mood);

    /// The same from the impulses it left, where joints ask for other velocities.
    double solve_again(const Settings& settings, SolverMood& mood);

    /// Takes the present velocities for those before any impulse, and notes how points approach.
    /// solve() does so itself.
    void begin(const Settings& settings);

    /// After a solve: true where a point is to bounce: it closed faster than what presses the two
    /// brings in so many steps.
    bool has_impact(double times);

    /// Impacts from the velocities before any impulse, one set of closing patches after the other:
    /// each patch leaves with e times its approach speed, never with more energy than it came with.
    /// What is left then is solved for once more as it were without bounce.
    void reflect(double times);
    bool was_hit(std::size_t member) const { return is_hit_[member] != 0; }

    double residual() const;
    /// The pair that is farthest beyond what it may be off by [m/s]; no error where none is.
    WorstPair worst(double for_joints, double for_contacts) const;
    int sweep_count = 0, factor_count = 0, solve_count = 0;

private:
    void start();
    void note_approach();
    void sweep(bool is_backward);
    void polish(int sweeps);
    void accelerate(int sweeps);
    void remember_step();
    bool is_too_dense();
    bool is_masonry() const;
    bool is_large_pile() const;
    double solve_pile();
    bool may_go_direct(SolverMood& mood);
    double go_direct(SolverMood& mood);
    bool try_rounds(double& best_residual);
    bool run_newton();
    void presume_rest();
    void note_stall(double residual, SolverMood& mood);

    // --- Newton
    struct Model;
    Model model_of(const Patch& p, double (*S)[6]) const;
    void add_drive_gradient(const JointRows& rows);
    void add_drive_stiffness(const JointRows& rows);
    Matrix6& mass_block(std::uint32_t node, Matrix6& M) const;
    void add_body_block(std::uint32_t node, const Matrix6& S);
    void add_link_block(std::uint32_t a, std::uint32_t b, const Matrix6& S);
    void solve_step();
    void lag_drives();
    void set_centre();
    double stiffness_of(const JointRow& row, const JointRows& rows) const;
    double joint_impulse(const JointRow& row, const JointRows& rows) const;
    bool may_gain_energy() const;
    bool has_gained() const;
    bool has_exploded() const;
    void forget();
    void forget_impulses();
    void note_energy();
    double improve(SolverMood& mood);
    void lag_bounds();
    double update_gradient();
    bool refactor();
    void move(double share);
    double search_along(double slope, double defect, double goal);
    void take_impulses();

    double mass_of(std::size_t member) const
    {
        return pile_->bodies[members[member]].mass + body(members[member]).extra_mass;
    }
    Vec3 change_by_gravity(std::uint32_t i) const ///< of a body's velocity in the step
    {
        const Body& model = pile_->bodies[i];
        return model.is_free() ? settings_.gravity_change * model.gravity : Vec3{0, 0, 0};
    }
    /// Of its velocity in the step without contacts and joints.
    Vec3 change_in_step(std::uint32_t i) const
    {
        return pile_->bodies[i].is_free() ? free_[node_[i]].v - (*poses_)[i].v : Vec3{0, 0, 0};
    }
    SolverBody& body(std::uint32_t i) { return (*all_)[i]; }
    const SolverBody& body(std::uint32_t i) const { return (*all_)[i]; }

    // --- impacts
    struct Impact {
        Patch* patch = nullptr;
        std::array<double, 4> target = {}; ///< velocities to leave with
        std::array<double, 4> push = {};   ///< impulses of this set
        unsigned points = 0;               ///< bits: those that close
    };
    void find_touching();
    double least_approach(const Patch& p, double times) const;
    double first_impact(double times) const;
    bool find_impacts(double times);
    double relax_impact(Impact& impact);
    void solve_impacts();
    void limit_energy(double before);
    void leave_apart();

    // --- joints that hold exactly
    void number_members();
    void find_held();
    void hold_joints();
    bool factor_masses();
    void set_held_rows(JointedFactor& factor);
    double held_errors(std::vector<double>& errors) const;
    std::size_t held_row_count() const;
    /// All rows that always hold, with their places one behind the other.
    template <class Function>
    void for_each_held(Function&& function) const
    {
        std::size_t at = 0;
        for (const std::size_t j : held_joints_)
            for (std::size_t k = 0; k < joints[j]->equal_count; ++k)
                function(*joints[j], joints[j]->row[k], at++);
    }

    // --- impulses as one vector
    void pack(std::vector<double>& x) const;
    void unpack(const std::vector<double>& x, bool is_projected);
    void rebuild();
    void apply_all();
    double kinetic_energy() const;
    void set_inertia();

    struct Velocity {
        Vec3 v, w;
    };
    void remember(std::vector<Velocity>& velocities) const;
    void recall(const std::vector<Velocity>& velocities);

    static constexpr std::uint32_t kFixed = 0xffffffff;

    const Pile* pile_ = nullptr;
    const std::vector<BodyState>* poses_ = nullptr;
    std::span<const Quat> turned_; ///< orientations at which impulses act
    std::vector<SolverBody>* all_ = nullptr;
    Settings settings_;
    double penalty_ = 1e3;
    std::vector<Velocity> free_, centre_; ///< of the members: without contacts; where Newton began
    std::vector<Mat3> inertia_;           ///< of the members, world axes
    double energy_before_ = 0;
    std::vector<std::uint32_t> node_; ///< of all bodies: which member; none for others
    std::vector<BlockCholesky::Link> links_;
    IslandPlans* plans_ = nullptr;
    BlockCholesky* cholesky_ = nullptr;
    JointedFactor *masses_ = nullptr, *stiff_ = nullptr;      ///< the latter: none without joints
    std::vector<JointedFactor::Joint> held_;                  ///< joints with rows that always hold
    std::vector<std::size_t> held_joints_;                    ///< which of `joints` these are
    std::vector<double> multiplier_, held_step_, held_error_; ///< of their rows
    bool are_masses_factored_ = false;
    std::vector<Impact> impacts_;
    std::vector<unsigned> touching_; ///< of the patches, bits: points that meet in this step
    std::vector<char> is_hit_;       ///< of the members
    std::vector<Velocity> before_impact_;
    std::vector<std::array<double, 4>> approach_; ///< of the patches
    std::vector<Row6> right_, step_;
    std::vector<double> best_, x_, swept_, f_, last_f_, last_swept_, next_;
    std::vector<std::vector<double>> steps_, images_;
    PileSweeps pile_sweeps_;
    bool is_factored_ = false;
    bool presumes_rest_ = false; ///< within presume_rest()
    std::uint64_t active_ = 0;   ///< which points and frictions are in force, hashed
};

} // namespace sinew
