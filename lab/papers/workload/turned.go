package workload

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// point of a profile or of a path. At a sharp one a ring of vertices always stands.
type point struct {
	geom.Vec
	sharp bool
}

// lathe turns a profile about z: points (r, z) as X and Z, from the lowest to the
// highest. Ends off the axis are closed by discs.
func lathe(profile ...point) solid {
	first, last := profile[0], profile[len(profile)-1]
	if first.X > 0 {
		first.sharp = true
		profile[0] = first
		profile = append([]point{{Vec: geom.Vec{Z: first.Z}}}, profile...)
	}
	if last.X > 0 {
		profile[len(profile)-1].sharp = true
		profile = append(profile, point{Vec: geom.Vec{Z: last.Z}})
	}
	length, area := 0.0, 0.0
	for i := 1; i < len(profile); i++ {
		l := geom.Norm(r3.Sub(profile[i].Vec, profile[i-1].Vec))
		length += l
		area += math.Pi * (profile[i].X + profile[i-1].X) * l
	}
	return newSolid(area, func(n int) surface {
		seg, rings := rounds(n, area/length, length, sharps(profile))
		stations := resample(profile, rings, false)
		return skin(seg, rings, profile[0].Vec, profile[len(profile)-1].Vec, func(i int, s, c float64) geom.Vec {
			p := stations[i]
			return geom.Vec{X: p.X * c, Y: p.X * s, Z: p.Z}
		})
	})
}

// corner and smooth make points of a profile.
func corner(r, z float64) point { return point{Vec: geom.Vec{X: r, Z: z}, sharp: true} }
func smooth(r, z float64) point { return point{Vec: geom.Vec{X: r, Z: z}} }

// cylinder stands along z around the origin.
func cylinder(r, length float64) solid {
	return lathe(corner(r, -length/2), corner(r, length/2))
}

// rod is a cylinder from a to b.
func rod(a, b geom.Vec, r float64) solid {
	d := r3.Sub(b, a)
	return cylinder(r, geom.Norm(d)).posed(geom.Pose{R: towards(d), P: r3.Scale(0.5, r3.Add(a, b))})
}

// limb is a rounded body from a to b, of radius ra at a and rb at b, which swells by
// the fraction bulge in between.
func limb(a, b geom.Vec, ra, rb, bulge float64) solid {
	d := r3.Sub(b, a)
	length := geom.Norm(d)
	const steps = 12
	profile := []point{smooth(0, -ra)}
	for i := 1; i < steps; i++ {
		s, c := math.Sincos(math.Pi / 2 * float64(i) / steps)
		profile = append(profile, smooth(ra*s, -ra*c))
	}
	for i := 0; i <= steps; i++ {
		t := float64(i) / steps
		r := (ra + (rb-ra)*t) * (1 + bulge*math.Sin(math.Pi*t))
		profile = append(profile, smooth(r, length*t))
	}
	for i := 1; i < steps; i++ {
		s, c := math.Sincos(math.Pi / 2 * float64(i) / steps)
		profile = append(profile, smooth(rb*c, length+rb*s))
	}
	profile = append(profile, smooth(0, length+rb))
	return lathe(profile...).posed(geom.Pose{R: towards(d), P: a})
}

// ball is a sphere around the origin.
func ball(r float64) solid {
	const steps = 24
	var profile []point
	for i := 0; i <= steps; i++ {
		s, c := math.Sincos(math.Pi * float64(i) / steps)
		profile = append(profile, smooth(r*s, -r*c))
	}
	profile[0].X, profile[steps].X = 0, 0
	return lathe(profile...)
}

// pipe is a round tube, filled, along a path.
func pipe(r float64, path ...point) solid {
	length := 0.0
	for i := 1; i < len(path); i++ {
		length += geom.Norm(r3.Sub(path[i].Vec, path[i-1].Vec))
	}
	around := 2 * math.Pi * r
	return newSolid(around*(length+r), func(n int) surface {
		seg, rings := rounds(n, around, length, sharps(path))
		stations := resample(path, rings, true)
		frames := framesAlong(stations)
		return skin(seg, rings, stations[0], stations[rings-1], func(i int, s, c float64) geom.Vec {
			return r3.Add(stations[i], frames[i].Apply(geom.Vec{X: r * c, Y: r * s}))
		})
	})
}

// torus lies in the plane of x and y around the origin.
func torus(large, small float64) solid {
	around, along := 2*math.Pi*small, 2*math.Pi*large
	return newSolid(around*along, func(n int) surface {
		seg, rings := rounds(n, around, along, 3)
		var s surface
		for i := range rings {
			sa, ca := math.Sincos(2 * math.Pi * float64(i) / float64(rings))
			for j := range seg {
				sb, cb := math.Sincos(2 * math.Pi * float64(j) / float64(seg))
				d := large + small*cb
				s.vertex(geom.Vec{X: d * ca, Y: d * sa, Z: small * sb})
			}
		}
		at := func(i, j int) int32 { return int32(i%rings*seg + j%seg) }
		for i := range rings {
			for j := range seg {
				s.quad(at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1))
			}
		}
		return s
	})
}

// rounds divides a surface of revolution, so far around and so long, into rings of
// segments: 2 seg rings triangles, as near to n as nearly square cells allow.
func rounds(n int, around, along float64, least int) (seg, rings int) {
	least = max(least, 2)
	ideal := math.Sqrt(float64(n) / 2 * around / along)
	ideal = max(3, min(ideal, float64(n)/2/float64(least)))
	seg, rings = 3, least
	best := math.Inf(1)
	for s := 3; s <= int(1.5*ideal)+1; s++ {
		r := max(least, int(math.Round(float64(n)/2/float64(s))))
		off := math.Abs(float64(2*s*r-n))/float64(n) + 0.05*math.Abs(math.Log(float64(s)/ideal))
		if off < best {
			best, seg, rings = off, s, r
		}
	}
	return seg, rings
}

