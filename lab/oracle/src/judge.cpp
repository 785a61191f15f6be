#include "judge.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "text.h"

namespace {

std::pair<std::string, std::string> ordered(const std::string &a, const std::string &b) {
  return a < b ? std::make_pair(a, b) : std::make_pair(b, a);
}

BodyPair ordered(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

}  // namespace

Judge::Judge(Robot robot) : robot_(std::move(robot)) {
  for (std::size_t l = 0; l < robot_.links.size(); l++) {
    names_.push_back(robot_.links[l].name);
    for (const auto &piece : robot_.links[l].pieces)
      linkElements_.push_back(std::make_unique<Element>(static_cast<int>(l), piece.piece, piece.poseLS));
  }
  clearObjects();
}

int Judge::body(const std::string &name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) throw Failure("there is no link or object " + quoted(name));
  return static_cast<int>(found - names_.begin());
}

void Judge::addObject(const std::string &id, const Piece &piece, const Eigen::Isometry3d &poseRS) {
  if (std::find(names_.begin(), names_.end(), id) != names_.end())
    throw Failure("there is a link or an object " + quoted(id) + " already");
  objectElements_.push_back(std::make_unique<Element>(static_cast<int>(names_.size()), piece, poseRS));
  names_.push_back(id);
  worldPrepared_ = false;
}

void Judge::clearObjects() {
  objectElements_.clear();
  names_.resize(robot_.links.size());
  worldPrepared_ = false;
}

bool Judge::disable(const std::string &a, const std::string &b) {
  prepared_ = false;
  return disabled_.insert(ordered(a, b)).second;
}

void Judge::enableAll() {
  disabled_.clear();
  prepared_ = false;
}

void Judge::forget() { prepared_ = false; }

bool Judge::enabled(int a, int b) const { return a != b && !off_.count(ordered(a, b)); }

void Judge::prepare() {
  if (!prepared_) worldPrepared_ = false;
  prepareWorld();
  if (prepared_) return;
  selfPairs_.clear();
  for (std::size_t i = 0; i < linkElements_.size(); i++)
    for (std::size_t j = i + 1; j < linkElements_.size(); j++) {
      Element *a = linkElements_[i].get(), *b = linkElements_[j].get();
      if (!enabled(a->body, b->body)) continue;
      selfPairs_.push_back({a, b, robot_.links[a->body].rigid == robot_.links[b->body].rigid});
    }
  prepared_ = true;
}

// What depends on the objects alone: other objects leave what is known of the robot.
void Judge::prepareWorld() {
  if (worldPrepared_) return;
  std::unordered_map<std::string, int> index;
  for (std::size_t i = 0; i < names_.size(); i++) index.emplace(names_[i], static_cast<int>(i));
  off_.clear();
  for (const auto &[a, b] : disabled_) {
    const auto ia = index.find(a), ib = index.find(b);
    if (ia != index.end() && ib != index.end()) off_.insert(ordered(ia->second, ib->second));
  }
  world_ = std::make_unique<fcl::DynamicAABBTreeCollisionManagerd>();
  for (const auto &element : objectElements_) world_->registerObject(&element->object);
  world_->setup();
  rootKnown_ = false;
  worldPrepared_ = true;
}

void Judge::place(const Configuration &q) {
  prepare();
  robot_.forward(q, poses_);
  for (const auto &element : linkElements_) element->place(poses_[element->body]);
}

void Judge::touchingWorld(Element &element, bool stopAtFirst, std::set<BodyPair> &out) {
  struct Visit {
    const Judge *judge;
    const Element *element;
    bool stopAtFirst;
    std::set<BodyPair> *out;
  } visit{this, &element, stopAtFirst, &out};
  world_->collide(&element.object, &visit, [](fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *data) {
    const Visit &v = *static_cast<Visit *>(data);
    const fcl::CollisionObjectd *other = a == &v.element->object ? b : a;
    const Element &object = *static_cast<const Element *>(other->getUserData());
    const BodyPair pair = ordered(v.element->body, object.body);
    if (!v.judge->enabled(pair.first, pair.second) || v.out->count(pair)) return false;
    if (!v.judge->narrow.touch(*v.element, object)) return false;
    v.out->insert(pair);
    return v.stopAtFirst;
  });
}

