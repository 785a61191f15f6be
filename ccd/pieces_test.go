package ccd

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// winding draws a path of short pieces, polynomials among them, most of which a proof can share.
func (d dice) winding(t *testing.T, joints []string, pieces int) *motion.Motion {
	size := d.Spread(1e-2, 0.5)
	way := d.row(len(joints), 1)
	m := &motion.Motion{Joints: joints, KeepTurns: d.IntN(2) == 0}
	at, start := d.row(len(joints), 1), 0.0
	for range pieces {
		p := motion.Piece{Start: start, End: start + d.Spread(0.01, 1), Ctrl: make([][]float64, len(joints))}
		degree := 1
		if d.IntN(3) == 0 {
			degree = d.IntN(5) + 1
		}
		for j := range joints {
			for k := range degree + 1 {
				if k > 0 {
					at[j] += size * (way[j] + 0.3*d.In(-1, 1)) / float64(degree)
				}
				p.Ctrl[j] = append(p.Ctrl[j], at[j])
			}
		}
		start = p.End
		m.Pieces = append(m.Pieces, p)
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// alone is one piece of a motion as a motion of its own.
func alone(m *motion.Motion, piece int) *motion.Motion {
	p := m.Pieces[piece]
	p.Start, p.End = 0, p.End-p.Start
	return &motion.Motion{Joints: m.Joints, KeepTurns: true, Pieces: []motion.Piece{p}}
}

// A path is free if each of its pieces is, and touches first in the first piece that does, however many are proved at once;
// alike for goroutines that share the pieces.
func TestPathsArePieceByPiece(t *testing.T) {
	defer noneLeft(t)()
	var free, contact, later int
	for seed := range uint64(long(400)) {
		d := dice{chance.New(seed, 44)}
		c, err := New(d.robot(), d.world(), anyRobot)
		if err != nil {
			t.Fatal(err)
		}
		q := motion.Query{NoSelf: d.IntN(4) == 0, NoWorld: d.IntN(8) == 0}
		if d.IntN(3) == 0 {
			q.Clearance = d.Spread(1e-3, 0.1)
		}
		m := d.winding(t, c.ActiveJoints(), 3+d.IntN(30))
		if !m.KeepTurns {
			if m, err = c.Resolve(m); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := c.Check(context.Background(), m, q); err != nil {
			continue // nothing to check
		}
		first := len(m.Pieces)
		for i := range m.Pieces {
			v, err := c.Check(context.Background(), alone(m, i), q)
			if err != nil {
				t.Fatal(err)
			}
			if v.Status == motion.Undecided {
				first = -1
				break
			}
			if v.Status == motion.Contact {
				first = i
				break
			}
		}
		if first < 0 {
			continue
		}
		for _, question := range []motion.Question{motion.FirstContact, motion.IsFree, motion.MinClearance} {
			for _, workers := range []int{1, 3} {
				q := q
				q.Question, q.Workers = question, workers
				v := ask(t, c, m, q)
				what := fmt.Sprintf("seed %d, question %d, %d workers: %v, piece %d; the pieces say %d of %d", seed, question, workers, v.Status, v.Piece, first, len(m.Pieces))
				switch {
				case v.Status == motion.Undecided:
				case (v.Status == motion.Free) != (first == len(m.Pieces)):
					t.Error(what)
				case v.Status == motion.Free && v.ProvenUntil != m.Duration():
					t.Errorf("%s, proved until %g", what, v.ProvenUntil)
				case v.Status == motion.Contact && question != motion.IsFree && v.Piece != first && !(v.Piece == first-1 && v.TOC.Hi >= m.Pieces[first].Start-1e-6):
					t.Error(what)
				}
			}
		}
		switch {
		case first == len(m.Pieces):
			free++
			refute(t, c, m, &q)
		default:
			contact++
			if first > 2 {
				later++
			}
		}
	}
	if t.Logf("%d free, %d in contact, %d of these after the third piece", free, contact, later); free < 60 || contact < 60 || later < 30 {
		t.Error("a poor test")
	}
}

// Pieces that are proved at once take little: a path of many short pieces is looked at some seven pieces at a time.
func TestShortPiecesAreProvedTogether(t *testing.T) {
	c := newChecker(t, slider(), worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0))))
	var rows [][]float64
	for i := range 71 {
		rows = append(rows, []float64{-0.5 + 0.01*float64(i)})
	}
	m, err := motion.Path([]string{"x"}, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []motion.Query{{}, {Question: motion.IsFree}, {Workers: 4}, {Question: motion.IsFree, Workers: 4}} {
		v := ask(t, c, m, q)
		if v.Status != motion.Free || v.Work.Intervals > 20 || v.ProvenUntil != m.Duration() {
			t.Errorf("%+v: %v until %g of %g after %d intervals", q, v.Status, v.ProvenUntil, m.Duration(), v.Work.Intervals)
		}
	}
	v := ask(t, c, m, motion.Query{Deadline: time.Now().Add(-time.Second)})
	if v.Status != motion.Undecided || v.ProvenUntil > 0 {
		t.Errorf("without time: %v until %g", v.Status, v.ProvenUntil)
	}
}
