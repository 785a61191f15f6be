package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/gatetest"
)

// The robot is two cubes of 0.2 m on a rail along x. At zero they stand at 0 and 1. A wall
// begins at 1.99.
const robotText = `<robot name="carts">
  <link name="rail"/>
  <link name="left"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="right"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <joint name="left_x" type="prismatic">
    <parent link="rail"/><child link="left"/><axis xyz="1 0 0"/>
    <limit lower="-5" upper="5" effort="1" velocity="100"/>
  </joint>
  <joint name="right_x" type="prismatic">
    <parent link="rail"/><child link="right"/><origin xyz="1 0 0"/><axis xyz="1 0 0"/>
    <limit lower="-5" upper="5" effort="1" velocity="100"/>
  </joint>
</robot>`

const sceneText = `{frame: rail, objects: [{id: wall, type: box, xyz: [2, 0, 0], size: [0.02, 1, 1]}]}`

func writeRobot(folder string) error {
	if err := os.WriteFile(filepath.Join(folder, "carts.urdf"), []byte(robotText), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "wall.yaml"), []byte(sceneText), 0o600)
}

// gap is the least distance of a configuration, below zero if something is in contact.
func gap(left, right float64) float64 { return min(0.8+right-left, 1.99-(1+right+0.1)) }

// goal is a goal and what is known of it.
type goal struct {
	message  *gatetest.Goal
	collides bool // for sure
	open     bool // whether it collides depends on what the other controller does
	lasts    time.Duration
}

// clear is how far from contact goals stay, or how deep they go: the node need not be right
// about less.
const clear = 0.02

// draw makes a goal. A third of them collide; some of these only by the splines that the
// controller makes of the velocities: their points, and the straight lines between them, are
// free.
func draw(rng *rand.Rand) goal {
	collides := rng.IntN(3) == 0
	if rng.IntN(4) == 0 {
		return swinging(rng, collides)
	}
	for {
		points := make([][2]float64, 1+rng.IntN(3))
		least := math.Inf(1)
		for i := range points {
			points[i] = [2]float64{rng.Float64() - 0.5, rng.Float64()*2.2 - 1.1}
			least = min(least, gap(points[i][0], points[i][1]))
		}
		if math.Abs(least) < clear || (least < 0) != collides {
			continue
		}
		t := &trajectorymsgs.JointTrajectory{JointNames: []string{"left_x", "right_x"}}
		at := 0.0
		for _, p := range points {
			at += 0.03 + 0.05*rng.Float64()
			t.Points = append(t.Points, point(at, p[:], nil))
		}
		return made(t, collides, at)
	}
}

// swinging makes a goal whose right cart swings towards the left one and back between two equal
// points, by v d / 4 in d seconds.
func swinging(rng *rand.Rand, collides bool) goal {
	left := rng.Float64() - 0.5
	room := 0.15 + 0.15*rng.Float64() // between the carts at both points
	right := room + left - 0.8
	depth := room - clear - rng.Float64()*0.1
	if collides {
		depth = room + clear + rng.Float64()*0.1
	}
	const d = 0.1
	v := 4 * depth / d
	t := &trajectorymsgs.JointTrajectory{JointNames: []string{"left_x", "right_x"}}
	t.Points = append(t.Points,
		// At rest half a second earlier, so that the way there stays clear.
		point(0.06, []float64{left, right + 0.5}, []float64{0, 0}),
		point(0.12, []float64{left, right}, []float64{0, 0}),
		point(0.12+d/100, []float64{left, right}, []float64{0, -v}),
		point(0.12+d/100+d, []float64{left, right}, []float64{0, v}),
		point(0.12+d/50+d, []float64{left, right}, []float64{0, 0}))
	return made(t, collides, 0.12+d/50+d)
}

func made(t *trajectorymsgs.JointTrajectory, collides bool, lasts float64) goal {
	return goal{message: &gatetest.Goal{Trajectory: *t}, collides: collides, lasts: time.Duration(lasts * 1e9)}
}

func point(at float64, positions, velocities []float64) trajectorymsgs.JointTrajectoryPoint {
	return trajectorymsgs.JointTrajectoryPoint{
		TimeFromStart: builtininterfaces.DurationOf(time.Duration(at * 1e9)), Positions: positions, Velocities: velocities,
	}
}

// drawOne makes a goal for the controller of one cart alone. A third of them collide wherever the
// other cart is and goes; of the others that depends.
func drawOne(rng *rand.Rand, joint string) goal {
	low, high := -0.5, 0.5
	beyond := 1.7 + rng.Float64() // through the right cart or the wall
	if joint == "right_x" {
		low, high = -0.6, 0.8
		beyond = 1 + rng.Float64() // into the wall
		if rng.IntN(2) == 0 {
			beyond = -1.4 - rng.Float64() // through the left cart
		}
	}
	collides := rng.IntN(3) == 0
	t := &trajectorymsgs.JointTrajectory{JointNames: []string{joint}}
	at := 0.0
	for range 1 + rng.IntN(3) {
		at += 0.1 + 0.2*rng.Float64()
		t.Points = append(t.Points, point(at, []float64{low + (high-low)*rng.Float64()}, nil))
	}
	if collides {
		at += 0.2
		t.Points = append(t.Points, point(at, []float64{beyond}, nil))
	}
	g := made(t, collides, at)
	g.open = !collides
	return g
}
