package pairs

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/selfcollision"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// finding is a finding of the audit, with the second check of its witness.
type finding struct {
	selfcollision.Finding
	at sighting
}

// sighting is a configuration at which two links touched.
type sighting struct {
	State     map[string]float64 // by joint, rad or m
	Text      string             // as --state takes it
	Confirmed bool               // by the second check
}

// secondLook checks single pairs at single configurations with the checker of motions.
type secondLook struct {
	robot     *urdf.Robot
	flags     *input.RobotFlags
	clearance float64
	all       *ccd.Checker // every pair, built on demand
}

// second returns the second check of a survey.
func (f *flags) second(s *survey) *secondLook {
	if s.second == nil {
		s.second = &secondLook{robot: s.robot, flags: &f.RobotFlags, clearance: f.clearance}
	}
	return s.second
}

// confirm checks the finding's witness.
func (l *secondLook) confirm(f *finding, vars []pairproof.Variable) (err error) {
	f.at, err = l.look(f.Pair, vars)
	return err
}

// look returns the pair's witness, with as few digits as still show the contact.
func (l *secondLook) look(p *pairproof.Pair, vars []pairproof.Variable) (s sighting, err error) {
	if p.Witness == nil {
		return s, nil
	}
	c, err := l.only(p)
	if err != nil {
		return s, err
	}
	for _, digits := range [...]int{3, 6, -1} {
		s = sightingOf(p, vars, digits)
		if s.Confirmed, err = l.touch(c, s.State); err != nil {
			return s, cli.InternalError{Err: fmt.Errorf("the second check of %s and %s: %w", p.LinkA, p.LinkB, err)}
		}
		if s.Confirmed {
			return s, nil
		}
	}
	return s, nil
}

// only returns a checker of a single pair.
func (l *secondLook) only(p *pairproof.Pair) (*ccd.Checker, error) {
	if l.all == nil {
		bare := *l.robot
		bare.Semantic = &urdf.Semantic{} // no allowed pairs, not even by default
		bare.Parts = nil
		dir, err := l.flags.Dir()
		if err != nil {
			return nil, err
		}
		if l.all, err = ccd.New(&bare, nil, ccd.Options{Padding: l.flags.Padding, Cache: dir}); err != nil {
			return nil, err
		}
	}
	c, err := l.all.OnlyPair(p.LinkA, p.LinkB)
	if err != nil {
		return nil, cli.InternalError{Err: err}
	}
	return c, nil
}

// touch checks a motion at rest at the positions, with other joints at the checker's state. A
// robot without joints is only measured.
func (l *secondLook) touch(c *ccd.Checker, state map[string]float64) (bool, error) {
	m := &motion.Motion{Pieces: []motion.Piece{{End: 1}}}
	for _, joint := range c.ActiveJoints() {
		x, ok := state[joint]
		if !ok {
			x = c.State()[joint]
		}
		m.Joints = append(m.Joints, joint)
		m.Pieces[0].Ctrl = append(m.Pieces[0].Ctrl, []float64{x, x})
	}
	if len(m.Joints) == 0 {
		d, err := c.Distance(context.Background(), nil, motion.DistanceQuery{})
		return d.Self.Hi <= l.clearance+motion.DefaultTolerance, err
	}
	v, err := c.Check(context.Background(), m, motion.Query{Clearance: l.clearance})
	return v.Status == motion.Contact, err
}

// sightingOf is the witness of a pair, in the joints between its links, rounded to a number of
// decimal digits unless that takes a joint beyond its limits; -1 rounds nothing.
func sightingOf(p *pairproof.Pair, vars []pairproof.Variable, digits int) sighting {
	s := sighting{State: map[string]float64{}}
	var terms []string
	for _, d := range p.Joints {
		v, x := &vars[d], p.Witness[d]
		text := strconv.FormatFloat(x, 'f', -1, 64)
		if digits >= 0 {
			short := strings.TrimPrefix(strconv.FormatFloat(x, 'f', digits, 64), "-")
			if x < 0 && strings.Trim(short, "0.") != "" {
				short = "-" + short
			}
			if y, err := strconv.ParseFloat(short, 64); err == nil && (v.Unbounded || y >= v.Lo && y <= v.Hi) {
				x = y
				if text = short; strings.Contains(text, ".") {
					text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
				}
			}
		}
		s.State[v.Name] = x
		terms = append(terms, v.Name+"="+text)
	}
	s.Text = strings.Join(terms, ",")
	return s
}
