#pragma once

// Stacks and their like as plain data, the same for every engine. World z is up; gravity is a
// vector, so an incline is a flat floor under tilted gravity. Nothing bounces.

#include "sinew/math.h"

#include <string>
#include <vector>

namespace sinew::bench {

enum class StackShapeKind { box, sphere, hull };

struct StackShape {
    StackShapeKind kind = StackShapeKind::box;
    Vec3 half = {0, 0, 0};                    ///< of a box
    double radius = 0;                        ///< of a sphere
    std::vector<Vec3> corners = {};           ///< of a hull, about its centre of mass
    std::vector<std::vector<int>> faces = {}; ///< of a hull, counter-clockwise from outside
    double volume = 0;
    Vec3 inertia = {0, 0, 0}; ///< principal moments of mass 1 along the axes
};

struct StackBody {
    std::size_t shape = 0;
    Vec3 x = {0, 0, 0};
    Quat q = {};
    double mass = 0; ///< 0: fixed
    Vec3 v = {0, 0, 0};
};

enum class Outcome {
    stands, ///< no body goes farther than `most_drift`
    falls,
    sticks, ///< no body goes farther than a centimetre
    slides, ///< the last body slides `slide`
    settles ///< no body leaves, none overlaps much
};

struct StackScene {
    std::string name;
    Outcome expected = Outcome::stands;
    std::vector<StackShape> shapes = {};
    std::vector<StackBody> bodies = {};
    Vec3 gravity = {0, 0, -9.81};
    double friction = 0.5;
    double seconds = 10;
    double most_drift = 0.5;
    double slide = 0;     ///< exact
    double wall = 1e9;    ///< radius beyond which a body has left
    bool has_goal = true; ///< of time and overlap
};

std::vector<StackScene> make_stack_scenes();

/// A scene with a floor at z = 0 that reaches so far from the origin.
StackScene make_scene(std::string name, double reach = 40);

/// Shapes of a scene, by number, and bodies of them.
std::size_t add_box(StackScene& scene, const Vec3& half);
std::size_t add_sphere(StackScene& scene, double r);
void add(StackScene& scene, std::size_t shape, const Vec3& x, const Quat& q = {},
         double density = 1000);

} // namespace sinew::bench
