// Makers of shapes.
#pragma once

#include "model.h"

namespace shapes {
Shape box(const Eigen::Vector3d &size);
Shape sphere(double radius);
Shape cylinder(double radius, double length);
Shape cone(double radius, double length);
Shape capsule(double radius, double length);
Shape mesh(const std::string &path, const Eigen::Vector3d &scale);
Shape mesh(Triangles triangles);
void put(Shape &shape, const Pose &pose);
}  // namespace shapes
