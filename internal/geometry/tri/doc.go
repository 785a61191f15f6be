// Package tri is triangles: closest points of points, segments and triangles,
// exact orientation and intersection predicates, and the crossing test that
// tells whether a point is inside a mesh.
//
// Closest points are right to a few roundings of the coordinates, for needles and
// triangles that are segments or points too. Predicates are exact, for finite
// coordinates: a floating-point filter with a derived error bound, and integers of
// any size where the filter cannot tell.
package tri

import "github.com/firstcontact-ros/firstcontact/geom"

// Triangle is a closed triangle; it may be a segment or a point.
type Triangle [3]geom.Vec
