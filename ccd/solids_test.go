package ccd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// stored returns a mesh with each of its triangles stored once more, turned or not.
func stored(s *shape.Shape, turned bool) *shape.Shape {
	m := &mesh.Mesh{Vertices: s.Mesh.Vertices, Triangles: slices.Clone(s.Mesh.Triangles)}
	for _, t := range s.Mesh.Triangles {
		if turned {
			t[1], t[2] = t[2], t[1]
		}
		m.Triangles = append(m.Triangles, t)
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: m}
}

// sharing returns two cubes of side 2, the first about the origin, which share one
// vertex; the second is turned about it by an angle, so that most of it is in the first.
func sharing(angle float64) *shape.Shape {
	m := &mesh.Mesh{}
	one := boxMesh(1, 0).Mesh
	turn := geom.RPY(angle, -angle, angle)
	at := map[geom.Vec]int32{}
	for _, turned := range []bool{false, true} {
		index := make([]int32, len(one.Vertices))
		for i, v := range one.Vertices {
			if d := (geom.Vec{X: v.X - 1, Y: v.Y - 1, Z: v.Z - 1}); turned {
				d = turn.Apply(d)
				v = geom.Vec{X: 1 + d.X, Y: 1 + d.Y, Z: 1 + d.Z}
			}
			k, known := at[v]
			if !known {
				k = int32(len(m.Vertices))
				at[v], m.Vertices = k, append(m.Vertices, v)
			}
			index[i] = k
		}
		for _, t := range one.Triangles {
			m.Triangles = append(m.Triangles, [3]int32{index[t[0]], index[t[1]], index[t[2]]})
		}
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: m}
}

// without leaves the first triangles of a mesh out.
func without(s *shape.Shape, first int) *shape.Shape {
	return &shape.Shape{Kind: shape.Mesh, Mesh: &mesh.Mesh{Vertices: s.Mesh.Vertices, Triangles: s.Mesh.Triangles[first:]}}
}

// withFin adds a triangle that sticks out of a mesh's first edge.
func withFin(s *shape.Shape) *shape.Shape {
	m := &mesh.Mesh{Vertices: slices.Clone(s.Mesh.Vertices), Triangles: slices.Clone(s.Mesh.Triangles)}
	t := m.Triangles[0]
	m.Vertices = append(m.Vertices, geom.Vec{X: -1.2, Y: -1.2, Z: -1.2})
	m.Triangles = append(m.Triangles, [3]int32{t[0], t[1], int32(len(m.Vertices) - 1)})
	return &shape.Shape{Kind: shape.Mesh, Mesh: m}
}

// wallBetween returns two blocks side by side, from -1 to 1 and from 1 to 3 along x,
// their wall stored so many times.
func wallBetween(times int) *shape.Shape {
	m := &mesh.Mesh{}
	left := boxMesh(1, 0).Mesh
	// The wall's vertices are those with odd indices; beyond it are 8 to 11.
	right := func(i int32) int32 {
		if i%2 == 0 {
			return i + 1
		}
		return 8 + i/2
	}
	m.Vertices = append(left.Vertices[:8:8], geom.Vec{X: 3, Y: -1, Z: -1}, geom.Vec{X: 3, Y: 1, Z: -1}, geom.Vec{X: 3, Y: -1, Z: 1}, geom.Vec{X: 3, Y: 1, Z: 1})
	for _, t := range left.Triangles {
		wall := t[0]%2 == 1 && t[1]%2 == 1 && t[2]%2 == 1
		if !wall {
			m.Triangles = append(m.Triangles, t)
		}
		for range times {
			if wall {
				m.Triangles = append(m.Triangles, t)
			}
		}
		r := [3]int32{right(t[0]), right(t[1]), right(t[2])}
		if t[0]%2 == 0 && t[1]%2 == 0 && t[2]%2 == 0 {
			continue // the wall, from the right
		}
		m.Triangles = append(m.Triangles, r)
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: m}
}

// shifted returns a mesh elsewhere.
func shifted(s *shape.Shape, by geom.Vec) *shape.Shape {
	m := &mesh.Mesh{Triangles: s.Mesh.Triangles}
	for _, v := range s.Mesh.Vertices {
		m.Vertices = append(m.Vertices, geom.Vec{X: v.X + by.X, Y: v.Y + by.Y, Z: v.Z + by.Z})
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: m}
}

