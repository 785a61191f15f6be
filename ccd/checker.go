package ccd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/cache"
	"github.com/firstcontact-ros/firstcontact/internal/engine/defaultpairs"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/plausible"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Checker checks motions of one robot in one world. It is immutable; any number of
// goroutines may use it at once. Repeated checks allocate nothing, except to look up the
// features of a mesh that is in contact.
type Checker struct {
	robot     *urdf.Robot
	world     *scene.Snapshot
	given     map[*shape.Shape]*shape.Shape // the caller's shapes, and their copies in world
	opts      Options
	engine                           // of motions whose root link stands still
	rooted    func() (engine, error) // of the others, made when first asked for
	base      string                 // the floating joint that the whole robot hangs on, if it does
	open      []string               // bodies with meshes that enclose nothing
	layouts   *atomic.Pointer[layout]
	lastScope *atomic.Pointer[asked] // of distances
	trees     *selfTrees             // for distances of the robot's own pairs
	touchings *atomic.Pointer[asked] // of lists of contacts
	lastRange *atomic.Pointer[askedRanges]
	lib       *model.Library
	state     []float64                // per variable of the tree
	defaults  []defaultpairs.LeftOut   // where no SRDF says what to check
	doubtful  []defaultpairs.Doubt     // robots of which the defaults leave out too much
	premises  func() []premise.Premise // of every verdict; shared
	plausible *plausible.Model
	proven    *neverPairs // pairs that are left out where a proof holds; may be nil
	part      string      // the pairs that are checked, where that is not all

	touching func() (map[[2]int]geom.Vec, error) // touches, worked out once
}

// engine is a model and scratch for it.
type engine struct {
	model   *model.Model
	pool    *workers
	others  *others
	leftOut int // pairs of links that it does not check, by proof
	// whole gives the engine whose model lists all pairs; nil where this one's does.
	whole func() (engine, error)
}

func newEngine(m *model.Model) engine {
	return engine{model: m, others: &others{}, pool: newWorkers(m)}
}

// New returns a Checker. It builds the hierarchies of all shapes and decides which pairs
// are checked; Checker.Pairs lists those that are not. A nil world is an empty one. Robot,
// world and options are copied, so that later changes to them do not matter.
//
// The SRDF, the scene and the options leave out pairs. Without an SRDF, pairs of adjacent
// links and pairs that touch at the model's default state are left out, whatever
// Options.State is. Where more than a fifth of the pairs of links that joints move
// touch at that state, the model is in doubt: this is a gap (premise.DefaultPairs), and no
// verdict is Free unless it is accepted. In a robot that urdf.Join made this holds for each part without an SRDF; no
// pair of links of two parts is left out by default.
//
// It fails on names of joints, links and objects that do not exist, on a scene in an
// unknown frame, on shapes and numbers that are not valid, and on Proofs for another model.
func New(robot *urdf.Robot, world *scene.Snapshot, opts Options) (*Checker, error) {
	return NewContext(context.Background(), robot, world, opts)
}

// NewContext is New with a context: once ctx is done it returns an error that wraps that
// of ctx, after the shapes in progress.
func NewContext(ctx context.Context, robot *urdf.Robot, world *scene.Snapshot, opts Options) (*Checker, error) {
	if robot == nil {
		return nil, fmt.Errorf("there is no robot (nil)")
	}
	c := &Checker{opts: opts.clone(), lib: &model.Library{Store: cache.Open(opts.Cache), Progress: opts.Progress}}
	if err := model.CheckSize(robot); err != nil {
		return nil, err
	}
	robot = c.lib.FreezeRobot(ctx, robot)
	c.robot = robot
	given := world
	world, err := c.lib.FreezeWorld(ctx, given)
	if err != nil {
		return nil, err
	}
	c.given = copiesOf(given, world)
	c.base = baseJoint(robot)
	c.plausible = plausible.New(robot, nil)
	if err := c.checkNames(world); err != nil {
		return nil, err
	}
	if err := c.opts.checkPadding(); err != nil {
		return nil, err
	}
	if err := c.checkProofs(); err != nil {
		return nil, err
	}
	if err := opts.Accept.Validate(); err != nil {
		return nil, err
	}
	if int(opts.SelfMethod) >= len(selfMethodNames) {
		return nil, fmt.Errorf("there is no %s: give SelfAuto, SelfSpheres or SelfSpacetime", opts.SelfMethod)
	}
	bare, err := model.NewContext(ctx, robot, nil, nil, c.lib) // without padding, which is part of the question
	if err != nil {
		return nil, err
	}
	c.state = defaultpairs.State(robot, bare.Tree)
	if !opts.OnlyProven {
		if c.defaults, err = defaultpairs.WithoutSRDF(robot, bare, c.state); err != nil {
			return nil, err
		}
		c.doubtful = defaultpairs.Doubts(robot, bare, c.defaults)
	}
	c.touching = sync.OnceValues(c.touches)
	if err := setVariables(robot, bare.Tree, c.state, opts.State); err != nil {
		return nil, err
	}
	return c.in(ctx, world, bare)
}

