// Package ccd proves a robot's motion free of collision, or tells when and
// where it first touches: over the whole continuous motion, for every point of
// every link, against the world and against the robot itself.
//
//	robot, err := urdf.Load("robot.urdf", urdf.Options{})
//	world, err := scene.Load("scene.yaml", scene.Options{})
//	checker, err := ccd.New(robot, world, ccd.Options{})
//	move, err := motion.Between(joints, from, to, 1)
//	verdict, err := checker.Check(ctx, move, motion.Query{})
//
// A verdict Free is a proof; Contact comes with a witness and with a proof that
// nothing touches before; Undecided says how far the proof got.
//
// # Where the ideas are
//
//   - the proof rules: balls (B), half-spaces (H), bends of third order (C),
//     displacement, swept boxes and half-spaces, the step to a first contact:
//     internal/engine/spacetime/proof.go
//   - motion bounds along the chain: local radii (after SSL04, section IV-C), the
//     bounds of acceleration (A) and jerk (J), tubes around joints:
//     internal/engine/kin/bounds.go; accelerations at an instant: internal/engine/kin/rate.go
//   - the in-between motion of a root link (RKLM04, equations 2 to 6): motion/root.go
//     and internal/engine/spacetime/root.go
//   - swept volumes that cull the world (RKLM04, section 4): internal/engine/spacetime/sweep.go,
//     against.go; one static tree of eight children a node: internal/geometry/bvh/wide.go
//   - conservative advancement, temporal culling (ZRLK07, sections IV and V): earlier
//     half first, cut where a step surely reaches: internal/engine/spacetime/traverse.go
//   - adaptive bisection of paths, likely times first (SSL04, section VI):
//     internal/engine/spacetime/levels.go; fronts kept for the next path: fronts.go, and PathChecker
//   - a lazy planner, its paths smoothed and proved (SSL04, sections V-D and V-E):
//     lab/planners/lazyprm; its segments by the paper's own method: Bisection
//   - compact sphere trees, greedy ones, Quinlan's distance with tolerance, range and
//     cached centres (SPHERE, sections II and V): lab/spheretree
//   - distance of one configuration with tolerance and range: internal/engine/spacetime/distance.go,
//     distance_world.go, closest.go; a sequence of them: DistanceTracker
//   - range-of-motion hulls, tables and the three-step query (SPHERE, sections III and
//     IV): internal/engine/romtree
//   - pairs that never, always or sometimes meet, by proof: selfcollision/pairproof
//   - the smallest distance of a motion, and over time: internal/engine/spacetime/clearance.go,
//     profile.go
//   - solids: one body inside another: internal/engine/spacetime/contain.go
//   - supports, closest points, hulls and balls: internal/geometry/convex
//   - robot and world compiled into elements, groups and pairs: internal/engine/model
//   - proofs written down and verified: certificate, certificate/verify
//
// The papers' own methods stand beside the default engine, each a package whose doc.go
// maps sections to files: ccd/articulate (RKLM04), ccd/catch (ZRLK07), ccd/bisect
// (SSL04). Query.Method chooses; method.go lists them. SPHERE is in internal/engine/romtree and
// lab/spheretree.
package ccd
