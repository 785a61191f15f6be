package verify

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// course gives every variable its control points on each piece of the motion.
type course struct {
	m     *motion.Motion
	rows  map[string]int
	hold  map[string]float64
	turns map[int][]int // per row, per piece: whole turns subtracted from its end; rows without any are absent
}

func newCourse(m *motion.Motion, hold map[string]float64) *course {
	c := &course{m: m, rows: map[string]int{}, hold: hold, turns: map[int][]int{}}
	for i, name := range m.Joints {
		c.rows[name] = i
	}
	return c
}

// check checks that every variable of the tree has a position.
//
// A motion may also give mimic joints, as measured states do: then the joint that they follow
// moves, and the mimic joints must follow it, except for the rounding of a file.
func (c *course) check(t *tree) error {
	used, variables := map[string]bool{}, map[string]bool{}
	for i := range t.joints {
		s := &t.joints[i].source
		if s.ctrl != nil {
			continue
		}
		used[s.variable], variables[s.variable] = true, true
		if row, given := c.rows[t.joints[i].name]; given && s.variable != t.joints[i].name {
			used[t.joints[i].name] = true
			if err := c.follows(row, s, t.joints[i].name); err != nil {
				return err
			}
		}
		_, moved := c.rows[s.variable]
		_, held := c.hold[s.variable]
		if moved == held {
			return fmt.Errorf("joint %s must be either in the motion or, with its held position, in the certificate, but not in both", s.variable)
		}
	}
	for _, name := range c.m.Joints {
		if !used[name] {
			return fmt.Errorf("the robot has no independent joint %s", name)
		}
	}
	for name := range c.hold {
		if !variables[name] {
			return fmt.Errorf("the certificate holds joint %s, which is no independent joint of the robot", name)
		}
	}
	c.unwind(t)
	return nil
}

// mimicTolerance in rad or m.
const mimicTolerance = 1e-5

func (c *course) follows(row int, s *source, name string) error {
	leader, moved := c.rows[s.variable]
	if !moved {
		return fmt.Errorf("joint %s mimics %s, which the motion does not name", name, s.variable)
	}
	for p := range c.m.Pieces {
		own, from := c.m.Pieces[p].Ctrl[row], c.m.Pieces[p].Ctrl[leader]
		if len(own) != len(from) {
			return fmt.Errorf("joint %s mimics %s but has a polynomial of another degree", name, s.variable)
		}
		for i := range own {
			if !(math.Abs(own[i]-(s.mult*from[i]+s.offset)) <= mimicTolerance) {
				return fmt.Errorf("joint %s does not follow %s, which it mimics, on piece %d", name, s.variable, p)
			}
		}
	}
	return nil
}

// ctrl returns the control points of joint k on piece p.
func (c *course) ctrl(k *joint, p int) []interval {
	s := &k.source
	if s.ctrl != nil {
		return s.ctrl
	}
	mult, offset := exactly(s.mult), exactly(s.offset)
	row, moved := c.rows[s.variable]
	if !moved {
		return []interval{mult.mul(exactly(c.hold[s.variable])).add(offset)}
	}
	ctrl := c.m.Pieces[p].Ctrl[row]
	out := make([]interval, len(ctrl))
	for i, x := range ctrl {
		q := exactly(x)
		if turns := c.turns[row]; turns != nil && i == 1 {
			q = q.sub(exactly(float64(turns[p])).mul(twoPi))
		}
		if s.mult != 1 {
			q = mult.mul(q)
		}
		out[i] = q.add(offset)
	}
	return out
}
