#include "models/linkage/paper/equations/kkt.h"

#include "math/functions.h"

#include <algorithm>

namespace sinew::charli_method {

namespace {

constexpr double kResist = 1e-14;   // ρ: of a unit mass; finds, does not hide, massless directions
constexpr double kYield = 1e-12;    // ε: of a unit gradient
constexpr double kSingular = 1e-12; // a smaller mass, of one, is none

double& raise(double& value, double to) { return value = std::max(value, to); }

/// A vector without regularities, so that no direction is perpendicular to it.
double irregular(std::size_t i)
{
    const double x = 0.6180339887498949 * double(i + 1);
    return 0.5 + x - floor(x);
}

} // namespace

Kkt::Kkt(const System& system, CharliSolver solver, const RowValues& values)
    : system_(&system), solver_(solver), gradients_(system.columns.size()),
      masses_(Eigen::Index(system.unknowns.size()))
{
    choose_units(values);
    for (std::size_t j = 0; j < system.unknowns.size(); ++j)
        masses_(Eigen::Index(j)) = system.unknowns[j].mass * units_[j] * units_[j];

    const auto n = Eigen::Index(system.unknowns.size()), m = Eigen::Index(system.rows.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index i = 0; i < n + m; ++i)
        entries.emplace_back(i, i, 1.0);
    for (Eigen::Index i = 0; i < m; ++i) {
        const Row& row = system.rows[std::size_t(i)];
        for (std::uint32_t k = 0; k < row.column_count; ++k) {
            const auto j = Eigen::Index(system.columns[row.first_column + k]);
            entries.emplace_back(n + i, j, 1.0);
            entries.emplace_back(j, n + i, 1.0);
        }
    }
    matrix_.resize(n + m, n + m);
    matrix_.setFromTriplets(entries.begin(), entries.end());
    const auto slot = [&](Eigen::Index row, Eigen::Index column) {
        return Eigen::Index(&matrix_.coeffRef(row, column) - matrix_.valuePtr());
    };
    for (Eigen::Index i = 0; i < n + m; ++i)
        diagonal_.push_back(slot(i, i));
    for (Eigen::Index i = 0; i < m; ++i) {
        const Row& row = system.rows[std::size_t(i)];
        for (std::uint32_t k = 0; k < row.column_count; ++k) {
            const auto j = Eigen::Index(system.columns[row.first_column + k]);
            slots_.push_back(slot(n + i, j));
            slots_.push_back(slot(j, n + i));
        }
    }
    if (solver_ == CharliSolver::sparse)
        sparse_.analyzePattern(matrix_);
}

/// The mass that a coordinate moves, at least about: its own, or that of what follows from it.
std::vector<double> Kkt::weigh_unknowns() const
{
    const System& s = *system_;
    std::vector<double> weights;
    double heaviest = 0;
    for (const Unknown& unknown : s.unknowns) {
        weights.push_back(unknown.mass);
        raise(heaviest, unknown.mass);
    }
    const auto spread = [&](const Row& row, double weight, bool to_all) {
        for (std::uint32_t k = 0; k < row.column_count; ++k)
            if (double& other = weights[s.columns[row.first_column + k]]; to_all || other == 0)
                raise(other, weight);
    };
    for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t j = s.unknowns.size(); j-- > 0;)
            if (s.unknowns[j].definition.kind == DefinitionKind::row)
                spread(s.rows[s.unknowns[j].definition.index], weights[j], true);
        for (const Row& row : s.rows) { // ends without mass take that of their partners
            double most = 0;
            for (std::uint32_t k = 0; k < row.column_count; ++k)
                raise(most, weights[s.columns[row.first_column + k]]);
            spread(row, most, false);
        }
    }
    for (double& weight : weights)
        weight = weight > 0 ? weight : heaviest > 0 ? heaviest : 1;
    return weights;
}

