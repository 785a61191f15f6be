package motion_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

func drawVec(t *rapid.T, name string, size float64) geom.Vec {
	x := rapid.SliceOfN(rapid.Float64Range(-size, size), 3, 3).Draw(t, name)
	return geom.Vec{X: x[0], Y: x[1], Z: x[2]}
}

func drawAxis(t *rapid.T) geom.Vec {
	axis, ok := geom.Unit(drawVec(t, "axis", 1))
	if !ok {
		t.Skip("no direction")
	}
	return axis
}

func drawPose(t *rapid.T) geom.Pose {
	return geom.Pose{R: geom.AxisAngle(drawAxis(t), rapid.Float64Range(-4, 4).Draw(t, "angle")), P: drawVec(t, "position", 3)}
}

// apart is the largest distance of corresponding points within a metre or so.
func apart(a, b geom.Pose) float64 {
	worst := 0.0
	for _, v := range []geom.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}} {
		worst = math.Max(worst, geom.Norm(r3.Sub(a.Apply(v), b.Apply(v))))
	}
	return worst
}

// moving is a motion of one resting joint on a root of the given pieces.
func moving(times []float64, root []motion.RootPiece) *motion.Motion {
	m := &motion.Motion{Joints: oneJoint, Root: root}
	for i := range root {
		m.Pieces = append(m.Pieces, motion.Piece{Start: times[i], End: times[i+1], Ctrl: [][]float64{{0}}})
	}
	return m
}

func drawRoot(t *rapid.T) (*motion.Motion, []float64, []geom.Pose) {
	times, poses := []float64{rapid.Float64Range(0, 2).Draw(t, "t0")}, []geom.Pose{drawPose(t)}
	for i := range rapid.IntRange(1, 4).Draw(t, "pieces") {
		turn := geom.AxisAngle(drawAxis(t), rapid.Float64Range(-3.1, 3.1).Draw(t, "turn"))
		times = append(times, times[i]+rapid.Float64Range(1e-3, 3).Draw(t, "dt"))
		poses = append(poses, geom.Pose{R: turn.Mul(poses[i].R), P: drawVec(t, "position", 3)})
	}
	root, err := motion.RootThrough(times, poses)
	if err != nil {
		t.Fatal(err)
	}
	m := moving(times, root)
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m, times, poses
}

// Through each pose at its time; in between the origin goes straight ahead and
// the orientation turns evenly, by less than half a turn.
func TestRootThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, times, poses := drawRoot(t)
		for i, at := range times {
			if d := apart(m.RootAt(at), poses[i]); d > 1e-12 {
				t.Fatalf("at %g s %g from the pose", at, d)
			}
		}
		i := rapid.IntRange(0, len(m.Root)-1).Draw(t, "piece")
		s := rapid.Float64Range(0, 1).Draw(t, "s")
		x := m.RootAt(times[i] + s*(times[i+1]-times[i]))
		a, b := poses[i], poses[i+1]
		if d := geom.Norm(r3.Sub(x.P, r3.Add(r3.Scale(1-s, a.P), r3.Scale(s, b.P)))); d > 1e-11 {
			t.Fatalf("the origin is %g off its line", d)
		}
		whole, part := angleOf(b.R.Mul(a.R.Inv())), angleOf(x.R.Mul(a.R.Inv()))
		if math.Abs(part-s*whole) > 1e-6 { // acos
			t.Fatalf("has turned %g of %g rad after %g of the time", part, whole, s)
		}
	})
}

// angleOf is the angle of a rotation, from its trace.
func angleOf(r geom.Rot) float64 {
	return math.Acos(math.Max(-1, math.Min(1, (r.XX+r.YY+r.ZZ-1)/2)))
}

// The turn is found where one formula or the other is bad: no turn, tiny ones,
// and almost half a turn about any axis.
func TestRootTurnsOfAnySize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		axis := drawAxis(t)
		if rapid.Bool().Draw(t, "along an axis") {
			axis = rapid.SampledFrom([]geom.Vec{{X: 1}, {Y: 1}, {Z: -1}}).Draw(t, "which")
		}
		angle := math.Pow(10, -float64(rapid.IntRange(0, 17).Draw(t, "exponent")))
		if rapid.Bool().Draw(t, "near half a turn") {
			angle = math.Pi - math.Max(angle, 2e-5)
		}
		if rapid.IntRange(0, 9).Draw(t, "none") == 0 {
			angle = 0
		}
		root, err := motion.RootThrough([]float64{0, 2}, []geom.Pose{geom.IdentityPose(), {R: geom.AxisAngle(axis, angle)}})
		if err != nil {
			t.Fatal(err)
		}
		if d := geom.Norm(r3.Sub(r3.Scale(2, root[0].Turn), r3.Scale(angle, axis))); d > 1e-13 {
			t.Fatalf("turn %v, want %g about %v", r3.Scale(2, root[0].Turn), angle, axis)
		}
	})
}

