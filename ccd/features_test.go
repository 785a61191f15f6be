package ccd

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// lowered is a robot that moves one shape, turned as given, down along z.
func lowered(s *shape.Shape, r geom.Rot) *urdf.Robot {
	return chainOf(chainJoint{
		name: "lift", kind: urdf.Prismatic, origin: pose(0, 0, 0), axis: geom.Vec{Z: 1}, shape: s, at: geom.Pose{R: r},
	})
}

func cylinder(r, length float64) *shape.Shape {
	return &shape.Shape{Kind: shape.Cylinder, Radius: r, Length: length}
}

func meshOf(triangles [][3]int32, vertices ...geom.Vec) *shape.Shape {
	return &shape.Shape{Kind: shape.Mesh, Mesh: &mesh.Mesh{Vertices: vertices, Triangles: triangles}}
}

// wedge is a roof: two slopes that meet in the edge from vertex 4 to 5, over y.
func wedge() *shape.Shape {
	return meshOf([][3]int32{{0, 2, 1}, {1, 2, 3}, {0, 1, 4}, {2, 5, 3}, {0, 4, 2}, {2, 4, 5}, {1, 3, 4}, {3, 5, 4}},
		geom.Vec{X: -0.2, Y: -1}, geom.Vec{X: 0.2, Y: -1}, geom.Vec{X: -0.2, Y: 1}, geom.Vec{X: 0.2, Y: 1},
		geom.Vec{Y: -1, Z: 0.2}, geom.Vec{Y: 1, Z: 0.2})
}

// spine is the wedge with a vertex, 6, in the middle of its edge.
func spine() *shape.Shape {
	w := wedge().Mesh
	triangles := [][3]int32{{0, 2, 1}, {1, 2, 3}, {0, 1, 4}, {2, 5, 3}, {0, 4, 6}, {0, 6, 2}, {2, 6, 5}, {1, 3, 6}, {1, 6, 4}, {3, 5, 6}}
	return meshOf(triangles, append(w.Vertices[:6:6], geom.Vec{Z: 0.2})...)
}

