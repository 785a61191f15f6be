package node

import (
	"math"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/frames"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// past holds the configurations that were measured lately, for what was seen or said at a
// stamp. Its methods may be called by any goroutine.
type past struct {
	mu      sync.Mutex
	names   []string
	gap     time.Duration // the longest between two configurations that are joined
	samples []instant     // stamps grow strictly
}

// instant is a configuration at a stamp.
type instant struct {
	at       time.Time
	position []float64
}

// The past is kept for pastTime, in at most pastSamples configurations.
const (
	pastTime    = 5 * time.Second
	pastSamples = 8192
)

// begin forgets all, for joints of these names.
func (p *past) begin(names []string, gap time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names, p.gap, p.samples = names, gap, nil
}

// forget forgets all configurations.
func (p *past) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.samples = nil
}

// add takes a configuration, whose positions are not changed later. One that is not later than
// the last begins anew: the joints' time went back.
func (p *past) add(at time.Time, position []float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.samples)
	switch {
	case n > 0 && at.Equal(p.samples[n-1].at):
		p.samples[n-1].position = position
		return
	case n > 0 && at.Before(p.samples[n-1].at):
		p.samples = p.samples[:0]
	case n >= pastSamples || n > 0 && at.Sub(p.samples[0].at) > 2*pastTime:
		p.samples = append(p.samples[:0], p.samples[n/2:]...)
	}
	p.samples = append(p.samples, instant{at, position})
}

// at returns the positions (rad or m) by joint at a stamp, between two configurations on a
// straight line, and the stamp; for the zero time the newest. Errors are of type *frames.Error:
// nothing is extrapolated.
func (p *past) at(stamp time.Time, robot *urdf.Robot) (map[string]float64, time.Time, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.samples)
	switch {
	case len(p.names) == 0:
		return map[string]float64{}, stamp, nil
	case n == 0:
		return nil, stamp, &frames.Error{Kind: frames.Unmeasured, Detail: "the joints have not been measured"}
	case stamp.IsZero():
		return p.between(p.samples[n-1], p.samples[n-1], 0, robot), p.samples[n-1].at, nil
	case stamp.After(p.samples[n-1].at):
		return nil, stamp, &frames.Error{Kind: frames.Future, By: stamp.Sub(p.samples[n-1].at)}
	case stamp.Before(p.samples[0].at):
		return nil, stamp, &frames.Error{Kind: frames.Past, By: p.samples[0].at.Sub(stamp)}
	}
	i := n - 1
	for p.samples[i].at.After(stamp) {
		i--
	}
	a := p.samples[i]
	if a.at.Equal(stamp) {
		return p.between(a, a, 0, robot), stamp, nil
	}
	b := p.samples[i+1]
	if gap := b.at.Sub(a.at); gap > p.gap {
		return nil, stamp, &frames.Error{Kind: frames.Gap, By: gap}
	}
	return p.between(a, b, float64(stamp.Sub(a.at))/float64(b.at.Sub(a.at)), robot), stamp, nil
}

// between returns positions on the line between two configurations; continuous joints go the
// short way round, because they may be measured within one turn.
func (p *past) between(a, b instant, share float64, robot *urdf.Robot) map[string]float64 {
	out := make(map[string]float64, len(p.names))
	for i, name := range p.names {
		way := b.position[i] - a.position[i]
		if j := robot.Joint(name); j >= 0 && robot.Joints[j].Type == urdf.Continuous {
			way = math.Remainder(way, 2*math.Pi)
		}
		out[name] = a.position[i] + share*way
	}
	return out
}
