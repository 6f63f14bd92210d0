#pragma once

/// Sweeps over a large pile, as many as it needs, with a nonlinear conjugate gradient between them
/// [Silcowitz10]. Balls have rows of their own: their arms lie along the normal and their inertia
/// is the same about every axis, so that normal and friction do not couple and no frame is needed.
///
///   symbol | code          | unit | meaning
///   -------|---------------|------|----------------------------------------------------------
///   λ, f   | lambda, f     | N s  | impulse along the normal; friction, world axes
///   K, G   | 1/normal, 1/slip | 1/kg | response along the normal; across it
///   r      | arm_a, arm_b  | m    | from the centres to the contact, along n
///
/// A pile is cut into slabs of equally many bodies across its longest side, as many as its contacts
/// are worth whatever the threads. Contacts within slabs are swept side by side, then those between
/// a slab with an even number and the next, then the others: the same bits for any threads.

#include "models/rigid/contacts/patch.h"

#include <span>
#include <vector>

namespace sinew {

class PileSweeps {
public:
    /// Takes the patches over and applies their impulses; they are written back by `finish`.
    void start(std::span<Patch* const> patches, std::span<const BodyState> poses,
               std::vector<SolverBody>& bodies, int threads);

    /// As if there had been no impulses; velocities are the caller's.
    void forget();

    /// Sweeps until the largest change of a relative velocity in one is below `goal` [m/s], at
    /// least `least` and at most `most` times; ends when it is below `rest`. Returns how many.
    int solve(double rest, double goal, int least, int most);

    int sweep_plainly(int times);

    /// How far it is from the contacts' laws [m/s].
    double residual() const;

    void finish();

    std::size_t ball_count() const { return balls_.size(); }

private:
    struct Ball {
        std::uint32_t a = 0, b = 0;
        Vec3 n, f;
        double arm_a = 0, arm_b = 0;     ///< along n
        double light_a = 0, light_b = 0; ///< 1/m
        double turn_a = 0, turn_b = 0;   ///< arm / I
        double lambda = 0, bias = 0, mu = 0;
        double normal = 0, slip = 0; ///< inverse responses
    };
    using Numbers = std::array<double, 7>; ///< of a patch: four points, two of friction, twist
    struct Step {
        double lambda = 0;
        Vec3 f = {0, 0, 0};
    };

    /// Contacts of which no other group of the same stage touches a body.
    struct Group {
        std::size_t first_ball = 0, last_ball = 0, first_other = 0, last_other = 0;
        double worst = 0;  ///< largest squared change of a relative velocity in the last sweep
        double energy = 0; ///< |g|² of the last sweep [J]
    };

    void cut_into_slabs(std::span<Patch* const> patches, std::span<const BodyState> poses);
    void sort_in(std::span<Patch* const> patches);
    bool take_ball(const Patch& patch);
    double ball_residual(const Ball& ball) const;
    void relax_ball(std::size_t i, Group& group);
    void relax_other(std::size_t i, Group& group);
    void sweep_group(Group& group, bool is_backward);
    void go_along_group(const Group& group, double share);
    template <class Function>
    void for_each_group(Function&& function);
    void sweep(bool is_backward);
    void go_along(double share);
    void push(const Ball& ball, double lambda, const Vec3& f);

    int threads_ = 1;
    std::size_t slabs_ = 1;
    std::vector<std::size_t> slab_of_;    ///< of the bodies
    std::vector<double> heights_;         ///< scratch
    std::vector<std::size_t> group_of_;   ///< of the patches
    std::vector<Group> groups_;           ///< slabs; between an even one and the next; odd; others
    std::array<std::size_t, 5> stages_{}; ///< where those begin, and the end
    std::vector<SolverBody>* bodies_ = nullptr;
    std::vector<Ball> balls_;
    std::vector<Patch*> ball_patches_, others_;
    std::vector<Step> changes_, directions_; ///< of the balls: by the last sweep; conjugate
    std::vector<Numbers> other_changes_, other_directions_;
    double worst_ = 0;  ///< largest change of a relative velocity in the last sweep [m/s]
    double energy_ = 0; ///< |g|² of the last sweep [J]
};

} // namespace sinew
