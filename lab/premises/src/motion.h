// What moves, as docs/motions.md says it.
#pragma once

#include <string>
#include <vector>

#include "model.h"

// Move is one variable on one piece: a polynomial in the part of the piece, by powers.
using Move = std::vector<double>;

struct RootMove {
  Pose start = Pose::Identity();
  Eigen::Vector3d point = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero(), turn = Eigen::Vector3d::Zero();
};

struct Piece {
  double start = 0, end = 0;
  std::vector<Move> moves;  // by variable
  RootMove root;
};

struct Motion {
  std::vector<Piece> pieces;
  std::vector<double> unusual;  // times at which something is likely to be missed

  void at(double t, std::vector<double> &q, Pose &root) const;
};

// Reads a table or a trajectory. Variables that it does not move stand as held says.
Motion loadMotion(const std::string &path, const Robot &robot, std::vector<double> held);
