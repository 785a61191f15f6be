package romtree

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// room is some shapes around, a closed hollow mesh at times among them.
func (d dice) room() *scene.Snapshot {
	w := &scene.Snapshot{}
	for i := range d.IntN(9) {
		w.Objects = append(w.Objects, scene.Object{ID: fmt.Sprint("o", i), PoseWS: d.pose(1.5), Shape: d.shape(), Padding: []float64{0, 0.01}[d.IntN(2)]})
	}
	switch d.IntN(5) {
	case 0: // all of the robot is inside, at times
		w.Objects = append(w.Objects, scene.Object{ID: "shell", PoseWS: geom.Translation(d.Vec(6)), Shape: &shape.Shape{Kind: shape.Mesh, Mesh: dented(d.In(1, 8))}})
	case 1:
		var points []geom.Vec
		for range 20 {
			points = append(points, d.Vec(1.5))
		}
		w.Objects = append(w.Objects, scene.Object{ID: "cloud", PoseWS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Points, Points: points, Radius: 0.01}})
	}
	return w
}

// dented is a cube whose upper face has a dent, so that it is a mesh and no hull.
func dented(half float64) *mesh.Mesh {
	m := &mesh.Mesh{}
	for k := range 8 {
		sign := func(bit int) float64 { return half * float64(2*(k>>bit&1)-1) }
		m.Vertices = append(m.Vertices, geom.Vec{X: sign(0), Y: sign(1), Z: sign(2)})
	}
	m.Vertices = append(m.Vertices, geom.Vec{Z: half * 0.9})
	for _, f := range [][4]int32{{0, 2, 3, 1}, {0, 1, 5, 4}, {1, 3, 7, 5}, {3, 2, 6, 7}, {2, 0, 4, 6}} {
		m.Triangles = append(m.Triangles, [3]int32{f[0], f[1], f[2]}, [3]int32{f[0], f[2], f[3]})
	}
	for _, e := range [][2]int32{{4, 5}, {5, 7}, {7, 6}, {6, 4}} {
		m.Triangles = append(m.Triangles, [3]int32{e[0], e[1], 8})
	}
	return m
}

// Down the tree to the world comes to what the loop over all pairs comes to, with
// balls of ranges of motion and without, warm and cold, and inside of solids.
func TestWorldIsAllPairs(t *testing.T) {
	rooms, configurations := 60, 12
	if testing.Short() || race.Enabled {
		rooms, configurations = 15, 6
	}
	compared, apart, inside, left := 0, 0, 0, 0
	for seed := range uint64(rooms) {
		d := diceOf(4000 + seed)
		m := modelOf(t, d.robot(drawn{joints: 1 + d.IntN(6), endless: seed%6 == 0}), d.room(), 0, nil)
		rom := NewRangeOfMotion(m, LimitsBox(m.Tree, nil), RomOptions{NoSampled: true, Points: 40})
		w := distance.New(m)
		ways := []struct {
			name string
			s    *WorldQuery
			q    Question
		}{
			{"warm", NewWorldQuery(m, rom), Question{}},
			{"cold", NewWorldQuery(m, nil), Question{Cold: true}},
			{"loose", NewWorldQuery(m, rom), Question{Tolerance: 1e-3, Relative: 0.1}},
			{"near", NewWorldQuery(m, rom), Question{Max: 0.3}},
		}
		for range configurations {
			q := d.configuration(rom.Box)
			all, err := w.Distances(context.Background(), q, motion.DistanceQuery{NoSelf: true})
			if err != nil {
				t.Fatal(err)
			}
			want := all.World
			if want.Hi == 0 && len(all.Pairs) > 0 {
				inside++
			}
			for _, v := range ways {
				got, err := v.s.Distance(context.Background(), q, v.q)
				if err != nil {
					t.Fatal(err)
				}
				compared++
				left += got.Work.Subtrees
				same := variant{name: v.name, q: v.q}
				checkSame(t, seed, &same, &SelfDistance{Bounds: got.Bounds, Found: got.Found}, want.Lo, want.Hi)
				if got.Found && got.Bounds.Hi > 0 && math.Abs(r3.Norm(r3.Sub(got.PointA, got.PointB))-got.Bounds.Hi) > 1e-9 {
					t.Fatalf("seed %d: points %v and %v stand for %v", seed, got.PointA, got.PointB, got.Bounds)
				}
			}
			if want.Hi > 0 && !math.IsInf(want.Hi, 1) {
				apart++
			}
		}
	}
	t.Logf("%d compared, %d apart, %d touching, %d subtrees left out", compared, apart, inside, left)
	if apart < rooms || inside < rooms/2 || left < 2*rooms {
		t.Error("too little was tried")
	}
}

