// [notes: linkages, eq. 13], [notes: linkages, eq. 14]. Inward: articulated inertias; what a body's
// own columns take up is subtracted, the rest is moved to the origin of the body above. Then
// wrenches inward and accelerations outward, once for each right-hand side.

#include "models/linkage/equations/recursion.h"

#include "math/functions.h"

#include <algorithm>

namespace sinew {

namespace {

/// A pivot that cancels to less than this part of its terms is nothing but rounding.
constexpr double kRounding = 1e-14;

} // namespace

// ---------------------------------------------------------------- inertia

void LinkageRecursion::Inertia::add_point(double m, const Vec3& r)
{
    A[0] += m;
    A[1] += m;
    A[2] += m;
    const Vec3 s = r * m; // B = −m [r]
    B[1] += s.z;
    B[2] -= s.y;
    B[3] -= s.z;
    B[5] += s.x;
    B[6] += s.y;
    B[7] -= s.x;
    C[0] += s.y * r.y + s.z * r.z;
    C[1] += s.x * r.x + s.z * r.z;
    C[2] += s.x * r.x + s.y * r.y;
    C[3] -= s.x * r.y;
    C[4] -= s.x * r.z;
    C[5] -= s.y * r.z;
}

void LinkageRecursion::Inertia::subtract_square(const Twist& u, double factor)
{
    const Vec3 f = u.linear * factor, t = u.angular * factor;
    A[0] -= f.x * u.linear.x;
    A[1] -= f.y * u.linear.y;
    A[2] -= f.z * u.linear.z;
    A[3] -= f.x * u.linear.y;
    A[4] -= f.x * u.linear.z;
    A[5] -= f.y * u.linear.z;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            B[3 * i + j] -= f[i] * u.angular[j];
    C[0] -= t.x * u.angular.x;
    C[1] -= t.y * u.angular.y;
    C[2] -= t.z * u.angular.z;
    C[3] -= t.x * u.angular.y;
    C[4] -= t.x * u.angular.z;
    C[5] -= t.y * u.angular.z;
}

/// Adds an inertia about a point that lies at `d` from here: B' = B − A [d], C' = C + [d] B' − Bᵀ
/// [d].
void LinkageRecursion::Inertia::add_shifted(const Inertia& below, const Vec3& d)
{
    const double* a = below.A;
    const double* b = below.B;
    const double rows[3][3] = {{a[0], a[3], a[4]}, {a[3], a[1], a[5]}, {a[4], a[5], a[2]}};
    double shifted[9];
    for (int i = 0; i < 3; ++i) { // a row times [d] is its cross product with d
        shifted[3 * i] = b[3 * i] - (rows[i][1] * d.z - rows[i][2] * d.y);
        shifted[3 * i + 1] = b[3 * i + 1] - (rows[i][2] * d.x - rows[i][0] * d.z);
        shifted[3 * i + 2] = b[3 * i + 2] - (rows[i][0] * d.y - rows[i][1] * d.x);
    }
    for (int i = 0; i < 6; ++i)
        A[i] += a[i];
    for (int i = 0; i < 9; ++i)
        B[i] += shifted[i];
    // ([d] B')_ij: d × (column j of B'); (Bᵀ [d])_ij: (column i of B) × d.
    const auto above = [&](int i, int j) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        return d[k] * shifted[3 * l + j] - d[l] * shifted[3 * k + j];
    };
    const auto beside = [&](int i, int j) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        return b[3 * k + i] * d[l] - b[3 * l + i] * d[k];
    };
    C[0] += below.C[0] + above(0, 0) - beside(0, 0);
    C[1] += below.C[1] + above(1, 1) - beside(1, 1);
    C[2] += below.C[2] + above(2, 2) - beside(2, 2);
    C[3] += below.C[3] + above(0, 1) - beside(0, 1);
    C[4] += below.C[4] + above(0, 2) - beside(0, 2);
    C[5] += below.C[5] + above(1, 2) - beside(1, 2);
}

LinkageRecursion::Twist LinkageRecursion::Inertia::operator*(const Twist& x) const
{
    const Vec3 &v = x.linear, &w = x.angular;
    return {{A[0] * v.x + A[3] * v.y + A[4] * v.z + B[0] * w.x + B[1] * w.y + B[2] * w.z,
             A[3] * v.x + A[1] * v.y + A[5] * v.z + B[3] * w.x + B[4] * w.y + B[5] * w.z,
             A[4] * v.x + A[5] * v.y + A[2] * v.z + B[6] * w.x + B[7] * w.y + B[8] * w.z},
            {B[0] * v.x + B[3] * v.y + B[6] * v.z + C[0] * w.x + C[3] * w.y + C[4] * w.z,
             B[1] * v.x + B[4] * v.y + B[7] * v.z + C[3] * w.x + C[1] * w.y + C[5] * w.z,
             B[2] * v.x + B[5] * v.y + B[8] * v.z + C[4] * w.x + C[5] * w.y + C[2] * w.z}};
}

