#pragma once

// How things look, and where they are looked at: numbers that pictures, the viewer and exports
// share. Nothing here changes how anything moves.

#include "sinew/math.h"

#include <cstdint>
#include <optional>

namespace sinew {

/// What breaks up a surface that would be of one colour.
enum class LookPattern : std::uint8_t {
    none,
    wood,  ///< rings about the longest side
    brick, ///< pits and spots of fired clay
    stone, ///< soft clouds
    weave, ///< threads over and under
    rope,  ///< three strands laid about each other; of curves
    hair,  ///< fibres: light along them, through them and back; of curves
    grass  ///< blades: darker at the root
};

/// A surface as physically based shading takes it; all from 0 to 1 but the glow.
struct Look {
    double roughness = 0.35; ///< 0 mirrors, 1 is chalk
    double metal = 0;        ///< 1: all of its light is mirrored, in its colour
    double transparency = 0; ///< light that passes through it: 1 is glass
    double translucency = 0; ///< light that is scattered through it: leaves, paper, skin
    double sheen = 0;        ///< soft light towards its rim: cloth
    double glow = 0;         ///< light of its own, in multiples of its colour
    double relief = 0;       ///< how strong its pattern is
    double variation = 0;    ///< how much one instance differs from the next in lightness
    LookPattern pattern = LookPattern::none;

    bool operator==(const Look&) const = default;
};

enum class Sky : std::uint8_t { day, clear, evening, night, white, dark };
enum class Floor : std::uint8_t { plain, grass, wood, stone, tiles, none };

/// What is around the things of a picture.
struct Studio {
    Sky sky = Sky::day;
    Floor floor = Floor::plain;
    std::optional<double> ground = {};    ///< its height [m]; else below the lowest thing
    std::optional<double> azimuth = {};   ///< of the sun, from z towards x [rad]
    std::optional<double> elevation = {}; ///< of the sun above the horizon [rad]
    double softness = 0.5;                ///< of shadows, 0 to 1
    double light = 1;                     ///< a factor on all of it
    std::optional<Vec3> backdrop = {};    ///< sRGB: one colour behind everything
    double aperture = 0;                  ///< [m]: width of the lens; 0: everything is sharp
    double focus = 0;                     ///< [m]: how far away things are sharp; 0: at the target
    double shutter = 0;                   ///< the part of a frame that it is open, 0 to 1

    bool operator==(const Studio&) const = default;
};

/// Hairs that are drawn about strands, which guide them.
struct Children {
    std::uint32_t count = 0; ///< for each strand
    double clump = 0.3;      ///< how far tips gather at the strand, 0 to 1
    double frizz = 0.1;      ///< how far they stray, 0 to 1 of the distance of strands
    double taper = 0.7;      ///< how much thinner tips are, 0 to 1
    double ragged = 0.1;     ///< how much lengths differ, 0 to 1
    double spread = 0;       ///< [m]: about the roots; 0: up to the next strands
    double radius = 0;       ///< [m]; 0: by how many there are
    std::uint32_t seed = 0;

    bool operator==(const Children&) const = default;
};

} // namespace sinew
