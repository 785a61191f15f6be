package laws

import (
	"bytes"
	"context"
	"errors"

	"github.com/firstcontact-ros/firstcontact/certificate/verify"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// certified: a proof that is written down is accepted with the same inputs, made
// another way; and refused for a scene, a motion or a clearance that it is not about.
func certified(t *trial) {
	if t.base.v.Status != motion.Free || t.base.a.of.padsLess() {
		return
	}
	a, q := t.base.a, t.base.q
	q.Budget = budget
	var proof bytes.Buffer
	v, err := a.checker.Certify(context.Background(), a.motion, q, &proof)
	if err != nil {
		t.contradicts("not certified: %v", err)
		return
	}
	t.tally.pair(t.law)
	if v.Status != motion.Free {
		t.tally.undecided(t.law, v.Status == motion.Undecided)
		t.order(t.base, &answer{a, q, v})
		return
	}
	files := a.files
	if !a.of.hasMesh() { // of which files have the vertices in an order of their own
		files = t.one(2)
	}
	b, ok := t.buildBy(t.subject(), files)
	if !ok {
		return
	}
	options := verify.Options{Clearance: q.Clearance}
	if _, err = verify.Verify(context.Background(), b.robot, b.world, b.motion, bytes.NewReader(proof.Bytes()), options); err != nil {
		t.contradicts("a true proof is not accepted: %v", err)
		return
	}
	t.tally.pair(t.law)
	s := t.subject()
	switch k := t.IntN(3); {
	case k == 0:
		options.Clearance = q.Clearance + 0.001
	case k == 1 && len(s.objects) > 0:
		s.objects[0].xyz.X += 0.01
	default:
		c := s.pieces[0].Ctrl[0]
		c[len(c)-1] += 0.01
		if len(s.pieces) > 1 {
			s.pieces[1].Ctrl[0][0] += 0.01
		}
	}
	if b, ok = t.buildBy(s, files); !ok {
		return
	}
	var refusal *verify.Refusal
	if _, err = verify.Verify(context.Background(), b.robot, b.world, b.motion, bytes.NewReader(proof.Bytes()), options); !errors.As(err, &refusal) {
		t.contradicts("a proof about something else is accepted, or refused by %v", err)
	}
}

// heldOrNamed: a joint that the motion does not name is a joint that stands where the
// state has it.
func heldOrNamed(t *trial) {
	s := t.subject()
	for name, x := range s.state {
		s.names = append(s.names, name)
		for i := range s.pieces {
			s.pieces[i].Ctrl = append(s.pieces[i].Ctrl, []float64{x, x})
		}
		s.state = map[string]float64{}
		if t.one(2) {
			s.state[name] = x + t.In(-1, 1)
		}
		t.alike(s)
		return
	}
}

// slower: the same way in another time is answered alike.
func slower(t *trial) {
	s := t.subject()
	k := []float64{0.25, 3, 8}[t.IntN(3)]
	for i := range s.pieces {
		s.pieces[i].Start *= k
		s.pieces[i].End *= k
	}
	if y, ok := t.ask(s); ok {
		t.same(t.base, y, false)
	}
}
