#include "judge.h"

#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "shapes.h"

namespace {

// Two bodies that part when one is moved by this much (m) in some direction only graze: assimp
// holds vertices in single precision, and the product may call such a contact either way.
constexpr double tie = 1e-6;

const std::vector<Eigen::Vector3d> &directions() {
  static const std::vector<Eigen::Vector3d> all = [] {
    std::vector<Eigen::Vector3d> d;
    for (int x = -1; x <= 1; x++)
      for (int y = -1; y <= 1; y++)
        for (int z = -1; z <= 1; z++)
          if (x || y || z) d.push_back(Eigen::Vector3d(x, y, z).normalized());
    return d;
  }();
  return all;
}

bool within(const Shape &inner, const Pose &poseI, const Shape &outer, const Pose &poseO) {
  if (!outer.solid || !outer.solid->encloses()) return false;
  const Pose to = poseO.inverse() * poseI;
  return std::any_of(inner.probes.begin(), inner.probes.end(), [&](const Eigen::Vector3d &p) { return outer.solid->locate(to * p) == Side::inside; });
}

bool touch(const Shape &a, const Pose &poseA, const Shape &b, const Pose &poseB) {
  fcl::CollisionRequestd request(1, false);
  request.gjk_tolerance = 1e-12;  // the default misses overlaps of round shapes below 1e-6
  fcl::CollisionResultd result;
  fcl::collide(a.geometry.get(), poseA, b.geometry.get(), poseB, request, result);
  return result.isCollision() || within(a, poseA, b, poseB) || within(b, poseB, a, poseA);
}

double gap(const Shape &a, const Pose &poseA, const Shape &b, const Pose &poseB) {
  if (touch(a, poseA, b, poseB)) return 0;
  fcl::DistanceRequestd request;
  request.distance_tolerance = 1e-12;
  fcl::DistanceResultd result;
  fcl::distance(a.geometry.get(), poseA, b.geometry.get(), poseB, request, result);
  return std::max(0.0, result.min_distance);
}

Pose shifted(const Pose &pose, const Eigen::Vector3d &by) {
  Pose p = pose;
  p.translation() += by;
  return p;
}

}  // namespace

std::vector<double> Judge::held() const {
  std::vector<double> q;
  for (const auto &v : robot.variables) {
    const auto given = state.find(v.name);
    q.push_back(given == state.end() ? v.rest : given->second);
  }
  return q;
}

double Judge::paddingOf(const Body &body, bool withScene) const {
  if (body.link < 0 || robot.links[body.link] != body.name) return body.padding;
  const auto own = linkPadding.find(body.name);
  if (own != linkPadding.end()) return own->second;
  const auto given = scene.linkPadding.find(body.name);
  if (withScene && given != scene.linkPadding.end()) return std::max(padding, given->second);
  return padding;
}

bool Judge::adjacent(int a, int b) const {
  const auto parent = [&](int l) { return robot.parentJoint[l] < 0 ? -1 : robot.joints[robot.parentJoint[l]].parent; };
  return parent(a) == b || parent(b) == a;
}

// Links of joined robots are named ROBOT/LINK; nothing is left out by default between two robots.
static bool ofTwoRobots(const std::string &a, const std::string &b) {
  const auto x = a.find('/'), y = b.find('/');
  return x != std::string::npos && y != std::string::npos && a.substr(0, x) != b.substr(0, y);
}

void Judge::prepare() {
  for (const auto &v : state)
    if (robot.variable(v.first) < 0) throw Failure("no joint " + v.first);
  bodies_ = robot.bodies;
  bodies_.insert(bodies_.end(), scene.bodies.begin(), scene.bodies.end());
  pairs_.clear();
  selfPairs = worldPairs = ambiguous = leftOut = 0;
  std::vector<double> rest;
  for (const auto &v : robot.variables) rest.push_back(v.rest);
  place(rest, Pose::Identity());
  for (int i = 0; i < static_cast<int>(bodies_.size()); i++)
    for (int k = i + 1; k < static_cast<int>(bodies_.size()); k++) {
      const Body &a = bodies_[i], &b = bodies_[k];
      if (a.link < 0 && b.link < 0) continue;
      const auto names = ordered(a.name, b.name);
      if (scene.allowed.count(names) || options.count(names)) {
        leftOut++;
        continue;
      }
      const bool links = i < static_cast<int>(robot.bodies.size()) && k < static_cast<int>(robot.bodies.size());
      Pair pair{i, k, paddingOf(a, true) + paddingOf(b, true) + clearance};
      if (links && hasSRDF && srdf.count(names)) {
        leftOut++;
        continue;
      }
      if (links && !hasSRDF && !ofTwoRobots(a.name, b.name)) {
        if (adjacent(a.link, b.link)) {
          leftOut++;
          continue;
        }
        // Touching at the default state: certainly, whatever paddings count, or certainly not.
        const double most = pair.margin - clearance;
        if (meetDeeply(pair, 0)) {
          leftOut++;
          continue;
        }
        if (distance(i, k) <= most + tie) {
          ambiguous++;
          continue;
        }
      }
      (a.link < 0 || b.link < 0 ? worldPairs : selfPairs)++;
      pairs_.push_back(pair);
    }
}

