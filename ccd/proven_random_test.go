package ccd

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// What is proved of real chains is left out, and no answer about a random motion
// changes by it: neither within the limits, where it would be a false proof, nor beyond
// them, where it would be one that is taken too far. FIRSTCONTACT_LONG=N asks N times
// as often, of the robots beside the repository too.
func TestProofsOfRobotsChangeNoAnswer(t *testing.T) {
	race.LeaveOut(t)
	files, motions := []string{"../testdata/pairs/lever.urdf", "../testdata/humanoid/humanoid.urdf"}, 60
	if switches.Long.Set() {
		motions = switches.Long.Times(motions, 1)
		for _, name := range []string{"panda", "ur5e", "pr2", "kinova_gen3"} {
			files = append(files, "../../shared/robots/"+name+"/"+name+".urdf")
		}
	}
	for _, file := range files {
		robot, err := urdf.Load(file, urdf.Options{})
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		report, err := pairproof.All(context.Background(), robot, pairproof.Options{Boxes: 300})
		if err != nil {
			t.Fatal(err)
		}
		if report.Count(pairproof.Never) == 0 {
			t.Errorf("%s: nothing is proved", file)
		}
		agree(t, robot, &report, motions)
	}
}

// agree asks about random motions with the proofs and without, of the pairs that are
// proved never to touch alone: others would touch first.
func agree(t *testing.T, robot *urdf.Robot, report *pairproof.Report, motions int) {
	t.Helper()
	opt := Options{Proofs: report, OnlyProven: true}
	silent := *report
	silent.Pairs = nil
	for _, p := range report.Pairs {
		if p.Meets != pairproof.Never {
			opt.Allowed = append(opt.Allowed, [2]string{p.LinkA, p.LinkB})
		}
	}
	with, err := New(robot, nil, opt)
	if err != nil {
		t.Fatal(err)
	}
	opt.Proofs = &silent
	without, err := New(robot, nil, opt)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(11, uint64(len(robot.Links))))
	used, differ, contacts := 0, 0, 0
	for range motions {
		m := randomMotion(r, with, report)
		q := motion.Query{}
		if r.IntN(3) == 0 {
			q.Tube = map[string]float64{m.Joints[r.IntN(len(m.Joints))]: 0.2 * r.Float64()}
		}
		v, plain := ask(t, with, m, q), ask(t, without, m, q)
		if v.ProvenPairs > 0 {
			used++
		}
		if v.Status == motion.Contact {
			contacts++
		}
		if plain.Status == motion.Contact && plain.Contact.Distance > 0 {
			continue // closer than the tolerance, and yet apart: either answer is right
		}
		if len(v.BeyondLimits) == 0 && q.Tube == nil && plain.Status != motion.Free {
			t.Errorf("%s: %v are proved never to touch, and %v: %v of %v", robot.Name, plain.Contact.Pair, plain.Status, m.Pieces[0].Ctrl, m.Joints)
		}
		// With a tube, contact means that they might touch, the joints moving them in
		// whatever direction: what is proved for all of the tube overrules that.
		if v.Status != plain.Status && (q.Tube == nil || v.Status == motion.Contact) {
			differ++
			t.Errorf("%s: %v with proofs (%d left out), %v without: %v %v of %v, tube %v", robot.Name, v.Status, v.ProvenPairs, plain.Status, plain.Contact.Pair, m.Pieces[0].Ctrl, m.Joints, q.Tube)
		}
	}
	t.Logf("%s: %d motions, %d with pairs left out by proof, %d contacts, %d answers differ", robot.Name, motions, used, contacts, differ)
	if used < motions/2 {
		t.Errorf("%s: of %d motions only %d used a proof", robot.Name, motions, used)
	}
}

// randomMotion is one from a random configuration some way towards another, within
// the limits, at them, or with a joint beyond.
func randomMotion(r *rand.Rand, c *Checker, report *pairproof.Report) *motion.Motion {
	m := &motion.Motion{Joints: c.ActiveJoints(), Pieces: []motion.Piece{{End: 1}}}
	beyond := -1
	if r.IntN(2) == 0 {
		beyond = r.IntN(len(m.Joints))
	}
	for d := range m.Joints {
		v := &report.Variables[d]
		at := func() float64 {
			switch r.IntN(6) {
			case 0:
				return v.Lo
			case 1:
				return v.Hi
			}
			return v.Lo + (v.Hi-v.Lo)*r.Float64()
		}
		a := at()
		b := a + 0.2*(at()-a)
		if d == beyond {
			b = []float64{v.Lo - 0.3*(v.Hi-v.Lo), v.Hi + 0.3*(v.Hi-v.Lo)}[r.IntN(2)]
		}
		m.Pieces[0].Ctrl = append(m.Pieces[0].Ctrl, []float64{a, b})
	}
	return m
}
