package distance

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// nowhere is the part of an element of which none was the closest.
const nowhere = int32(-2)

// around searches the world's tree for one element, beginning with what was closest to
// it in the query before.
func (r *ranking) around(element int) {
	s := &r.reach
	s.of(r)
	known := s.remembers(element)
	s.begin(element)
	if known {
		s.item(s.memo[element].item - 1)
	}
	s.search()
	s.end()
}

// world searches the world's tree for every element that it is asked about, those
// first that were closest in the query before.
func (r *ranking) world() {
	if len(r.s.against) == 0 {
		return
	}
	s := &r.reach
	s.of(r)
	for _, e := range r.s.against {
		if s.remembers(int(e)) && !r.out.Stopped {
			s.repeat(int(e))
		}
	}
	for _, e := range r.s.against {
		if r.out.Stopped || r.w.q.Reason != "" {
			s.unsearched(int(e))
			continue
		}
		s.begin(int(e))
		s.search()
		s.end()
	}
}

// of makes the search one for a ranking.
func (s *worldSearch) of(r *ranking) {
	s.r = r
	if len(s.memo) != len(r.w.m.Elements) {
		s.memo = make([]memory, len(r.w.m.Elements))
	}
}

// remembers reports whether it is known what was closest to an element before. What may
// have no effect on this answer it forgets.
func (s *worldSearch) remembers(element int) bool {
	m := &s.memo[element]
	if m.asked < s.r.w.warmSince {
		*m = memory{}
	}
	return m.item != 0
}

// repeat looks at what was closest to an element.
func (s *worldSearch) repeat(element int) {
	s.begin(element)
	s.item(s.memo[element].item - 1)
	s.end()
}

func (s *worldSearch) begin(element int) {
	w := s.r.w
	s.element, s.e, s.at = element, &w.m.Elements[element], w.at.Element(element)
	s.attached = w.m.Bodies[s.e.Body].Kind == motion.AttachedObject && !s.r.s.onlyClosest
	s.hull, s.slack = w.hullOf(element), s.at.Slack+w.m.World.Err
	s.count, s.next = 0, 0
	m := &s.memo[element]
	for i := range m.count {
		s.plane(m.planes[i])
	}
}

func (s *worldSearch) end() {
	m := &s.memo[s.element]
	m.asked, m.count = s.r.w.q.Number, s.count
	for i := range s.count {
		m.planes[i] = s.planes[i].n
	}
}

// plane notes a direction of W, of unit length, and how far the element reaches
// along it; of too many the oldest is forgotten.
func (s *worldSearch) plane(n geom.Vec) *plane {
	p := &s.planes[s.next]
	*p = plane{n: n, reach: s.hull.SupportValue(s.at.Pose.R.TurnBack(n)) + r3.Dot(n, s.at.Pose.P) + s.hull.Radius}
	s.next = (s.next + 1) % planesKept
	s.count = min(s.count+1, planesKept)
	return p
}

// search goes through the world's tree.
func (s *worldSearch) search() {
	r, w := s.r, s.r.w
	if w.m.World.Encloses && !r.s.onlyClosest && !s.outside() {
		return
	}
	s.spots = append(s.spots[:0], queued{0, 0})
	for len(s.spots) > 0 && !r.out.Stopped && !w.q.Out() {
		top := s.spots[len(s.spots)-1]
		s.spots = s.spots[:len(s.spots)-1]
		enough := s.enough()
		switch {
		case top.lower >= enough:
			s.leave(top.lower)
		case top.at < 0:
			s.item(^top.at)
		default:
			s.open(&w.m.World.Tree.Nodes[top.at], enough)
		}
	}
	for _, left := range s.spots { // none, unless it was stopped
		s.leave(left.lower)
	}
}

// leave notes that everything left out is at least lower away.
func (s *worldSearch) leave(lower float64) {
	r := s.r
	lower = max(lower, 0)
	r.left = min(r.left, lower)
	r.out.World.Lo = min(r.out.World.Lo, lower)
	if s.attached {
		r.out.Attached.Lo = min(r.out.Attached.Lo, lower)
	}
}

// unsearched notes that nothing is known of an element's distance to the world.
func (s *worldSearch) unsearched(element int) {
	w := s.r.w
	s.attached = w.m.Bodies[w.m.Elements[element].Body].Kind == motion.AttachedObject
	s.leave(0)
}

// enough is the lower bound from which on nothing that is still unseen matters.
func (s *worldSearch) enough() float64 {
	r := s.r
	matters := max(r.out.World.Hi, r.worstKept())
	if s.attached {
		matters = max(matters, r.out.Attached.Hi)
	}
	return min(r.s.far, max(r.less(matters), r.s.least))
}