std::set<BodyPair> Judge::touching(const Configuration &q, Scope scope, bool stopAtFirst) {
  place(q);
  std::set<BodyPair> out;
  const auto done = [&] { return stopAtFirst && !out.empty(); };
  if (scope.world && !rootKnown_) {
    std::set<BodyPair> fixed;
    for (const auto &element : linkElements_)
      if (robot_.links[element->body].rigid == 0) touchingWorld(*element, false, fixed);
    rootTouches_.assign(fixed.begin(), fixed.end());
    rootKnown_ = true;
  }
  if (scope.world) {
    out.insert(rootTouches_.begin(), rootTouches_.end());
    for (const auto &element : linkElements_) {
      if (done()) return out;
      if (robot_.links[element->body].rigid != 0) touchingWorld(*element, stopAtFirst, out);
    }
  }
  for (auto &pair : selfPairs_) {
    if (!scope.self || done()) break;
    bool touches = pair.known == 2;
    if (!pair.known) {
      touches = sphereGap(*pair.a, *pair.b) <= 0 && narrow.touch(*pair.a, *pair.b);
      if (pair.rigid) pair.known = touches ? 2 : 1;
    }
    if (touches) out.insert(ordered(pair.a->body, pair.b->body));
  }
  return out;
}

template <typename Visit>
void Judge::eachPair(Scope scope, Visit visit) {
  if (scope.self)
    for (const auto &pair : selfPairs_) visit(*pair.a, *pair.b);
  if (scope.world)
    for (const auto &link : linkElements_)
      for (const auto &object : objectElements_)
        if (enabled(link->body, object->body)) visit(*link, *object);
}

std::vector<PairDistance> Judge::distances(const Configuration &q, Scope scope) {
  place(q);
  std::vector<PairDistance> all;
  eachPair(scope, [&](const Element &a, const Element &b) {
    all.push_back({ordered(a.body, b.body), narrow.distance(a, b)});
  });
  std::sort(all.begin(), all.end(), [](const PairDistance &x, const PairDistance &y) {
    return std::tie(x.pair, x.distance) < std::tie(y.pair, y.distance);
  });
  // Of a pair's several pieces the closest stands first.
  all.erase(std::unique(all.begin(), all.end(), [](const auto &x, const auto &y) { return x.pair == y.pair; }),
            all.end());
  return all;
}

std::vector<PairDistance> Judge::depths(const Configuration &q, Scope scope) {
  std::vector<PairDistance> all;
  for (const BodyPair &pair : touching(q, scope)) {
    PairDistance one{pair, 0};
    for (const Element *a : elementsOf(pair.first))
      for (const Element *b : elementsOf(pair.second)) one.distance = std::max(one.distance, narrow.depth(*a, *b));
    all.push_back(one);
  }
  return all;
}

bool Judge::closest(const Configuration &q, Scope scope, double below, PairDistance &out) {
  place(q);
  struct Candidate {
    double bound;
    const Element *a, *b;
  };
  std::vector<Candidate> candidates;
  eachPair(scope, [&](const Element &a, const Element &b) {
    const double bound = std::max(sphereGap(a, b), a.object.getAABB().distance(b.object.getAABB()));
    if (bound <= below) candidates.push_back({bound, &a, &b});
  });
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate &x, const Candidate &y) { return x.bound < y.bound; });
  bool found = false;
  for (const auto &c : candidates) {
    if (c.bound > below) break;
    const double d = narrow.distance(*c.a, *c.b);
    if (d > below || (found && d >= out.distance)) continue;
    out = {ordered(c.a->body, c.b->body), d};
    below = d;
    found = true;
  }
  return found;
}

std::vector<const Element *> Judge::elementsOf(int body) const {
  std::vector<const Element *> found;
  for (const auto *all : {&linkElements_, &objectElements_})
    for (const auto &element : *all)
      if (element->body == body) found.push_back(element.get());
  return found;
}

bool Judge::distance(const Configuration &q, BodyPair pair, double &out) {
  place(q);
  bool found = false;
  for (const Element *a : elementsOf(pair.first))
    for (const Element *b : elementsOf(pair.second)) {
      const double d = narrow.distance(*a, *b);
      out = found ? std::min(out, d) : d;
      found = true;
    }
  return found;
}