// A robot whose surfaces are far from everything may be inside of it.
func TestInsideASolidNothingIsFar(t *testing.T) {
	for _, at := range []float64{0, 30} {
		shell := scene.Object{ID: "shell", PoseWS: geom.Translation(geom.Vec{X: at}), Shape: &shape.Shape{Kind: shape.Mesh, Mesh: dented(10)}}
		post := scene.Object{ID: "post", PoseWS: geom.Translation(geom.Vec{X: 2, Y: 1}), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.1}}
		m := modelOf(t, panTilt(1, 0.1), &scene.Snapshot{Objects: []scene.Object{shell, post}}, 0, nil)
		s := NewWorldQuery(m, nil)
		for range 2 { // cold, and warm
			got, err := s.Distance(context.Background(), []float64{0, 0}, Question{})
			if err != nil {
				t.Fatal(err)
			}
			if in := at == 0; in != (got.Bounds.Hi == 0) {
				t.Errorf("shell at %g: %v", at, got.Bounds)
			}
			if at == 30 && math.Abs(got.Bounds.Hi-(math.Sqrt(2)-0.2)) > 1e-9 {
				t.Errorf("%v from the post, want %g", got.Bounds, math.Sqrt(2)-0.2)
			}
		}
	}
}

// A far arm costs one test.
func TestFarArmIsOneTest(t *testing.T) {
	d := diceOf(7)
	r := chainOf(
		link{within(-3, 3), geom.Vec{X: 5}, geom.Vec{Z: 1}, geom.Vec{X: 0.5}, 0.1}, link{within(-3, 3), geom.Vec{X: 0.5}, geom.Vec{Y: 1}, geom.Vec{X: 0.5}, 0.1},
		link{within(-3, 3), geom.Vec{X: 0.5}, geom.Vec{Z: 1}, geom.Vec{X: 0.5}, 0.1}, link{within(-3, 3), geom.Vec{X: 0.5}, geom.Vec{Y: 1}, geom.Vec{X: 0.5}, 0.1},
	)
	r.Links[0].Collisions = chainOf(link{ball: geom.Vec{}, radius: 0.1}).Links[1].Collisions
	post := scene.Object{ID: "post", PoseWS: geom.Translation(geom.Vec{Y: 0.3}), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.1}}
	m := modelOf(t, r, &scene.Snapshot{Objects: []scene.Object{post}}, 0, nil)
	rom := NewRangeOfMotion(m, LimitsBox(m.Tree, nil), RomOptions{})
	s := NewWorldQuery(m, rom)
	for i := range 20 {
		got, err := s.Distance(context.Background(), d.configuration(rom.Box), Question{})
		if err != nil || math.Abs(got.Bounds.Hi-0.1) > 1e-9 {
			t.Fatalf("%v, %v", got.Bounds, err)
		}
		if i > 0 && (got.Work.Subtrees != 1 || got.Work.Tests > 3 || got.Work.Measured != 1) {
			t.Errorf("%+v: the arm is one test, the whole and the base one each", got.Work)
		}
	}
}
