// Whether samples of a motion refute a verdict.
#pragma once

#include <optional>

#include "model.h"
#include "motion.h"

struct Verdict {
  std::string status;  // free, contact or undecided
  double lo = 0, hi = 0;
  std::string a, b;
  Eigen::Vector3d pointA, pointB;
  double tolerance = 0;
};

// Found is what samples say: nothing, or the first contact deeper than a tie.
struct Found {
  bool contact = false;
  double time = 0;
  std::string a, b;
  int samples = 0, ties = 0;
};

class Judge {
 public:
  Robot robot;
  NamePairs srdf, options;
  bool hasSRDF = false;
  Scene scene;
  std::map<std::string, double> state, linkPadding;
  std::map<std::string, double> tube;  // how far variables may stray
  double padding = 0, clearance = 0;

  // Decides which pairs are judged.
  void prepare();
  // Held is the positions of joints that a motion does not name.
  std::vector<double> held() const;
  // Adds objects that a trajectory says the robot carries.
  void carry(std::vector<Body> bodies, const NamePairs &allowed);

  Found sample(const Motion &motion, double until) ;
  // How far a pair is apart beyond paddings and clearance at a time; nothing where the pair
  // is not one that is judged.
  std::optional<double> apart(const Motion &motion, double t, const std::string &a, const std::string &b);
  // Whether a point is within reach of a body at a time.
  bool near(const Motion &motion, double t, const std::string &body, const Eigen::Vector3d &point, double reach);

  int selfPairs = 0, worldPairs = 0, ambiguous = 0, leftOut = 0;

 private:
  struct Pair {
    int a, b;
    double margin;  // closer than this is contact: paddings and clearance
  };
  std::vector<Body> bodies_;
  std::vector<Pair> pairs_;
  std::vector<Pose> links_, poses_;
  std::vector<std::vector<Eigen::Vector3d>> centers_;

  void place(const std::vector<double> &q, const Pose &root);
  bool contactHere(Found &found) const;
  bool meet(const Pair &pair, double margin, const Eigen::Vector3d &shift) const;
  bool meetDeeply(const Pair &pair, double margin) const;
  double distance(int a, int b) const;
  double paddingOf(const Body &body, bool withScene) const;
  bool adjacent(int linkA, int linkB) const;
};
