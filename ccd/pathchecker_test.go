package ccd

import (
	"context"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func newPath(t testing.TB, c *Checker, q motion.Query) *PathChecker {
	t.Helper()
	q.Question = motion.IsFree
	p, err := c.PathChecker(q)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *PathChecker) ask(t testing.TB, ctx context.Context, m *motion.Motion) motion.Verdict {
	t.Helper()
	v, err := p.Check(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func through(t testing.TB, joints []string, rows [][]float64) *motion.Motion {
	t.Helper()
	m, err := motion.Path(joints, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// edit makes another path of waypoints that are like those given: one replaced, put
// in, left out or moved a little, the way back, a part of it, or the same.
func (d dice) edit(rows [][]float64) [][]float64 {
	out := append([][]float64(nil), rows...)
	k := d.IntN(len(out))
	switch d.IntN(8) {
	case 0:
		out[k] = d.row(len(rows[0]), 1.5)
	case 1:
		out = append(out[:k:k], append([][]float64{d.row(len(rows[0]), 1.5)}, out[k:]...)...)
	case 2:
		if len(out) > 2 {
			out = append(out[:k:k], out[k+1:]...)
		}
	case 3:
		out[k] = append([]float64(nil), out[k]...)
		x := &out[k][d.IntN(len(out[k]))]
		*x = math.Nextafter(*x, 9)
	case 4:
		for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
			out[i], out[j] = out[j], out[i]
		}
	case 5:
		if k > 0 && len(out) > 2 {
			out = out[min(k, len(out)-2):]
		}
	}
	return out
}

func (d dice) row(n int, size float64) []float64 {
	row := make([]float64, n)
	for i := range row {
		row[i] = d.In(-size, size)
	}
	return row
}

// A path that is mended again and again, and whose checks are cut short, is judged
// as one that is checked for the first time.
func TestPathsAreJudgedAsIfNew(t *testing.T) {
	count, cheaper := map[motion.Status]int{}, 0
	for seed := range long(40) {
		d := dice{chance.New(uint64(seed), 99)}
		robot := d.robot()
		c, err := New(robot, d.world(), anyRobot)
		if err != nil {
			t.Fatal(err)
		}
		q := motion.Query{Question: motion.IsFree}
		if d.IntN(3) == 0 {
			q.Clearance = d.In(0, 0.02)
		}
		if d.IntN(4) == 0 {
			q.Tube = d.tube(robot)
		}
		p, joints := newPath(t, c, q), c.ActiveJoints()
		rows := [][]float64{d.row(len(joints), 0.5)}
		for range 1 + d.IntN(6) {
			rows = append(rows, d.row(len(joints), 0.5))
		}
		for range 25 {
			m := through(t, joints, rows)
			ctx, cancel := context.Background(), context.CancelFunc(func() {})
			if d.IntN(2) == 0 {
				ctx, cancel = context.WithTimeout(ctx, time.Duration(d.IntN(40))*time.Microsecond)
			}
			v, err := p.Check(ctx, m)
			cancel()
			if err != nil {
				break // nothing to check
			}
			count[v.Status]++
			fresh, first := ask(t, c, m, q), ask(t, c, m, motion.Query{Clearance: q.Clearance, Tube: q.Tube})
			holdAgainst(t, &v, &fresh, &first, &cheaper)
			rows = d.edit(rows)
		}
	}
	t.Logf("%v, of which %d took less work than anew", count, cheaper)
	for s := motion.Undecided; s <= motion.Contact; s++ {
		if count[s] < 30 {
			t.Errorf("%d answers were %v: a poor test", count[s], s)
		}
	}
}

// holdAgainst holds a path's verdict against that of a fresh check and of its first
// contact.
func holdAgainst(t *testing.T, v, fresh, first *motion.Verdict, cheaper *int) {
	t.Helper()
	switch {
	case first.Status == motion.Undecided || fresh.Status == motion.Undecided:
		t.Fatalf("not decided: %s %s", first.Reason, fresh.Reason)
	case v.Status == motion.Undecided:
		if first.Status == motion.Contact && v.ProvenUntil > first.TOC.Hi {
			t.Fatalf("proved until %g, but there is a contact at %g", v.ProvenUntil, first.TOC.Hi)
		}
	case v.Status != fresh.Status:
		t.Fatalf("%v, but %v if asked anew: %+v", v.Status, fresh.Status, fresh.Contact)
	default:
		if v.Work.Intervals < fresh.Work.Intervals {
			*cheaper++
		}
		if v.Status == motion.Contact && v.TOC.Hi < first.TOC.Lo {
			t.Fatalf("contact at %g, which is free until %g", v.TOC.Hi, first.TOC.Lo)
		}
	}
}

// siblings is a robot with two links that slide along y, beside each other: an L that
// stands in the way of a ball.
func siblings() *urdf.Robot {
	r := &urdf.Robot{Name: "siblings", Links: []urdf.Link{{Name: "base", ParentJoint: -1}}}
	for i, l := range []urdf.Link{
		{Name: "l", Collisions: []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: lMesh()}}},
		{Name: "ball", Collisions: []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: ball(0.03)}}},
	} {
		l.ParentJoint = i
		r.Links = append(r.Links, l)
		r.Joints = append(r.Joints, urdf.Joint{
			Name: l.Name, Type: urdf.Prismatic, Parent: 0, Child: i + 1, Axis: geom.Vec{Y: 1},
			PosePC: pose(0.1*float64(i), -0.9*float64(i), 0), Limit: urdf.Limit{Bounded: true, Lower: -9, Upper: 9},
		})
	}
	return r
}

