#include "shapes.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/math/bv/OBBRSS.h>

#include <assimp/Importer.hpp>

namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

template <typename Primitive>
Shape primitive(const Primitive &p) {
  Shape shape;
  shape.geometry = std::make_shared<Primitive>(p);
  shape.probes = {Eigen::Vector3d::Zero()};
  shapes::put(shape, Pose::Identity());
  return shape;
}

void collect(const aiScene &scene, const aiNode &node, const aiMatrix4x4 &parent, Triangles &out) {
  const aiMatrix4x4 m = parent * node.mTransformation;
  Eigen::Matrix4d pose;
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++) pose(r, c) = m[r][c];
  for (unsigned k = 0; k < node.mNumMeshes; k++) {
    const aiMesh &part = *scene.mMeshes[node.mMeshes[k]];
    const int base = static_cast<int>(out.points.size());
    for (unsigned v = 0; v < part.mNumVertices; v++) {
      const aiVector3D &p = part.mVertices[v];
      out.points.push_back((pose * Eigen::Vector4d(p.x, p.y, p.z, 1)).head<3>());
    }
    for (unsigned f = 0; f < part.mNumFaces; f++) {
      const aiFace &face = part.mFaces[f];
      if (face.mNumIndices == 3)
        out.faces.push_back({base + static_cast<int>(face.mIndices[0]), base + static_cast<int>(face.mIndices[1]),
                             base + static_cast<int>(face.mIndices[2])});
    }
  }
  for (unsigned c = 0; c < node.mNumChildren; c++) collect(scene, *node.mChildren[c], m, out);
}

// A face whose corners lie on one line has no normal for FCL's boxes, and its neighbours cover it.
bool withoutArea(const Eigen::Vector3d &a, const Eigen::Vector3d &b, const Eigen::Vector3d &c) {
  const Eigen::Vector3d u = b - a, v = c - a;
  return u.cross(v).norm() <= 1e-14 * std::max({u.squaredNorm(), v.squaredNorm(), (c - b).squaredNorm()});
}

}  // namespace

namespace shapes {

void put(Shape &shape, const Pose &pose) {
  shape.pose = pose;
  shape.geometry->computeLocalAABB();
  shape.center = pose * shape.geometry->aabb_center;
  shape.radius = shape.geometry->aabb_radius * (1 + 1e-12);
}

Shape box(const Eigen::Vector3d &size) { return primitive(fcl::Boxd(size)); }
Shape sphere(double radius) { return primitive(fcl::Sphered(radius)); }
Shape cylinder(double radius, double length) { return primitive(fcl::Cylinderd(radius, length)); }
Shape cone(double radius, double length) { return primitive(fcl::Coned(radius, length)); }
Shape capsule(double radius, double length) { return primitive(fcl::Capsuled(radius, length)); }

Shape mesh(Triangles triangles) {
  Shape shape;
  auto solid = std::make_shared<Solid>(triangles);
  shape.probes = solid->probes();
  shape.solid = solid;
  auto model = std::make_shared<Model>();
  std::vector<fcl::Triangle> faces;
  for (const auto &t : triangles.faces)
    if (!withoutArea(triangles.points[t[0]], triangles.points[t[1]], triangles.points[t[2]])) faces.emplace_back(t[0], t[1], t[2]);
  if (faces.empty()) throw Failure("a mesh has no triangle with an area");
  model->beginModel();
  model->addSubModel(triangles.points, faces);
  if (model->endModel() != fcl::BVH_OK) throw Failure("FCL cannot build a hierarchy of a mesh");
  shape.geometry = model;
  put(shape, Pose::Identity());
  return shape;
}

Shape mesh(const std::string &path, const Eigen::Vector3d &scale) {
  static Assimp::Importer importer;
  // ROS takes the coordinates of COLLADA files as they stand, with the unit applied.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  const aiScene *scene = importer.ReadFile(path, aiProcess_Triangulate);
  if (!scene || !scene->mRootNode) throw Failure("mesh " + path + ": " + importer.GetErrorString());
  Triangles t;
  collect(*scene, *scene->mRootNode, aiMatrix4x4(), t);
  importer.FreeScene();
  for (auto &p : t.points) p = p.cwiseProduct(scale);
  return mesh(std::move(t));
}

}  // namespace shapes
