#pragma once

// Arguments and effects of the words of rods; their rows are in words.cpp.

#include "charli/words/body_words.h"

namespace sinew::charli {

void add_rod(const Call& call, Scene& scene);
void set_rods(const Call& call, Scene& scene);

constexpr Argument kRod[] = {
    {"path", ArgumentKind::path, "", "its shape at the start, in the frame of the def; constant"},
    {"spans", ArgumentKind::whole, "",
     "pieces of the curve, 1 to 100,000; 20 when nothing is said. Its stiffness does not depend "
     "on them",
     Range::any, true, 20},
    optional_number("radius", "m", "of its round section; 5 mm when nothing is said",
                    Range::positive, 0.005),
    optional_number("young", "Pa", "Young's modulus; 1e7 when nothing is said", Range::positive,
                    1e7),
    optional_number("poisson", "", "above -1, at most 0.5; 0.3 when nothing is said", Range::any,
                    0.3),
    optional_number("density", "kg/m³", "1000 when nothing is said", Range::positive, 1000),
    optional_number("damping", "s", "in what time its strains come to rest; 0 when nothing is said",
                    Range::not_negative, 0),
    optional_number("length", "m", "when nothing pulls; as drawn when nothing is said",
                    Range::positive, 0),
    {"rest", ArgumentKind::word, "", "its shape when nothing pulls; as drawn when nothing is said",
     Range::any, true, 0, "drawn straight"},
    {"rest_path", ArgumentKind::path, "", "or another shape when nothing pulls; constant",
     Range::any, true},
    {"model", ArgumentKind::word, "",
     "spline: stretches, bends and twists; chain: points with springs between them", Range::any,
     true, 0, "spline chain"},
    optional_number("drag_along", "N s/m²", "of the air, by length and speed along the rod",
                    Range::not_negative, 0),
    optional_number("drag_across", "N s/m²", "across it", Range::not_negative, 0)};

constexpr Argument kRods[] = {
    {"iterations", ArgumentKind::whole, "",
     "of each stage; 1 is the paper's linearised step; 0, until it converges, when nothing is said",
     Range::not_negative, true, 0},
    {"contact", ArgumentKind::word, "",
     "bodies: rods touch bodies and obstacles; all: each other and themselves too; none. bodies "
     "when nothing is said",
     Range::any, true, 0, "bodies all none"},
    {"solver", ArgumentKind::word, "",
     "how forces of constraints are found: fast, the default; banded: as in the paper, in a band",
     Range::any, true, 0, "fast banded"},
    optional_number("tolerance", "m/s", "what velocities may still change by in a stage; 1e-6",
                    Range::positive, 1e-6),
    {"stepping", ArgumentKind::word, "",
     "inertial, the default; quasi_static: without inertia, at rest at the end of every step",
     Range::any, true, 0, "inertial quasi_static"}};

constexpr auto kRodOnly = only(kRod);
constexpr auto kRodsOnly = only(kRods);

} // namespace sinew::charli