// A body inside a mesh touches it, and one inside an open box does not, however the
// mesh's faces are stored: by every method, the mesh in the world, on the robot or on
// the link that moves, and in distances and profiles.
func TestInsideHoweverStored(t *testing.T) {
	open := without(boxMesh(1, 0), 2)
	dent := shifted(scaled(lMesh(), 4), geom.Vec{X: -0.4, Y: -0.4})
	for _, c := range []struct {
		name         string
		thing        *shape.Shape
		inside, open bool
	}{
		{"a cube", boxMesh(1, 0), true, false},
		{"a cube twice", stored(boxMesh(1, 0), false), true, false},
		{"a cube with both sides", stored(boxMesh(1, 0), true), true, false},
		{"an L twice", stored(dent, false), true, false},
		{"an L with both sides", stored(dent, true), true, false},
		{"two cubes that share a vertex", sharing(0.2), true, false},
		{"two cubes that share a vertex, with both sides", stored(sharing(0.2), true), true, false},
		{"two blocks with a wall", shifted(wallBetween(1), geom.Vec{X: -0.5}), true, false},
		{"two blocks with a wall stored twice", shifted(wallBetween(2), geom.Vec{X: -0.5}), true, false},
		{"two blocks with a wall, with both sides", stored(shifted(wallBetween(1), geom.Vec{X: -0.5}), true), true, false},
		{"a cube with a fin", withFin(boxMesh(1, 0)), true, true},
		{"a shell in a cube", boxMesh(1, 0.8), true, false},
		{"a shell in a cube, with both sides", stored(boxMesh(1, 0.8), true), true, false},
		{"an open box", open, false, true},
		{"an open box twice", stored(open, false), false, true},
		{"an open box with both sides", stored(open, true), false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := motion.Free
			if c.inside {
				want = motion.Contact
			}
			pea := ball(0.05)
			slide := func(s *shape.Shape) *urdf.Robot {
				return chainOf(chainJoint{name: "x", kind: urdf.Prismatic, origin: geom.IdentityPose(), axis: geom.Vec{X: 1}, shape: s, at: geom.IdentityPose()})
			}
			two := chainOf(
				chainJoint{name: "x", kind: urdf.Prismatic, origin: geom.IdentityPose(), axis: geom.Vec{X: 1}, shape: c.thing, at: geom.IdentityPose()},
				chainJoint{name: "y", kind: urdf.Prismatic, origin: geom.IdentityPose(), axis: geom.Vec{Y: 1}, shape: pea, at: geom.IdentityPose()},
			)
			two.Semantic = &urdf.Semantic{}
			for where, checker := range map[string]*Checker{
				"mesh in the world": newChecker(t, slide(pea), worldOf(object("thing", c.thing, geom.IdentityPose()))),
				"mesh on the link":  newChecker(t, slide(c.thing), worldOf(object("pea", pea, geom.IdentityPose()))),
				"mesh on a link":    newChecker(t, two, nil),
			} {
				var joints []string
				for i := range checker.robot.Joints {
					joints = append(joints, checker.robot.Joints[i].Name)
				}
				m := through(t, joints, [][]float64{make([]float64, len(joints)), slices.Repeat([]float64{0.05}, len(joints))})
				for _, by := range Methods() {
					for _, q := range []motion.Query{{Method: by}, {Method: by, Question: motion.IsFree}} {
						v, err := checker.Check(context.Background(), m, q)
						if err != nil || v.Status != want || want == motion.Contact && v.TOC.Lo != 0 {
							t.Errorf("%s, %s: %v, %v %s from %v", where, by, err, v.Status, v.Reason, v.TOC.Lo)
						}
						if open := len(v.OpenMeshes) > 0; open != c.open {
							t.Errorf("%s: open are %v", where, v.OpenMeshes)
						}
					}
				}
				d, err := checker.Distance(context.Background(), nil, motion.DistanceQuery{K: -1})
				if err != nil {
					t.Fatal(err)
				}
				if least := min(d.Self.Lo, d.World.Lo); (least == 0) != c.inside {
					t.Errorf("%s: distances %+v", where, d)
				}
				p, err := checker.Profile(context.Background(), m, motion.ProfileQuery{})
				if err != nil {
					t.Fatal(err)
				}
				for _, span := range p.Spans {
					if (span.At.Distance == 0) != c.inside || (span.Lower[1] == 0) != c.inside {
						t.Errorf("%s: profile %+v", where, span)
					}
				}
			}
		})
	}
}

// A proof about meshes stored in such ways is written down and verified.
func TestCertificatesHoweverStored(t *testing.T) {
	for name, s := range map[string]*shape.Shape{
		"twice": stored(lMesh(), true), "sharing a vertex": sharing(0.2), "a wall": wallBetween(1), "a fin": withFin(boxMesh(1, 0)),
	} {
		c := newChecker(t, slider(), worldOf(object("thing", s, pose(0, 3.5, 0))))
		var out bytes.Buffer
		v, err := c.Certify(context.Background(), through(t, []string{"x"}, [][]float64{{-1}, {1}}), motion.Query{}, &out)
		if err != nil || v.Status != motion.Free || out.Len() == 0 {
			t.Errorf("%s: %v, %v %s", name, err, v.Status, v.Reason)
		}
	}
}

