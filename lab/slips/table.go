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
)

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
