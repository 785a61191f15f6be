package romtree

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Tables are the lookup tables of SPHERE, section IV: proved lower bounds of the distance of
// links and subtrees over all configurations of a box. The paper stores booleans, these tables
// metres: the distance always exceeds the entry. So one table serves every clearance and the
// running bound of a distance query. The paper's "collision free" is an entry of at least the
// clearance; its conjunctions are minima. Immutable.
//
// Unproved means no bound, +Inf a pair that is not checked.
type Tables struct {
	Model *model.Model
	Box   *JointBox

	bodies int
	// Per pair of bodies of the robot: base of the paper, and whether it is checked.
	base  []float64
	asked []bool

	// Per pair of frames, over the checked pairs of bodies: frame by frame; rigid, a frame by
	// a subtree; motion, a subtree by a subtree; and scfree, of a subtree within itself.
	frames             int
	frame, rigid, subs []float64
	scfree             []float64
}

// Unproved is the table entry of a pair without a proof.
const Unproved = -1.0

// Apart is a proof made by another method: the distance of two links (indices) exceeds
// Distance in every configuration of the box, with the model's padding. Distance is at
// least 0, which means that the pair never touches.
type Apart struct {
	A, B     int
	Distance float64
}

// NewTables proves lower bounds by hulls around each link's range of motion, seen from the
// frame at which the chains of a pair part, and adds proofs by other methods, for the same
// model and a box that contains this one.
func NewTables(m *model.Model, box *JointBox, proved []Apart, o RomOptions) *Tables {
	n, f := len(m.Bodies), len(m.Tree.Frames)
	t := &Tables{
		Model: m, Box: box, bodies: n, frames: f,
		base: make([]float64, n*n), asked: make([]bool, n*n),
		frame: make([]float64, f*f), rigid: make([]float64, f*f), subs: make([]float64, f*f), scfree: make([]float64, f),
	}
	for i := range m.Pairs {
		p := &m.Pairs[i]
		if a, b := m.Elements[p.A].Body, m.Elements[p.B].Body; !p.World {
			t.asked[a*n+b], t.asked[b*n+a] = true, true
		}
	}
	t.proveBase(newSweeper(m, box, exact, o.gap(), o.points()))
	t.take(proved)
	t.fill()
	return t
}

// Base returns a lower bound of the distance of two bodies over the whole box, or Unproved.
func (t *Tables) Base(a, b int) float64 { return t.base[a*t.bodies+b] }

// Never reports whether the distance of two bodies exceeds the clearance over the whole box.
func (t *Tables) Never(a, b int, clearance float64) bool { return t.Base(a, b) >= clearance }

// Asked reports whether the pair of bodies is checked.
func (t *Tables) Asked(a, b int) bool { return t.asked[a*t.bodies+b] }

// Frame is Base over the checked bodies of two frames, Rigid over those of frame i and of the
// subtree from frame j on, Motion over those of two subtrees.
func (t *Tables) Frame(i, j int) float64  { return t.frame[i*t.frames+j] }
func (t *Tables) Rigid(i, j int) float64  { return t.rigid[i*t.frames+j] }
func (t *Tables) Motion(i, j int) float64 { return t.subs[i*t.frames+j] }

// SelfFree is Base over all pairs within the subtree from frame k on.
func (t *Tables) SelfFree(k int) float64 { return t.scfree[k] }

// Holds reports whether the tables hold for a model and a configuration.
func (t *Tables) Holds(m *model.Model, q []float64, tube map[string]float64) bool {
	return m == t.Model && t.Box.Holds(q, tube)
}

// take keeps the larger bound of each pair.
func (t *Tables) take(proved []Apart) {
	for _, p := range proved {
		for i := range t.Model.Bodies {
			for j := range t.Model.Bodies {
				a, b := &t.Model.Bodies[i], &t.Model.Bodies[j]
				if a.Kind == motion.RobotLink && b.Kind == motion.RobotLink && a.Link == p.A && b.Link == p.B && p.Distance >= 0 {
					t.raise(i, j, p.Distance)
				}
			}
		}
	}
}

func (t *Tables) raise(a, b int, to float64) {
	for _, at := range [2]int{a*t.bodies + b, b*t.bodies + a} {
		t.base[at] = max(t.base[at], to)
	}
}

