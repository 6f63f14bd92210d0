#pragma once

/// Where a rope runs that passes through eyes and round wheels: straight legs and arcs.

#include "islands/ensemble.h"

#include <array>
#include <span>

namespace sinew {

/// A wheel in the world, and which way a rope runs round it.
struct Wheel {
    Vec3 centre = {0, 0, 0}, axis = {0, 0, 1}; ///< the axis of unit length
    double radius = 0, sense = 1;              ///< sense: 1 about the axis, −1 against it

    /// Unit vectors from the centre to where a rope that runs along e touches, and to where a
    /// straight rope from p arrives, or one to p leaves.
    Vec3 side_of(const Vec3& e) const;
    Vec3 arrival_from(const Vec3& p) const { return tangent_through(p, sense); }
    Vec3 departure_to(const Vec3& p) const { return tangent_through(p, -sense); }
    Vec3 direction_at(const Vec3& side) const { return cross(axis, side) * sense; }
    /// By what angle a rope goes on from one side to another, from −π to π.
    double angle_between(const Vec3& from, const Vec3& to) const;
    Vec3 turned(const Vec3& side, double angle) const; ///< as the rope runs

private:
    Vec3 tangent_through(const Vec3& p, double turn) const;
};

/// Where a straight rope leaves one wheel and arrives at another.
struct WheelLeg {
    Vec3 from = {0, 0, 0}, to = {0, 0, 0}; ///< unit vectors from the centres
};
WheelLeg find_leg(const Wheel& first, const Wheel& second);

/// Legs and arcs of a rope that runs through eyes and round wheels, from a to b.
struct EyeLegs {
    static constexpr std::size_t kMost = 15; ///< eyes and wheels of one path

    std::size_t count = 0;                   ///< of legs: one more than eyes
    std::array<Vec3, kMost + 1> unit = {};   ///< their directions; zero at a drum
    std::array<double, kMost + 1> size = {}; ///< [m]; at a drum: what it has wound up in this step
    std::array<Vec3, kMost> arrive = {}, leave = {}; ///< of each eye: where the rope touches it
    std::array<double, kMost> arc = {};              ///< length on it [m]
    std::array<double, kMost> angle = {};            ///< by which it turns the rope
    std::array<Wheel, kMost> wheel = {};

    double arrival(std::size_t eye) const; ///< path length up to where the rope meets an eye
    double total() const { return arrival(count - 1); }
};

/// `motion`: of a, b and the passes.
EyeLegs measure_legs(const EyePath& path, std::span<const SiteMotion> motion);

/// A point of a path.
struct PathPlace {
    Vec3 point = {0, 0, 0}, tangent = {0, 0, 0};
    std::size_t eye = 0;  ///< on whose arc it is, else the nearest
    std::size_t leg = 0;  ///< on which it is, or the one behind the arc
    bool is_free = false; ///< on a leg
};
/// At a length from a. Less than 0: on the drum that the path begins at; more than all: on the
/// last.
PathPlace place_on(const EyePath& path, const EyeLegs& legs, double s);

} // namespace sinew
