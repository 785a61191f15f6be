package ccd_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// cell reads a robot with the joints shoulder and elbow, and a post within its reach.
func cell() (*urdf.Robot, *scene.Snapshot) {
	robot, err := urdf.Load("../testdata/two_link.urdf", urdf.Options{})
	if err != nil {
		log.Fatal(err)
	}
	post := "objects: [{id: post, type: cylinder, radius: 0.05, length: 1, xyz: [1, 0.5, 0]}]"
	world, err := scene.Parse("cell.yaml", []byte(post), scene.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return robot, world
}

func newChecker(o ccd.Options) *ccd.Checker {
	robot, world := cell()
	checker, err := ccd.New(robot, world, o)
	if err != nil {
		log.Fatal(err)
	}
	return checker
}

// turn is a motion of the shoulder from one angle to another within a second.
func turn(from, to float64) *motion.Motion {
	m, err := motion.Between([]string{"shoulder"}, []float64{from}, []float64{to}, 1)
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// The shoulder turns the stretched arm into a post.
func ExampleChecker_Check() {
	checker := newChecker(ccd.Options{})
	verdict, err := checker.Check(context.Background(), turn(-1, 1), motion.Query{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdict.Status)
	fmt.Println(verdict.Contact.Pair.A.Name, "touches", verdict.Contact.Pair.B.Name)
	fmt.Printf("no earlier than %.3f s and no later than %.3f s\n", verdict.TOC.Lo, verdict.TOC.Hi)
	// Output:
	// contact
	// lower touches post
	// no earlier than 0.700 s and no later than 0.700 s
}

// How close the arm comes to the post, proved to a millimetre.
func ExampleChecker_Check_clearance() {
	checker := newChecker(ccd.Options{})
	verdict, err := checker.Check(context.Background(), turn(-1, 0), motion.Query{Question: motion.MinClearance})
	if err != nil {
		log.Fatal(err)
	}
	least := verdict.MinClearance
	fmt.Println(verdict.Status)
	fmt.Printf("%.2f m at %.2f s\n", least.Bounds.Lo, least.At.Time)
	// Output:
	// free
	// 0.44 m at 1.00 s
}

// A controller that keeps the shoulder within 0.05 rad of the motion, whatever it does
// within that tube, does not touch; one that keeps it within 0.5 rad may.
func ExampleChecker_Check_tube() {
	checker := newChecker(ccd.Options{})
	for _, width := range []float64{0.05, 0.5} {
		verdict, err := checker.Check(context.Background(), turn(-1, 0), motion.Query{Tube: map[string]float64{"shoulder": width}})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("within %g rad: %s\n", width, verdict.Status)
	}
	// Output:
	// within 0.05 rad: free
	// within 0.5 rad: contact
}

// The closest pair at one configuration, with witness points.
func ExampleChecker_Distance() {
	checker := newChecker(ccd.Options{})
	d, err := checker.Distance(context.Background(), map[string]float64{"shoulder": 0.2}, motion.DistanceQuery{})
	if err != nil {
		log.Fatal(err)
	}
	closest := d.Pairs[0]
	fmt.Println(closest.Pair.A.Name, "and", closest.Pair.B.Name)
	fmt.Printf("%.4f m apart\n", closest.Bounds.Lo)
	// Output:
	// lower and post
	// 0.2221 m apart
}

// Distances while the robot moves, without allocation.
func ExampleDistanceTracker() {
	checker := newChecker(ccd.Options{})
	tracker, err := checker.DistanceTracker(motion.DistanceQuery{NoSelf: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(checker.ActiveJoints())
	for _, shoulder := range []float64{0, 0.1, 0.2} {
		d, err := tracker.Distance(context.Background(), []float64{shoulder, 0})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.1f rad: %.3f m\n", shoulder, d.World.Lo)
	}
	// Output:
	// [shoulder elbow]
	// 0.0 rad: 0.440 m
	// 0.1 rad: 0.332 m
	// 0.2 rad: 0.222 m
}

// How a checker finds the closest of a robot's own pairs, and what it builds for that. A
// program that measures repeatedly asks when it loads its model.
func ExampleChecker_SelfTrees() {
	checker := newChecker(ccd.Options{SelfMethod: ccd.SelfSpheres})
	trees, err := checker.SelfTrees(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, %s: %d links, %d spheres, %d hulls\n", trees.Method, trees.Why, trees.Links, trees.Spheres, trees.Hulls)
	links, err := checker.LinkTrees(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range links {
		fmt.Printf("%s and %d links beyond it stay within %.2f m\n", l.Link, l.Beyond, l.Hull.Radius)
	}
	// Output:
	// spheres, as asked for: 2 links, 3 spheres, 3 hulls
	// upper and 1 links beyond it stay within 1.06 m
	// lower and 0 links beyond it stay within 0.48 m
}

// The smallest distance over the time of a motion.
func ExampleChecker_Profile() {
	checker := newChecker(ccd.Options{})
	profile, err := checker.Profile(context.Background(), turn(-1, 0), motion.ProfileQuery{})
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range []float64{0, 0.5, 1} {
		fmt.Printf("%.1f s: %.2f m\n", t, profile.Bounds(t).Lo)
	}
	// Output:
	// 0.0 s: 1.04 m
	// 0.5 s: 0.85 m
	// 1.0 s: 0.44 m
}

// A planner repairs the second half of a path. The first half is not proved again.
func ExamplePathChecker() {
	checker := newChecker(ccd.Options{})
	paths, err := checker.PathChecker(motion.Query{Question: motion.IsFree})
	if err != nil {
		log.Fatal(err)
	}
	for _, goal := range []float64{1, 0.2} {
		path, err := motion.Path([]string{"shoulder"}, [][]float64{{-1}, {0}, {goal}}, nil)
		if err != nil {
			log.Fatal(err)
		}
		verdict, err := paths.Check(context.Background(), path)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(verdict.Status)
	}
	// Output:
	// contact
	// free
}

// A planner asks about all edges of its roadmap at once.
func ExampleChecker_CheckAll() {
	checker := newChecker(ccd.Options{})
	var edges []*motion.Motion
	for _, goal := range []float64{-0.5, 0.2, 1} {
		edge, err := motion.Between([]string{"shoulder"}, []float64{-1}, []float64{goal}, 1)
		if err != nil {
			log.Fatal(err)
		}
		edges = append(edges, edge)
	}
	for i, answer := range checker.CheckAll(context.Background(), edges, motion.Query{Question: motion.IsFree}, ccd.Batch{}) {
		if answer.Err != nil {
			log.Fatal(answer.Err)
		}
		fmt.Println(i, answer.Verdict.Status)
	}
	// Output:
	// 0 free
	// 1 free
	// 2 contact
}

// Which pairs are checked, and which are not and why. The robot has no SRDF.
func ExampleChecker_Pairs() {
	pairs := newChecker(ccd.Options{}).Pairs()
	fmt.Println(pairs.Self, "pairs of links,", pairs.World, "with the world")
	for _, p := range pairs.Assumed {
		fmt.Printf("not checked: %s and %s (%s)\n", p.A, p.B, p.Reason)
	}
	// Output:
	// 0 pairs of links, 2 with the world
	// not checked: upper and lower (adjacent)
}

// Proofs about the robot's pairs of links replace assumptions: nothing else leaves out a
// pair of links.
func ExampleOptions_ProofOptions() {
	robot, err := urdf.Load("../testdata/pairs/lever.urdf", urdf.Options{})
	if err != nil {
		log.Fatal(err)
	}
	options := ccd.Options{Padding: 0.001, OnlyProven: true}
	if options.Proofs, err = pairproof.Prove(context.Background(), robot, options.ProofOptions(), 10*time.Second); err != nil {
		log.Fatal(err)
	}
	for _, p := range options.Proofs.Pairs {
		fmt.Println(p.LinkA, "and", p.LinkB, p.Meets)
	}
	checker, err := ccd.New(robot, nil, options)
	if err != nil {
		log.Fatal(err)
	}
	pairs := checker.Pairs()
	fmt.Println(pairs.Self, "pairs to check,", pairs.Proven, "of them left out by proof within the joint limits")
	// Output:
	// base and arm always
	// base and hand sometimes
	// base and lamp never
	// arm and hand sometimes
	// arm and lamp never
	// hand and lamp never
	// 5 pairs to check, 3 of them left out by proof within the joint limits
}

// The same robot in another world.
func ExampleChecker_WithWorld() {
	checker := newChecker(ccd.Options{})
	world, err := scene.New("", scene.NewSphere("ball", geom.Translation(geom.Vec{X: -1}), 0.1))
	if err != nil {
		log.Fatal(err)
	}
	if checker, err = checker.WithWorld(world); err != nil {
		log.Fatal(err)
	}
	verdict, err := checker.Check(context.Background(), turn(-1, 1), motion.Query{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdict.Status)
	// Output: free
}
