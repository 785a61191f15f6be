// Package ccd proves a robot's motion free of collision, or tells when and
// where it first touches: over the whole continuous motion, for every point of
// every link, against the world and against the robot itself.
//
//	robot, err := urdf.Load("robot.urdf", urdf.Options{})
//	world, err := scene.Load("scene.yaml", scene.Options{})
//	checker, err := ccd.New(robot, world, ccd.Options{})
//	move, err := motion.Between(joints, from, to, 1)
//	verdict, err := checker.Check(ctx, move, ccd.Query{})
//
// A verdict Free is a proof; Contact comes with a witness and with a proof that
// nothing touches before; Undecided says how far the proof got.
//
// # Where the ideas are
//
//   - second-order proof rules, adaptive bisection of time (SSL04, section IV),
//     conservative order and temporal culling (ZRLK07, section V): ccd/spacetime
//   - local motion bounds along the chain (after SSL04, section IV-C): internal/kin
//   - hierarchies whose nodes enclose geometry, not child nodes (SPHERE, section
//     II-B), distance by Quinlan's search: internal/bvh, ccd/spacetime/distance.go
//   - supports, closest points, hulls and balls: internal/convex
//   - robot and world compiled into elements and pairs: internal/model
package ccd
