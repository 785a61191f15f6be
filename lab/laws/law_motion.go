package laws

import (
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// resolver makes of a motion the one that is proved, each turn that is taken off
// written into its numbers.
type resolver interface {
	Resolve(m *motion.Motion) (*motion.Motion, error)
}

// resolved is the motion that is proved, in numbers.
func (a *asked) resolved() (*motion.Motion, error) {
	if r, ok := any(a.checker).(resolver); ok && !a.motion.KeepTurns {
		return r.Resolve(a.motion)
	}
	return a.motion, nil
}

// part is the motion from one time to another, as far as there is any.
func (a *asked) part(from, until float64) *motion.Motion {
	m, err := a.resolved()
	if err != nil {
		return a.motion
	}
	if before, _, err := m.Split(until); err == nil {
		m = before
	}
	if _, after, err := m.Split(from); err == nil {
		m = after
	}
	return m
}

// resolved is the case's motion, resolved.
func (t *trial) resolved() (*motion.Motion, bool) {
	m, err := t.base.a.resolved()
	if err != nil {
		t.contradicts("not resolved: %v", err)
	}
	return m, err == nil
}

// of asks the case's question about another motion.
func (t *trial) of(m *motion.Motion) (*answer, bool) {
	a := *t.base.a
	a.motion = m
	return t.check(&a, t.base.q)
}

// inTwoParts: a motion is free exactly where both of its parts are, and each part's
// first contact is that of the whole if it lies in that part.
func inTwoParts(t *trial) {
	m, ok := t.resolved()
	if !ok {
		return
	}
	end := m.Duration()
	before, after, err := m.Split(t.In(0.05, 0.95) * end)
	if err != nil {
		t.contradicts("not split: %v", err)
		return
	}
	for _, part := range []*motion.Motion{before, after} {
		if y, ok := t.of(part); ok {
			t.same(t.base, y, true)
		}
	}
}

// backwards: a motion run backwards is free exactly where the motion is.
func backwards(t *trial) {
	m, ok := t.resolved()
	if !ok {
		return
	}
	back, err := m.Reverse()
	if err != nil {
		t.contradicts("not reversed: %v", err)
		return
	}
	if y, ok := t.of(back); ok {
		t.same(t.base, y, false)
	}
}

// shortWay reports whether a continuous variable moves by more than half a turn on a
// straight piece of a motion that takes the short way.
func (s *subject) shortWay() bool {
	if s.keepTurns {
		return false
	}
	for _, p := range s.pieces {
		for i, c := range p.Ctrl {
			if s.turns(s.names[i]) && math.Abs(c[len(c)-1]-c[0]) > math.Pi {
				return true
			}
		}
	}
	return false
}

// waypointsOnTheWay: a waypoint on a straight line changes nothing, as long as no
// joint takes the short way instead.
func waypointsOnTheWay(t *trial) {
	s := t.subject()
	if !s.straight() || s.shortWay() {
		return
	}
	var pieces []motion.Piece
	for _, p := range s.pieces {
		k := float64(1+t.IntN(7)) / 8
		at := p.Start + k*(p.End-p.Start)
		a, b := motion.Piece{Start: p.Start, End: at}, motion.Piece{Start: at, End: p.End}
		for _, c := range p.Ctrl {
			mid := (1-k)*c[0] + k*c[1]
			a.Ctrl, b.Ctrl = append(a.Ctrl, []float64{c[0], mid}), append(b.Ctrl, []float64{mid, c[1]})
		}
		pieces = append(pieces, a, b)
	}
	s.pieces = pieces
	t.alike(s)
}

// waypointsAreMet: where the motion is proved, the robot may rest at each waypoint, in
// the numbers that were given.
func waypointsAreMet(t *trial) {
	s := t.subject()
	k := t.IntN(len(s.pieces))
	var q []float64
	for _, c := range s.pieces[k].Ctrl {
		q = append(q, c[len(c)-1])
	}
	at := s.pieces[k].End
	y, ok := t.ask(s.rest(s.names, q))
	if !ok {
		return
	}
	t.tally.pair(t.law)
	if y.v.Status == motion.Contact && provenUntil(&t.base.v) > at {
		t.clash(t.base, y, at-timeRounding, math.Inf(1))
	}
}

// halfTurn reports whether the short way that a variable takes hangs on the rounding of
// its positions.
func (s *subject) halfTurn() bool {
	if s.keepTurns {
		return false
	}
	for _, p := range s.pieces {
		for i, c := range p.Ctrl {
			half := math.Abs(c[len(c)-1]-c[0]) / math.Pi
			if s.turns(s.names[i]) && math.Abs(half-math.Round(half)) < rounding && int(math.Round(half))%2 == 1 {
				return true
			}
		}
	}
	return false
}

// wholeTurns: whole turns added to a continuous joint everywhere, and taken off again
// by those that follow it, change nothing; but by half a turn, to rounding, a joint may
// then turn the other way.
func wholeTurns(t *trial) {
	s := t.subject()
	if s.halfTurn() {
		return
	}
	t.said(s) // as what follows stands elsewhere where the joint is at 0
	var all []int
	for i := range s.joints {
		if j := &s.joints[i]; j.kind == "continuous" && j.follows == "" {
			all = append(all, i)
		}
	}
	if len(all) == 0 {
		return
	}
	name := s.joints[all[t.IntN(len(all))]].name
	turns := 2 * math.Pi * float64([]int{-40, -3, -1, 1, 2, 7}[t.IntN(6)])
	s.shift(name, turns)
	t.alike(s)
}

// shift adds to a joint's positions everywhere, and makes up for it where others
// follow.
func (s *subject) shift(name string, by float64) {
	s.state[name] += by
	s.eachRow(name, func(x float64) float64 { return x + by })
	for _, f := range s.followers(name) {
		s.joints[f].offset -= s.joints[f].mult * by
	}
}

// eachRow changes the control points of a variable, if the motion names it.
func (s *subject) eachRow(name string, f func(x float64) float64) {
	i := slices.Index(s.names, name)
	if i < 0 {
		return
	}
	for _, p := range s.pieces {
		for k := range p.Ctrl[i] {
			p.Ctrl[i][k] = f(p.Ctrl[i][k])
		}
	}
}

// configuration draws positions for all joints, or takes the motion's first.
func (t *trial) configuration() (names []string, q []float64) {
	s := t.base.a.of
	names = s.active()
	start := t.one(2)
	for _, name := range names {
		x := t.In(-1.5, 1.5)
		if i := slices.Index(s.names, name); start && i >= 0 {
			x = s.pieces[0].Ctrl[i][0]
		}
		q = append(q, x)
	}
	return names, q
}

// stateOrMotion: a configuration is the same whether the state or the motion gives it:
// the same pairs are checked, with the same answer and the same distances.
func stateOrMotion(t *trial) {
	names, q := t.configuration()
	byMotion := t.subject().rest(names, q)
	byMotion.state = map[string]float64{}
	k := t.IntN(len(names))
	byState := t.subject().rest(names[k:k+1], q[k:k+1])
	byState.state = map[string]float64{}
	for i, name := range names {
		byState.state[name] = q[i]
	}
	x, ok := t.ask(byMotion)
	if !ok {
		return
	}
	y, ok := t.ask(byState)
	if !ok {
		return
	}
	t.same(x, y, true)
	if a, b := leftOut(x.a.checker), leftOut(y.a.checker); !slices.Equal(a, b) {
		t.contradicts("left out by the motion %v, by the state %v", a, b)
	}
	t.sameDistance(t.distance(x.a, byState.state), t.distance(y.a, nil), 1)
}

// leftOut lists the pairs that a checker leaves out, in order.
func leftOut(c *ccd.Checker) (out []string) {
	for _, p := range c.Pairs().Assumed {
		out = append(out, min(p.A, p.B)+" "+max(p.A, p.B))
	}
	slices.Sort(out)
	return out
}

// restAndDistance: a rest is in contact exactly where the distance is no more than the
// clearance, by each method.
func restAndDistance(t *trial) {
	names, q := t.configuration()
	s := t.subject().rest(names, q)
	s.tube = nil
	positions := map[string]float64{}
	for i, name := range names {
		positions[name] = q[i]
	}
	if t.one(2) {
		s.clearance = 0
	}
	a, ok := t.build(s)
	if !ok {
		return
	}
	d := t.distance(a, positions)
	for _, m := range ccd.Methods() {
		ask := s.query()
		ask.Method = m
		y, ok := t.check(a, ask)
		if !ok {
			continue
		}
		t.tally.pair(t.law)
		switch c := s.clearance; {
		case y.v.Status == motion.Undecided:
			t.tally.undecided(t.law, true)
		case y.v.Status == motion.Free && d.Hi <= c:
			t.contradicts("%v: free at clearance %g, but the distance is in [%g, %g]", m, c, d.Lo, d.Hi)
		case y.v.Status == motion.Contact && d.Lo > c+s.tolerance:
			t.contradicts("%v: contact at clearance %g, but the distance is in [%g, %g]", m, c, d.Lo, d.Hi)
		case d.Lo > c && d.Lo <= c+s.tolerance:
			t.tally.tie(t.law)
		}
	}
}

// splinesByPoints: a controller's spline through points with velocities, and with
// accelerations or without, is the polynomial with the control points that the
// documentation gives.
func splinesByPoints(t *trial) {
	x := t.subject()
	x.keepTurns = true
	quintic := t.one(2)
	var points []motion.Waypoint
	for i := range 2 + t.IntN(3) {
		p := motion.Waypoint{Time: float64(i) * 0.75}
		for range x.names {
			p.Positions, p.Velocities = append(p.Positions, t.In(-1, 1)), append(p.Velocities, t.In(-2, 2))
			if quintic {
				p.Accelerations = append(p.Accelerations, t.In(-4, 4))
			}
		}
		points = append(points, p)
	}
	x.pieces = nil
	for i := range points[1:] {
		a, b := &points[i], &points[i+1]
		piece := motion.Piece{Start: a.Time, End: b.Time}
		T := b.Time - a.Time
		for k := range x.names {
			p0, p1, v0, v1 := a.Positions[k], b.Positions[k], a.Velocities[k], b.Velocities[k]
			if !quintic {
				piece.Ctrl = append(piece.Ctrl, []float64{p0, p0 + v0*T/3, p1 - v1*T/3, p1})
				continue
			}
			a0, a1 := a.Accelerations[k], b.Accelerations[k]
			piece.Ctrl = append(piece.Ctrl, []float64{p0, p0 + v0*T/5, p0 + 2*v0*T/5 + a0*T*T/20, p1 - 2*v1*T/5 + a1*T*T/20, p1 - v1*T/5, p1})
		}
		x.pieces = append(x.pieces, piece)
	}
	u, ok := t.ask(x)
	if !ok {
		return
	}
	m, err := motion.Spline(x.names, points)
	if err != nil {
		t.contradicts("refused: %v", err)
		return
	}
	m.KeepTurns = true
	a := *u.a
	a.motion = m
	if v, ok := t.check(&a, u.q); ok {
		t.same(u, v, true)
	}
}
