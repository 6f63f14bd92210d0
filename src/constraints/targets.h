#pragma once

#include "sinew/scene.h"
#include "solve/rows/rows.h"

namespace sinew {

/// An object, a point of a path or a direction that tracks alone move.
struct Target {
    enum class Kind : std::uint8_t { object, point, direction };
    Kind kind = Kind::object;
    ObjectId frame = {};
    std::array<Value, 3> value = {};
};

/// The first point of a path. Requires constants or formulas of time.
Target make_point_target(const Scene& scene, PathId path);

/// Exact; at a kink of a track as it comes, or as it goes on.
SiteMotion motion_of(const Scene& scene, const Target& target, double time, Side side);

/// What tracks move and rows hold on to: objects, points of paths, directions. Driven blocks, one
/// each, without state: exact at any time.
class Targets final : public Dynamics {
public:
    /// Requires that the scene outlives it.
    explicit Targets(const Scene& scene) : scene_(&scene) {}

    /// Each adds a block and returns its number. Requires that all is known in advance.
    std::uint32_t add_object(ObjectId object);
    std::uint32_t add_point(PathId path);
    /// A frame with its x axis along (x, y, z) of `frame`.
    std::uint32_t add_direction(ObjectId frame, Value x, Value y, Value z);

    std::span<const BlockShape> blocks() const noexcept override { return shapes_; }
    std::unique_ptr<Scratch> make_scratch() const override;
    void drive(double t0, double t1, Trial&) const noexcept override;
    void locate(const Trial&, double time, std::span<const Site>,
                std::span<SiteMotion>) const noexcept override;
    void begin_stage(const Cohort&, const Stage&, Trial&) const noexcept override {}
    void predict(const Cohort&, const RowSet&, const Stage&, Trial&) const noexcept override {}
    void respond(const Cohort&, const RowSet&, const Trial&, Responses&) const noexcept override {}
    void correct(const Cohort&, const RowSet&, const Stage&, Part, Trial&) const noexcept override
    {
    }
    void measure(const Cohort&, const RowSet&, const Stage&, const Trial&,
                 std::span<BlockReport>) const noexcept override
    {
    }
    void advance_alone(const Cohort&, double, double, Trial&,
                       std::span<BlockReport>) const noexcept override
    {
    }

private:
    std::uint32_t add(const Target& target);

    const Scene* scene_;
    std::vector<Target> targets_;
    std::vector<BlockShape> shapes_;
};

} // namespace sinew
