#include "robot.h"

#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "text.h"

namespace fs = std::filesystem;

namespace {

Eigen::Isometry3d toEigen(const urdf::Pose &p) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() << p.position.x, p.position.y, p.position.z;
  pose.linear() = Eigen::Quaterniond(p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z).normalized().matrix();
  return pose;
}

std::string resolve(const std::string &uri, const fs::path &folder, const fs::path &packageRoot) {
  const std::string package = "package://", file = "file://";
  if (uri.compare(0, package.size(), package) == 0) return (packageRoot / uri.substr(package.size())).string();
  if (uri.compare(0, file.size(), file) == 0) return uri.substr(file.size());
  if (uri.find("://") != std::string::npos) throw Failure("cannot resolve " + uri + ": use package://, file:// or a path");
  return (folder / uri).string();
}

Piece toPiece(const urdf::Geometry &geometry, const fs::path &folder, const fs::path &packageRoot, int facets) {
  switch (geometry.type) {
    case urdf::Geometry::BOX: {
      const auto &d = static_cast<const urdf::Box &>(geometry).dim;
      return pieces::box({d.x, d.y, d.z}, facets);
    }
    case urdf::Geometry::SPHERE:
      return pieces::sphere(static_cast<const urdf::Sphere &>(geometry).radius, facets);
    case urdf::Geometry::CYLINDER: {
      const auto &c = static_cast<const urdf::Cylinder &>(geometry);
      return pieces::cylinder(c.radius, c.length, facets);
    }
    case urdf::Geometry::MESH: {
      const auto &m = static_cast<const urdf::Mesh &>(geometry);
      return pieces::mesh(resolve(m.filename, folder, packageRoot), {m.scale.x, m.scale.y, m.scale.z});
    }
  }
  throw Failure("unknown geometry");
}

JointType toType(const urdf::Joint &joint) {
  switch (joint.type) {
    case urdf::Joint::FIXED: return JointType::fixed;
    case urdf::Joint::REVOLUTE: return JointType::revolute;
    case urdf::Joint::CONTINUOUS: return JointType::continuous;
    case urdf::Joint::PRISMATIC: return JointType::prismatic;
    case urdf::Joint::PLANAR: return JointType::planar;
    case urdf::Joint::FLOATING: return JointType::floating;
    case urdf::Joint::UNKNOWN: break;
  }
  throw Failure("joint " + joint.name + " has an unknown type");
}

bool oneDegree(JointType type) {
  return type == JointType::revolute || type == JointType::continuous || type == JointType::prismatic;
}

Joint toJoint(const urdf::Joint &from, int parent, int child) {
  Joint joint;
  joint.name = from.name;
  joint.type = toType(from);
  joint.parent = parent;
  joint.child = child;
  joint.posePC = toEigen(from.parent_to_joint_origin_transform);
  joint.axis << from.axis.x, from.axis.y, from.axis.z;
  if (oneDegree(joint.type)) {
    if (!(joint.axis.norm() > 0)) throw Failure("joint " + joint.name + " has no axis");
    joint.axis.normalize();
  }
  // The two directions within the plane are only agreed upon for the xy plane.
  if (joint.type == JointType::planar && !joint.axis.isApprox(Eigen::Vector3d::UnitZ()))
    throw Failure("planar joint " + joint.name + ": only the axis 0 0 1 is known");
  return joint;
}

std::vector<Variable> variablesOf(const Joint &joint) {
  const std::string &n = joint.name;
  switch (joint.type) {
    case JointType::fixed: return {};
    case JointType::continuous: return {{n, true, false}};
    case JointType::planar: return {{n + "/x"}, {n + "/y"}, {n + "/theta", true, false}};
    case JointType::floating:
      return {{n + "/trans_x"}, {n + "/trans_y"}, {n + "/trans_z"}, {n + "/rot_x", false, true},
              {n + "/rot_y"},   {n + "/rot_z"},   {n + "/rot_w"}};
    default: return {{n}};
  }
}

Eigen::Isometry3d motionOf(const Joint &joint, const Configuration &q) {
  Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
  const double *v = joint.variable < 0 ? nullptr : &q[joint.variable];
  const double x = oneDegree(joint.type) ? joint.multiplier * (v ? *v : 0) + joint.offset : 0;
  switch (joint.type) {
    case JointType::fixed: break;
    case JointType::revolute:
    case JointType::continuous: motion.linear() = Eigen::AngleAxisd(x, joint.axis).matrix(); break;
    case JointType::prismatic: motion.translation() = x * joint.axis; break;
    case JointType::planar:
      motion.translation() << v[0], v[1], 0;
      motion.linear() = Eigen::AngleAxisd(v[2], Eigen::Vector3d::UnitZ()).matrix();
      break;
    case JointType::floating:
      motion.translation() << v[0], v[1], v[2];
      motion.linear() = Eigen::Quaterniond(v[6], v[3], v[4], v[5]).normalized().matrix();
      break;
  }
  return motion;
}

}  // namespace

