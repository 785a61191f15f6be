// The kinematic tree of a URDF (read by urdfdom) and its forward kinematics.
#pragma once

#include <Eigen/Geometry>
#include <map>
#include <string>
#include <vector>

#include "piece.h"

// LinkPiece is one collision element, posed in its link's frame.
struct LinkPiece {
  Eigen::Isometry3d poseLS;
  Piece piece;
};

struct Link {
  std::string name;
  int parentJoint = -1;  // -1 for the root
  int rigid = -1;        // the link it is rigidly fixed to, nearest the root; itself if none
  std::vector<LinkPiece> pieces;
};

enum class JointType { fixed, revolute, continuous, prismatic, planar, floating };

struct Joint {
  std::string name;
  JointType type = JointType::fixed;
  int parent = -1, child = -1;  // links
  Eigen::Isometry3d posePC = Eigen::Isometry3d::Identity();
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  // in the child's frame
  int variable = -1;  // first of its variables; of the joint it follows, where it follows one
  double multiplier = 1, offset = 0;
};

// One number of a configuration. Joints with one degree of freedom give their
// own name; a planar joint J gives J/x J/y J/theta; a floating one J/trans_x
// J/trans_y J/trans_z J/rot_x J/rot_y J/rot_z J/rot_w, as MoveIt names them.
struct Variable {
  std::string name;
  bool continuous = false;  // an angle without limits
  bool rotation = false;    // first of the four of a unit quaternion
};

using Configuration = std::vector<double>;  // by variable
using Poses = std::vector<Eigen::Isometry3d, Eigen::aligned_allocator<Eigen::Isometry3d>>;

// Robot is immutable once loaded.
class Robot {
 public:
  std::string name;
  std::vector<Link> links;      // links[0] is the root, parents before children
  std::vector<Joint> joints;    // in the order of the links they carry
  std::vector<Variable> variables;

  // Loads a URDF. package://PKG/REST is packageRoot/PKG/REST; other relative
  // names count from the URDF's folder.
  static Robot load(const std::string &path, const std::string &packageRoot, int facets);

  int link(const std::string &name) const;      // -1 where there is none
  int variable(const std::string &name) const;  // throws, saying why a name is none

  Configuration zero() const;

  // Poses of all links in the root's frame.
  void forward(const Configuration &q, Poses &out) const;

  // The configuration at the part t of the way. Continuous joints take the
  // short way where asked; quaternions turn at a constant rate.
  void between(const Configuration &from, const Configuration &to, double t, bool shortWay, Configuration &out) const;

 private:
  std::map<std::string, int> linkByName_, variableByName_;
  std::map<std::string, std::string> noVariable_;  // joint name to why it has none
};
