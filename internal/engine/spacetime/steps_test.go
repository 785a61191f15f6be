package spacetime

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// What trying all steps of an interval at once leaves out must be apart, and verdicts must be those
// of a worker that tries no steps.

// withoutSteps is a worker that tries no steps at once.
func withoutSteps(m *model.Model) *Worker {
	w := NewWorker(m)
	w.stepped.made = true
	return w
}

// crowd draws a robot, some of whose links have several shapes, in a world: objects near it, one that
// it may start in, one that a link holds. Some pairs of bodies are allowed to touch.
func crowd(t *testing.T, d dice) *rig {
	t.Helper()
	robot := d.robot()
	if d.IntN(2) == 0 {
		robot = d.Robot(robots.Plan{
			Joints: 1 + d.IntN(4),
			Kinds:  []urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Continuous, urdf.Prismatic, urdf.Fixed},
			Origin: func() geom.Pose { return d.Pose(0.4) },
			Limit:  func(urdf.JointType) urdf.Limit { return urdf.Limit{Bounded: true, Lower: -1e6, Upper: 1e6} },
			Parts:  func() []urdf.Collision { return d.Parts(1+d.IntN(3), 0.2, 0.1, robots.Hulls...) },
		})
	}
	m := d.pieceMotion(robot)
	if len(m.Joints) == 0 {
		return nil
	}
	world := robots.World()
	for k := range 1 + d.IntN(5) {
		o := robots.Object(fmt.Sprint("o", k), d.shape(d.Spread(0.05, 0.5)), d.Pose(1))
		o.Padding = [...]float64{0, 0.02}[d.IntN(2)]
		world.Objects = append(world.Objects, o)
	}
	if d.IntN(3) == 0 {
		world.Objects = append(world.Objects, robots.Object("hull", robots.Mesh(meshes.Elbow(d.Spread(1, 6)), meshes.At(d.Vec(9), meshes.Cube(0.1))), d.Pose(1)))
	}
	if d.IntN(3) == 0 { // its tree has many nodes
		points := make([]geom.Vec, 50+d.IntN(150))
		for k := range points {
			points[k] = d.Vec(1)
		}
		world.Objects = append(world.Objects, robots.Object("dust", robots.Points(d.Spread(1e-3, 0.02), points...), robots.At(0, 0, 0)))
	}
	if d.IntN(2) == 0 {
		o := robots.Object("held", d.shape(0.1), d.Pose(0.2))
		o.AttachedTo = robot.Links[d.IntN(len(robot.Links))].Name
		world.Objects = append(world.Objects, o)
	}
	padding := [...]float64{0, 0.01}[d.IntN(2)]
	md, err := model.New(robot, world, func(string) float64 { return padding }, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	allowed := d.IntN(3)
	md.PairUp(func(_, _ *model.Body) string {
		if allowed > 0 && d.IntN(4) == 0 {
			return "allowed"
		}
		return ""
	})
	if len(md.Pairs) == 0 {
		return nil
	}
	r := &rig{Moving: twin.Moving{Robot: robot}, world: world, model: md, w: NewWorker(md)}
	r.bind(t, m)
	return r
}

// step tries the steps of an interval for all pairs. It reports false if that found a contact.
func (r *rig) step(s *search, piece int, lo, hi, clearance float64) bool {
	w := r.w
	*s = search{w: w, anyTouch: s.anyTouch}
	w.begin(context.Background(), &motion.Query{Clearance: clearance})
	w.at.Stray(nil)
	w.at.ReachFor(r.bound)
	w.start.Set(r.bound)
	w.selectPairs(&motion.Query{})
	w.load(r.bound, piece)
	w.place(lo, lo, hi)
	w.arena = append(w.arena[:0], w.startGroups...)
	w.stepped.runs = w.stepped.runs[:0]
	t := pendingInterval{piece: int32(piece), lo: lo, hi: hi, last: int32(len(w.arena))}
	if !s.worthSteps(&t) {
		panic("no steps")
	}
	s.trySteps(t)
	return !s.res.hit && w.q.Reason == ""
}

// isLeft reports whether a pair is left to search at a time.
func (r *rig) isLeft(pair int, at float64) bool {
	w, m := r.w, r.model
	q := &m.Pairs[pair]
	for _, run := range w.stepped.runs {
		if at < run.lo || at > run.hi {
			continue
		}
		for _, e := range w.arena[run.first:run.last] {
			switch {
			case int(e.pair) == pair:
				return true
			case e.pair < 0:
				if i := int(^e.pair); q.World && (i == q.A || i == q.B || int(m.GroupOf[q.A]) == i || int(m.GroupOf[q.B]) == i) {
					return true
				}
			case w.at.IsGroup(e.pair):
				for _, i := range m.PairsOf[int(e.pair)-len(m.Pairs)] {
					if int(i) == pair {
						return true
					}
				}
			}
		}
	}
	return false
}

