// Whether two posed shapes touch and how far apart they are, by FCL.
#pragma once

#include <fcl/narrowphase/collision_object.h>
#include <fcl/narrowphase/gjk_solver_type.h>

#include <Eigen/Geometry>

#include "piece.h"

// Element is a piece placed in the robot's root frame. Its address is the user
// data of its FCL object: it must not move.
struct Element {
  Element(int body, const Piece &piece, const Eigen::Isometry3d &poseBS);
  Element(const Element &) = delete;
  Element &operator=(const Element &) = delete;

  void place(const Eigen::Isometry3d &poseRB);  // of the body in the root's frame

  int body;
  Piece piece;
  Eigen::Isometry3d poseBS;  // in the frame of its body
  mutable fcl::CollisionObjectd object;
};

struct Narrow {
  bool solid = false;  // closed meshes are solids
  fcl::GJKSolverType solver = fcl::GJKSolverType::GST_LIBCCD;
  double distanceTolerance = 1e-9;  // of FCL's GJK, in metres

  bool touch(const Element &a, const Element &b) const;

  // Metres apart; 0 or less where the two touch.
  double distance(const Element &a, const Element &b) const;
};

// A lower bound of the distance, by the spheres about the two shapes.
double sphereGap(const Element &a, const Element &b);