/// D = 1/√mass for lengths; for ξ, η and the like divided by the lever at which they move things.
void Kkt::choose_units(const RowValues& values)
{
    const System& s = *system_;
    std::vector<double> levers(s.unknowns.size());
    for (const Row& row : s.rows)
        for (std::uint32_t k = 0; k < row.column_count && row.is_length; ++k)
            raise(levers[s.columns[row.first_column + k]],
                  abs(values.gradients[row.first_column + k]));
    for (const Turn& turn : s.turns) {
        const double lever = raise(levers[turn.xi], levers[turn.eta]);
        levers[turn.eta] = lever;
        if (turn.theta != kNone)
            raise(levers[turn.theta], lever);
    }
    units_ = weigh_unknowns();
    for (std::size_t j = 0; j < units_.size(); ++j) {
        const bool has_lever = !s.unknowns[j].is_length && levers[j] > 0;
        units_[j] = 1 / (sqrt(units_[j]) * (has_lever ? levers[j] : 1));
    }
}

void Kkt::fill(const RowValues& values)
{
    const System& s = *system_;
    const std::size_t n = s.unknowns.size();
    scales_.assign(s.rows.size(), 1.0);
    double* entries = matrix_.valuePtr();
    for (std::size_t j = 0; j < n; ++j)
        entries[diagonal_[j]] = masses_(Eigen::Index(j)) + kResist;
    for (std::size_t i = 0; i < s.rows.size(); ++i) {
        const Row& row = s.rows[i];
        double most =
            row.column_count > 0 ? values.floors[i] * units_[s.columns[row.first_column]] : 0;
        for (std::uint32_t k = row.first_column; k < row.first_column + row.column_count; ++k)
            raise(most, abs(values.gradients[k] * units_[s.columns[k]]));
        scales_[i] = most > 0 ? 1 / most : 1;
        for (std::uint32_t k = row.first_column; k < row.first_column + row.column_count; ++k) {
            gradients_[k] = scales_[i] * values.gradients[k] * units_[s.columns[k]];
            entries[slots_[2 * k]] = entries[slots_[2 * k + 1]] = gradients_[k];
        }
        entries[diagonal_[n + i]] = -kYield;
    }
}

bool Kkt::factorise()
{
    if (solver_ == CharliSolver::dense) {
        dense_.compute(Eigen::MatrixXd(matrix_)); // Gaussian elimination with partial pivoting
        return true;
    }
    sparse_.factorize(matrix_);
    return sparse_.info() == Eigen::Success;
}

Eigen::VectorXd Kkt::backsolve(const Eigen::VectorXd& right)
{
    if (solver_ == CharliSolver::dense)
        return dense_.solve(right);
    return sparse_.solve(right);
}

/// right − [M Jᵀ; J 0] x
Eigen::VectorXd Kkt::residual(const Eigen::VectorXd& right, const Eigen::VectorXd& x) const
{
    const System& s = *system_;
    const auto n = Eigen::Index(s.unknowns.size());
    Eigen::VectorXd r = right;
    r.head(n) -= masses_.cwiseProduct(x.head(n));
    for (std::size_t i = 0; i < s.rows.size(); ++i) {
        const Eigen::Index at = n + Eigen::Index(i);
        for (std::uint32_t k = 0; k < s.rows[i].column_count; ++k) {
            const std::uint32_t entry = s.rows[i].first_column + k;
            const auto j = Eigen::Index(s.columns[entry]);
            r(j) -= gradients_[entry] * x(at);
            r(at) -= gradients_[entry] * x(j);
        }
    }
    return r;
}

/// The direction that hardly any mass resists, by inverse iteration: there it grows without bound.
/// Empty: there is none.
std::vector<double> Kkt::find_massless()
{
    constexpr double kSuspicious = 1e-8; // the first vector may lie almost across the direction
    const auto n = Eigen::Index(units_.size());
    Eigen::VectorXd probe = Eigen::VectorXd::Zero(matrix_.rows());
    for (Eigen::Index j = 0; j < n; ++j)
        probe(j) = irregular(std::size_t(j));
    double growth = 1;
    for (const double limit : {kSuspicious, kSingular, kSingular}) {
        probe = backsolve(probe);
        growth = probe.head(n).cwiseAbs().maxCoeff();
        if (growth < 1 / limit)
            return {};
        probe.tail(probe.size() - n).setZero();
        probe /= growth;
    }
    std::vector<double> direction;
    for (Eigen::Index j = 0; j < n; ++j)
        direction.push_back(units_[std::size_t(j)] * probe(j));
    return direction;
}

