// What a triangle mesh encloses, by the rules of docs/guarantees.md, with CGAL's exact predicates.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

// Triangles is a mesh as a file has it.
struct Triangles {
  std::vector<Eigen::Vector3d> points;
  std::vector<std::array<int, 3>> faces;
};

enum class Side { outside, inside, unknown };

class Solid {
 public:
  explicit Solid(const Triangles &mesh);

  // A point is inside if a cycle of faces modulo 2 has an odd number of crossings with a
  // segment from it to far outside, or if a cycle of oriented faces has a sum of signed
  // crossings that is not 0.
  Side locate(const Eigen::Vector3d &point) const;

  // One corner of each part of the mesh that is connected through vertices.
  const std::vector<Eigen::Vector3d> &probes() const { return probes_; }
  bool encloses() const { return !parity_.empty() || !winding_.empty(); }

 private:
  struct Face {
    std::array<int, 3> corner;
    int patch;
    int sign;  // against the orientation of its patch
  };
  std::vector<Eigen::Vector3d> points_;
  std::vector<Face> faces_;  // each set of three corners once
  std::vector<std::vector<char>> parity_;           // basis of the cycles modulo 2, by patch
  std::vector<std::vector<long long>> winding_;     // of the cycles with orientation, in a prime field
  std::vector<Eigen::Vector3d> probes_;
  Eigen::Vector3d min_, max_;

  void cutIntoPatches(std::vector<char> &orientable);
  void findCycles(const std::vector<char> &orientable);
};