// open pushes the children of a node that matter, the nearest on top.
func (s *worldSearch) open(n *bvh.WideNode, enough float64) {
	first := len(s.spots)
	c, radius := s.at.Center, s.e.Radius+s.slack
	reach := enough + radius
	for i := range int(n.Count) {
		d := squareToChild(c, n, i)
		if d >= reach*reach*(1+16*u) && reach >= 0 {
			s.leave(math.Sqrt(d)*(1-8*u) - radius)
			continue
		}
		lower := math.Sqrt(d)*(1-8*u) - radius
		if s.count > 0 && n.Items > 1 {
			lower = max(lower, s.beyond(n, i))
		}
		if lower >= enough {
			s.leave(lower)
			continue
		}
		s.spots = insert(s.spots, first, queued{n.Child[i], lower})
	}
}

// beyond bounds the distance of a child's box along the planes.
func (s *worldSearch) beyond(n *bvh.WideNode, child int) float64 {
	center, half := n.ChildBox(child)
	lower := math.Inf(-1)
	for i := range s.count {
		p := &s.planes[i]
		gap := r3.Dot(center, p.n) - half.X*abs(p.n.X) - half.Y*abs(p.n.Y) - half.Z*abs(p.n.Z) - p.reach
		lower = max(lower, gap*(1-8*u)-s.slack)
	}
	return lower
}

// squareToChild is the squared distance of a point to a child's box.
func squareToChild(x geom.Vec, n *bvh.WideNode, i int) float64 {
	dx := outside(x.X, float64(n.Lo[0][i]), float64(n.Hi[0][i]))
	dy := outside(x.Y, float64(n.Lo[1][i]), float64(n.Hi[1][i]))
	dz := outside(x.Z, float64(n.Lo[2][i]), float64(n.Hi[2][i]))
	return dx*dx + dy*dy + dz*dz
}

// target is an item that an element is held against.
type target struct {
	index  int32
	it     *model.Item
	of     *scoped
	pair   int32
	limit  float64 // nothing farther apart matters
	best   engine.PairTouch
	lowest float64
	part   int32    // of the element, where best is
	dir    geom.Vec // a guess
}

// item measures the element's distance to an item, as far as it matters.
func (s *worldSearch) item(index int32) {
	r, w := s.r, s.r.w
	it := &w.m.World.Items[index]
	pair := w.m.Against[s.element][it.Element-w.m.First]
	if pair < 0 {
		return
	}
	of := &r.s.of[pair]
	if of.slot < 0 {
		return
	}
	t := target{index: index, it: it, of: of, pair: pair, part: volume.Whole, lowest: math.Inf(1), best: engine.PairTouch{Pair: pair, Touch: engine.Touch{Distance: math.Inf(1)}}}
	t.limit = r.matters(of)
	if at := r.place[of.slot]; at >= 0 {
		t.limit = min(t.limit, r.kept[at].touch.Distance)
	}
	t.limit = min(of.max, max(r.less(t.limit), of.min))
	s.measure(&t)
	r.leave(of, t.lowest)
	if math.IsInf(t.best.Distance, 1) {
		return
	}
	near := t.best.Distance < t.limit
	if w.m.Pairs[pair].A != s.element {
		t.best.A, t.best.B, t.best.Normal = t.best.B, t.best.A, r3.Scale(-1, t.best.Normal)
	}
	r.note(of, t.best) // also what is not near: bounds are as far apart as allowed from the best that is known
	if near {
		s.memo[s.element].item, s.memo[s.element].part = index+1, t.part
	}
}

// measure bounds the distance to an item: by the element's ball, by its hull, and
// where that does not settle it by its parts.
func (s *worldSearch) measure(t *target) {
	w := s.r.w
	if lower := s.nearItem(t); lower >= t.limit {
		t.lowest = lower
		return
	}
	for i := range s.count {
		p := &s.planes[i]
		if lower := (volume.ItemLeast(w.m, t.it, p.n)-p.reach)*(1-8*u) - s.slack; lower >= t.limit {
			t.lowest = lower
			return
		}
	}
	core, pose := volume.ItemCore(w.m, t.it, &w.partB)
	w.q.Work.Distances++
	w.search.Dir = t.dir
	found := convex.Bounded(s.hull, &s.at.Pose, core, pose, t.limit+s.slack, &w.search)
	lower := found.Lower - s.slack
	if found.Lower > 0 {
		s.plane(found.Normal)
	}
	switch {
	case lower >= t.limit:
		t.lowest = lower
	case s.e.Exact:
		t.lowest, t.best = max(lower, 0), touchOf(t.pair, &found)
	case lower > 0 && s.certify(t, &found, lower):
	case lower <= 0 && !s.r.s.onlyClosest && !s.outsideOf(t):
	default:
		s.parts(t, lower)
	}
}

