// Package lazyprm is an example: a motion planner that asks the checker only what it
// must, and whose paths are proved.
//
// The planner is the lazy bidirectional roadmap that SSL04 (Schwarzer, Saha, Latombe)
// describes in section V-D and calls SBL, after Sánchez and Latombe: two trees of
// milestones, one from each end, grow at random; the segments between milestones are
// tested only once they are part of a path from end to end; what was found out about
// the segments of a path that failed is kept for the next path that they are part of.
// With a checker that samples at a fixed resolution it is SBL; with one that proves it
// is A-SBL, which never returns a path in collision. The checker is an interface:
//
//	p, err := lazyprm.FromProblem(base, &problem)          // robot, obstacles, two configurations
//	found, err := lazyprm.Plan(ctx, p, checker, lazyprm.Options{Seed: 1})
//	path, _, err := lazyprm.Smooth(ctx, p, checker, found.Path, lazyprm.SmoothOptions{Seed: 1})
//	verdict, err := p.Verify(ctx, path)                    // ccd.Checker.Check of the whole path
//
// # Where the ideas are
//
//   - the loop, lazy tests, what becomes of a segment in collision (V-D): plan.go
//   - two trees, milestones drawn where they are few: tree.go, grid.go
//   - segments, and what a checker keeps of them (II-D): edge.go
//   - adaptive bisection with a queue for each segment (II-D): bisect.go
//   - the checker of the default engine: engine.go
//   - the fixed resolution that it is compared with (V-A): fixed.go, fixedres.go
//   - shortcuts tested several at once (V-E, II-D): smooth.go
//   - how fine a resolution must be for paths without collision (Table IV): series.go
package lazyprm
