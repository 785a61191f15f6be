// Robot and scene as urdfdom, tinyxml2, yaml-cpp and assimp read them.
#pragma once

#include <fcl/narrowphase/collision_object.h>

#include <Eigen/Geometry>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "solid.h"

// Failure is input that this judge does not understand.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Pose = Eigen::Isometry3d;

// Shape is one collision shape in its own frame.
struct Shape {
  std::shared_ptr<fcl::CollisionGeometryd> geometry;
  std::shared_ptr<const Solid> solid;    // null for a primitive, which FCL takes for a solid
  std::vector<Eigen::Vector3d> probes;   // a point of each connected part
  Pose pose = Pose::Identity();          // in the body's frame
  Eigen::Vector3d center;                // of a ball around it, in the body's frame
  double radius = 0;
};

// Body is a link or an object.
struct Body {
  std::string name;
  int link = -1;               // the link, or the one that carries the object; -1 in the world
  Pose pose = Pose::Identity();  // in the frame of the link or of the scene
  std::vector<Shape> shapes;
  double padding = 0;
};

enum class Kind { fixed, revolute, continuous, prismatic, planar };

struct Joint {
  std::string name;
  Kind kind;
  int parent, child;
  Pose origin;
  Eigen::Vector3d axis;
  bool bounded = false;
  double lower = 0, upper = 0;
  int leader = -1;  // the joint at the end of the chain of followers, or itself
  double multiplier = 1, offset = 0;
  long double product = 1;  // the multiplier, rounded less
  int variable = -1;        // first of the leader's
};

struct Variable {
  std::string name;
  bool continuous = false;
  std::vector<std::pair<bool, long double>> followers = {};  // whether it turns, and how often for one turn of this
  double rest = 0;  // at the model's default state

  // Whether so many whole turns leave every joint that follows where it is.
  bool turnsUnseen(int turns) const;
};

struct Robot {
  std::vector<std::string> links;  // parents before children; links[0] is the root
  std::vector<int> parentJoint;    // of each link
  std::vector<Joint> joints;
  std::vector<Variable> variables;
  std::vector<Body> bodies;  // links with shapes

  int link(const std::string &name) const;
  int variable(const std::string &name) const;  // -1 where there is none
  const Joint *joint(const std::string &name) const;
  // The poses of all links, the root's being as given.
  void place(const std::vector<double> &q, const Pose &root, std::vector<Pose> &out) const;
};

using NamePairs = std::set<std::pair<std::string, std::string>>;
inline std::pair<std::string, std::string> ordered(const std::string &a, const std::string &b) {
  return a < b ? std::make_pair(a, b) : std::make_pair(b, a);
}

struct Scene {
  std::vector<Body> bodies;
  NamePairs allowed;
  std::map<std::string, double> linkPadding;
};

Robot loadRobot(const std::string &path);

// Reads the pairs that an SRDF disables, and its group states as the robot's default.
NamePairs loadSRDF(const std::string &path, Robot &robot);

Scene loadScene(const std::string &path, const Robot &robot);

// Objects that a DisplayTrajectory says the robot carries.
std::vector<Body> loadAttached(const std::string &path, const Robot &robot, NamePairs &allowed);
