#include "sampler.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/OBB.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/narrowphase/collision.h>

#include <map>

#include "text.h"

namespace {

// The same triangles below OBBs.
std::shared_ptr<fcl::CollisionGeometryd> fast(const std::shared_ptr<fcl::CollisionGeometryd> &geometry) {
  const auto *mesh = dynamic_cast<const fcl::BVHModel<fcl::OBBRSSd> *>(geometry.get());
  if (!mesh) return geometry;
  static std::map<const void *, std::shared_ptr<fcl::CollisionGeometryd>> known;  // the meshes of a robot are loaded once
  auto &made = known[mesh];
  if (made) return made;
  auto model = std::make_shared<fcl::BVHModel<fcl::OBBd>>();
  model->beginModel();
  model->addSubModel(std::vector<Eigen::Vector3d>(mesh->vertices, mesh->vertices + mesh->num_vertices),
                     std::vector<fcl::Triangle>(mesh->tri_indices, mesh->tri_indices + mesh->num_tris));
  model->endModel();
  model->computeLocalAABB();
  return made = model;
}

}  // namespace

void Sampler::Shape::place(const Eigen::Isometry3d &of) {
  pose = of * local;
  const auto &box = geometry->aabb_local;
  middle = pose * box.center();
  half = pose.linear().cwiseAbs() * ((box.max_ - box.min_) / 2);
}

bool Sampler::touch(const Shape &a, const Shape &b) const {
  if (((a.middle - b.middle).cwiseAbs().array() > (a.half + b.half).array()).any()) return false;
  fcl::CollisionResultd result;
  return fcl::collide(a.geometry.get(), a.pose, b.geometry.get(), b.pose, request_, result) > 0;
}

Sampler::Sampler(const Robot &robot, const std::set<std::pair<std::string, std::string>> &disabled, const std::vector<Object> &objects, double tolerance)
    : robot_(robot), request_(1, false) {
  request_.gjk_tolerance = tolerance;
  for (std::size_t l = 0; l < robot.links.size(); l++)
    for (const auto &piece : robot.links[l].pieces) {
      if (robot.links[l].rigid != 0) moving_.push_back(static_cast<int>(shapes_.size()));
      shapes_.push_back({fast(piece.piece.geometry), piece.poseLS, static_cast<int>(l)});
    }
  const int links = static_cast<int>(shapes_.size());
  for (const auto &o : objects) {
    shapes_.push_back({o.piece.geometry, o.poseRS, -1});
    shapes_.back().place(Eigen::Isometry3d::Identity());
  }
  robot.forward(robot.zero(), poses_);
  for (int i = 0; i < links; i++) shapes_[i].place(poses_[shapes_[i].link]);
  const auto name = [&](int i) { return i < links ? robot.links[shapes_[i].link].name : objects[i - links].id; };
  const auto rigid = [&](int i) { return i < links ? robot.links[shapes_[i].link].rigid : 0; };
  const auto add = [&](int i, int j) {
    if (shapes_[i].link == shapes_[j].link) return;
    const auto a = name(i), b = name(j);
    if (disabled.count(a < b ? std::make_pair(a, b) : std::make_pair(b, a))) return;
    if (rigid(i) != rigid(j)) pairs_.emplace_back(i, j);
    else if (touch(shapes_[i], shapes_[j])) throw Failure(quoted(a) + " and " + quoted(b) + " touch, and never move against each other");
  };
  for (int i = 0; i < links; i++)
    for (int j = links; j < static_cast<int>(shapes_.size()); j++) add(i, j);
  for (int i = 0; i < links; i++)
    for (int j = i + 1; j < links; j++) add(i, j);
}

bool Sampler::free(const Configuration &q) {
  robot_.forward(q, poses_);
  for (const int i : moving_) shapes_[i].place(poses_[shapes_[i].link]);
  for (const auto &[i, j] : pairs_)
    if (touch(shapes_[i], shapes_[j])) return false;
  return true;
}