// proveBase compares, for each pair of the robot's bodies, the hulls around all their
// positions in the last common frame of their chains: joints that move both are irrelevant.
func (t *Tables) proveBase(s *sweeper) {
	m := t.Model
	for i := range t.base {
		t.base[i] = Unproved
	}
	of := newPlaces(s, m)
	for i := range m.Bodies {
		for j := range i {
			if m.Bodies[i].Link >= 0 && m.Bodies[j].Link >= 0 {
				t.raise(i, j, of.apart(i, j))
			}
		}
	}
}

// places are the hulls around all positions of bodies.
type places struct {
	s  *sweeper
	m  *model.Model
	of []map[int][]convex.Core // per body, see sweeper.places; nil until used
}

func newPlaces(s *sweeper, m *model.Model) *places {
	return &places{s, m, make([]map[int][]convex.Core, len(m.Bodies))}
}

// apart returns a lower bound of the distance of two bodies of the robot, in all
// configurations, or Unproved.
func (p *places) apart(i, j int) float64 {
	m := p.m
	a, b := &m.Bodies[i], &m.Bodies[j]
	seen := 0
	if n := m.Tree.Parting(a.Frame, b.Frame); n > 0 {
		seen = int(m.Tree.Chain(a.Frame)[n-1])
	}
	for _, k := range [2]int{i, j} {
		if p.of[k] == nil {
			p.of[k] = p.s.places(m, k)
		}
	}
	ha, hb := p.of[i][seen], p.of[j][seen]
	if len(ha) == 0 || len(hb) == 0 {
		return Unproved
	}
	return hullsApart(ha, hb)
}

// places encloses a body in all its positions, seen from its own frame and from each frame
// before it, as long as it is bounded.
func (s *sweeper) places(m *model.Model, body int) map[int][]convex.Core {
	out := map[int][]convex.Core{}
	b := &m.Bodies[body]
	var c cloud
	for _, i := range b.Elements {
		points, radius := m.Elements[i].Outline()
		c = c.with(cloud{{points, radius}})
	}
	for k, ok := b.Frame, true; ok; k = m.Tree.Frames[k].Parent {
		out[k] = c.cores()
		if k == 0 {
			break
		}
		w := wayOf(&s.tree.Frames[k], s.box.Joints[k])
		if c, ok = s.sweep(k, &w, c); ok {
			c = c.fewer(s.points)
		}
	}
	return out
}

// cores returns the cloud's parts as convex pieces.
func (c cloud) cores() []convex.Core {
	out := make([]convex.Core, len(c))
	for i, g := range c {
		out[i] = coreOf(g.points)
		out[i].Radius = g.radius
	}
	return out
}

// hullsApart returns a proved lower bound of the distance of two unions of convex pieces in
// one frame, or Unproved. At a distance of exactly 0 they may touch.
func hullsApart(a, b []convex.Core) float64 {
	least, id := math.Inf(1), geom.IdentityPose()
	for i := range a {
		for j := range b {
			least = min(least, convex.Distance(&a[i], &id, &b[j], &id, nil).Lower)
		}
	}
	if !(least > 0) {
		return Unproved
	}
	// Entries mean "farther than": return the next smaller number.
	return math.Nextafter(least, 0)
}

// fill computes the tables of frames and subtrees from base: equations (2) to (12), except
// that a link is also compared with its children, because the pairs decide whether neighbours
// are checked.
func (t *Tables) fill() {
	f := t.frames
	for i := range t.frame {
		t.frame[i], t.rigid[i], t.subs[i] = math.Inf(1), math.Inf(1), math.Inf(1)
	}
	for a := range t.bodies {
		for b := range t.bodies {
			if t.asked[a*t.bodies+b] {
				at := &t.frame[t.Model.Bodies[a].Frame*f+t.Model.Bodies[b].Frame]
				*at = min(*at, t.Base(a, b))
			}
		}
	}
	for j := f - 1; j >= 0; j-- { // children follow their parents
		for i := range f {
			t.rigid[i*f+j] = min(t.rigid[i*f+j], t.Frame(i, j)) // (3)
			if p := t.Model.Tree.Frames[j].Parent; p >= 0 {
				t.rigid[i*f+p] = min(t.rigid[i*f+p], t.rigid[i*f+j])
			}
		}
	}
	for i := f - 1; i >= 0; i-- {
		for j := range f {
			t.subs[i*f+j] = min(t.subs[i*f+j], t.rigid[i*f+j]) // (4)
			if p := t.Model.Tree.Frames[i].Parent; p >= 0 {
				t.subs[p*f+j] = min(t.subs[p*f+j], t.subs[i*f+j])
			}
		}
	}
	for k := range f {
		t.scfree[k] = t.Motion(k, k) // (5) to (12), unrolled: all pairs within the subtree
	}
}
