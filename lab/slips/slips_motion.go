package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

func motionSlips() []slip {
	return []slip{
		{name: "the busiest joint is left out", kind: "joint", make: func(in *input) bool {
			in.motion.drop(in.motion.busiest(joint))
			return true
		}},
		{name: "all joints but one are left out", kind: "joint", make: func(in *input) bool {
			for k := len(in.motion.joints) - 1; k >= 0; k-- {
				if joint(in.motion.joints[k]) && k != in.motion.busiest(joint) {
					in.motion.drop(k)
				}
			}
			return true
		}},
		{name: "a joint's name with a slip", kind: "joint", make: func(in *input) bool {
			k := in.motion.busiest(joint)
			in.motion.joints[k] = strings.Replace(in.motion.joints[k], "n", "m", 1) + "x"
			return true
		}},
		{name: "joints with a prefix", kind: "joint", make: rename(func(name string) string { return "robot/" + name })},
		{name: "joints of another robot", kind: "joint", make: func(in *input) bool {
			for k := range in.motion.joints {
				in.motion.joints[k] = fmt.Sprintf("fr3_joint%d", k+1)
			}
			return true
		}},
		{name: "names in capitals", kind: "joint", make: rename(strings.ToUpper)},
		{name: "two columns swapped", kind: "column", cannot: "each joint has room for the other's numbers", make: func(in *input) bool {
			k := in.motion.busiest(joint)
			l := k + 1
			if l == len(in.motion.joints) {
				l = k - 1
			}
			for _, row := range in.motion.rows {
				row[k], row[l] = row[l], row[k]
			}
			return true
		}},
		{name: "columns in the reverse order", kind: "column", cannot: "where the joints' limits allow it, it is a motion", make: func(in *input) bool {
			for _, row := range in.motion.rows {
				slices.Reverse(row)
			}
			return true
		}},
		{name: "the header is shifted by one", kind: "column", cannot: "where the joints' limits allow it, it is a motion", make: func(in *input) bool {
			first := in.motion.joints[0]
			in.motion.joints = append(in.motion.joints[1:], first)
			return true
		}},
		{name: "a joint twice", kind: "column", make: func(in *input) bool {
			k := in.motion.busiest(joint)
			in.motion.joints[(k+1)%len(in.motion.joints)] = in.motion.joints[k]
			return true
		}},
		{name: "signs turned", kind: "column", cannot: "the mirrored motion is a motion", make: func(in *input) bool {
			for k, name := range in.motion.joints {
				if joint(name) {
					in.motion.column(k, func(x float64) float64 { return -x })
				}
			}
			return true
		}},
		{name: "a position is NaN", kind: "column", make: poke(func(float64) float64 { return math.NaN() })},
		{name: "a position is infinite", kind: "column", make: poke(func(float64) float64 { return math.Inf(1) })},
		{name: "a point is missing in the middle", kind: "column", cannot: "between the points the motion is a straight line", make: func(in *input) bool {
			m := in.motion
			i := len(m.rows) / 2
			m.rows, m.times = slices.Delete(m.rows, i, i+1), slices.Delete(m.times, i, i+1)
			return true
		}},
		{name: "the last half is missing", kind: "column", cannot: "half of a motion is a motion", make: func(in *input) bool {
			m := in.motion
			m.rows, m.times = m.rows[:len(m.rows)/2], m.times[:len(m.times)/2]
			return true
		}},
		{name: "all points alike", kind: "column", make: func(in *input) bool {
			for i := range in.motion.rows {
				in.motion.rows[i] = slices.Clone(in.motion.rows[0])
			}
			return true
		}},
		{name: "a single point", kind: "column", make: func(in *input) bool {
			in.motion.rows, in.motion.times = in.motion.rows[:1], in.motion.times[:1]
			return true
		}},
		{name: "root quaternion w first", kind: "frame", make: func(in *input) bool {
			k := slices.Index(in.motion.joints, "root_qx")
			if k < 0 {
				return false
			}
			for _, row := range in.motion.rows {
				row[k], row[k+1], row[k+2], row[k+3] = row[k+3], row[k], row[k+1], row[k+2]
			}
			return true
		}, cannot: "both orders are rotations"},
		{name: "root left out", kind: "frame", cannot: "a robot without a moving root stands at its place", make: func(in *input) bool {
			if slices.Index(in.motion.joints, "root_x") < 0 {
				return false
			}
			for range 7 {
				in.motion.drop(slices.IndexFunc(in.motion.joints, func(s string) bool { return !joint(s) }))
			}
			return true
		}},
	}
}

