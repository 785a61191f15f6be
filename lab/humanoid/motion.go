package main

import (
	"fmt"
	"math"
	"strings"
)

// arm is a pose of one arm as it is written for the left: roll and yaw change
// sign on the right.
type arm struct {
	pitch, roll, yaw, elbow, wristYaw, wristPitch, wristRoll float64
}

func (a arm) of(side string) state {
	s := sign(side)
	return state{
		side + "_shoulder_pitch": a.pitch,
		side + "_shoulder_roll":  s * a.roll,
		side + "_shoulder_yaw":   s * a.yaw,
		side + "_elbow":          a.elbow,
		side + "_wrist_yaw":      s * a.wristYaw,
		side + "_wrist_pitch":    a.wristPitch,
		side + "_wrist_roll":     s * a.wristRoll,
	}
}

// The poses the motions are made of. A touching pose is its neighbour pushed a
// few centimetres on.
var (
	armHome = arm{pitch: 0.1, roll: 0.25, elbow: -0.5}

	armAside   = arm{pitch: 0.3, roll: 0.5, elbow: -2.1}
	armUp      = arm{pitch: -2.0, roll: 0.7, elbow: -1.2}
	armWaveOut = arm{pitch: -2.0, roll: 0.9, yaw: -0.4, elbow: -1.0}
	armWaveIn  = arm{pitch: -2.0, roll: 0.6, yaw: 0.3, elbow: -1.4}

	armBelly      = arm{-0.80, 0.20, -1.00, -1.45, 0.1, -0.80, -0.80}
	armBellyNear  = arm{-0.50, 0.14, -0.95, -1.77, 0, -0.90, -0.80}
	armBellyTouch = arm{-0.36, 0.13, -1.00, -1.95, 0, -0.90, -0.80}

	armTable     = arm{pitch: -0.45, roll: 0.1, yaw: 0.1, elbow: -1.0}
	armPost      = arm{-0.30, 0.34, 0.05, -1.77, -1.34, 1.0, -0.27}
	armPostNear  = arm{-0.37, 0.52, 0.13, -1.56, -1.18, 1.0, -0.27}
	armPostTouch = arm{-0.37, 0.66, 0.15, -1.40, -1.06, 1.0, -0.22}
)

// key is a pose at a time; the motion rests there.
type key struct {
	t    float64
	pose arm
}

// The wave: the right arm waves and later puts its hand on the belly; the left
// arm reaches over the table and later pushes against the post.
var (
	waveRight = []key{
		{0, armHome},
		{0.7, armAside},
		{1.8, armUp},
		{2.2, armWaveOut},
		{2.6, armWaveIn},
		{3.1, armWaveOut},
		{3.5, armWaveIn},
		{3.9, armUp},
		{5.3, armBelly},
		{5.8, armBelly},
		{6.4, armBellyNear},
		{7.0, armBellyNear},
		{7.6, armBellyTouch},
		{8.0, armBellyTouch},
		{8.8, armBelly},
		{10.2, armHome},
	}
	waveLeft = []key{
		{1.0, armHome},
		{2.6, armTable},
		{4.6, armTable},
		{6.0, armPost},
		{8.8, armPost},
		{9.6, armPostNear},
		{10.3, armPostNear},
		{11.0, armPostTouch},
		{11.4, armPostTouch},
		{12.2, armPost},
		{13.8, armHome},
	}
)

const (
	waveLength = 15.0
	waveRate   = 60.0 // rows a second
)

// wave is the configuration at time t.
func wave(t float64) state {
	q := home()
	q.set(along(waveRight, t).of("right"))
	q.set(along(waveLeft, t).of("left"))
	// A body that balances: slow and small, at rest at both ends.
	swell := math.Pow(math.Sin(math.Pi*t/waveLength), 2)
	q["waist_yaw"] = 0.04 * swell * math.Sin(0.9*t)
	q["waist_pitch"] = 0.02 * swell * math.Sin(1.1*t)
	q["head_yaw"] = 0.5 * swell * math.Sin(0.7*t)
	q["head_pitch"] = 0.15 * swell * math.Sin(0.5*t)
	for _, side := range []string{"left_", "right_"} {
		dip := 0.06 * swell * math.Sin(1.3*t)
		q[side+"hip_pitch"] -= dip
		q[side+"knee"] += 2 * dip
		q[side+"ankle_pitch"] -= dip
		q[side+"hip_roll"] = 0.02 * swell * math.Sin(0.8*t)
		q[side+"ankle_roll"] = -q[side+"hip_roll"]
	}
	return q
}

func (q state) set(p state) {
	for name, x := range p {
		q[name] = x
	}
}

// along moves between the keys with the quintic of least jerk.
func along(keys []key, t float64) arm {
	if t <= keys[0].t {
		return keys[0].pose
	}
	for i, k := range keys[1:] {
		if t < k.t {
			s := (t - keys[i].t) / (k.t - keys[i].t)
			return mix(keys[i].pose, k.pose, s*s*s*(10+s*(6*s-15)))
		}
	}
	return keys[len(keys)-1].pose
}

func mix(a, b arm, s float64) arm {
	l := func(x, y float64) float64 { return x + s*(y-x) }
	return arm{
		l(a.pitch, b.pitch), l(a.roll, b.roll), l(a.yaw, b.yaw), l(a.elbow, b.elbow),
		l(a.wristYaw, b.wristYaw), l(a.wristPitch, b.wristPitch), l(a.wristRoll, b.wristRoll),
	}
}

// csv samples a motion: a header of time and joint names, then one row per tick.
func (m *model) csv(at func(t float64) state, length, rate float64) string {
	var b strings.Builder
	b.WriteString("time")
	for _, j := range m.active() {
		b.WriteString("," + j.name)
	}
	b.WriteString("\n")
	for i := 0; i <= int(math.Round(length*rate)); i++ {
		t := float64(i) / rate
		fmt.Fprintf(&b, "%.6f", t)
		q := at(t)
		for _, j := range m.active() {
			b.WriteString("," + micro(q[j.name]))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// micro writes x with six digits, and never -0.
func micro(x float64) string { return fmt.Sprintf("%.6f", math.Round(x*1e6)/1e6+0) }
