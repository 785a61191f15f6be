package show

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Report is what a page shows: a robot, what is around it, its motions, and what was found of
// them.
type Report struct {
	Program string // and version
	Robot   *urdf.Robot
	Motions []*Motion // of that robot; each may have a scene of its own

	// Triangles of a body are drawn at most; 0 means DefaultTriangles.
	Triangles int
}

// Motion is one motion and the answer about it.
type Motion struct {
	Name    string
	Checker *ccd.Checker   // nil if there is no answer, as for a file that cannot be read
	Course  *motion.Motion // as Checker.Resolve returned it; nil without an answer

	Answer   any      // what --json prints: an object of JSON
	Status   string   // free, contact, clearance, undecided or invalid
	Headline string   // the answer in a sentence
	Proved   []string // what is guaranteed, in sentences
	Rests    []string // what that rests on
	Open     []string // what is not covered, or was dropped
	Warnings []string // what is probably not what was meant
	Notes    []string

	Clearance float64 // m: the margin that was asked for
	Moments   []Moment
	Profile   *motion.DistanceProfile // nil if it is not known
	Pairs     []Pair
	PairsOf   int // number of pairs that were checked
	PairsAt   int // at how many configurations the closest ones were looked for; 0: nowhere
}

// MomentKind tells why a moment of a motion is worth a look.
type MomentKind string

// The kinds of moment.
const (
	AtContact   MomentKind = "contact"   // the first contact
	AtClearance MomentKind = "clearance" // a pair comes closer than the clearance
	AtClosest   MomentKind = "closest"   // the smallest distance of a free motion
	AtProven    MomentKind = "proven"    // the proof ends
)

// Moment is a time of a motion to look at, and the points that matter then.
type Moment struct {
	Kind      MomentKind
	Time      float64 // s
	Witnesses []motion.Witness
}

// MomentsOf returns what to look at, by what matters most: the first contact or where the
// clearance is violated, where the motion is closest, where the proof ends. touch, if not nil,
// is the verdict at clearance 0.
func MomentsOf(v, touch *motion.Verdict) (out []Moment) {
	contact := func(kind MomentKind, v *motion.Verdict) {
		w := append([]motion.Witness{v.Contact}, tail(v.Contacts)...)
		out = append(out, Moment{kind, v.TOC.Hi, w})
	}
	switch {
	case touch != nil && touch.Status == motion.Contact:
		contact(AtContact, touch)
		contact(AtClearance, v)
	case touch != nil && v.Status == motion.Contact:
		contact(AtClearance, v)
	case v.Status == motion.Contact:
		contact(AtContact, v)
	}
	if at := &v.MinClearance.At; v.MinClearance.Known && at.Pair.A.Name != "" {
		out = append(out, Moment{AtClosest, at.Time, []motion.Witness{*at}})
	}
	if v.Status == motion.Undecided {
		out = append(out, Moment{Kind: AtProven, Time: v.ProvenUntil})
	}
	return out
}

func tail(w []motion.Witness) []motion.Witness {
	if len(w) == 0 {
		return nil
	}
	return w[1:]
}

// world returns the scene around a motion, which may be nil.
func (m *Motion) world() *scene.Snapshot {
	if m.Checker == nil {
		return nil
	}
	return m.Checker.World()
}

// closest returns the moment where the profile is closest, if the answer does not tell it.
func (m *Motion) closest() (w motion.Witness, ok bool) {
	if m.Profile == nil {
		return w, false
	}
	for i := range m.Profile.Spans {
		at := &m.Profile.Spans[i].At
		if at.Pair.A.Name != "" && (!ok || at.Distance < w.Distance) {
			w, ok = *at, true
		}
	}
	return w, ok
}

// AddProfile bounds the smallest distance over time, and adds the moment where it is smallest if
// the answer about the motion does not have one.
func (m *Motion) AddProfile(ctx context.Context, q motion.ProfileQuery) error {
	p, err := m.Checker.Profile(ctx, m.Course, q)
	if err != nil {
		return err
	}
	m.Profile = &p
	for i := range m.Moments {
		if m.Moments[i].Kind != AtProven {
			return nil
		}
	}
	if w, ok := m.closest(); ok {
		m.Moments = append(m.Moments, Moment{AtClosest, w.Time, []motion.Witness{w}})
	}
	return nil
}

// mostNumbers is how many numbers of a motion are written exactly, 8 bytes each before
// compression. Longer ones are sampled.
const mostNumbers = 1 << 20

// drawn returns the motion to draw: m itself, or, if it is too long for a page, straight lines
// between some of its configurations, exact at the moments. times tells how many; 0 for all.
func drawn(m *motion.Motion, moments []Moment) (out *motion.Motion, times int) {
	numbers := 0
	for i := range m.Pieces {
		numbers += len(m.Joints) * degree(&m.Pieces[i])
	}
	if numbers <= mostNumbers {
		return m, 0
	}
	at := sampleTimes(m, mostNumbers/max(1, len(m.Joints)), moments)
	out = &motion.Motion{ID: m.ID, Joints: m.Joints, KeepTurns: true}
	roots := make([]geom.Pose, len(at))
	for i, t := range at {
		roots[i] = m.RootAt(t)
		if i == 0 {
			continue
		}
		p := motion.Piece{Start: at[i-1], End: t, Ctrl: make([][]float64, len(m.Joints))}
		from, to := m.At(p.Start), m.At(p.End)
		for k := range p.Ctrl {
			p.Ctrl[k] = []float64{from[k], to[k]}
		}
		out.Pieces = append(out.Pieces, p)
	}
	if len(m.Root) > 0 {
		if through, err := motion.RootThrough(at, roots); err == nil {
			out.Root = through
		}
	}
	return out, len(at)
}

// degree returns one more than the highest degree of a piece.
func degree(p *motion.Piece) int {
	n := 1
	for _, c := range p.Ctrl {
		n = max(n, len(c))
	}
	return n
}

// sampleTimes returns times at even distances, and the moments among them, increasing.
func sampleTimes(m *motion.Motion, n int, moments []Moment) []float64 {
	start, end := m.Pieces[0].Start, m.Duration()
	at := map[float64]bool{}
	for i := range n {
		at[start+(end-start)*float64(i)/float64(n-1)] = true
	}
	at[end] = true
	for i := range moments {
		if t := moments[i].Time; t > start && t < end {
			at[t] = true
		}
	}
	return increasing(at)
}
