package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// balls is a root link with n links of one ball each, fixed to it at random places.
func balls(r *rand.Rand, n int) *urdf.Robot {
	robot := &urdf.Robot{Name: "balls", Links: []urdf.Link{{Name: "root", ParentJoint: -1}}}
	for i := range n {
		at := geom.Vec{X: 10 * r.Float64(), Y: 4 * r.Float64(), Z: 10 * r.Float64()}
		robot.Links = append(robot.Links, urdf.Link{Name: fmt.Sprint("ball", i), ParentJoint: i, Collisions: []urdf.Collision{{
			PoseLS: geom.Pose{R: geom.IdentityPose().R, P: at}, Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.05 + 0.2*r.Float64()},
		}}})
		robot.Joints = append(robot.Joints, urdf.Joint{Name: fmt.Sprint("fixed", i), Type: urdf.Fixed, Parent: 0, Child: i + 1, PosePC: geom.IdentityPose()})
	}
	return robot
}

// Pairs that are not listed are farther apart than Apart, and no pair is lost: each is
// listed, exempt or counted in Far.
func TestPairsThatAreNotListedAreFar(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	robot := balls(r, 400)
	m, err := New(robot, nil, func(string) float64 { return 0.01 }, &Library{})
	if err != nil {
		t.Fatal(err)
	}
	off := Exempt{}
	for range 500 {
		if a, b := r.IntN(len(m.Bodies)), r.IntN(len(m.Bodies)); a != b {
			off.Add(a, b, "at random")
		}
	}
	if err := m.Pair(off); err != nil {
		t.Fatal(err)
	}
	if math.IsInf(m.Apart, 1) || m.Apart < leastApart || m.Far == 0 {
		t.Fatalf("%d pairs are farther apart than %g", m.Far, m.Apart)
	}
	listed := map[[2]int32]bool{}
	for i := range m.Pairs {
		listed[[2]int32{int32(m.Elements[m.Pairs[i].A].Body), int32(m.Elements[m.Pairs[i].B].Body)}] = true
	}
	far, least := 0, math.Inf(1)
	for a := range m.Bodies {
		for b := a + 1; b < len(m.Bodies); b++ {
			key := [2]int32{int32(a), int32(b)}
			if _, exempt := off[key]; exempt || listed[key] {
				continue
			}
			far++
			x, y := &m.Elements[m.Bodies[a].Elements[0]], &m.Elements[m.Bodies[b].Elements[0]]
			d := r3.Norm(r3.Sub(x.PoseFE.P, y.PoseFE.P)) - x.Core.Radius - y.Core.Radius
			if least = min(least, d); d <= m.Apart {
				t.Fatalf("%s and %s are %g m apart, and not listed as if that were more than %g", m.Bodies[a].Name, m.Bodies[b].Name, d, m.Apart)
			}
		}
	}
	if far != m.Far || len(m.Assumed) != len(off) || far+len(listed)+len(off) != len(m.Bodies)*(len(m.Bodies)-1)/2 {
		t.Errorf("%d listed, %d exempt, %d far, which is told as %d and %d", len(listed), len(off), far, len(m.Assumed), m.Far)
	}
	if least > 1.1*m.Apart {
		t.Errorf("pairs that are not listed are %g m apart at least, much more than %g", least, m.Apart)
	}
	near := slices.Clone(m.Pairs)
	if err := m.PairAll(off); err != nil || len(m.Pairs) != far+len(listed) || !math.IsInf(m.Apart, 1) || m.Far != 0 {
		t.Errorf("all: %d pairs, %v", len(m.Pairs), err)
	}
	at := 0
	for i := range m.Pairs { // those that are near stand in the same order
		if at < len(near) && m.Pairs[i] == near[at] {
			at++
		}
	}
	if at != len(near) {
		t.Errorf("%d of %d pairs that are near are among all, in their order", at, len(near))
	}
}

func TestOverlappingFindsEveryPair(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for round := range 200 {
		boxes := make([]geom.Box, 2+r.IntN(60))
		of := make([]int32, 0, len(boxes))
		flat := r.IntN(4) // on one axis all lie alike
		for i := range boxes {
			at := [3]float64{r.Float64(), r.Float64(), r.Float64()}
			if flat < 3 {
				at[flat] = 0
			}
			p, size := geom.Vec{X: at[0], Y: at[1], Z: at[2]}, 0.2*float64(r.IntN(4))*r.Float64()
			boxes[i] = geom.Box{Min: p, Max: r3.Add(p, geom.Vec{X: size, Y: size, Z: size})}
			if r.IntN(8) > 0 {
				of = append(of, int32(i))
			}
		}
		found := map[[2]int32]bool{}
		Overlapping(boxes, of, func(x, y int32) bool {
			if found[[2]int32{x, y}] || x >= y {
				t.Fatalf("%d and %d again, or not in order", x, y)
			}
			found[[2]int32{x, y}] = true
			return true
		})
		n := 0
		for i, x := range of {
			for _, y := range of[i+1:] {
				if meet(&boxes[x], &boxes[y]) {
					if n++; !found[[2]int32{x, y}] {
						t.Fatalf("round %d: %v and %v overlap", round, boxes[x], boxes[y])
					}
				}
			}
		}
		if n != len(found) {
			t.Fatalf("round %d: %d pairs, not %d", round, len(found), n)
		}
	}
}

// Pair decides by how many pairs there are, with relative motion and without, before it lists any: of links with several elements,
// of such that are fixed to each other, at the root and elsewhere, of objects, and where pairs of each kind are exempt.
func TestCensusCountsPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for trial := range 30 {
		robot, world := balls(r, 6), &scene.Snapshot{}
		for i := range robot.Links {
			if c := robot.Links[i].Collisions; c != nil {
				robot.Links[i].Collisions = slices.Repeat(c, 1+r.IntN(3))
			}
		}
		for _, i := range []int{3, 4} {
			robot.Joints[i].Type, robot.Joints[i].Axis = urdf.Continuous, geom.Vec{Z: 1}
		}
		robot.Joints[5].Parent = 5 // the last link moves with the one before
		for i := range 3 {
			world.Objects = append(world.Objects, scene.Object{ID: fmt.Sprint("object", i), PoseWS: geom.IdentityPose(), Shape: robot.Links[1].Collisions[0].Shape})
		}
		m, err := New(robot, world, func(string) float64 { return 0.01 }, &Library{})
		if err != nil {
			t.Fatal(err)
		}
		off := Exempt{}
		for range trial {
			if a, b := r.IntN(len(m.Bodies)), r.IntN(len(m.Bodies)); a != b {
				off.Add(a, b, "at random")
			}
		}
		if got, want := m.census(off), countPairs(m, off); got != want || want.moving == 0 || want.world == 0 || trial == 0 && want.rigid < want.bodies+2 {
			t.Errorf("%d exempt: %+v, not %+v", len(off), got, want)
		}
	}
}

// countPairs is census pair by pair.
func countPairs(m *Model, off Exempt) (c census) {
	for a := range m.Bodies {
		for b := a + 1; b < len(m.Bodies); b++ {
			x, y := &m.Bodies[a], &m.Bodies[b]
			n := int64(len(x.Elements)) * int64(len(y.Elements))
			switch _, exempt := off[[2]int32{int32(a), int32(b)}]; {
			case exempt || bothWorld(x, y):
			case x.Kind == motion.WorldObject || y.Kind == motion.WorldObject:
				c.world += n
			case oneFrame(x, y):
				c.rigid, c.bodies = c.rigid+n, c.bodies+1
			default:
				c.moving += n
			}
		}
	}
	return c
}
