package ccd

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Motions that are the same motion to anyone but a checker with a fault in it.

// same is a question put another way.
type same struct {
	name string
	// put returns the other robot, world and motion, and where a time of the one
	// motion is in the other.
	put func(d dice, r *urdf.Robot, w *scene.Snapshot, m *motion.Motion) (*urdf.Robot, *scene.Snapshot, *motion.Motion, func(float64) float64)
	// scale of lengths; 0 stands for 1.
	scale float64
	// backwards: times of first contact say nothing of each other.
	backwards bool
}

func asIs(t float64) float64 { return t }

var ways = []same{
	{name: "time reversed", backwards: true, put: func(_ dice, r *urdf.Robot, w *scene.Snapshot, m *motion.Motion) (*urdf.Robot, *scene.Snapshot, *motion.Motion, func(float64) float64) {
		end := m.Pieces[len(m.Pieces)-1].End
		back := &motion.Motion{Joints: m.Joints, KeepTurns: m.KeepTurns}
		for i := len(m.Pieces) - 1; i >= 0; i-- {
			p := motion.Piece{Start: end - m.Pieces[i].End, End: end - m.Pieces[i].Start}
			for _, ctrl := range m.Pieces[i].Ctrl {
				c := make([]float64, len(ctrl))
				for k := range ctrl {
					c[len(ctrl)-1-k] = ctrl[k]
				}
				p.Ctrl = append(p.Ctrl, c)
			}
			back.Pieces = append(back.Pieces, p)
		}
		return r, w, back, func(t float64) float64 { return end - t }
	}},
	{name: "path split", put: func(d dice, r *urdf.Robot, w *scene.Snapshot, m *motion.Motion) (*urdf.Robot, *scene.Snapshot, *motion.Motion, func(float64) float64) {
		cut := &motion.Motion{Joints: m.Joints, KeepTurns: m.KeepTurns}
		for _, p := range m.Pieces {
			k := d.In(0.1, 0.9)
			at := p.Start + k*(p.End-p.Start)
			a, b := motion.Piece{Start: p.Start, End: at}, motion.Piece{Start: at, End: p.End}
			for _, ctrl := range p.Ctrl {
				left, right := halves(ctrl, k)
				a.Ctrl, b.Ctrl = append(a.Ctrl, left), append(b.Ctrl, right)
			}
			cut.Pieces = append(cut.Pieces, a, b)
		}
		return r, w, cut, asIs
	}},
	{name: "time stretched", put: func(d dice, r *urdf.Robot, w *scene.Snapshot, m *motion.Motion) (*urdf.Robot, *scene.Snapshot, *motion.Motion, func(float64) float64) {
		k := d.In(0.1, 10)
		slow := &motion.Motion{Joints: m.Joints, KeepTurns: m.KeepTurns}
		for _, p := range m.Pieces {
			slow.Pieces = append(slow.Pieces, motion.Piece{Start: k * p.Start, End: k * p.End, Ctrl: p.Ctrl})
		}
		return r, w, slow, func(t float64) float64 { return k * t }
	}},
	{name: "everything moved", put: func(d dice, r *urdf.Robot, w *scene.Snapshot, m *motion.Motion) (*urdf.Robot, *scene.Snapshot, *motion.Motion, func(float64) float64) {
		to := d.Pose(1)
		return mounted(r, to), placed(w, func(p geom.Pose) geom.Pose { return to.Mul(p) }), m, asIs
	}},
	{name: "a fixed joint inserted", put: func(d dice, r *urdf.Robot, w *scene.Snapshot, m *motion.Motion) (*urdf.Robot, *scene.Snapshot, *motion.Motion, func(float64) float64) {
		return riveted(d, r), w, m, asIs
	}},
	{name: "links and pairs in another order", put: func(d dice, r *urdf.Robot, w *scene.Snapshot, m *motion.Motion) (*urdf.Robot, *scene.Snapshot, *motion.Motion, func(float64) float64) {
		return shuffled(d, r), &scene.Snapshot{Objects: permuted(d, w.Objects)}, m, asIs
	}},
	{name: "meshes subdivided", put: func(_ dice, r *urdf.Robot, w *scene.Snapshot, m *motion.Motion) (*urdf.Robot, *scene.Snapshot, *motion.Motion, func(float64) float64) {
		return divided(r), dividedWorld(w), m, asIs
	}},
	{name: "everything scaled", scale: 8, put: func(_ dice, r *urdf.Robot, w *scene.Snapshot, m *motion.Motion) (*urdf.Robot, *scene.Snapshot, *motion.Motion, func(float64) float64) {
		return grown(r, 8), grownWorld(w, 8), stretched(r, m, 8), asIs
	}},
}