// ---------------------------------------------------------------- plan

bool LinkageRecursion::applies_to(const LinkagePlan& plan)
{
    if (!plan.ties.empty() || !plan.paths.empty())
        return false;
    std::vector<std::uint32_t> frame_of(plan.column_count, kNoIndex);
    for (std::uint32_t k = 0; k < plan.frames.size(); ++k) {
        const Range own = plan.frames[k].transformations;
        for (std::uint32_t i = own.first; i < own.end(); ++i) {
            const PlannedValue& value = plan.values[plan.transformations[i].value];
            for (std::uint32_t c = value.columns.first; c < value.columns.end(); ++c) {
                const std::uint32_t column = plan.value_columns[c];
                std::uint32_t& frame = frame_of[column];
                if (column >= plan.state_size() || (frame != kNoIndex && frame != k))
                    return false;
                frame = k;
            }
        }
        if (!plan.frames[k].is_rigid)
            return false;
    }
    // A coordinate without a frame moves nothing: the matrix names it.
    return std::find(frame_of.begin(), frame_of.begin() + plan.state_size(), kNoIndex) ==
           frame_of.begin() + plan.state_size();
}

LinkageRecursion::LinkageRecursion(const LinkagePlan& plan) : plan_(&plan)
{
    plan_bodies();
    std::size_t factors = 0, most = 0;
    for (Body& body : bodies_) {
        const std::size_t n = body.columns.count;
        body.first_factor = static_cast<std::uint32_t>(factors);
        factors += n * (n + 1) / 2;
        most = std::max(most, n);
    }
    origins_.resize(bodies_.size());
    arms_.resize(bodies_.size());
    inertias_.resize(bodies_.size());
    magnitude_mass_.resize(bodies_.size());
    magnitude_moment_.resize(bodies_.size());
    axes_.resize(columns_.size());
    products_.resize(columns_.size());
    factors_.resize(factors);
    solution_.resize(columns_.size());
    wrenches_.resize(bodies_.size());
    motions_.resize(bodies_.size());
    reduced_.resize(most);
    taken_.resize(most);
}

void LinkageRecursion::plan_bodies()
{
    const LinkagePlan& plan = *plan_;
    std::vector<std::uint32_t> body_of(plan.frames.size(), kNoIndex);
    for (std::uint32_t k = 0; k < plan.frames.size(); ++k) {
        const PlannedFrame& frame = plan.frames[k];
        body_of[k] = frame.parent == kNoIndex ? kNoIndex : body_of[frame.parent];
        Body body{k, body_of[k], {static_cast<std::uint32_t>(columns_.size()), 0}, 0};
        for (std::uint32_t i = frame.transformations.first; i < frame.transformations.end(); ++i) {
            const Range own = plan.values[plan.transformations[i].value].columns;
            for (std::uint32_t c = own.first; c < own.end(); ++c) {
                const std::uint32_t column = plan.value_columns[c];
                const auto first = columns_.begin() + body.columns.first;
                const auto found = std::find(first, columns_.end(), column);
                slots_.push_back({i, c, static_cast<std::uint32_t>(found - columns_.begin())});
                if (found == columns_.end()) {
                    columns_.push_back(column);
                    ++body.columns.count;
                }
            }
        }
        if (body.columns.count > 0) {
            body_of[k] = static_cast<std::uint32_t>(bodies_.size());
            bodies_.push_back(body);
        }
    }
    for (const PlannedMass& mass : plan.masses)
        if (const std::uint32_t body = body_of[plan.points[mass.point].frame]; body != kNoIndex)
            masses_.push_back({body, mass.point, mass.mass});
    for (std::uint32_t r = 0; r < plan.relays.size(); ++r)
        if (const std::uint32_t body = body_of[plan.relays[r].frame]; body != kNoIndex)
            relays_.push_back({r, body});
}

// ---------------------------------------------------------------- numbers

