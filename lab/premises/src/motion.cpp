#include "motion.h"

#include <yaml-cpp/yaml.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace {

struct Point {
  double time = 0;
  std::vector<double> positions, velocities;
  bool placed = false;
  Pose root = Pose::Identity();
};

struct Source {
  std::vector<std::string> names;
  std::vector<Point> points;
  bool table = false;  // rows of a table: continuous joints take the short way
};

std::vector<std::string> cells(const std::string &line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) {
    const auto a = cell.find_first_not_of(" \t\r"), b = cell.find_last_not_of(" \t\r");
    out.push_back(a == std::string::npos ? "" : cell.substr(a, b - a + 1));
  }
  return out;
}

Source readTable(const std::string &path) {
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line)) throw Failure("no rows in " + path);
  Source s;
  s.table = true;
  const auto header = cells(line);
  for (const auto &name : header)
    if (name != "time" && name.compare(0, 5, "root_") != 0) s.names.push_back(name);
  while (std::getline(in, line)) {
    const auto row = cells(line);
    if (row.empty()) continue;
    if (row.size() != header.size()) throw Failure("a row of " + path + " has another number of cells");
    Point p;
    double root[7] = {0, 0, 0, 0, 0, 0, 1};
    static const char *rootNames[] = {"root_x", "root_y", "root_z", "root_qx", "root_qy", "root_qz", "root_qw"};
    for (std::size_t i = 0; i < row.size(); i++) {
      const double x = std::stod(row[i]);
      if (header[i] == "time") {
        p.time = x;
        continue;
      }
      bool ofRoot = false;
      for (int k = 0; k < 7; k++)
        if (header[i] == rootNames[k]) root[k] = x, ofRoot = p.placed = true;
      if (!ofRoot) p.positions.push_back(x);
    }
    p.root.translation() << root[0], root[1], root[2];
    p.root.linear() = Eigen::Quaterniond(root[6], root[3], root[4], root[5]).normalized().matrix();
    s.points.push_back(p);
  }
  return s;
}

double seconds(const YAML::Node &n) {
  if (n.IsScalar()) return n.as<double>();
  return n["sec"].as<double>() + 1e-9 * (n["nanosec"] ? n["nanosec"].as<double>() : 0);
}

Source readTrajectory(const std::string &path, const Robot &robot, std::vector<double> &held) {
  std::ifstream in(path);
  YAML::Node root = YAML::Load(in), t = root;
  if (root["trajectory"]) t = root["trajectory"][0];
  if (t["joint_trajectory"]) t = t["joint_trajectory"];
  if (const auto state = root["trajectory_start"]) {
    const auto names = state["joint_state"]["name"], at = state["joint_state"]["position"];
    for (std::size_t i = 0; i < names.size(); i++) {
      const int v = robot.variable(names[i].as<std::string>());
      if (v >= 0) held[v] = at[i].as<double>();
    }
  }
  Source s;
  for (const auto &n : t["joint_names"]) s.names.push_back(n.as<std::string>());
  for (const auto &n : t["points"]) {
    Point p;
    p.time = seconds(n["time_from_start"]);
    for (const auto &x : n["positions"]) p.positions.push_back(x.as<double>());
    for (const auto &x : n["velocities"]) p.velocities.push_back(x.as<double>());
    s.points.push_back(p);
  }
  return s;
}

// The variable that a column moves, and what it says of it. A column of a joint that follows
// another says nothing of its own where the motion names that one too.
struct Column {
  int variable = -1;
  double multiplier = 1, offset = 0;
};

std::vector<Column> columnsOf(const Source &s, const Robot &robot) {
  std::vector<Column> out;
  for (const auto &name : s.names) {
    Column c;
    c.variable = robot.variable(name);
    if (c.variable < 0) {
      const Joint *j = robot.joint(name);
      if (!j) throw Failure("no joint " + name);
      const std::string leader = robot.joints[j->leader].name;
      bool named = false;
      for (const auto &n : s.names) named = named || n == leader;
      if (!named) c.variable = j->variable, c.multiplier = j->multiplier, c.offset = j->offset;
    }
    out.push_back(c);
  }
  return out;
}

RootMove between(const Pose &a, const Pose &b, double lasts) {
  RootMove m;
  m.start = a;
  m.point = a.translation();
  m.velocity = (b.translation() - a.translation()) / lasts;
  const Eigen::AngleAxisd turn(Eigen::Quaterniond((b.linear() * a.linear().transpose()).eval()).normalized());
  double angle = turn.angle();
  if (angle > M_PI) angle -= 2 * M_PI;
  m.turn = turn.axis() * angle / lasts;
  return m;
}

}  // namespace