// skin closes rings of vertices, counted from low to high, by a vertex at either end.
// at gives the vertex of a ring at an angle, by its sine and cosine, that runs
// counterclockwise seen from high.
func skin(seg, rings int, low, high geom.Vec, at func(ring int, sin, cos float64) geom.Vec) surface {
	var s surface
	for i := range rings {
		for j := range seg {
			sin, cos := math.Sincos(2 * math.Pi * float64(j) / float64(seg))
			s.vertex(at(i, sin, cos))
		}
	}
	ring := func(i, j int) int32 { return int32(i*seg + j%seg) }
	bottom, top := s.vertex(low), s.vertex(high)
	last := rings - 1
	for j := range seg {
		s.triangle(bottom, ring(0, j+1), ring(0, j))
		for i := range last {
			s.quad(ring(i, j), ring(i, j+1), ring(i+1, j+1), ring(i+1, j))
		}
		s.triangle(top, ring(last, j), ring(last, j+1))
	}
	return s
}

// sharps counts the sharp points of a line.
func sharps(line []point) (n int) {
	for i := range line {
		if line[i].sharp {
			n++
		}
	}
	return n
}

// resample returns n points of a line: its sharp ones, the ends too if they are
// wanted, and the others evenly spaced between those. n is not less than what must be.
func resample(line []point, n int, ends bool) []geom.Vec {
	runs := split(line)
	extra := n - (len(runs) - 1)
	if ends {
		extra -= 2
	}
	for range extra { // to where they are sparsest
		best := 0
		for i := range runs {
			if runs[i].spacing() > runs[best].spacing() {
				best = i
			}
		}
		runs[best].between++
	}
	var out []geom.Vec
	for i := range runs {
		if i > 0 || ends {
			out = append(out, runs[i].line[0].Vec)
		}
		out = runs[i].appendBetween(out)
	}
	if ends {
		out = append(out, line[len(line)-1].Vec)
	}
	return out
}

// run is a stretch of a line between two points that are kept.
type run struct {
	line    []point
	length  float64
	between int // points to be put in between
}

func (r *run) spacing() float64 { return r.length / float64(r.between+1) }

// split cuts a line at its sharp points.
func split(line []point) []run {
	var runs []run
	start := 0
	for i := 1; i < len(line); i++ {
		if line[i].sharp || i == len(line)-1 {
			r := run{line: line[start : i+1]}
			for k := 1; k < len(r.line); k++ {
				r.length += geom.Norm(r3.Sub(r.line[k].Vec, r.line[k-1].Vec))
			}
			runs = append(runs, r)
			start = i
		}
	}
	return runs
}

// appendBetween appends the points between the ends.
func (r *run) appendBetween(out []geom.Vec) []geom.Vec {
	i, past := 1, 0.0
	for k := 1; k <= r.between; k++ {
		s := r.length * float64(k) / float64(r.between+1)
		step := geom.Norm(r3.Sub(r.line[i].Vec, r.line[i-1].Vec))
		for past+step < s && i < len(r.line)-1 {
			past += step
			i++
			step = geom.Norm(r3.Sub(r.line[i].Vec, r.line[i-1].Vec))
		}
		t := (s - past) / step
		out = append(out, r3.Add(r3.Scale(1-t, r.line[i-1].Vec), r3.Scale(t, r.line[i].Vec)))
	}
	return out
}

// framesAlong returns frames whose z is the direction of the path, turning about it
// as little as may be.
func framesAlong(path []geom.Vec) []geom.Rot {
	out := make([]geom.Rot, len(path))
	for i := range path {
		a, b := max(i-1, 0), min(i+1, len(path)-1)
		d := r3.Sub(path[b], path[a])
		if i == 0 {
			out[0] = towards(d)
			continue
		}
		z, _ := geom.Unit(d)
		x := out[i-1].Apply(geom.Vec{X: 1})
		x, _ = geom.Unit(r3.Sub(x, r3.Scale(r3.Dot(x, z), z)))
		y := r3.Cross(z, x)
		out[i] = geom.Rot{XX: x.X, XY: y.X, XZ: z.X, YX: x.Y, YY: y.Y, YZ: z.Y, ZX: x.Z, ZY: y.Z, ZZ: z.Z}
	}
	return out
}

// route is a path through the corners with bends of radius bend between straight
// runs, as a pipe fitter makes it. The corners are farther apart than two bends.
func route(bend float64, corners ...geom.Vec) []point {
	const steps = 8
	path := []point{{Vec: corners[0], sharp: true}}
	for i := 1; i+1 < len(corners); i++ {
		in, _ := geom.Unit(r3.Sub(corners[i], corners[i-1]))
		out, _ := geom.Unit(r3.Sub(corners[i+1], corners[i]))
		turn := math.Acos(max(-1, min(1, r3.Dot(in, out))))
		if turn < 1e-6 {
			continue
		}
		back := bend * math.Tan(turn/2)
		start := r3.Sub(corners[i], r3.Scale(back, in))
		side, _ := geom.Unit(r3.Sub(out, r3.Scale(r3.Dot(in, out), in)))
		for k := 0; k <= steps; k++ {
			s, c := math.Sincos(turn * float64(k) / steps)
			p := r3.Add(start, r3.Add(r3.Scale(bend*s, in), r3.Scale(bend*(1-c), side)))
			path = append(path, point{Vec: p, sharp: k == 0 || k == steps})
		}
	}
	return append(path, point{Vec: corners[len(corners)-1], sharp: true})
}
