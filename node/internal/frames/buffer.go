package frames

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Options of a buffer. Zero values mean the defaults.
type Options struct {
	// History is how long samples are kept, and how far a stamp may be from the present: 10 s
	// as in tf2.
	History time.Duration
	// MaxGap is the longest time between two samples of a publisher that are joined: 1 s.
	MaxGap time.Duration
}

// Buffer keeps transforms. Its methods may be called by any number of goroutines.
type Buffer struct {
	history, maxGap int64 // ns

	mu      sync.Mutex
	frames  map[string]*frame // by the child's name
	samples int               // of all frames
	swept   int64             // when frames were last forgotten for room
	changes uint64
}

// New returns an empty buffer.
func New(o Options) *Buffer {
	if o.History <= 0 {
		o.History = 10 * time.Second
	}
	if o.MaxGap <= 0 {
		o.MaxGap = time.Second
	}
	return &Buffer{history: int64(o.History), maxGap: int64(o.MaxGap), frames: map[string]*frame{}}
}

// frame is what publishers say of one frame.
type frame struct {
	tracks []*track // of each publisher, static or not
}

// Message is what a publisher says on tf or tf_static.
type Message struct {
	Transforms []geometrymsgs.TransformStamped
	Static     bool      // it came on tf_static
	From       ros.GUID  // its writer
	Now        time.Time // by the clock that stamps are read by
}

// maxFaults is how many faults of a message are told.
const maxFaults = 4

// Add takes the transforms of a message. It returns what it refused and what it noticed, in
// words for a log; at most a few of each message.
func (b *Buffer) Add(m Message) []error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var faults []error
	for i := range m.Transforms {
		if err := b.add(&m.Transforms[i], &m); err != nil && len(faults) < maxFaults {
			faults = append(faults, err)
		}
	}
	return faults
}

func (b *Buffer) add(t *geometrymsgs.TransformStamped, m *Message) error {
	parent, child := plain(t.Header.FrameID), plain(t.ChildFrameID)
	s, err := sampleOf(t)
	switch {
	case parent == "" || child == "":
		return fmt.Errorf("a transform from %q to %q has no name: give header.frame_id and child_frame_id", parent, child)
	case parent == child:
		return fmt.Errorf("frame %s is said to be in itself", child)
	case err != nil:
		return fmt.Errorf("frame %s in %s: %w", child, parent, err)
	}
	s.parent = parent
	if m.Static {
		s.at = 0
	} else if away := s.at - m.Now.UnixNano(); away > b.history || away < -b.history {
		return fmt.Errorf("frame %s in %s is stamped %v: stamps are taken up to %v from the present; synchronize the clocks, or set use_sim_time", child, parent, distance(away), time.Duration(b.history))
	}
	tr, err := b.track(child, m)
	if err != nil {
		return err
	}
	if m.Static {
		return b.set(child, tr, s)
	}
	return b.append(child, tr, s, m.Now)
}

// distance words a time from the present.
func distance(ns int64) string {
	d := time.Duration(ns)
	if d < 0 {
		return (-d).String() + " ago"
	}
	return d.String() + " ahead"
}

// track returns what a publisher says of a frame, and makes room for it.
func (b *Buffer) track(child string, m *Message) (*track, error) {
	f := b.frames[child]
	if f == nil {
		if len(b.frames) >= limit.Frames {
			b.sweep(m.Now)
		}
		if len(b.frames) >= limit.Frames {
			return nil, fmt.Errorf("frame %s is left out: the maximum of %d frames is reached", child, limit.Frames)
		}
		f = &frame{}
		b.frames[child] = f
	}
	oldest := -1
	for i, tr := range f.tracks {
		if tr.from == m.From && tr.static == m.Static {
			return tr, nil
		}
		if !tr.static && tr.newest() < m.Now.UnixNano()-b.history {
			oldest = i
		}
	}
	tr := &track{from: m.From, static: m.Static}
	switch {
	case oldest >= 0:
		b.samples -= len(f.tracks[oldest].samples)
		f.tracks[oldest] = tr
	case len(f.tracks) < limit.FramePublishers:
		f.tracks = append(f.tracks, tr)
	default:
		return nil, fmt.Errorf("frame %s has more than %d publishers: a further one is not heard", child, limit.FramePublishers)
	}
	return tr, nil
}

// sweep forgets frames of which nothing within the history is known. It does so at most once
// a second: a flood of names must not make it slow.
func (b *Buffer) sweep(at time.Time) {
	now := at.UnixNano()
	if since := now - b.swept; since >= 0 && since < int64(time.Second) {
		return
	}
	b.swept = now
	for name, f := range b.frames {
		live := false
		for _, tr := range f.tracks {
			live = live || tr.static || tr.newest() >= now-b.history
		}
		if !live {
			b.forget(name)
		}
	}
}

func (b *Buffer) forget(name string) {
	for _, tr := range b.frames[name].tracks {
		b.samples -= len(tr.samples)
	}
	delete(b.frames, name)
}

