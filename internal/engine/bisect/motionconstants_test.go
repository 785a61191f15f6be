package bisect

import (
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Constants that are kept from the motion before are those that the motion has itself,
// and they are kept where the joints that slide are held.
func TestConstantsAreKept(t *testing.T) {
	kept, anew := 0, 0
	for i := range uint64(60) {
		d := newDice(71, i)
		robot := d.Robot()
		world := d.World(robot)
		joints := robots.Variables(robot)
		hold := d.IntN(2) == 0
		moves := make([]*motion.Motion, 2)
		for k := range moves {
			from, to := make([]float64, len(joints)), make([]float64, len(joints))
			for j, name := range joints {
				at := robot.Joint(name)
				turns := at >= 0 && (robot.Joints[at].Type == urdf.Revolute || robot.Joints[at].Type == urdf.Continuous)
				from[j], to[j] = 0.2, 0.3
				if turns || !hold {
					from[j], to[j] = d.In(-1, 1), d.In(-1, 1)
				}
			}
			m, err := motion.Between(joints, from, to, 1)
			if err != nil {
				t.Fatal(err)
			}
			moves[k] = m
		}
		r := newRig(t, robot, world, 0, moves[0])
		if !r.w.varying {
			continue
		}
		r.w.bindConstants(r.course)
		r.bind(t, moves[1])
		stays := r.w.ranges.stay(r.m.Tree, r.course)
		if stays && !hold {
			t.Errorf("case %d: constants are kept though joints slide", i)
		}
		r.w.bindConstants(r.course)
		fresh := r.p.NewWorker()
		fresh.bindConstants(r.course)
		if !slices.EqualFunc(r.w.constants, fresh.constants, slices.Equal) || !slices.Equal(r.w.never, fresh.never) {
			t.Errorf("case %d: constants %v, anew %v", i, r.w.constants, fresh.constants)
		}
		if stays {
			kept++
		} else {
			anew++
		}
	}
	if kept < 10 || anew < 10 { // some are anew though joints are held: they slide as a turning one does
		t.Errorf("%d kept, %d anew", kept, anew)
	}
}

// A root that moves has constants of its own for every motion.
func TestConstantsOfMovingRoots(t *testing.T) {
	seen := 0
	for i := range uint64(40) {
		r, _ := random(t, 72, i)
		rooted := false
		for k := 1; k < len(r.m.Tree.Frames); k++ {
			rooted = rooted || r.m.Tree.OfRoot(k)
		}
		if !rooted {
			continue
		}
		seen++
		r.w.bindConstants(r.course)
		c := *r.course
		if r.w.ranges.stay(r.m.Tree, &c) {
			t.Errorf("case %d: constants are kept", i)
		}
	}
	if seen < 3 {
		t.Errorf("only %d roots move", seen)
	}
}
