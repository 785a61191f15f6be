package ccd

import (
	"context"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// A motion that goroutines share is judged as by one: the same status, times of
// contact and smallest distances within their tolerances.
func TestSharedMotionsAreJudgedAsByOne(t *testing.T) {
	defer noneLeft(t)()
	count := map[motion.Status]int{}
	for seed := range long(60) {
		d := dice{chance.New(uint64(seed), 17)}
		robot := d.robot()
		c, err := New(robot, d.world(), anyRobot)
		if err != nil {
			t.Fatal(err)
		}
		joints := c.ActiveJoints()
		rows := [][]float64{d.row(len(joints), 0.5)}
		for range 4 + d.IntN(12) {
			rows = append(rows, d.row(len(joints), 0.5))
		}
		m := through(t, joints, rows)
		for _, question := range []motion.Question{motion.FirstContact, motion.IsFree, motion.MinClearance} {
			q := motion.Query{Question: question, Clearance: float64(d.IntN(2)) * d.In(0, 0.01)}
			one, err := c.Check(context.Background(), m, q)
			if err != nil {
				break // nothing to check
			}
			count[one.Status]++
			var before motion.Verdict
			for _, q.Workers = range []int{2, 2, 3, 7} {
				many := ask(t, c, m, q)
				holdShared(t, &one, &many, q)
				if before.Status == motion.Contact && question == motion.FirstContact && (before.TOC != many.TOC || before.Contact != many.Contact) {
					t.Fatalf("a first contact at %v and at %v", before.TOC, many.TOC)
				}
				before = many
			}
		}
	}
	if t.Logf("%v", count); count[motion.Free] < 30 || count[motion.Contact] < 30 {
		t.Errorf("%v: a poor test", count)
	}
}

// A first contact is told alike however the workers share the pieces: none remembers anything of
// those that it searched before.
func TestFirstContactOfManyIsAlwaysTheSame(t *testing.T) {
	contacts := 0
	for seed := range long(60) {
		d := dice{chance.New(uint64(seed), 17)}
		robot := d.robot()
		c, err := New(robot, d.world(), anyRobot)
		if err != nil {
			t.Fatal(err)
		}
		joints := c.ActiveJoints()
		if len(joints) == 0 {
			continue
		}
		rows := [][]float64{d.row(len(joints), 0.5)}
		for range 4 + d.IntN(12) {
			rows = append(rows, d.row(len(joints), 0.5))
		}
		m := through(t, joints, rows)
		first := ask(t, c, m, motion.Query{Workers: 2})
		if first.Status != motion.Contact {
			continue
		}
		contacts++
		for k := range 100 {
			if v := ask(t, c, m, motion.Query{Workers: 2 + k%6}); v.TOC != first.TOC || v.Contact != first.Contact {
				t.Fatalf("seed %d: a first contact at %v and at %v", seed, first.TOC, v.TOC)
			}
		}
	}
	if contacts < 20 {
		t.Errorf("%d contacts: a poor test", contacts)
	}
}

// noneLeft returns a function that fails where there are more goroutines than now.
func noneLeft(t *testing.T) func() {
	before := runtime.NumGoroutine()
	return func() {
		t.Helper()
		for range 100 {
			if runtime.NumGoroutine() <= before {
				return
			}
			time.Sleep(10 * time.Millisecond) // one that has said that it is done may not be gone yet
		}
		t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
	}
}

func holdShared(t *testing.T, one, many *motion.Verdict, q motion.Query) {
	t.Helper()
	switch {
	case one.Status != many.Status:
		t.Fatalf("%v by one, %v by %d: %s", one.Status, many.Status, q.Workers, many.Reason)
	case one.Status == motion.Free && many.ProvenUntil != one.ProvenUntil:
		t.Fatalf("free until %g by one, %g by %d", one.ProvenUntil, many.ProvenUntil, q.Workers)
	case one.Status == motion.Contact && q.Question != motion.IsFree:
		early, late := one, many
		if late.TOC.Hi < early.TOC.Hi {
			early, late = late, early
		}
		// What is within the tolerance of touching may be called either way.
		if grazes := early.Contact.Distance > q.Clearance; many.TOC.Hi-many.TOC.Lo > motion.DefaultTimeTolerance || late.TOC.Lo > early.TOC.Hi && !grazes {
			t.Fatalf("a first contact in %v by one, in %v by %d", one.TOC, many.TOC, q.Workers)
		}
	case one.Status == motion.Free && q.Question == motion.MinClearance:
		a, b := one.MinClearance, many.MinClearance
		if a.Known != b.Known || b.Bounds.Lo > a.Bounds.Hi || a.Bounds.Lo > b.Bounds.Hi || b.Bounds.Hi-b.Bounds.Lo > 1.001*motion.DefaultClearanceTolerance {
			t.Fatalf("closest in %v by one, in %v by %d", a.Bounds, b.Bounds, q.Workers)
		}
		if b.Known && math.Abs(b.At.Distance-b.Bounds.Hi) > 1e-12 {
			t.Fatalf("a distance of %g where the bound is %g", b.At.Distance, b.Bounds.Hi)
		}
	}
}

// Whichever piece it is that touches, somebody looks at it.
func TestSharedMotionsLeaveNoPieceOut(t *testing.T) {
	c := newChecker(t, slider(), worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0))))
	const n = 13
	for k := range n {
		rows := make([][]float64, n+1)
		for i := range rows {
			rows[i] = []float64{0.1 * float64(i%3)}
		}
		m := through(t, []string{"x"}, rows)
		ends := m.Pieces[k].Ctrl[0]
		m.Pieces[k].Ctrl[0] = []float64{ends[0], 3, ends[1]} // into the wall and back
		for workers := 1; workers <= 8; workers++ {
			for _, question := range []motion.Question{motion.FirstContact, motion.IsFree} {
				v := ask(t, c, m, motion.Query{Question: question, Workers: workers})
				if v.Status != motion.Contact || v.Piece != k {
					t.Errorf("%d workers, question %d: %v in piece %d, want a contact in %d", workers, question, v.Status, v.Piece, k)
				}
			}
		}
	}
}