// A link of a real robot with a part that overlaps itself: the point is inside.
func TestInsideRealLinkThatOverlapsItself(t *testing.T) {
	path := filepath.Join("..", "..", "shared", "robots", "g1", "meshes", "right_shoulder_yaw_link.STL")
	if _, err := os.Stat(path); err != nil {
		t.Skip("needs ../shared")
	}
	m, err := mesh.Load(path, geom.Vec{X: 1, Y: 1, Z: 1})
	if err != nil {
		t.Fatal(err)
	}
	robot := chainOf(chainJoint{name: "x", kind: urdf.Prismatic, origin: pose(0.0268731, -0.0120144, -0.0528642), axis: geom.Vec{X: 1}, shape: ball(1e-6), at: geom.IdentityPose()})
	c := newChecker(t, robot, worldOf(object("link", &shape.Shape{Kind: shape.Mesh, Mesh: m}, geom.IdentityPose())))
	for _, by := range Methods() {
		v, err := c.Check(context.Background(), through(t, []string{"x"}, [][]float64{{0}, {1e-6}}), motion.Query{Method: by})
		if err != nil || v.Status != motion.Contact || v.TOC.Lo != 0 {
			t.Errorf("%s: %v, %v %s", by, err, v.Status, v.Reason)
		}
	}
	d, err := c.Distance(context.Background(), nil, motion.DistanceQuery{})
	if err != nil || d.World.Hi != 0 {
		t.Errorf("%v, distance %v", err, d.World)
	}
}

// well is a block of 8 x 8 x 8 cells with all walls between them, but for a well five
// deep from the top, at the cells 3, 3. Its walls are too many to be sorted out, so that
// the well may count as inside.
func well() *shape.Shape {
	m := &mesh.Mesh{}
	at := map[geom.Vec]int32{}
	for axis := range 3 {
		size := [3]int{8, 8, 8}
		size[axis]++
		for i := range size[0] * size[1] * size[2] {
			cell := [3]int{i % size[0], i / size[0] % size[1], i / size[0] / size[1]}
			if axis == 2 && cell[0] == 3 && cell[1] == 3 && cell[2] > 3 {
				continue
			}
			var quad [4]int32
			for k := range quad {
				c := [3]float64{float64(cell[0]), float64(cell[1]), float64(cell[2])}
				c[(axis+1)%3] += float64((k + 1) / 2 % 2)
				c[(axis+2)%3] += float64(k / 2)
				v := geom.Vec{X: c[0], Y: c[1], Z: c[2]}
				if _, known := at[v]; !known {
					at[v], m.Vertices = int32(len(m.Vertices)), append(m.Vertices, v)
				}
				quad[k] = at[v]
			}
			m.Triangles = append(m.Triangles, [3]int32{quad[0], quad[1], quad[2]}, [3]int32{quad[0], quad[2], quad[3]})
		}
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: m}
}

// What an ambiguous mesh may have inside is never free; but as it need not touch, it is
// no reason to leave the pair out. What is beside the mesh is free.
func TestAmbiguousMeshLeavesNothingOut(t *testing.T) {
	joint := func(name string, s *shape.Shape, at geom.Pose) chainJoint {
		return chainJoint{name: name, kind: urdf.Prismatic, origin: geom.IdentityPose(), axis: geom.Vec{Z: 1}, shape: s, at: at}
	}
	robot := chainOf(joint("one", well(), geom.IdentityPose()), joint("two", nil, geom.IdentityPose()), joint("three", ball(0.1), pose(3.5, 3.5, 4.5)))
	c := newChecker(t, robot, nil)
	for _, p := range c.Pairs().Assumed {
		t.Errorf("left out: %+v", p)
	}
	if p := c.Premises(); !slices.ContainsFunc(p, func(p premise.Premise) bool { return p.Kind == premise.Ambiguous && p.Names[0] == "one_link" }) {
		t.Errorf("premises %v", p)
	}
	joints := []string{"one", "two", "three"}
	for _, by := range Methods() {
		for from, want := range map[float64]motion.Status{0: motion.Contact, 5: motion.Free} {
			v, err := c.Check(context.Background(), through(t, joints, [][]float64{{0, from, 0}, {0, from + 0.1, 0}}), motion.Query{Method: by})
			if err != nil || v.Status != want {
				t.Errorf("%s at %g: %v, %v %s", by, from, err, v.Status, v.Reason)
			}
		}
	}
}
