// Package selfcollision is about collisions of the links of one robot with each other.
//
// [Audit] compares the pairs that an SRDF disables with proofs of which links can
// meet (package [github.com/firstcontact-ros/firstcontact/selfcollision/pairproof]) and
// reports pairs that are disabled or enabled wrongly. [Neighbours] lists the pairs that
// MoveIt calls adjacent.
//
// A [RangeOfMotion] encloses each subtree of the robot in a ball that holds for all
// positions of its joints, and bounds how close two links can ever come. A [Query] uses
// it to measure the robot's distance to itself and to a scene at one configuration,
// from the nearest subtree on. docs/self-collision.md explains the method (SPHERE,
// sections III and IV) and says for which robots it is faster than testing all pairs.
//
// Lengths are in metres, angles in radians.
package selfcollision
