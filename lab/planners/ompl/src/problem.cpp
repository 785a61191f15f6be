#include "problem.h"

#include <ompl/base/DiscreteMotionValidator.h>
#include <ompl/base/goals/GoalState.h>
#include <ompl/base/objectives/PathLengthOptimizationObjective.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/PathSimplifier.h>
#include <ompl/geometric/planners/informedtrees/BITstar.h>
#include <ompl/geometric/planners/kpiece/KPIECE1.h>
#include <ompl/geometric/planners/prm/PRMstar.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/RandomNumbers.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "srdf.h"
#include "text.h"

namespace ob = ompl::base;
namespace og = ompl::geometric;

namespace {

// Seconds that all threads of the process have computed.
double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

ob::PlannerTerminationCondition after(double seconds) {
  const double until = now() + seconds;
  return ob::PlannerTerminationCondition([until] { return now() > until; });
}

std::set<std::pair<std::string, std::string>> pairsOf(const std::string &srdf, const Robot &robot) {
  std::set<std::pair<std::string, std::string>> out;
  for (const auto &[a, b] : readSrdf(srdf, robot).disabled) out.insert(a < b ? std::make_pair(a, b) : std::make_pair(b, a));
  return out;
}

// Every so many of the samples that judge a path are judged by Judge as well, which is slower and shares no code with Sampler but FCL's.
constexpr long second = 50;

ob::PlannerPtr plannerOf(const std::string &name, const ob::SpaceInformationPtr &si, double range) {
  if (name == "RRTConnect") {
    const auto made = std::make_shared<og::RRTConnect>(si);
    if (range > 0) made->setRange(range);
    return made;
  }
  if (name == "KPIECE1") return std::make_shared<og::KPIECE1>(si);
  if (name == "PRMstar") return std::make_shared<og::PRMstar>(si);
  if (name == "BITstar") return std::make_shared<og::BITstar>(si);
  throw Failure("there is no planner " + quoted(name));
}

// The states of a path as numbers.
std::vector<std::vector<double>> numbers(og::PathGeometric &path) {
  std::vector<std::vector<double>> out;
  for (const ob::State *s : path.getStates()) {
    out.emplace_back();
    path.getSpaceInformation()->getStateSpace()->copyToReals(out.back(), s);
  }
  return out;
}

// What was asked about motions and about states.
Tally both(Tally motions, const Tally &states) {
  motions.states = states.states;
  motions.freeStates = states.freeStates, motions.hitStates = states.hitStates;
  motions.freeStateTime = states.freeStateTime, motions.hitStateTime = states.hitStateTime;
  return motions;
}

void write(std::ostream &out, const char *name, const Tally &t) {
  out << ",\"" << name << "\":{\"free\":" << t.free << ",\"hit\":" << t.hit << ",\"free_time\":" << t.freeTime << ",\"hit_time\":" << t.hitTime
      << ",\"free_length\":" << t.freeLength << ",\"hit_length\":" << t.hitLength << ",\"known\":" << t.known << ",\"states\":" << t.states
      << ",\"free_states\":" << t.freeStates << ",\"hit_states\":" << t.hitStates << ",\"free_state_time\":" << t.freeStateTime << ",\"hit_state_time\":" << t.hitStateTime << "}";
}

}  // namespace

Models::Models(const std::string &urdf, const std::string &srdf, const std::vector<std::pair<std::string, std::string>> &allowed)
    : robot(Robot::load(urdf, "", 0)), disabled(pairsOf(srdf, robot)), ours(urdf, srdf) {
  for (const auto &[a, b] : allowed) {
    disabled.insert(a < b ? std::make_pair(a, b) : std::make_pair(b, a));
    this->allowed.insert(this->allowed.end(), {a, b});
  }
}

Problem::Problem(const Models &models, const Description &description)
    : models_(models), of_(description), configuration_(models.robot.zero()), sampler_(models.robot, models.disabled, description.objects),
      strict_(models.robot, models.disabled, description.objects, 1e-12), judge_(models.robot) {
  for (const auto &name : of_.joints) variables_.push_back(models.robot.variable(name));
  std::vector<std::string> heldNames;
  std::vector<double> heldValues;
  for (const auto &[name, value] : of_.held) {
    configuration_[models.robot.variable(name)] = value;
    heldNames.push_back(name), heldValues.push_back(value);
  }
  judge_.narrow.solid = true;
  for (const auto &[a, b] : models.disabled) judge_.disable(a, b);
  for (const auto &o : of_.objects) judge_.addObject(o.id, o.piece, o.poseRS);
  const firstcontact::Strings joints(of_.joints), held(heldNames), allowed(models.allowed);
  fc_options options = fc_options_default();
  options.joints = joints.get(), options.state_joints = held.get(), options.state_positions = heldValues.data();
  options.allowed = allowed.get();
  checker_ = std::make_unique<firstcontact::Checker>(models.ours, firstcontact::Scene(of_.scene, models.ours), options);
}

const Configuration &Problem::at(const std::vector<double> &q) {
  for (std::size_t i = 0; i < q.size(); i++) configuration_[variables_[i]] = q[i];
  return configuration_;
}

