// Whether two posed shapes touch and how far apart they are, by FCL.
#pragma once

#include <fcl/narrowphase/collision_object.h>

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

  // Metres, of libccd's MPR and GJK. With FCL's default of 1e-6 round shapes that
  // overlap by less are missed; at 1e-12 none was, down to 1e-12 (see README).
  double tolerance = 1e-12;

  bool touch(const Element &a, const Element &b) const;

  // Metres apart; 0 or less where the two touch.
  double distance(const Element &a, const Element &b) const;

  // FCL's greatest depth of a contact in metres: of two primitives the way out,
  // of meshes only that of single triangles. 0 where the surfaces are apart.
  double depth(const Element &a, const Element &b) const;
};

// A lower bound of the distance, by the spheres about the two shapes.
double sphereGap(const Element &a, const Element &b);
