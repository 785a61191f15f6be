// Package distance bounds how close bodies come at one configuration: the distance of a
// pair of bodies, the closest pairs of a robot (SPHERE, distance range and error
// tolerance), and everything close to one element. Lower bounds are support gaps, which
// are proofs; upper bounds are real points of the geometry.
//
// Files from the ground up; each uses only those above it in this list:
//
//	own.go      what leaves out the robot's own pairs
//	scope.go    which pairs a query is about
//	pose.go     poses applied without copies
//	state.go    the searcher and the scratch of its searches
//	searcher.go beginning a query; closest points on a mesh
//	inside.go   one solid inside another
//	bounds.go   what is known of a pair: bounds, closest points
//	leaf.go     two triangles, points or cells
//	descend.go  both hierarchies of a pair
//	pair.go     one pair: balls, hulls, then parts
//	near.go     the closest points of any pair where the robot is placed
//	rank.go     the closest pairs so far
//	world.go    one element and the world's tree
//	cull.go     the closest pairs where not each of the robot's own is looked at
//	closest.go  the closest pairs at a configuration
//	between.go  two bodies
//	pairwise.go pair by pair, for callers that choose the pairs
package distance
