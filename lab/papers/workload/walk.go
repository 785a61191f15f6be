package workload

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// walkingRoom is where a mannequin's pelvis may be.
var walkingRoom = geom.Box{Min: geom.Vec{X: -4, Y: -4, Z: 0.3}, Max: geom.Vec{X: 4, Y: 4, Z: 1.4}}

// onChessboard is Figure 8 a of ZRLK07.
func onChessboard(c *cell) {
	c.link("world")
	c.mannequin("", "world", walkingRoom)
	c.rest["pelvis_z"] = standing + 0.05
	c.robotTriangles(20_000)
	c.chessboard()
	c.worldTriangles(101_000)
	c.size("links", 15, bodies)
	c.size("triangles of the mannequin", 20_000, ofRobot)
	c.size("chessmen", 16, func(w *Workload) int { return objects(w) - 1 })
	c.size("triangles of the chessmen", 101_000, ofWorld)
}

// frameRate of the animations, per second.
const frameRate = 12

// sole in metres is how far the lowest foot stays above the board in each frame.
const sole = 0.012

// walking makes a mannequin walk over the board without regard to what is there, with
// legs that cross now and then.
func walking(a *asker) error {
	a.seed("walk")
	motions, err := a.frames(a.count(0), 30*a.count(0), func(i int) []float64 { return a.stride(float64(i) / frameRate) })
	if err != nil {
		return err
	}
	a.set("walk", motions)
	return nil
}

// stride is the walking mannequin's configuration at time t: 0.9 steps of either leg
// per second, along a curve over all the board.
func (a *asker) stride(t float64) []float64 {
	q := make([]float64, len(a.w.Rest))
	path := func(t float64) (x, y float64) {
		return 3.1 * square * math.Sin(0.43*t+0.3), 3.1 * square * math.Sin(0.61*t)
	}
	x, y := path(t)
	x1, y1 := path(t + 0.01)
	phase := 2 * math.Pi * 0.9 * t
	swing := func(p float64) float64 { return max(0, math.Sin(p)) }
	cross := 0.07 + 0.26*swing(0.31*phase)
	a.hold(q, map[string]float64{
		"pelvis_x": x, "pelvis_y": y, "pelvis_yaw": math.Atan2(y1-y, x1-x), "pelvis": 0.03 * math.Sin(phase),
		"torso": 0.12 * math.Sin(phase), "torso_pitch": 0.06, "head_pitch": 0.1 * math.Sin(0.2*phase), "head": 0.4 * math.Sin(0.13*phase),
		"left_upper_arm_pitch": 0.5 * math.Sin(phase), "left_upper_arm_roll": 0.12, "left_forearm": -0.35 - 0.2*math.Sin(phase),
		"right_upper_arm_pitch": -0.5 * math.Sin(phase), "right_upper_arm_roll": -0.12, "right_forearm": -0.35 + 0.2*math.Sin(phase),
	})
	for _, leg := range []struct {
		name        string
		side, phase float64
	}{{"left_", 1, phase}, {"right_", -1, phase + math.Pi}} {
		hip := -0.1 - 0.42*math.Sin(leg.phase)
		knee := 0.1 + 0.85*swing(leg.phase+0.9)
		a.hold(q, map[string]float64{
			leg.name + "thigh_pitch": hip, leg.name + "thigh_roll": -leg.side * cross * swing(leg.phase),
			leg.name + "shin": knee, leg.name + "foot_pitch": -0.8 * (hip + knee),
		})
	}
	q[a.joint("pelvis_z")] = 1
	q[a.joint("pelvis_z")] -= min(a.lowest(q, "left_foot"), a.lowest(q, "right_foot")) - sole
	return q
}

// exercising is Figure 8 b of ZRLK07: the mannequin alone.
func exercising(c *cell) {
	c.link("world")
	c.mannequin("", "world", walkingRoom)
	c.rest["pelvis_z"] = standing
	c.robotTriangles(20_000)
	c.size("links", 15, bodies)
	c.size("triangles of the mannequin", 20_000, ofRobot)
}

