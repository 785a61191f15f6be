// fcl_oracle judges motions of robots by sampling, with other people's code:
// URDF by urdfdom, meshes by assimp, collision and distance by FCL. One line in
// on standard input gives one line out; the README beside this file lists them.

#include <console_bridge/console.h>

#include <cmath>
#include <exception>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "judge.h"
#include "mesh.h"
#include "srdf.h"
#include "text.h"

namespace {

class Session {
 public:
  // Answers one line; throws Failure where the line is wrong.
  std::string answer(const std::string &line);

 private:
  using Command = std::string (Session::*)(Reader &);
  static const std::map<std::string, Command> commands;

  std::string robot(Reader &in);
  std::string model(Reader &in);
  std::string srdf(Reader &in);
  std::string disable(Reader &in);
  std::string adjacent(Reader &in);
  std::string touching(Reader &in);
  std::string object(Reader &in);
  std::string clear(Reader &in);
  std::string joints(Reader &in);
  std::string hold(Reader &in);
  std::string solid(Reader &in);
  std::string wrap(Reader &in);
  std::string mindist(Reader &in);
  std::string primitives(Reader &in);
  std::string segment(Reader &in);
  std::string times(Reader &in);
  std::string pose(Reader &in);
  std::string distance(Reader &in);
  std::string depth(Reader &in);
  std::string allpairs(Reader &in);
  std::string pairnear(Reader &in);
  std::string link(Reader &in);
  std::string triangles(Reader &in);

  Judge &judge();
  Configuration configuration(Reader &in);
  Scope scope(Reader &in);
  bool onOff(Reader &in);
  std::string pairText(BodyPair pair);
  std::string pairsText(const std::set<BodyPair> &pairs);
  std::string listText(const std::vector<PairDistance> &all);

