// Package tri provides triangles: closest points of points, segments and triangles, exact
// orientation and intersection predicates, and the crossing test that decides whether a point
// is inside a mesh.
//
// Closest points are accurate to a few roundings of the coordinates, even for needles and
// triangles that are segments or points. Predicates are exact for finite coordinates: a
// floating-point filter with a derived error bound, and big integers if the filter cannot
// decide.
package tri

import "github.com/firstcontact-ros/firstcontact/geom"

// Triangle is a closed triangle; it may be a segment or a point.
type Triangle [3]geom.Vec
