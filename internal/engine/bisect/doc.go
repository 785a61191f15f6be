// Package bisect is the method of SSL04: Schwarzer, Saha, Latombe, Adaptive Dynamic
// Collision Checking for Single and Multiple Articulated Robots in Complex
// Environments (IEEE Transactions on Robotics 2005).
//
// A pair of bodies is proved apart between two configurations where the lengths of the
// curves that their points trace add up to less than their distances at both ends
// (Lemma 1); otherwise the interval is cut in two, and what is most likely to collide
// comes first. Nothing else is needed: no velocities, no directions.
//
//	adaptive.go         ADAPTIVE-BISECTION (Fig. 2), orders of the queue (II-C), threshold (II-F)
//	cover.go            where an interval is cut (II-E, Fig. 3)
//	greedy.go           GREEDY-DIST (Fig. 4)
//	distances.go        EXACT-DIST, APPROX-DIST and COLL-CHECKER, which it is compared with (III-C, Table I)
//	pathlength.go       bounds of path lengths (Lemma 2) and their quality (Fig. 9)
//	motionconstants.go  the constants in them (IV-C, COMPUTE-SPHERE, Fig. 7)
//	never.go            pairs that cannot meet, by the same spheres (V-A)
//	path.go             paths and roadmaps: a queue for each segment, kept (II-D)
//	refined.go          REFINED-ADAPTIVE-BISECTION over pairs of volumes (VI, Figs. 15, 16)
//	clearance.go        the variant that keeps a clearance, and how close a motion comes (VII)
//	fixedres.go         FIXED-RES-BISECTION (V-A), which proves nothing
//
// The volumes are those of package rsstree. Several robots are one tree of joints with
// several arms: a pair of bodies counts only the joints after the body where their
// chains part.
//
// # Departures
//
// Each file says where it departs from the text and why. Those that soundness asked
// for: distances are support gaps, not distances of closest points; every bound has the
// error of poses and its own rounding taken off; surfaces apart all along prove bodies
// apart only together with a proof that none starts inside the other; and a contact is
// reported for two points within the tolerance, never for a lower bound that is small.
package bisect
