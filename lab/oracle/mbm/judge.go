package main

import (
	"fmt"
	"io"

	"github.com/firstcontact-ros/firstcontact/lab/benchmaker"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
)

// tally counts problems and those that touch.
type tally struct{ problems, both, world, self int }

func (t *tally) add(u tally) {
	t.problems += u.problems
	t.both += u.both
	t.world += u.world
	t.self += u.self
}

// String reads "100 problems: 40 touch, 38 the world, 5 self".
func (t tally) String() string {
	return fmt.Sprintf("%4d problems: %4d touch, %4d the world, %4d self", t.problems, t.both, t.world, t.self)
}

// segments judges start to goal against the world and against the robot itself.
func segments(o *oracle.Oracle, out io.Writer, p *benchmaker.Problem, n int) (tally, error) {
	world, err := o.Segment(n, oracle.World, p.Start, p.Goal)
	if err != nil {
		return tally{}, err
	}
	self, err := o.Segment(n, oracle.Self, p.Start, p.Goal)
	if err != nil {
		return tally{}, err
	}
	fmt.Fprintf(out, "%s %s %d  both %s  world %s  self %s\n", p.Robot, p.Set, p.Index,
		show(earlier(world, self)), show(world), show(self))
	return tally{1, count(world.Hit || self.Hit), count(world.Hit), count(self.Hit)}, nil
}

func earlier(a, b oracle.SegmentResult) oracle.SegmentResult {
	if !a.Hit || (b.Hit && b.Time < a.Time) {
		return b
	}
	return a
}

func show(r oracle.SegmentResult) string {
	if !r.Hit {
		return "free - - -"
	}
	return fmt.Sprintf("hit %.9f %s %s", r.Time, r.Pairs[0].A, r.Pairs[0].B)
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// endPoints lists the pairs that touch at a problem's start and goal.
func endPoints(o *oracle.Oracle, out io.Writer, p *benchmaker.Problem) (tally, error) {
	sum := tally{problems: 1}
	for i, q := range [][]float64{p.Start, p.Goal} {
		name := []string{"start", "goal"}[i]
		for _, scope := range []oracle.Scope{oracle.World, oracle.Self} {
			pairs, err := o.Depths(scope, q)
			if err != nil {
				return tally{}, err
			}
			for _, pair := range pairs {
				fmt.Fprintf(out, "%s %s %d %s %s %s %s %.6f\n", p.Robot, p.Set, p.Index, name, scope, pair.A, pair.B, pair.Distance)
			}
			switch {
			case len(pairs) == 0:
			case scope == oracle.World:
				sum.world++
			default:
				sum.self++
			}
			sum.both += count(len(pairs) > 0)
		}
	}
	return sum, nil
}
