#include <yaml-cpp/yaml.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "shapes.h"

namespace {

std::string folderOf(const std::string &path) { return path.substr(0, path.rfind('/') + 1); }

Eigen::Vector3d vector(const YAML::Node &n) { return {n[0].as<double>(), n[1].as<double>(), n[2].as<double>()}; }

Pose poseOf(const YAML::Node &o) {
  Pose pose = Pose::Identity();
  if (o["xyz"]) pose.translation() = vector(o["xyz"]);
  if (const auto q = o["quat_xyzw"])
    pose.linear() = Eigen::Quaterniond(q[3].as<double>(), q[0].as<double>(), q[1].as<double>(), q[2].as<double>()).normalized().matrix();
  if (const auto r = o["rpy"])
    pose.linear() = (Eigen::AngleAxisd(r[2].as<double>(), Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(r[1].as<double>(), Eigen::Vector3d::UnitY()) *
                     Eigen::AngleAxisd(r[0].as<double>(), Eigen::Vector3d::UnitX()))
                        .matrix();
  return pose;
}

std::vector<Shape> shapesOf(const YAML::Node &o, const std::string &folder) {
  const std::string type = o["type"].as<std::string>();
  const auto number = [&](const char *key) { return o[key].as<double>(); };
  if (type == "box") return {shapes::box(vector(o["size"]))};
  if (type == "sphere") return {shapes::sphere(number("radius"))};
  if (type == "cylinder") return {shapes::cylinder(number("radius"), number("length"))};
  if (type == "cone") return {shapes::cone(number("radius"), number("length"))};
  if (type == "capsule") return {shapes::capsule(number("radius"), number("length"))};
  if (type == "mesh") {
    Eigen::Vector3d scale = Eigen::Vector3d::Ones();
    if (const auto s = o["scale"]) scale = s.IsSequence() ? vector(s) : Eigen::Vector3d::Constant(s.as<double>()).eval();
    return {shapes::mesh(folder + o["mesh"].as<std::string>(), scale)};
  }
  std::vector<Shape> out;
  if (type == "points") {
    for (const auto &p : o["points"]) {
      Pose at = Pose::Identity();
      at.translation() = vector(p);
      out.push_back(shapes::sphere(number("radius")));
      shapes::put(out.back(), at);
    }
    return out;
  }
  if (type == "cells") {
    for (const auto &c : o["cells"]) {
      const Eigen::Vector3d lo(c[0].as<double>(), c[1].as<double>(), c[2].as<double>()), hi(c[3].as<double>(), c[4].as<double>(), c[5].as<double>());
      Pose at = Pose::Identity();
      at.translation() = (lo + hi) / 2;
      out.push_back(shapes::box(hi - lo));
      shapes::put(out.back(), at);
    }
    return out;
  }
  throw Failure("an object of type " + type + " is not judged");
}

Scene native(const YAML::Node &root, const std::string &folder, const Robot &robot) {
  Scene scene;
  for (const auto &o : root["objects"]) {
    Body body;
    body.name = o["id"].as<std::string>();
    body.pose = poseOf(o);
    body.shapes = shapesOf(o, folder);
    if (o["padding"]) body.padding = o["padding"].as<double>();
    if (o["attached_to"]) {
      const std::string link = o["attached_to"].as<std::string>();
      body.link = robot.link(link);
      if (body.link < 0) throw Failure("no link " + link);
      scene.allowed.insert(ordered(body.name, link));
      for (const auto &t : o["touch_links"]) scene.allowed.insert(ordered(body.name, t.as<std::string>()));
    }
    scene.bodies.push_back(std::move(body));
  }
  for (const auto &p : root["allowed"]) scene.allowed.insert(ordered(p[0].as<std::string>(), p[1].as<std::string>()));
  for (const auto &p : root["link_padding"]) scene.linkPadding[p.first.as<std::string>()] = p.second.as<double>();
  return scene;
}

// MoveIt's .scene text with one pose a shape.
Scene moveitText(std::istream &in) {
  Scene scene;
  std::string line;
  std::getline(in, line);  // the scene's name
  while (std::getline(in, line)) {
    if (line == "." || line.empty()) break;
    if (line.compare(0, 2, "* ") != 0) throw Failure("MoveIt scene: unexpected line " + line);
    Body body;
    body.name = line.substr(2);
    double x, y, z, qx, qy, qz, qw;
    in >> x >> y >> z >> qx >> qy >> qz >> qw;
    body.pose.translation() << x, y, z;
    body.pose.linear() = Eigen::Quaterniond(qw, qx, qy, qz).normalized().matrix();
    int count;
    in >> count;
    for (int i = 0; i < count; i++) {
      std::string kind;
      in >> kind;
      double a, b, c;
      if (kind == "box") {
        in >> a >> b >> c;
        body.shapes.push_back(shapes::box({a, b, c}));
      } else if (kind == "sphere") {
        in >> a;
        body.shapes.push_back(shapes::sphere(a));
      } else if (kind == "cylinder") {
        in >> a >> b;
        body.shapes.push_back(shapes::cylinder(a, b));
      } else {
        throw Failure("MoveIt scene: a shape " + kind + " is not judged");
      }
      Pose at = Pose::Identity();
      in >> x >> y >> z >> qx >> qy >> qz >> qw;
      at.translation() << x, y, z;
      at.linear() = Eigen::Quaterniond(qw, qx, qy, qz).normalized().matrix();
      shapes::put(body.shapes.back(), at);
      double colour[4];
      for (double &k : colour) in >> k;
    }
    int subframes;
    in >> subframes;
    std::getline(in, line);
    scene.bodies.push_back(std::move(body));
  }
  return scene;
}

}  // namespace

Scene loadScene(const std::string &path, const Robot &robot) {
  std::ifstream in(path);
  if (!in) throw Failure("no file " + path);
  if (path.size() > 6 && path.substr(path.size() - 6) == ".scene") return moveitText(in);
  return native(YAML::Load(in), folderOf(path), robot);
}

std::vector<Body> loadAttached(const std::string &path, const Robot &robot, NamePairs &allowed) {
  std::ifstream in(path);
  const YAML::Node root = YAML::Load(in);
  std::vector<Body> out;
  for (const auto &a : root["trajectory_start"]["attached_collision_objects"]) {
    const std::string link = a["link_name"].as<std::string>();
    const auto object = a["object"];
    Body body;
    body.name = object["id"].as<std::string>();
    body.link = robot.link(link);
    if (body.link < 0) throw Failure("no link " + link);
    allowed.insert(ordered(body.name, link));
    for (const auto &t : a["touch_links"]) allowed.insert(ordered(body.name, t.as<std::string>()));
    const auto placed = object["pose"];
    if (placed) {
      const auto p = placed["position"];
      body.pose.translation() << p["x"].as<double>(), p["y"].as<double>(), p["z"].as<double>();
    }
    for (const auto &p : object["primitives"]) {
      if (p["type"].as<int>() != 1) throw Failure("only boxes are judged as attached objects of trajectories");
      body.shapes.push_back(shapes::box(vector(p["dimensions"])));
    }
    out.push_back(std::move(body));
  }
  return out;
}
