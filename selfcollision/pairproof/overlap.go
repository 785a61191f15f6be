package pairproof

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// The search for a proof that two links always touch: boxes once more, and in each
// a point of one link that stays inside the other.

const (
	overlapBoxes = 600  // per pair
	nudges       = 24   // by which a point is improved
	alongAxis    = 0.25 // m: how far from its origin points on a joint's axis are tried
)

// solids returns the solid of an element, made the first time it is asked for; nil
// where it encloses nothing.
func (s *scratch) solid(element int) *solid {
	if x, seen := s.solids[element]; seen {
		return x
	}
	e := &s.m.Elements[element]
	body := &s.m.Bodies[e.Body]
	var m *mesh.Mesh
	if sh := s.robot.Links[body.Link].Collisions[slices.Index(body.Elements, element)].Shape; sh.Kind == shape.Mesh {
		m = sh.Mesh
	}
	var out *solid
	if x, ok := solidOf(e, m); ok {
		out = &x
	}
	s.solids[element] = out
	return out
}

// anchor is a point of one link, in W, that may stay inside the other.
type anchor struct {
	at    geom.Vec
	score float64 // how much deeper it is than it wanders
}

// always tries to prove that the links touch in the whole box. It ends as soon as
// they are apart somewhere, which f then tells.
func (s *scratch) always(f *found) bool {
	s.queue = append(s.queue[:0], s.root())
	for head := 0; head < len(s.queue); head++ {
		if head >= overlapBoxes || s.spent() {
			return false
		}
		b := s.queue[head]
		s.out.Boxes++
		s.placeBox(&b)
		if s.anchorIn().score > 0 {
			continue
		}
		if _, apart := s.look(b.c); apart {
			f.apart = slices.Clone(b.c)
			return false
		}
		s.weighAll()
		s.halve(&b, b.front)
	}
	return true
}

// placeBox moves the robot to the centre of a box and bounds what it does in it.
func (s *scratch) placeBox(b *cell) {
	s.problem.around(s.around, b.c, b.d)
	s.st.Place(s.around)
	s.st.Ensure(s.m.Bodies[s.a].Frame)
	s.st.Ensure(s.m.Bodies[s.b].Frame)
}

// weighAll weighs the variables by what they move of the whole links.
func (s *scratch) weighAll() {
	s.weight = append(s.weight[:0], make([]float64, len(s.vars))...)
	for _, i := range s.elements {
		q := &s.m.Pairs[i]
		s.side(&s.left, q.A, s.pieceOf(int32(q.A), whole))
		s.side(&s.right, q.B, s.pieceOf(int32(q.B), whole))
		s.weigh(geom.Vec{})
	}
}

// anchorIn looks for the best point in a box, of any pair of elements; its score is
// above zero where it is a proof.
func (s *scratch) anchorIn() anchor {
	best := anchor{score: -1}
	for _, i := range s.elements {
		q := &s.m.Pairs[i]
		sa, sb := s.solid(q.A), s.solid(q.B)
		if sa == nil || sb == nil {
			continue
		}
		s.side(&s.left, q.A, s.pieceOf(int32(q.A), whole))
		s.side(&s.right, q.B, s.pieceOf(int32(q.B), whole))
		for _, ofB := range [2]bool{false, true} {
			c := s.contest(sa, sb, ofB)
			for _, x := range s.guesses(i) {
				c.offer(x)
			}
			c.improve()
			if c.found.score > best.score {
				best = c.found
			}
			if best.score > 0 {
				return best
			}
		}
	}
	return best
}

// contest compares points of W as anchors.
type contest struct {
	in, of         *solid // the point is to stay in one and be of the other
	poseIn, poseOf geom.Pose
	path           []joint
	slack          float64
	step           float64
	found          anchor
}

func (s *scratch) contest(sa, sb *solid, ofB bool) contest {
	in, of := &s.right, &s.left
	c := contest{in: sb, of: sa, slack: s.left.slack + s.right.slack, found: anchor{score: -1}}
	if ofB {
		in, of, c.in, c.of = of, in, sa, sb
	}
	c.poseIn, c.poseOf = in.pose, of.pose
	c.step = min(s.left.reachOut(), s.right.reachOut()) / 4
	for i := len(of.joints) - 1; i >= 0; i-- {
		c.path = append(c.path, of.joints[i])
	}
	c.path = append(c.path, in.joints...)
	return c
}

// reachOut is a size of the piece.
func (x *limb) reachOut() float64 { return x.core.Extent() + x.core.Radius }

// offer scores a point of W.
func (c *contest) offer(x geom.Vec) bool {
	if c.of.depthIn(c.poseOf.ApplyInv(x)) < 0 {
		return false
	}
	depth := c.in.depthIn(c.poseIn.ApplyInv(x))
	if depth < 0 {
		return false
	}
	score := depth - wander(x, c.path) - c.slack
	if staysInside(x, depth, c.path, c.slack) != (score > 0) {
		score = min(score, 0)
	}
	if c.found.score > -1 && score <= c.found.score {
		return false
	}
	c.found.score, c.found.at = score, x
	return true
}

// improve moves the best point about for as long as that helps.
func (c *contest) improve() {
	if c.found.score <= -1 {
		return
	}
	step := c.step
	for range nudges {
		if c.found.score > 0 {
			return
		}
		better := false
		at := c.found.at
		for _, d := range compass[:6] {
			better = c.offer(r3.Add(at, r3.Scale(step, d))) || better
		}
		if !better {
			step /= 2
		}
	}
}

// guesses returns points of W that may be deep in both elements of a pair: on the
// axes of the joints between, and where the pieces' closest points are.
func (s *scratch) guesses(pair int32) []geom.Vec {
	q := &s.m.Pairs[pair]
	ea, eb := &s.m.Elements[q.A], &s.m.Elements[q.B]
	r := convex.Distance(&ea.Core, &s.left.pose, &eb.Core, &s.right.pose, nil)
	out := []geom.Vec{r.PointA, r.PointB, s.left.center, s.right.center, r3.Scale(0.5, r3.Add(s.left.center, s.right.center))}
	for _, x := range [2]*limb{&s.left, &s.right} {
		for i := range x.joints {
			j := &x.joints[i]
			for t := -20; t <= 20; t++ {
				out = append(out, r3.Add(j.origin, r3.Scale(alongAxis*float64(t)/20, j.axis)))
			}
		}
	}
	return out
}
