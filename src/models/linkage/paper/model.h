#pragma once

#include "models/linkage/paper/scheme.h"
#include "solve/rows/rows.h"

#include <memory>
#include <vector>

namespace sinew {

/// All linkages of a scene by the paper's own scheme, for `linkages(method = charli)`: one block,
/// advanced in steps of the scene's step. It takes no rows: what touches it is pushed and does not
/// push back.
class CharliModel final : public Dynamics {
public:
    /// Requires a validated scene that outlives the model.
    static Result<std::unique_ptr<CharliModel>> create(const Scene& scene,
                                                       const std::vector<ImportFunction>& imports);

    ModelState initial_state(std::span<const double> coordinates,
                             std::span<const double> rates) const;
    void read_coordinates(const ModelState& state, std::span<double> coordinates,
                          std::span<double> rates) const;

    std::span<const BlockShape> blocks() const noexcept override { return {&shape_, 1}; }
    std::unique_ptr<Scratch> make_scratch() const override;
    void locate(const Trial&, double, std::span<const Site>,
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
    CharliModel(const Scene& scene, CharliScheme scheme);

    const Scene* scene_;
    std::unique_ptr<CharliScheme> scheme_;
    std::vector<double> key_times_;
    BlockShape shape_;
};

} // namespace sinew
