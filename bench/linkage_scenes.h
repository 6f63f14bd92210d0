#pragma once

// Mechanisms of any size, made by program: what bench/linkages.cpp measures and tests/alloc counts.

#include "sinew/scene.h"

#include <string>

namespace sinew::bench {

/// A chain in the plane, one end fixed: masses of 1 kg, each on two coordinates, tied to the one
/// before by a distance of 1 m. Starts at rest, straight, `angle` away from hanging.
Scene make_chain(int masses, double angle = 0.8);

/// The same chain with one angle for each link: every frame rides on the one before. The angles are
/// relative to the link before.
Scene make_nested_chain(int masses, double angle = 0.8);

/// Two chains in the plane with a rung between each pair of masses.
Scene make_ladder(int masses);

/// Masses in `rows` rows and `columns` columns in space, tied to their neighbours by distances of
/// 1 m and hung up at the corners of the first row. Crumpled, so that no two ties are parallel.
Scene make_net(int rows, int columns);

} // namespace sinew::bench