// WithWorld returns a Checker of the same robot in another world. It shares what does not
// depend on the world, and the compiled shapes of objects that did not change. The world is
// copied; nil is an empty one.
func (c *Checker) WithWorld(world *scene.Snapshot) (*Checker, error) {
	return c.WithWorldContext(context.Background(), world)
}

// WithWorldContext is WithWorld with a context: once ctx is done it returns an error that
// wraps that of ctx.
func (c *Checker) WithWorldContext(ctx context.Context, world *scene.Snapshot) (*Checker, error) {
	own, err := c.lib.FreezeWorld(ctx, world)
	if err != nil {
		return nil, err
	}
	return c.next(ctx, world, own)
}

// WithNextWorld is WithWorldContext for worlds that follow each other, each made of the last one
// with the methods of scene.Snapshot. It takes the time of what differs: shapes that the world
// before had too (the same pointers) are not looked at again, and World().Hash is the hash that
// the world was built with. Neither the world nor its shapes may have been changed since.
func (c *Checker) WithNextWorld(ctx context.Context, world *scene.Snapshot) (*Checker, error) {
	own, err := c.lib.FreezeNext(ctx, world, c.given)
	if err != nil {
		return nil, err
	}
	return c.next(ctx, world, own)
}

// next returns the checker in a world of which own is a copy.
func (c *Checker) next(ctx context.Context, world, own *scene.Snapshot) (*Checker, error) {
	if err := c.checkNames(own); err != nil {
		return nil, err
	}
	d, err := c.in(ctx, own, c.model)
	if err != nil {
		return nil, err
	}
	d.given = copiesOf(world, own)
	return d, nil
}

// copiesOf maps the shapes of a world to those of a copy of it.
func copiesOf(world, own *scene.Snapshot) map[*shape.Shape]*shape.Shape {
	if world == nil {
		return nil
	}
	out := make(map[*shape.Shape]*shape.Shape, len(own.Objects))
	for i := range own.Objects {
		out[world.Objects[i].Shape] = own.Objects[i].Shape
	}
	return out
}

// WithState returns a Checker of the same robot and world with another state for joints
// that a motion does not name: positions (rad or m) by joint name. Joints that are not in
// positions keep theirs.
func (c *Checker) WithState(positions map[string]float64) (*Checker, error) {
	d := *c
	d.state, d.layouts = append([]float64(nil), c.state...), &atomic.Pointer[layout]{} // which tells where joints are held
	if err := setVariables(c.robot, c.model.Tree, d.state, positions); err != nil {
		return nil, err
	}
	return &d, nil
}

// in completes a checker for a world, with what stays of another model of the robot.
func (c *Checker) in(ctx context.Context, world *scene.Snapshot, like *model.Model) (*Checker, error) {
	d := *c
	m, err := like.In(ctx, c.robot, world, c.padding(world), c.lib)
	if err != nil {
		return nil, err
	}
	off := d.allowances(m, world)
	if err := m.Pair(off); err != nil {
		return nil, err
	}
	d.world, d.engine, d.layouts, d.open = world, paired(m, off), &atomic.Pointer[layout]{}, nil
	d.proven, d.part, d.plausible = c.neverPairsOf(m, world), "", c.plausible.In(world)
	d.lastScope, d.trees = &atomic.Pointer[asked]{}, c.selfTreesFor(c.padding(world))
	d.touchings = &atomic.Pointer[asked]{}
	d.lastRange = &atomic.Pointer[askedRanges]{}
	for i := range m.Bodies {
		if m.Bodies[i].Open {
			d.open = append(d.open, m.Bodies[i].Name)
		}
	}
	d.open = slices.Clip(d.open)
	d.premises = sync.OnceValue(d.modelPremises)
	d.rooted = sync.OnceValues(d.compileRooted) // which must not keep c, and with it all worlds before
	if d.opts.SelfMethod == SelfSpheres {
		if _, _, err := d.hulls(ctx); err != nil {
			return nil, err
		}
	}
	return &d, nil
}