void Judge::carry(std::vector<Body> bodies, const NamePairs &allowed) {
  for (auto &b : bodies) scene.bodies.push_back(std::move(b));
  scene.allowed.insert(allowed.begin(), allowed.end());
  prepare();
}

void Judge::place(const std::vector<double> &q, const Pose &root) {
  robot.place(q, root, links_);
  poses_.resize(bodies_.size());
  centers_.resize(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); i++) {
    const Body &b = bodies_[i];
    poses_[i] = b.link < 0 ? b.pose : links_[b.link] * b.pose;
    centers_[i].resize(b.shapes.size());
    for (std::size_t k = 0; k < b.shapes.size(); k++) centers_[i][k] = poses_[i] * b.shapes[k].center;
  }
}

bool Judge::meet(const Pair &pair, double margin, const Eigen::Vector3d &shift) const {
  const Body &a = bodies_[pair.a], &b = bodies_[pair.b];
  for (std::size_t i = 0; i < a.shapes.size(); i++)
    for (std::size_t k = 0; k < b.shapes.size(); k++) {
      const double reach = a.shapes[i].radius + b.shapes[k].radius + margin + tie;
      if ((centers_[pair.a][i] - centers_[pair.b][k]).squaredNorm() > reach * reach) continue;
      const Pose poseA = shifted(poses_[pair.a] * a.shapes[i].pose, shift), poseB = poses_[pair.b] * b.shapes[k].pose;
      if (margin > 0 ? gap(a.shapes[i], poseA, b.shapes[k], poseB) <= margin : touch(a.shapes[i], poseA, b.shapes[k], poseB)) return true;
    }
  return false;
}

bool Judge::meetDeeply(const Pair &pair, double margin) const {
  if (!meet(pair, margin, Eigen::Vector3d::Zero())) return false;
  if (margin > tie) return meet(pair, margin - tie, Eigen::Vector3d::Zero());
  return std::all_of(directions().begin(), directions().end(), [&](const Eigen::Vector3d &d) { return meet(pair, margin, tie * d); });
}

double Judge::distance(int a, int b) const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto &x : bodies_[a].shapes)
    for (const auto &y : bodies_[b].shapes) least = std::min(least, gap(x, poses_[a] * x.pose, y, poses_[b] * y.pose));
  return least;
}

namespace {

// How much moves on a piece, in rad and m, decides how densely it is sampled.
int samplesOf(const Piece &p) {
  double moved = 0;
  for (const auto &m : p.moves)
    for (std::size_t k = 1; k < m.size(); k++) moved += std::abs(m[k]);
  moved += (p.end - p.start) * (p.root.velocity.norm() + p.root.turn.norm());
  return static_cast<int>(std::min(600.0, std::max(2.0, std::ceil(moved / 0.04))));
}

}  // namespace

bool Judge::contactHere(Found &found) const {
  found.samples++;
  for (const auto &pair : pairs_) {
    if (!meet(pair, pair.margin, Eigen::Vector3d::Zero())) continue;
    if (!meetDeeply(pair, pair.margin)) {
      found.ties++;
      continue;
    }
    found.contact = true;
    found.a = bodies_[pair.a].name;
    found.b = bodies_[pair.b].name;
    return true;
  }
  return false;
}

Found Judge::sample(const Motion &motion, double until) {
  Found found;
  std::vector<double> q, strayed;
  std::vector<std::pair<int, double>> widths;
  for (const auto &w : tube) {
    const int v = robot.variable(w.first);
    if (v < 0) throw Failure("no joint " + w.first);
    widths.push_back({v, w.second});
  }
  unsigned corner = 1;
  Pose root;
  for (const auto &p : motion.pieces) {
    const int n = samplesOf(p);
    for (int i = 0; i <= n; i++) {
      const double t = found.time = i == n ? p.end : p.start + (p.end - p.start) * i / n;
      if (t >= until) return found;
      motion.at(t, q, root);
      place(q, root);
      if (contactHere(found)) return found;
      for (int k = 0; k < 3 && !widths.empty(); k++) {  // to some corners of what the joints may do
        strayed = q;
        for (const auto &[v, width] : widths) {
          corner = corner * 1664525u + 1013904223u;
          strayed[v] += (corner >> 16 & 1 ? 0.9999 : -0.9999) * width;
        }
        place(strayed, root);
        if (contactHere(found)) return found;
      }
    }
  }
  return found;
}

std::optional<double> Judge::apart(const Motion &motion, double t, const std::string &a, const std::string &b) {
  std::vector<double> q;
  Pose root;
  motion.at(t, q, root);
  place(q, root);
  for (const auto &pair : pairs_)
    if (ordered(bodies_[pair.a].name, bodies_[pair.b].name) == ordered(a, b)) return distance(pair.a, pair.b) - pair.margin;
  return std::nullopt;
}

bool Judge::near(const Motion &motion, double t, const std::string &body, const Eigen::Vector3d &point, double reach) {
  std::vector<double> q;
  Pose root;
  motion.at(t, q, root);
  place(q, root);
  Pose at = Pose::Identity();
  at.translation() = point;
  for (std::size_t i = 0; i < bodies_.size(); i++)
    if (bodies_[i].name == body) {
      const Shape ball = shapes::sphere(reach + paddingOf(bodies_[i], true));
      for (const auto &s : bodies_[i].shapes)
        if (touch(ball, at, s, poses_[i] * s.pose)) return true;
    }
  return false;
}