func touchOf(pair int32, r *convex.Result) engine.PairTouch {
	t := engine.PairTouch{Pair: pair, Touch: engine.Touch{A: r.PointA, B: r.PointB, Normal: r.Normal, Distance: r.Distance}}
	if r.Overlap {
		t.Distance = 0
	}
	return t
}

// nearItem bounds the distance by the element's ball, and guesses a direction.
func (s *worldSearch) nearItem(t *target) float64 {
	w := s.r.w
	e := &w.m.Elements[t.it.Element]
	if t.it.Leaf < 0 || e.Leaves.Mesh == nil {
		return math.Inf(-1)
	}
	corners := tri.Triangle(t.it.Vertices)
	d := r3.Sub(tri.ClosestPoint(&corners, s.at.Center), s.at.Center)
	t.dir = d
	l := geom.Norm(d)
	if !(l > s.e.Radius) {
		return 0
	}
	// A nearest point may be wrong: what it says is proved along the line to it.
	n := r3.Scale(1/l, d)
	return (volume.ItemLeast(w.m, t.it, n)-r3.Dot(n, s.at.Center)-s.e.Radius)*(1-8*u) - s.slack
}

// certify tries to make the hull's closest point one of the element's; see pairSearch.
func (s *worldSearch) certify(t *target, found *convex.Result, lower float64) bool {
	w := s.r.w
	n, ok := geom.Unit(r3.Sub(found.PointB, found.PointA))
	if !ok {
		return false
	}
	x := s.at.Pose.MoveBack(r3.Sub(found.PointA, r3.Scale(s.hull.Radius, n)))
	const near = 1e-7
	f := w.nearestOn(s.e.Leaves, x, near*near)
	if f.node < 0 {
		return false
	}
	onCore := r3.Add(found.PointB, r3.Scale(volume.ItemRadius(w.m, t.it), n))
	s.offer(t, f.node, s.at.Pose.Move(f.at), onCore)
	if t.best.Distance-lower <= max(searchTolerance(s.r.s.q.Tolerance, s.slack), s.r.s.q.Relative*t.best.Distance) {
		t.lowest = lower
		return true
	}
	return false
}

// offer takes a point of a part of the element's mesh and one of the item's core, in W.
func (s *worldSearch) offer(t *target, part int32, a, b geom.Vec) {
	ra, rb := volume.Radius(s.e), volume.ItemRadius(s.r.w.m, t.it)
	between := r3.Sub(b, a)
	l := geom.Norm(between)
	d := max(0, l-ra-rb)
	if !(d < t.best.Distance) {
		return
	}
	n, _ := geom.Unit(between)
	t.part = part
	t.best = engine.PairTouch{Pair: t.pair, Touch: engine.Touch{A: r3.Add(a, r3.Scale(ra, n)), B: r3.Sub(b, r3.Scale(rb, n)), Normal: n, Distance: d}}
	if d == 0 {
		at := a
		if ra+rb > 0 {
			at = r3.Add(a, r3.Scale(ra/(ra+rb), between))
		}
		t.best.A, t.best.B = at, at
	}
}

// parts searches the element's hierarchy for what is closest to the item.
func (s *worldSearch) parts(t *target, lower float64) {
	w := s.r.w
	s.nodes = append(s.nodes[:0], queued{0, max(0, lower)})
	for len(s.nodes) > 0 && t.best.Distance > 0 && !w.q.Out() {
		stack := s.nodes
		top := stack[len(stack)-1]
		s.nodes = stack[:len(stack)-1]
		switch {
		case top.lower >= s.enoughOf(t):
			t.lowest = min(t.lowest, top.lower)
		case volume.IsShape(s.e, top.at):
			s.leaf(t, top.at)
		default:
			left := s.e.Leaves.Tree.Nodes[top.at].Left
			near, far := queued{left, s.partBound(t, left, top.lower)}, queued{left + 1, s.partBound(t, left+1, top.lower)}
			if far.lower < near.lower {
				near, far = far, near
			}
			s.nodes = append(s.nodes, far, near)
		}
	}
	t.lowest = min(t.lowest, t.best.Distance)
}

func (s *worldSearch) enoughOf(t *target) float64 { return min(t.limit, s.r.less(t.best.Distance)) }