// within reports whether one of a pair has a part inside of the other at a time.
func (r *rig) within(q *model.Pair, piece int, s float64) bool {
	link := func(i int) int { return max(r.model.Bodies[r.model.Elements[i].Body].Link, r.Robot.Root) }
	a, b := r.Pose(link(q.A), r.Robot.Root, piece, s, s), r.Pose(link(q.B), r.Robot.Root, piece, s, s)
	return r.holds(q.A, q.B, a.Inv().Mul(b)) || r.holds(q.B, q.A, b.Inv().Mul(a))
}

// isFree asks about the whole motion. That surfaces are apart in a step is worth as much as what is
// found at the start: a group of which a part is inside meets the surface there, and is looked into.
func (r *rig) isFree(clearance float64) bool {
	w := NewWorker(r.model)
	q := motion.Query{Question: motion.IsFree, Clearance: clearance}
	v := w.Check(context.Background(), r.bound, q)
	q.Question = motion.FirstContact
	return v.Status == motion.Free || w.Check(context.Background(), r.bound, q).Status == motion.Free
}

// approach finds an interval of a piece in which a pair is closest in the middle of one of the steps,
// and how close; any interval where it comes closest at an end.
func (r *rig) approach(d dice, q *model.Pair, piece int) (lo, hi, at, distance float64) {
	f := func(s float64) float64 { return r.apart(q, piece, s, math.Inf(1)) }
	const n = 24
	best, least := 0, math.Inf(1)
	for i := range n + 1 {
		if x := f(float64(i) / n); x < least {
			best, least = i, x
		}
	}
	if best > 0 && best < n && least > 0 {
		a, b := float64(best-1)/n, float64(best+1)/n
		for range 20 {
			if x, y := a+(b-a)*0.382, a+(b-a)*0.618; f(x) < f(y) {
				b = y
			} else {
				a = x
			}
		}
		at = (a + b) / 2
		for range 20 {
			width := d.Spread(1e-3, 0.14)
			lo = at - (float64(d.IntN(lanes.Steps))+0.5)*width
			if hi = lo + lanes.Steps*width; lo >= 0 && hi <= 1 {
				return lo, hi, at, f(at)
			}
		}
	}
	lo = d.In(0, 0.9)
	hi = math.Min(1, lo+d.Spread(1e-3, 1))
	at = d.In(lo, hi)
	return lo, hi, at, f(at)
}

