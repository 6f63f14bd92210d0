#pragma once

#include "models/linkage/motion.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

/// Accelerations of a linkage without constraints by a recursion over its frames, in linear time
/// and without a matrix [Featherstone08, §7.3].
///
/// Frames with free transformations are the bodies of the recursion, each with all columns that
/// move it against the body above it. Every quantity of a body is in world axes about the origin of
/// its frame.
///
///   symbol | code              | unit         | meaning
///   -------|-------------------|--------------|------------------------------------------------
///   I_A    | Inertia           | kg, kg m²    | articulated inertia: force for an acceleration
///   S      | axes_             | 1, m         | twist of a body for a unit rate of each column
///   U      | products_         | kg, kg m²    | I_A S
///   D      | factors_          | kg m², ...   | Sᵀ U + μ q qᵀ for turns, factored as L D Lᵀ
///   e      | wrenches_         | N, N m       | force from outside on a body and all below it
class LinkageRecursion {
public:
    /// True when no constraint ties the linkage, every column moves one frame only, and all frames
    /// with masses are rigid.
    static bool applies_to(const LinkagePlan& plan);

    explicit LinkageRecursion(const LinkagePlan& plan);

    /// Articulated inertias, at the instant of `motion`. False when a direction has no mass:
    /// singular() is its column.
    bool factor(const Motion& motion);
    std::uint32_t singular() const { return singular_; }

    /// Solves M x = b: generalised forces for all columns of the plan, those of relays included.
    void solve(const Motion& motion, std::span<const double> forces,
               std::span<double> accelerations);

private:
    struct Twist {
        Vec3 linear{0, 0, 0}, angular{0, 0, 0};
    };
    /// Force and torque for a linear and an angular acceleration: [A B; Bᵀ C].
    struct Inertia {
        double A[6] = {}, B[9] = {}, C[6] = {}; ///< xx yy zz xy xz yz; rows of B

        void add_point(double mass, const Vec3& arm);
        void subtract_square(const Twist& u, double factor);
        void add_shifted(const Inertia& below, const Vec3& arm);
        Twist operator*(const Twist& v) const;
    };
    struct Body {
        std::uint32_t frame = 0, above = kNoIndex; ///< above: in bodies_
        Range columns = {};                        ///< in columns_
        std::uint32_t first_factor = 0;            ///< of D: its lower triangle by rows
    };
    struct BodyMass {
        std::uint32_t body = 0, point = 0;
        double mass = 0;
    };
    struct Slot {
        std::uint32_t transformation = 0, value_column = 0, column = 0; ///< the last: in columns_
    };
    struct RelayBody {
        std::uint32_t relay = 0, body = 0;
    };

    void plan_bodies();
    void update_axes(const Motion& motion);
    bool eliminate(std::uint32_t body, const Motion& motion);
    bool factor_block(const Body& body);
    void solve_block(const Body& body, double* x) const;

    const LinkagePlan* plan_;
    std::vector<Body> bodies_; ///< parents first
    std::vector<std::uint32_t> columns_;
    std::vector<Slot> slots_;
    std::vector<BodyMass> masses_;
    std::vector<RelayBody> relays_;
    std::vector<Vec3> origins_, arms_; ///< of each body; from the body above
    std::vector<Inertia> inertias_;
    std::vector<double> magnitude_mass_, magnitude_moment_; ///< of all below, for what counts as 0
    std::vector<Twist> axes_, products_;                    ///< as columns_
    std::vector<double> factors_, solution_;
    std::vector<Twist> wrenches_, motions_;
    std::vector<Twist> reduced_; ///< of one body: the columns of U L⁻ᵀ
    std::vector<double> taken_;  ///< of one body
    std::uint32_t singular_ = 0;
};

} // namespace sinew
