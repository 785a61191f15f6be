package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
)

// Transform is where one frame is in another.
type Transform struct {
	Pose geom.Pose // of the source in the target
	// Static reports that only static transforms lead from one to the other: the answer holds
	// at all stamps while Buffer.Changes stays the same.
	Static bool
	// Moving lists the frames on the way that tf moves, or may move.
	Moving []string
	// Gap is the longest time between two samples on the way that the answer is between.
	// Between them each frame is taken to be on the straight line and the shortest turn.
	Gap time.Duration
	// Stamp is the moment of the answer, the zero time if it is static.
	Stamp time.Time
}

// Lookup returns the pose of the frame source in the frame target at a stamp. Its errors are
// of type *Error.
func (b *Buffer) Lookup(target, source string, at time.Time) (Transform, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.between(plain(target), plain(source), at.UnixNano())
}

// Latest is Lookup at the latest stamp at which all frames on the way are known.
func (b *Buffer) Latest(target, source string) (Transform, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	target, source = plain(target), plain(source)
	at := min(b.latest(source), b.latest(target))
	return b.between(target, source, at)
}

// latest returns the latest stamp of the frames above a frame; far ahead if all are static.
func (b *Buffer) latest(name string) int64 {
	at := int64(math.MaxInt64)
	for range limit.FrameDepth {
		f := b.frames[name]
		if f == nil {
			break
		}
		newest := int64(math.MinInt64)
		for _, tr := range f.tracks {
			if len(tr.samples) > 0 && !tr.static && tr.newest() > newest {
				newest = tr.newest()
			}
		}
		parent := ""
		for _, tr := range f.tracks {
			switch {
			case len(tr.samples) == 0:
			case tr.static:
				parent = tr.samples[0].parent
			case newest-tr.newest() <= b.maxGap: // heard of late
				at = min(at, tr.newest())
				parent = tr.samples[len(tr.samples)-1].parent
			}
		}
		if parent == "" {
			break
		}
		name = parent
	}
	return at
}

// between walks from both frames up to the first that both are in.
func (b *Buffer) between(target, source string, at int64) (Transform, error) {
	up, fault := b.chain(source, at)
	down, fault2 := b.chain(target, at)
	for _, f := range []*Error{fault, fault2} {
		if f != nil && f.Kind == Loop { // ways of several lengths lead round it
			return Transform{}, f
		}
	}
	if i := up.find(target); i >= 0 {
		return up.transform(i, at), nil
	}
	for j := range down.names {
		i := up.find(down.names[j])
		if i < 0 {
			continue
		}
		a, c := up.transform(i, at), down.transform(j, at)
		out := Transform{Pose: c.Pose.Inv().Mul(a.Pose), Static: a.Static && c.Static, Moving: append(a.Moving, c.Moving...), Gap: max(a.Gap, c.Gap)}
		if !out.Static {
			out.Stamp = time.Unix(0, at).UTC()
		}
		return out, nil
	}
	return Transform{}, b.why(target, source, fault, fault2, &up, &down)
}

// why says why no way leads from one frame to the other.
func (b *Buffer) why(target, source string, fault, fault2 *Error, up, down *chain) error {
	for _, name := range []string{source, target} {
		if known := b.names(); !slices.Contains(known, name) {
			return &Error{Kind: Unknown, Frame: name, Detail: spelling.Hint(name, known)}
		}
	}
	// A fault on the way may be what keeps the two apart. One that waiting may mend comes last.
	for _, f := range []*Error{fault, fault2} {
		if f != nil && f.Kind != Future {
			return f
		}
	}
	for _, f := range []*Error{fault, fault2} {
		if f != nil {
			return f
		}
	}
	return &Error{
		Kind: Disconnected, Frame: source,
		Detail: fmt.Sprintf("frame %s is below %s, and %s below %s: nothing connects the two; publish a transform between them", source, up.names[len(up.names)-1], target, down.names[len(down.names)-1]),
	}
}

// names lists all frames, also those that only have children.
func (b *Buffer) names() []string {
	set := map[string]bool{}
	for name, f := range b.frames {
		for _, tr := range f.tracks {
			for i := range tr.samples {
				set[tr.samples[i].parent] = true
				set[name] = true
			}
		}
	}
	list := make([]string, 0, len(set))
	for name := range set {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// chain is the way from a frame up.
type chain struct {
	names   []string
	answers []answer // of each frame in the next
}

// chain walks up from a frame as far as its transforms are known at the stamp.
func (b *Buffer) chain(name string, at int64) (c chain, fault *Error) {
	c.names = append(c.names, name)
	for {
		a, top, err := b.step(name, at)
		if err != nil {
			err.Frame = name
			return c, err
		}
		if top {
			return c, nil
		}
		name = a.parent
		if i := c.find(name); i >= 0 {
			return c, &Error{Kind: Loop, Frame: name, Detail: strings.Join(append(c.names[i:], name), " in ")}
		}
		if len(c.names) >= limit.FrameDepth {
			return c, &Error{Kind: Loop, Frame: c.names[0], Detail: fmt.Sprintf("more than %d frames one in the other", limit.FrameDepth)}
		}
		c.names, c.answers = append(c.names, name), append(c.answers, a)
	}
}

func (c *chain) find(name string) int { return slices.Index(c.names, name) }

// transform returns the pose of the first frame in the one of index i.
func (c *chain) transform(i int, at int64) Transform {
	t := Transform{Pose: geom.IdentityPose(), Static: true}
	for k := range c.answers[:i] {
		a := &c.answers[k]
		t.Pose = a.pose().Mul(t.Pose)
		t.Gap = max(t.Gap, time.Duration(a.gap))
		if !a.static {
			t.Static = false
			t.Moving = append(t.Moving, c.names[k])
		}
	}
	if !t.Static {
		t.Stamp = time.Unix(0, at).UTC()
	}
	return t
}

// step returns where a frame is in its parent. top reports that nobody says that it has one.
func (b *Buffer) step(name string, at int64) (found answer, top bool, fault *Error) {
	f := b.frames[name]
	if f == nil {
		return found, true, nil
	}
	var by *track
	for _, tr := range f.tracks {
		if len(tr.samples) == 0 {
			if tr.bad != 0 {
				fault = worse(fault, &Error{Kind: Contradiction, Detail: fmt.Sprintf("publisher %s said two things of it at one stamp", tr.from)})
			}
			continue
		}
		a, err := tr.at(at, b.maxGap)
		switch {
		case err != nil:
			fault = worse(fault, err)
		case by == nil:
			found, by = a, tr
		case by.static != tr.static:
			return found, false, &Error{Kind: Contradiction, Detail: "it is published on tf and on tf_static: let one publisher speak of it"}
		default:
			if how := found.differs(&a); how != "" {
				return found, false, &Error{Kind: Contradiction, Detail: fmt.Sprintf("publishers %s and %s contradict each other: %s; let one of them speak of it", by.from, tr.from, how)}
			}
			found.gap = max(found.gap, a.gap)
		}
	}
	if by == nil {
		return found, fault == nil, fault
	}
	if fault != nil && (fault.rival(b.maxGap) || by.static && fault.Kind == Past) {
		return found, false, fault.beside(by)
	}
	return found, false, nil
}
