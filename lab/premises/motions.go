package premises

import (
	"fmt"
	"math"
	"strings"
)

// column is what a motion file says of one joint or variable.
type column struct {
	name string
	at   []float64
}

// ranges gives the positions that a joint may be sent to.
type target struct {
	name      string
	lo, hi    float64
	continues bool
}

// targets lists the joints of a robot that a motion may name.
func (r *robotSpec) targets() []target {
	var out []target
	for _, j := range r.joints {
		switch {
		case j.mimic != nil:
		case j.kind == "continuous":
			out = append(out, target{j.name, -math.Pi, math.Pi, true})
		case j.kind == "planar":
			out = append(out, target{j.name + "/x", -0.5, 0.5, false}, target{j.name + "/y", -0.5, 0.5, false}, target{j.name + "/theta", -3, 3, true})
		case j.kind != "fixed":
			out = append(out, target{j.name, j.lower, j.upper, false})
		}
	}
	return out
}

// walk draws positions for some joints at n points: near each other or far apart; a
// continuous joint now and then makes several turns, exactly half a one, or wraps.
func (d dice) walk(all []target, n int, turns bool) []column {
	step := pick(d, 0.05, 0.2, 0.5, 1, 1)
	var out []column
	for _, t := range all {
		if len(all) > 1 && d.chance(0.1) {
			continue // held
		}
		x := d.between(t.lo, t.hi)
		c := column{name: t.name, at: []float64{x}}
		for range n - 1 {
			y := math.Max(t.lo, math.Min(t.hi, x+step*d.between(t.lo-t.hi, t.hi-t.lo)/2))
			if t.continues && turns {
				switch d.IntN(8) {
				case 0:
					y = x + math.Pi
				case 1:
					y = x - math.Pi
				case 2:
					y = d.between(-20, 20)
				case 3:
					x, y = 3.1, -3.1
					c.at[len(c.at)-1] = x
				case 4:
					y = -x
				case 5:
					y = x + pick(d, 2., 4., -4., 5., 6.2831853071795862, -8)
				}
			}
			c.at, x = append(c.at, y), y
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return d.walk(all, n, turns)
	}
	return out
}

// rowsOf adds rows of joints that follow, as recorders of joint states write them.
func (r *robotSpec) rowsOf(columns []column) []column {
	for _, j := range r.joints {
		if j.mimic == nil {
			continue
		}
		leader := r.joint(j.mimic.leader)
		if leader.mimic != nil {
			continue
		}
		for _, c := range columns {
			if c.name != leader.name {
				continue
			}
			own := column{name: j.name}
			for _, x := range c.at {
				own.at = append(own.at, j.mimic.multiplier*x+j.mimic.offset)
			}
			columns = append(columns, own)
			break
		}
	}
	return columns
}

func (d dice) times(n int, first float64) []float64 {
	out := []float64{first}
	for range n - 1 {
		out = append(out, out[len(out)-1]+pick(d, 0.25, 0.5, 1, 2, 3.5))
	}
	return out
}

// table is a CSV file.
func table(columns []column, times []float64) string {
	var b strings.Builder
	b.WriteString("time")
	for _, c := range columns {
		b.WriteString("," + c.name)
	}
	for i, t := range times {
		fmt.Fprintf(&b, "\n%.17g", t)
		for _, c := range columns {
			fmt.Fprintf(&b, ",%.17g", c.at[i])
		}
	}
	b.WriteString("\n")
	return b.String()
}

// trajectory is a JointTrajectory as JSON; velocities may be nil.
func trajectory(columns []column, times []float64, velocities [][]float64) string {
	var names, points []string
	for _, c := range columns {
		names = append(names, fmt.Sprintf("%q", c.name))
	}
	for i, t := range times {
		var at []string
		for _, c := range columns {
			at = append(at, fmt.Sprintf("%.17g", c.at[i]))
		}
		more := ""
		if velocities != nil {
			var v []string
			for _, x := range velocities[i] {
				v = append(v, fmt.Sprintf("%.17g", x))
			}
			more = fmt.Sprintf(`, "velocities": [%s]`, strings.Join(v, ", "))
		}
		whole := math.Floor(t)
		points = append(points, fmt.Sprintf(`{"positions": [%s]%s, "time_from_start": {"sec": %.0f, "nanosec": %.0f}}`, strings.Join(at, ", "), more, whole, (t-whole)*1e9))
	}
	return fmt.Sprintf(`{"joint_names": [%s], "points": [%s]}`, strings.Join(names, ", "), strings.Join(points, ",\n"))
}

// files writes columns as a motion of a random format.
func (d dice) file(i int, columns []column, times []float64) move {
	if d.chance(0.6) {
		return move{file: fmt.Sprintf("motion%d.csv", i), text: table(columns, times)}
	}
	var velocities [][]float64
	if d.chance(0.3) {
		for range times {
			v := make([]float64, len(columns))
			for k := range v {
				v[k] = d.between(-0.5, 0.5)
			}
			velocities = append(velocities, v)
		}
	}
	return move{file: fmt.Sprintf("motion%d.json", i), text: trajectory(columns, times, velocities)}
}

// wander adds motions of a robot to a query.
func (d dice) wander(q *query, r *robotSpec, n int, turns, rows bool) {
	q.robot = r
	for range n {
		points := 2 + d.IntN(3)
		columns := d.walk(r.targets(), points, turns)
		if rows {
			columns = r.rowsOf(columns)
		}
		q.motions = append(q.motions, d.file(len(q.motions), columns, d.times(points, 0)))
	}
}
