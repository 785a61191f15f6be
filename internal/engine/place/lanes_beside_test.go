package place_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
)

// float32u is the largest relative error of a float32 operation.
const float32u = 0x1p-24

// besideTrial is a pair one of whose elements, own, is in the frame where their chains part. Seen from
// there it does not move.
type besideTrial struct {
	*laneTrial
	q          *model.Pair
	own, other int
	link       int         // whose frame does not move as seen from the base
	normals    [6]geom.Vec // in that link's frame: of the sides of own's box, outward
}

// beside returns some pairs that Beside can say something of, no more than n.
func (tr *laneTrial) beside(n int) (some []*besideTrial) {
	for i := range len(tr.model.Pairs) + len(tr.model.GroupPairs) {
		q := tr.at.PairOf(int32(i))
		if tr.d.IntN(2) == 0 {
			swapped := *q
			swapped.A, swapped.B = q.B, q.A
			q = &swapped
		}
		b := &besideTrial{laneTrial: tr, q: q, own: q.A, other: q.B}
		if q.Base != tr.model.Elements[q.A].Frame {
			b.own, b.other = q.B, q.A
		}
		_, movesA := tr.lanes.Row(q.A)
		_, movesB := tr.lanes.Row(q.B)
		if q.Base != tr.model.Elements[b.own].Frame || !movesA || !movesB {
			if steps := tr.lanes.Beside(q, 0); steps != 0 {
				panic("no element of the pair is in the base")
			}
			continue
		}
		b.link = twin.Parting(tr.Robot, tr.linkOf(q.A), tr.linkOf(q.B))
		some = append(some, b)
	}
	tr.d.Shuffle(len(some), func(i, k int) { some[i], some[k] = some[k], some[i] })
	return some[:min(n, len(some))]
}

// base is the base's pose at a time, turned as lanes turn it.
func (b *besideTrial) base(frame int, s float64) geom.Pose {
	b.at.Place(s, s, s)
	b.at.State.Ensure(frame)
	return b.at.State.PoseWF[frame].Mul(geom.Pose{R: b.lanes.TurnOf(frame)})
}

// look finds the normals.
func (b *besideTrial) look() {
	s := (b.lo + b.hi) / 2
	base, link := b.base(b.q.Base, s), b.pose(b.link, b.when(s))
	for i, axis := range axes {
		b.normals[i] = link.R.ApplyInv(base.R.Apply(axis))
	}
}

// gap is that along one of the normals at a time.
func (b *besideTrial) gap(normal int, s float64) float64 {
	n := b.pose(b.link, b.when(s)).R.Apply(b.normals[normal])
	return -b.highest(n, b.own, s) - b.highest(r3.Scale(-1, n), b.other, s)
}

// boxed is an element's box as lanes have it, its corners' radius, and how far they are from the frame's origin.
func (b *besideTrial) boxed(element int) (center, half geom.Vec, radius, rho float64) {
	e := &b.model.Elements[element]
	points, radius := e.Outline()
	box := geom.EmptyBox()
	for _, p := range points {
		box = box.Extend(b.lanes.TurnOf(e.Frame).ApplyInv(p))
	}
	return box.Center(), box.Half(), radius, geom.Norm(box.Center()) + geom.Norm(box.Half())
}

// boxGaps are the gaps of the boxes along the normals at a time of the lanes.
func (b *besideTrial) boxGaps(time int) (gaps [6]float64) {
	ownCenter, ownHalf, ownRadius, _ := b.boxed(b.own)
	center, half, radius, _ := b.boxed(b.other)
	f := b.model.Elements[b.other].Frame
	there := b.base(f, b.lanes.Times[time])
	base := b.base(b.q.Base, b.lanes.Times[time])
	there = base.Inv().Mul(there)
	c := r3.Sub(there.Apply(center), ownCenter)
	for i, axis := range axes {
		local := there.R.ApplyInv(axis)
		reach := half.X*math.Abs(local.X) + half.Y*math.Abs(local.Y) + half.Z*math.Abs(local.Z)
		gaps[i] = r3.Dot(axis, c) - reach - math.Abs(r3.Dot(axis, ownHalf)) - radius - ownRadius
	}
	return gaps
}

