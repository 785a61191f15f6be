package node

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/ensemble"
	"github.com/firstcontact-ros/firstcontact/node/internal/events"
	"github.com/firstcontact-ros/firstcontact/node/internal/gate"
)

// course is the motion of what the controllers execute that the gate stands in front of, of all
// joints, as it is proved free. The newest trajectory was proved together with the others.
type course struct {
	node    *Node
	members []*passage  // the newest first
	allowed float64     // rad or m beyond the tube
	start   time.Time   // of the motion, if there are several members
	late    atomic.Bool // the newest began later than it was judged for: its plan is now for when it did

	walk   sync.Mutex     // guards what follows
	model  *model         // in which the rest is proved free
	rest   *motion.Motion // what is left of the motion
	at     float64        // where the robot was found last on it (s)
	tube   map[string]float64
	halted map[*passage]bool // members that stop; the rest has their joints where they stop
	doubt  bool              // the rest is not what was proved
	failed error             // why all must stop
}

// Watch judges the rest of what controllers execute if the world has changed or one of them stops
// early, and looks whether the robot is where it should be.
func (p *passage) Watch(ctx context.Context) error {
	p.look()
	return p.course.Load().watch(ctx, p)
}

// watch is Watch for a member. What is found for one holds for all, except for one that stops.
func (c *course) watch(ctx context.Context, p *passage) error {
	now, absent := c.node.loader.current()
	if now == nil {
		return errors.New(absent)
	}
	if why := c.node.monitor.whyOutdated(now); why != "" {
		return errors.New(why)
	}
	c.walk.Lock()
	defer c.walk.Unlock()
	switch {
	case len(c.members) > 1 && p.broken.Load():
		return nil // the others look after it
	case c.failed != nil:
		return c.failed
	case ctx.Err() != nil:
		return ctx.Err()
	}
	err := c.step(ctx, now)
	if err != nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) {
		c.failed = err
	}
	return err
}

// step looks where the robot is, and judges the rest if that is needed. The caller holds walk.
func (c *course) step(ctx context.Context, now *model) error {
	for _, p := range c.members {
		if err := p.timely(); err != nil {
			return err
		}
	}
	if err := c.settle(now); err != nil {
		return err
	}
	if err := c.advance(c.elapsed(), c.node.monitor.measured()); err != nil {
		return err
	}
	if now != c.model && !now.onlyMoved(c.model) {
		return errors.New("the robot's model has changed")
	}
	if now == c.model && !c.doubt {
		return nil
	}
	if c.members[0].q.forward.drives {
		return fmt.Errorf("the scene has changed: %w", errDrives)
	}
	return c.judgeRest(ctx, c.doubt)
}

// settle adapts the motion to what the controllers do otherwise than it was proved: one began late,
// or stops early. The caller holds walk.
func (c *course) settle(m *model) (err error) {
	if len(c.members) == 1 {
		c.allowForLate()
		return nil
	}
	measured, now := c.node.monitor.jointState()
	if c.late.CompareAndSwap(true, false) {
		if c.rest, c.tube, err = c.ahead(m, now, c.allowed); err != nil {
			return err
		}
		c.start, c.halted, c.doubt = now, nil, true
	}
	for _, p := range c.members {
		if !p.broken.Load() || c.halted[p] {
			continue
		}
		part, err := p.part(measured, now, math.Inf(1))
		if err == nil {
			err = c.halt(&part, ensemble.Halt{
				Now: onTurn(p.q.robot, measured, part.Motion, part.Since), Age: ageOf(measured, now),
				Reaction: c.node.monitor.limits.ahead.reaction, Deceleration: c.node.monitor.limits.ahead.decelerationOf,
			})
		}
		if err != nil {
			return fmt.Errorf("another controller stops, and where its joints stop is not known: %w", err)
		}
		if c.halted == nil {
			c.halted = map[*passage]bool{}
		}
		c.halted[p], c.doubt = true, true
	}
	return nil
}

// allowForLate puts the only member's rest in doubt if that began late: in its plan, the tube and the gaps
// are others. The caller holds walk.
func (c *course) allowForLate() {
	if !c.late.CompareAndSwap(true, false) {
		return
	}
	plan, rest := c.members[0].executed(), *c.rest
	rest.Gaps = slices.Concat(rest.Gaps, plan.Motion.Gaps)
	c.rest, c.tube, c.doubt = &rest, plan.Tube, true
}

