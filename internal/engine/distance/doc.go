// Package distance bounds how close bodies come at one configuration: the distance of a
// pair of bodies, the closest pairs of a robot (SPHERE, distance range and error
// tolerance), and everything close to one element. Lower bounds are support gaps, which
// are proofs; upper bounds are real points of the geometry.
//
// There are two descents: that of a pair into both hierarchies (pairSearch), which every
// query uses, and that of one element into the tree of everything that stands still
// (worldSearch). Package spacetime has no descent of its own for distances: it gets upper
// bounds from Nearest, and proves lower bounds over intervals by its proof rules.
//
// Files from the ground up; each uses only those above it in this list:
//
//	own.go      what leaves out the robot's own pairs
//	scope.go    which pairs a query is about
//	outside.go  how far a point is from a box
//	state.go    the searcher and the scratch of its searches
//	searcher.go beginning a query; closest points on a mesh
//	inside.go   one solid inside another
//	since.go    bounds taken from one configuration to the next
//	bounds.go   what is known of a pair: bounds, closest points
//	leaf.go     two triangles, points or cells
//	descend.go  both hierarchies of a pair
//	pair.go     one pair: balls, hulls, then parts
//	rank.go     the closest pairs so far
//	world.go    one element and the world's tree
//	cull.go     the closest pairs where not each of the robot's own is looked at
//	closest.go  the closest pairs at a configuration
//	near.go     the closest points of any pair, where an engine has placed the robot
//	expected.go the pair that is likely to be closest
//	between.go  two bodies
//	pairwise.go pair by pair, for callers that choose the pairs
package distance
