package motion_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/motion"
)

var ab = []string{"a", "b"}

func TestBetween(t *testing.T) {
	m, err := motion.Between(ab, []float64{0, 1}, []float64{2, -1}, 4)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if m.Duration() != 4 || len(m.Pieces) != 1 {
		t.Fatalf("duration %g with %d pieces, want 4 with 1", m.Duration(), len(m.Pieces))
	}
	for _, c := range []struct {
		t    float64
		want []float64
	}{
		{-1, []float64{0, 1}},
		{0, []float64{0, 1}},
		{1, []float64{0.5, 0.5}},
		{4, []float64{2, -1}},
		{9, []float64{2, -1}},
	} {
		if got := m.At(c.t); !slices.Equal(got, c.want) {
			t.Errorf("At(%g) = %v, want %v", c.t, got, c.want)
		}
	}
}

func TestPathTimes(t *testing.T) {
	rows := [][]float64{{0}, {1}, {1}, {3}}
	for _, c := range []struct {
		name  string
		rows  [][]float64
		times []float64
		want  []float64 // starts of the pieces, then the end of the last
	}{
		{"one second each", rows, nil, []float64{0, 1, 2, 3}},
		{"given", rows, []float64{0, 0.5, 2, 4}, []float64{0, 0.5, 2, 4}},
		{"late start", rows, []float64{1, 2, 3, 4}, []float64{1, 2, 3, 4}},
		{"duplicate dropped", rows, []float64{0, 1, 1, 2}, []float64{0, 1, 2}},
		{"a rest", rows[:1], []float64{3}, []float64{3, 4}},
		{"a rest said twice", rows[1:3], []float64{3, 3}, []float64{3, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := motion.Path([]string{"j"}, c.rows, c.times)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Validate(); err != nil {
				t.Fatal(err)
			}
			var got []float64
			for _, p := range m.Pieces {
				got = append(got, p.Start)
			}
			if got = append(got, m.Duration()); !slices.Equal(got, c.want) {
				t.Errorf("pieces at %v, want %v", got, c.want)
			}
		})
	}
}

func TestPathCopiesItsInput(t *testing.T) {
	names, rows := []string{"j"}, [][]float64{{0}, {1}}
	m, err := motion.Path(names, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	names[0], rows[1][0] = "x", 9
	if m.Joints[0] != "j" || m.At(1)[0] != 1 {
		t.Errorf("the motion changed with the caller's slices: %v %v", m.Joints, m.At(1))
	}
}

func TestConstructorErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	path := func(joints []string, rows [][]float64, times []float64) func() error {
		return func() error { _, err := motion.Path(joints, rows, times); return err }
	}
	between := func(from, to []float64, d float64) func() error {
		return func() error { _, err := motion.Between(ab, from, to, d); return err }
	}
	two := [][]float64{{0}, {1}}
	j := []string{"j"}
	for _, c := range []struct {
		name string
		call func() error
		want []string
	}{
		{"duration 0", between([]float64{0, 0}, []float64{1, 1}, 0), []string{"duration", "positive"}},
		{"duration NaN", between([]float64{0, 0}, []float64{1, 1}, nan), []string{"duration", "NaN"}},
		{"duration Inf", between([]float64{0, 0}, []float64{1, 1}, inf), []string{"duration", "Inf"}},
		{"too few positions", between([]float64{0}, []float64{1, 1}, 1), []string{"waypoint 0", "1 positions for 2 joints"}},
		{"NaN position", between([]float64{0, 0}, []float64{1, nan}, 1), []string{"waypoint 1", "joint b", "NaN"}},
		{"infinite position", between([]float64{-inf, 0}, []float64{1, 0}, 1), []string{"waypoint 0", "joint a", "-Inf"}},
		{"no joints", path(nil, two, nil), []string{"no joints"}},
		{"nameless joint", path([]string{""}, two, nil), []string{"joint 0", "no name"}},
		{"joint named twice", path([]string{"x", "y", "x"}, [][]float64{{0, 0, 0}}, nil), []string{"joint x", "twice"}},
		{"no waypoints", path(j, nil, nil), []string{"no waypoints"}},
		{"count of times", path(j, two, []float64{0}), []string{"2 waypoints", "1 times"}},
		{"negative time", path(j, two, []float64{-1, 0}), []string{"waypoint 0", "-1 s"}},
		{"NaN time", path(j, two, []float64{0, nan}), []string{"waypoint 1", "NaN"}},
		{"time beyond clocks", path(j, two, []float64{0, 1e300}), []string{"waypoint 1", "1e+300"}},
		{"time runs back", path(j, two, []float64{2, 1}), []string{"waypoint 1", "sort"}},
		{"jump", path(j, two, []float64{1, 1}), []string{"joint j jumps from 0 to 1", "waypoints 0 and 1"}},
	} {
		t.Run(c.name, func(t *testing.T) { wantError(t, c.call(), c.want) })
	}
}

func wantError(t *testing.T, err error, parts []string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, s := range parts {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q does not say %q", err, s)
		}
	}
}

func TestLinearIsPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		joints := []string{"a", "b", "c"}[:rapid.IntRange(1, 3).Draw(t, "joints")]
		rows, times := make([][]float64, n), make([]float64, n)
		points := make([]motion.Waypoint, n)
		now := rapid.Float64Range(0, 1).Draw(t, "t0")
		for i := range n {
			rows[i] = rapid.SliceOfN(rapid.Float64Range(-3, 3), len(joints), len(joints)).Draw(t, "q")
			times[i] = now
			points[i] = motion.Waypoint{Time: now, Positions: rows[i]}
			now += rapid.Float64Range(1e-3, 2).Draw(t, "dt")
		}
		m, err := motion.Path(joints, rows, times)
		if err != nil {
			t.Fatal(err)
		}
		l, err := motion.Linear(joints, points)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		for i, at := range times {
			// The waypoints are met exactly, not to rounding.
			if !slices.Equal(m.At(at), rows[i]) || !slices.Equal(l.At(at), rows[i]) {
				t.Fatalf("at %g s: path %v, linear %v, want %v", at, m.At(at), l.At(at), rows[i])
			}
		}
	})
}

func TestLongPathIsCheap(t *testing.T) {
	joints := []string{"1", "2", "3", "4", "5", "6", "7"}
	rows := make([][]float64, 10_000)
	for i := range rows {
		rows[i] = make([]float64, len(joints))
		rows[i][i%7] = float64(i)
	}
	allocs := testing.AllocsPerRun(3, func() {
		if _, err := motion.Path(joints, rows, nil); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 20 {
		t.Errorf("a path of 10,000 waypoints takes %g allocations, want a handful", allocs)
	}
}