// partBound bounds the distance of a part of the element to the item from below.
func (s *worldSearch) partBound(t *target, node int32, parent float64) float64 {
	w, enough := s.r.w, s.enoughOf(t)
	lower := parent
	along := func(n geom.Vec) float64 {
		h, radius := volume.Support(s.e, node, s.at.Pose.R.TurnBack(n))
		return (volume.ItemLeast(w.m, t.it, n)-h-r3.Dot(n, s.at.Pose.P)-radius)*(1-8*u) - s.slack
	}
	if t.best.Normal != (geom.Vec{}) {
		if lower = max(lower, along(t.best.Normal)); lower >= enough {
			return lower
		}
	}
	center, _ := volume.Ball(s.e, node)
	if n, ok := volume.TowardItem(w.m, t.it, s.at.Pose.Move(center)); ok {
		lower = max(lower, along(n))
	}
	return lower
}

// leaf measures a triangle of the element and the item.
func (s *worldSearch) leaf(t *target, node int32) {
	w := s.r.w
	w.q.Work.Distances++
	world := &w.m.Elements[t.it.Element]
	if t.it.Leaf >= 0 && world.Leaves.Mesh != nil {
		ta, tb := volume.Triangle(s.e.Leaves, node), tri.Triangle(t.it.Vertices)
		for i := range ta {
			ta[i] = s.at.Pose.Move(ta[i])
		}
		r := tri.Distance(&ta, &tb)
		radii := volume.Radius(s.e) + t.it.Radius
		if n := r3.Sub(r.PointB, r.PointA); r.Distance > 0 {
			lower := gapOfTriangles(&ta, &tb, r3.Scale(1/geom.Norm(n), n))*(1-8*u) - radii - s.slack
			if lower >= r.Distance-radii-s.slack-motion.DistanceRounding/4 {
				t.lowest = min(t.lowest, max(lower, 0))
				s.offer(t, node, r.PointA, r.PointB)
				return
			}
		}
	}
	core, pose := volume.ItemCore(w.m, t.it, &w.partB)
	w.search.Dir = geom.Vec{}
	found := convex.Bounded(volume.Core(s.e, node, &w.partA), &s.at.Pose, core, pose, s.enoughOf(t)+s.slack, &w.search)
	t.lowest = min(t.lowest, max(found.Lower-s.slack, 0))
	if hit := touchOf(t.pair, &found); hit.Distance < t.best.Distance {
		t.best, t.part = hit, node
	}
}

// outside reports that no mesh of the world has the element inside: of what
// the hull is parted from, one of its points tells on which side it is. Otherwise it
// has noted a touch, or why it cannot tell.
func (s *worldSearch) outside() bool {
	r, w := s.r, s.r.w
	at := s.at.Pose.Move(s.e.Core.Support(geom.Vec{X: 1}))
	row := w.m.Against[s.element]
	solid, ok := w.m.World.SolidAround(at, row, &w.segments)
	switch {
	case !ok:
		w.q.Reason = "cannot tell whether a link lies inside a mesh of the world"
		return false
	case solid < 0:
		return true
	}
	of := &r.s.of[row[solid-w.m.First]]
	r.leave(of, 0)
	r.note(of, engine.PairTouch{Pair: row[solid-w.m.First], Touch: engine.Touch{A: at, B: at}})
	// Other solids may be around it, too: each is asked for itself.
	for _, pair := range row {
		if pair >= 0 && !r.out.Stopped && r.useful(&r.s.of[pair]) > 0 {
			r.consider(candidate{pair, 0})
		}
	}
	r.search()
	return false
}

// outsideOf settles, before an element is opened whose hull an item meets, whether
// one contains part of the other. It reports false where it does, which it has noted,
// or where that cannot be told.
func (s *worldSearch) outsideOf(t *target) bool {
	w := s.r.w
	world := &w.m.Elements[t.it.Element]
	if engine.IsPoints(world) {
		if !engine.Encloses(s.e) {
			return true
		}
		at := world.PoseFE.Move(world.Leaves.Within(t.it.Leaf))
		inside, ok := engine.InsideSolids(s.e, s.at.Pose.MoveBack(at))
		return s.judge(t, at, inside, ok)
	}
	if w.isOutside(t.pair) {
		return true
	}
	for _, side := range [2][2]int{{s.element, int(t.it.Element)}, {int(t.it.Element), s.element}} {
		if at, inside, ok := w.partWithin(side[0], side[1]); inside || !ok {
			return s.judge(t, at, inside, ok)
		}
	}
	w.outsides[t.pair] = w.q.Number
	return true
}

func (s *worldSearch) judge(t *target, at geom.Vec, inside, ok bool) bool {
	switch {
	case !ok:
		s.r.w.q.Reason = undecidedInside
	case inside:
		t.best, t.lowest = engine.PairTouch{Pair: t.pair, Touch: engine.Touch{A: at, B: at}}, 0
		t.part = nowhere
	default:
		return true
	}
	return false
}