// The features of both bodies that touch, where they are known.
func TestFeaturesAtFirstContact(t *testing.T) {
	still := geom.Identity()
	tilted := geom.AxisAngle(geom.Vec{X: 1}, 0.7)             // about x: an edge along x is lowest
	corner := tilted.Mul(geom.AxisAngle(geom.Vec{Y: 1}, 0.5)) // a corner is
	upright := geom.AxisAngle(geom.Vec{X: 1}, math.Pi/2)      // what lay along z lies along y
	askew := geom.AxisAngle(geom.Vec{X: 1}, math.Pi/2-0.3)    // nearly
	across := geom.AxisAngle(geom.Vec{Z: 1}, math.Pi/2)       // what lay along x
	headDown := geom.AxisAngle(geom.Vec{X: 1}, math.Pi)       // what was above
	ridge := geom.Pose{R: still, P: geom.Vec{Z: -0.2}}        // its ridge is at z = 0
	table := objectPosed{box(4, 4, 0.2), pose(0, 0, -0.1)}    // its top is at z = 0
	crossed := geom.Pose{R: tilted.Mul(still), P: geom.Vec{}} // a box with an edge up
	cloud := &shape.Shape{Kind: shape.Points, Radius: 0.01, Points: []geom.Vec{{X: 3}, {X: -3}, {}, {Y: 3}}}
	plain := meshOf([][3]int32{{0, 1, 2}, {0, 2, 3}}, geom.Vec{X: -1, Y: -1}, geom.Vec{X: 1, Y: -1}, geom.Vec{X: 1, Y: 1}, geom.Vec{X: -1, Y: 1})
	for _, c := range []struct {
		name  string
		robot *urdf.Robot
		world objectPosed
		want  string // the features of the robot's and the world's side
	}{
		{"sphere on a box", lowered(ball(0.1), still), table, "ball / face +z"},
		{"corner on a face", lowered(box(0.2, 0.3, 0.4), corner), table, "corner +x -y -z / face +z"},
		{"edge on a sphere", lowered(box(0.2, 0.3, 0.4), tilted), objectPosed{ball(0.1), pose(0.03, 0.02, -1)}, "edge -y -z / ball"},
		{"edge on a face", lowered(box(0.2, 0.3, 0.4), tilted), table, "edge -y -z / face +z"},
		{"face on a face", lowered(box(0.2, 0.3, 0.4), still), table, "face -z / face +z"},
		{"cylinder lying on a face", lowered(cylinder(0.1, 0.6), upright), table, "side / face +z"},
		{"cylinder standing on a face", lowered(cylinder(0.1, 0.6), still), table, "cap -z / face +z"},
		{"cone standing on a face", lowered(&shape.Shape{Kind: shape.Cone, Radius: 0.1, Length: 0.3}, still), table, "cap -z / face +z"},
		{"mesh's edge on a face", lowered(wedge(), headDown), table, "edge 4 to 5 / face +z"},
		{"mesh standing on a face", lowered(wedge(), still), table, "face at triangle 0 / face +z"},
		{"edge across an edge", lowered(box(2, 0.3, 0.4), tilted), objectPosed{box(2, 0.3, 0.4), geom.Pose{R: across.Mul(tilted), P: geom.Vec{Z: -1}}}, "edge -y -z / edge +y +z"},
		{"cylinder's rim", lowered(cylinder(0.1, 0.6), askew), table, "rim -z / face +z"},
		{"cylinder's side", lowered(cylinder(0.1, 0.6), upright), objectPosed{ball(0.1), pose(0, 0, -1)}, "side / ball"},
		{"cylinder's cap", lowered(cylinder(0.1, 0.6), still), objectPosed{ball(0.1), pose(0.05, 0, -1)}, "cap -z / ball"},
		{"cone's tip", lowered(&shape.Shape{Kind: shape.Cone, Radius: 0.1, Length: 0.3}, headDown), table, "tip / face +z"},
		{"cone's side", lowered(&shape.Shape{Kind: shape.Cone, Radius: 0.1, Length: 0.3}, upright), objectPosed{ball(0.1), pose(0, 0.03, -1)}, "side / ball"},
		{"cone's base", lowered(&shape.Shape{Kind: shape.Cone, Radius: 0.1, Length: 0.3}, still), objectPosed{ball(0.1), pose(0.03, 0, -1)}, "cap -z / ball"},
		{"cone's rim", lowered(&shape.Shape{Kind: shape.Cone, Radius: 0.1, Length: 0.3}, tilted), table, "rim -z / face +z"},
		{"capsule's end", lowered(&shape.Shape{Kind: shape.Capsule, Radius: 0.1, Length: 0.3}, still), table, "cap -z / face +z"},
		{"capsule's side", lowered(&shape.Shape{Kind: shape.Capsule, Radius: 0.1, Length: 0.3}, upright), objectPosed{ball(0.1), pose(0, 0, -1)}, "side / ball"},
		{"sphere on a ridge", lowered(ball(0.1), still), objectPosed{wedge(), ridge}, "ball / edge 4 to 5"},
		{"sphere on a vertex within a ridge", lowered(ball(0.1), still), objectPosed{spine(), ridge}, "ball / edge 6 to 4"},
		{"sphere on a slope's diagonal", lowered(ball(0.1), still), objectPosed{plain, pose(0, 0, -1)}, "ball / face at triangle 0"},
		{"vertex of a mesh", lowered(wedge(), headDown.Mul(geom.AxisAngle(geom.Vec{X: 1}, 0.3))), table, "vertex 5 / face +z"},
		{"edge of a mesh", lowered(wedge(), headDown), objectPosed{ball(0.1), pose(0, 0, -1)}, "edge 4 to 5 / ball"},
		{"point of a cloud", lowered(ball(0.1), still), objectPosed{cloud, pose(0, 0, -1)}, "ball / point 2"},
		{"cell of an octree", lowered(ball(0.1), still), objectPosed{cells(), pose(0, 0, -1)}, "ball / cell 1, face +z"},
		{"an edge upwards", lowered(ball(0.1), still), objectPosed{box(2, 0.3, 0.3), crossed}, "ball / edge +y +z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := check(t, c.robot, worldOf(object("thing", c.world.shape, c.world.at)), []string{"lift"}, []float64{2}, []float64{-3}, motion.Query{})
			if v.Status != motion.Contact {
				t.Fatalf("%v", v.Status)
			}
			w := &v.Contact
			robot, world := w.FeatureA, w.FeatureB
			if w.Pair.A.Name == "thing" {
				robot, world = world, robot
			}
			if got := robot.String() + " / " + world.String(); got != c.want {
				t.Errorf("%s at %v and %v, want %s", got, robot.At, world.At, c.want)
			}
			if n := geom.Norm(w.Normal); math.Abs(n-1) > 1e-12 {
				t.Errorf("normal %v", w.Normal)
			}
		})
	}
}

