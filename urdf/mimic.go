package urdf

import (
	"fmt"
	"math"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
)

// mimics reads the mimic relations and resolves chains to the independent joint at their end.
// A fixed joint that mimics stays fixed.
func (l *loader) mimics(root *xmltree.Node) error {
	r := l.robot
	for i, n := range root.All("joint") {
		m, err := l.mimic(n)
		if err != nil {
			return fmt.Errorf("joint %q: %w", r.Joints[i].Name, err)
		}
		if r.Joints[i].Type != Fixed {
			r.Joints[i].Mimic = m
		}
	}
	resolved := make([]bool, len(r.Joints))
	for i := range r.Joints {
		if err := resolve(r, i, resolved); err != nil {
			return fmt.Errorf("joint %q: %w", r.Joints[i].Name, err)
		}
	}
	return nil
}

func (l *loader) mimic(n *xmltree.Node) (*Mimic, error) {
	e, err := only(n, "mimic")
	if e == nil || err != nil {
		return nil, err
	}
	name, err := text(e, "joint")
	if err != nil {
		return nil, err
	}
	of, ok := l.robot.jointIndex[name]
	if !ok {
		return nil, fmt.Errorf("line %d: it mimics joint %q, which does not exist%s: correct the name", e.Line, name, spelling.Hint(name, l.robot.jointNames()))
	}
	m := &Mimic{Joint: of}
	if m.Multiplier, err = number(e, "multiplier", 1); err != nil {
		return nil, err
	}
	if m.Offset, err = number(e, "offset", 0); err != nil {
		return nil, err
	}
	return m, nil
}

// resolve makes joint i mimic an independent joint directly: with q_i = a q_j + b and q_j = c
// q_k + d it is q_i = a c q_k + a d + b. It follows the chain and resolves it from its end, so
// that chains of any length cost one visit per joint.
func resolve(r *Robot, i int, resolved []bool) error {
	chain := []int{}
	on := map[int]bool{}
	for j := i; r.Joints[j].Mimic != nil && !resolved[j]; j = r.Joints[j].Mimic.Joint {
		if on[j] {
			return fmt.Errorf("joints mimic each other in a cycle (%s): make one of them independent", names(r, chain, j))
		}
		on[j] = true
		chain = append(chain, j)
	}
	for k := len(chain) - 1; k >= 0; k-- {
		m := r.Joints[chain[k]].Mimic
		if err := canLead(&r.Joints[chain[k]], &r.Joints[m.Joint]); err != nil {
			return err
		}
		if next := r.Joints[m.Joint].Mimic; next != nil {
			m.Offset += m.Multiplier * next.Offset
			m.Multiplier *= next.Multiplier
			m.Joint = next.Joint
		}
		if !(math.Abs(m.Multiplier) <= maxNumber && math.Abs(m.Offset) <= maxNumber) {
			return fmt.Errorf("it mimics %q with a multiplier of %g and an offset of %g, chains of mimic joints multiplied out: neither may exceed %g", r.Joints[m.Joint].Name, m.Multiplier, m.Offset, float64(maxNumber))
		}
		resolved[chain[k]] = true
	}
	return nil
}

// canLead reports why follower cannot mimic leader: positions must be single numbers.
func canLead(follower, leader *Joint) error {
	for _, j := range []*Joint{follower, leader} {
		switch j.Type {
		case Revolute, Continuous, Prismatic:
		default:
			return fmt.Errorf("%q mimics %q, but %q is %s: only revolute, continuous and prismatic joints mimic each other",
				follower.Name, leader.Name, j.Name, j.Type)
		}
	}
	return nil
}

// names lists the joints of a cycle in a chain.
func names(r *Robot, chain []int, again int) string {
	var out []string
	for _, j := range chain {
		if j == again || len(out) > 0 {
			out = append(out, r.Joints[j].Name)
		}
	}
	return strings.Join(append(out, r.Joints[again].Name), " -> ")
}
