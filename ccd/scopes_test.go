package ccd

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/agreement"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// passer is a ball of radius 0.1 that slides along x past the robot's first link, a box
// with a face at x = 0.5. Links of it are not adjacent.
func passer() *urdf.Robot {
	id := geom.IdentityPose()
	r := chainOf(
		chainJoint{name: "base", kind: urdf.Prismatic, origin: id, axis: geom.Vec{Z: 1}, shape: box(0.2, 0.2, 0.2), at: pose(0.6, 0.15, 0)},
		chainJoint{name: "arm", kind: urdf.Prismatic, origin: id, axis: geom.Vec{Y: 1}},
		chainJoint{name: "x", kind: urdf.Prismatic, origin: id, axis: geom.Vec{X: 1}, shape: ball(0.1), at: id},
	)
	return r
}

// A motion that hits the robot itself at 0.3 s and the world at 0.7 s tells both; so does
// one with the two the other way round, whatever the method.
func TestBothScopesAreTold(t *testing.T) {
	// The ball's centre is at 0.6 - sqrt(...) of the box's edge: its face at y = 0.05 is
	// above the centre by half the radius, so that it is met at the edge.
	hit := 0.5 - math.Sqrt(0.1*0.1-0.05*0.05)
	wall := func(face float64) *scene.Snapshot {
		return worldOf(object("wall", box(0.02, 1, 4), pose(face+0.01, -0.5, 0)))
	}
	for _, order := range []struct {
		name        string
		from, to    float64
		face        float64
		self, world float64
	}{
		{"self first", hit - 0.3*2, hit + 0.7*2, hit + 0.4*2 + 0.1, 0.3, 0.7},
		{"together", hit - 0.3*2, hit + 0.7*2, hit + 0.0015*2 + 0.1, 0.3, 0.3015},
		{"world first", hit - 0.7*2, hit + 0.3*2, hit - 0.4*2 + 0.1, 0.7, 0.3},
	} {
		c, err := New(passer(), wall(order.face), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, by := range Methods() {
			for _, m := range []*motion.Motion{betweenX(t, order.from, order.to, 1), betweenX(t, order.from, order.to, 7)} {
				for _, workers := range []int{0, 3} {
					q := motion.Query{Method: by, EachScope: true, Workers: workers}
					name := fmt.Sprintf("%s, %s, %d pieces, %d workers", order.name, by, len(m.Pieces), workers)
					v, err := c.Check(context.Background(), m, q)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					if v.Self == nil || v.World == nil {
						t.Fatalf("%s: a scope is missing", name)
					}
					wantScope(t, name+", self", v.Self, order.self, false)
					wantScope(t, name+", world", v.World, order.world, true)
					first := min(order.self, order.world)
					if v.Status != motion.Contact || math.Abs(v.TOC.Hi-first) > 2e-6 {
						t.Errorf("%s: the first of all is %v at %g", name, v.Status, v.TOC.Hi)
					}
				}
			}
		}
	}
}

// betweenX moves x within a second, in pieces.
func betweenX(t *testing.T, from, to float64, pieces int) *motion.Motion {
	t.Helper()
	var points [][]float64
	var times []float64
	for i := range pieces + 1 {
		s := float64(i) / float64(pieces)
		points, times = append(points, []float64{from + s*(to-from)}), append(times, s)
	}
	m, err := motion.Path([]string{"x"}, points, times)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func wantScope(t *testing.T, name string, v *motion.ScopeVerdict, toc float64, world bool) {
	t.Helper()
	if v.Status != motion.Contact || v.Contact.Pair.World() != world {
		t.Errorf("%s: %v (%s) of %v", name, v.Status, v.Reason, v.Contact.Pair)
		return
	}
	// A pair counts as touching a micrometre before, which is half a microsecond, or a
	// little more where it does not meet head-on.
	if v.TOC.Lo > toc || v.TOC.Hi < toc-2e-6 || v.TOC.Hi-v.TOC.Lo > motion.DefaultTimeTolerance*(1+1e-9) || v.ProvenUntil > v.TOC.Hi {
		t.Errorf("%s: contact in [%.9f, %.9f], proved until %.9f, want %.9f", name, v.TOC.Lo, v.TOC.Hi, v.ProvenUntil, toc)
	}
}

// TestEachScopeIsASeparateCheck holds the answer for each scope against the check of that
// scope alone: none has a witness where the other has a proof, and the status is the same
// but for ties.
func TestEachScopeIsASeparateCheck(t *testing.T) {
	robots := long(500)
	if race.Enabled {
		robots = 60
	}
	var tally scopeTally
	for i := range robots {
		d := dice{chance.New(1313, uint64(i))}
		c, err := New(d.robot(), d.world(), anyRobot)
		if err != nil {
			t.Fatal(err)
		}
		m := d.motion(c.ActiveJoints())
		if d.IntN(6) == 0 {
			d.moveRoot(m)
		}
		q := motion.Query{Question: motion.Question(d.IntN(3)), Workers: d.IntN(3)}
		if d.IntN(3) == 0 {
			q.Clearance = d.In(0, 0.1)
		}
		if d.IntN(5) == 0 {
			q.Method = Methods()[d.IntN(len(Methods()))]
		}
		if d.IntN(6) == 0 && isDefault(q.Method) {
			q.Tube = map[string]float64{c.ActiveJoints()[0]: d.In(0, 0.01)}
		}
		tally.compare(t, fmt.Sprintf("robot %d", i), c, m, q)
	}
	t.Logf("%d robots: %+v", robots, tally)
	if !race.Enabled && (tally.both*20 < robots || tally.free*20 < robots || tally.one*20 < robots) {
		t.Errorf("one-sided: %+v of %d", tally, robots)
	}
}

type scopeTally struct {
	scopes           int // compared
	both, one, free  int // motions by how many scopes are in contact
	ties, otherState int // both answers are true
}

func (y *scopeTally) compare(t *testing.T, name string, c *Checker, m *motion.Motion, q motion.Query) {
	t.Helper()
	q.EachScope = true
	v, err := c.Check(context.Background(), m, q)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	contacts := 0
	earliest := math.Inf(1)
	for _, s := range scopesOf(q) {
		got := v.Self
		if s.world {
			got = v.World
		}
		alone := s.q
		alone.EachScope = false
		if !anyPair(c.model, alone.NoSelf, alone.NoWorld) {
			if got != nil {
				t.Errorf("%s: a scope without pairs has a verdict", name)
			}
			continue
		}
		if got == nil {
			t.Fatalf("%s: a scope is missing", name)
		}
		y.scopes++
		want, err := c.Check(context.Background(), m, alone)
		if err != nil {
			t.Fatal(err)
		}
		if got.Status == motion.Contact {
			contacts++
			earliest = min(earliest, got.TOC.Hi)
		}
		y.hold(t, fmt.Sprintf("%s, world %v", name, s.world), &alone, got, &want)
	}
	switch contacts {
	case 0:
		y.free++
	case 1:
		y.one++
	default:
		y.both++
	}
	if (v.Status == motion.Contact) != (contacts > 0) || v.Status == motion.Contact && q.Question != motion.IsFree && v.TOC.Hi > earliest {
		t.Errorf("%s: %v at %v, but of the scopes %d touch, the first at %g", name, v.Status, v.TOC, contacts, earliest)
	}
}

// hold compares one scope's answer with the separate check's.
func (y *scopeTally) hold(t *testing.T, name string, q *motion.Query, got *motion.ScopeVerdict, want *motion.Verdict) {
	t.Helper()
	as := motion.Verdict{Status: got.Status, TOC: got.TOC, Piece: got.Piece, Contact: got.Contact, ProvenUntil: got.ProvenUntil}
	if fault := agreement.Fault(q, &as); fault != "" && len(q.Tube) == 0 {
		t.Errorf("%s: %s", name, fault)
	}
	if got.Status != want.Status {
		y.otherState++
		one, other := agreement.Compare(q, &as, want), agreement.Compare(q, want, &as)
		if one == agreement.Disagree || other == agreement.Disagree || got.Status == motion.Undecided {
			t.Errorf("%s: %v (%s), alone %v", name, got.Status, got.Reason, want.Status)
		}
		return
	}
	for _, o := range []agreement.Outcome{agreement.Compare(q, &as, want), agreement.Compare(q, want, &as)} {
		switch {
		case o == agreement.Disagree && len(q.Tube) == 0:
			t.Errorf("%s: %v in %v, alone %v", name, got.Status, got.TOC, want.TOC)
		case o == agreement.Tie:
			y.ties++
		}
	}
	if a, b := got.MinClearance, want.MinClearance; a.Known != b.Known || a.Known && (a.Bounds.Lo > b.Bounds.Hi || b.Bounds.Lo > a.Bounds.Hi) {
		t.Errorf("%s: smallest distance %+v, alone %+v", name, a.Bounds, b.Bounds)
	}
}

// A scope that there was no time for is undecided, and says until when it is proved free.
func TestScopeWithoutTimeIsUndecided(t *testing.T) {
	for i := range 40 {
		d := dice{chance.New(99, uint64(i))}
		c, err := New(d.robot(), d.world(), anyRobot)
		if err != nil {
			t.Fatal(err)
		}
		m := d.motion(c.ActiveJoints())
		for _, budget := range []time.Duration{time.Nanosecond, 20 * time.Microsecond, 200 * time.Microsecond} {
			q := motion.Query{EachScope: true, Budget: budget}
			v, err := c.Check(context.Background(), m, q)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range []*motion.ScopeVerdict{v.Self, v.World} {
				if s == nil {
					continue
				}
				if s.Status == motion.Undecided && s.Reason == "" {
					t.Errorf("robot %d, %v: undecided without a reason", i, budget)
				}
				if s.ProvenUntil < v.ProvenUntil && s.Status != motion.Contact {
					t.Errorf("robot %d, %v: a scope is proved free until %g, both together until %g", i, budget, s.ProvenUntil, v.ProvenUntil)
				}
				if v.Status == motion.Undecided && s.Status == motion.Free && s.ProvenUntil < m.Duration() {
					t.Errorf("robot %d, %v: free until %g", i, budget, s.ProvenUntil)
				}
			}
		}
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	c, err := New(passer(), worldOf(object("far", ball(0.1), pose(0, 3, 0))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.Check(gone, betweenX(t, 0, 1, 1), motion.Query{EachScope: true})
	if err != nil || v.Self.Status != motion.Undecided || v.World.Status != motion.Undecided {
		t.Errorf("cancelled: %v, self %+v, world %+v", err, v.Self, v.World)
	}
}

// A scope without a pair, or one that is left out, has no verdict: in particular none
// that is free.
func TestScopeWithoutPairsIsNotTold(t *testing.T) {
	c, err := New(passer(), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := betweenX(t, 0, 0.1, 1)
	v, err := c.Check(context.Background(), m, motion.Query{EachScope: true})
	if err != nil || v.World != nil || v.Self == nil || v.Self.Status != motion.Free {
		t.Errorf("no world: %v, self %+v, world %+v", err, v.Self, v.World)
	}
	c, err = c.WithWorld(worldOf(object("far", ball(0.1), pose(0, 3, 0))))
	if err != nil {
		t.Fatal(err)
	}
	v, err = c.Check(context.Background(), m, motion.Query{EachScope: true, NoSelf: true, Question: motion.MinClearance})
	if err != nil || v.Self != nil || v.World == nil || !v.World.MinClearance.Known || v.World.MinClearance != v.MinClearance {
		t.Errorf("no self: %v, self %+v, world %+v", err, v.Self, v.World)
	}
	if _, err := c.PathChecker(motion.Query{Question: motion.IsFree, EachScope: true}); err == nil || !strings.Contains(err.Error(), "NoWorld") {
		t.Errorf("a path: %v", err)
	}
}

// An open gap keeps each scope from being free, and what was proved from being told; a
// contact stays one.
func TestGapsHoldForEachScope(t *testing.T) {
	hit := 0.4
	c, err := New(passer(), worldOf(object("wall", box(0.02, 1, 4), pose(hit+0.11+0.5, -0.5, 0))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	gap := []premise.Premise{{Kind: premise.Attached, Names: []string{"mug"}}}
	free, world := betweenX(t, -0.3, 0, 1), betweenX(t, 1.3, 0.95, 1)
	free.Gaps, world.Gaps = gap, gap
	v, err := c.Check(context.Background(), free, motion.Query{EachScope: true, Question: motion.MinClearance})
	if err != nil || v.Status != motion.Undecided {
		t.Fatalf("%v, %v", err, v.Status)
	}
	for _, s := range []*motion.ScopeVerdict{v.Self, v.World} {
		if s.Status != motion.Undecided || s.Reason == "" || s.ProvenUntil != 0 || s.MinClearance.Known {
			t.Errorf("with a gap: %+v", s)
		}
	}
	v, err = c.Check(context.Background(), world, motion.Query{EachScope: true})
	if err != nil || v.World.Status != motion.Contact || v.World.TOC.Lo != 0 || v.World.TOC.Hi == 0 || v.Self.Status == motion.Free || v.Self.ProvenUntil != 0 {
		t.Errorf("%v, self %+v, world %+v", err, v.Self, v.World)
	}
}

// A certificate does not depend on whether each scope is asked for.
func TestCertificateOfEachScope(t *testing.T) {
	c, err := New(passer(), worldOf(object("far", ball(0.1), pose(0, 3, 0))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := betweenX(t, 0, 0.3, 2)
	var plain, each strings.Builder
	if _, err := c.Certify(context.Background(), m, motion.Query{}, &plain); err != nil {
		t.Fatal(err)
	}
	v, err := c.Certify(context.Background(), m, motion.Query{EachScope: true, MaxContacts: 3, Question: motion.MinClearance}, &each)
	if err != nil || v.Self.Status != motion.Free || v.World.Status != motion.Free || !v.Self.MinClearance.Known || !v.World.MinClearance.Known {
		t.Fatalf("%v, self %+v, world %+v", err, v.Self, v.World)
	}
	if plain.Len() == 0 || plain.String() != each.String() {
		t.Error("another certificate")
	}
}
