#include "piece.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/geometric_shape_to_BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/math/bv/OBBRSS.h>

#include <array>
#include <filesystem>
#include <map>

#include "text.h"

namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

Piece fromMesh(const Mesh &mesh) {
  auto model = std::make_shared<Model>();
  std::vector<fcl::Triangle> triangles;
  triangles.reserve(mesh.triangles.size());
  for (const auto &t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
  model->beginModel();
  model->addSubModel(mesh.points, triangles);
  if (model->endModel() != fcl::BVH_OK) throw Failure("FCL cannot build a hierarchy of the mesh");
  model->computeLocalAABB();

  Piece piece;
  piece.solid = std::make_shared<const Solid>(mesh);
  piece.probes = piece.solid->probes();
  piece.triangles = mesh.triangles.size();
  piece.dropped = mesh.dropped;
  piece.geometry = model;
  return piece;
}

// The triangles that FCL made of a primitive.
Piece fromModel(const Model &model) {
  Mesh mesh;
  mesh.points.assign(model.vertices, model.vertices + model.num_vertices);
  for (int i = 0; i < model.num_tris; i++) {
    const fcl::Triangle &t = model.tri_indices[i];
    mesh.triangles.push_back({static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])});
  }
  return fromMesh(mesh);
}

template <typename Shape>
Piece fromShape(const Shape &shape) {
  Piece piece;
  piece.geometry = std::make_shared<Shape>(shape);
  piece.geometry->computeLocalAABB();
  piece.probes = {Eigen::Vector3d::Zero()};
  return piece;
}

}  // namespace

namespace pieces {

Piece box(const Eigen::Vector3d &size, int facets) {
  const fcl::Boxd shape(size);
  if (facets <= 0) return fromShape(shape);
  Model model;
  fcl::generateBVHModel(model, shape, fcl::Transform3d::Identity());
  return fromModel(model);
}

Piece cylinder(double radius, double length, int facets) {
  const fcl::Cylinderd shape(radius, length);
  if (facets <= 0) return fromShape(shape);
  Model model;
  fcl::generateBVHModel(model, shape, fcl::Transform3d::Identity(), facets, 1);
  return fromModel(model);
}

Piece sphere(double radius, int facets) {
  const fcl::Sphered shape(radius);
  if (facets <= 0) return fromShape(shape);
  Model model;
  fcl::generateBVHModel(model, shape, fcl::Transform3d::Identity(), facets, facets / 2);
  return fromModel(model);
}

Piece capsule(double radius, double length, int facets) {
  if (facets > 0) throw Failure("a capsule cannot be made a mesh: set \"primitives exact\"");
  return fromShape(fcl::Capsuled(radius, length));
}

Piece cone(double radius, double length, int facets) {
  const fcl::Coned shape(radius, length);
  if (facets <= 0) return fromShape(shape);
  Model model;
  fcl::generateBVHModel(model, shape, fcl::Transform3d::Identity(), facets, 1);
  return fromModel(model);
}

Piece mesh(const std::string &path, const Eigen::Vector3d &scale) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) throw Failure("mesh " + path + ": " + error.message());
  const auto time = fs::last_write_time(path, error).time_since_epoch().count();
  const std::string key = path + '\n' + std::to_string(size) + ' ' + std::to_string(time) + ' ' + digits(scale.x()) +
                          ' ' + digits(scale.y()) + ' ' + digits(scale.z());
  static std::map<std::string, Piece> known;
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  return known[key] = fromMesh(loadMesh(path, scale));
}

}  // namespace pieces
