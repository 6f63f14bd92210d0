#pragma once

#include "collide/mesh/mesh.h"

namespace sinew {

/// The box around triangles; inside out where there are none.
Box box_of(std::span<const CollisionMesh::Triangle> triangles);

/// Half the size of the box around them whose middle is the origin.
Vec3 half_of(std::span<const CollisionMesh::Triangle> triangles);

/// Where triangles are neighbours, by the ids of their corners.
std::vector<MeshEdge> find_edges(std::span<const CollisionMesh::Triangle> triangles);

/// Bends of all edges from corners and normals, and regions.
void bend_edges(std::span<const MeshEdge> edges, std::vector<CollisionMesh::Triangle>& triangles);

} // namespace sinew