// A shared check that is cut short ends soon, says what was proved, and leaves no
// goroutine behind.
func TestSharedMotionsEndWhenTold(t *testing.T) {
	defer noneLeft(t)()
	count := map[motion.Status]int{}
	for seed := range long(40) {
		d := dice{chance.New(uint64(seed), 18)}
		c, err := New(d.robot(), d.world(), anyRobot)
		if err != nil {
			t.Fatal(err)
		}
		joints := c.ActiveJoints()
		rows := make([][]float64, 40)
		for i := range rows {
			rows[i] = d.row(len(joints), 0.5)
		}
		m := through(t, joints, rows)
		first, err := c.Check(context.Background(), m, motion.Query{})
		if err != nil {
			continue
		}
		for k := range 6 {
			q := motion.Query{Question: motion.Question(k % 3), Workers: 2 + k%2}
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(d.IntN(300))*time.Microsecond)
			if k > 2 {
				ctx, q.Budget = context.Background(), time.Duration(1+d.IntN(300))*time.Microsecond
			}
			v := ask(t, c, m, motion.Query{Question: q.Question, Workers: q.Workers, Budget: q.Budget})
			if k <= 2 {
				if v, err = c.Check(ctx, m, q); err != nil {
					t.Fatal(err)
				}
			}
			cancel()
			count[v.Status]++
			switch {
			case v.Status == motion.Free && first.Status == motion.Contact, v.Status == motion.Contact && first.Status == motion.Free:
				t.Fatalf("%v, but %v", v.Status, first.Status)
			case v.Status == motion.Undecided && (v.Reason == "" || v.Reason == "somebody else has the answer"):
				t.Fatalf("not decided: %q", v.Reason)
			case v.Status == motion.Undecided && first.Status == motion.Contact && v.ProvenUntil > first.TOC.Hi:
				t.Fatalf("proved until %g, but there is a contact at %g", v.ProvenUntil, first.TOC.Hi)
			}
		}
	}
	if t.Logf("%v", count); count[motion.Undecided] < 20 {
		t.Errorf("%v: a poor test", count)
	}
}

func BenchmarkSharedPath(b *testing.B) {
	d := dice{chance.New(3, 4)}
	c, err := New(d.robot(), d.world(), anyRobot)
	if err != nil {
		b.Fatal(err)
	}
	joints := c.ActiveJoints()
	rows := make([][]float64, 400)
	for i := range rows {
		rows[i] = d.row(len(joints), 0.02)
	}
	m, err := motion.Path(joints, rows, nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{1, runtime.NumCPU()} {
		for name, question := range map[string]motion.Question{"yes or no": motion.IsFree, "first contact": motion.FirstContact, "closest": motion.MinClearance} {
			b.Run(name+map[bool]string{true: " by one", false: " by all"}[workers == 1], func(b *testing.B) {
				for b.Loop() {
					if v, err := c.Check(context.Background(), m, motion.Query{Question: question, Workers: workers}); err != nil || v.Status == motion.Undecided {
						b.Fatal(v.Status, err)
					}
				}
			})
		}
	}
}
