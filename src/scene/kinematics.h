#pragma once

#include "math/turn.h"
#include "sinew/scene.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

/// The object whose frame an object's transformations start from; invalid for the world.
ObjectId frame_parent(const Object& object);

/// Objects in an order in which each comes behind all that its place depends on; empty, with one of
/// them in `faulty`, when places depend on themselves.
std::vector<ObjectId> order_of_frames(const Scene& scene, ObjectId& faulty);

/// The derivative of something with respect to coordinate `column`, or to time for the column
/// `coordinates.size()`.
template <class T>
struct Partial {
    std::uint32_t column;
    T value;
};

struct ValueMotion {
    double value = 0;
    std::vector<Partial<double>> partials = {};
    bool is_imported = false; ///< depends on an import, whose value is not known here
};

struct PointMotion {
    Vec3 position = {0, 0, 0};
    std::vector<Partial<Vec3>> partials = {};
    bool is_imported = false;
};

/// Where everything is at one instant, and how that changes with each coordinate and with time.
///
/// A frame is F = F_parent · T_n ⋯ T_1, T_1 the first transformation listed; the partial of a point
/// with respect to the amount of T_k is carried outwards by the linear parts of all behind it.
/// Imports are unknown here and count as zero.
class Kinematics {
public:
    /// `coordinates` are their values. Requires a validated scene. Check `is_sound` before use.
    Kinematics(const Scene& scene, std::span<const double> coordinates, double time);

    /// False when the place of an object depends on itself through `name_x`; `faulty_object` is
    /// one.
    bool is_sound() const { return !faulty_object_.is_valid(); }
    ObjectId faulty_object() const { return faulty_object_; }

    std::uint32_t time_column() const { return static_cast<std::uint32_t>(coordinates_.size()); }
    const Affine& frame(ObjectId object) const { return frames_[object.index]; }
    double coordinate(std::uint32_t i) const { return coordinates_[i]; }

    /// A point given in the frame of an object, in the world.
    PointMotion point(ObjectId object, const Vec3& local = {0, 0, 0}) const;

    /// The origin of an object seen from the frame of another.
    PointMotion relative(ObjectId object, ObjectId frame) const;

    ValueMotion value(Value value) const;

    /// The first transformation whose amount, or how that changes, is no finite number; none: all
    /// are.
    std::optional<std::uint32_t> find_not_finite() const;

private:
    void update_frame(ObjectId object);
    Affine transformation(std::size_t i) const;
    Vec3 derivative(std::size_t i, const Vec3& x) const;
    TurnParts<double> turn_parts(std::size_t last) const;

    const Scene& scene_;
    std::span<const double> coordinates_;
    double time_;
    std::vector<Affine> frames_;
    std::vector<ValueMotion> amounts_; ///< of each transformation
    ObjectId faulty_object_;
};

} // namespace sinew