// wantBeside fails where Beside says otherwise than the gaps of the boxes at the times less what it must
// take off them: the bend, the errors of both, that of the base's turn, and what products of float32 round.
// Those errors are bounds, of which chance uses up a small part.
func (b *besideTrial) wantBeside(t *testing.T) {
	t.Helper()
	_, _, radiusA, rhoA := b.boxed(b.own)
	_, _, radiusB, rhoB := b.boxed(b.other)
	rot, _, far := b.lanes.ErrOf(b.q.Base)
	_, _, away := b.lanes.ErrOf(b.model.Elements[b.other].Frame)
	far += rhoA + away + rhoB
	bend := b.lanes.BendFrom(b.other, b.q.Parting)
	errs := b.lanes.SlackOf(b.own) + b.lanes.SlackOf(b.other) + rot*far
	before := b.boxGaps(0)
	for k := range lanes.Steps {
		after := b.boxGaps(k + 1)
		least := math.Inf(-1)
		for i := range axes {
			least = math.Max(least, math.Min(before[i], after[i]))
		}
		before = after
		if clearance := least - bend - 0.8*errs - 48*float32u*far; clearance >= 0 && b.lanes.Beside(b.q, clearance)>>k&1 == 1 {
			t.Errorf("elements %d and %d, step %d of [%g, %g]: boxes %g apart, bend %g, errors %g: not apart by %g", b.own, b.other, k, b.lo, b.hi, least, bend, errs, clearance)
		}
		radii := radiusA + radiusB
		certain := (least+radii-0.2*errs-16*float32u*far)/(1+0x1p-19+2*rot) - radii - bend - errs - 64*float32u*far
		if certain >= 0 && b.lanes.Beside(b.q, certain)>>k&1 == 0 {
			t.Errorf("elements %d and %d, step %d of [%g, %g]: boxes %g apart, bend %g, errors %g: apart by %g", b.own, b.other, k, b.lo, b.hi, least, bend, errs, certain)
		}
	}
}

// widest is the largest gap along a normal that is there at all the times.
func (b *besideTrial) widest(times []float64) float64 {
	widest := math.Inf(-1)
	for i := range axes {
		least := math.Inf(1)
		for _, s := range times {
			least = math.Min(least, b.gap(i, s))
		}
		widest = math.Max(widest, least)
	}
	return widest
}

// alongside chooses a normal along which there is a gap at some time, if there is one.
func (b *besideTrial) alongside() (normal int) {
	s := b.d.Float64()
	for i := range axes {
		if b.gap(i, s) > b.gap(normal, s) {
			normal = i
		}
	}
	return normal
}

// besideCount is what Beside said of steps.
type besideCount struct {
	apart, not    int
	first, second int // own among the apart: A or B
	root, carried int // the base among the apart
	used          float64
}

// ask asks whether a pair is apart by a clearance and fails where that is said of one of the steps whose widest
// gaps are given, and they are smaller.
func (b *besideTrial) ask(t *testing.T, clearance float64, widest map[int]float64, n *besideCount) {
	t.Helper()
	steps := b.lanes.Beside(b.q, clearance)
	swapped := *b.q
	swapped.A, swapped.B = b.q.B, b.q.A
	if other := b.lanes.Beside(&swapped, clearance); other != steps {
		t.Errorf("elements %d and %d: %08b, but %08b the other way about", b.q.A, b.q.B, steps, other)
	}
	for k, gap := range widest {
		if steps>>k&1 == 0 {
			n.not++
			continue
		}
		n.count(b)
		if !(gap > clearance-b.rounded*(1+geom.Norm(b.model.Elements[b.own].PoseFE.P))) {
			t.Errorf("elements %d and %d, step %d of [%g, %g]: said to be %g apart, but they are %g (%g less, bend %g)",
				b.own, b.other, k, b.lo, b.hi, clearance, gap, clearance-gap, b.bend())
		}
	}
}

func (n *besideCount) count(b *besideTrial) {
	n.apart++
	if b.own == b.q.A {
		n.first++
	} else {
		n.second++
	}
	if b.q.Parting == 0 {
		n.root++
	} else {
		n.carried++
	}
}