std::string Problem::run(const std::string &name, const std::string &checker, int seed, double seconds, double dense, double range) {
  if (!checker_->checkState(of_.start).free() || !checker_->checkState(of_.goal).free()) return "{\"touches\":true}";
  ompl::RNG::setSeed(static_cast<std::uint_fast32_t>(seed));  // of all generators made from here on
  const auto space = firstcontact::ompl::makeSpace(*checker_);
  auto *vector = dynamic_cast<ob::RealVectorStateSpace *>(space.get());
  if (!vector) throw Failure("a robot with continuous joints needs another space");
  ob::RealVectorBounds bounds = vector->getBounds();  // files round: ends are within
  for (std::size_t i = 0; i < of_.start.size(); i++) {
    bounds.low[i] = std::min({bounds.low[i], of_.start[i], of_.goal[i]});
    bounds.high[i] = std::max({bounds.high[i], of_.start[i], of_.goal[i]});
  }
  vector->setBounds(bounds);
  const auto si = std::make_shared<ob::SpaceInformation>(space);

  // Both kinds of checkers are counted by the same code.
  std::shared_ptr<CountedStates> states;
  ob::MotionValidatorPtr validator;
  if (checker == "proof") {
    const auto proofs = std::make_shared<firstcontact::ompl::StateValidity>(*checker_, si);
    states = std::make_shared<CountedStates>(si, [proofs](const ob::State *s) { return proofs->isValid(s); });
    validator = std::make_shared<firstcontact::ompl::MotionValidity>(*checker_, si);
  } else {
    if (checker != "default") space->setLongestValidSegmentFraction(parseNumber(checker, "the resolution") / space->getMaximumExtent());
    std::vector<double> q;
    states = std::make_shared<CountedStates>(si, [this, si, q](const ob::State *s) mutable {
      if (!si->satisfiesBounds(s)) return false;
      si->getStateSpace()->copyToReals(q, s);
      return sampler_.free(at(q));
    });
    validator = std::make_shared<ob::DiscreteMotionValidator>(si);
  }
  const auto motions = std::make_shared<CountedMotions>(si, validator);
  si->setStateValidityChecker(states);
  si->setMotionValidator(motions);
  si->setup();

  ob::ScopedState<> from(space), to(space);
  for (std::size_t i = 0; i < of_.start.size(); i++) from[i] = of_.start[i], to[i] = of_.goal[i];
  const auto definition = std::make_shared<ob::ProblemDefinition>(si);
  definition->setStartAndGoalStates(from, to);
  definition->setOptimizationObjective(std::make_shared<ob::PathLengthOptimizationObjective>(si));  // PRM* and BIT* go on until the time is over
  const auto planner = plannerOf(name, si, range);
  planner->setProblemDefinition(definition);
  planner->setup();

  const double began = now();
  planner->solve(after(seconds));
  const double planned = now() - began;

  std::ostringstream out;
  out.precision(9);
  const bool solved = definition->hasExactSolution();
  out << "{\"planner\":\"" << name << "\",\"checker\":\"" << checker << "\",\"seed\":" << seed << ",\"solved\":" << (solved ? "true" : "false")
      << ",\"resolution\":" << (checker == "proof" ? 0 : space->getLongestValidSegmentLength()) << ",\"plan\":" << planned;
  write(out, "planning", both(motions->tally, states->tally));
  if (!solved) return out.str() + "}";

  auto path = *std::static_pointer_cast<og::PathGeometric>(definition->getSolutionPath());
  const auto found = numbers(path);
  const double length = path.length();
  motions->tally = Tally(), states->tally = Tally();
  og::PathSimplifier simplifier(si);
  const double then = now();
  const bool kept = simplifier.simplify(path, after(seconds));
  const double simplified = now() - then;
  write(out, "simplifying", both(motions->tally, states->tally));
  out << ",\"kept\":" << (kept ? "true" : "false") << ",\"simplify\":" << simplified << ",\"length\":" << length << ",\"shortened\":" << path.length();
  const auto tell = [&](const char *what, const Judged &j) {
    out << ",\"" << what << "\":{\"samples\":" << j.samples << ",\"hits\":" << j.hits << ",\"proof\":\"" << j.proof << "\"}";
  };
  tell("found", judge(found, dense));
  tell("final", judge(numbers(path), dense));
  return out.str() + "}";
}

Problem::Judged Problem::judge(const std::vector<std::vector<double>> &path, double dense) {
  Judged out;
  const firstcontact::Verdict v = checker_->checkPath(path);
  out.proof = v.free() ? "free" : v.contact_found() ? "contact" : "undecided";
  std::vector<double> q(path[0].size());
  for (std::size_t i = 0; i + 1 < path.size(); i++) {
    double way = 0;
    for (std::size_t j = 0; j < q.size(); j++) way += (path[i + 1][j] - path[i][j]) * (path[i + 1][j] - path[i][j]);
    const long n = std::max(1L, static_cast<long>(std::ceil(std::sqrt(way) / dense)));
    for (long k = i == 0 ? 0 : 1; k <= n; k++) {
      for (std::size_t j = 0; j < q.size(); j++) q[j] = path[i][j] + static_cast<double>(k) / static_cast<double>(n) * (path[i + 1][j] - path[i][j]);
      const bool free = strict_.free(at(q));
      if (out.samples % second == 0 && judge_.free(at(q), Scope{}) != free) throw Failure("Sampler and Judge disagree at sample " + std::to_string(out.samples));
      if (!free) out.hits++;
      out.samples++;
    }
  }
  return out;
}