Solution Kkt::solve(const RowValues& values, std::span<const double> forces,
                    std::span<const double> right, double noise, std::span<double> accelerations)
{
    const System& s = *system_;
    const std::size_t n = s.unknowns.size(), m = s.rows.size();
    fill(values);
    Eigen::VectorXd b(Eigen::Index(n + m));
    for (std::size_t j = 0; j < n; ++j)
        b(Eigen::Index(j)) = units_[j] * forces[j];
    for (std::size_t i = 0; i < m; ++i)
        b(Eigen::Index(n + i)) = scales_[i] * right[i];
    if (n == 0)
        return {};

    if (!factorise())
        return {.is_singular = true};
    if (std::vector<double> direction = find_massless(); !direction.empty())
        return {.is_singular = true, .direction = std::move(direction)};

    const Eigen::VectorXd x = refine(b);
    for (std::size_t j = 0; j < n; ++j)
        accelerations[j] = units_[j] * x(Eigen::Index(j));
    return {.contradiction = find_contradiction(values, b, x, noise)};
}

/// x with [M Jᵀ; J 0] x = b, as far as that goes.
Eigen::VectorXd Kkt::refine(const Eigen::VectorXd& b)
{
    // Near a dead point each round gains little, in a contradiction none.
    constexpr int kRounds = 20;
    const auto n = Eigen::Index(units_.size());
    Eigen::VectorXd x = backsolve(b), r = residual(b, x);
    for (int i = 0; i < kRounds; ++i) {
        const double size = b.cwiseAbs().maxCoeff() + x.head(n).cwiseAbs().maxCoeff();
        const double before = r.cwiseAbs().maxCoeff();
        if (!(before > 1e-14 * size))
            break;
        x += backsolve(r);
        r = residual(b, x);
        if (!(r.cwiseAbs().maxCoeff() < 0.9 * before))
            break;
    }
    return x;
}

/// The row that x satisfies least, if that is more than rounding.
std::uint32_t Kkt::find_contradiction(const RowValues& values, const Eigen::VectorXd& b,
                                      const Eigen::VectorXd& x, double noise) const
{
    const auto n = Eigen::Index(units_.size());
    const Eigen::VectorXd r = residual(b, x);
    const double tolerance = 1e-6 * (b.cwiseAbs().maxCoeff() + x.head(n).cwiseAbs().maxCoeff());
    std::uint32_t found = kNone;
    double worst = 0;
    for (std::size_t i = 0; i < scales_.size(); ++i) {
        const double size = values.floors[i] > 0 ? values.floors[i] : 1;
        const double error = abs(r(n + Eigen::Index(i)));
        if (error > tolerance + scales_[i] * size * noise && error > worst) {
            worst = error;
            found = static_cast<std::uint32_t>(i);
        }
    }
    return found;
}

Eigen::SparseMatrix<double> Kkt::matrix(const System& system, const RowValues& values)
{
    const auto n = Eigen::Index(system.unknowns.size()), m = Eigen::Index(system.rows.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index j = 0; j < n; ++j)
        if (system.unknowns[std::size_t(j)].mass != 0)
            entries.emplace_back(j, j, system.unknowns[std::size_t(j)].mass);
    for (Eigen::Index i = 0; i < m; ++i) {
        const Row& row = system.rows[std::size_t(i)];
        for (std::uint32_t k = row.first_column; k < row.first_column + row.column_count; ++k) {
            entries.emplace_back(n + i, system.columns[k], values.gradients[k]);
            entries.emplace_back(system.columns[k], n + i, values.gradients[k]);
        }
    }
    Eigen::SparseMatrix<double> matrix(n + m, n + m);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

} // namespace sinew::charli_method