// bend is that of the other, seen from own.
func (b *besideTrial) bend() float64 { return b.lanes.BendFrom(b.other, b.q.Parting) }

// Steps in which boxes part a pair, seen from the body where their chains part, are those in which the elements
// are apart, along one of that body's axes and by the clearance.
func TestBesideStepsStayApart(t *testing.T) {
	var n besideCount
	laneTrials(t, 66, 480, func(tr *laneTrial) {
		tr.any()
		tr.lay(0)
		for _, b := range tr.beside(3) {
			b.look()
			normal := b.alongside()
			peak, step, aimed := tr.aim(func(s float64) float64 { return -b.gap(normal, s) })
			tr.demand() // the world's error is none of Beside's
			tr.lay(tr.d.Float64())
			b.wantBeside(t)
			least, bend := b.gap(normal, peak), b.bend()
			margin := bend + tr.lanes.SlackOf(b.own) + tr.lanes.SlackOf(b.other)
			another := tr.d.IntN(lanes.Steps)
			widest := map[int]float64{another: b.widest(tr.inStep(another)), step: b.widest(append(tr.inStep(step), peak))}
			for _, clearance := range []float64{
				least + 1e-9, least + 1e-8, least - tr.d.Float64()*margin, least - margin, least - 2*margin,
				least * tr.d.Float64(), 0, least + tr.d.Float64()*bend, tr.d.Float64(),
			} {
				if clearance >= 0 {
					b.ask(t, clearance, widest, &n)
				}
			}
			if aimed && bend > 1e-6 && least > 0 {
				from, to := b.gap(normal, tr.lanes.Times[step]), b.gap(normal, tr.lanes.Times[step+1])
				n.used = math.Max(n.used, (math.Min(from, to)-least)/bend)
			}
		}
	})
	if t.Logf("%+v", n); n.used < 0.8 || min(n.apart, n.not) < 500 || min(n.first, n.second, n.root, n.carried) < 200 {
		t.Error("a poor test")
	}
}

// farTrials calls f with robots in worlds that reach far.
func farTrials(t *testing.T, seed uint64, n int, f func(tr *laneTrial)) {
	t.Helper()
	for i := range switches.Long.Times(n, 50) {
		tr := &laneTrial{d: robots.NewDice(seed, uint64(i))}
		r, m := tr.anyRobot()
		far := robots.Object("far", robots.Ball(tr.d.Spread(1e-3, 1)), geom.Translation(r3.Scale(tr.d.Spread(1, 1e6), tr.d.Unit())))
		tr.world.Objects = append(tr.world.Objects, far)
		tr.begin(t, r, m)
		f(tr)
		if t.Failed() {
			t.Fatalf("trial %d", i)
		}
	}
}

// bordering draws eight boxes of float32 numbers, up to far from the origin. Their nearest corners to a
// half-space, which it returns, are about where n.x is top, or beyond that.
func bordering(d robots.Dice, n geom.Vec, top, far float64) (nearest [8]geom.Vec, lo, hi lanes.Eight) {
	for j := range nearest {
		along, _ := geom.Unit(r3.Cross(n, d.Unit()))
		size := (top + far*d.Spread(1e-9, 0.3)*float64(d.IntN(2))) / r3.Dot(n, n)
		at := r3.Add(r3.Scale(size, n), r3.Scale(far*d.In(0.3, 0.8), along))
		for a, to := range []*float64{&at.X, &at.Y, &at.Z} {
			x, more := float32(*to), float32(far*d.Spread(1e-3, 1))*float32(d.IntN(2))
			if lo[a][j], hi[a][j] = x, x+more; []float64{n.X, n.Y, n.Z}[a] < 0 {
				lo[a][j], hi[a][j] = x-more, x
			}
			*to = float64(x)
		}
		nearest[j] = at
	}
	return nearest, lo, hi
}

// borders are a half-space that contains an element in a step with clearance and error, which reach to top along it.
type borders struct {
	*laneTrial
	element, step int
	half          []lanes.HalfSpace
	n             geom.Vec
	top           float64
}

