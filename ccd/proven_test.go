package ccd

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate/verify"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// sliders are unit cubes on rails along x, whose ranges keep them apart by a metre
// at least, as long as c, which follows a, does so exactly:
//
//	a in [0, 1], b in [3, 4], c at a + 6, in [6, 7]; d is fixed at 20
const sliders = `<robot name="sliders"><link name="base"/>
<link name="a"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="b"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="c"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="d"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<joint name="ja" type="prismatic"><parent link="base"/><child link="a"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint>
<joint name="jb" type="prismatic"><parent link="base"/><child link="b"/><limit lower="3" upper="4" effort="1" velocity="1"/></joint>
<joint name="jc" type="prismatic"><parent link="base"/><child link="c"/><limit lower="6" upper="7" effort="1" velocity="1"/><mimic joint="ja" offset="6"/></joint>
<joint name="jd" type="fixed"><parent link="base"/><child link="d"/><origin xyz="20 0 0"/></joint>
</robot>`

func parsed(t testing.TB, text string) *urdf.Robot {
	t.Helper()
	r, err := urdf.Parse([]byte(text), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// allNever is the report, true of sliders, that no pair ever meets.
func allNever(t testing.TB, robot *urdf.Robot, opt pairproof.Options) *pairproof.Report {
	t.Helper()
	opt.Only = map[[2]int]bool{} // nothing is searched: it is known
	r, err := pairproof.All(context.Background(), robot, opt)
	if err != nil {
		t.Fatal(err)
	}
	for a := range robot.Links {
		for b := range a {
			if len(robot.Links[a].Collisions) > 0 && len(robot.Links[b].Collisions) > 0 {
				r.Pairs = append(r.Pairs, pairproof.Pair{A: b, B: a, LinkA: robot.Links[b].Name, LinkB: robot.Links[a].Name, Meets: pairproof.Never})
			}
		}
	}
	return &r
}

// proving returns a checker with the proofs and one that knows nothing of them; both
// check every pair.
func proving(t testing.TB, robot *urdf.Robot, world *scene.Snapshot, opt Options) (with, without *Checker) {
	t.Helper()
	with, err := New(robot, world, opt)
	if err != nil {
		t.Fatal(err)
	}
	opt.Proofs = allNever(t, robot, pairproof.Options{Padding: opt.Padding, Only: map[[2]int]bool{}})
	opt.Proofs.Pairs, opt.OnlyProven = nil, true
	if without, err = New(robot, world, opt); err != nil {
		t.Fatal(err)
	}
	return with, without
}

func straight(t testing.TB, joints string, from, to []float64) *motion.Motion {
	t.Helper()
	m, err := motion.Between(strings.Fields(joints), from, to, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A proof holds within the joints' limits, for its clearance and padding, and with
// mimic joints in their place. Beyond that the pair is checked, and contacts that the
// proof would have hidden are found.
func TestProofsHoldNoFartherThanTheyGo(t *testing.T) {
	robot := parsed(t, sliders)
	padded := &scene.Snapshot{LinkPadding: map[string]float64{"b": 1.2}}
	slim := &scene.Snapshot{LinkPadding: map[string]float64{"b": 0}}
	spline := func(ctrl ...float64) *motion.Motion {
		return &motion.Motion{Joints: []string{"jb"}, Pieces: []motion.Piece{{Start: 0, End: 1, Ctrl: [][]float64{ctrl}}}}
	}
	for _, tc := range []struct {
		name   string
		m      *motion.Motion
		q      motion.Query
		opt    Options
		world  *scene.Snapshot
		want   motion.Status
		proven int // pairs left out
	}{
		{"within the limits", straight(t, "ja jb", []float64{0, 4}, []float64{1, 3}), motion.Query{}, Options{}, nil, motion.Free, 6},
		{"a yes/no question", straight(t, "ja jb", []float64{0, 4}, []float64{1, 3}), motion.Query{Question: motion.IsFree}, Options{}, nil, motion.Free, 6},
		{"beyond the upper limit", straight(t, "ja", []float64{1}, []float64{2.5}), motion.Query{}, Options{State: map[string]float64{"jb": 3}}, nil, motion.Contact, 1},
		{"beyond the lower limit", straight(t, "jb", []float64{3}, []float64{1.5}), motion.Query{}, Options{State: map[string]float64{"ja": 1}}, nil, motion.Contact, 3},
		{"a hair beyond", straight(t, "jb", []float64{3}, []float64{3 - 1e-15}), motion.Query{}, Options{State: map[string]float64{"ja": 1}}, nil, motion.Free, 3},
		{"held beyond the limit", straight(t, "ja", []float64{0}, []float64{1}), motion.Query{}, Options{State: map[string]float64{"jb": 1.9}}, nil, motion.Contact, 3},
		{"a spline that swings out", spline(3, 3, -3, 3, 3, 3), motion.Query{}, Options{State: map[string]float64{"ja": 1}}, nil, motion.Contact, 3},
		{"a spline that stays, with control points outside", spline(3.5, 3.5, 4.2, 3.5, 3.5, 3.5), motion.Query{}, Options{}, nil, motion.Free, 6},
		{"a spline that stays, control points inside", spline(3, 3, 4, 4), motion.Query{}, Options{}, nil, motion.Free, 6},
		{"a tube that stays", straight(t, "jb", []float64{3.5}, []float64{3.6}), motion.Query{Tube: map[string]float64{"jb": 0.3}}, Options{}, nil, motion.Free, 6},
		{"a tube that leaves the limits", straight(t, "jb", []float64{3.5}, []float64{3.6}), motion.Query{Tube: map[string]float64{"jb": 0.6}}, Options{}, nil, motion.Free, 3},
		{"a tube below the lower limit", straight(t, "jb", []float64{3.2}, []float64{3.3}), motion.Query{Tube: map[string]float64{"jb": 0.3}}, Options{}, nil, motion.Free, 3},
		{"a tube above the upper limit", straight(t, "jb", []float64{3.7}, []float64{3.8}), motion.Query{Tube: map[string]float64{"jb": 0.3}}, Options{}, nil, motion.Free, 3},
		{"a tube around one whose follower is held to its own", straight(t, "ja", []float64{0.4}, []float64{0.5}), motion.Query{Tube: map[string]float64{"ja": 0.1, "jc": 0}}, Options{}, nil, motion.Free, 3},
		{"a tube that leaves them far", straight(t, "jb", []float64{3.5}, []float64{3.6}), motion.Query{Tube: map[string]float64{"jb": 2.5}}, Options{State: map[string]float64{"ja": 1}}, nil, motion.Contact, 3},
		{"a tube that exactly reaches the limit", straight(t, "jb", []float64{3.5}, []float64{3.5}), motion.Query{Tube: map[string]float64{"jb": 0.5}}, Options{}, nil, motion.Free, 3},
		{"a tube around what another joint follows", straight(t, "ja", []float64{0.4}, []float64{0.5}), motion.Query{Tube: map[string]float64{"ja": 0.1}}, Options{}, nil, motion.Free, 3},
		{"a tube around the follower", straight(t, "jb", []float64{3.5}, []float64{3.6}), motion.Query{Tube: map[string]float64{"jc": 0.1}}, Options{}, nil, motion.Free, 3},
		{"the follower strays into another", straight(t, "jb", []float64{3.9}, []float64{4}), motion.Query{Tube: map[string]float64{"jc": 1.5}}, Options{State: map[string]float64{"ja": 0.1}}, nil, motion.Contact, 3},
		{"a clearance larger than the proof's", straight(t, "ja jb", []float64{1, 3}, []float64{1, 3}), motion.Query{Clearance: 1.5}, Options{}, nil, motion.Contact, 0},
		{"a clearance that is kept all the same", straight(t, "ja jb", []float64{1, 3}, []float64{1, 3}), motion.Query{Clearance: 0.5}, Options{}, nil, motion.Free, 0},
		{"how close it comes", straight(t, "ja jb", []float64{1, 3}, []float64{1, 3}), motion.Query{Question: motion.MinClearance}, Options{}, nil, motion.Free, 0},
		{"nothing is left to check", straight(t, "ja jb", []float64{1, 3}, []float64{1, 3}), motion.Query{Question: motion.IsFree, NoWorld: true}, Options{}, worldOf(object("wall", box(0.2, 9, 9), pose(1, 0, 0))), motion.Free, 6},
		{"padding of a scene", straight(t, "ja jb", []float64{1, 3}, []float64{1, 3}), motion.Query{}, Options{}, padded, motion.Contact, 3},
		{"less padding in a scene than asked for", straight(t, "ja jb", []float64{1, 3}, []float64{1, 3}), motion.Query{}, Options{Padding: 0.1}, slim, motion.Free, 6},
	} {
		t.Run(tc.name, func(t *testing.T) {
			opt := tc.opt
			opt.Proofs, opt.OnlyProven = allNever(t, robot, pairproof.Options{Padding: opt.Padding}), true
			with, without := proving(t, robot, tc.world, opt)
			v, plain := ask(t, with, tc.m, tc.q), ask(t, without, tc.m, tc.q)
			if v.Status != tc.want || plain.Status != tc.want {
				t.Errorf("%v with proofs, %v without, want %v", v.Status, plain.Status, tc.want)
			}
			if v.ProvenPairs != tc.proven || plain.ProvenPairs != 0 {
				t.Errorf("%d pairs left out, want %d", v.ProvenPairs, tc.proven)
			}
			if v.MinClearance != plain.MinClearance {
				t.Errorf("closest %+v with proofs, %+v without", v.MinClearance.Bounds, plain.MinClearance.Bounds)
			}
		})
	}
}

// A proof made for a clearance holds for questions up to that clearance.
func TestClearanceOfProofs(t *testing.T) {
	robot := parsed(t, sliders)
	c, err := New(robot, nil, Options{Proofs: allNever(t, robot, pairproof.Options{Clearance: 0.5}), OnlyProven: true})
	if err != nil {
		t.Fatal(err)
	}
	rest := straight(t, "ja jb", []float64{1, 3}, []float64{1, 3})
	for clearance, want := range map[float64]int{0: 6, 0.5: 6, 0.5000001: 0} {
		if v := ask(t, c, rest, motion.Query{Clearance: clearance}); v.ProvenPairs != want || v.Status != motion.Free {
			t.Errorf("clearance %g: %v, %d pairs left out, want %d", clearance, v.Status, v.ProvenPairs, want)
		}
	}
	if n := c.Pairs().Proven; n != 6 {
		t.Errorf("%d pairs are proved, want 6", n)
	}
}

// Proofs of pairs change no answer to any query.
func TestProofsChangeNoAnswer(t *testing.T) {
	robot := parsed(t, sliders)
	with, without := proving(t, robot, nil, Options{Proofs: allNever(t, robot, pairproof.Options{Clearance: 0.25}), OnlyProven: true})
	r := rand.New(rand.NewPCG(7, 8))
	used, contacts, all := 0, 0, 1500
	if testing.Short() || race.Enabled {
		all = 300
	}
	for i := range all {
		m := &motion.Motion{Joints: []string{"ja", "jb"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{nil, nil}}}}
		for row, low := range []float64{0, 3} {
			spread := []float64{0.9, 1.02, 3}[r.IntN(3)]
			for range []int{2, 4, 6}[i%3] {
				m.Pieces[0].Ctrl[row] = append(m.Pieces[0].Ctrl[row], low+0.5+spread*(r.Float64()-0.5))
			}
		}
		q := motion.Query{Clearance: []float64{0, 0.2, 0.25, 0.3, 1.3}[r.IntN(5)], Question: []motion.Question{motion.FirstContact, motion.IsFree}[r.IntN(2)]}
		if r.IntN(2) == 0 {
			q.Tube = map[string]float64{[]string{"ja", "jb", "jc"}[r.IntN(3)]: []float64{0, 0.01, 0.4, 2}[r.IntN(4)]}
		}
		v, plain := ask(t, with, m, q), ask(t, without, m, q)
		if v.Status != plain.Status {
			t.Fatalf("%v with proofs (%d left out), %v without: %+v asked %+v", v.Status, v.ProvenPairs, plain.Status, m.Pieces[0], q)
		}
		if v.ProvenPairs > 0 {
			used++
		}
		if v.Status == motion.Contact {
			contacts++
		}
	}
	if used < all/4 || contacts < all/5 {
		t.Errorf("of %d questions %d used a proof and %d met a contact: that tests little", all, used, contacts)
	}
}

// Proofs are of links: what a link carries is checked, and so is the world.
func TestProofsAreOfLinks(t *testing.T) {
	robot := parsed(t, sliders)
	world := worldOf(object("tool", box(1.5, 0.2, 0.2), pose(1.2, 0, 0)), object("wall", box(0.2, 2, 2), pose(12, 0, 0)))
	world.Objects[0].AttachedTo = "a"
	c, err := New(robot, world, Options{Proofs: allNever(t, robot, pairproof.Options{}), OnlyProven: true})
	if err != nil {
		t.Fatal(err)
	}
	v := ask(t, c, straight(t, "ja jb", []float64{0, 4}, []float64{1, 3}), motion.Query{})
	if v.Status != motion.Contact || v.Contact.Pair.A.Name != "tool" && v.Contact.Pair.B.Name != "tool" || v.ProvenPairs != 6 {
		t.Errorf("%v of %v, %d pairs left out", v.Status, v.Contact.Pair, v.ProvenPairs)
	}
	v, err = c.Check(context.Background(), straight(t, "ja", []float64{0}, []float64{1}), motion.Query{NoSelf: true})
	if err != nil || v.ProvenPairs != 0 || v.Status != motion.Free {
		t.Errorf("%v with %d pairs left out of the world's (%v)", v.Status, v.ProvenPairs, err)
	}
}

// A certificate speaks of every pair, so that who verifies it needs no other proof.
func TestCertificatesAreOfAllPairs(t *testing.T) {
	robot := parsed(t, sliders)
	c, err := New(robot, nil, Options{Proofs: allNever(t, robot, pairproof.Options{}), OnlyProven: true})
	if err != nil {
		t.Fatal(err)
	}
	m := straight(t, "ja jb", []float64{0, 4}, []float64{1, 3})
	var b bytes.Buffer
	v, err := c.Certify(context.Background(), m, motion.Query{}, &b)
	if err != nil || v.Status != motion.Free || v.ProvenPairs != 0 {
		t.Fatalf("%v, %d pairs left out, %v", v.Status, v.ProvenPairs, err)
	}
	if _, err := verify.Verify(context.Background(), robot, nil, m, &b, verify.Options{}); err != nil {
		t.Error(err)
	}
}

// Distances are of all pairs; those to contact leave out what is proved, where it is.
func TestDistanceToContact(t *testing.T) {
	robot := parsed(t, sliders)
	report := allNever(t, robot, pairproof.Options{})
	report.Pairs = append(report.Pairs[:1:1], report.Pairs[2:]...) // of a and c nothing is known
	for _, method := range []SelfMethod{SelfSpacetime, SelfSpheres} {
		c, err := New(robot, nil, Options{Proofs: report, OnlyProven: true, SelfMethod: method})
		if err != nil {
			t.Fatal(err)
		}
		distancesToContact(t, c)
		all, err := New(robot, nil, Options{Proofs: allNever(t, robot, pairproof.Options{}), OnlyProven: true, SelfMethod: method})
		if err != nil {
			t.Fatal(err)
		}
		d, n, err := all.DistanceToContact(context.Background(), map[string]float64{"ja": 1, "jb": 3}, motion.DistanceQuery{K: 1})
		if err != nil || n != 6 || len(d.Pairs) != 0 || !(d.Self.Lo > 1e300) {
			t.Errorf("nothing can touch, but %+v, %d, %v", d, n, err)
		}
		if _, _, err := c.DistanceToContact(context.Background(), map[string]float64{"jx": 1}, motion.DistanceQuery{}); err == nil {
			t.Error("a joint that is not there has a distance")
		}
	}
}

func distancesToContact(t *testing.T, c *Checker) {
	t.Helper()
	for _, tc := range []struct {
		a, b   float64
		all    float64 // the smallest distance
		open   float64 // of the pairs that are not proved here
		proven int
	}{
		{1, 3, 1, 5, 5},
		{1, 2.5, 0.5, 0.5, 2},
		{2.25, 4, 0.75, 0.75, 1},
	} {
		at := map[string]float64{"ja": tc.a, "jb": tc.b}
		d, err := c.Distance(context.Background(), at, motion.DistanceQuery{K: 1})
		if err != nil || d.Self.Lo > tc.all || d.Self.Hi < tc.all {
			t.Errorf("%v: %v (%v), want %g", at, d.Self, err, tc.all)
		}
		d, n, err := c.DistanceToContact(context.Background(), at, motion.DistanceQuery{K: 1})
		if err != nil || d.Self.Lo > tc.open || d.Self.Hi < tc.open || n != tc.proven {
			t.Errorf("%v: %v to contact (%v), %d proved, want %g and %d", at, d.Self, err, n, tc.open, tc.proven)
		}
	}
}

// Pairs that always touch are left out as assumed, wherever the joints are.
func TestAlwaysIsAssumed(t *testing.T) {
	robot := parsed(t, strings.Replace(sliders, `lower="3" upper="4"`, `lower="0.5" upper="0.9"`, 1))
	report := allNever(t, robot, pairproof.Options{})
	for i := range report.Pairs {
		if p := &report.Pairs[i]; p.LinkA == "a" && p.LinkB == "b" {
			p.Meets = pairproof.Always
		}
	}
	c, err := New(robot, nil, Options{Proofs: report, OnlyProven: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []AssumedPair{{"a", "b", provedAlways}}
	if got := c.Pairs().Assumed; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("assumed %v, want %v", got, want)
	}
	if v := ask(t, c, straight(t, "ja", []float64{0}, []float64{1}), motion.Query{}); v.Status != motion.Free || v.AssumedPairs != 1 || v.ProvenPairs != 5 {
		t.Errorf("%v, %d assumed, %d proved", v.Status, v.AssumedPairs, v.ProvenPairs)
	}
}

// Where the SRDF is believed too, the premises say which of its pairs are proved.
func TestReasonsSayWhatIsProved(t *testing.T) {
	robot, err := urdf.ParseSRDF(parsed(t, sliders), []byte(`<robot name="sliders"><disable_collisions link1="a" link2="b" reason="User"/></robot>`))
	if err != nil {
		t.Fatal(err)
	}
	report := allNever(t, robot, pairproof.Options{})
	c, err := New(robot, nil, Options{Proofs: report})
	if err != nil {
		t.Fatal(err)
	}
	want := []AssumedPair{{"a", "b", "srdf: User, " + provedNever}}
	if got := c.Pairs().Assumed; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("assumed %v, want %v", got, want)
	}
	if c, err = New(robot, nil, Options{Proofs: report, OnlyProven: true}); err != nil || len(c.Pairs().Assumed) != 0 {
		t.Errorf("with proofs alone %v are assumed (%v)", c.Pairs().Assumed, err)
	}
}

func TestProofsOfAnotherModelAreRefused(t *testing.T) {
	robot := parsed(t, sliders)
	report := allNever(t, robot, pairproof.Options{})
	wider := parsed(t, strings.Replace(sliders, `lower="3" upper="4"`, `lower="2" upper="4"`, 1))
	for name, tc := range map[string]struct {
		robot *urdf.Robot
		opt   Options
	}{
		"other limits":   {wider, Options{Proofs: report}},
		"padding":        {robot, Options{Proofs: report, Padding: 0.1}},
		"link padding":   {robot, Options{Proofs: report, LinkPadding: map[string]float64{"a": 0.1}}},
		"another robot":  {slider(), Options{Proofs: report}},
		"only no proofs": {robot, Options{OnlyProven: true}},
	} {
		if _, err := New(tc.robot, nil, tc.opt); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// A joint that follows a continuous one by half a turn is elsewhere after each turn,
// of which a proof knows one.
func TestFollowersOfContinuousJoints(t *testing.T) {
	const text = `<robot name="r"><link name="base"/>
<link name="a"><collision><origin xyz="2 0 0"/><geometry><sphere radius="0.5"/></geometry></collision></link>
<link name="b"><collision><origin xyz="-2 0 0"/><geometry><sphere radius="0.5"/></geometry></collision></link>
<joint name="ja" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
<joint name="jb" type="continuous"><parent link="base"/><child link="b"/><axis xyz="0 0 1"/><mimic joint="ja" multiplier="%s"/></joint>
</robot>`
	for multiplier, proven := range map[string]int{"1": 1, "0.5": 0} {
		robot := parsed(t, fmt.Sprintf(text, multiplier))
		report := allNever(t, robot, pairproof.Options{}) // true of 1; of 0.5 within half a turn to either side
		c, err := New(robot, nil, Options{Proofs: report, OnlyProven: true})
		if err != nil {
			t.Fatal(err)
		}
		m := straight(t, "ja", []float64{0}, []float64{6.3})
		m.KeepTurns = true
		v := ask(t, c, m, motion.Query{})
		if v.ProvenPairs != proven || (v.Status == motion.Free) != (multiplier == "1") {
			t.Errorf("multiplier %s: %v, %d pairs left out", multiplier, v.Status, v.ProvenPairs)
		}
	}
}

func TestStaysWithin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	gaveUp := 0
	for range 20000 {
		c := make([]float64, 2+2*r.IntN(3))
		for i := range c {
			c[i] = 1.3 * (r.Float64()*2 - 1)
		}
		within := staysWithin(c, -1, 1, 0)
		inside := true
		for k := range 201 {
			x := valueAt(c, float64(k)/200)
			inside = inside && x >= -1 && x <= 1
		}
		if within && !inside {
			t.Fatalf("%v leaves [-1, 1]", c)
		}
		if inside && !within {
			gaveUp++
		}
	}
	if gaveUp > 20 {
		t.Errorf("of 20000 polynomials %d were given up", gaveUp)
	}
}

func valueAt(c []float64, s float64) float64 {
	c = append([]float64(nil), c...)
	for n := len(c) - 1; n > 0; n-- {
		for i := range n {
			c[i] += s * (c[i+1] - c[i])
		}
	}
	return c[0]
}

// A root link that moves takes the proofs with it, but nobody relies on them there.
func TestProofsAndMovingRoots(t *testing.T) {
	robot := parsed(t, sliders)
	c, err := New(robot, worldOf(object("wall", box(0.2, 9, 9), pose(-3, 0, 0))), Options{Proofs: allNever(t, robot, pairproof.Options{}), OnlyProven: true})
	if err != nil {
		t.Fatal(err)
	}
	m := onRoot(t, straight(t, "ja", []float64{0}, []float64{0}), motion.RootPiece{Start: geom.IdentityPose(), Velocity: geom.Vec{X: -4}})
	v := ask(t, c, m, motion.Query{})
	wantContactAt(t, v, 0.6, 1e-6)
	if v.ProvenPairs != 0 {
		t.Errorf("%d pairs left out", v.ProvenPairs)
	}
}