  std::unique_ptr<Judge> judge_;
  Narrow narrow_;
  Configuration held_;
  std::vector<int> order_;  // variables that later configurations give
  int facets_ = 0;
  bool shortWay_ = false, minimum_ = false;
};

const std::map<std::string, Session::Command> Session::commands = {
    {"robot", &Session::robot},           {"model", &Session::model},           {"srdf", &Session::srdf},
    {"disable", &Session::disable},       {"adjacent", &Session::adjacent},     {"touching", &Session::touching},
    {"state", &Session::touching},        {"object", &Session::object},         {"clear", &Session::clear},
    {"joints", &Session::joints},         {"hold", &Session::hold},             {"solid", &Session::solid},
    {"wrap", &Session::wrap},             {"mindist", &Session::mindist},       {"primitives", &Session::primitives},
    {"segment", &Session::segment},       {"times", &Session::times},           {"pose", &Session::pose},
    {"distance", &Session::distance},     {"pairnear", &Session::pairnear},     {"link", &Session::link},
    {"depth", &Session::depth},           {"allpairs", &Session::allpairs},     {"triangles", &Session::triangles},
};

std::string Session::answer(const std::string &line) {
  Reader in(splitLine(line));
  const std::string name = in.word("a command");
  const auto command = commands.find(name);
  if (command == commands.end()) throw Failure("there is no command " + quoted(name));
  return (this->*command->second)(in);
}

Judge &Session::judge() {
  if (!judge_) throw Failure("load a robot first");
  return *judge_;
}

Configuration Session::configuration(Reader &in) {
  Configuration q = held_;
  for (const int v : order_) q[v] = in.number("joint " + judge().robot().variables[v].name);
  return q;
}

Scope Session::scope(Reader &in) {
  const std::string word = in.word("self, world or both");
  if (word == "self") return {true, false};
  if (word == "world") return {false, true};
  if (word == "both") return {true, true};
  throw Failure("expected self, world or both, not " + quoted(word));
}

bool Session::onOff(Reader &in) {
  const std::string word = in.word("on or off");
  in.finish();
  if (word != "on" && word != "off") throw Failure("expected on or off, not " + quoted(word));
  return word == "on";
}

std::string Session::pairText(BodyPair pair) {
  return quoted(judge().name(pair.first)) + " " + quoted(judge().name(pair.second));
}

std::string Session::pairsText(const std::set<BodyPair> &pairs) {
  std::string text;
  for (const auto &pair : pairs) text += " " + pairText(pair);
  return text;
}

std::string Session::listText(const std::vector<PairDistance> &all) {
  std::string text = " " + std::to_string(all.size());
  for (const auto &one : all) text += " " + pairText(one.pair) + " " + digits(one.distance);
  return text;
}

// The model

std::string Session::robot(Reader &in) {
  const std::string path = in.word("the URDF file");
  const std::string packages = in.empty() ? "" : in.word("the package root");
  in.finish();
  judge_ = std::make_unique<Judge>(Robot::load(path, packages, facets_));
  judge_->narrow = narrow_;
  held_ = judge_->robot().zero();
  order_.clear();
  for (std::size_t v = 0; v < held_.size(); v++) order_.push_back(static_cast<int>(v));
  std::size_t pieces = 0, triangles = 0, dropped = 0, open = 0, components = 0;
  for (const auto &link : judge_->robot().links)
    for (const auto &piece : link.pieces) {
      pieces++;
      triangles += piece.piece.triangles;
      dropped += piece.piece.dropped;
      if (!piece.piece.solid) continue;
      components += piece.piece.solid->components();
      open += piece.piece.solid->components() - piece.piece.solid->closedComponents();
    }
  return "ok robot " + quoted(judge_->robot().name) + " links " + std::to_string(judge_->robot().links.size()) +
         " pieces " + std::to_string(pieces) + " triangles " + std::to_string(triangles) + " dropped " +
         std::to_string(dropped) + " components " + std::to_string(components) + " open " + std::to_string(open);
}

std::string Session::model(Reader &in) {
  in.finish();
  std::string text = "ok model root " + quoted(judge().name(0)) + " joints";
  for (const auto &variable : judge().robot().variables) text += " " + quoted(variable.name);
  return text;
}

std::string Session::srdf(Reader &in) {
  const std::string path = in.word("the SRDF file");
  in.finish();
  const SrdfPairs pairs = readSrdf(path, judge().robot());
  for (const auto &[a, b] : pairs.disabled) judge().disable(a, b);
  return "ok srdf disabled " + std::to_string(pairs.disabled.size()) + " unknown " + std::to_string(pairs.unknown);
}

std::string Session::disable(Reader &in) {
  const std::string a = in.word("a link"), b = in.word("a link or object");
  in.finish();
  judge().disable(a, b);
  return "ok disable";
}

std::string Session::adjacent(Reader &in) {
  in.finish();
  int count = 0;
  for (const auto &joint : judge().robot().joints)
    count += judge().disable(judge().name(joint.parent), judge().name(joint.child));
  return "ok adjacent disabled " + std::to_string(count);
}

// Both forms of a configuration: numbers in order, or name=value.
std::string Session::touching(Reader &in) {
  Configuration q = held_;
  Words words;
  while (!in.empty()) words.push_back(in.word("a value"));
  if (!words.empty() && words[0].find('=') == std::string::npos) {
    Reader values(words);
    q = configuration(values);
    values.finish();
  } else {
    for (const auto &word : words) {
      const auto equals = word.rfind('=');
      if (equals == std::string::npos) throw Failure("expected name=value, not " + quoted(word));
      q[judge().robot().variable(word.substr(0, equals))] = parseNumber(word.substr(equals + 1), word);
    }
  }
  const auto pairs = judge().touching(q, {true, false});
  for (const auto &pair : pairs) judge().disable(judge().name(pair.first), judge().name(pair.second));
  return "ok touching disabled" + pairsText(pairs);
}

// The world

std::string Session::object(Reader &in) {
  const std::string id = in.word("the object's id"), type = in.word("the object's type");
  const auto p = in.numbers(7, "the object's pose x y z qx qy qz qw");
  const Eigen::Quaterniond rotation(p[6], p[3], p[4], p[5]);
  if (std::abs(rotation.norm() - 1) > 1e-3) throw Failure("object " + quoted(id) + ": the quaternion is not of length 1");
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() << p[0], p[1], p[2];
  pose.linear() = rotation.normalized().matrix();
  Piece piece;
  if (type == "box") {
    const double x = in.positive("size x"), y = in.positive("size y"), z = in.positive("size z");
    piece = pieces::box({x, y, z}, facets_);
  } else if (type == "cylinder" || type == "capsule" || type == "cone") {
    const double length = in.positive("length"), radius = in.positive("radius");
    piece = type == "cylinder"  ? pieces::cylinder(radius, length, facets_)
            : type == "capsule" ? pieces::capsule(radius, length, facets_)
                                : pieces::cone(radius, length, facets_);
  } else if (type == "sphere") {
    piece = pieces::sphere(in.positive("radius"), facets_);
  } else if (type == "mesh") {
    const std::string file = in.word("the mesh file");
    const auto scale = in.numbers(3, "the mesh's scale sx sy sz");
    piece = pieces::mesh(file, {scale[0], scale[1], scale[2]});
  } else {
    throw Failure("object " + quoted(id) + ": unknown type " + quoted(type));
  }
  in.finish();
  judge().addObject(id, piece, pose);
  return "ok object";
}

std::string Session::triangles(Reader &in) {
  const std::string file = in.word("the mesh file");
  in.finish();
  const Mesh mesh = loadMesh(file, {1, 1, 1});
  std::string text = "triangles " + std::to_string(mesh.triangles.size());
  for (const auto &t : mesh.triangles)
    for (const int corner : t)
      for (const double x : mesh.points[corner]) text += " " + digits(x);
  return text;
}

std::string Session::clear(Reader &in) {
  const std::string what = in.word("objects, pairs or holds");
  in.finish();
  if (what == "objects")
    judge().clearObjects();
  else if (what == "pairs")
    judge().enableAll();
  else if (what == "holds")
    held_ = judge().robot().zero();
  else
    throw Failure("expected objects, pairs or holds, not " + quoted(what));
  return "ok clear";
}

// Settings

std::string Session::joints(Reader &in) {
  std::vector<int> order;
  while (!in.empty()) order.push_back(judge().robot().variable(in.word("a joint")));
  if (std::set<int>(order.begin(), order.end()).size() != order.size()) throw Failure("a joint is named twice");
  order_ = order;
  return "ok joints " + std::to_string(order_.size());
}

std::string Session::hold(Reader &in) {
  const std::string name = in.word("a joint");
  const double value = in.number("the joint's value");
  in.finish();
  held_[judge().robot().variable(name)] = value;
  return "ok hold";
}

std::string Session::solid(Reader &in) {
  narrow_.solid = onOff(in);
  if (judge_) judge_->narrow = narrow_, judge_->forget();
  return "ok solid";
}

std::string Session::wrap(Reader &in) {
  const std::string word = in.word("short or none");
  in.finish();
  if (word != "short" && word != "none") throw Failure("expected short or none, not " + quoted(word));
  shortWay_ = word == "short";
  return "ok wrap";
}

std::string Session::mindist(Reader &in) {
  minimum_ = onOff(in);
  return "ok mindist";
}

std::string Session::primitives(Reader &in) {
  const std::string word = in.word("exact or mesh");
  if (word != "exact" && word != "mesh") throw Failure("expected exact or mesh, not " + quoted(word));
  const int facets = word == "exact" ? 0 : in.count("facets", 8, 4096);
  in.finish();
  facets_ = facets;
  return "ok primitives";
}

// Questions

std::string Session::segment(Reader &in) {
  const std::string id = in.word("the segment's id");
  const int n = in.count("the number of samples", 2, 1000000000);
  const Scope which = scope(in);
  const Configuration from = configuration(in), to = configuration(in);
  in.finish();
  Configuration q;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < n; i++) {
    const double t = double(i) / (n - 1);
    judge().robot().between(from, to, t, shortWay_, q);
    if (!judge().free(q, which))
      return "segment " + quoted(id) + " hit " + digits(t) + pairsText(judge().touching(q, which));
    PairDistance closest;
    if (minimum_ && judge().closest(q, which, least, closest)) least = closest.distance;
  }
  return "segment " + quoted(id) + " free " + std::to_string(n) + (minimum_ ? " " + digits(least) : "");
}