// What was proved of a piece inside a solid, when the path came from outside, does
// not make a path free that starts there.
func TestPathsAreAskedWhereTheyStart(t *testing.T) {
	slide := chainOf(chainJoint{name: "ball", kind: urdf.Prismatic, origin: pose(0.1, -0.9, 0), axis: geom.Vec{Y: 1}, shape: ball(0.03), at: pose(0, 0, 0)})
	for _, c := range []struct {
		name  string
		robot *urdf.Robot
		in    *Checker
	}{
		{"in the world", slide, newChecker(t, slide, worldOf(object("l", lMesh(), pose(0, 0, 0))))},
		{"in a link", siblings(), newChecker(t, siblings(), nil)},
	} {
		for name, q := range map[string]motion.Query{"": {}, ", with a tube": {Tube: map[string]float64{"ball": 1e-9}}} {
			t.Run(c.name+name, func(t *testing.T) {
				outside, in, deeper := []float64{0}, []float64{1.05}, []float64{1.8}
				joints := []string{"ball"}
				p := newPath(t, c.in, q)
				if v := p.ask(t, context.Background(), through(t, joints, [][]float64{outside, in, deeper})); v.Status != motion.Contact || v.Piece != 0 {
					t.Fatalf("%v in piece %d on the way in: the test does not test", v.Status, v.Piece)
				}
				inside := through(t, joints, [][]float64{in, deeper})
				if v := p.ask(t, context.Background(), inside); v.Status != motion.Contact {
					t.Errorf("a path that starts inside is %v %s", v.Status, v.Reason)
				}
				if v := p.ask(t, context.Background(), inside); v.Status != motion.Contact {
					t.Errorf("asked again, a path that starts inside is %v", v.Status)
				}
			})
		}
	}
}

// A piece is known by its numbers: what it was at the time, however little it is
// changed since, and by whoever it is.
func TestPathsAreKnownByTheirNumbers(t *testing.T) {
	c := newChecker(t, slider(), worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0))))
	rows := [][]float64{{0}, {0.2}, {-0.3}, {0.1}}
	p := newPath(t, c, motion.Query{})
	ctx := context.Background()
	if v := p.ask(t, ctx, through(t, []string{"x"}, rows)); v.Status != motion.Free || v.Work.Intervals == 0 {
		t.Fatalf("%v after %d intervals", v.Status, v.Work.Intervals)
	}
	m := through(t, []string{"x"}, rows)
	if v := p.ask(t, ctx, m); v.Status != motion.Free || v.Work.Intervals != 0 || v.ProvenUntil != 3 {
		t.Errorf("asked again: %v until %g after %d intervals", v.Status, v.ProvenUntil, v.Work.Intervals)
	}
	m.Pieces[2].Ctrl[0][1] = 1.5 // whoever does so keeps no motion, but must not be lied to
	if v := p.ask(t, ctx, m); v.Status != motion.Contact || v.Piece != 2 {
		t.Errorf("through the wall: %v", v.Status)
	}
	if v := p.ask(t, ctx, m); v.Status != motion.Contact || v.Piece != 2 || v.Work.Intervals > 1 {
		t.Errorf("through the wall again: %v after %d intervals", v.Status, v.Work.Intervals)
	}
	rows[2][0] = math.Nextafter(rows[2][0], 0)
	if v := p.ask(t, ctx, through(t, []string{"x"}, rows)); v.Status != motion.Free || v.Work.Intervals != 2 {
		t.Errorf("two pieces changed by a rounding: %v after %d intervals, want 2", v.Status, v.Work.Intervals)
	}
}