// fail has all stop, unless err is nil.
func (c *course) fail(err error) {
	if err == nil {
		return
	}
	c.walk.Lock()
	defer c.walk.Unlock()
	c.failed = err
}

// ahead is what the members execute from now on, with all joints. It is an error if one is measured
// farther from that than allowed (rad or m).
func (c *course) ahead(m *model, now time.Time, allowed float64) (way *motion.Motion, tube map[string]float64, err error) {
	measured, _ := c.node.monitor.jointState()
	var parts []ensemble.Part
	for _, p := range c.members {
		part, err := p.part(measured, now, allowed)
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, part)
	}
	if way, tube, err = ensemble.Join(parts); err != nil {
		return nil, nil, err
	}
	way, _, err = m.complete(way, measured.Positions)
	return way, tube, err
}

// place is what the members execute, with all joints, and the time on it at which the robot is now.
func (c *course) place(m *model, measured jtc.State, now time.Time) (way *motion.Motion, from float64, tube map[string]float64, err error) {
	if len(c.members) > 1 {
		way, tube, err = c.ahead(m, now, math.Inf(1))
		return way, 0, tube, err
	}
	c.walk.Lock()
	defer c.walk.Unlock()
	begin := c.rest.Pieces[0].Start
	elapsed := now.Sub(c.members[0].executed().Start).Seconds()
	from, beside, joint := c.find(begin, max(begin, min(elapsed+ahead, c.rest.Duration(), begin+stretch)), measured.Positions)
	if math.IsInf(beside, 1) {
		err = fmt.Errorf("joint %s is not measured", joint)
	}
	return c.rest, from, c.tube, err
}

// halt puts the joints of a part where they stop.
func (c *course) halt(part *ensemble.Part, h ensemble.Halt) error {
	middle, width, err := part.Stopped(h)
	if err != nil {
		return err
	}
	c.tube = maps.Clone(c.tube)
	maps.Copy(c.tube, width)
	rest := *c.rest
	rest.Pieces = make([]motion.Piece, len(c.rest.Pieces))
	for i, piece := range c.rest.Pieces {
		rows := make([][]float64, len(piece.Ctrl))
		for k, name := range rest.Joints {
			rows[k] = piece.Ctrl[k]
			if x, stops := middle[name]; stops {
				rows[k] = []float64{x}
			}
		}
		piece.Ctrl = rows
		rest.Pieces[i] = piece
	}
	c.rest = &rest
	return nil
}

// How the robot is looked for on its trajectory: a controller may lag, or be slowed down, so it
// is looked for from where it was last.
const (
	ahead   = 0.1 // s that it may be ahead of time
	stretch = 1.0 // s of the trajectory that are looked at
	looks   = 64
)

// advance drops what the robot has passed. It is an error if the robot is farther beside the
// trajectory than the tube and what the parameter gate.deviation adds to it. The caller holds
// walk.
func (c *course) advance(elapsed float64, measured map[string]float64) error {
	from := c.rest.Pieces[0].Start
	to := max(from, min(elapsed+ahead, c.rest.Duration(), from+stretch))
	at, beside, joint := c.find(from, to, measured)
	if math.IsInf(beside, 1) {
		return fmt.Errorf("joint %s is not measured", joint)
	}
	if beside > c.allowed {
		return fmt.Errorf("%w: joint %s is measured %.3g rad or m beyond its tolerance, more than gate.deviation allows (%g)", gate.ErrDeviation, joint, beside, c.allowed)
	}
	c.at = at
	if _, rest, err := c.rest.Split(at); err == nil {
		c.rest = rest
	}
	return nil
}

// elapsed is the time (s) on the motion.
func (c *course) elapsed() float64 {
	start := c.start
	if len(c.members) == 1 {
		start = c.members[0].executed().Start
	}
	return c.node.now().Sub(start).Seconds()
}