// compileRooted makes the engine of motions that move the root link.
func (c *Checker) compileRooted() (engine, error) {
	m, err := model.NewRooted(c.robot, c.world, c.padding(c.world), c.lib)
	if err != nil {
		return engine{}, err
	}
	off := c.allowances(m, c.world)
	if err := m.Pair(off); err != nil {
		return engine{}, err
	}
	return paired(m, off), nil
}

// padding gives a link's padding: the option's for the link, else the larger of the scene's and the option's for
// all. A recorded scene gives a padding for every link, mostly 0: it does not take away what the user asks for.
func (c *Checker) padding(world *scene.Snapshot) model.Padding {
	return func(link string) float64 {
		if p, ok := c.opts.LinkPadding[link]; ok {
			return p
		}
		if world == nil {
			return c.opts.Padding
		}
		return max(c.opts.Padding, world.LinkPadding[link])
	}
}

// Check answers q about m. A context that is done and a budget that is spent give a
// verdict Undecided, not an error.
//
// Bad input is an error and never a verdict: an unknown joint, a number that is not finite
// or out of range, a jump between two pieces, a query that leaves no pair to check, a
// question that the method cannot answer, and a root link that moves in a scene that is in
// its own frame.
func (c *Checker) Check(ctx context.Context, m *motion.Motion, q motion.Query) (v motion.Verdict, err error) {
	err = c.checkTo(ctx, m, &q, &v)
	return v, err
}

// checkTo is Check for a verdict of the caller's, which is large.
func (c *Checker) checkTo(ctx context.Context, m *motion.Motion, q *motion.Query, v *motion.Verdict) error {
	var a asking
	return c.checkAs(ctx, m, q, &a, v)
}

// checkAs is checkTo for a question that is put to an engine as a says.
func (c *Checker) checkAs(ctx context.Context, m *motion.Motion, q *motion.Query, a *asking, v *motion.Verdict) error {
	asked := q
	if q.EachScope || len(q.Tube) > 0 { // else none of it is changed
		both := together(q)
		asked = &both
	}
	err := c.ask(ctx, m, asked, a, v)
	if err == nil && q.EachScope {
		err = c.eachScope(ctx, m, *q, a.reached, v)
	}
	if err == nil {
		err = c.list(ctx, m, q, v)
	}
	if err != nil {
		*v = motion.Verdict{}
	}
	return err
}

// list adds the list of contacts that the question asks for.
func (c *Checker) list(ctx context.Context, m *motion.Motion, q *motion.Query, v *motion.Verdict) error {
	if q.MaxContacts == 0 || v.Status != motion.Contact {
		return nil
	}
	return c.listContacts(ctx, m, q, v)
}

// asking is how a question is put to an engine. The zero value puts it to Worker.Check.
type asking struct {
	of    func(*spacetime.Worker, *model.Model, *kin.Course, motion.Query) motion.Verdict
	all   bool // pairs that are proved never to meet, and all that do not move, are asked about too
	alone bool // in this goroutine alone

	// from (s) is until when everything that is asked about is proved apart already; +Inf
	// is all the motion, its end included.
	from float64
	// reached (s) is set to until when the engine has proved everything apart, whatever
	// gaps the verdict has.
	reached float64
}

// posed is a question about a motion that is good input, ready for the engine.
type posed struct {
	given *motion.Motion
	tube  map[string]float64 // as given

	engine engine
	motion *motion.Motion // without its mimic joints
	layout *layout
	proven int // pairs that are left out, as they are proved never to meet
}

// ask puts a question about m to the engine that answers it. It changes the question's tube; the verdict was
// zero, and means nothing where there is an error.
func (c *Checker) ask(ctx context.Context, m *motion.Motion, q *motion.Query, a *asking, v *motion.Verdict) error {
	if err := c.checkQuery(q, a); err != nil {
		return err
	}
	p, err := c.pose(m, q, a.all)
	if err != nil {
		return err
	}
	w := p.engine.pool.get()
	defer p.engine.pool.put(w)
	return c.answer(ctx, &p, w, w.Bind(p.motion, c.state, p.layout.rows), q, a, v)
}

