// A robot among objects: which pairs touch at a configuration, how far apart
// they are, and what a sampled straight motion meets first.
#pragma once

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "narrow.h"
#include "robot.h"

// Scope tells which pairs count: link with link, link with object, or both.
struct Scope {
  bool self = true, world = true;
};

// Indices of bodies: links as in the robot, then objects in order of arrival.
using BodyPair = std::pair<int, int>;

struct PairDistance {
  BodyPair pair;
  double distance;
};

class Judge {
 public:
  Narrow narrow;

  explicit Judge(Robot robot);

  const Robot &robot() const { return robot_; }
  const std::string &name(int body) const { return names_[body]; }
  int body(const std::string &name) const;  // throws where there is none

  void addObject(const std::string &id, const Piece &piece, const Eigen::Isometry3d &poseRS);
  void clearObjects();

  // Leaves a pair out; true where it was not left out before. The names may be
  // of objects yet to come.
  bool disable(const std::string &a, const std::string &b);
  void enableAll();
  std::size_t disabled() const { return disabled_.size(); }

  // The pairs that touch at q, sorted.
  std::set<BodyPair> touching(const Configuration &q, Scope scope) { return touching(q, scope, false); }
  bool free(const Configuration &q, Scope scope) { return touching(q, scope, true).empty(); }

  // The distance of every enabled pair, sorted by pair.
  std::vector<PairDistance> distances(const Configuration &q, Scope scope);
  // The least of them no greater than `below`; false where there is none.
  bool closest(const Configuration &q, Scope scope, double below, PairDistance &out);
  // The distance of one pair, enabled or not; false where one has no shape.
  bool distance(const Configuration &q, BodyPair pair, double &out);

  // How deep the pairs that touch at q reach into each other, sorted by pair.
  std::vector<PairDistance> depths(const Configuration &q, Scope scope);

  // The settings of `narrow` changed: forget what was kept of rigid pairs.
  void forget();

 private:
  using Elements = std::vector<std::unique_ptr<Element>>;
  struct SelfPair {
    Element *a, *b;
    bool rigid;      // the two never move against each other
    char known = 0;  // for rigid pairs: 0 unknown, 1 apart, 2 touching
  };

  bool enabled(int a, int b) const;
  std::vector<const Element *> elementsOf(int body) const;
  void prepare();
  void prepareWorld();
  void place(const Configuration &q);
  std::set<BodyPair> touching(const Configuration &q, Scope scope, bool stopAtFirst);
  void touchingWorld(Element &element, bool stopAtFirst, std::set<BodyPair> &out);
  template <typename Visit>
  void eachPair(Scope scope, Visit visit);

  Robot robot_;
  std::vector<std::string> names_;
  Elements linkElements_, objectElements_;
  std::set<std::pair<std::string, std::string>> disabled_;
  std::unique_ptr<fcl::DynamicAABBTreeCollisionManagerd> world_;
  Poses poses_;

  bool prepared_ = false, worldPrepared_ = false;  // the latter without the former means nothing
  std::set<BodyPair> off_;  // disabled_ by index
  std::vector<SelfPair> selfPairs_;
  std::vector<BodyPair> rootTouches_;  // of links fixed to the root, with objects
  bool rootKnown_ = false;
};
