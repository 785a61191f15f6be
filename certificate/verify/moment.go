package verify

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/certificate"
)

// moment is the robot around one time: its poses at the middle c of an interval of time, and
// the joints' motion on the interval. All vectors are in the scene's frame.
type moment struct {
	tree   *tree
	bodies []*body

	c, h float64 // the interval lies within [c - h, c + h]

	course *course
	at     certificate.At
	halves [2]*moment // of the interval, made on demand

	joints []placedJoint
	poses  []pose // of the bodies
	known  []bool // which poses are up to date
	parts  map[certificate.Part]*reach
}

// placedJoint is a joint at c.
type placedJoint struct {
	around
	pose         pose // of its frame
	axis, origin ball
	chord        float64 // how far its motion moves a point at distance 1, or moves it
	wide, stray  float64 // the same for its motion and its tube together, and for the tube
}

// newMoment places the robot at the middle of the interval.
func newMoment(t *tree, bodies []*body, c *course, a certificate.At) (*moment, error) {
	m := &moment{tree: t, bodies: bodies, course: c, at: a, poses: make([]pose, len(bodies)), known: make([]bool, len(bodies)), parts: map[certificate.Part]*reach{}}
	m.c = a.Lo + (a.Hi-a.Lo)/2
	if a.Hi > a.Lo {
		m.h = max(addUp(a.Hi, -m.c), addUp(m.c, -a.Lo))
	}
	m.joints = make([]placedJoint, len(t.joints))
	for k := range t.joints {
		if err := m.placeJoint(k, c, a); err != nil {
			return nil, fmt.Errorf("joint %s: %w", t.joints[k].name, err)
		}
	}
	return m, nil
}

func (m *moment) placeJoint(k int, c *course, a certificate.At) error {
	j, p := &m.tree.joints[k], &m.joints[k]
	p.around = lookAt(c.ctrl(j, a.Piece), m.c, a.Lo, a.Hi)
	base := j.fixed
	if j.parent >= 0 {
		base = m.joints[j.parent].pose.then(&j.fixed)
	}
	// The axis should have length 1; the deviation counts as its error.
	p.axis = base.r.apply(ball{j.axis, math.Abs(dot(j.axis, j.axis)-1) + 8*u})
	p.origin = base.p
	p.pose = base
	var err error
	if j.slides {
		p.pose.p = base.p.add(p.axis.scale(p.q))
		p.chord, p.wide, p.stray = p.delta, above(p.delta+j.tube), j.tube
		return nil
	}
	turn, err := about(j.axis, p.q)
	if err != nil {
		return err
	}
	p.pose.r = base.r.then(&turn)
	p.chord, p.wide, p.stray = chord(p.delta), chord(above(p.delta+j.tube)), chord(j.tube)
	return nil
}

// chord bounds how far a rotation by at most delta moves a point at distance 1.
func chord(delta float64) float64 {
	if !(delta < 3) {
		return 2
	}
	s, _ := sinCosAt(delta / 2)
	return min(delta, 2*s.hi)
}

// poseOf returns the pose of a body's frame.
func (m *moment) poseOf(i int) *pose {
	if !m.known[i] {
		w := m.tree.mount(m.bodies[i].link)
		m.known[i], m.poses[i] = true, w.pose
		if w.joint >= 0 {
			m.poses[i] = m.joints[w.joint].pose.then(&w.pose)
		}
	}
	return &m.poses[i]
}