void LinkageRecursion::update_axes(const Motion& motion)
{
    std::fill(axes_.begin(), axes_.end(), Twist{});
    std::size_t slot = 0;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        const Body& body = bodies_[b];
        origins_[b] = value_of(motion.frame(body.frame).origin);
        arms_[b] = body.above == kNoIndex ? Vec3{0, 0, 0} : origins_[b] - origins_[body.above];
        for (; slot < slots_.size() && slots_[slot].column < body.columns.end(); ++slot) {
            const Slot& own = slots_[slot];
            const Vec3 axis =
                motion.axis(own.transformation) * motion.value_partial(own.value_column);
            Twist& S = axes_[own.column];
            if (plan_->transformations[own.transformation].kind <=
                TransformationKind::translate_z) {
                S.linear += axis;
            } else {
                S.linear += cross(axis, origins_[b] - motion.centre(own.transformation));
                S.angular += axis;
            }
        }
    }
}

bool LinkageRecursion::factor(const Motion& motion)
{
    update_axes(motion);
    std::fill(inertias_.begin(), inertias_.end(), Inertia{});
    std::fill(magnitude_mass_.begin(), magnitude_mass_.end(), 0.0);
    std::fill(magnitude_moment_.begin(), magnitude_moment_.end(), 0.0);
    for (const BodyMass& mass : masses_) {
        const Vec3 arm = value_of(motion.point(mass.point)) - origins_[mass.body];
        inertias_[mass.body].add_point(mass.mass, arm);
        magnitude_mass_[mass.body] += mass.mass;
        magnitude_moment_[mass.body] += mass.mass * squared_length(arm);
    }
    for (std::uint32_t b = static_cast<std::uint32_t>(bodies_.size()); b-- > 0;)
        if (!eliminate(b, motion))
            return false;
    return true;
}

/// Takes a body's own columns out of its inertia, and adds what is left to the body above.
bool LinkageRecursion::eliminate(std::uint32_t b, const Motion& motion)
{
    const Body& body = bodies_[b];
    const std::uint32_t n = body.columns.count;
    const Twist* const S = axes_.data() + body.columns.first;
    Twist* const U = products_.data() + body.columns.first;
    double* const D = factors_.data() + body.first_factor;
    for (std::uint32_t i = 0; i < n; ++i)
        U[i] = inertias_[b] * S[i];
    for (std::uint32_t i = 0, k = 0; i < n; ++i)
        for (std::uint32_t j = 0; j <= i; ++j, ++k)
            D[k] = dot(S[i].linear, U[j].linear) + dot(S[i].angular, U[j].angular);
    for (const PlannedTurn& turn : plan_->turns) // the length of q has a mass of its own
        for (std::uint32_t i = 0, k = 0; i < n; ++i)
            for (std::uint32_t j = 0; j <= i; ++j, ++k) {
                const std::uint32_t p = columns_[body.columns.first + i] - turn.columns[0],
                                    q = columns_[body.columns.first + j] - turn.columns[0];
                if (p < 4 && q < 4)
                    D[k] += plan_->turn_mass() * motion.instant().state[turn.columns[p]] *
                            motion.instant().state[turn.columns[q]];
            }
    if (!factor_block(body))
        return false;
    if (body.above == kNoIndex)
        return true;
    // I_A − U D⁻¹ Uᵀ = I_A − Σ u u / d with the columns u of U L⁻ᵀ.
    Inertia left = inertias_[b];
    for (std::uint32_t i = 0; i < n; ++i) {
        Twist u = U[i];
        const double* const row = D + i * (i + 1) / 2;
        for (std::uint32_t j = 0; j < i; ++j) {
            u.linear -= reduced_[j].linear * row[j];
            u.angular -= reduced_[j].angular * row[j];
        }
        reduced_[i] = u;
        left.subtract_square(u, 1 / row[i]);
    }
    const Vec3& arm = arms_[b];
    inertias_[body.above].add_shifted(left, arm);
    magnitude_mass_[body.above] += magnitude_mass_[b];
    const double radius = sqrt(magnitude_moment_[b]) + sqrt(magnitude_mass_[b]) * length(arm);
    magnitude_moment_[body.above] += radius * radius;
    return true;
}