void Motion::at(double t, std::vector<double> &q, Pose &root) const {
  std::size_t i = 0;
  while (i + 1 < pieces.size() && t > pieces[i].end) i++;
  const Piece &p = pieces[i];
  const double s = std::min(1.0, std::max(0.0, (t - p.start) / (p.end - p.start)));
  q.resize(p.moves.size());
  for (std::size_t v = 0; v < q.size(); v++) {
    double x = 0;
    for (std::size_t k = p.moves[v].size(); k-- > 0;) x = x * s + p.moves[v][k];
    // At a waypoint the number given is met, not what rounding makes of it.
    if (s == 1 && p.moves[v].size() == 2) x = p.moves[v][0] + p.moves[v][1];
    q[v] = x;
  }
  const double u = s * (p.end - p.start), rate = p.root.turn.norm();
  root = p.root.start;
  const Eigen::Vector3d arm = p.root.start.translation() - p.root.point, origin = p.root.point + u * p.root.velocity;
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  if (rate > 0) turn = Eigen::AngleAxisd(rate * u, p.root.turn / rate).matrix();
  root.linear() = turn * p.root.start.linear();
  root.translation() = origin + turn * arm;
}

Motion loadMotion(const std::string &path, const Robot &robot, std::vector<double> held) {
  const bool table = path.size() > 4 && path.substr(path.size() - 4) == ".csv";
  Source s = table ? readTable(path) : readTrajectory(path, robot, held);
  const auto columns = columnsOf(s, robot);
  if (s.points.empty()) throw Failure("no points in " + path);
  for (const auto &p : s.points)
    if (p.positions.size() != s.names.size()) throw Failure("a point has another number of positions than names");

  // Whoever tells a controller of a first point later than time 0 expects the robot to get there.
  // A recording begins with its first row.
  if (s.points[0].time > 0 && !s.table) {
    Point lead = s.points[0];
    lead.time = 0;
    for (std::size_t c = 0; c < columns.size(); c++)
      if (columns[c].variable >= 0) lead.positions[c] = columns[c].multiplier * held[columns[c].variable] + columns[c].offset;
    for (double &v : lead.velocities) v = 0;
    s.points.insert(s.points.begin(), lead);
  }
  if (s.points.size() == 1) {
    s.points.push_back(s.points[0]);
    s.points[1].time += 1;
  }
  Motion m;
  std::vector<double> now = held;  // with the turns taken off
  const auto value = [&](std::size_t i, std::size_t c) { return (s.points[i].positions[c] - columns[c].offset) / columns[c].multiplier; };
  for (std::size_t c = 0; c < columns.size(); c++)
    if (columns[c].variable >= 0) now[columns[c].variable] = value(0, c);
  for (std::size_t i = 0; i + 1 < s.points.size(); i++) {
    const Point &a = s.points[i], &b = s.points[i + 1];
    if (b.time == a.time) continue;
    Piece p;
    p.start = a.time;
    p.end = b.time;
    for (double x : now) p.moves.push_back({x, 0});
    for (std::size_t c = 0; c < columns.size(); c++) {
      const int v = columns[c].variable;
      if (v < 0) continue;
      double way = value(i + 1, c) - value(i, c);
      const Variable &variable = robot.variables[v];
      if (s.table && variable.continuous && std::abs(way) > M_PI) {
        const double turns = std::copysign(std::ceil(std::abs(way) / (2 * M_PI) - 0.5), way);
        if (variable.turnsUnseen(static_cast<int>(turns))) way -= 2 * M_PI * turns;
      }
      if (!s.table && a.velocities.size() == columns.size() && b.velocities.size() == columns.size()) {
        const double lasts = p.end - p.start, va = a.velocities[c] / columns[c].multiplier * lasts, vb = b.velocities[c] / columns[c].multiplier * lasts;
        p.moves[v] = {now[v], va, 3 * way - 2 * va - vb, va + vb - 2 * way};
      } else {
        p.moves[v] = {now[v], way};
      }
      now[v] += way;
    }
    if (a.placed && b.placed) p.root = between(a.root, b.root, p.end - p.start);
    m.pieces.push_back(p);
  }
  if (m.pieces.empty()) throw Failure("all points of " + path + " are at one time");
  return m;
}