// followed reports whether the robot has followed the motion of the joints so far that what is left leads
// nowhere else than to its end. A motion that ends where it begins has the robot there before, too.
func (c *course) followed(joints []string) bool {
	if !c.walk.TryLock() {
		return false // the rest is being judged
	}
	defer c.walk.Unlock()
	if c.advance(c.elapsed(), c.node.monitor.measured()) != nil {
		return false
	}
	if c.at >= c.rest.Duration() {
		return true
	}
	for row, name := range c.rest.Joints {
		if slices.Contains(joints, name) && c.leaves(row) {
			return false
		}
	}
	return true
}

// leaves reports whether what is left of the motion takes a joint away from its end.
func (c *course) leaves(row int) bool {
	last := c.rest.Pieces[len(c.rest.Pieces)-1].Ctrl[row]
	end := last[len(last)-1]
	for i := range c.rest.Pieces {
		for _, x := range c.rest.Pieces[i].Ctrl[row] {
			if math.Abs(x-end) > c.allowed {
				return true
			}
		}
	}
	return false
}

// find looks for the robot between two times of the motion. A motion that goes back the way it
// came is twice where the robot is: the first time counts, so that what the robot may not have
// passed stays.
func (c *course) find(from, to float64, measured map[string]float64) (at, off float64, joint string) {
	coarse, _, _ := c.nearest(from, to, measured)
	step := (to - from) / looks
	around := func(t float64) (at, off float64, joint string) {
		return c.nearest(max(from, t-step), min(to, t+step), measured)
	}
	at, off, joint = around(coarse)
	before := math.Inf(1)
	for i := range looks {
		t := from + float64(i)*step
		here, _ := c.beside(t, measured)
		next, _ := c.beside(t+step, measured)
		if here <= before && here <= next && t+step < at {
			if first, d, name := around(t); d <= off+c.allowed/4 {
				return first, d, name
			}
		}
		before = here
	}
	return at, off, joint
}

// nearest looks for the robot between two times of the motion. It returns where it is least
// beside it.
func (c *course) nearest(from, to float64, measured map[string]float64) (at, off float64, joint string) {
	at, off = from, math.Inf(1)
	for i := range looks + 1 {
		t := min(from+(to-from)*float64(i)/looks, to)
		if d, name := c.beside(t, measured); d < off || joint == "" {
			at, off, joint = t, d, name
		}
	}
	return at, off, joint
}

// beside returns how far the robot is beyond its tube around the motion at time t, and the joint
// that is farthest; infinity if a joint is not measured.
func (c *course) beside(t float64, measured map[string]float64) (off float64, joint string) {
	for i, x := range c.rest.At(t) {
		name := c.rest.Joints[i]
		d := math.Inf(1)
		if is, ok := measured[name]; ok {
			d = math.Abs(is - x)
			if continuous(c.members[0].q.robot, name) {
				d = math.Abs(math.Remainder(d, 2*math.Pi))
			}
		}
		if d -= c.tube[name]; d > off || joint == "" {
			off, joint = d, name
		}
	}
	return off, joint
}

// reactPatience is how long the verdict may take on what goes on beside a controller that stops.
const reactPatience = 300 * time.Millisecond

// judgeRest judges what is left of the motion in the present world, soon if urgent. The caller
// holds walk.
func (c *course) judgeRest(ctx context.Context, urgent bool) error {
	rest, from := c.rest, c.rest.Pieces[0].Start
	if from >= rest.Duration() {
		return nil
	}
	first := c.members[0].q
	q := c.node.ask()
	q.id, q.stamp = fmt.Sprintf("%s from %.3f s on", first.id, from), c.node.now()
	q.query.Question, q.query.Range, q.query.MaxContacts = motion.FirstContact, motion.DistanceRanges{}, 0
	q.query.Tube, q.joined = c.tube, first.joined
	if urgent {
		q.deadline = min(q.deadline, reactPatience)
	}
	q.way = func(context.Context, map[string]float64) (*motion.Motion, error) {
		q.end = first.end
		return rest, nil
	}
	verdicts := make(chan *fcmsgs.Verdict, 1)
	c.node.validator.ask(&q, asker{client: c.node.ros.Participant().GUID(), told: func(a *fcmsgs.Verdict) { verdicts <- a }})
	select {
	case a := <-verdicts:
		if a.Status != fcmsgs.VerdictFree {
			return fmt.Errorf("the rest of the motion: %s: %s", events.StatusName(a.Status), a.Message)
		}
		c.model, c.doubt = q.judged.model, false
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
