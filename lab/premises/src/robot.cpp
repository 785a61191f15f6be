#include <tinyxml2.h>
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <cmath>
#include <functional>

#include "shapes.h"

namespace {

Pose toPose(const urdf::Pose &p) {
  Pose pose = Pose::Identity();
  pose.translation() << p.position.x, p.position.y, p.position.z;
  pose.linear() = Eigen::Quaterniond(p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z).normalized().matrix();
  return pose;
}

std::string folderOf(const std::string &path) { return path.substr(0, path.rfind('/') + 1); }

Shape toShape(const urdf::Geometry &g, const std::string &folder) {
  switch (g.type) {
    case urdf::Geometry::BOX: {
      const auto &d = static_cast<const urdf::Box &>(g).dim;
      return shapes::box({d.x, d.y, d.z});
    }
    case urdf::Geometry::SPHERE: return shapes::sphere(static_cast<const urdf::Sphere &>(g).radius);
    case urdf::Geometry::CYLINDER: {
      const auto &c = static_cast<const urdf::Cylinder &>(g);
      return shapes::cylinder(c.radius, c.length);
    }
    case urdf::Geometry::MESH: {
      const auto &m = static_cast<const urdf::Mesh &>(g);
      return shapes::mesh(folder + m.filename, {m.scale.x, m.scale.y, m.scale.z});
    }
  }
  throw Failure("unknown geometry");
}

Kind toKind(const urdf::Joint &j) {
  switch (j.type) {
    case urdf::Joint::FIXED: return Kind::fixed;
    case urdf::Joint::REVOLUTE: return Kind::revolute;
    case urdf::Joint::CONTINUOUS: return Kind::continuous;
    case urdf::Joint::PRISMATIC: return Kind::prismatic;
    case urdf::Joint::PLANAR: return Kind::planar;
    default: throw Failure("joint " + j.name + ": its type is not judged");
  }
}

bool turning(Kind k) { return k == Kind::revolute || k == Kind::continuous; }

void follow(Robot &robot, const urdf::ModelInterface &model) {
  const auto index = [&](const std::string &name) {
    for (std::size_t j = 0; j < robot.joints.size(); j++)
      if (robot.joints[j].name == name) return static_cast<int>(j);
    throw Failure("no joint " + name);
  };
  for (auto &joint : robot.joints) {
    const urdf::Joint *at = model.joints_.at(joint.name).get();
    for (int steps = 0; at->mimic; steps++) {
      if (steps > 100) throw Failure("joint " + joint.name + " follows itself");
      joint.product *= at->mimic->multiplier;
      joint.offset += joint.multiplier * at->mimic->offset;
      joint.multiplier *= at->mimic->multiplier;
      at = model.joints_.at(at->mimic->joint_name).get();
    }
    joint.leader = index(at->name);
  }
  for (auto &joint : robot.joints) {
    if (&robot.joints[joint.leader] != &joint || joint.kind == Kind::fixed) continue;
    joint.variable = static_cast<int>(robot.variables.size());
    if (joint.kind == Kind::planar) {
      robot.variables.push_back({joint.name + "/x"});
      robot.variables.push_back({joint.name + "/y"});
      robot.variables.push_back({joint.name + "/theta", true});
      continue;
    }
    Variable v{joint.name, joint.kind == Kind::continuous};
    if (joint.bounded && (joint.lower > 0 || joint.upper < 0)) v.rest = (joint.lower + joint.upper) / 2;
    robot.variables.push_back(v);
  }
  for (auto &joint : robot.joints) {
    if (&robot.joints[joint.leader] == &joint || joint.kind == Kind::fixed) continue;
    joint.variable = robot.joints[joint.leader].variable;
    if (joint.variable < 0) continue;
    robot.variables[joint.variable].followers.push_back({turning(joint.kind), joint.product});
  }
}

}  // namespace

bool Variable::turnsUnseen(int turns) const {
  for (const auto &[turning, times] : followers) {
    const long double n = times * turns;
    if (turning ? n != std::floor(n) : n != 0) return false;
  }
  return true;
}

int Robot::link(const std::string &name) const {
  for (std::size_t i = 0; i < links.size(); i++)
    if (links[i] == name) return static_cast<int>(i);
  return -1;
}

int Robot::variable(const std::string &name) const {
  for (std::size_t i = 0; i < variables.size(); i++)
    if (variables[i].name == name) return static_cast<int>(i);
  return -1;
}

const Joint *Robot::joint(const std::string &name) const {
  for (const auto &j : joints)
    if (j.name == name) return &j;
  return nullptr;
}

