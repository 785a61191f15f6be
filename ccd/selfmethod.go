package ccd

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/romtree"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// SelfMethod says how distance queries find the closest of the robot's own pairs. All
// methods give the same answers, to the tolerance of the query, and the same guarantees;
// they differ in what they cost. Pairs with the world and with attached objects do not
// depend on it.
type SelfMethod uint8

const (
	// SelfAuto takes what measured best: sphere trees for the repeated queries of a
	// DistanceTracker, where at least 16 pairs of links can be left out, and all pairs
	// for single ones, which would not repay the time to build the trees. It depends on
	// nothing but the model.
	SelfAuto SelfMethod = iota
	// SelfSpheres leaves out subtrees of the robot by spheres around them, by the hulls
	// of their ranges of motion, and by a table of how close links come (SPHERE, sections
	// III and IV). What they cannot tell is measured pair by pair: beyond joint limits
	// subtrees have the spheres around where their links are, and no table is used.
	SelfSpheres
	// SelfSpacetime measures all pairs, those first whose spheres are the closest.
	SelfSpacetime
)

var selfMethodNames = [...]string{"auto", "spheres", "spacetime"}

// String returns the name that ParseSelfMethod takes.
func (m SelfMethod) String() string {
	if int(m) < len(selfMethodNames) {
		return selfMethodNames[m]
	}
	return fmt.Sprintf("self-method(%d)", uint8(m))
}

// SelfMethodNames lists the names that ParseSelfMethod takes.
func SelfMethodNames() []string { return slices.Clone(selfMethodNames[:]) }

// ParseSelfMethod returns the method of a name.
func ParseSelfMethod(name string) (SelfMethod, error) {
	if i := slices.Index(selfMethodNames[:], name); i >= 0 {
		return SelfMethod(i), nil
	}
	return SelfAuto, fmt.Errorf("there is no method %q for the robot's own pairs: known are %s", name, strings.Join(selfMethodNames[:], ", "))
}

// fewOwnPairs is below how many pairs of links SelfAuto measures all.
const fewOwnPairs = 16

// SelfTrees says how a Checker finds the closest of the robot's own pairs, and what it
// has built for that.
type SelfTrees struct {
	// Method answers the repeated queries of a DistanceTracker: SelfSpheres or
	// SelfSpacetime. Single queries (Checker.Distance) are answered by SelfSpheres only
	// where Options.SelfMethod says so.
	Method SelfMethod
	Why    string // why that method, in a few words
	Pairs  int    // of links that joints move against each other and that are checked

	// With SelfSpheres, else zero:

	// Links is how many links have a sphere tree, Spheres how many spheres these have
	// and Levels how many levels the deepest one has.
	Links, Spheres, Levels int
	// Hulls is how many subtrees have a hull of their range of motion, and Tight how many
	// of these are used whenever the robot is within its limits, as they are about as
	// small as spheres around where the links are.
	Hulls, Tight int
	// Unbounded names the joints that can move their subtree anywhere: no hull holds it.
	Unbounded []string
	// Apart is of how many pairs the table proves that they never touch within the
	// limits; of the others it says nothing.
	Apart int
	// Time is what building hulls and table took, Bytes about how much memory they hold;
	// sphere trees of links are part of the model that every method uses.
	Time  time.Duration
	Bytes int
}

// String tells in one line which method is taken, why, and what was built.
func (t SelfTrees) String() string {
	if t.Method != SelfSpheres {
		return fmt.Sprintf("the robot's own pairs: all are measured: %s", t.Why)
	}
	text := fmt.Sprintf("the robot's own pairs: sphere trees (%s): %d links with %d spheres in up to %d levels, %d hulls of ranges of motion (%d in use), %d of %d pairs proved apart, built in %.0f ms, %.0f kB",
		t.Why, t.Links, t.Spheres, t.Levels, t.Hulls, t.Tight, t.Apart, t.Pairs, 1e3*t.Time.Seconds(), float64(t.Bytes)/1e3)
	if len(t.Unbounded) > 0 {
		text += "; without limits, so that no hull holds what is beyond: " + strings.Join(t.Unbounded, ", ")
	}
	return text
}

// selfTrees makes what SelfSpheres needs, once for all worlds in which the links have the
// same padding.
type selfTrees struct {
	padding []float64 // per link

	mu    sync.Mutex
	hulls *romtree.Hulls
	took  time.Duration
}

// selfTreesFor returns those of c if they are for the paddings of a world.
func (c *Checker) selfTreesFor(padding model.Padding) *selfTrees {
	t := &selfTrees{padding: make([]float64, len(c.robot.Links))}
	for i := range c.robot.Links {
		t.padding[i] = padding(c.robot.Links[i].Name)
	}
	if c.trees != nil && slices.Equal(c.trees.padding, t.padding) {
		return c.trees
	}
	return t
}

