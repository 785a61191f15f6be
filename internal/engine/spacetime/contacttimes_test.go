package spacetime

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Times of contact in closed form: sliders, each in a lane of its own, and each with a wall
// before it.

// lane is a slider: where it is at the parameter s, and where it touches.
type lane struct {
	ctrl []float64
	wall float64
}

func (l *lane) gap(s float64) float64 {
	a, b, c := l.ctrl[0], l.ctrl[1], l.ctrl[2]
	return l.wall - (a*(1-s)*(1-s) + 2*b*s*(1-s) + c*s*s)
}

// sliders puts each lane's body, of a random form, and its wall where they belong.
func (d dice) sliders(t *testing.T, lanes []lane) *rig {
	world := robots.World()
	var hinges []robots.Hinge
	var ctrl [][]float64
	for i, l := range lanes {
		at := robots.At(0, 5*float64(i), 0)
		body, front := d.slider()
		h := slide(at, ex, 1)
		h.Parts = robots.Part(robots.At(0, 0, 0), body)
		hinges, ctrl = append(hinges, h), append(ctrl, l.ctrl)
		wall := robots.Box(0.2, 3, 3)
		switch d.IntN(3) {
		case 0: // triangles, whose hull is more than they are
			wall = robots.Mesh(meshes.Block(geom.Vec{X: 0.1, Y: 1.5, Z: 1.5}), meshes.At(geom.Vec{X: 3}, meshes.Cube(0.1)))
		case 1:
			wall = robots.Mesh(meshes.Block(geom.Vec{X: 0.1, Y: 1.5, Z: 1.5}))
		}
		world.Objects = append(world.Objects, robots.Object(robots.LinkName(100+i), wall, robots.At(l.wall+front+0.1, 5*float64(i), 0)))
	}
	return newRig(t, robots.Of(nil, hinges...), world, 0, robots.Move(ctrl...))
}

// slider draws a body and returns how far ahead of its origin its front is.
func (d dice) slider() (*shape.Shape, float64) {
	switch d.IntN(4) {
	case 0:
		return robots.Ball(0.1), 0.1
	case 1:
		return robots.Box(0.2, 0.3, 0.1), 0.1
	}
	s := robots.Mesh(meshes.Elbow(0.3))
	if d.IntN(2) == 0 {
		s = robots.Mesh(meshes.Wedges(0.2))
	}
	front := math.Inf(-1)
	for _, v := range s.Mesh.Vertices {
		front = math.Max(front, v.X)
	}
	return s, front
}

// judge holds both questions' answers against the lanes; first is the earliest contact, +Inf
// for none, and least the smallest gap.
func (r *rig) judge(t *testing.T, lanes []lane, least float64) {
	t.Helper()
	const eps = 1e-12
	gaps := func(s float64) float64 {
		g := math.Inf(1)
		for i := range lanes {
			g = math.Min(g, lanes[i].gap(s))
		}
		return g
	}
	var status [2]motion.Status
	for i, question := range []motion.Question{motion.FirstContact, motion.IsFree} {
		v := r.check(motion.Query{Question: question})
		status[i] = v.Status
		switch {
		case v.Status == motion.Undecided:
			t.Errorf("%v: undecided, %s; the least gap is %g", question, v.Reason, least)
		case v.Status == motion.Free && least < 0, v.Status == motion.Contact && least > motion.DefaultTolerance+eps:
			t.Errorf("%v: %v, but the least gap is %g", question, v.Status, least)
		}
		if v.Status != motion.Contact {
			continue
		}
		if g := gaps(v.TOC.Hi); g > motion.DefaultTolerance+eps || v.Contact.Distance > motion.DefaultTolerance {
			t.Errorf("%v: contact until %.17g, %g apart, but the gap is %g", question, v.TOC.Hi, v.Contact.Distance, g)
		}
		for k := range 65 {
			if s := v.TOC.Lo * float64(k) / 64; gaps(s) < -eps {
				t.Errorf("%v: free until %.17g, but at %.17g the gap is %g", question, v.TOC.Lo, s, gaps(s))
				break
			}
		}
		if question == motion.FirstContact && v.TOC.Hi-v.TOC.Lo > motion.DefaultTimeTolerance {
			t.Errorf("the time of contact is in [%.17g, %.17g]", v.TOC.Lo, v.TOC.Hi)
		}
	}
	if status[0] != status[1] && !(least >= 0 && least <= motion.DefaultTolerance+eps) {
		t.Errorf("the first contact says %v, yes or no %v", status[0], status[1])
	}
}

// Bodies that touch their walls at the start, at the end, together, and shortly after each
// other.
func TestTimesOfContact(t *testing.T) {
	for i := range rounds(watched(120)) {
		d := newDice(171, uint64(i))
		at := [...]float64{0, 1, d.Float64(), d.Float64()}[d.IntN(4)]
		lanes := make([]lane, 1+d.IntN(4))
		least := math.Inf(1)
		for k := range lanes {
			s := at
			if k > 0 {
				s = math.Min(1.2, at+[...]float64{0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3, 0.1}[d.IntN(7)])
			}
			far := d.Spread(0.01, 3)
			l := &lanes[k]
			l.ctrl = []float64{0, far / 2, far} // at constant speed
			if d.IntN(2) == 0 && s > 0 {
				l.ctrl = []float64{0, far * d.Float64() / 2, far} // faster and faster
			}
			l.wall = 0
			l.wall = -l.gap(s)
			least = math.Min(least, l.gap(1))
		}
		for k := range lanes {
			o := d.IntN(k + 1)
			lanes[k], lanes[o] = lanes[o], lanes[k]
		}
		d.sliders(t, lanes).judge(t, lanes, least)
		if t.Failed() {
			t.Fatalf("case %d: %+v", i, lanes)
		}
	}
}

// Bodies that come up to their walls and turn back: they touch for a moment, or do not.
func TestGrazingContacts(t *testing.T) {
	for i := range rounds(watched(120)) {
		d := newDice(172, uint64(i))
		lanes := make([]lane, 1+d.IntN(3))
		least := math.Inf(1)
		for k := range lanes {
			by, far := [...]float64{-1e-3, -1e-6, -1e-9, 0, 1e-9, 3e-7, 2e-6, 1e-5, 1e-3}[d.IntN(9)], d.Spread(0.01, 2)
			l := &lanes[k]
			l.ctrl, l.wall = []float64{-far, far, -far}, by
			least = math.Min(least, by)
		}
		d.sliders(t, lanes).judge(t, lanes, least)
		if t.Failed() {
			t.Fatalf("case %d: %+v", i, lanes)
		}
	}
}
