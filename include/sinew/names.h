#pragma once

// Says what tables, recordings and exports call things, and what a name means. Messages leave out
// the way where it is clear: `object_names` of scene.h. Names of strands and rods: scene.h; of what
// holds them: frame.h.
//
// A name is the way down to a thing, "left.tip", so that it stays when other instances are added.
// The first of several alike has the plain name: "crate", "crate#2".

#include "sinew/scene.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// Lists what tables, recordings and exports call each object, as Scene::objects. The world is
/// "world".
std::vector<std::string> object_paths(const Scene& scene);

/// Lists what tables call each `probe` of the script, as Scene::drawings: the way down to
/// where it is written and its own name.
std::vector<std::string> probe_names(const Scene& scene);

/// Which of these names a text means: the one that is the same; else what a script would mean by it
/// outside all defs, "tip" for "left.tip" where that is the only one, or what older versions called
/// so. Several where it is not clear, none where there is no such name.
std::vector<std::size_t> find_names(std::span<const std::string> names, std::string_view wanted);

/// How a script names an object outside all defs; nothing where it cannot.
std::optional<std::string> script_name(const Scene& scene, ObjectId object);

} // namespace sinew
