#include "mesh.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <Eigen/Geometry>
#include <assimp/Importer.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "text.h"

namespace {

Eigen::Matrix4d toEigen(const aiMatrix4x4 &m) {
  Eigen::Matrix4d e;
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++) e(r, c) = m[r][c];
  return e;
}

// Collects the triangles of a node and of all below it, in the file's own frame.
void collect(const aiScene &scene, const aiNode &node, const Eigen::Matrix4d &parent, Mesh &out) {
  const Eigen::Matrix4d pose = parent * toEigen(node.mTransformation);
  for (unsigned m = 0; m < node.mNumMeshes; m++) {
    const aiMesh &part = *scene.mMeshes[node.mMeshes[m]];
    const int base = static_cast<int>(out.points.size());
    for (unsigned v = 0; v < part.mNumVertices; v++) {
      const aiVector3D &p = part.mVertices[v];
      out.points.push_back((pose * Eigen::Vector4d(p.x, p.y, p.z, 1)).head<3>());
    }
    for (unsigned f = 0; f < part.mNumFaces; f++) {
      const aiFace &face = part.mFaces[f];
      if (face.mNumIndices != 3) {
        out.dropped++;
        continue;
      }
      out.triangles.push_back({base + static_cast<int>(face.mIndices[0]), base + static_cast<int>(face.mIndices[1]),
                               base + static_cast<int>(face.mIndices[2])});
    }
  }
  for (unsigned c = 0; c < node.mNumChildren; c++) collect(scene, *node.mChildren[c], pose, out);
}

// A triangle whose corners lie on one line adds nothing to the surface that its
// neighbours do not cover, and has no normal for a bounding box.
bool withoutArea(const Eigen::Vector3d &a, const Eigen::Vector3d &b, const Eigen::Vector3d &c) {
  const Eigen::Vector3d u = b - a, v = c - a;
  const double longest = std::max({u.squaredNorm(), v.squaredNorm(), (c - b).squaredNorm()});
  return u.cross(v).norm() <= 1e-14 * longest;
}

void dropWithoutArea(Mesh &mesh) {
  std::size_t kept = 0;
  for (const auto &t : mesh.triangles)
    if (!withoutArea(mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]])) mesh.triangles[kept++] = t;
  mesh.dropped += mesh.triangles.size() - kept;
  mesh.triangles.resize(kept);
}

}  // namespace

Mesh loadMesh(const std::string &path, const Eigen::Vector3d &scale) {
  Assimp::Importer importer;
  // assimp turns Z_UP files to Y up by the root's transform. ROS shows files as
  // their coordinates stand, so ask for that; the root then holds the unit alone.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  // Triangulate, and nothing else: no joining, no sorting, no optimising.
  const aiScene *scene = importer.ReadFile(path, aiProcess_Triangulate);
  if (!scene || !scene->mRootNode) throw Failure("mesh " + path + ": " + importer.GetErrorString());

  Mesh mesh;
  collect(*scene, *scene->mRootNode, Eigen::Matrix4d::Identity(), mesh);
  for (auto &p : mesh.points) {
    p = p.cwiseProduct(scale);
    if (!p.allFinite()) throw Failure("mesh " + path + ": a vertex is not finite");
  }
  dropWithoutArea(mesh);
  if (mesh.triangles.empty()) throw Failure("mesh " + path + " has no triangles");
  return mesh;
}

namespace {

// Numbers equal points alike.
std::vector<int> weld(const Mesh &mesh) {
  std::map<std::array<double, 3>, int> seen;
  std::vector<int> id(mesh.points.size());
  for (std::size_t i = 0; i < mesh.points.size(); i++) {
    const auto &p = mesh.points[i];
    id[i] = seen.insert({{p.x() + 0.0, p.y() + 0.0, p.z() + 0.0}, static_cast<int>(seen.size())}).first->second;
  }
  return id;
}

int find(std::vector<int> &parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

Solid::Solid(const Mesh &mesh) {
  const std::vector<int> id = weld(mesh);
  std::vector<int> parent(mesh.points.size());
  std::iota(parent.begin(), parent.end(), 0);
  // A directed edge counts +1, its reverse -1: a component is closed where all
  // sums are zero.
  std::map<std::pair<int, int>, int> edges;
  for (const auto &t : mesh.triangles)
    for (int k = 0; k < 3; k++) {
      const int a = id[t[k]], b = id[t[(k + 1) % 3]];
      parent[find(parent, a)] = find(parent, b);
      if (a < b) edges[{a, b}]++;
      if (b < a) edges[{b, a}]--;
    }

  std::map<int, bool> closed;
  for (const auto &t : mesh.triangles)
    if (closed.insert({find(parent, id[t[0]]), true}).second) probes_.push_back(mesh.points[t[0]]);
  for (const auto &[edge, sum] : edges)
    if (sum != 0) closed[find(parent, edge.first)] = false;

  const double inf = std::numeric_limits<double>::infinity();
  min_.setConstant(inf);
  max_.setConstant(-inf);
  for (const auto &[root, isClosed] : closed) closed_ += isClosed;
  for (const auto &t : mesh.triangles) {
    if (!closed[find(parent, id[t[0]])]) continue;
    faces_.push_back({mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]});
    for (const auto &p : faces_.back()) {
      min_ = min_.cwiseMin(p);
      max_ = max_.cwiseMax(p);
    }
  }
}

bool Solid::contains(const Eigen::Vector3d &point) const {
  if (faces_.empty() || (point.array() < min_.array()).any() || (point.array() > max_.array()).any()) return false;
  // Sum of the solid angles (van Oosterom and Strackee 1983), 4 pi per winding.
  double sum = 0;
  for (const auto &f : faces_) {
    const Eigen::Vector3d a = f[0] - point, b = f[1] - point, c = f[2] - point;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return std::abs(sum) > 2 * M_PI;
}
