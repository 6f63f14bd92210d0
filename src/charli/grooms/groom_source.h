#pragma once

// Curves of grooms, made when they are wanted: a shot in parts makes those of its own part alone.

#include "geometry/grow.h"
#include "sinew/curves.h"
#include "sinew/language.h"
#include "sinew/parts.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinew::charli {

/// The curves of one groom: read from a file, or grown on a surface.
class GroomSource {
public:
    /// With the places on a skin that they stand on, one for each curve, or none.
    explicit GroomSource(CurveSet curves, std::vector<StrandRoot> roots = {});

    /// On a skin, where the surface moves. `stiffness`: a factor for each vertex, or none.
    GroomSource(Grower grower, std::optional<std::uint32_t> skin, std::vector<double> stiffness);

    std::uint32_t count() const;

    /// Appends the points of a curve to the scene's values, once.
    ValueList make(std::uint32_t curve, Scene& scene);

    std::optional<StrandRoot> root(std::uint32_t curve) const;

    /// Factor of the stiffness of a curve, where a map says so.
    std::optional<double> stiffness(std::uint32_t curve) const;

    /// Stands for all of its curves in the fingerprint of a scene that has not made them.
    double identity() const;

private:
    std::vector<Vec3> points(std::uint32_t curve);

    CurveSet curves_ = {};                   ///< of a file
    std::vector<StrandRoot> roots_ = {};     ///< of these
    std::vector<std::size_t> first_ = {};    ///< point of each
    std::optional<Grower> grower_ = {};      ///< else
    std::optional<std::uint32_t> skin_ = {}; ///< in Scene::skins
    std::vector<double> stiffness_ = {};     ///< at the surface's vertices
    std::unordered_map<std::uint32_t, ValueList> made_ = {};
};

} // namespace sinew::charli

namespace sinew {

/// For runs of Scene::paths: which curves they are.
class UnmadeCurves {
public:
    /// Those from `first_path` on are all of a source's, in its order.
    void add(std::uint32_t first_path, std::shared_ptr<charli::GroomSource> source);

    bool is_empty() const { return runs_.empty(); }

    /// Gives the strands that a part computes their points and roots.
    void make(const PartPlan& plan, int part, Scene& scene);

private:
    std::vector<std::pair<std::uint32_t, std::shared_ptr<charli::GroomSource>>> runs_;
};

} // namespace sinew
