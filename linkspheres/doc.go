// Package linkspheres proves that balls cover a link, and measures how far they stick
// out of it: what a planner that knows only spheres may rely on, and what it pays.
//
// A [Body] is the collision geometry of one link in the link's frame. What is to be
// covered is its solid: primitives, and what its meshes enclose (see [mesh.Solid]);
// what encloses nothing is a surface and is covered as one.
//
// [Prove] is the trusted part, with the rules of rules.go, and knows nothing of how
// balls are found (package search). It goes in two steps.
//
// Surfaces. A triangle is inside a ball if its corners are; a triangle that no ball
// holds is halved until each piece has one. Round surfaces are cut into patches
// likewise. So the whole surface is inside the union U of the balls.
//
// Inside. Let a part's surface be inside U and suppose that U misses a point x of its
// solid. The component V of the complement of U that x is in cannot cross the
// surface: V is bounded and inside the solid. Let p_i(y) = |y - c_i|^2 - r_i^2 and f
// the least p_i: f > 0 on V and 0 on its boundary, so that f has a local maximum y in
// V. There is therefore no direction d in which all the p_i that equal f at y grow,
// that is, none with (y - c_i).d > 0 for all of them. Cut the link's box into cells:
// one that is inside a ball, or outside the solid, or that has such a d for all its
// points and all balls whose p_i can be the least in it, holds no such y. If that
// holds of all cells, U covers the solid.
//
// All numbers are float64; each comparison leaves room for its rounding, derived
// where it stands. With u = 2^-53, a pose x -> R x + P maps exactly as its numbers
// say: R need not be a rotation to the last digit, and [Body] carries how far it is
// from one.
package linkspheres