// A proof that was cut short goes on.
func TestPathsGoOn(t *testing.T) {
	d := dice{chance.New(3, 4)}
	c := newChecker(t, d.robot(), d.world())
	joints := c.ActiveJoints()
	for range 200 {
		rows := make([][]float64, 8)
		for i := range rows {
			rows[i] = d.row(len(joints), 0.6)
		}
		m := through(t, joints, rows)
		whole := ask(t, c, m, motion.Query{Question: motion.IsFree})
		if whole.Status != motion.Free || whole.Work.Intervals < 12 {
			continue
		}
		p, n, work, longest := newPath(t, c, motion.Query{}), 0, 0, 0
		for ; ; n++ {
			ctx, cancel := context.WithTimeout(context.Background(), whole.Compute/4)
			v := p.ask(t, ctx, m)
			cancel()
			work, longest = work+v.Work.Intervals, max(longest, v.Work.Intervals)
			if v.Status == motion.Free {
				break
			}
			if v.Status == motion.Contact || n > 100000 {
				t.Fatalf("%v after %d parts", v.Status, n)
			}
		}
		if n > 1 && longest < whole.Work.Intervals && work < 3*whole.Work.Intervals+10*n {
			return
		}
	}
	t.Error("no path was proved in parts")
}

func TestPathsOfSeveralGoroutines(t *testing.T) {
	c := newChecker(t, slider(), worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0))))
	p := newPath(t, c, motion.Query{})
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 50 {
				end, want := 0.01*float64(i%10), motion.Free
				if i%2 == 1 {
					end, want = 1.2, motion.Contact
				}
				m, err := motion.Path([]string{"x"}, [][]float64{{0}, {0.001 * float64(k)}, {end}}, nil)
				if err != nil {
					t.Error(err)
					return
				}
				if v, err := p.Check(context.Background(), m); err != nil || v.Status != want {
					t.Errorf("%v %v, want %v", v.Status, err, want)
				}
			}
		}()
	}
	wg.Wait()
}

func TestPathRefuses(t *testing.T) {
	c := newChecker(t, slider(), nil)
	for _, q := range []motion.Query{{}, {Question: motion.MinClearance}, {Question: motion.IsFree, Clearance: -1}} {
		if _, err := c.PathChecker(q); err == nil {
			t.Errorf("%+v is taken", q)
		}
	}
}

// A path whose root link moves is asked of another model, and what was kept of the
// one is not taken for the other's.
func TestPathsAreAskedOfTheirModel(t *testing.T) {
	robot := slider()
	robot.Links[0].Collisions = []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: ball(0.05)}}
	c := newChecker(t, robot, worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0)), object("shelf", box(0.2, 2, 2), pose(-0.5, 0, 0))))
	p := newPath(t, c, motion.Query{})
	still := through(t, []string{"x"}, [][]float64{{0.3}, {0.4}})
	for range 3 {
		for _, by := range []float64{0, 0.1, 1} {
			m, want := *still, motion.Free
			if by > 0 {
				var err error
				if m.Root, err = motion.RootThrough([]float64{0, 1}, []geom.Pose{pose(0, 0, 0), pose(by, 0, 0)}); err != nil {
					t.Fatal(err)
				}
			}
			if by == 1 {
				want = motion.Contact
			}
			if v := p.ask(t, context.Background(), &m); v.Status != want {
				t.Errorf("the root moves by %g: %v, want %v", by, v.Status, want)
			}
		}
	}
	// Nor is what is known in one world in another.
	other := newPath(t, newChecker(t, robot, worldOf(object("wall", box(0.2, 2, 2), pose(0.35, 0, 0)))), motion.Query{})
	other.model, other.fronts = p.model, p.fronts
	if v := other.ask(t, context.Background(), still); v.Status != motion.Contact {
		t.Errorf("in another world: %v", v.Status)
	}
}
