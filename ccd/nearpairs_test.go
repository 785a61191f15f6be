package ccd

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// rack is a robot of n boxes fixed to its root link at the given places, and one on a
// joint that turns.
func rack(t testing.TB, at []geom.Vec, size float64, srdf bool) *urdf.Robot {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<robot name="rack"><link name="root"/>`)
	link := func(name, joint string, p geom.Vec) {
		fmt.Fprintf(&b, `<link name="%s"><collision><geometry><box size="%[2]g %[2]g %[2]g"/></geometry></collision></link>`+"\n", name, size)
		fmt.Fprintf(&b, `<joint name="j_%s" type="%s"><parent link="root"/><child link="%s"/><origin xyz="%g %g %g"/>`, name, joint, name, p.X, p.Y, p.Z)
		b.WriteString(`<axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>` + "\n")
	}
	for i, p := range at {
		link(fmt.Sprint("box", i), "fixed", p)
	}
	link("arm", "revolute", geom.Vec{Z: -5})
	b.WriteString("</robot>")
	r, err := urdf.Parse([]byte(b.String()), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if srdf {
		if r, err = urdf.ParseSRDF(r, []byte(`<robot name="rack"></robot>`)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func grid(n int, step float64) []geom.Vec {
	side := int(math.Ceil(math.Cbrt(float64(n))))
	out := make([]geom.Vec, n)
	for i := range out {
		out[i] = geom.Vec{X: float64(i%side) * step, Y: float64(i/side%side) * step, Z: float64(i/side/side) * step}
	}
	return out
}

// Thousands of links of one rigid body are checked with memory for those that are near
// each other, and all are counted.
func TestThousandsOfFixedLinks(t *testing.T) {
	const n = 2500
	begin := time.Now()
	c, err := New(rack(t, grid(n, 0.3), 0.1, false), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("New took %v", took)
	}
	if self, _ := c.checkedPairs(); self != n*(n+1)/2 {
		t.Errorf("%d pairs are checked", self)
	}
	if listed := len(c.model.Pairs); listed > 40*n {
		t.Errorf("%d pairs are in memory", listed)
	}
	m, err := motion.Between([]string{"j_arm"}, []float64{0}, []float64{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if v := ask(t, c, m, motion.Query{}); v.Status != motion.Free {
		t.Errorf("%v, %s", v.Status, v.Reason)
	}
	if v := ask(t, c, m, motion.Query{Clearance: 0.21}); v.Status != motion.Contact || math.Abs(v.Contact.Distance-0.2) > 1e-6 {
		t.Errorf("boxes 0.2 m apart, with a clearance of 0.21 m: %v at %g m", v.Status, v.Contact.Distance)
	}
	d, err := c.Distance(context.Background(), nil, motion.DistanceQuery{})
	if err != nil || math.Abs(d.Self.Hi-0.2) > 1e-6 {
		t.Errorf("%v, %v", d.Self, err)
	}
	// What needs pairs that are far apart needs more of them than there is room for.
	for name, err := range map[string]error{
		"a clearance": func() error { _, err := c.Check(context.Background(), m, motion.Query{Clearance: 50}); return err }(),
		"all pairs":   func() error { _, err := c.Distance(context.Background(), nil, motion.DistanceQuery{K: -1}); return err }(),
	} {
		if err == nil || !strings.Contains(err.Error(), fmt.Sprint(limit.RobotPairs)) || !strings.Contains(err.Error(), fmt.Sprint(n*(n+1)/2)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTooManyPairs(t *testing.T) {
	heap := make([]geom.Vec, 1500)
	for name, tc := range map[string]struct {
		robot *urdf.Robot
		count string
	}{
		"all in one place":                {rack(t, heap, 0.1, false), "touch at the default state"},
		"all in one place, with an SRDF":  {rack(t, heap, 0.1, true), fmt.Sprint(len(heap) * (len(heap) + 1) / 2)},
		"all move against each other":     {manyJoints(1200), "719400"},
		"one link of very many, and such": {manyShapes(t, 800), "640000"},
	} {
		if _, err := New(tc.robot, nil, Options{}); err == nil || !strings.Contains(err.Error(), tc.count) || !strings.Contains(err.Error(), fmt.Sprint(limit.RobotPairs)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// manyJoints is a root link with n others, each on a joint of its own.
func manyJoints(n int) *urdf.Robot {
	var b strings.Builder
	b.WriteString(`<robot name="urchin"><link name="root"/>`)
	for i := range n {
		fmt.Fprintf(&b, `<link name="l%d"><collision><geometry><sphere radius="0.01"/></geometry></collision></link>
<joint name="j%[1]d" type="continuous"><parent link="root"/><child link="l%[1]d"/><origin xyz="%d 0 0"/></joint>`, i, i)
	}
	b.WriteString("</robot>")
	r, err := urdf.Parse([]byte(b.String()), urdf.Options{})
	if err != nil {
		panic(err)
	}
	return r
}

// manyShapes is two links of n shapes each, that move against each other, and one
// between them.
func manyShapes(t *testing.T, n int) *urdf.Robot {
	shapes := strings.Repeat(`<collision><geometry><sphere radius="0.01"/></geometry></collision>`, n)
	r, err := urdf.Parse([]byte(`<robot name="twin"><link name="a">`+shapes+`</link><link name="b"/><link name="c">`+shapes+`</link>
<joint name="p" type="continuous"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/></joint>
<joint name="q" type="continuous"><parent link="b"/><child link="c"/><origin xyz="1 0 0"/></joint></robot>`), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Robots of which not all pairs are listed are answered about as if they were: random
// heaps of boxes, some of which touch, held against an engine that lists all pairs.
func TestNearPairsAnswerForAll(t *testing.T) {
	race.LeaveOut(t)
	r := rand.New(rand.NewPCG(5, 6))
	ctx := context.Background()
	for round := range 3 {
		at := make([]geom.Vec, 220)
		spread := []float64{0.8, 2, 8}[round]
		for i := range at {
			at[i] = geom.Vec{X: spread * r.Float64(), Y: spread * r.Float64(), Z: spread * r.Float64()}
		}
		few, err := New(rack(t, at, 0.1, round%2 == 1), nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if few.engine.whole == nil {
			t.Fatal("all pairs are listed")
		}
		e, err := few.engine.all()
		if err != nil {
			t.Fatal(err)
		}
		all := few.withEngine(e)
		if len(all.model.Pairs) <= len(few.model.Pairs) {
			t.Errorf("%d of %d pairs are listed", len(few.model.Pairs), len(all.model.Pairs))
		}
		a, b := first2(few.checkedPairs()), first2(all.checkedPairs())
		if a != b || len(few.Pairs().Assumed) != len(all.Pairs().Assumed) {
			t.Errorf("%d pairs are checked and %d assumed, not %d and %d", a, len(few.Pairs().Assumed), b, len(all.Pairs().Assumed))
		}
		m, err := motion.Between([]string{"j_arm"}, []float64{-1}, []float64{1}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []motion.Query{
			{},
			{Clearance: 0.01},
			{Clearance: 3},
			{Clearance: 20},
			{Question: motion.IsFree},
			{Question: motion.MinClearance},
			{Method: motion.Bisect},
			{Method: motion.Catch},
			{Method: motion.Articulate},
		} {
			x, y := ask(t, few, m, q), ask(t, all, m, q)
			if x.Status != y.Status || math.Abs(x.Contact.Distance-y.Contact.Distance) > 1e-9 || math.Abs(x.MinClearance.Bounds.Hi-y.MinClearance.Bounds.Hi) > 1e-3 {
				t.Errorf("round %d, %+v: %v at %g (%v), of all pairs %v at %g (%v)", round, q, x.Status, x.Contact.Distance, x.MinClearance.Bounds, y.Status, y.Contact.Distance, y.MinClearance.Bounds)
			}
		}
		for _, q := range []motion.DistanceQuery{
			{},
			{K: 5},
			{K: -1},
			{K: 30, DistanceRanges: motion.DistanceRanges{Max: 0.2}},
			{K: -1, DistanceRanges: motion.DistanceRanges{Max: 0.1}},
			{DistanceRanges: motion.DistanceRanges{Min: 0.05}},
			{DistanceRanges: motion.DistanceRanges{Min: 100}},
			{DistanceRanges: motion.DistanceRanges{SelfRange: &motion.DistanceRange{Min: 1, Max: 3}}, K: 3},
			{DistanceRanges: motion.DistanceRanges{Ranges: []motion.PairRange{{A: "box0", B: "box1", DistanceRange: motion.DistanceRange{Min: 50}}}}},
		} {
			x, errX := few.Distance(ctx, nil, q)
			y, errY := all.Distance(ctx, nil, q)
			if errX != nil || errY != nil {
				t.Fatal(errX, errY)
			}
			if x.Stopped != y.Stopped || !x.Stopped && (len(x.Pairs) != len(y.Pairs) || math.Abs(x.Self.Hi-y.Self.Hi) > 1e-9) {
				t.Errorf("round %d, %+v: %d pairs, %v, of all %d, %v", round, q, len(x.Pairs), x.Self, len(y.Pairs), y.Self)
				continue
			}
			for i := range x.Pairs {
				if !x.Stopped && math.Abs(x.Pairs[i].Bounds.Hi-y.Pairs[i].Bounds.Hi) > 1e-9 {
					t.Errorf("round %d, %+v: pair %d is %g m apart, not %g", round, q, i, x.Pairs[i].Bounds.Hi, y.Pairs[i].Bounds.Hi)
					break
				}
			}
			g, err := few.DistanceTracker(q)
			if err != nil {
				t.Fatal(err)
			}
			z, err := g.Distance(ctx, make([]float64, len(few.ActiveJoints())))
			if err != nil || z.Stopped != y.Stopped || !z.Stopped && (len(z.Pairs) != len(y.Pairs) || math.Abs(z.Self.Hi-y.Self.Hi) > 1e-9) {
				t.Errorf("round %d, %+v: a tracker: %d pairs, %v, of all %d, %v; %v", round, q, len(z.Pairs), z.Self, len(y.Pairs), y.Self, err)
			}
		}
	}
}

func first2(a, _ int) int { return a }

// A query that stops at a pair with the world claims of the robot's own pairs no more
// than what holds for those that are not listed.
func TestStoppedQueriesBoundFarPairs(t *testing.T) {
	at := grid(400, 0.9)
	world := worldOf(object("wall", box(0.1, 0.1, 0.1), pose(0.12, 0, -5)))
	few, err := New(rack(t, at, 0.1, true), world, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if few.engine.whole == nil {
		t.Fatal("all pairs are listed")
	}
	e, err := few.engine.all()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	truth, err := few.withEngine(e).Distance(ctx, nil, motion.DistanceQuery{})
	if err != nil {
		t.Fatal(err)
	}
	near := motion.DistanceRange{Min: 0.05}
	for _, q := range []motion.DistanceQuery{
		{DistanceRanges: motion.DistanceRanges{Min: 0.05}},
		{DistanceRanges: motion.DistanceRanges{WorldRange: &near}},
		{DistanceRanges: motion.DistanceRanges{WorldRange: &near, SelfRange: &motion.DistanceRange{Max: 0.1}}},
		{DistanceRanges: motion.DistanceRanges{Ranges: []motion.PairRange{{A: "arm", B: "wall", DistanceRange: near}}}, K: 3},
		{DistanceRanges: motion.DistanceRanges{Max: 0.2}},
	} {
		g, err := few.DistanceTracker(q)
		if err != nil {
			t.Fatal(err)
		}
		once, err := few.Distance(ctx, nil, q)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			again, err := g.Distance(ctx, make([]float64, len(few.ActiveJoints())))
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range []*motion.Distances{&once, again} {
				if d.Self.Lo > truth.Self.Hi {
					t.Errorf("%+v: stopped %v, self %v, but two links are %g m apart", q, d.Stopped, d.Self, truth.Self.Hi)
				}
			}
		}
	}
}

// Of what the robot carries, too, far pairs are not listed: distances do not say that there are none.
func TestFarPairsOfAttachedObjects(t *testing.T) {
	var at []geom.Vec
	for i := range 210 {
		at = append(at, geom.Vec{X: float64(i)})
	}
	tool := object("tool", ball(0.1), pose(100, 60, 0))
	tool.AttachedTo = "root"
	c, err := New(rack(t, at, 0.1, true), worldOf(tool, object("wall", ball(0.1), pose(100, 150, 0))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c.engine.whole == nil || c.model.Apart > 50 {
		t.Fatalf("pairs up to %g m apart are listed", c.model.Apart)
	}
	const truth = 60 - 0.1 - 0.05 // to the box below
	to80, from70 := &motion.DistanceRange{Max: 80}, &motion.DistanceRange{Min: 70, Max: 80}
	for _, q := range []motion.DistanceQuery{
		{},
		{OnlyAttached: true},
		{OnlyAttached: true, K: 3},
		{OnlyAttached: true, K: -1},
		{OnlyAttached: true, DistanceRanges: motion.DistanceRanges{AttachedRange: to80}},
		{DistanceRanges: motion.DistanceRanges{Max: 5}},
		{DistanceRanges: motion.DistanceRanges{Max: 5, AttachedRange: to80}},
		{DistanceRanges: motion.DistanceRanges{Max: 5, AttachedRange: from70}},
	} {
		d, err := c.Distance(context.Background(), nil, q)
		if err != nil {
			t.Fatal(err)
		}
		if d.Attached.Lo > truth+1e-9 || q.OnlyAttached && d.Self.Lo > truth+1e-9 {
			t.Errorf("%+v: at least %g, the robot to itself %g; they are %g apart", q, d.Attached.Lo, d.Self.Lo, truth)
		}
		if q.AttachedRange == from70 && !d.Stopped {
			t.Errorf("%+v: not stopped by a pair that is closer than its Min", q)
		}
	}
}
