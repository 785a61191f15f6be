// What a planner asks, and what its checker takes to answer.
#pragma once

#include <ompl/base/MotionValidator.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateValidityChecker.h>

#include <time.h>

#include <functional>
#include <unordered_set>
#include <vector>

struct Tally {
  long free = 0, hit = 0;              // motions that were told valid, and not
  double freeTime = 0, hitTime = 0;    // s, that the checker took
  double freeLength = 0, hitLength = 0;  // rad
  long known = 0;                      // motions from a state from or to which one was asked before
  long states = 0;                     // configurations that were judged by themselves, those of sampled motions too
  long freeStates = 0, hitStates = 0;  // of these, those that the planner itself asked about
  double freeStateTime = 0, hitStateTime = 0;
};

// Seconds that this thread has computed.
inline double computed() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Inside is true while a motion is being judged.
inline bool &inside() {
  thread_local bool is = false;
  return is;
}

// CountedMotions asks another validator and counts.
class CountedMotions : public ompl::base::MotionValidator {
 public:
  CountedMotions(const ompl::base::SpaceInformationPtr &si, ompl::base::MotionValidatorPtr of) : MotionValidator(si), of_(std::move(of)) {}

  bool checkMotion(const ompl::base::State *a, const ompl::base::State *b) const override {
    return counted(a, b, [&] { return of_->checkMotion(a, b); });
  }
  bool checkMotion(const ompl::base::State *a, const ompl::base::State *b, std::pair<ompl::base::State *, double> &last) const override {
    return counted(a, b, [&] { return of_->checkMotion(a, b, last); });
  }
  mutable Tally tally;

 private:
  template <typename Ask>
  bool counted(const ompl::base::State *a, const ompl::base::State *b, Ask ask) const {
    const double length = si_->distance(a, b);
    tally.known += seen_.count(hash(a));
    const double began = computed();
    inside() = true;
    const bool valid = ask();
    inside() = false;
    const double took = computed() - began;
    (valid ? tally.free : tally.hit)++;
    (valid ? tally.freeTime : tally.hitTime) += took;
    (valid ? tally.freeLength : tally.hitLength) += length;
    seen_.insert(hash(a));
    if (valid) seen_.insert(hash(b));
    return valid;
  }
  std::size_t hash(const ompl::base::State *s) const {
    si_->getStateSpace()->copyToReals(reals_, s);
    std::size_t h = 0;
    for (const double x : reals_) h = (h ^ std::hash<double>()(x)) * 0x9e3779b97f4a7c15u;
    return h;
  }
  ompl::base::MotionValidatorPtr of_;
  mutable std::unordered_set<std::size_t> seen_;
  mutable std::vector<double> reals_;
};

// CountedStates does so for states; its tally has what is of them.
class CountedStates : public ompl::base::StateValidityChecker {
 public:
  CountedStates(const ompl::base::SpaceInformationPtr &si, std::function<bool(const ompl::base::State *)> valid)
      : StateValidityChecker(si), valid_(std::move(valid)) {}
  bool isValid(const ompl::base::State *s) const override {
    tally.states++;
    if (inside()) return valid_(s);
    const double began = computed();
    const bool valid = valid_(s);
    (valid ? tally.freeStates : tally.hitStates)++;
    (valid ? tally.freeStateTime : tally.hitStateTime) += computed() - began;
    return valid;
  }
  mutable Tally tally;

 private:
  std::function<bool(const ompl::base::State *)> valid_;
};
