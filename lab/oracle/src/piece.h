// One collision shape in its own frame, as FCL takes it.
#pragma once

#include <fcl/geometry/collision_geometry.h>

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "mesh.h"

// Piece is a primitive (solid) or a mesh (a surface, and with solid set also
// what its closed components enclose).
struct Piece {
  std::shared_ptr<fcl::CollisionGeometryd> geometry;
  std::shared_ptr<const Solid> solid;    // null for a primitive
  std::vector<Eigen::Vector3d> probes;   // a point of each connected component
  std::size_t triangles = 0;
  std::size_t dropped = 0;  // degenerate faces of the file
};

// Makers of pieces; meshes are remembered by file and scale.
// With facets > 0, primitives become meshes: boxes exactly, round ones with
// that many facets around, inscribed.
namespace pieces {
Piece box(const Eigen::Vector3d &size, int facets);
Piece cylinder(double radius, double length, int facets);
Piece sphere(double radius, int facets);
Piece capsule(double radius, double length, int facets);
Piece cone(double radius, double length, int facets);
Piece mesh(const std::string &path, const Eigen::Vector3d &scale);
}  // namespace pieces