// set takes a static transform, which holds at all times.
func (b *Buffer) set(child string, tr *track, s sample) error {
	if len(tr.samples) == 0 {
		tr.samples = append(tr.samples, s)
		b.samples++
		b.changes++
		return nil
	}
	old := tr.samples[0]
	tr.samples[0] = s
	if old.agrees(&s) {
		return nil
	}
	b.changes++
	return fmt.Errorf("the static frame %s in %s has changed: %s", child, s.parent, old.versus(&s))
}

// append takes a sample that is later than those before.
func (b *Buffer) append(child string, tr *track, s sample, now time.Time) error {
	fresh, fault := tr.follows(child, &s)
	if n := len(tr.samples); fault != nil {
		b.samples -= n
		tr.samples = tr.samples[:0]
	}
	if !fresh {
		return fault
	}
	b.samples -= tr.prune(s.at - b.history)
	if b.samples >= limit.AllFrameSamples {
		b.sweep(now)
	}
	if len(tr.samples) >= limit.FrameSamples || b.samples >= limit.AllFrameSamples && len(tr.samples) > 0 {
		b.samples -= tr.drop(1 + len(tr.samples)/8)
	}
	if b.samples >= limit.AllFrameSamples {
		return fmt.Errorf("frame %s is left out: the maximum of %d transforms is reached", child, limit.AllFrameSamples)
	}
	tr.samples = append(tr.samples, s)
	b.samples++
	return fault
}

// follows reports whether a sample is one more of the track. An error says why those before
// count no longer.
func (t *track) follows(child string, s *sample) (fresh bool, _ error) {
	if s.at == t.bad && t.bad != 0 {
		return false, nil
	}
	if len(t.samples) == 0 {
		return true, nil
	}
	switch last := &t.samples[len(t.samples)-1]; {
	case s.at < last.at:
		t.bad = 0
		return true, fmt.Errorf("the stamps of frame %s in %s went back by %v: its earlier transforms are forgotten", child, s.parent, time.Duration(last.at-s.at))
	case s.at == last.at && last.agrees(s):
		return false, nil
	case s.at == last.at:
		t.bad = s.at // which of the two holds is unknown
		return false, fmt.Errorf("frame %s in %s has two transforms of one stamp, and they differ: %s; its earlier transforms are forgotten", child, s.parent, last.versus(s))
	}
	return true, nil
}

// Clear forgets all transforms but the static ones: the clock has jumped.
func (b *Buffer) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, f := range b.frames {
		var static []*track
		for _, tr := range f.tracks {
			if tr.static {
				static = append(static, tr)
			} else {
				b.samples -= len(tr.samples)
			}
		}
		if f.tracks = static; len(static) == 0 {
			delete(b.frames, name)
		}
	}
}

// Lost says that a publisher has left the graph. What it said of static frames that another
// publisher speaks of counts no longer: a program that was started again may have changed it.
func (b *Buffer) Lost(from ros.GUID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.frames {
		for i := len(f.tracks) - 1; i >= 0; i-- {
			if tr := f.tracks[i]; tr.from == from && tr.static && f.statics() > 1 {
				b.samples -= len(tr.samples)
				f.tracks = append(f.tracks[:i], f.tracks[i+1:]...)
				b.changes++
			}
		}
	}
}

func (f *frame) statics() (n int) {
	for _, tr := range f.tracks {
		if tr.static {
			n++
		}
	}
	return n
}

// Changes counts the changes of static transforms: an answer that is Static holds while the
// number stays the same.
func (b *Buffer) Changes() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.changes
}

// plain returns a frame's name without the leading slash of tf (ROS 1).
func plain(name string) string { return strings.TrimPrefix(name, "/") }

// quatTolerance is by how much the square of a quaternion's length may differ from 1, as in
// tf2.
const quatTolerance = 10e-3

func sampleOf(t *geometrymsgs.TransformStamped) (s sample, err error) {
	p, q := t.Transform.Translation, t.Transform.Rotation
	s = sample{at: t.Header.Stamp.Time().UnixNano(), p: geom.Vec{X: p.X, Y: p.Y, Z: p.Z}, q: turn{q.X, q.Y, q.Z, q.W}}
	if !geom.Bounded(s.p) {
		return s, fmt.Errorf("its translation (%g, %g, %g) is no number of metres within %g", p.X, p.Y, p.Z, float64(geom.MaxLength))
	}
	n := q.X*q.X + q.Y*q.Y + q.Z*q.Z + q.W*q.W
	if !(math.Abs(n-1) <= quatTolerance) {
		return s, fmt.Errorf("its quaternion (x %g, y %g, z %g, w %g) has the length %.4g, and is no rotation: normalize it", q.X, q.Y, q.Z, q.W, math.Sqrt(n))
	}
	s.q = s.q.scale(1 / math.Sqrt(n))
	return s, nil
}