/// L D Lᵀ of a body's block in place: below the diagonal L, on it D.
bool LinkageRecursion::factor_block(const Body& body)
{
    const std::size_t b = std::size_t(&body - bodies_.data());
    double* const D = factors_.data() + body.first_factor;
    for (std::uint32_t i = 0; i < body.columns.count; ++i) {
        double* const row = D + i * (i + 1) / 2;
        double terms = row[i] > 0 ? row[i] : 0;
        for (std::uint32_t j = 0; j < i; ++j) {
            const double* const other = D + j * (j + 1) / 2;
            for (std::uint32_t k = 0; k < j; ++k)
                row[j] -= row[k] * other[k];
        }
        for (std::uint32_t j = 0; j < i; ++j) {
            const double pivot = D[j * (j + 1) / 2 + j], scaled = row[j] / pivot;
            row[i] -= row[j] * scaled;
            row[j] = scaled;
        }
        const Twist& S = axes_[body.columns.first + i];
        terms = max(terms, squared_length(S.linear) * magnitude_mass_[b] +
                               squared_length(S.angular) * magnitude_moment_[b]);
        if (!(row[i] > kRounding * terms)) {
            singular_ = columns_[body.columns.first + i];
            return false;
        }
    }
    return true;
}

void LinkageRecursion::solve_block(const Body& body, double* x) const
{
    const std::uint32_t n = body.columns.count;
    const double* const D = factors_.data() + body.first_factor;
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < i; ++j)
            x[i] -= D[i * (i + 1) / 2 + j] * x[j];
    for (std::uint32_t i = 0; i < n; ++i)
        x[i] /= D[i * (i + 1) / 2 + i];
    for (std::uint32_t i = n; i-- > 0;)
        for (std::uint32_t j = i + 1; j < n; ++j)
            x[i] -= D[j * (j + 1) / 2 + i] * x[j];
}

void LinkageRecursion::solve(const Motion& motion, std::span<const double> forces,
                             std::span<double> accelerations)
{
    std::fill(wrenches_.begin(), wrenches_.end(), Twist{});
    const auto arm_of = [&](const RelayBody& relay) {
        return value_of(motion.frame(plan_->relays[relay.relay].frame).origin) -
               origins_[relay.body];
    };
    for (const RelayBody& relay : relays_) {
        const double* const f = forces.data() + plan_->relays[relay.relay].first_column;
        const Vec3 force{f[0], f[1], f[2]};
        wrenches_[relay.body].linear += force;
        wrenches_[relay.body].angular += Vec3{f[3], f[4], f[5]} + cross(arm_of(relay), force);
    }
    for (std::size_t b = bodies_.size(); b-- > 0;) {
        const Body& body = bodies_[b];
        double* const y = solution_.data() + body.columns.first;
        Twist e = wrenches_[b];
        for (std::uint32_t i = 0; i < body.columns.count; ++i) {
            const Twist& S = axes_[body.columns.first + i];
            y[i] = forces[columns_[body.columns.first + i]] + dot(S.linear, e.linear) +
                   dot(S.angular, e.angular);
        }
        solve_block(body, y);
        if (body.above == kNoIndex)
            continue;
        for (std::uint32_t i = 0; i < body.columns.count; ++i) {
            const Twist& U = products_[body.columns.first + i];
            e.linear -= U.linear * y[i];
            e.angular -= U.angular * y[i];
        }
        wrenches_[body.above].linear += e.linear;
        wrenches_[body.above].angular += e.angular + cross(arms_[b], e.linear);
    }
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        const Body& body = bodies_[b];
        double* const y = solution_.data() + body.columns.first;
        Twist a;
        if (body.above != kNoIndex) {
            a = motions_[body.above];
            a.linear += cross(a.angular, arms_[b]);
            for (std::uint32_t i = 0; i < body.columns.count; ++i) {
                const Twist& U = products_[body.columns.first + i];
                taken_[i] = dot(U.linear, a.linear) + dot(U.angular, a.angular);
            }
            solve_block(body, taken_.data());
            for (std::uint32_t i = 0; i < body.columns.count; ++i)
                y[i] -= taken_[i];
        }
        for (std::uint32_t i = 0; i < body.columns.count; ++i) {
            const Twist& S = axes_[body.columns.first + i];
            a.linear += S.linear * y[i];
            a.angular += S.angular * y[i];
            accelerations[columns_[body.columns.first + i]] = y[i];
        }
        motions_[b] = a;
    }
    for (const RelayBody& relay : relays_) {
        const Twist& a = motions_[relay.body];
        const Vec3 v = a.linear + cross(a.angular, arm_of(relay));
        double* const x = accelerations.data() + plan_->relays[relay.relay].first_column;
        for (int i = 0; i < 3; ++i) {
            x[i] = v[i];
            x[3 + i] = a.angular[i];
        }
    }
}

} // namespace sinew
