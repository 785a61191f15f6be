#include "narrow.h"

#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>

Element::Element(int body, const Piece &piece, const Eigen::Isometry3d &poseBS)
    : body(body), piece(piece), poseBS(poseBS), object(piece.geometry) {
  object.setUserData(this);
  place(Eigen::Isometry3d::Identity());
}

void Element::place(const Eigen::Isometry3d &poseRB) {
  object.setTransform(poseRB * poseBS);
  object.computeAABB();
}

namespace {

// Whether a component of `inner` lies in the solid of `outer`, given that their
// surfaces do not meet. (A mesh within a primitive needs no such test: to FCL
// primitives are solid.)
bool within(const Element &inner, const Element &outer) {
  if (!outer.piece.solid || outer.piece.solid->closedComponents() == 0) return false;
  const Eigen::Isometry3d toOuter = outer.object.getTransform().inverse() * inner.object.getTransform();
  return std::any_of(inner.piece.probes.begin(), inner.piece.probes.end(),
                     [&](const Eigen::Vector3d &p) { return outer.piece.solid->contains(toOuter * p); });
}

bool contained(const Element &a, const Element &b) { return within(a, b) || within(b, a); }

}  // namespace

bool Narrow::touch(const Element &a, const Element &b) const {
  fcl::CollisionRequestd request(1, false);
  request.gjk_tolerance = tolerance;
  fcl::CollisionResultd result;
  fcl::collide(&a.object, &b.object, request, result);
  return result.isCollision() || (solid && contained(a, b));
}

double Narrow::distance(const Element &a, const Element &b) const {
  if (touch(a, b)) return 0;
  fcl::DistanceRequestd request;
  request.distance_tolerance = tolerance;
  fcl::DistanceResultd result;
  fcl::distance(&a.object, &b.object, request, result);
  return result.min_distance;
}

double Narrow::depth(const Element &a, const Element &b) const {
  fcl::CollisionRequestd request(10000, true);
  request.gjk_tolerance = tolerance;
  fcl::CollisionResultd result;
  fcl::collide(&a.object, &b.object, request, result);
  double deepest = 0;
  for (std::size_t i = 0; i < result.numContacts(); i++)
    deepest = std::max(deepest, result.getContact(i).penetration_depth);
  return deepest;
}

double sphereGap(const Element &a, const Element &b) {
  const auto &ga = *a.piece.geometry, &gb = *b.piece.geometry;
  const Eigen::Vector3d ca = a.object.getTransform() * ga.aabb_center, cb = b.object.getTransform() * gb.aabb_center;
  return (ca - cb).norm() - ga.aabb_radius - gb.aabb_radius;
}
