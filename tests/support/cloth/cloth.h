#pragma once

/// A small cloth: points of mass in a grid, springs between them, balls and capsules on them. A
/// physical model as somebody outside the library would write one; no part of that knows it.

#include "plugins/physical_model.h"

#include <vector>

namespace sinew::test {

struct ClothOptions {
    int columns = 4, rows = 4; ///< points
    double spacing = 0.1;      ///< [m]
    Vec3 origin = {0, 0, 0}, along = {1, 0, 0}, across = {0, 0, 1};
    Vec3 velocity = {0, 0, 0};
    double mass = 0.1;      ///< of all [kg]
    double stiffness = 200; ///< [N/m]
    double damping = 0.5;   ///< [N s/m]
    double radius = 0.01;   ///< [m]
    double friction = 0.5;
    std::vector<ModelTie> ties = {};
    std::vector<ModelRider> riders = {};
};

/// One block with three coordinates a point. A site's element is an edge, u runs from its first
/// point to its second; it turns with the triangle that the edge belongs to, whose x axis is the
/// edge and whose z axis is the normal.
class Cloth final : public PhysicalModel {
public:
    explicit Cloth(ClothOptions options);

    /// At a point of the grid.
    Site site_at(int column, int row) const;
    std::size_t point_count() const { return points_.size(); }
    double radius() const { return options_.radius; }

    std::string name() const override { return "cloth"; }
    ModelState start() const override;
    std::span<const ModelTie> ties() const override { return options_.ties; }
    std::span<const ModelRider> riders() const override { return options_.riders; }
    void prepare(const ModelStepInput&, Trial&) const noexcept override;
    void add_surfaces(const ModelState&, std::vector<ContactCapsule>&) const override;
    Energy energy(const ModelState&, const Vec3& gravity) const override;
    Momentum momentum(const ModelState&) const override;

    std::span<const BlockShape> blocks() const noexcept override { return {&shape_, 1}; }
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
    struct Spring {
        std::uint32_t a = 0, b = 0;
        double length = 0; ///< [m]
    };
    /// Two points and the third of a triangle that they belong to.
    struct Edge {
        std::array<std::uint32_t, 3> point = {};
    };
    struct Frame;
    struct ClothScratch;

    Frame frame_of(const ModelState& state, std::uint32_t edge) const;
    SiteMotion motion_of(const ModelState& state, const Site& site) const;
    void add_wrench(const ModelState& state, const Site& site, const Wrench& wrench, double times,
                    std::span<double> sum) const;
    void add_rows(const Cohort& cohort, const RowSet& rows, const std::vector<double>& plus,
                  const std::vector<double>* minus, const ModelState& state,
                  std::span<double> sum) const;
    void find_residual(const Stage& stage, const Trial& trial, std::span<double> r) const;
    void factorise(const Stage& stage, const Trial& trial) const;

    ClothOptions options_;
    std::vector<Vec3> points_;
    std::vector<Spring> springs_;
    std::vector<Edge> edges_;
    BlockShape shape_;
};

} // namespace sinew::test
