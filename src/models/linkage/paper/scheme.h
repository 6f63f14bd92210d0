#pragma once

#include "sinew/error.h"
#include "sinew/scene.h"
#include "sinew/world.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

/// How the accelerations are found: as in the paper, or with the zeros left out.
enum class CharliSolver { dense, sparse };

struct CharliOptions {
    CharliSolver solver = CharliSolver::sparse;

    /// γ = δ of f̈ + 2γḟ + δ²f = 0 [1/s]: violations die out as (1 + γt) e^(−γt). A step of h
    /// seconds uses at most 1/h, well inside what Runge-Kutta of order four bears (2.8/h). Larger
    /// is not better: within a step the stages leave the constraints by h², and what pulls them
    /// back costs accuracy (the simple pendulum, h = 0.01, after 10 s: 4e-6, 2e-5, 7e-5 m with 5,
    /// 10, 20).
    double stabilisation = 10;
};

/// The paper's own scheme for linkages [HerrWyvill90]: additional coordinates with simple
/// equations, Lagrange's equations with multipliers, stabilised, advanced by Runge-Kutta of order
/// four.
///
/// Time passes in steps that the caller chooses; a step must end at each key of a track that moves
/// something, and `pass_key` follows it.
class CharliScheme {
public:
    /// `imports` as Scene::imports. Requires a scene in which `validate` found no error.
    static Result<CharliScheme> create(const Scene& scene,
                                       const std::vector<ImportFunction>& imports,
                                       const CharliOptions& options = {});

    CharliScheme(CharliScheme&&) noexcept;
    CharliScheme& operator=(CharliScheme&&) noexcept;
    ~CharliScheme();

    /// Positions, then rates, of all coordinates.
    std::size_t state_size() const;

    /// Overwrites the state: the script's coordinates and rates, and the additional ones that
    /// follow from them. Constraints need not hold: the stabilisation pulls them in.
    void start(double t, std::span<const double> coordinates, std::span<const double> rates,
               std::span<double> state) const;

    /// One step. A fault leaves the state as it was. Requires h > 0.
    std::optional<Problem> step(double t, double h, std::span<double> state);

    /// Crosses a key at t: places that a track moves at once are taken along, and velocities are
    /// those nearest to the old ones, in the metric of the masses, that the constraints behind the
    /// key allow. A fault leaves the state as it was.
    std::optional<Problem> pass_key(double t, std::span<double> state);

    /// Overwrites the script's coordinates and rates.
    void read(std::span<const double> state, std::span<double> coordinates,
              std::span<double> rates) const;

private:
    struct Parts;
    explicit CharliScheme(std::unique_ptr<Parts> parts) noexcept;
    std::unique_ptr<Parts> parts_;
};

} // namespace sinew
