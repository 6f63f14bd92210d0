#pragma once

// Arguments and effects of the words of rods; their rows are in words.cpp.

#include "charli/words/body_words.h"

namespace sinew::charli {

void add_rod(const Call& call, Scene& scene);
void set_rods(const Call& call, Scene& scene);

constexpr Argument kRod[] = {
    {"path", ArgumentKind::path, "",
     "its shape at the start, in the frame of the def; constant; a closed_spline makes it closed"},
    {"spans", ArgumentKind::whole, "",
     "number of pieces, 1 to 100,000; default 20. The stiffness does not depend on it", Range::any,
     true, 20},
    optional_number("radius", "m", "of the round section; default 5 mm", Range::positive, 0.005),
    optional_number("young", "Pa", "Young's modulus; default 1e7", Range::positive, 1e7),
    optional_number("poisson", "", "above -1, at most 0.5; default 0.3", Range::any, 0.3),
    optional_number("density", "kg/m³", "default 1000", Range::positive, 1000),
    optional_number("damping", "s", "relaxation time of its strains; default 0",
                    Range::not_negative, 0),
    optional_number("stretch_stiffness", "N", "EA; default from the section", Range::positive, 0),
    optional_number("bend_stiffness", "N m²", "EI; default from the section", Range::positive, 0),
    optional_number("twist_stiffness", "N m²",
                    "GJ; default bend_stiffness / (1 + poisson), that of a round section",
                    Range::positive, 0),
    optional_number("mass_per_length", "kg/m", "default density times section", Range::positive, 0),
    optional_number("stretch_damping", "s", "damping of stretch; default `damping`",
                    Range::not_negative, 0),
    optional_number("bend_damping", "s", "damping of bending", Range::not_negative, 0),
    optional_number("twist_damping", "s", "damping of twist", Range::not_negative, 0),
    optional_number("length", "m", "rest length; default as drawn", Range::positive, 0),
    {"rest", ArgumentKind::word, "",
     "rest shape; by default a polyline is straight, everything else as drawn", Range::any, true, 0,
     "drawn straight"},
    {"rest_path", ArgumentKind::path, "", "another rest shape; constant", Range::any, true},
    {"model", ArgumentKind::word, "",
     "spline: stretches, bends and twists; chain: points with springs between them", Range::any,
     true, 0, "spline chain"},
    optional_number("drag_along", "N s/m²", "air drag per length and speed, along the rod",
                    Range::not_negative, 0),
    optional_number("drag_across", "N s/m²", "across it", Range::not_negative, 0)};

constexpr Argument kRods[] = {
    {"iterations", ArgumentKind::whole, "",
     "iterations per stage; 1 is the linearised step of the paper; default 0, until it converges",
     Range::not_negative, true, 0},
    {"contact", ArgumentKind::word, "",
     "bodies (default): rods collide with bodies and obstacles; all: with strands, each other "
     "and themselves, too; none: no contact",
     Range::any, true, 0, "bodies all none"},
    {"solver", ArgumentKind::word, "",
     "how constraint forces are found: fast (default); banded: by a banded matrix, as in the paper",
     Range::any, true, 0, "fast banded"},
    optional_number("tolerance", "m/s",
                    "largest change of velocities at the end of a stage; default 1e-6",
                    Range::positive, 1e-6),
    {"stepping", ArgumentKind::word, "",
     "inertial (default); quasi_static: without inertia, in equilibrium at the end of every step",
     Range::any, true, 0, "inertial quasi_static"}};

constexpr auto kRodOnly = only(kRod);
constexpr auto kRodsOnly = only(kRods);

} // namespace sinew::charli