// A point of the root link that is named in Point moves in a straight line; every
// other one turns about it.
func TestRootTurnsAboutItsPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := motion.RootPiece{Start: drawPose(t), Point: drawVec(t, "point", 3), Velocity: drawVec(t, "velocity", 2), Turn: drawVec(t, "turn", 2)}
		m := moving([]float64{1, 3}, []motion.RootPiece{r})
		if d := apart(m.RootAt(1), r.Start); d > 1e-14 {
			t.Fatalf("starts %g from its start", d)
		}
		u := rapid.Float64Range(0, 2).Draw(t, "u")
		x, v := m.RootAt(1+u), drawVec(t, "v", 1)
		line := r3.Add(r.Point, r3.Scale(u, r.Velocity))
		if d := geom.Norm(r3.Sub(x.Apply(r.Start.ApplyInv(r.Point)), line)); d > 1e-12 {
			t.Fatalf("the point is %g off its line", d)
		}
		// The velocity of any other point, by differences.
		const h = 1e-6
		if u < h || u > 2-h {
			t.Skip("no room for a difference")
		}
		got := r3.Scale(1/(2*h), r3.Sub(m.RootAt(1+u+h).Apply(v), m.RootAt(1+u-h).Apply(v)))
		want := r3.Add(r.Velocity, r3.Cross(r.Turn, r3.Sub(x.Apply(v), line)))
		if d := geom.Norm(r3.Sub(got, want)); d > 1e-6 {
			t.Fatalf("a point moves at %v, want %v", got, want)
		}
	})
}

func TestRootRests(t *testing.T) {
	m, err := motion.Between(oneJoint, row(0), row(1), 1)
	if err != nil {
		t.Fatal(err)
	}
	if m.RootAt(0.5) != geom.IdentityPose() {
		t.Error("a root that does not move is elsewhere")
	}
	m.Root = []motion.RootPiece{{Start: geom.IdentityPose(), Velocity: geom.Vec{X: 2}}}
	for at, want := range map[float64]float64{-1: 0, 0: 0, 0.5: 1, 1: 2, 5: 2} {
		if got := m.RootAt(at).P.X; got != want {
			t.Errorf("at %g s it is at %g, want %g", at, got, want)
		}
	}
}

func TestRootBackwardsAndSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, times, _ := drawRoot(t)
		first, last := times[0], m.Duration()
		at := rapid.Float64Range(first, last).Draw(t, "t")
		r, err := m.Reverse()
		if err != nil {
			t.Fatal(err)
		}
		if d := apart(r.RootAt(first+(last-at)), m.RootAt(at)); d > 1e-9 {
			t.Fatalf("backwards, %g away at %g s", d, at)
		}
		cut := rapid.Float64Range(first+1e-6, last-1e-6).Draw(t, "cut")
		if rapid.Bool().Draw(t, "at a seam") {
			cut = times[1]
		}
		if !(cut > first && cut < last) {
			t.Skip("nothing to split")
		}
		before, after, err := m.Split(cut)
		if err != nil {
			t.Fatal(err)
		}
		for _, half := range []*motion.Motion{before, after} {
			if err := half.Validate(); err != nil {
				t.Fatal(err)
			}
			if at >= half.Pieces[0].Start && at <= half.Duration() && apart(half.RootAt(at), m.RootAt(at)) > 1e-12 {
				t.Fatalf("split at %g, elsewhere at %g s", cut, at)
			}
		}
		if d := apart(before.RootAt(cut), after.RootAt(cut)); d > 1e-12 {
			t.Fatalf("the halves miss each other by %g", d)
		}
	})
}

func TestRootThroughErrors(t *testing.T) {
	i, nan := geom.IdentityPose(), math.NaN()
	for _, c := range []struct {
		name  string
		times []float64
		poses []geom.Pose
		want  []string
	}{
		{"one pose", []float64{0}, []geom.Pose{i}, []string{"1 poses", "at least two"}},
		{"count", []float64{0}, []geom.Pose{i, i}, []string{"2 poses at 1 times"}},
		{"times", []float64{1, 1}, []geom.Pose{i, i}, []string{"pose 1", "sort"}},
		{"NaN time", []float64{0, nan}, []geom.Pose{i, i}, []string{"pose 1", "NaN"}},
		{"NaN position", []float64{0, 1}, []geom.Pose{i, geom.Translation(geom.Vec{Y: nan})}, []string{"pose 1", "NaN", "not finite"}},
		{"no orientation", []float64{0, 1}, []geom.Pose{{}, i}, []string{"pose 0", "no rotation"}},
		{"mirror", []float64{0, 1}, []geom.Pose{i, {R: geom.Rot{XX: 1, YY: 1, ZZ: -1}}}, []string{"pose 1", "no rotation"}},
		{"half a turn", []float64{0, 1}, []geom.Pose{i, {R: geom.AxisAngle(geom.Vec{Z: 1}, math.Pi)}}, []string{"half a turn", "poses 0 and 1", "between"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := motion.RootThrough(c.times, c.poses)
			wantError(t, err, c.want)
		})
	}
}

