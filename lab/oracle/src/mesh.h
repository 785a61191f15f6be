// Triangle meshes from files (by assimp) and what their surface encloses.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

// Mesh is a triangle mesh in metres, in its own frame.
struct Mesh {
  std::vector<Eigen::Vector3d> points;
  std::vector<std::array<int, 3>> triangles;
  std::size_t dropped = 0;  // triangles without area, points and lines of the file
};

// Loads a mesh as ROS does: the transforms of a COLLADA file's nodes and its
// <unit> are applied, its <up_axis> is not; then scale. Throws Failure for a
// file that cannot be read, holds no triangle or has a coordinate that is not
// finite.
Mesh loadMesh(const std::string &path, const Eigen::Vector3d &scale);

// Solid answers whether a point lies inside the closed components of a mesh.
class Solid {
 public:
  explicit Solid(const Mesh &mesh);

  // One vertex of each connected component, closed or not.
  const std::vector<Eigen::Vector3d> &probes() const { return probes_; }
  std::size_t components() const { return probes_.size(); }
  std::size_t closedComponents() const { return closed_; }

  // Whether the winding number of the closed components about the point is not
  // zero. A shell turned inward inside another is a cavity. Says nothing of use
  // for a point on the surface.
  bool contains(const Eigen::Vector3d &point) const;

 private:
  std::vector<Eigen::Vector3d> probes_;
  std::vector<std::array<Eigen::Vector3d, 3>> faces_;  // of the closed components
  std::size_t closed_ = 0;
  Eigen::Vector3d min_, max_;
};