// hulls returns the hulls of the robot, which it builds when first asked for.
func (c *Checker) hulls(ctx context.Context) (*romtree.Hulls, time.Duration, error) {
	t := c.trees
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.hulls != nil {
		return t.hulls, t.took, nil
	}
	begin := time.Now()
	m, err := model.NewContext(ctx, c.robot, nil, c.padding(c.world), c.lib)
	if err != nil {
		return nil, 0, err
	}
	h, err := romtree.NewHulls(ctx, m, c.ownPairs())
	if err != nil {
		return nil, 0, fmt.Errorf("robot %s: the ranges of motion were not finished: %w", c.robot.Name, err)
	}
	t.hulls, t.took = h, time.Since(begin)
	return h, t.took, nil
}

// ownPairs lists the pairs of links (indices) that joints move against each other and that
// are checked.
func (c *Checker) ownPairs() [][2]int { return c.someOwnPairs(math.MaxInt) }

// someOwnPairs lists the first of ownPairs, at most most.
func (c *Checker) someOwnPairs(most int) (out [][2]int) {
	m := c.model
	seen := map[[2]int]bool{}
	for i := range m.Pairs {
		p := &m.Pairs[i]
		a, b := &m.Bodies[m.Elements[p.A].Body], &m.Bodies[m.Elements[p.B].Body]
		key := [2]int{a.Link, b.Link}
		if p.World || a.Kind != motion.RobotLink || b.Kind != motion.RobotLink || a.Frame == b.Frame || seen[key] {
			continue
		}
		seen[key] = true
		if out = append(out, key); len(out) >= most {
			break
		}
	}
	return out
}

// usesSpheres is bySpheres without the reason, which takes longer.
func (c *Checker) usesSpheres(repeated bool) bool {
	if c.opts.SelfMethod == SelfAuto && repeated {
		return len(c.someOwnPairs(fewOwnPairs)) >= fewOwnPairs
	}
	yes, _ := c.bySpheres(repeated)
	return yes
}

// bySpheres reports whether queries are answered by sphere trees, and why or why not.
func (c *Checker) bySpheres(repeated bool) (yes bool, why string) {
	switch c.opts.SelfMethod {
	case SelfSpheres:
		return true, "as asked for"
	case SelfSpacetime:
		return false, "as asked for"
	}
	if !repeated {
		return false, "a single query does not repay the time to build trees"
	}
	n := len(c.ownPairs())
	if n < fewOwnPairs {
		return false, fmt.Sprintf("%d pairs of links are too few for trees to save time", n)
	}
	return true, fmt.Sprintf("repeated queries of %d pairs of links take less time", n)
}

// plan makes a scope leave out the robot's own pairs by sphere trees.
func (c *Checker) plan(s *distance.Scope) error {
	pairs := s.OwnPairs()
	if len(pairs) == 0 {
		return nil
	}
	h, _, err := c.hulls(context.Background())
	if err != nil {
		return err
	}
	s.SetOwn(h.NewPlan(c.model, pairs))
	return nil
}

// SelfTrees says how the closest of the robot's own pairs are found, and builds the trees
// where they are used: a program that calls it when it loads its model has no slow first
// query. It fails once ctx is done.
func (c *Checker) SelfTrees(ctx context.Context) (SelfTrees, error) {
	yes, why := c.bySpheres(true)
	own := c.ownPairs()
	out := SelfTrees{Method: SelfSpacetime, Why: why, Pairs: len(own)}
	if !yes {
		return out, nil
	}
	h, took, err := c.hulls(ctx)
	if err != nil {
		return SelfTrees{}, err
	}
	out.Method, out.Time = SelfSpheres, took
	out.Hulls, out.Tight = h.Count()
	out.Unbounded = slices.Compact(slices.Clone(h.Rom.Endless))
	out.Bytes = h.Bytes()
	for _, p := range own {
		if h.Apart(p[0], p[1]) >= 0 {
			out.Apart++
		}
	}
	links := map[int]bool{}
	for i := range c.model.Elements[:c.model.Real] {
		e := &c.model.Elements[i]
		if c.model.Bodies[e.Body].Kind != motion.RobotLink {
			continue
		}
		links[c.model.Bodies[e.Body].Link] = true
		n, levels := e.Spheres()
		out.Spheres, out.Levels = out.Spheres+n, max(out.Levels, levels)
	}
	out.Links = len(links)
	return out, nil
}

// WithSelfMethod returns a checker like c whose distance queries find the closest of the
// robot's own pairs by another method. It shares everything with c.
func (c *Checker) WithSelfMethod(m SelfMethod) *Checker {
	d := *c
	d.opts.SelfMethod = m
	return &d
}