// checkQuery fails on a question that makes no sense, or that its method cannot answer.
func (c *Checker) checkQuery(q *motion.Query, a *asking) error {
	if err := validQuery(q); err != nil {
		return err
	}
	if err := checkMethod(q, a); err != nil {
		return err
	}
	return c.checkRanges(&q.Range)
}

// pose prepares a question about m, and sets its tube to what the engine understands. It fails on bad input.
func (c *Checker) pose(m *motion.Motion, q *motion.Query, all bool) (p posed, err error) {
	p.given, p.tube = m, q.Tube
	if p.engine, p.motion, p.layout, err = c.prepare(m, q.NoSelf, q.NoWorld); err != nil {
		return p, err
	}
	if q.Tube, err = c.tube(q.Tube); err != nil {
		return p, err
	}
	p.engine, p.proven, err = c.engineOf(p.engine, p.motion, q, p.layout.rows, all)
	return p, err
}

// answer lets w, a worker of the engine that a question is posed to, answer it; bound is what w has bound of
// the motion.
func (c *Checker) answer(ctx context.Context, p *posed, w *spacetime.Worker, bound *kin.Course, q *motion.Query, a *asking, v *motion.Verdict) (err error) {
	e, m := &p.engine, p.motion
	bound.Skip(a.from)
	switch {
	case p.proven > 0 && !anyPair(e.model, q.NoSelf, q.NoWorld): // the proofs leave nothing
		v.Status, v.ProvenUntil = motion.Free, m.Duration()
	case !isDefault(q.Method):
		*v, err = e.byMethod(ctx, w, bound, *q)
	case workersFor(q, m) > 1 && !a.alone:
		*v = c.share(ctx, e.pool, w, bound, p.layout.rows, *q)
	case a.of != nil:
		*v = a.of(w, e.model, bound, *q)
	default:
		w.CheckTo(ctx, bound, q, v)
	}
	if err != nil {
		return err
	}
	if !e.settles(v, q) {
		q.Tube, a.all, *v = p.tube, true, motion.Verdict{}
		return c.ask(ctx, p.given, q, a, v)
	}
	v.ProvenPairs = p.proven
	a.note(v)
	c.complete(v, q.Question, bound, m, p.layout)
	return nil
}

// engineOf returns the engine for a question: e, or one that lists all pairs where they
// are asked about, or one without the pairs that are proved never to meet, of which it
// returns the number.
func (c *Checker) engineOf(e engine, m *motion.Motion, q *motion.Query, rows []int, all bool) (of engine, proven int, err error) {
	if all || !e.covers(q.Clearance) {
		of, err = e.all()
		return of, 0, err
	}
	if !q.NoSelf && q.Question != motion.MinClearance { // else it is about all pairs
		if few, n := c.withoutProven(m, rows, q.Clearance, q.Tube); n > 0 {
			return few, n, nil
		}
	}
	return e, 0, nil
}

// prepare returns m without its mimic joints, its layout, and the engine that answers
// questions about it; it fails on bad input and where nothing is left to check.
func (c *Checker) prepare(m *motion.Motion, noSelf, noWorld bool) (engine, *motion.Motion, *layout, error) {
	m, l, err := c.plain(m)
	if err != nil {
		return engine{}, nil, nil, err
	}
	if !anyPair(c.model, noSelf, noWorld) {
		return engine{}, nil, nil, errNothing
	}
	if err := c.checkRoot(m); err != nil {
		return engine{}, nil, nil, err
	}
	e := c.engine
	if len(m.Root) > 0 {
		e, err = c.rooted()
	}
	return e, m, l, err
}

// errNothing keeps a robot without collision geometry from being proved free.
var errNothing = errors.New("no pair of bodies is left to check: the robot has no collision geometry, or all of it is allowed to touch")

// anyPair reports whether the question leaves a pair to check.
func anyPair(m *model.Model, noSelf, noWorld bool) bool {
	if m.Far > 0 && !noSelf {
		return true
	}
	for i := range m.Pairs {
		if world := m.Pairs[i].World; world && !noWorld || !world && !noSelf {
			return true
		}
	}
	return false
}