std::string Session::times(Reader &in) {
  const std::string id = in.word("the segment's id");
  const Scope which = scope(in);
  const auto at = in.numbers(in.count("the number of times", 1, 1000000), "a time");
  const Configuration from = configuration(in), to = configuration(in);
  in.finish();
  Configuration q;
  for (const double t : at) {
    judge().robot().between(from, to, t, shortWay_, q);
    if (!judge().free(q, which))
      return "times " + quoted(id) + " hit " + digits(t) + pairsText(judge().touching(q, which));
  }
  return "times " + quoted(id) + " free " + std::to_string(at.size());
}

std::string Session::pose(Reader &in) {
  const std::string id = in.word("the pose's id");
  const Scope which = scope(in);
  const Configuration q = configuration(in);
  in.finish();
  const auto pairs = judge().touching(q, which);
  return "pose " + quoted(id) + (pairs.empty() ? " free" : " hit" + pairsText(pairs));
}

std::string Session::distance(Reader &in) {
  const std::string id = in.word("the question's id");
  const Scope which = scope(in);
  const Configuration q = configuration(in);
  in.finish();
  PairDistance closest;
  if (!judge().closest(q, which, std::numeric_limits<double>::infinity(), closest))
    return "distance " + quoted(id) + " none";
  return "distance " + quoted(id) + " " + digits(closest.distance) + " " + pairText(closest.pair);
}