// halves cuts a Bernstein polynomial at k.
func halves(ctrl []float64, k float64) (left, right []float64) {
	left, right = make([]float64, len(ctrl)), append([]float64(nil), ctrl...)
	for i := range ctrl {
		left[i] = right[0]
		for j := range len(ctrl) - 1 - i {
			right[j] = (1-k)*right[j] + k*right[j+1]
		}
	}
	return left, right
}

// mounted hangs the robot on a new root, at a pose.
func mounted(r *urdf.Robot, to geom.Pose) *urdf.Robot {
	out := &urdf.Robot{Name: r.Name}
	out.Links = append([]urdf.Link{{Name: "stand", ParentJoint: -1}}, r.Links...)
	out.Joints = append([]urdf.Joint{{Name: "bolt", Type: urdf.Fixed, Parent: 0, Child: 1, PosePC: to, Axis: geom.Vec{X: 1}}}, r.Joints...)
	for i := range out.Links[1:] {
		out.Links[1+i].ParentJoint++
	}
	for i := range out.Joints[1:] {
		j := &out.Joints[1+i]
		j.Parent, j.Child = j.Parent+1, j.Child+1
		if j.Mimic != nil {
			mimic := *j.Mimic
			mimic.Joint++
			j.Mimic = &mimic
		}
	}
	return out
}

// riveted puts an empty link and a fixed joint before one of the joints.
func riveted(d dice, r *urdf.Robot) *urdf.Robot {
	out := &urdf.Robot{Name: r.Name, Links: append([]urdf.Link(nil), r.Links...), Joints: append([]urdf.Joint(nil), r.Joints...)}
	i, middle := d.IntN(len(r.Joints)), d.Pose(0.3)
	j := &out.Joints[i]
	out.Links = append(out.Links, urdf.Link{Name: "between", ParentJoint: len(r.Joints)})
	out.Joints = append(out.Joints, urdf.Joint{Name: "rivet", Type: urdf.Fixed, Parent: j.Parent, Child: len(r.Links), PosePC: middle, Axis: geom.Vec{X: 1}})
	j.Parent, j.PosePC = len(r.Links), middle.Inv().Mul(j.PosePC)
	return out
}

