#pragma once

#include "engine.h"

namespace sinew::bench {

/// Measures overlap the same way for every engine: separating axes of the exact shapes, whatever
/// margins an engine has.
class Judge {
public:
    explicit Judge(const StackScene& scene);

    /// The largest overlap of two bodies of which one moves [m].
    double overlap(const std::vector<MovingPose>& poses) const;

private:
    struct Poly {
        std::vector<Vec3> corners = {}, normals = {}, edges = {};
        double radius = 0;
        bool is_sphere = false;
    };
    static Poly make_poly(const StackShape& shape);

    double depth(std::size_t i, std::size_t j, const std::vector<MovingPose>& poses) const;
    double ball_depth(std::size_t ball, std::size_t box,
                      const std::vector<MovingPose>& poses) const;
    const Poly& poly(std::size_t body) const { return polys_[scene_->bodies[body].shape]; }

    const StackScene* scene_;
    std::vector<Poly> polys_;
};

} // namespace sinew::bench
