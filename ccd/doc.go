// Package ccd proves that a robot's continuous motion is free of collision, or finds when
// and where it first touches: for every point of every link, at every time, against the
// world and against the robot itself.
//
//	robot, err := urdf.Load("robot.urdf", urdf.Options{})
//	world, err := scene.Load("scene.yaml", scene.Options{Robot: robot})
//	checker, err := ccd.New(robot, world, ccd.Options{})
//	move, err := motion.Between(joints, from, to, 1) // within a second
//	verdict, err := checker.Check(ctx, move, motion.Query{})
//
// A verdict [motion.Free] is a proof. [motion.Contact] comes with a witness, and with a
// proof that nothing touches before. [motion.Undecided] tells until when the motion is
// proved free, and why not further. docs/guarantees.md says what this rests on.
//
// # Tasks
//
//   - first contact, yes or no, smallest distance of a motion: [Checker.Check]
//   - the same for paths that a planner changes piece by piece: [PathChecker]
//   - the robot with itself and with the world apart: Query.EachScope ([motion.Query])
//   - all pairs that touch at the time of contact: Query.MaxContacts ([motion.Query])
//   - motions that follow their path only roughly (a tube): [motion.Query]
//   - distances at one configuration: [Checker.Distance]; at many: [DistanceTracker]
//   - the smallest distance over the time of a motion: [Checker.Profile]
//   - the pairs that are checked and those that are not: [Checker.Pairs]
//   - a proof in a file: [Checker.Certify]; package certificate/verify checks it
//   - another world or state, the same robot: [Checker.WithWorld], [Checker.WithNextWorld], [Checker.WithState]
//
// All lengths are in metres, angles in radians and times in seconds. Points and
// directions are in the frame of the scene, which is that of the root link unless the
// scene names another.
//
// # Methods
//
// Query.Method chooses the engine. The default one, internal/engine/spacetime, combines
// ideas of four papers. The methods of three of them are engines of their own, whose
// package comments map sections to files:
//
//   - RKLM04 (Redon, Kim, Lin, Manocha 2004), fast continuous collision detection for
//     articulated models: internal/engine/articulate
//   - ZRLK07 (Zhang, Redon, Lee, Kim 2007), Taylor models and temporal culling: internal/engine/catch
//   - SSL04 (Schwarzer, Saha, Latombe 2004), adaptive bisection: internal/engine/bisect, [Bisection]
//   - SPHERE (the humanoid ARMAR), sphere trees and ranges of motion: selfcollision,
//     internal/engine/romtree, lab/spheretree
//
// # Where the ideas are
//
//   - in-between motion of a root link (RKLM04, equations 2 to 6): [motion.RootThrough]
//   - bounds of velocity, acceleration and jerk along the chain (SSL04, section IV-C,
//     ZRLK07, section 6): internal/engine/kin
//   - proof rules that separate two bodies during an interval of time, swept volumes
//     (RKLM04, section 4), conservative advancement and temporal culling (ZRLK07,
//     sections 3.4 and 7), likely times first (SSL04, section II), one body inside another:
//     internal/engine/spacetime
//   - Taylor models (ZRLK07, section 5): internal/numeric/taylor; interval arithmetic:
//     internal/numeric/interval
//   - boxes, hierarchies and hulls: internal/geometry/bvh, internal/geometry/convex
//   - swept spheres around rectangles (SSL04, section III): internal/geometry/rsstree
//   - distance range intervals (SPHERE, section II): [motion.DistanceQuery]
//   - pairs that never, always or sometimes meet, by proof: selfcollision/pairproof
//   - range-of-motion hulls and distances from the nearest subtree on (SPHERE, sections
//     III and IV): selfcollision
//   - robot and world compiled into elements, groups and pairs: internal/engine/model
//   - a planner whose paths are proved (SSL04, section V): lab/planners/lazyprm
package ccd
