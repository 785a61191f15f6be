// Package rsstree is binary hierarchies of rectangle swept spheres over the
// triangles of a mesh, over points, over the cells of an octree or over one convex
// piece, and proved lower bounds of the distance of two of their nodes.
//
// After SSL04 (Schwarzer, Saha, Latombe), section III, and the library it used, PQP
// (Larsen, Gottschalk, Lin, Manocha 1999). Two departures: that what is below a node
// lies in its volume is verified for every point and rounded outward; and the
// distance of two volumes is not that of the closest points that a search found,
// which is no lower bound (two nearly parallel edges: closest points that are off by
// a little along them are too far apart), but the gap of the supports along the
// points' difference.
package rsstree
