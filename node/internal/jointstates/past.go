package jointstates

import (
	"math"
	"slices"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/internal/frames"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Past holds where each joint was measured lately, for what was seen or said at a stamp. Joints
// may be measured at different times, by different publishers. Its methods may be called by any
// goroutine.
type Past struct {
	mu    sync.Mutex
	names []string
	gap   time.Duration // the longest between two measurements that are joined
	ways  [][]instant   // of each joint; stamps grow strictly
}

// instant is the position of a joint at a stamp.
type instant struct {
	at       time.Time
	position float64
}

// The past is kept for pastTime, in at most pastSamples measurements of a joint.
const (
	pastTime    = 5 * time.Second
	pastSamples = 8192
)

// Begin forgets all, for joints of these names.
func (p *Past) Begin(names []string, gap time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names, p.gap, p.ways = names, gap, make([][]instant, len(names))
}

// Forget forgets all measurements.
func (p *Past) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ways = make([][]instant, len(p.names))
}

// Add takes the last measurements of all joints. Of a joint that is not later than before, the
// way begins anew: its time went back.
func (p *Past) Add(t *Tracker) { p.measured(t.joints) }

func (p *Past) measured(joints []Measurement) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.ways {
		p.ways[i] = extended(p.ways[i], instant{joints[i].Stamp, joints[i].Position})
	}
}

func extended(way []instant, by instant) []instant {
	n := len(way)
	switch {
	case n > 0 && by.at.Equal(way[n-1].at):
		way[n-1] = by
		return way
	case n > 0 && by.at.Before(way[n-1].at):
		way = way[:0]
	case n >= pastSamples || n > 0 && by.at.Sub(way[0].at) > 2*pastTime:
		way = append(way[:0], way[n/2:]...)
	}
	return append(way, by)
}

// At returns the positions (rad or m) by joint At a stamp, each between two measurements on a
// straight line, and the stamp; for the zero time the newest of each, and the oldest of their
// stamps. Errors are of type *frames.Error: nothing is extrapolated.
func (p *Past) At(stamp time.Time, robot *urdf.Robot) (map[string]float64, time.Time, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	out, oldest := make(map[string]float64, len(p.names)), stamp
	for i, name := range p.names {
		n := len(p.ways[i])
		if n == 0 {
			return nil, stamp, &frames.Error{Kind: frames.Unmeasured, Detail: "the joints have not been measured"}
		}
		if newest := p.ways[i][n-1]; stamp.IsZero() {
			out[name] = newest.position
			if oldest.IsZero() || newest.at.Before(oldest) {
				oldest = newest.at
			}
			continue
		}
		j := robot.Joint(name)
		x, err := p.between(p.ways[i], stamp, j >= 0 && robot.Joints[j].Type == urdf.Continuous)
		if err != nil {
			return nil, stamp, err
		}
		out[name] = x
	}
	return out, oldest, nil
}

// between returns a joint's position at a stamp; a continuous joint goes the short way round,
// because it may be measured within one turn. There is at least one measurement.
func (p *Past) between(way []instant, stamp time.Time, turns bool) (float64, error) {
	i, exact := slices.BinarySearchFunc(way, stamp, func(s instant, at time.Time) int { return s.at.Compare(at) })
	switch {
	case exact:
		return way[i].position, nil
	case i == len(way):
		return 0, &frames.Error{Kind: frames.Future, By: stamp.Sub(way[i-1].at)}
	case i == 0:
		return 0, &frames.Error{Kind: frames.Past, By: way[0].at.Sub(stamp)}
	}
	a, b := way[i-1], way[i]
	gap := b.at.Sub(a.at)
	if gap > p.gap {
		return 0, &frames.Error{Kind: frames.Gap, By: gap}
	}
	off := b.position - a.position
	if turns {
		off = math.Remainder(off, 2*math.Pi)
	}
	return a.position + float64(stamp.Sub(a.at))/float64(gap)*off, nil
}