func rename(change func(string) string) func(in *input) bool {
	return func(in *input) bool {
		for k, name := range in.motion.joints {
			if joint(name) {
				in.motion.joints[k] = change(name)
			}
		}
		return true
	}
}

// poke changes one position in the middle.
func poke(change func(float64) float64) func(in *input) bool {
	return func(in *input) bool {
		row := in.motion.rows[len(in.motion.rows)/2]
		k := in.motion.busiest(joint)
		row[k] = change(row[k])
		return true
	}
}

func stampSlips() []slip {
	every := func(change func(t float64) float64) func(in *input) bool {
		return func(in *input) bool {
			for i, t := range in.motion.times {
				in.motion.times[i] = change(t)
			}
			return true
		}
	}
	return []slip{
		{name: "times in ms", kind: "stamp", make: every(func(t float64) float64 { return 1000 * t })},
		{name: "times in ns", kind: "stamp", make: every(func(t float64) float64 { return 1e9 * t })},
		{name: "times a thousand times too short", kind: "stamp", make: every(func(t float64) float64 { return t / 1000 })},
		{name: "times of day", kind: "stamp", make: every(func(t float64) float64 { return t + 1760000000 })},
		{name: "begins two seconds late", kind: "stamp", make: every(func(t float64) float64 { return t + 2 })},
		{name: "negative times", kind: "stamp", make: every(func(t float64) float64 { return t - 2 })},
		{name: "all times zero", kind: "stamp", make: every(func(float64) float64 { return 0 })},
		{name: "two times swapped", kind: "stamp", make: func(in *input) bool {
			t := in.motion.times
			t[1], t[2] = t[2], t[1]
			return true
		}},
		{name: "a time twice, positions differ", kind: "stamp", make: func(in *input) bool {
			in.motion.times[2] = in.motion.times[1]
			return true
		}},
		{name: "two seconds were not recorded", kind: "stamp", make: func(in *input) bool {
			m := in.motion
			if !m.recorded() {
				return false
			}
			m.rows, m.times = slices.Delete(m.rows, 50, 150), slices.Delete(m.times, 50, 150)
			return true
		}},
		{name: "a robot at rest publishes, too", kind: "stamp", make: func(in *input) bool {
			m := in.motion
			if !m.recorded() {
				return false
			}
			for i := len(m.rows) - 1; i > 0; i-- {
				m.rows = slices.Insert(m.rows, i, slices.Clone(m.rows[0]))
				m.times = slices.Insert(m.times, i, (m.times[i]+m.times[i-1])/2)
			}
			return true
		}},
		{name: "the clock was restarted", kind: "stamp", make: func(in *input) bool {
			m := in.motion
			for i := len(m.times) / 2; m.recorded() && i < len(m.times); i++ {
				m.times[i] -= 1000
			}
			return m.recorded()
		}},
		{name: "a joint is recorded from the middle on", kind: "stamp", make: func(in *input) bool {
			m := in.motion
			if m.form != asPlot {
				return false
			}
			k := m.busiest(joint)
			for i := range len(m.rows) / 2 {
				m.rows[i][k] = math.NaN()
			}
			return true
		}},
		{name: "a gap of a minute", kind: "stamp", make: func(in *input) bool {
			for i := len(in.motion.times) / 2; i < len(in.motion.times); i++ {
				in.motion.times[i] += 60
			}
			return true
		}},
		{name: "the first half is missing", kind: "stamp", make: func(in *input) bool {
			m := in.motion
			i := len(m.rows) / 2
			m.rows, m.times = m.rows[i:], m.times[i:]
			return true
		}},
	}
}