std::string Session::depth(Reader &in) {
  const std::string id = in.word("the question's id");
  const Scope which = scope(in);
  const Configuration q = configuration(in);
  in.finish();
  return "depth " + quoted(id) + listText(judge().depths(q, which));
}

std::string Session::allpairs(Reader &in) {
  const std::string id = in.word("the question's id");
  const Scope which = scope(in);
  const Configuration q = configuration(in);
  in.finish();
  return "allpairs " + quoted(id) + listText(judge().distances(q, which));
}

std::string Session::pairnear(Reader &in) {
  const std::string id = in.word("the question's id");
  const std::string a = in.word("a link"), b = in.word("a link or object");
  const BodyPair pair{judge().body(a), judge().body(b)};
  const int n = in.count("the number of samples", 1, 1000000000);
  const double t0 = in.number("t0"), t1 = in.number("t1");
  const Configuration from = configuration(in), to = configuration(in);
  in.finish();
  Configuration q;
  double least = std::numeric_limits<double>::infinity(), at = t0;
  for (int i = 0; i < n; i++) {
    const double t = n == 1 ? t0 : t0 + (t1 - t0) * i / (n - 1);
    judge().robot().between(from, to, t, shortWay_, q);
    double d;
    if (!judge().distance(q, pair, d)) throw Failure("pair " + a + ", " + b + ": one has no collision shape");
    if (d < least) least = d, at = t;
    if (least <= 0) break;
  }
  return "pairnear " + quoted(id) + " " + digits(least) + " " + digits(at);
}

std::string Session::link(Reader &in) {
  const std::string name = in.word("a link");
  const int index = judge().robot().link(name);
  if (index < 0) throw Failure("there is no link " + quoted(name));
  const Configuration q = configuration(in);
  in.finish();
  Poses poses;
  judge().robot().forward(q, poses);
  const Eigen::Vector3d p = poses[index].translation();
  const Eigen::Quaterniond r(poses[index].linear());
  std::string text = "link " + quoted(name);
  for (const double x : {p.x(), p.y(), p.z(), r.x(), r.y(), r.z(), r.w()}) text += " " + digits(x);
  return text;
}

}  // namespace

int main() {
  console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_ERROR);
  std::ios::sync_with_stdio(false);
  Session session;
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    std::string text;
    try {
      text = session.answer(line);
    } catch (const std::exception &failure) {
      text = std::string("error ") + failure.what();
    }
    for (auto &c : text)
      if (c == '\n' || c == '\r') c = ' ';
    std::cout << text << std::endl;
  }
}
