package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// The forms of a motion's file.
const (
	asCSV        = iota
	asTrajectory // JointTrajectory
	asDisplay    // DisplayTrajectory with the joints' start
	asEcho       // a recording: what ros2 topic echo prints of JointState
	asEchoCSV    // the same with --csv
	asPlot       // a recording: what PlotJuggler exports
)

// epoch is when recordings begin.
const epoch = 1760000000

// table is a motion: positions of joints, in rad and m, at times in seconds.
type table struct {
	form   int
	joints []string
	times  []float64
	rows   [][]float64
	start  map[string]float64 // of a DisplayTrajectory
}

func (t *table) clone() *table {
	out := *t
	out.joints, out.times = slices.Clone(t.joints), slices.Clone(t.times)
	out.rows = make([][]float64, len(t.rows))
	for i, row := range t.rows {
		out.rows[i] = slices.Clone(row)
	}
	return &out
}

// column changes one column.
func (t *table) column(k int, change func(float64) float64) {
	for _, row := range t.rows {
		row[k] = change(row[k])
	}
}

// drop leaves a column out.
func (t *table) drop(k int) {
	t.joints = slices.Delete(t.joints, k, k+1)
	for i := range t.rows {
		t.rows[i] = slices.Delete(t.rows[i], k, k+1)
	}
}

// busiest is the column that changes most, among those that keep is true of; -1 if there is
// none.
func (t *table) busiest(keep func(joint string) bool) int {
	best, most := -1, 0.0
	for k, joint := range t.joints {
		if !keep(joint) {
			continue
		}
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, row := range t.rows {
			lo, hi = min(lo, row[k]), max(hi, row[k])
		}
		if hi-lo > most {
			best, most = k, hi-lo
		}
	}
	return best
}

func joint(name string) bool { return !strings.HasPrefix(name, "root_") }

func (t *table) String() string {
	switch t.form {
	case asCSV:
		return t.csv(",")
	case asTrajectory:
		return t.trajectory("")
	case asEcho:
		return t.echo()
	case asEchoCSV:
		return t.echoCSV()
	case asPlot:
		return t.plot()
	}
	var b strings.Builder
	b.WriteString("trajectory_start:\n  joint_state:\n    name: [")
	var positions []float64
	for i, name := range t.joints {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name)
		positions = append(positions, t.start[name])
	}
	fmt.Fprintf(&b, "]\n    position: %s\ntrajectory:\n- joint_trajectory:\n", list(positions))
	return b.String() + t.trajectory("    ")
}

func (t *table) csv(comma string) string {
	var b strings.Builder
	b.WriteString(strings.Join(append([]string{"time"}, t.joints...), comma) + "\n")
	for i, row := range t.rows {
		fmt.Fprintf(&b, "%.9g", t.times[i])
		for _, x := range row {
			fmt.Fprintf(&b, "%s%.9g", comma, x)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (t *table) trajectory(indent string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%sheader: {stamp: {sec: 0, nanosec: 0}, frame_id: ''}\n%sjoint_names: [%s]\n%spoints:\n", indent, indent, strings.Join(t.joints, ", "), indent)
	for i, row := range t.rows {
		whole := math.Floor(t.times[i])
		fmt.Fprintf(&b, "%s- positions: %s\n%s  time_from_start: {sec: %.0f, nanosec: %.0f}\n", indent, list(row), indent, whole, math.Min(999999999, math.Round((t.times[i]-whole)*1e9)))
	}
	return b.String()
}

// stamp splits a time into seconds and nanoseconds of the clock.
func stamp(t float64) (sec int64, nanosec int) {
	whole := math.Floor(t)
	return epoch + int64(whole), int(math.Round((t - whole) * 1e9))
}

func (t *table) echo() string {
	var b strings.Builder
	for i, row := range t.rows {
		sec, nanosec := stamp(t.times[i])
		fmt.Fprintf(&b, "header:\n  stamp:\n    sec: %d\n    nanosec: %d\n  frame_id: ''\nname:\n", sec, nanosec)
		for _, name := range t.joints {
			fmt.Fprintf(&b, "- %s\n", name)
		}
		b.WriteString("position:\n")
		for _, x := range row {
			fmt.Fprintf(&b, "- %.9g\n", x)
		}
		b.WriteString("velocity: []\neffort: []\n---\n")
	}
	return b.String()
}

func (t *table) echoCSV() string {
	var b strings.Builder
	for i, row := range t.rows {
		sec, nanosec := stamp(t.times[i])
		fmt.Fprintf(&b, "%d,%d,,%s", sec, nanosec, strings.Join(t.joints, ","))
		for _, x := range row {
			fmt.Fprintf(&b, ",%.9g", x)
		}
		b.WriteString(",,\n")
	}
	return b.String()
}

func (t *table) plot() string {
	var b strings.Builder
	b.WriteString("__time")
	for _, name := range t.joints {
		fmt.Fprintf(&b, ",/joint_states/%s/position", name)
	}
	b.WriteString("\n")
	for i, row := range t.rows {
		fmt.Fprintf(&b, "%.6f", epoch+t.times[i])
		for _, x := range row {
			fmt.Fprintf(&b, ",%.9g", x)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// measured makes a recording of a motion: 50 rows a second.
func (t *table) measured(form int) *table {
	out := &table{form: form, joints: t.joints}
	for i := 1; i < len(t.rows); i++ {
		steps := int(math.Round(50 * (t.times[i] - t.times[i-1])))
		for k := range steps {
			f := float64(k) / float64(steps)
			row := make([]float64, len(t.joints))
			for j := range row {
				row[j] = t.rows[i-1][j] + f*(t.rows[i][j]-t.rows[i-1][j])
			}
			out.rows, out.times = append(out.rows, row), append(out.times, t.times[i-1]+f*(t.times[i]-t.times[i-1]))
		}
	}
	return out
}

// recorded reports whether the motion was measured.
func (t *table) recorded() bool { return t.form >= asEcho }