// Pairs are apart, by the clearance, in all steps in which they are not left.
func TestStepsLeaveOutWhatIsApart(t *testing.T) {
	out, in, hits, groups, held, inside := 0, 0, 0, 0, 0, 0
	for i := range rounds(watched(250)) {
		d := newDice(301, uint64(i))
		r := crowd(t, d)
		if r == nil {
			continue
		}
		piece := d.IntN(len(r.Motion.Pieces))
		q := &r.model.Pairs[d.IntN(len(r.model.Pairs))]
		lo, hi, at, distance := r.approach(d, q, piece)
		groups += len(r.model.GroupPairs)
		for _, clearance := range []float64{0, distance + 1e-9, distance * d.Float64(), distance - d.Spread(1e-6, 1e-2)} {
			if !(clearance >= 0) || clearance > 10 {
				continue
			}
			s := &search{anyTouch: d.IntN(2) == 0}
			if !r.step(s, piece, lo, hi, clearance) {
				hits++
				if s.res.hit && s.res.touch.atStart {
					inside++
				} else if s.res.hit {
					if x := r.apart(&r.model.Pairs[s.res.touch.Pair], piece, s.res.hitAt, clearance+1); x > clearance+motion.DefaultTolerance+1e-9 {
						t.Errorf("case %d: a witness where the distance is %g, clearance %g", i, x, clearance)
					}
				}
				continue
			}
			for k := range r.model.Pairs {
				q := &r.model.Pairs[k]
				for _, s := range []float64{at, lo, hi, d.In(lo, hi), lo + (hi-lo)*(float64(d.IntN(lanes.Steps))+0.5)/lanes.Steps} {
					if r.isLeft(k, s) {
						in++
						continue
					}
					out++
					if r.model.Bodies[r.model.Elements[q.A].Body].Kind == motion.AttachedObject || r.model.Bodies[r.model.Elements[q.B].Body].Kind == motion.AttachedObject {
						held++
					}
					x := r.apart(q, piece, s, clearance+1e-3)
					if x > clearance-1e-11 || r.within(q, piece, s) && !r.isFree(clearance) {
						continue
					}
					t.Errorf("case %d: pair %d is said to be %g apart at %g in [%g, %g], but is %g", i, k, clearance, s, lo, hi, x)
				}
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d left out, %d of them of what is held, %d left in; %d contacts, %d of them inside; %d pairs of groups", out, held, in, hits, inside, groups)
	if out < 1000 || in < 1000 || held < 100 || groups < 100 || inside < 5 {
		t.Error("a poor test")
	}
}

// Verdicts with and without steps are the same.
func TestStepsChangeNoVerdict(t *testing.T) {
	count, stepped := map[motion.Status]int{}, 0
	for i := range rounds(watched(120)) {
		d := newDice(302, uint64(i))
		r := crowd(t, d)
		if r == nil {
			continue
		}
		fresh := d.IntN(3) > 0
		if fresh {
			r.dropTouching(r.Motion.Pieces[0].Start)
			if len(r.model.Pairs) == 0 {
				continue
			}
		}
		plain := withoutSteps(r.model)
		for _, asked := range []motion.Question{motion.IsFree, motion.FirstContact} {
			q := motion.Query{Question: asked, Clearance: d.In(0, 0.05) * float64(d.IntN(2)), NoSelf: d.IntN(8) == 0, NoWorld: d.IntN(8) == 0}
			v, want := r.check(q), plain.Check(context.Background(), r.bound, q)
			if count[v.Status]++; v.Status != want.Status || v.Status != motion.Contact && v.ProvenUntil != want.ProvenUntil {
				t.Errorf("case %d, question %d: %v until %g (%s), without steps %v until %g (%s)", i, asked, v.Status, v.ProvenUntil, v.Reason, want.Status, want.ProvenUntil, want.Reason)
			}
			if v.Work.Intervals != want.Work.Intervals {
				stepped++
			}
			if fresh && !q.NoSelf && !q.NoWorld && i%6 == 0 {
				r.hold(t, i, q, &v)
			}
		}
	}
	t.Logf("%v, %d of them otherwise than without steps", count, stepped)
	if count[motion.Free] < 15 || count[motion.Contact] < 15 || stepped < 25 {
		t.Error("a poor test")
	}
}

// graze is a motion of one second that comes closest at when, to within a distance that it is given.
type graze struct {
	robot func(distance, when float64) (*urdf.Robot, *scene.Snapshot)
	ctrl  func(when float64) [][]float64
}

// wall is an obstacle with a face at x.
func wall(d dice, x float64) scene.Object {
	switch d.IntN(3) {
	case 0:
		return robots.Object("wall", robots.Box(0.5, 2, 2), robots.At(x+0.25, 0, 0))
	case 1:
		half := geom.Vec{X: 0.25, Y: 1, Z: 1}
		return robots.Object("wall", robots.Mesh(meshes.Block(half), meshes.At(geom.Vec{X: 9}, meshes.Block(half))), robots.At(x+0.25, 0, 0))
	}
	return robots.Object("wall", robots.Ball(0.3), robots.At(x+0.3, 0, 0))
}

func passing(speed float64) func(when float64) []float64 {
	return func(when float64) []float64 { return []float64{-speed * when, speed * (1 - when)} }
}

// returning is a parabola of which 0 is the top.
func returning(bend float64) func(when float64) []float64 {
	return func(when float64) []float64 {
		return []float64{-bend * when * when, bend * when * (1 - when), -bend * (1 - when) * (1 - when)}
	}
}

// grazes are motions that bend, each toward what it passes.
func (d dice) grazes() map[string]graze {
	const radius = 0.03
	length, speed := d.In(0.1, 1), d.Spread(0.1, 8)
	arm := func(parent int, at geom.Pose) robots.Hinge {
		return robots.Hinge{Parent: parent, Kind: urdf.Continuous, Axis: ez, Origin: at, Parts: robots.Part(robots.At(length, 0, 0), robots.Ball(radius))}
	}
	here, own := robots.At(0, 0, 0), length+radius
	one := func(c func(float64) []float64) func(float64) [][]float64 {
		return func(when float64) [][]float64 { return [][]float64{c(when)} }
	}
	spin := []float64{d.In(-3, 3), d.In(-20, 20)}
	a, b := d.In(0.05, 0.4), d.In(0.05, 0.4)
	return map[string]graze{
		"a ball slides past": {
			func(distance, _ float64) (*urdf.Robot, *scene.Snapshot) {
				return robots.Of(nil, slide(here, ey, 0.1)), robots.World(wall(d, 0.1+distance))
			}, one(passing(speed)),
		},
		"a ball slides there and back": {
			func(distance, _ float64) (*urdf.Robot, *scene.Snapshot) {
				return robots.Of(nil, slide(here, ex, 0.1)), robots.World(wall(d, 0.1+distance))
			}, one(returning(speed)),
		},
		"an arm turns past": {
			func(distance, _ float64) (*urdf.Robot, *scene.Snapshot) {
				return robots.Of(nil, arm(0, here)), robots.World(wall(d, own+distance))
			}, one(passing(speed)),
		},
		"an arm of several shapes": {
			func(distance, _ float64) (*urdf.Robot, *scene.Snapshot) {
				h := arm(0, here)
				h.Parts = append(h.Parts, robots.Part(robots.At(0.5*length, 0, 0), robots.Ball(0.02))...)
				h.Parts = append(h.Parts, robots.Part(robots.At(-0.5*length, 0, 0), robots.Ball(0.02))...)
				return robots.Of(nil, h), robots.World(wall(d, own+distance))
			}, one(passing(speed)),
		},
		"an arm that holds something": {
			func(distance, _ float64) (*urdf.Robot, *scene.Snapshot) {
				h := arm(0, here)
				h.Parts = robots.Part(here, robots.Ball(0.01))
				o := robots.Object("held", robots.Ball(radius), robots.At(length, 0, 0))
				o.AttachedTo = robots.LinkName(1)
				return robots.Of(nil, h), robots.World(wall(d, own+distance), o)
			}, one(passing(speed)),
		},
		"past the root link": {
			func(distance, _ float64) (*urdf.Robot, *scene.Snapshot) {
				return robots.Of(robots.Part(robots.At(own+distance+0.2, 0, 0), robots.Ball(0.2)), arm(0, here)), robots.World()
			}, one(passing(speed)),
		},
		"past what the root link holds": {
			func(distance, _ float64) (*urdf.Robot, *scene.Snapshot) {
				o := robots.Object("held", robots.Ball(0.2), robots.At(own+distance+0.2, 0, 0))
				o.AttachedTo = robots.LinkName(0)
				return robots.Of(nil, arm(0, here)), robots.World(o)
			}, one(passing(speed)),
		},
		"an arm on a body that turns": {
			func(distance, _ float64) (*urdf.Robot, *scene.Snapshot) {
				base := robots.Hinge{Kind: urdf.Continuous, Axis: d.Unit(), Parts: robots.Part(robots.At(own+distance+0.2, 0, 0), robots.Ball(0.2))}
				return robots.Of(nil, base, arm(1, here)), robots.World()
			}, func(when float64) [][]float64 { return [][]float64{spin, passing(speed)(when)} },
		},
		"two arms meet": {
			func(distance, _ float64) (*urdf.Robot, *scene.Snapshot) {
				other := arm(0, geom.Pose{R: geom.AxisAngle(ez, math.Pi), P: geom.Vec{X: 2*own + distance}})
				return robots.Of(nil, arm(0, here), other), robots.World()
			}, func(when float64) [][]float64 { return [][]float64{passing(speed)(when), passing(-speed)(when)} },
		},
		"an arm follows another": {
			func(distance, when float64) (*urdf.Robot, *scene.Snapshot) {
				h := arm(0, here)
				h.Mimics, h.Mult = 1, 3
				h.Offset = -speed * when // the leader goes from 0 to speed/3, the arm three times as far
				lead := robots.Hinge{Kind: urdf.Prismatic, Axis: ez}
				return robots.Of(nil, lead, h), robots.World(wall(d, own+distance))
			}, func(float64) [][]float64 { return [][]float64{{0, speed / 3}} },
		},
		"an elbow": {
			func(distance, _ float64) (*urdf.Robot, *scene.Snapshot) {
				upper := robots.Hinge{Kind: urdf.Continuous, Axis: ez}
				return robots.Of(nil, upper, arm(1, robots.At(0.4, 0, 0))), robots.World(wall(d, 0.4+own+distance))
			}, func(when float64) [][]float64 { return [][]float64{passing(speed)(when), passing(0.7 * speed)(when)} },
		},
		"a corner of a box that turns": {
			func(distance, _ float64) (*urdf.Robot, *scene.Snapshot) {
				h := robots.Hinge{Kind: urdf.Continuous, Axis: ez, Origin: geom.Pose{R: geom.AxisAngle(ez, -math.Atan2(b, a))}, Parts: robots.Part(here, robots.Box(2*a, 2*b, 0.1))}
				return robots.Of(nil, h), robots.World(robots.Object("wall", robots.Box(0.5, 4, 4), robots.At(math.Hypot(a, b)+distance+0.25, 0, 0)))
			}, one(passing(math.Min(speed, 1.2))),
		},
	}
}

// Motions whose closest approach is between two of the times that are looked at, in the middle of a
// step of some interval: never free where that is too close, by however little.
func TestStepsSeeWhatGrazes(t *testing.T) {
	count := map[motion.Status]int{}
	for i := range rounds(watched(60)) {
		d := newDice(303, uint64(i))
		all := d.grazes()
		for _, name := range slices.Sorted(maps.Keys(all)) {
			g := all[name]
			when := (float64(d.IntN(lanes.Steps<<(i%3))) + 0.5) / float64(int(lanes.Steps)<<(i%3))
			clearance := [...]float64{0, 0.05}[d.IntN(2)]
			by := [...]float64{-1e-9, -1e-7, -1e-6, -1e-5, -1e-4, -1e-3, 1e-5, 1e-3}[d.IntN(8)]
			robot, world := g.robot(clearance+by, when)
			r := newRig(t, robot, world, 0, robots.Move(g.ctrl(when)...))
			for _, asked := range []motion.Question{motion.IsFree, motion.FirstContact} {
				v := r.check(motion.Query{Question: asked, Clearance: clearance})
				count[v.Status]++
				if by < 0 && v.Status == motion.Free || by > 0 && v.Status != motion.Free {
					t.Errorf("case %d, %s, closest at %g by %g less than a clearance of %g, question %d: %v (%s)", i, name, when, -by, clearance, asked, v.Status, v.Reason)
				}
			}
		}
	}
	if t.Log(count); count[motion.Free] < 50 || count[motion.Contact] < 50 {
		t.Error("a poor test")
	}
}

// What starts inside of a closed mesh is in contact, however far from its surface it stays; also if
// it is one of several shapes of a link, or an allowed pair hides none of it.
func TestStepsOfWhatIsInside(t *testing.T) {
	here := robots.At(0, 0, 0)
	house := func(half float64) scene.Object { // not convex
		return robots.Object("house", robots.Mesh(meshes.Cube(half), meshes.At(geom.Vec{X: 50}, meshes.Cube(1))), here)
	}
	ball := slide(here, ex, 0.1)
	several, all := ball, ball
	all.Parts = append(robots.Part(robots.At(0.5, 1, 0), robots.Ball(0.1)), ball.Parts...)
	several.Parts = append(robots.Part(robots.At(60, 0, 0), robots.Ball(0.1)), ball.Parts...)
	carried := robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: robots.Part(here, house(5).Shape)}
	held := robots.Object("held", robots.Ball(0.1), here)
	held.AttachedTo = robots.LinkName(1)
	empty := robots.Hinge{Kind: urdf.Prismatic, Axis: ex}
	for _, c := range []struct {
		name  string
		robot *urdf.Robot
		world *scene.Snapshot
		want  motion.Status
	}{
		{"a ball", robots.Of(nil, ball), robots.World(house(5)), motion.Contact},
		{"one of several shapes", robots.Of(nil, several), robots.World(house(5)), motion.Contact},
		{"all of several shapes", robots.Of(nil, all), robots.World(house(5)), motion.Contact},
		{"what is held", robots.Of(nil, empty), robots.World(house(5), held), motion.Contact},
		{"the world in the robot", robots.Of(nil, carried), robots.World(robots.Object("pea", robots.Ball(0.1), here)), motion.Contact},
		{"the robot in itself", robots.Of(robots.Part(here, robots.Ball(0.1)), carried), robots.World(), motion.Contact},
		{"outside", robots.Of(nil, ball), robots.World(robots.Object("house", robots.Mesh(meshes.At(geom.Vec{Y: 9}, meshes.Cube(5)), meshes.At(geom.Vec{X: 50}, meshes.Cube(1))), here)), motion.Free},
		{"the other part of the mesh", robots.Of(nil, slide(robots.At(50, 0, 0), ex, 0.1)), robots.World(house(5)), motion.Contact},
	} {
		r := newRig(t, c.robot, c.world, 0, robots.Move([]float64{0, 0.5}))
		for _, asked := range []motion.Question{motion.IsFree, motion.FirstContact} {
			v := r.check(motion.Query{Question: asked})
			if v.Status != c.want {
				t.Errorf("%s, question %d: %v (%s)", c.name, asked, v.Status, v.Reason)
			}
			if v.Status == motion.Contact && v.Contact.Time != 0 {
				t.Errorf("%s: at %g", c.name, v.Contact.Time)
			}
		}
	}
}

// An allowed pair does not collide, and hides no pair that is not allowed: of another shape of the
// link, of another object.
func TestStepsOfAllowedPairs(t *testing.T) {
	h := robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: append(robots.Part(robots.At(0, 0, 0), robots.Ball(0.1)), robots.Part(robots.At(0, 1, 0), robots.Ball(0.1))...)}
	rail := robots.Object("rail", robots.Box(3, 0.05, 0.05), robots.At(0, 0, 0))
	for _, c := range []struct {
		name string
		y    float64
		want motion.Status
	}{
		{"nothing else", 3, motion.Free},
		{"the other shape hits", 1.1, motion.Contact},
		{"what is on the rail is hit", 0.05, motion.Contact},
	} {
		world := robots.World(rail, robots.Object("post", robots.Box(0.02, 0.3, 0.3), robots.At(0.7, c.y, 0)))
		md, err := model.New(robots.Of(nil, h), world, nil, &model.Library{})
		if err != nil {
			t.Fatal(err)
		}
		md.PairUp(func(a, b *model.Body) string {
			if a.Name == "rail" || b.Name == "rail" {
				return "allowed"
			}
			return ""
		})
		r := &rig{Moving: twin.Moving{Robot: robots.Of(nil, h)}, world: world, model: md, w: NewWorker(md)}
		r.bind(t, robots.Move([]float64{0, 1}))
		for _, asked := range []motion.Question{motion.IsFree, motion.FirstContact} {
			if v := r.check(motion.Query{Question: asked}); v.Status != c.want {
				t.Errorf("%s, question %d: %v (%s)", c.name, asked, v.Status, v.Reason)
			}
		}
	}
}

// fused ends the worker's questions at the n-th look at the clock; blown tells whether it did.
func fused(w *Worker, n int) (blown *bool) {
	blown = new(bool)
	w.q.Others = func() bool {
		if n--; n < 0 {
			*blown, w.q.Reason = true, "cancelled"
		}
		return *blown
	}
	return blown
}

// A check that ends at any point says that it did, and what it has kept proves no more later.
func TestStepsThatEndEarly(t *testing.T) {
	ended, finished := 0, 0
	for i := range rounds(watched(40)) {
		d := newDice(304, uint64(i))
		r := crowd(t, d)
		if r == nil {
			continue
		}
		r.dropTouching(r.Motion.Pieces[0].Start)
		want := withoutSteps(r.model).Check(context.Background(), r.bound, motion.Query{Question: motion.IsFree})
		for n := range 40 {
			for _, asked := range []motion.Question{motion.IsFree, motion.FirstContact} {
				w := NewWorker(r.model)
				blown := fused(w, n)
				v := w.Check(context.Background(), r.bound, motion.Query{Question: asked})
				if *blown {
					ended++
				} else {
					finished++
				}
				if *blown && v.Status == motion.Free || v.Status == motion.Free && want.Status == motion.Contact {
					t.Errorf("case %d, question %d, ended at look %d: %v until %g, otherwise %v", i, asked, n, v.Status, v.ProvenUntil, want.Status)
				}
				end := v.ProvenUntil
				for k := range 8 {
					at := r.Motion.Pieces[0].Start + (end-r.Motion.Pieces[0].Start)*(float64(k)+0.5)/8
					if end > r.Motion.Pieces[0].Start && v.Status == motion.Undecided && r.nearest(at, 0.1) <= 0 {
						t.Errorf("case %d, question %d, ended at look %d: proven until %g, contact at %g", i, asked, n, end, at)
					}
				}
			}
			w, f := NewWorker(r.model), &Fronts{}
			blown := fused(w, n)
			first := w.CheckOn(context.Background(), r.bound, motion.Query{}, f)
			if *blown && first.Status == motion.Free {
				t.Errorf("case %d, on a front, ended at look %d: free", i, n)
			}
			w.q.Others = nil
			for range 2 {
				if v := w.CheckOn(context.Background(), r.bound, motion.Query{}, f); v.Status != want.Status {
					t.Errorf("case %d, gone on after look %d: %v, want %v", i, n, v.Status, want.Status)
				}
			}
			if !*blown {
				break
			}
		}
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		for _, budget := range []time.Duration{0, time.Nanosecond, time.Microsecond} {
			ctx := context.Background()
			if budget == 0 {
				ctx = gone
			}
			v := r.w.Check(ctx, r.bound, motion.Query{Question: motion.IsFree, Budget: budget})
			if budget <= time.Nanosecond && v.Status != motion.Undecided || v.Status == motion.Undecided && !strings.Contains(v.Reason, "cancelled") && !strings.Contains(v.Reason, "budget") {
				t.Errorf("case %d, budget %v: %v (%s)", i, budget, v.Status, v.Reason)
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	if t.Logf("%d ended early, %d did not", ended, finished); ended < 50 || finished < 10 {
		t.Error("a poor test")
	}
}

// Where paths bend too much nothing is tried: both halves stand in for the interval.
func TestStepsHalveWhatBends(t *testing.T) {
	h := robots.Hinge{Kind: urdf.Continuous, Axis: ez, Parts: robots.Part(robots.At(2, 0, 0), robots.Ball(0.1))}
	r := newRig(t, robots.Of(nil, h), robots.World(robots.Object("far", robots.Ball(0.1), robots.At(90, 0, 0))), 0, robots.Move([]float64{0, 100}))
	s := &search{}
	r.step(s, 0, 0, 1, 0)
	runs := r.w.stepped.runs
	if len(runs) != 2 || runs[0].lo != 0 || runs[0].hi != 0.5 || runs[1].lo != 0.5 || runs[1].hi != 1 || runs[0].last-runs[0].first != 1 {
		t.Errorf("runs %+v", runs)
	}
	if v := r.check(motion.Query{Question: motion.IsFree}); v.Status != motion.Free {
		t.Errorf("%v (%s)", v.Status, v.Reason)
	}
}

// With joints that may deviate no steps are tried at once, and what only deviates into contact is not
// free.
func TestNoStepsWithTubes(t *testing.T) {
	d := newDice(305, 0)
	g := d.grazes()["a ball slides there and back"]
	robot, world := g.robot(0.01, 0.5)
	r := newRig(t, robot, world, 0, robots.Move(g.ctrl(0.5)...))
	for _, asked := range []motion.Question{motion.IsFree, motion.FirstContact} {
		for tube, want := range map[float64]bool{0.005: true, 0.02: false} {
			q := motion.Query{Question: asked, Tube: map[string]float64{robots.JointName(0): tube}}
			if v := r.check(q); (v.Status == motion.Free) != want {
				t.Errorf("question %d, tube %g: %v (%s)", asked, tube, v.Status, v.Reason)
			}
		}
	}
}

// Whether float32 will do is asked of each piece.
func TestStepsOfPiecesThatAreTooLarge(t *testing.T) {
	r := newRig(t, robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1)), robots.World(robots.Object("post", robots.Ball(0.1), robots.At(0, 1, 0))), 0, robots.Move([]float64{0, 1}))
	r.bindAnySize(t, through(0, 1, 1e12, 1, 0))
	for piece, want := range []bool{true, false, false, true} {
		r.place(piece, 0, 0, 0)
		if got := (&search{w: r.w}).worthSteps(&pendingInterval{hi: 1}); got != want {
			t.Errorf("piece %d: %v", piece, got)
		}
	}
}

// bush is n small triangles in a flat box along z.
func bush(d dice, n int) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range int32(n) {
		at := geom.Vec{X: d.In(-0.05, 0.05), Y: d.In(-0.3, 0.3), Z: d.In(-3.5, 3.5)}
		m.Vertices = append(m.Vertices, at, r3.Add(at, geom.Vec{Y: 0.05}), r3.Add(at, geom.Vec{Z: 0.05}))
		m.Triangles = append(m.Triangles, [3]int32{3 * i, 3*i + 1, 3*i + 2})
	}
	return m
}

// A yes or no leaves steps undone where a link comes near to much; what it meets in them is found all the
// same. Here rings go along a hedge, pass over twigs that fit through them, and meet a wall.
func TestStepsLeftUndoneAreDone(t *testing.T) {
	undone, grouped := 0, 0
	for i := range rounds(watched(120)) {
		d := newDice(304, uint64(i))
		twigs := meshes.Shards(d.Dice.Dice.Dice, 20, geom.Vec{X: 0.02, Y: 0.02, Z: d.In(0.3, 0.9)})
		rings := robots.Part(robots.At(0, 0, 0), robots.Mesh(meshes.Ring(0.3)))
		if i%2 == 1 { // a link of several shapes is a group
			rings = append(rings, robots.Part(robots.At(0, 0, -0.2), robots.Mesh(meshes.Ring(0.2)))[0])
		}
		near, more, far := d.In(0.5, 6.5), d.In(0.5, 6.5), d.In(0.5, 6.5)
		hedge := robots.Object("hedge", robots.Mesh(bush(d, 100)), robots.At(0.4, 0, 3.5))
		world := robots.World(robots.Object("twigs", robots.Mesh(twigs), robots.At(0, 0, near)), robots.Object("more", robots.Mesh(twigs), robots.At(0, 0, more)), hedge)
		hinges := []robots.Hinge{{Kind: urdf.Prismatic, Axis: ez, Parts: rings}}
		if i%4 == 3 { // another link fails in all steps, before that one or after it
			world.Objects = append(world.Objects, robots.Object("pole", robots.Box(0.02, 0.02, 20), robots.At(9, 0, 0)))
			pole := robots.Hinge{Kind: urdf.Prismatic, Axis: ez, Origin: robots.At(9, 0, 0), Parts: rings[:1]}
			hinges = slices.Insert(hinges, i/4%2, pole)
		}
		ctrl := slices.Repeat([][]float64{{0, 7}}, len(hinges))
		if i%3 > 0 {
			world.Objects = append(world.Objects, robots.Object("wall", robots.Box(0.2, 0.05, 0.05), robots.At(0.25, 0, far)))
		}
		r := newRig(t, robots.Of(nil, hinges...), world, 0, robots.Move(ctrl...))
		for e := range r.model.Elements {
			if r.model.Elements[e].Members != nil {
				grouped++
			}
		}
		r.w.stepped.patience = math.MaxInt / 2
		patient := r.check(motion.Query{Question: motion.IsFree})
		r.w.stepped.patience = 0
		v := r.check(motion.Query{Question: motion.IsFree})
		if v.Work != patient.Work {
			undone++
		}
		if want := map[bool]motion.Status{true: motion.Contact, false: motion.Free}[i%3 > 0]; v.Status != want {
			t.Errorf("case %d, twigs at %g, a wall at %g: %v (%s)", i, near, far, v.Status, v.Reason)
		}
	}
	if t.Logf("%d left steps undone, %d groups", undone, grouped); undone < 30 || grouped == 0 {
		t.Error("a poor test")
	}
}

// A yes or no looks at the outer half of the links, then at a group and its members, and not at the inner
// links once one of those is in contact. Nor at the group where the outer half is.
func TestStepsOfOuterLinksComeFirst(t *testing.T) {
	ball := robots.Part(robots.At(0, 0, 0), robots.Ball(0.1))
	hand := slices.Concat(ball, robots.Part(robots.At(0, 1, 0), robots.Ball(0.1)))
	robot := robots.Of(nil,
		robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Parts: ball},
		robots.Hinge{Parent: 1, Kind: urdf.Prismatic, Axis: ez, Origin: robots.At(0, 0, 1), Parts: ball},
		robots.Hinge{Parent: 2, Kind: urdf.Prismatic, Axis: ez, Origin: robots.At(0, 0, 1), Parts: ball},
		robots.Hinge{Parent: 3, Kind: urdf.Prismatic, Axis: ez, Origin: robots.At(0, 0, 1), Parts: ball},
		robots.Hinge{Parent: 4, Kind: urdf.Prismatic, Axis: ez, Origin: robots.At(0, 0, 1), Parts: hand},
	)
	for _, c := range []struct {
		bar  geom.Pose
		want map[string]bool // what is tried
	}{
		{robots.At(0.5, 0, 3), map[string]bool{"group": false, "l4": true, "l3": false, "l2": false, "l1": false}},
		{robots.At(0.5, 1, 4), map[string]bool{"group": true, "l5": true, "l4": true, "l3": true, "l2": false, "l1": false}},
	} {
		world := robots.World(robots.Object("bar", robots.Box(0.6, 0.1, 0.1), c.bar))
		r := newRig(t, robot, world, 0, robots.Move([]float64{0, 1}, []float64{0}, []float64{0}, []float64{0}, []float64{0}))
		if v := r.check(motion.Query{Question: motion.IsFree}); v.Status != motion.Contact {
			t.Fatalf("a bar at %v: %v (%s)", c.bar.P, v.Status, v.Reason)
		}
		tried := map[string]bool{}
		for _, l := range r.w.stepped.list {
			if l.e.pair < 0 {
				e := &r.model.Elements[^l.e.pair]
				name := "group"
				if e.Members == nil {
					name = r.model.Bodies[e.Body].Name
				}
				tried[name] = tried[name] || l.todo == 0
			}
		}
		if !maps.Equal(tried, c.want) {
			t.Errorf("a bar at %v: tried were %v, not %v", c.bar.P, tried, c.want)
		}
	}
}
