package ccd

import (
	"bytes"
	"context"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/certificate/verify"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// nearGaps in m are what is left between a motion and the obstacle that it passes.
var nearGaps = []float64{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}

// hardNears are scenes whose proofs take the verifier many parts of an interval.
var hardNears = []uint64{122, 267, 278, 387, 477, 495, 649, 831, 882, 957, 986, 1034, 1059, 1128}

// Every proof of a near miss is verified. With little room the engine's intervals are
// as long as its bounds allow, and the verifier's own must come as far.
func TestCertifyNearMisses(t *testing.T) {
	race.LeaveOut(t)
	want := 300
	if k := long(1); k > 1 {
		want = 1000 * k // 10,000 for FIRSTCONTACT_LONG=1
	}
	proofs, accepted := 0, 0
	byGap := map[float64][2]int{}
	for round := 0; proofs < want; round++ {
		i := uint64(round - len(hardNears))
		if round < len(hardNears) {
			i = hardNears[round]
		}
		d := dice{chance.New(36, i)}
		c, m, near := d.nearMiss(t)
		if near == nil {
			continue
		}
		for _, gap := range nearGaps {
			closer := c.movedTo(t, near, gap)
			for _, asked := range []motion.Question{motion.IsFree, motion.FirstContact} {
				var buf bytes.Buffer
				v, err := closer.Certify(context.Background(), m, motion.Query{Question: asked, NoSelf: true}, &buf)
				if err != nil {
					t.Fatal(err)
				}
				if v.Status != motion.Free {
					continue
				}
				proofs++
				n := byGap[gap]
				n[0]++
				_, err = verify.Verify(context.Background(), c.Robot(), closer.World(), m, &buf, verify.Options{NoSelf: true})
				if err == nil {
					accepted++
					n[1]++
				} else {
					t.Errorf("scene %d, gap %g, %v: %v", i, gap, asked, err)
				}
				byGap[gap] = n
			}
		}
	}
	for _, gap := range nearGaps {
		t.Logf("gap %g m: %d proofs, %d verified", gap, byGap[gap][0], byGap[gap][1])
	}
	t.Logf("%d proofs of near misses, %d verified", proofs, accepted)
}

// nearMiss is a free motion in a random scene and where it comes closest to an obstacle;
// nil where it is not free, or comes close to nothing.
func (d dice) nearMiss(t *testing.T) (*Checker, *motion.Motion, *motion.Witness) {
	t.Helper()
	robot, world := d.rooted(), d.world()
	c, err := New(robot, world, Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := d.motion(c.ActiveJoints())
	if d.IntN(4) == 0 {
		m = d.rootMotion(c.ActiveJoints())
	}
	v := ask(t, c, m, motion.Query{Question: motion.MinClearance, NoSelf: true, ClearanceTolerance: 1e-9})
	if v.Status != motion.Free || !v.MinClearance.Known {
		return nil, nil, nil
	}
	return c, m, &v.MinClearance.At
}

// movedTo moves the obstacle of a witness until only a gap is left.
func (c *Checker) movedTo(t *testing.T, near *motion.Witness, gap float64) *Checker {
	t.Helper()
	moved := &scene.Snapshot{Objects: append([]scene.Object(nil), c.World().Objects...)}
	for k := range moved.Objects {
		if o := &moved.Objects[k]; o.ID == near.Pair.B.Name {
			o.PoseWS.P = r3.Sub(o.PoseWS.P, r3.Scale(near.Distance-gap, near.Normal))
		}
	}
	closer, err := c.WithWorld(moved)
	if err != nil {
		t.Fatal(err)
	}
	return closer
}
