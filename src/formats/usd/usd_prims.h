#pragma once

#include "formats/usd/usd_layer.h"
#include "formats/writer.h"

#include <functional>
#include <string>
#include <vector>

namespace sinew::formats {

/// The value of an attribute at an instant.
using UsdSampler = std::function<UsdValue(const Window&)>;

/// An exported scene as prims, and what animates each attribute with `is_animated`, in the order in
/// which `for_each_animated` meets them.
struct UsdScene {
    UsdLayer layer;
    std::vector<UsdSampler> samplers;
};
UsdScene make_usd_scene(const Job& job);

/// Every attribute that moves: those of a prim, then those of its children.
void for_each_animated(std::vector<UsdPrim>& prims, const std::function<void(UsdAttribute&)>& call);

/// Control points whose curve passes through the nodes: the nodes themselves, but for B-splines.
void fit_basis(CurveBasis basis, std::span<Vec3> nodes);

} // namespace sinew::formats
