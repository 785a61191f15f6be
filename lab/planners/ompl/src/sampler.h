// Whether a robot touches something at one configuration, by FCL, as fast as FCL gives it.
#pragma once

#include <fcl/narrowphase/collision_request.h>

#include <memory>
#include <vector>

#include "judge.h"

// Sampler answers for a robot among objects what Judge answers, for planners that ask a hundred thousand times: trees of OBB
// for meshes, which are faster than OBBRSS where only overlap is asked, FCL's own tolerances, meshes as surfaces, boxes around bodies
// computed once for each configuration, and an end at the first pair that touches.
class Sampler {
 public:
  struct Object {
    std::string id;
    Piece piece;
    Eigen::Isometry3d poseRS;  // in the root's frame
  };
  // Pairs in disabled are left out, by names. tolerance (m) is that of libccd: FCL's own is 1e-6, with which round shapes may overlap by as
  // much. Throws Failure where a pair touches that never moves.
  Sampler(const Robot &robot, const std::set<std::pair<std::string, std::string>> &disabled, const std::vector<Object> &objects, double tolerance = 1e-6);

  bool free(const Configuration &q);

 private:
  struct Shape {
    std::shared_ptr<fcl::CollisionGeometryd> geometry;
    Eigen::Isometry3d local;  // in its link, or in the root's frame
    int link;                 // -1 for an object
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();                            // in the root's frame
    Eigen::Vector3d middle = Eigen::Vector3d::Zero(), half = Eigen::Vector3d::Zero();  // of the box around it
    void place(const Eigen::Isometry3d &link);
  };
  bool touch(const Shape &a, const Shape &b) const;

  const Robot &robot_;
  fcl::CollisionRequestd request_;
  std::vector<Shape> shapes_;             // of links, then of objects
  std::vector<std::pair<int, int>> pairs_;  // that move against each other: with objects first
  std::vector<int> moving_;
  Poses poses_;
};
