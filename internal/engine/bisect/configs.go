package bisect

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
)

// Configurations (SSL04 II-E, V-A): all pairs cut their intervals at the same places,
// so that forward kinematics is done once for each and kept.

// config is the robot at one time of one segment. Frames and elements are placed when
// they are first asked for: most pairs leave out most of the robot.
type config struct {
	segment uint64
	t       float64
	framed  []bool // per frame: it is placed
	frames  []geom.Pose
	posed   []bool // per element
	poses   []geom.Pose
}

// configCache keeps configurations by their time; one that falls on another's place
// takes it.
type configCache struct {
	slots  [configSlots]*config
	placed *config // the one that the worker's state is at
}

const configSlots = 512

func slotOf(segment uint64, t float64) int {
	h := (math.Float64bits(t) ^ segment*0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd
	return int(h >> 55) // 9 bits: configSlots
}

// config is the robot at time t of the segment, which is loaded, and stays so while it is
// asked for poses.
func (w *Worker) config(s *Segment, t float64) *config {
	slot := &w.cache.slots[slotOf(s.id, t)]
	c := *slot
	if c != nil && c.segment == s.id && c.t == t {
		return c
	}
	if c == nil {
		m, n := w.p.m, len(w.p.m.Tree.Frames)
		c = &config{framed: make([]bool, n), frames: make([]geom.Pose, n), posed: make([]bool, m.Real), poses: make([]geom.Pose, m.Real)}
		*slot = c
	}
	if w.cache.placed == c {
		w.cache.placed = nil
	}
	c.segment, c.t = s.id, t
	clear(c.framed)
	clear(c.posed)
	w.stats.Configurations++
	return c
}

// frameOf returns where a frame is, in W.
func (w *Worker) frameOf(c *config, f int) *geom.Pose {
	if !c.framed[f] {
		begin := w.startTimer()
		if w.cache.placed != c {
			for d := range w.curves {
				w.around[d] = kin.Around{Q: w.curves[d].At(c.t)}
			}
			w.state.Place(w.around)
			w.cache.placed = c
		}
		w.state.Ensure(f)
		c.framed[f], c.frames[f] = true, w.state.PoseWF[f]
		w.stopTimer(begin, &w.stats.PlaceTime)
	}
	return &c.frames[f]
}

// poseOf returns where an element is, in W.
func (w *Worker) poseOf(c *config, element int) *geom.Pose {
	if !c.posed[element] {
		e := &w.p.m.Elements[element]
		c.posed[element] = true
		c.poses[element].Compose(w.frameOf(c, e.Frame), &e.PoseFE)
	}
	return &c.poses[element]
}

// slack bounds what the computed pose of an element errs by: a point of it is placed in
// W with an error of at most place, its rotation errs by turn in norm, and it is no
// farther than far from W's origin.
type slack struct{ place, turn, far float64 }

// slackOf works out an element's slack: the error of its frame, of its own pose and of
// composing them, as in spacetime's slackOf at rest.
func (w *Worker) slackOf(element int) slack {
	e, o, st := &w.p.m.Elements[element], &w.p.objects[element], w.state
	p := geom.Norm(e.PoseFE.P) + o.rho
	far := st.Far[e.Frame] + p
	return slack{
		place: st.ErrP[e.Frame] + (st.ErrR[e.Frame]+160*u)*p + 16*u*far + e.ErrP + e.ErrR*o.rho,
		turn:  st.ErrR[e.Frame] + 160*u + e.ErrR,
		far:   far,
	}
}

// slackOfPair bounds how far a distance of two elements that is computed at their
// computed poses, in the frame of one of them, may be from the true one.
//
// With Q, p the true rotation and position of A and R, P the computed ones, and y the
// point of B in W, true and computed, the point is seen from A at Q'(y - p) and R'(y -
// P). The difference is at most the error of y, that of p, and |R - Q| |y - P|;
// making the relative pose rounds by at most 64u of the lengths.
func (w *Worker) slackOfPair(a, b int) float64 {
	x, y := &w.slacks[a], &w.slacks[b]
	return (x.place + y.place + (x.turn+y.turn+64*u)*(x.far+y.far)) * inflate
}

// bound prepares the error bounds for a motion. They grow with the positions of the
// joints; bounds for larger ones hold too, so that they are seldom made anew.
func (w *Worker) boundErrors(c *kin.Course, piece int) {
	fits := len(w.slacks) > 0 && !c.MovesRoot()
	for d := range w.maxAbs {
		if x := c.MaxAbs(d); !(x <= w.maxAbs[d]) {
			w.maxAbs[d], fits = math.Max(4, 1.25*x), false
		}
		w.around[d] = kin.Around{MaxAbs: w.maxAbs[d]}
	}
	if fits {
		return
	}
	w.state.Root = c.Root(piece)
	w.state.Bound(w.around)
	if w.slacks == nil {
		w.slacks = make([]slack, len(w.p.objects))
	}
	for i := range w.slacks {
		w.slacks[i] = w.slackOf(i)
	}
}
