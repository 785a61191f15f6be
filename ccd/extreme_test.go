package ccd

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Whatever the size of the numbers in motion, robot and scene, no method proves a
// motion free that runs through an obstacle: it refuses them, is undecided or finds
// the contact.
func TestNoMethodProvesExtremes(t *testing.T) {
	count := map[motion.Status]int{}
	refused := 0
	for seed := range long(60) {
		d := rand.New(rand.NewPCG(uint64(seed), 71))
		size := math.Pow(10, 308*d.Float64())
		if d.IntN(2) == 0 {
			size = math.Pow(10, 120+45*d.Float64())
		}
		// The ball stands within the obstacle in the middle of the motion.
		kind := [...]urdf.JointType{urdf.Prismatic, urdf.Continuous}[d.IntN(2)]
		joint := chainJoint{name: "x", kind: kind, origin: geom.IdentityPose(), axis: geom.Vec{Z: 1}, shape: ball(0.1), at: pose(1, 0, 0)}
		obstacle := object("obstacle", ball(0.5), pose(1, 0, 0))
		far := size
		switch d.IntN(5) {
		case 0:
			obstacle.Shape = box(size, size, size)
		case 1:
			joint.at, obstacle.PoseWS = pose(size, 0, 0), pose(size, 0, 0)
			far = 1
		case 2:
			joint.origin, obstacle.PoseWS = pose(0, size, 0), pose(1, size, 0)
			far = 1
		case 3:
			obstacle.Padding = size
		}
		c, err := New(chainOf(joint), worldOf(obstacle), Options{})
		if err != nil {
			refused++
			continue
		}
		ctrl := []float64{-far, far}
		if d.IntN(2) == 0 {
			ctrl = []float64{-far, -far / 3, far / 3, far}
		}
		m := &motion.Motion{Joints: []string{"x"}, KeepTurns: true, Pieces: []motion.Piece{{Start: 0, End: 1, Ctrl: [][]float64{ctrl}}}}
		for _, by := range Methods() {
			for _, q := range []motion.Question{motion.FirstContact, motion.IsFree, motion.MinClearance} {
				v, err := c.Check(context.Background(), m, motion.Query{Method: by, Question: q, Budget: 5 * time.Millisecond})
				if err != nil {
					refused++
					continue
				}
				count[v.Status]++
				if v.Status == motion.Free || v.ProvenUntil > 0.5+1e-9 {
					t.Errorf("%v, question %v: %v, free until %g, of numbers of %g", by, q, v.Status, v.ProvenUntil, size)
				}
			}
		}
	}
	t.Logf("%v, %d refused", count, refused)
}