func permuted[T any](d dice, xs []T) []T {
	out := append([]T(nil), xs...)
	d.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// shuffled puts the links but the root, and their shapes, in another order.
func shuffled(d dice, r *urdf.Robot) *urdf.Robot {
	order := d.Perm(len(r.Links) - 1)
	to := make([]int, len(r.Links)) // where a link went
	out := &urdf.Robot{Name: r.Name, Links: make([]urdf.Link, len(r.Links)), Joints: append([]urdf.Joint(nil), r.Joints...)}
	out.Links[0] = r.Links[0]
	for from, k := range order {
		to[from+1] = k + 1
		out.Links[k+1] = r.Links[from+1]
		out.Links[k+1].Collisions = permuted(d, r.Links[from+1].Collisions)
	}
	for i := range out.Joints {
		j := &out.Joints[i]
		j.Parent, j.Child = to[j.Parent], to[j.Child]
	}
	return out
}

func placed(w *scene.Snapshot, to func(geom.Pose) geom.Pose) *scene.Snapshot {
	out := &scene.Snapshot{Objects: append([]scene.Object(nil), w.Objects...)}
	for i := range out.Objects {
		out.Objects[i].PoseWS = to(out.Objects[i].PoseWS)
	}
	return out
}

// reshaped replaces every shape of a robot.
func reshaped(r *urdf.Robot, by func(*shape.Shape) *shape.Shape) *urdf.Robot {
	out := *r
	out.Links = append([]urdf.Link(nil), r.Links...)
	for i := range out.Links {
		l := &out.Links[i]
		l.Collisions = append([]urdf.Collision(nil), l.Collisions...)
		for k := range l.Collisions {
			l.Collisions[k].Shape = by(l.Collisions[k].Shape)
		}
	}
	return &out
}

func reshapedWorld(w *scene.Snapshot, by func(*shape.Shape) *shape.Shape) *scene.Snapshot {
	out := &scene.Snapshot{Objects: append([]scene.Object(nil), w.Objects...)}
	for i := range out.Objects {
		out.Objects[i].Shape = by(out.Objects[i].Shape)
	}
	return out
}

func divided(r *urdf.Robot) *urdf.Robot              { return reshaped(r, quartered) }
func dividedWorld(w *scene.Snapshot) *scene.Snapshot { return reshapedWorld(w, quartered) }
func grownShape(k float64) func(*shape.Shape) *shape.Shape {
	return func(s *shape.Shape) *shape.Shape { return enlarged(s, k) }
}

// quartered cuts each triangle of a mesh in four, through the middles of its sides.
func quartered(s *shape.Shape) *shape.Shape {
	if s.Kind != shape.Mesh {
		return s
	}
	m := &mesh.Mesh{Vertices: append([]geom.Vec(nil), s.Mesh.Vertices...)}
	middle := map[[2]int32]int32{}
	between := func(a, b int32) int32 {
		key := [2]int32{min(a, b), max(a, b)}
		if _, ok := middle[key]; !ok {
			middle[key] = int32(len(m.Vertices))
			m.Vertices = append(m.Vertices, r3.Scale(0.5, r3.Add(m.Vertices[a], m.Vertices[b])))
		}
		return middle[key]
	}
	for _, t := range s.Mesh.Triangles {
		a, b, c := between(t[1], t[2]), between(t[2], t[0]), between(t[0], t[1])
		m.Triangles = append(m.Triangles, [3]int32{t[0], c, b}, [3]int32{t[1], a, c}, [3]int32{t[2], b, a}, [3]int32{a, b, c})
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: m, Source: s.Source}
}

// enlarged scales a shape; by powers of two it does so exactly.
func enlarged(s *shape.Shape, k float64) *shape.Shape {
	out := *s
	out.Size, out.Radius, out.Length = r3.Scale(k, s.Size), k*s.Radius, k*s.Length
	out.Points, out.Cells = nil, nil
	for _, p := range s.Points {
		out.Points = append(out.Points, r3.Scale(k, p))
	}
	for _, c := range s.Cells {
		out.Cells = append(out.Cells, geom.Box{Min: r3.Scale(k, c.Min), Max: r3.Scale(k, c.Max)})
	}
	if s.Kind == shape.Mesh {
		return scaled(s, k)
	}
	return &out
}

func farther(p geom.Pose, k float64) geom.Pose { return geom.Pose{R: p.R, P: r3.Scale(k, p.P)} }

func grown(r *urdf.Robot, k float64) *urdf.Robot {
	out := reshaped(r, grownShape(k))
	out.Joints = append([]urdf.Joint(nil), r.Joints...)
	for i := range out.Links {
		for c := range out.Links[i].Collisions {
			out.Links[i].Collisions[c].PoseLS = farther(out.Links[i].Collisions[c].PoseLS, k)
		}
	}
	for i := range out.Joints {
		j := &out.Joints[i]
		j.PosePC = farther(j.PosePC, k)
		if j.Mimic == nil {
			continue
		}
		// A slide of a scaled robot goes k times as far.
		mimic := *j.Mimic
		if j.Type == urdf.Prismatic {
			mimic.Multiplier, mimic.Offset = k*mimic.Multiplier, k*mimic.Offset
		}
		if r.Joints[mimic.Joint].Type == urdf.Prismatic {
			mimic.Multiplier /= k
		}
		j.Mimic = &mimic
	}
	return out
}

func grownWorld(w *scene.Snapshot, k float64) *scene.Snapshot {
	return placed(reshapedWorld(w, grownShape(k)), func(p geom.Pose) geom.Pose { return farther(p, k) })
}

func stretched(r *urdf.Robot, m *motion.Motion, k float64) *motion.Motion {
	out := &motion.Motion{Joints: m.Joints, KeepTurns: m.KeepTurns}
	for _, p := range m.Pieces {
		q := motion.Piece{Start: p.Start, End: p.End}
		for row, ctrl := range p.Ctrl {
			c := append([]float64(nil), ctrl...)
			for i := range c {
				if r.Joints[r.Joint(m.Joints[row])].Type == urdf.Prismatic {
					c[i] *= k
				}
			}
			q.Ctrl = append(q.Ctrl, c)
		}
		out.Pieces = append(out.Pieces, q)
	}
	return out
}

// TestSameMotionSameVerdict asks about random motions in eight other ways. A
// distance between nothing and the tolerance may be called either way: such pairs of
// answers are counted as ties.
func TestSameMotionSameVerdict(t *testing.T) {
	count, ties := map[motion.Status]int{}, 0
	for i := range long(watched(120)) {
		d := dice{chance.New(81, uint64(i))}
		robot, world := d.robot(), d.world()
		c, err := New(robot, world, Options{Allowed: neighbours(robot)})
		if err != nil {
			t.Fatal(err)
		}
		m := d.motion(c.ActiveJoints())
		q := motion.Query{Question: motion.MinClearance}
		v := ask(t, c, m, q)
		count[v.Status]++
		for _, way := range ways {
			name := fmt.Sprintf("scene %d, %s", i, way.name)
			robot, world, m, when := way.put(d, robot, world, m)
			other, err := New(robot, world, Options{Allowed: neighbours(c.Robot())})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			o := ask(t, other, m, q)
			scale := math.Max(1, way.scale)
			if o.Status != v.Status {
				if (o.Status == motion.Contact && o.Contact.Distance > 0 || v.Status == motion.Contact && v.Contact.Distance > 0) && o.Status != motion.Undecided && v.Status != motion.Undecided {
					ties++
					continue
				}
				t.Errorf("%s: %v in %v, but %v in %v", name, v.Status, v.TOC, o.Status, o.TOC)
				continue
			}
			switch {
			case v.Status == motion.Contact && !way.backwards:
				// Each interval holds the first time within the tolerance, or is after it.
				a, b := motion.Interval{Lo: when(v.TOC.Lo), Hi: when(v.TOC.Hi)}, o.TOC
				if a.Lo > b.Hi && o.Contact.Distance == 0 || b.Lo > a.Hi && v.Contact.Distance == 0 {
					t.Errorf("%s: contact in %v, but in %v", name, a, b)
				}
			case v.Status == motion.Free && v.MinClearance.Known:
				a, b := v.MinClearance.Bounds, o.MinClearance.Bounds
				if scale*a.Lo > b.Hi+1e-9 || b.Lo > scale*a.Hi+1e-9 {
					t.Errorf("%s: clearance in %v, but in %v", name, a, b)
				}
			}
		}
	}
	t.Logf("%v, %d ties", count, ties)
	if n := count[motion.Free] + count[motion.Contact]; count[motion.Free] < n/5 || count[motion.Contact] < n/5 || ties > n/5 {
		t.Error("the test is one-sided")
	}
}

// neighbours are the links that a joint connects: which of them touch at the start
// is not the same in all scales and orders, so all are left out.
func neighbours(r *urdf.Robot) (pairs [][2]string) {
	for i := range r.Joints {
		pairs = append(pairs, [2]string{r.Links[r.Joints[i].Parent].Name, r.Links[r.Joints[i].Child].Name})
	}
	return pairs
}

// TestNearMissesMadeOnPurpose moves the obstacle that comes closest until next to
// nothing is left, and a little farther. Then the two meet, but for edges that are
// more acute than a right angle, such as a cone's: those may slip by each other. How
// far apart they are at that time is the word of the same engine's distance query; how
// often they do is bounded.
func TestNearMissesMadeOnPurpose(t *testing.T) {
	race.LeaveOut(t)
	var free, touch, tried, slipped int
	for i := range long(120) {
		d := dice{chance.New(82, uint64(i))}
		robot, world := d.robot(), d.world()
		c, err := New(robot, world, Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := d.motion(c.ActiveJoints())
		v := ask(t, c, m, motion.Query{Question: motion.MinClearance, NoSelf: true, ClearanceTolerance: 1e-9})
		if v.Status != motion.Free || !v.MinClearance.Known {
			continue
		}
		near := v.MinClearance.At
		for _, gap := range []float64{1e-3, 1e-5, 1e-7, 1e-9, -1e-9, -1e-7, -1e-5, -1e-3} {
			moved := &scene.Snapshot{Objects: append([]scene.Object(nil), world.Objects...)}
			for k := range moved.Objects {
				if o := &moved.Objects[k]; o.ID == near.Pair.B.Name {
					o.PoseWS.P = r3.Sub(o.PoseWS.P, r3.Scale(near.Distance-gap, near.Normal))
				}
			}
			closer, err := c.WithWorld(moved)
			if err != nil {
				t.Fatal(err)
			}
			tried++
			misses := gap > 0
			if gap < 0 {
				positions := map[string]float64{}
				for j, x := range m.At(near.Time) {
					positions[m.Joints[j]] = x
				}
				d, err := closer.Distance(context.Background(), positions, motion.DistanceQuery{NoSelf: true})
				if err != nil {
					t.Fatal(err)
				}
				if misses = d.World.Hi > 0; misses {
					slipped++
				}
			}
			for _, question := range []motion.Question{motion.FirstContact, motion.IsFree, motion.MinClearance} {
				v := ask(t, closer, m, motion.Query{Question: question, NoSelf: true})
				name := fmt.Sprintf("scene %d, a gap of %g, question %d", i, gap, question)
				switch {
				case v.Status == motion.Undecided:
					t.Errorf("%s: undecided, %s", name, v.Reason)
				case v.Status == motion.Free && !misses:
					t.Errorf("%s: free", name)
				case v.Status == motion.Free && v.MinClearance.Known && v.MinClearance.Bounds.Lo > math.Abs(gap)+1e-12:
					t.Errorf("%s: clearance in %v", name, v.MinClearance.Bounds)
				case v.Status == motion.Free:
					free++
				default:
					touch++
				}
			}
		}
	}
	t.Logf("%d near misses, %d of them slip by: %d times free, %d times contact", tried, slipped, free, touch)
	if tried < 80 || slipped > tried/50 || free < tried/5 || touch < tried/5 {
		t.Error("the test is one-sided")
	}
}

// A root link moves by its velocities a second, along and about every axis, however
// long the piece lasts.
func TestRootMovesPerSecond(t *testing.T) {
	still := func(seconds float64) *motion.Motion {
		m, err := motion.Between([]string{"x"}, []float64{0}, []float64{0}, seconds)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for axis, e := range []geom.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		// A ball of 0.1, and one of 0.1 a metre away: they touch after 0.8 m.
		c := newChecker(t, slider(), worldOf(object("post", ball(0.1), geom.Translation(e))))
		for _, seconds := range []float64{0.5, 1, 4} {
			r := motion.RootPiece{Start: geom.IdentityPose(), Velocity: r3.Scale(1/seconds, e)}
			v, err := c.Check(context.Background(), onRoot(t, still(seconds), r), motion.Query{})
			if err != nil {
				t.Fatal(err)
			}
			if v.Status != motion.Contact || math.Abs(v.TOC.Hi-0.8*seconds) > 1e-5*seconds {
				t.Errorf("axis %d, %g s: %v in %v, want contact at %g", axis, seconds, v.Status, v.TOC, 0.8*seconds)
			}
		}
	}
}