// exercises are key poses, between which the animation eases to and fro.
var exercises = []map[string]float64{
	{ // the right hand to the right foot
		"torso_pitch": 1.3, "torso": 0.15, "right_thigh_pitch": -0.75, "right_upper_arm_pitch": -1.15, "right_upper_arm_roll": 0.12,
		"left_upper_arm_pitch": 0.4, "left_upper_arm_roll": 0.4, "pelvis_z": standing,
	},
	{ // arms crossed before the chest
		"left_upper_arm_pitch": -0.9, "left_upper_arm": -0.9, "left_forearm": -1.5,
		"right_upper_arm_pitch": -1, "right_upper_arm": 0.9, "right_forearm": -1.5, "pelvis_z": standing,
	},
	{ // squatting, hands between the knees
		"pelvis_z": 0.62, "torso_pitch": 0.7, "left_thigh_pitch": -1.5, "right_thigh_pitch": -1.5, "left_shin": 2, "right_shin": 2,
		"left_foot_pitch": -0.5, "right_foot_pitch": -0.5, "left_upper_arm_pitch": -0.9, "right_upper_arm_pitch": -0.8,
		"left_upper_arm_roll": -0.3, "right_upper_arm_roll": 0.25, "left_thigh_roll": 0.3, "right_thigh_roll": -0.3,
	},
	{ // the left leg over the right one
		"left_thigh_pitch": -0.7, "left_thigh_roll": -0.5, "left_shin": 0.7, "pelvis_z": standing,
		"left_upper_arm_roll": 1.4, "right_upper_arm_roll": -1.4,
	},
	{ // hands clapped over the head
		"left_upper_arm_roll": 2.6, "right_upper_arm_roll": -2.6, "left_upper_arm_pitch": -0.2, "right_upper_arm_pitch": -0.2,
		"left_forearm": -0.5, "right_forearm": -0.5, "pelvis_z": standing,
	},
}

// keyFrames is how many frames the way to a key pose takes, and as many the way back.
const keyFrames = 12

// exercise plays the key poses over and over, each time a little otherwise.
func exercise(a *asker) error {
	a.seed("exercise")
	var pose []float64
	last := -1
	n := a.count(0)
	motions, err := a.frames(n, 4*n+keyFrames, func(i int) []float64 {
		if k := i / (2 * keyFrames); k > last {
			last, pose = k, a.vary(exercises[k%len(exercises)])
		}
		ease := math.Pow(math.Sin(math.Pi*float64(i)/(2*keyFrames)), 2)
		q := make([]float64, len(pose))
		for j := range q {
			q[j] = a.w.Rest[j] + ease*(pose[j]-a.w.Rest[j])
		}
		return q
	})
	if err != nil {
		return err
	}
	a.set("exercise", motions)
	return nil
}

// vary is the pose with each of its joints off by up to 0.12 rad.
func (a *asker) vary(pose map[string]float64) []float64 {
	q := a.hold(make([]float64, len(a.w.Rest)), pose)
	for j := range q {
		if q[j] != 0 && j != a.joint("pelvis_z") {
			q[j] += 0.24 * (a.Float64() - 0.5)
		}
	}
	return q
}

// twoMannequins is Figure 1 of ZRLK07.
func twoMannequins(c *cell) {
	c.link("world")
	for _, name := range []string{"red_", "blue_"} {
		c.mannequin(name, "world", walkingRoom)
		c.rest[name+"pelvis_z"] = standing
	}
	c.rest["red_pelvis_x"], c.rest["blue_pelvis_x"] = -1, 1
	c.rest["blue_pelvis_yaw"] = math.Pi
	c.robotTriangles(2 * 20_000)
	c.size("links", 2*15, bodies)
	c.size("triangles of the mannequins", 2*20_000, ofRobot)
}

// encounters are motions from two free poses of the mannequins, some way apart, to
// two others close by: some strides and turns at once.
func encounters(a *asker) error {
	a.seed("encounters")
	draw := func() []float64 {
		q := a.random()
		for j, x := range a.w.Rest {
			q[j] = x + 0.25*(q[j]-x) // limbs a quarter of the way to anywhere
		}
		for _, who := range []struct {
			name string
			side float64
		}{{"red_", -1}, {"blue_", 1}} {
			a.hold(q, map[string]float64{
				who.name + "pelvis_x": who.side * (0.1 + 0.6*a.Float64()), who.name + "pelvis_y": 0.6 * (a.Float64() - 0.5),
				who.name + "pelvis_z": standing, who.name + "pelvis_pitch": 0.2 * (a.Float64() - 0.5), who.name + "pelvis": 0.2 * (a.Float64() - 0.5),
			})
		}
		return q
	}
	motions, err := a.segments(a.count(0), draw, either)
	if err != nil {
		return err
	}
	a.set("encounters", motions)
	return nil
}

// frames are the motions between one configuration and the next of an animation, as
// far as they start free: at(i) is its configuration i. At most n motions of the
// first last frames are taken.
func (a *asker) frames(n, last int, at func(i int) []float64) ([]*motion.Motion, error) {
	var out []*motion.Motion
	to := a.clamp(at(0))
	for i := 0; i < last && len(out) < n; i++ {
		from := to
		to = a.clamp(at(i + 1))
		ok, err := a.free(from)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		m, err := a.straight(from, to)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// lowest is the height of a link's lowest vertex at q.
func (a *asker) lowest(q []float64, link string) float64 {
	i := a.w.Robot.Link(link)
	pose := a.w.poses(q)[i]
	low := math.Inf(1)
	for _, v := range a.w.Robot.Links[i].Collisions[0].Shape.Mesh.Vertices {
		low = min(low, pose.Apply(v).Z)
	}
	return low
}
