// Package linkspheres proves that balls cover a link, and measures how far they protrude from
// it: the guarantee and the cost for a planner that models links by spheres.
//
// A [Body] is the collision geometry of one link in the link's frame. The set to cover is its
// solid: primitives, and the inside of its meshes (see [mesh.Solid]); an open mesh is covered
// as a surface.
//
// [Prove] is the trusted part, with the rules of rules.go, and is independent of the search
// for balls (package search). It has two steps.
// Surfaces. A triangle is inside a ball if its corners are; a triangle that no ball contains
// is halved until each piece is contained in one. Round surfaces are cut into patches
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
// All numbers are float64; each comparison allows for its rounding, with a derivation beside
// it. With u = 2^-53, a pose x -> R x + P maps exactly by its numbers: R need not be an exact
// rotation, and [Body] carries how far it is from one.
package linkspheres
