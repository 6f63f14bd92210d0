#pragma once

#include "display/colours.h"
#include "display/sizes.h"
#include "sinew/display.h"

#include <optional>
#include <vector>

namespace sinew {

/// Collects the elements of a scene.
class DisplayMaker {
public:
    DisplayMaker(const Scene& scene, const Frame& first);

    Display make();

private:
    /// What the drawings of an object with mass say about its sphere.
    struct Outline {
        bool is_in_polygon = false;
        std::uint32_t line_count = 0;
        double nearest = 0, farthest = 0; ///< points of its lines from its origin [m]

        /// Lines all around at one distance: a ball is meant.
        bool is_ball() const { return line_count >= 8 && farthest <= 1.1 * nearest; }
    };

    /// A line from one point to another in the first frame.
    struct Rod {
        Vec3 a, b;
    };

    void find_outlines();
    void note_drawing(const Drawing& drawing, std::uint32_t first_point, std::uint32_t count);
    ObjectId massive_around(ObjectId object) const;
    ObjectId named_around(ObjectId object) const;

    void add_masses();
    void add_boxes();
    void add_shapes();
    void add_joints();
    void add_strands();
    Element& add_curve(std::uint32_t number, ObjectId object, std::vector<double> radii,
                       double size, const Vec3& colour);
    void add_strand_axes();
    void add_mounts();
    void add_hook(PathId path, ObjectId object, double radius);
    void add_eye(const RodConstraint& keyhole);
    struct Ring {
        std::uint32_t count = 0;     ///< of points
        double radius = 0, wire = 0; ///< [m]
    };
    void add_ring(const RodConstraint& held, const Vec3& axis, const Ring& shape);
    void add_rim(const RodConstraint& wheel);
    void add_pin(const sinew::Joint& joint);
    double rod_radius(ObjectId site) const;
    std::optional<Vec3> rod_colour(ObjectId site) const;
    void add_drawings();
    void add_point_springs();
    void add_coordinate_springs();
    void add_coil(std::uint32_t from, ObjectId object, Value rest_length);
    void add_distance_constraints();
    void add_rod_distances();
    void add_path_constraints();
    void add_labels();
    void add_axes();

    void apply_looks();
    void add_children();
    Element& add_points(ElementKind kind, ElementRole role, ObjectId object, std::uint32_t count);
    void add_source(DisplaySource::Kind kind, std::uint32_t index, std::uint32_t part = 0,
                    std::uint32_t count = 1);
    std::uint32_t driving_coordinate(const Object& object, std::uint32_t k) const;
    bool is_beginning_told(const Object& object, std::uint32_t k) const;
    bool is_joined(const Vec3& a, const Vec3& b) const;

    const Scene& scene_;
    const Frame& first_;
    Sizes sizes_;
    Colours colours_;
    Display display_;
    std::vector<bool> has_mass_;              ///< by object
    std::vector<Outline> outlines_;           ///< by object
    std::vector<Rod> rods_;                   ///< by the x of their middle
    std::vector<std::uint32_t> rod_elements_; ///< by rod
    std::vector<ObjectId> drawn_for_;         ///< by element: the object that draws it
};

} // namespace sinew
