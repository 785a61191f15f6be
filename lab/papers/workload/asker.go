package workload

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// asker makes the motions of a workload.
type asker struct {
	w       *Workload
	opts    Options
	checker *ccd.Checker
	*rand.Rand
	lower, upper []float64 // of the joints; a turn for those without limits
	endless      []bool    // joints without limits
	slides       []bool    // prismatic ones
}

// startGap in metres is how far apart all pairs are where a motion starts, so that
// no contact at the start is a matter of rounding.
const startGap = 1e-4

// tries is how often something random is sought before the recipe is called wrong.
const tries = 20_000

func newAsker(w *Workload, opts Options) (*asker, error) {
	checker, err := w.Checker()
	if err != nil {
		return nil, err
	}
	a := &asker{w: w, opts: opts, checker: checker}
	for _, name := range w.Joints {
		j := &w.Robot.Joints[w.Robot.Joint(name)]
		lo, hi := j.Limit.Lower, j.Limit.Upper
		if j.Type == urdf.Continuous {
			lo, hi = -math.Pi, math.Pi
		}
		a.lower, a.upper = append(a.lower, lo), append(a.upper, hi)
		a.endless = append(a.endless, j.Type == urdf.Continuous)
		a.slides = append(a.slides, j.Type == urdf.Prismatic)
	}
	a.seed("")
	return a, nil
}

// seed starts the random numbers of one set, so that a set does not change with how
// many motions another one has.
func (a *asker) seed(set string) {
	h := fnv.New64a()
	h.Write([]byte(a.w.Name + "/" + set))
	a.Rand = rand.New(rand.NewPCG(h.Sum64(), 2004))
}

// count is how many motions a set gets where the paper has n, or says nothing (0).
func (a *asker) count(n int) int {
	if n == 0 {
		n = 200
	}
	if a.opts.Motions > 0 {
		return min(n, a.opts.Motions)
	}
	return n
}

// set adds a set and names its motions.
func (a *asker) set(name string, motions []*motion.Motion) {
	for i, m := range motions {
		m.ID = fmt.Sprintf("%s/%s/%d", a.w.Name, name, i)
	}
	a.w.Sets = append(a.w.Sets, Set{Name: name, Motions: motions})
}

// random is a configuration anywhere within the limits.
func (a *asker) random() []float64 {
	q := make([]float64, len(a.lower))
	for i := range q {
		q[i] = a.lower[i] + a.Float64()*(a.upper[i]-a.lower[i])
	}
	return q
}

// hold sets joints by name.
func (a *asker) hold(q []float64, positions map[string]float64) []float64 {
	for name, x := range positions {
		q[a.joint(name)] = x
	}
	return q
}

func (a *asker) joint(name string) int {
	i := slices.Index(a.w.Joints, name)
	if i < 0 {
		panic("no joint " + name)
	}
	return i
}

// clamp brings q back within the limits.
func (a *asker) clamp(q []float64) []float64 {
	for i := range q {
		if !a.endless[i] {
			q[i] = max(a.lower[i], min(a.upper[i], q[i]))
		}
	}
	return q
}

// straight is the motion from one configuration to another in one second.
func (a *asker) straight(from, to []float64) (*motion.Motion, error) {
	m, err := motion.Between(a.w.Joints, from, to, 1)
	if err != nil {
		return nil, err
	}
	m.KeepTurns = true
	return m, nil
}

// check asks the default engine about the pairs that the paper checks.
func (a *asker) check(m *motion.Motion, q motion.Query) (motion.Verdict, error) {
	q.NoSelf = a.w.Ask.NoSelf
	v, err := a.checker.Check(context.Background(), m, q)
	if err == nil && v.Status == motion.Undecided {
		err = fmt.Errorf("motion %s is undecided: %v", m.ID, v.Reason)
	}
	return v, err
}