type objectPosed struct {
	shape *shape.Shape
	at    geom.Pose
}

func cells() *shape.Shape {
	cell := func(x float64) geom.Box {
		return geom.Box{Min: geom.Vec{X: x - 0.2, Y: -0.2, Z: -0.2}, Max: geom.Vec{X: x + 0.2, Y: 0.2, Z: 0.2}}
	}
	return &shape.Shape{Kind: shape.Cells, Cells: []geom.Box{cell(-1), cell(0), cell(1)}}
}

// Deep inside there is no feature and no normal; the caption says so.
func TestNoFeaturesDeepInside(t *testing.T) {
	v := check(t, lowered(ball(0.1), geom.Identity()), worldOf(object("block", box(2, 2, 2), pose(0, 0, 0))), []string{"lift"}, []float64{0.3}, []float64{2}, motion.Query{})
	w := &v.Contact
	if v.Status != motion.Contact || w.FeatureB.Kind != motion.NoFeature || w.Normal != (geom.Vec{}) {
		t.Errorf("%v: %v, normal %v", v.Status, w.FeatureB, w.Normal)
	}
}

// What ended a search has its features at once: a first contact, and a smallest distance that was stopped. A smallest distance
// and a yes or no have them for the asking.
func TestFeaturesOfVerdicts(t *testing.T) {
	const moves, touches = -0.5, -0.900001 // the ball ends 0.4 m above the block, and a micrometre in it
	least := motion.DistanceRanges{Min: 0.45}
	for _, c := range []struct {
		name  string
		query motion.Query
		to    float64
		told  bool
	}{
		{"first contact", motion.Query{Question: motion.FirstContact}, touches, true},
		{"yes or no", motion.Query{Question: motion.IsFree}, touches, false},
		{"smallest distance", motion.Query{Question: motion.MinClearance}, moves, false},
		{"smallest distance, stopped", motion.Query{Question: motion.MinClearance, Range: least}, moves, true},
	} {
		checker := newChecker(t, lowered(ball(0.1), geom.Identity()), worldOf(object("block", box(2, 2, 2), pose(0, 0, -2))))
		m, err := motion.Between([]string{"lift"}, []float64{0}, []float64{c.to}, 1)
		if err != nil {
			t.Fatal(err)
		}
		v, err := checker.Check(context.Background(), m, c.query)
		if err != nil {
			t.Fatal(err)
		}
		w := &v.Contact
		if c.query.Question == motion.MinClearance {
			w = &v.MinClearance.At
		}
		if told := w.Features() != ""; told != c.told || w.Pair.A.Name == "" {
			t.Errorf("%s, of %v: %q", c.name, w.Pair, w.Features())
		}
		checker.CompleteFeatures(w)
		if w.FeatureA.Kind != motion.Ball || w.FeatureB.Kind != motion.Face {
			t.Errorf("%s, asked: %q", c.name, w.Features())
		}
	}
}