Robot Robot::load(const std::string &path, const std::string &packageRoot, int facets) {
  if (!fs::is_regular_file(path)) throw Failure("there is no file " + path);
  const urdf::ModelInterfaceSharedPtr model = urdf::parseURDFFile(path);
  if (!model || !model->getRoot()) throw Failure("urdfdom cannot read " + path);
  const fs::path folder = fs::absolute(path).parent_path();
  const fs::path packages = packageRoot.empty() ? folder : fs::path(packageRoot);

  Robot robot;
  robot.name = model->getName();

  const std::function<void(const urdf::Link &, int)> add = [&](const urdf::Link &from, int parentJoint) {
    const int index = static_cast<int>(robot.links.size());
    Link link;
    link.name = from.name;
    link.parentJoint = parentJoint;
    link.rigid = index;
    if (parentJoint >= 0) {
      Joint &joint = robot.joints[parentJoint];
      joint.child = index;
      if (joint.type == JointType::fixed) link.rigid = robot.links[joint.parent].rigid;
    }
    for (const auto &collision : from.collision_array) {
      if (!collision || !collision->geometry) throw Failure("link " + from.name + ": a collision has no geometry");
      try {
        link.pieces.push_back({toEigen(collision->origin), toPiece(*collision->geometry, folder, packages, facets)});
      } catch (const Failure &failure) {
        throw Failure("link " + from.name + ": " + failure.what());
      }
    }
    robot.linkByName_[link.name] = index;
    robot.links.push_back(std::move(link));
    for (const auto &child : from.child_links) {
      robot.joints.push_back(toJoint(*child->parent_joint, index, -1));
      add(*child, static_cast<int>(robot.joints.size()) - 1);
    }
  };
  add(*model->getRoot(), -1);

  // Joints that lead: these have variables.
  std::map<std::string, int> jointByName;
  for (std::size_t j = 0; j < robot.joints.size(); j++) {
    Joint &joint = robot.joints[j];
    jointByName[joint.name] = static_cast<int>(j);
    const auto &mimic = model->joints_.at(joint.name)->mimic;
    if (mimic && joint.type != JointType::fixed) {
      robot.noVariable_[joint.name] = "follows " + mimic->joint_name;
      continue;
    }
    if (joint.type == JointType::fixed) robot.noVariable_[joint.name] = "is fixed";
    if (!oneDegree(joint.type) && joint.type != JointType::fixed)
      robot.noVariable_[joint.name] = "has several variables, such as " + variablesOf(joint).front().name;
    for (const auto &variable : variablesOf(joint)) {
      if (joint.variable < 0) joint.variable = static_cast<int>(robot.variables.size());
      robot.variableByName_[variable.name] = static_cast<int>(robot.variables.size());
      robot.variables.push_back(variable);
    }
  }

  // Joints that follow, at the end of a chain of followers too.
  for (auto &joint : robot.joints) {
    const urdf::Joint *at = model->joints_.at(joint.name).get();
    if (!at->mimic || joint.type == JointType::fixed) continue;
    if (!oneDegree(joint.type)) throw Failure("joint " + joint.name + " cannot follow another: it is planar or floating");
    for (std::size_t steps = 0; at->mimic; steps++) {
      if (steps > robot.joints.size()) throw Failure("joint " + joint.name + " follows itself");
      // x = m (m' y + o') + o, seen from the joint outward to its leader
      joint.offset += joint.multiplier * at->mimic->offset;
      joint.multiplier *= at->mimic->multiplier;
      const auto leader = model->joints_.find(at->mimic->joint_name);
      if (leader == model->joints_.end())
        throw Failure("joint " + at->name + " follows " + at->mimic->joint_name + ", which is not there");
      at = leader->second.get();
    }
    const Joint &leader = robot.joints[jointByName.at(at->name)];
    if (leader.type != JointType::fixed && !oneDegree(leader.type))
      throw Failure("joint " + joint.name + " follows " + leader.name + ", which is planar or floating");
    joint.variable = leader.variable;
  }
  return robot;
}

int Robot::link(const std::string &name) const {
  const auto found = linkByName_.find(name);
  return found == linkByName_.end() ? -1 : found->second;
}

int Robot::variable(const std::string &name) const {
  const auto found = variableByName_.find(name);
  if (found != variableByName_.end()) return found->second;
  const auto reason = noVariable_.find(name);
  if (reason != noVariable_.end()) throw Failure("joint " + quoted(name) + " " + reason->second);
  throw Failure("there is no joint " + quoted(name));
}

Configuration Robot::zero() const {
  Configuration q(variables.size(), 0.0);
  for (std::size_t i = 0; i < variables.size(); i++)
    if (variables[i].rotation) q[i + 3] = 1;
  return q;
}

void Robot::forward(const Configuration &q, Poses &out) const {
  out.resize(links.size());
  out[0].setIdentity();
  for (std::size_t l = 1; l < links.size(); l++) {
    const Joint &joint = joints[links[l].parentJoint];
    out[l] = out[joint.parent] * joint.posePC * motionOf(joint, q);
  }
}

void Robot::between(const Configuration &from, const Configuration &to, double t, bool shortWay,
                    Configuration &out) const {
  out.resize(variables.size());
  for (std::size_t i = 0; i < variables.size(); i++) {
    if (variables[i].rotation) {
      const Eigen::Quaterniond a(from[i + 3], from[i], from[i + 1], from[i + 2]);
      const Eigen::Quaterniond b(to[i + 3], to[i], to[i + 1], to[i + 2]);
      const Eigen::Quaterniond c = a.normalized().slerp(t, b.normalized());
      out[i] = c.x(), out[i + 1] = c.y(), out[i + 2] = c.z(), out[i + 3] = c.w();
      i += 3;
      continue;
    }
    double way = to[i] - from[i];
    if (shortWay && variables[i].continuous) way = std::remainder(way, 2 * M_PI);
    out[i] = from[i] + t * way;
  }
}