void Robot::place(const std::vector<double> &q, const Pose &root, std::vector<Pose> &out) const {
  out.resize(links.size());
  out[0] = root;
  for (std::size_t l = 1; l < links.size(); l++) {
    const Joint &j = joints[parentJoint[l]];
    Pose move = Pose::Identity();
    const double x = j.kind == Kind::fixed || j.kind == Kind::planar ? 0 : j.multiplier * (j.variable < 0 ? 0 : q[j.variable]) + j.offset;
    switch (j.kind) {
      case Kind::fixed: break;
      case Kind::revolute:
      case Kind::continuous: move.linear() = Eigen::AngleAxisd(x, j.axis).matrix(); break;
      case Kind::prismatic: move.translation() = x * j.axis; break;
      case Kind::planar:
        move.translation() << q[j.variable], q[j.variable + 1], 0;
        move.linear() = Eigen::AngleAxisd(q[j.variable + 2], Eigen::Vector3d::UnitZ()).matrix();
        break;
    }
    out[l] = out[j.parent] * j.origin * move;
  }
}

Robot loadRobot(const std::string &path) {
  const urdf::ModelInterfaceSharedPtr model = urdf::parseURDFFile(path);
  if (!model || !model->getRoot()) throw Failure("urdfdom cannot read " + path);
  const std::string folder = folderOf(path);
  Robot robot;
  const std::function<void(const urdf::Link &, int)> add = [&](const urdf::Link &from, int parentJoint) {
    const int index = static_cast<int>(robot.links.size());
    robot.links.push_back(from.name);
    robot.parentJoint.push_back(parentJoint);
    if (parentJoint >= 0) robot.joints[parentJoint].child = index;
    Body body;
    body.name = from.name;
    body.link = index;
    for (const auto &c : from.collision_array) {
      body.shapes.push_back(toShape(*c->geometry, folder));
      shapes::put(body.shapes.back(), toPose(c->origin));
    }
    if (!body.shapes.empty()) robot.bodies.push_back(std::move(body));
    for (const auto &child : from.child_links) {
      const urdf::Joint &j = *child->parent_joint;
      Joint joint{j.name, toKind(j), index, -1, toPose(j.parent_to_joint_origin_transform), {j.axis.x, j.axis.y, j.axis.z}};
      if (joint.kind == Kind::planar) {
        if (!joint.axis.isApprox(Eigen::Vector3d::UnitZ())) throw Failure("planar joint " + j.name + ": only the normal z is judged");
      } else if (joint.kind != Kind::fixed) {
        if (!(joint.axis.norm() > 0)) throw Failure("joint " + j.name + " has no axis");
        joint.axis.normalize();
      }
      if ((joint.kind == Kind::revolute || joint.kind == Kind::prismatic) && j.limits) {
        joint.bounded = true;
        joint.lower = j.limits->lower;
        joint.upper = j.limits->upper;
      }
      robot.joints.push_back(joint);
      add(*child, static_cast<int>(robot.joints.size()) - 1);
    }
  };
  add(*model->getRoot(), -1);
  follow(robot, *model);
  return robot;
}

NamePairs loadSRDF(const std::string &path, Robot &robot) {
  tinyxml2::XMLDocument document;
  if (document.LoadFile(path.c_str()) != tinyxml2::XML_SUCCESS) throw Failure(path + ": " + document.ErrorStr());
  const auto *root = document.FirstChildElement("robot");
  if (!root) throw Failure(path + " has no element robot");
  const auto text = [&](const tinyxml2::XMLElement *e, const char *name) {
    const char *value = e->Attribute(name);
    if (!value) throw Failure(path + ": " + e->Name() + " has no " + name);
    return std::string(value);
  };
  NamePairs off;
  for (auto *e = root->FirstChildElement("disable_default_collisions"); e; e = e->NextSiblingElement("disable_default_collisions"))
    for (const auto &other : robot.links)
      if (other != text(e, "link")) off.insert(ordered(text(e, "link"), other));
  for (auto *e = root->FirstChildElement("enable_collisions"); e; e = e->NextSiblingElement("enable_collisions"))
    off.erase(ordered(text(e, "link1"), text(e, "link2")));
  for (auto *e = root->FirstChildElement("disable_collisions"); e; e = e->NextSiblingElement("disable_collisions"))
    off.insert(ordered(text(e, "link1"), text(e, "link2")));
  std::set<std::string> named;
  for (auto *s = root->FirstChildElement("group_state"); s; s = s->NextSiblingElement("group_state"))
    for (auto *j = s->FirstChildElement("joint"); j; j = j->NextSiblingElement("joint")) {
      const int v = robot.variable(text(j, "name"));
      if (v >= 0 && named.insert(text(j, "name")).second) robot.variables[v].rest = std::stod(text(j, "value"));
    }
  return off;
}