// Any witness has features for the asking, with padding and of the second element
// too; their points are where the witness is.
func TestFeaturesOfDistances(t *testing.T) {
	robot := lowered(ball(0.1), geom.Identity())
	link := &robot.Links[1]
	link.Collisions = append(link.Collisions, urdf.Collision{PoseLS: pose(0, 0, -0.5), Shape: box(0.2, 0.2, 0.2)})
	c, err := New(robot, worldOf(object("block", box(2, 2, 2), pose(0, 0, -3))), Options{Padding: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	d, err := c.Distance(context.Background(), nil, motion.DistanceQuery{})
	if err != nil {
		t.Fatal(err)
	}
	w := &d.Pairs[0].Witness
	if w.FeatureA.Kind != motion.NoFeature {
		t.Errorf("%v without asking", w.FeatureA)
	}
	c.CompleteFeatures(w)
	a, b := &w.FeatureA, &w.FeatureB
	if a.Element != 1 || a.Signs[2] != -1 || b.Signs[2] != 1 || a.Kind == motion.NoFeature || b.Kind == motion.NoFeature {
		t.Errorf("%v", w.Features())
	}
	if at := r3.Add(a.At, geom.Vec{Z: -0.5}); geom.Norm(r3.Sub(at, w.PointA)) > 1e-9 {
		t.Errorf("%v is %v in its element", w.PointA, a.At)
	}
}

// Which feature a point is on may depend on where the other body is: what lies flat
// against it counts, though the point is at its end.
func TestFeatureOfAPoint(t *testing.T) {
	down, up, out := geom.Vec{Z: -1}, geom.Vec{Z: 1}, geom.Vec{X: 1}
	slanted, _ := geom.Unit(geom.Vec{X: 1, Z: -1})
	cone := &shape.Shape{Kind: shape.Cone, Radius: 0.3, Length: 0.4} // its slope is 3 to 4
	slope := geom.Vec{X: 0.8, Z: 0.6}
	for _, c := range []struct {
		name        string
		shape       *shape.Shape
		at, towards geom.Vec
		want        string
	}{
		{"rim", cylinder(0.1, 0.6), geom.Vec{X: 0.1, Z: -0.3}, slanted, "rim -z"},
		{"rim, nobody knows where to", cylinder(0.1, 0.6), geom.Vec{X: 0.1, Z: -0.3}, geom.Vec{}, "rim -z"},
		{"rim of a cap", cylinder(0.1, 0.6), geom.Vec{X: 0.1, Z: -0.3}, down, "cap -z"},
		{"rim of a side", cylinder(0.1, 0.6), geom.Vec{X: 0.1, Z: 0.3}, out, "side"},
		{"deep inside", cylinder(0.1, 0.6), geom.Vec{X: 0.05}, out, "none"},
		{"rim of a base", cone, geom.Vec{X: 0.3, Z: -0.2}, down, "cap -z"},
		{"rim of a cone", cone, geom.Vec{X: 0.3, Z: -0.2}, out, "rim -z"},
		{"rim of a slope", cone, geom.Vec{X: 0.3, Z: -0.2}, slope, "side"},
		{"tip of a slope", cone, geom.Vec{Z: 0.2}, slope, "side"},
		{"tip", cone, geom.Vec{Z: 0.2}, up, "tip"},
		{"deep in a cone", cone, geom.Vec{Z: -0.1}, up, "none"},
		{"corner", box(2, 2, 2), geom.Vec{X: 1, Y: 1, Z: -1}, geom.Vec{X: 0.6, Y: 0.64, Z: -0.48}, "corner +x +y -z"},
		{"corner of a face", box(2, 2, 2), geom.Vec{X: 1, Y: 1, Z: -1}, down, "face -z"},
		{"corner of an edge", box(2, 2, 2), geom.Vec{X: 1, Y: 1, Z: -1}, slanted, "edge +x -z"},
		{"a corner's face", box(2, 2, 2), geom.Vec{X: 1, Y: 1, Z: -1}, geom.Vec{}, "corner +x +y -z"},
		{"vertex", wedge(), geom.Vec{Y: 1, Z: 0.2}, geom.Vec{Y: 0.6, Z: 0.8}, "vertex 5"},
		{"vertex of a ridge", wedge(), geom.Vec{Y: 1, Z: 0.2}, up, "edge 5 to 4"},
		{"vertex of a slope", wedge(), geom.Vec{Y: 1, Z: 0.2}, geom.Vec{X: math.Sqrt2 / 2, Z: math.Sqrt2 / 2}, "face at triangle 7"},
		{"ridge of a slope", wedge(), geom.Vec{Y: 0.1, Z: 0.2}, geom.Vec{X: math.Sqrt2 / 2, Z: math.Sqrt2 / 2}, "face at triangle 7"},
		{"off the surface", wedge(), geom.Vec{Z: 0.3}, up, "none"},
	} {
		c0, err := New(lowered(c.shape, geom.Identity()), worldOf(object("far", ball(1), pose(9, 9, 9))), Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := motion.NewFeature(0, c.at, c.towards)
		if c0.feature(motion.Body{Name: "lift_link"}, &f); f.String() != c.want {
			t.Errorf("%s: %s, want %s", c.name, f, c.want)
		}
	}
}