// complete adds what the engine does not know: names and assumptions, and the features of what
// ended a search. A yes or no does without, and so does a smallest distance: planners ask for
// thousands, and looking features up is a tenth of one.
func (c *Checker) complete(v *motion.Verdict, asked motion.Question, b *kin.Course, m *motion.Motion, l *layout) {
	if v.Status == motion.Contact && asked != motion.IsFree {
		c.CompleteFeatures(&v.Contact)
	}
	if v.MinClearance.Stopped {
		c.CompleteFeatures(&v.MinClearance.At)
	}
	v.AssumedPairs = len(c.model.Assumed)
	v.Held, v.OpenMeshes = slices.Clip(l.held), c.open
	dofs := c.model.Tree.Dofs
	for _, joint := range c.model.Tree.Immobile {
		if len(m.Root) == 0 || joint != c.base {
			v.Held = append(v.Held, joint)
		}
	}
	for _, i := range b.BeyondLimits {
		if d := &dofs[i]; leavesLimits(m, d.Name, d.Lo, d.Hi) {
			v.BeyondLimits = append(v.BeyondLimits, d.Name)
		}
	}
	gap := l.gap
	v.Premises = l.premises
	if more := c.motionPremises(m, b, v.BeyondLimits); len(more) > 0 {
		v.Premises = append(v.Premises, more...) // clipped, so copied
		if gap == nil {
			gap = firstOpen(more)
		}
	}
	if gap != nil {
		withhold(v, gap, coveredUntil(v.Premises))
	}
}

// maxTimeTolerance (s) is longer than any motion.
const maxTimeTolerance = 1e9

func validQuery(q *motion.Query) error {
	within := func(x, most float64) bool { return x >= 0 && x <= most }
	beyond := func(name string, x, most float64, unit string) error {
		return fmt.Errorf("%s %g must be zero or more, and at most %g %s", name, x, most, unit)
	}
	switch {
	case !within(q.Clearance, geom.MaxLength):
		return beyond("clearance", q.Clearance, geom.MaxLength, "m")
	case !within(q.Tolerance, geom.MaxLength):
		return beyond("tolerance", q.Tolerance, geom.MaxLength, "m")
	case !within(q.TimeTolerance, maxTimeTolerance):
		return beyond("time tolerance", q.TimeTolerance, maxTimeTolerance, "s")
	case !within(q.ClearanceTolerance, geom.MaxLength):
		return beyond("clearance tolerance", q.ClearanceTolerance, geom.MaxLength, "m")
	case q.MaxContacts < 0:
		return fmt.Errorf("%d contacts at most: give 1 or more, or 0 for no list", q.MaxContacts)
	case q.MaxContacts > 0 && widest(q.Tube) > 0:
		return errors.New("a list of contacts is of one configuration, and within a tube there are many: leave out MaxContacts or the tube")
	case !q.Range.IsZero() && q.Question != motion.MinClearance:
		return errors.New("a distance range is for the least distance: ask for MinClearance, or leave Range out")
	}
	if q.Workers < 0 {
		return fmt.Errorf("%d workers: give 1 or more, or 0 for 1", q.Workers)
	}
	if q.Budget < 0 {
		return fmt.Errorf("budget %v must be zero (none) or more", q.Budget)
	}
	return nil
}

// CacheError returns the first error of reading or writing Options.Cache, nil if there is
// none. It affects only the time that New and WithWorld take.
func (c *Checker) CacheError() error { return c.lib.Store.Err() }

// Robot returns the checker's copy of the robot. It is shared: do not change it.
func (c *Checker) Robot() *urdf.Robot { return c.robot }

// World returns the checker's copy of the world, with the hash of its content; nil if none
// was given. It is shared: do not change it.
func (c *Checker) World() *scene.Snapshot { return c.world }

// ActiveJoints returns the names of the joints that have a position of their own, neither
// fixed nor mimic, in the robot's order.
func (c *Checker) ActiveJoints() []string {
	names := make([]string, len(c.model.Tree.Dofs))
	for i := range names {
		names[i] = c.model.Tree.Dofs[i].Name
	}
	return names
}

// Turns reports whether one of the active joints turns without end, as a continuous joint and the
// angle of a planar one do, and whether all that moves with it is back in its place after each
// turn: joints that follow it may slide, or turn by a part of its angle.
func (c *Checker) Turns(joint string) (turns, comesBack bool) {
	tree := c.model.Tree
	d := slices.IndexFunc(tree.Dofs, func(d kin.Dof) bool { return d.Name == joint })
	if d < 0 {
		return false, false
	}
	return tree.Dofs[d].Continuous, tree.Periodic(d)
}
