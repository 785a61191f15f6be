package frames

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// track is what one publisher says of one frame.
type track struct {
	from    ros.GUID
	static  bool
	samples []sample // stamps grow strictly; one if static
	bad     int64    // a stamp of which the publisher has said two things; 0 if there is none
}

// sample is the pose of a frame in its parent at a stamp.
type sample struct {
	at     int64 // ns since the epoch
	parent string
	p      geom.Vec
	q      turn
}

// newest returns the stamp of the last sample.
func (t *track) newest() int64 {
	if len(t.samples) == 0 {
		return math.MinInt64
	}
	return t.samples[len(t.samples)-1].at
}

// prune drops the samples before a stamp, but the last of them, and returns how many.
func (t *track) prune(before int64) int {
	i, _ := slices.BinarySearchFunc(t.samples, before, func(s sample, at int64) int { return compare(s.at, at) })
	if i < 2 || i < len(t.samples)/4 { // not one by one
		return 0
	}
	return t.drop(i - 1)
}

// drop drops the n first samples.
func (t *track) drop(n int) int {
	n = min(n, len(t.samples))
	t.samples = append(t.samples[:0], t.samples[n:]...)
	return n
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// at returns the publisher's answer for a stamp.
func (t *track) at(stamp, maxGap int64) (answer, *Error) {
	if t.static {
		s := &t.samples[0]
		return answer{parent: s.parent, p: s.p, q: s.q, static: true}, nil
	}
	i, exact := slices.BinarySearchFunc(t.samples, stamp, func(s sample, at int64) int { return compare(s.at, at) })
	switch {
	case exact:
		s := &t.samples[i]
		return answer{parent: s.parent, p: s.p, q: s.q}, nil
	case i == len(t.samples):
		return answer{}, &Error{Kind: Future, By: time.Duration(stamp - t.newest())}
	case i == 0:
		return answer{}, &Error{Kind: Past, By: time.Duration(t.samples[0].at - stamp)}
	}
	a, b := &t.samples[i-1], &t.samples[i]
	gap := b.at - a.at
	switch {
	case a.parent != b.parent:
		return answer{}, &Error{Kind: Contradiction, Detail: fmt.Sprintf("its parent changes from %s to %s between two samples %v apart", a.parent, b.parent, time.Duration(gap))}
	case gap > maxGap:
		return answer{}, &Error{Kind: Gap, By: time.Duration(gap)}
	}
	share := float64(stamp-a.at) / float64(gap)
	return answer{
		parent: a.parent, gap: gap,
		p: r3.Add(a.p, r3.Scale(share, r3.Sub(b.p, a.p))),
		q: a.q.toward(b.q, share),
	}, nil
}

// answer is where a frame is in its parent.
type answer struct {
	parent string
	p      geom.Vec
	q      turn
	static bool
	gap    int64 // between the samples that it is between
}

func (a *answer) pose() geom.Pose { return geom.Pose{R: a.q.rotation(), P: a.p} }

// same is by how much (m, rad) answers may differ that agree: publishers round differently.
const same = 1e-6

// differs says how two answers contradict each other, or returns "".
func (a *answer) differs(b *answer) string {
	if a.parent != b.parent {
		return fmt.Sprintf("one says that its parent is %s, the other %s", a.parent, b.parent)
	}
	far, angle := r3.Norm(r3.Sub(a.p, b.p)), a.q.angle(b.q)
	if far <= same && angle <= same {
		return ""
	}
	return fmt.Sprintf("their answers are %.3g m and %.3g rad apart", far, angle)
}

func (s *sample) agrees(o *sample) bool {
	return s.parent == o.parent && r3.Norm(r3.Sub(s.p, o.p)) <= same && s.q.angle(o.q) <= same
}

// versus says how two samples differ.
func (s *sample) versus(o *sample) string {
	if s.parent != o.parent {
		return fmt.Sprintf("its parent was %s and is %s", s.parent, o.parent)
	}
	return fmt.Sprintf("by %.3g m and %.3g rad", r3.Norm(r3.Sub(s.p, o.p)), s.q.angle(o.q))
}

// turn is a unit quaternion: x, y, z, w.
type turn [4]float64

func (q turn) scale(f float64) turn { return turn{f * q[0], f * q[1], f * q[2], f * q[3]} }

// rotation returns the turn as a matrix.
func (q turn) rotation() geom.Rot {
	r, err := geom.Quat(q[0], q[1], q[2], q[3])
	if err != nil {
		return geom.Identity() // never: its length is 1
	}
	return r
}

// mul applies o first.
func (q turn) mul(o turn) turn {
	return turn{
		q[3]*o[0] + q[0]*o[3] + q[1]*o[2] - q[2]*o[1],
		q[3]*o[1] - q[0]*o[2] + q[1]*o[3] + q[2]*o[0],
		q[3]*o[2] + q[0]*o[1] - q[1]*o[0] + q[2]*o[3],
		q[3]*o[3] - q[0]*o[0] - q[1]*o[1] - q[2]*o[2],
	}
}

// from returns the shortest turn that leads from o to q, with w >= 0.
func (q turn) from(o turn) turn {
	d := turn{-o[0], -o[1], -o[2], o[3]}.mul(q)
	if d[3] < 0 {
		d = d.scale(-1)
	}
	return d
}

// angle is that of the shortest turn between two.
func (q turn) angle(o turn) float64 {
	d := q.from(o)
	return 2 * math.Atan2(geom.Norm(geom.Vec{X: d[0], Y: d[1], Z: d[2]}), d[3])
}

// toward turns a share of the shortest way to o (slerp).
func (q turn) toward(o turn, share float64) turn {
	d := o.from(q)
	sin := geom.Norm(geom.Vec{X: d[0], Y: d[1], Z: d[2]})
	half := share * math.Atan2(sin, d[3])
	k := share // of a turn so small that sin(half) is half
	if sin > 1e-9 {
		k = math.Sin(half) / sin
	}
	return q.mul(turn{k * d[0], k * d[1], k * d[2], math.Cos(half)})
}
