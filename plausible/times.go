package plausible

import (
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Thresholds for times and speeds. docs/plausibility.md says why.
const (
	epoch        = 1e8   // s: three years
	fastest      = 20    // times a joint's velocity limit
	fastTurn     = 300   // rad/s where a joint has no velocity limit
	fastSlide    = 100   // m/s likewise, and for the root link
	slowest      = 0.002 // rad/s
	slowTurn     = 0.2   // rad that a slow motion turns a joint by
	holeLonger   = 20    // times the usual time between two rows
	longHole     = 0.5   // s
	movedInHole  = 0.1   // rad or m
	recordedRows = 20    // fewer rows have no usual time between them
	atRest       = 1e-6  // rad or m
)

// times judges stamps and speeds.
func times(rows []row, mo *motion.Motion) []Finding {
	first, last := mo.Pieces[0].Start, mo.Pieces[len(mo.Pieces)-1].End
	var out []Finding
	if last > epoch {
		out = append(out, found("epoch-stamps", last, epoch, fmt.Sprintf("the motion lasts from %.10g to %.10g s: these are times of day, or in another unit", first, last)))
	}
	out = append(out, tooFastAt(rows, mo)...)
	out = append(out, tooSlow(rows)...)
	out = append(out, hole(mo)...)
	return append(out, noMotion(rows, mo)...)
}

// tooFastAt looks for joints, and a root link, that move far faster than anything does.
func tooFastAt(rows []row, mo *motion.Motion) []Finding {
	var list []measured
	for i := range rows {
		r := &rows[i]
		v := r.Limit.Velocity
		ratio := r.speed / fastTurn * fastest
		switch {
		case v > 0:
			ratio = r.speed / v
		case r.Type == urdf.Prismatic:
			ratio = r.speed / fastSlide * fastest
		}
		if !(ratio > fastest) {
			continue
		}
		of := "no velocity limit"
		if v > 0 {
			of = fmt.Sprintf("a velocity limit of %g", v)
		}
		list = append(list, measured{about: r.Name, value: ratio, detail: fmt.Sprintf("joint %s moves at up to %.4g rad/s or m/s, with %s", r.Name, r.speed, of)})
	}
	most := 0.0
	for i := range mo.Root {
		most = max(most, geom.Norm(mo.Root[i].Velocity))
	}
	if most > fastSlide {
		list = append(list, measured{about: "root link", value: most / fastSlide * fastest, detail: fmt.Sprintf("the root link moves at up to %.4g m/s", most)})
	}
	return collect("fast-motion", fastest, list, more)
}

// tooSlow looks for a motion that turns joints more slowly than anything is asked to.
func tooSlow(rows []row) []Finding {
	turn, speed := 0.0, 0.0
	for i := range rows {
		if r := &rows[i]; r.Type == urdf.Revolute || r.Type == urdf.Continuous {
			turn, speed = max(turn, r.hi-r.lo), max(speed, r.speed)
		} else if r.speed > 0 {
			return nil
		}
	}
	if turn < slowTurn || speed >= slowest {
		return nil
	}
	return []Finding{found("slow-motion", speed, slowest, fmt.Sprintf("no joint moves faster than %.3g rad/s, though one turns by %.3g rad", speed, turn))}
}

// hole looks for a gap between the rows of a recording, in which the robot moved.
func hole(mo *motion.Motion) []Finding {
	if mo.KeepTurns || len(mo.Pieces) < recordedRows {
		return nil
	}
	long := make([]float64, len(mo.Pieces))
	for i := range mo.Pieces {
		long[i] = mo.Pieces[i].End - mo.Pieces[i].Start
	}
	usual := slices.Sorted(slices.Values(long))[len(long)/2]
	most := max(holeLonger*usual, longHole)
	var list []measured
	for i, t := range long {
		if t <= most {
			continue
		}
		way := 0.0
		for _, c := range mo.Pieces[i].Ctrl {
			way = max(way, math.Abs(c[len(c)-1]-c[0]))
		}
		if way > movedInHole {
			list = append(list, measured{value: t, detail: fmt.Sprintf("%.4g s lie between the rows at %.6g s and %.6g s, %.3g s between others: a joint moved by %.3g meanwhile, and a straight line is checked", t, mo.Pieces[i].Start, mo.Pieces[i].End, usual, way)})
		}
	}
	return collect("recording-hole", most, list, more)
}

// noMotion looks for a motion of several rows that does not move.
func noMotion(rows []row, mo *motion.Motion) []Finding {
	if len(mo.Pieces) < 2 {
		return nil
	}
	most := 0.0
	for i := range rows {
		most = max(most, rows[i].hi-rows[i].lo)
	}
	for i := range mo.Root {
		most = max(most, geom.Norm(mo.Root[i].Velocity), geom.Norm(mo.Root[i].Turn))
	}
	if most > atRest {
		return nil
	}
	return []Finding{found("no-motion", most, atRest, fmt.Sprintf("all %d rows have the same positions: nothing moves", len(mo.Pieces)+1))}
}

// upsideDown looks for a root link that is upside down nearly all the time, as one is whose
// orientation was written with w first.
func upsideDown(mo *motion.Motion) []Finding {
	if len(mo.Root) == 0 {
		return nil
	}
	up := 0.0
	for i := range mo.Root {
		up += mo.Root[i].Start.R.ZZ
	}
	if up /= float64(len(mo.Root)); up >= -onItsHead {
		return nil
	}
	return []Finding{found("upside-down", up, -onItsHead, "the z axis of the root link points down for most of the motion")}
}

// onItsHead is the mean cosine of the angle between the root link's z axis and down.
const onItsHead = 0.5
