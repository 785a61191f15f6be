// One problem, for both kinds of checkers, and the runs of planners on it.
#pragma once

#include <firstcontact_ompl.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sampler.h"
#include "tally.h"

// Models is a robot, as FCL's side and as the library read it. Pairs of links in allowed may touch besides those of the SRDF.
struct Models {
  Models(const std::string &urdf, const std::string &srdf, const std::vector<std::pair<std::string, std::string>> &allowed);
  Robot robot;
  std::set<std::pair<std::string, std::string>> disabled;
  std::vector<std::string> allowed;  // a, b, a, b, ..., for the library
  firstcontact::Robot ours;
};

struct Description {
  std::string scene;  // for the library
  std::vector<Sampler::Object> objects;
  std::map<std::string, double> held;
  std::vector<std::string> joints;
  std::vector<double> start, goal;
};

class Problem {
 public:
  Problem(const Models &models, const Description &description);
  // Plans, simplifies and judges; an object of JSON. It has only touches where start or goal is not proved free.
  std::string run(const std::string &planner, const std::string &checker, int seed, double seconds, double dense, double range);

 private:
  struct Judged {
    long samples = 0, hits = 0;  // of FCL
    std::string proof;           // free, contact or undecided
  };
  Judged judge(const std::vector<std::vector<double>> &path, double dense);
  const Configuration &at(const std::vector<double> &q);

  const Models &models_;
  Description of_;
  std::vector<int> variables_;  // of the joints
  Configuration configuration_;
  Sampler sampler_, strict_;
  Judge judge_;
  std::unique_ptr<firstcontact::Checker> checker_;
};