func TestValidateRoot(t *testing.T) {
	valid := func() *motion.Motion {
		return moving([]float64{0, 1, 2}, []motion.RootPiece{
			{Start: geom.IdentityPose(), Velocity: geom.Vec{X: 1}},
			{Start: geom.Translation(geom.Vec{X: 1}), Point: geom.Vec{X: 1}, Turn: geom.Vec{Z: 1}},
		})
	}
	if err := valid().Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		spoil func(*motion.Motion)
		want  []string
	}{
		{"too few", func(m *motion.Motion) { m.Root = m.Root[:1] }, []string{"1 pieces", "joints have 2"}},
		{"no orientation", func(m *motion.Motion) { m.Root[0].Start.R = geom.Rot{} }, []string{"piece 0", "no rotation"}},
		{"NaN in the orientation", func(m *motion.Motion) { m.Root[0].Start.R.XY = math.NaN() }, []string{"piece 0", "no rotation"}},
		{"NaN point", func(m *motion.Motion) { m.Root[1].Point.X = math.NaN() }, []string{"piece 1", "not finite"}},
		{"infinite velocity", func(m *motion.Motion) { m.Root[0].Velocity.X = math.Inf(1) }, []string{"piece 0", "not finite"}},
		{"infinite turn", func(m *motion.Motion) { m.Root[1].Turn.X = math.Inf(1) }, []string{"piece 1", "not finite"}},
		{"beyond float64", func(m *motion.Motion) { m.Root[1].Velocity.X = 1.7e308; m.Root[1].Point.X = 1.7e308 }, []string{"piece 1", "beyond what can be computed"}},
		{"a top", func(m *motion.Motion) { m.Root[1].Turn.X = 1.01e4 }, []string{"piece 1", "beyond what can be computed"}},
		{"jump", func(m *motion.Motion) { m.Root[1].Start.P.X += 1e-6 }, []string{"root link jumps", "at 1 s", "pieces 0 and 1"}},
		{"jump in orientation", func(m *motion.Motion) { m.Root[1].Start.R = geom.AxisAngle(geom.Vec{Y: 1}, 1e-6) }, []string{"root link jumps"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := valid()
			c.spoil(m)
			wantError(t, m.Validate(), c.want)
		})
	}
}

// Waypoints that place the root link give it a motion of its own; those that
// repeat the one before are left out there too.
func TestWaypointsMoveTheRoot(t *testing.T) {
	at := func(t, x, q float64) motion.Waypoint {
		pose := geom.Translation(geom.Vec{X: x})
		return motion.Waypoint{Time: t, Positions: row(q), Root: &pose}
	}
	for _, through := range []motion.Interpolation{motion.JTC, motion.StraightLines} {
		m, err := through.Through(oneJoint, []motion.Waypoint{at(1, 0, 0), at(2, 3, 1), at(2, 3, 1), at(4, 3, 1), at(5, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		for at, want := range map[float64]float64{1: 0, 1.5: 1.5, 2: 3, 3: 3, 4.5: 1.5, 5: 0} {
			if got := m.RootAt(at).P.X; got != want {
				t.Errorf("%s: at %g s it is at %g, want %g", through, at, got, want)
			}
		}
		rest, err := through.Through(oneJoint, []motion.Waypoint{at(1, 7, 0)})
		if err != nil {
			t.Fatal(err)
		}
		if len(rest.Root) != 1 || rest.RootAt(1.5).P.X != 7 || rest.Root[0].Velocity.X != 0 {
			t.Errorf("%s: rests as %+v", through, rest.Root)
		}
		_, err = through.Through(oneJoint, []motion.Waypoint{at(1, 0, 0), at(1, 1, 0)})
		wantError(t, err, []string{"root link jumps", "waypoints 0 and 1"})
		_, err = through.Through(oneJoint, []motion.Waypoint{at(1, 0, 0), at(2, math.NaN(), 0)})
		wantError(t, err, []string{"pose 1", "not finite"})
	}
}

func TestLeadInPlacesTheRoot(t *testing.T) {
	pose := geom.Translation(geom.Vec{X: 1})
	if w := motion.LeadIn(row(0), motion.Waypoint{Root: &pose}); w.Root != &pose {
		t.Error("the lead-in places the root link elsewhere")
	}
}