// free reports whether nothing, the robot itself included, is closer than startGap
// at q.
func (a *asker) free(q []float64) (bool, error) {
	m, err := motion.Path(a.w.Joints, [][]float64{q}, nil)
	if err != nil {
		return false, err
	}
	v, err := a.checker.Check(context.Background(), m, motion.Query{Question: motion.IsFree, Clearance: startGap})
	return v.Status == motion.Free, err
}

// clear reports whether the straight motion is free.
func (a *asker) clear(m *motion.Motion) (bool, error) {
	v, err := a.check(m, motion.Query{Question: motion.IsFree})
	return v.Status == motion.Free, err
}

// randomFree is a free configuration among those that draw gives.
func (a *asker) randomFree(draw func() []float64) ([]float64, error) {
	for range tries {
		q := draw()
		if ok, err := a.free(q); ok || err != nil {
			return q, err
		}
	}
	return nil, errors.New("no free configuration was found")
}

// segments are n straight motions between free configurations that draw gives, those
// for which wanted is true.
func (a *asker) segments(n int, draw func() []float64, wanted func(free bool) bool) ([]*motion.Motion, error) {
	var out []*motion.Motion
	for range tries {
		if len(out) == n {
			return out, nil
		}
		from, err := a.randomFree(draw)
		if err != nil {
			return nil, err
		}
		to, err := a.randomFree(draw)
		if err != nil {
			return nil, err
		}
		m, err := a.straight(from, to)
		if err != nil {
			return nil, err
		}
		free, err := a.clear(m)
		if err != nil {
			return nil, err
		}
		if wanted(free) {
			out = append(out, m)
		}
	}
	return nil, fmt.Errorf("only %d of %d motions were found", len(out), n)
}

// What segments are wanted.
func either(bool) bool         { return true }
func colliding(free bool) bool { return !free }
func apart(free bool) bool     { return free }

// walk is n steps from start, each proposed from where the one before has led, which
// next tells.
func (a *asker) walk(n int, start []float64, propose func(q []float64) []float64, next func(*motion.Motion, *motion.Verdict) ([]float64, error)) ([]*motion.Motion, error) {
	var out []*motion.Motion
	for q := start; len(out) < n; {
		m, err := a.straight(q, a.clamp(propose(slices.Clone(q))))
		if err != nil {
			return nil, err
		}
		out = append(out, m)
		v, err := a.check(m, motion.Query{})
		if err != nil {
			return nil, err
		}
		if q, err = next(m, &v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// bounce goes on from shortly before a contact.
func (a *asker) bounce(m *motion.Motion, v *motion.Verdict) ([]float64, error) {
	return a.before(m, v, 16)
}

// reject takes back a step that collides.
func (a *asker) reject(m *motion.Motion, v *motion.Verdict) ([]float64, error) {
	if v.Status == motion.Contact {
		return m.At(0), nil
	}
	return a.before(m, v, 1)
}

// before is where a body stops that follows m: its end if it is free, else a free
// place before the contact.
//
// It is at a whole fraction of the second, so that it does not depend on the last
// digit of the time of contact.
func (a *asker) before(m *motion.Motion, v *motion.Verdict, parts float64) ([]float64, error) {
	k := parts
	if v.Status == motion.Contact {
		k = math.Floor(v.TOC.Lo*parts - 0.5)
	}
	for ; k > 0; k-- {
		q := m.At(k / parts)
		if ok, err := a.free(q); ok || err != nil {
			return q, err
		}
	}
	return m.At(0), nil
}

// configurations fills Configurations with n random ones.
func (a *asker) configurations(n int) {
	a.seed("configurations")
	for range a.count(n) {
		a.w.Configurations = append(a.w.Configurations, a.random())
	}
}

// problem adds one of planning: two free configurations that draw gives and no
// straight motion joins.
func (a *asker) problem(name string, draw func() []float64) error {
	a.seed("problem " + name)
	m, err := a.segments(1, draw, colliding)
	if err != nil {
		return err
	}
	a.w.Problems = append(a.w.Problems, Problem{Name: name, Start: m[0].At(0), Goal: m[0].At(1)})
	return nil
}