func (tr *laneTrial) borders(element int) *borders {
	b := &borders{laneTrial: tr, element: element, step: tr.d.IntN(lanes.Steps), half: make([]lanes.HalfSpace, 1)}
	tr.any()
	clearance, err := tr.demand()
	tr.lay(0)
	tr.lanes.Plane(element, tr.d.Unit(), clearance, &b.half[0])
	b.n = geom.Vec{X: float64(b.half[0].N[0]), Y: float64(b.half[0].N[1]), Z: float64(b.half[0].N[2])}
	from, to := tr.highest(b.n, element, tr.lanes.Times[b.step]), tr.highest(b.n, element, tr.lanes.Times[b.step+1])
	b.top = math.Max(from, to) + clearance*geom.Norm(b.n) + err
	return b
}

// unknown is more than by how much a half-space reaches beyond top: the outlines of round shapes and groups
// are larger than they are.
func (b *borders) unknown(far float64) float64 {
	return b.lanes.BendFrom(b.element, 0) + 2*b.lanes.SlackOf(b.element) + 2*b.model.Elements[b.element].Radius + 16*float32u*(far+math.Abs(b.top))
}

// beyondCount is what was said of boxes, and how much of the error of an inner product was used up.
type beyondCount struct {
	beyond, not int
	used        float64
}

// try asks which of eight boxes are beyond.
func (b *borders) try(t *testing.T, far float64, n *beyondCount) {
	t.Helper()
	nearest, lo, hi := bordering(b.d, b.n, b.top, far)
	var out [8]uint8
	lanes.Beyond(b.half, &lo, &hi, &out)
	for j, x := range nearest {
		least := exact.VecOf(b.n).Dot(exact.VecOf(x)).Float()
		beyond := out[j]>>b.step&1 == 1
		switch {
		case beyond && least <= b.top-b.rounded*(1+math.Abs(b.top)):
			t.Errorf("element %d, step %d of [%g, %g]: %g is said to be beyond %g, %g from the origin", b.element, b.step, b.lo, b.hi, least, b.top, far)
		case !beyond && least > b.top+b.unknown(far):
			t.Errorf("element %d, step %d of [%g, %g]: %g is not said to be beyond %g, %g from the origin", b.element, b.step, b.lo, b.hi, least, b.top, far)
		case beyond:
			n.beyond++
		default:
			n.not++
		}
		sum := float32(float32(b.n.X)*float32(x.X)) + float32(float32(b.n.Y)*float32(x.Y)) + float32(float32(b.n.Z)*float32(x.Z))
		n.used = math.Max(n.used, (float64(sum)-least)/(8*float32u*far))
	}
}

// A box that is not beyond a half-space is not said to be, however far from the origin, where float32 does not
// tell them apart.
func TestPlanesOfFarWorlds(t *testing.T) {
	var n beyondCount
	farTrials(t, 67, 240, func(tr *laneTrial) {
		far := tr.model.World.Far()
		for i := range tr.model.Elements {
			if _, ok := tr.lanes.Row(i); !ok {
				continue
			}
			b := tr.borders(i)
			// Three products and their sums are rounded, each number three times at most.
			if reach := float64(b.half[0].Reach[b.step]); reach < b.top+3*float32u*far-tr.rounded*(1+math.Abs(b.top)) {
				t.Errorf("element %d, step %d of [%g, %g]: a reach of %g, %g is in it, in a world of %g", i, b.step, tr.lo, tr.hi, reach, b.top, far)
			}
			if math.Abs(b.top) < 0.3*far {
				for range 20 {
					b.try(t, far, &n)
				}
			}
		}
	})
	if t.Logf("%+v", n); n.used < 0.08 || min(n.beyond, n.not) < 1000 {
		t.Error("a poor test")
	}
}

// A number is rounded upward, the smallest too.
func TestAbove(t *testing.T) {
	for i := range 10000 {
		d := robots.NewDice(69, uint64(i))
		x := d.In(-1, 1) * d.Spread(1e-46, 1e30)
		if got := float64(place.Above(x)); got < x || got > x+4*float32u*math.Abs(x)+0x1p-139 {
			t.Fatalf("%g becomes %g", x, got)
		}
	}
}
