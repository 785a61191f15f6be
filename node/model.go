package node

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// model is a robot in its world, ready to be checked. It is immutable. A nil model stands for
// none.
type model struct {
	checker *ccd.Checker
	joints  []string // independent joints, which have a position of their own
	others  []string // the robot's other joints: mimic, fixed and floating ones
	known   map[string]bool
	checked uint32           // pairs
	assumed uint32           // allowed pairs, left out by assumption
	proven  uint32           // pairs left out by proof, within the joints' limits
	ignored int              // pairs that the scene allows and acm.source does not name
	faults  []string         // of the SRDF's disabled pairs, found by acm.audit
	levels  config.Values    // that levels depend on
	limits  limits           // of these
	resting map[names]margin // restMargins; nil where it is not used
	margins map[names]margin // of pairs that have their own margin

	origin   *origin              // what the model is made from, besides its world
	world    *scene.Snapshot      // as given, with all pairs that it allows; nil if there is none
	layers   [worldSources]uint64 // the layers in the world
	outdated error                // why a newer world is not used; nil if there is none

	accepted []string         // gaps that the parameter accept names
	gap      *premise.Premise // the first gap that it does not name; nil if there is none

	trackers *trackers              // of what the monitor asks about distances
	alone    map[names]*ccd.Checker // of single pairs; only the monitor uses it
	trees    ccd.SelfTrees          // how the closest of the robot's own pairs are found
	noTrees  error                  // why not as self.method asks for

	frame        string // the root link
	hash         string
	sceneHash    string
	sceneVersion uint64
	sums         sums // as model.sha256 takes them
}

// origin is what a model is made from, besides its world.
type origin struct {
	robot    *urdf.Robot     // as described
	file     *scene.Snapshot // of the parameter scene; without one, an empty world
	values   config.Values
	opts     ccd.Options
	required pins
	of       sums // of the texts

	robotHash []byte // the state of the model's hash after the robot
}

// build compiles the model. It fails when the context ends.
func build(ctx context.Context, d description, v config.Values) (*model, error) {
	required, err := pinsOf(v)
	if err != nil {
		return nil, err
	}
	o := &origin{values: v, required: required}
	if o.robot, o.of, err = d.robot(ctx, required); err != nil {
		return nil, err
	}
	file, err := loadWorld(ctx, v.String("scene"), o.robot)
	if err != nil {
		return nil, err
	}
	if o.file = file; file == nil {
		if o.file, err = scene.New(""); err != nil {
			return nil, err
		}
	}
	m := &model{origin: o, levels: v, limits: limitsOf(v)}
	robot, world := m.believe(file)
	// Without trees at first: those that cannot be made in time must not fail the model.
	o.opts = ccd.Options{SelfMethod: ccd.SelfSpacetime, Padding: v.Double("padding.default"), LinkPadding: v.Each("padding.<link>"), Cache: cacheOf(v), Accept: v.Strings("accept")}
	if err := o.opts.Accept.Validate(); err != nil {
		return nil, fmt.Errorf("parameter accept: %w", err)
	}
	if err := proofs(ctx, v, robot, &o.opts); err != nil {
		return nil, err
	}
	if m.faults, err = audit(v.String("acm.audit"), robot, o.opts.Proofs); err != nil {
		return nil, err
	}
	if m.checker, err = ccd.NewContext(ctx, robot, world, o.opts); err != nil {
		return nil, err
	}
	if err := m.settleRest(ctx); err != nil {
		return nil, err
	}
	if err := m.growTrees(ctx, v.String("self.method"), treesPatience); err != nil {
		return nil, err
	}
	if err := m.nameJoints(v, robot); err != nil {
		return nil, err
	}
	if o.robotHash, err = robotHash(m.checker.Robot(), o.opts); err != nil {
		return nil, err
	}
	if err := m.finish(ctx, nil); err != nil {
		return nil, err
	}
	return m, m.warmRest(ctx)
}

// in returns the model in another world. Its first state will not be slow where the joints stand
// at these positions; those that are not in the map stand at the default state.
func (m *model) in(ctx context.Context, world *scene.Snapshot, at map[string]float64) (*model, error) {
	if err := inRoot(m.origin.robot, world); err != nil {
		return nil, fmt.Errorf("its %w", err)
	}
	next := *m
	next.alone = nil // they are of the world before
	_, believed := next.believe(world)
	var err error
	if next.checker, err = m.checker.WithNextWorld(ctx, believed); err != nil {
		return nil, err
	}
	return &next, next.finish(ctx, at)
}

// finish fills in what depends on the world.
func (m *model) finish(ctx context.Context, at map[string]float64) (err error) {
	m.accepted, m.gap = gapsOf(m.checker.Premises())
	if err := m.settleMargins(); err != nil {
		return err
	}
	m.trackers = newTrackers(m, at)
	if err := m.warm(ctx); err != nil {
		return err
	}
	pairs := m.checker.Pairs()
	if err := m.countPairs(pairs); err != nil {
		return err
	}
	if m.hash, err = hashOf(m.origin.robotHash, pairs.Assumed, m.origin.opts); err != nil {
		return err
	}
	m.sums = m.origin.of
	m.sums.scene, m.sums.model = m.sceneHash, m.hash
	if err := m.sums.check(m.origin.required); err != nil {
		return err
	}
	return ctx.Err() // proofs that the context cut short may be incomplete
}

// countPairs notes how many pairs are checked, assumed and proved.
func (m *model) countPairs(pairs *ccd.Pairs) error {
	if m.checked = uint32(pairs.Self + pairs.World); m.checked == 0 {
		return errors.New("no pair of bodies is left to check: does the robot have collision geometry?")
	}
	m.assumed, m.proven = uint32(len(pairs.Assumed)), uint32(pairs.Proven)
	return nil
}

// nameJoints notes the robot's joints, and fails where a parameter names another.
func (m *model) nameJoints(v config.Values, robot *urdf.Robot) error {
	m.joints = m.checker.ActiveJoints()
	m.others = withoutPosition(robot, m.joints)
	m.known = map[string]bool{}
	for _, name := range slices.Concat(m.joints, m.others) {
		m.known[name] = true
	}
	for _, group := range []string{"trajectory.path_tolerance.", "lookahead.deceleration."} {
		for _, name := range slices.Sorted(maps.Keys(v.Each(group + "<joint>"))) {
			if !m.known[name] {
				return fmt.Errorf("parameter %s%s: %w", group, name, m.noJoint(name))
			}
		}
	}
	ahead := lookaheadOf(v)
	return ahead.check(m.joints)
}

// settleRest works out the margins of pairs that are always close, from proofs and the default
// state, if no SRDF lists allowed pairs.
func (m *model) settleRest(ctx context.Context) (err error) {
	if m.origin.robot.Semantic != nil || m.checker.Pairs().Proofs != nil {
		return nil
	}
	if err := m.settleDefaults(ctx, m.limits); err != nil {
		return err
	}
	m.resting, err = restMargins(ctx, m.checker, m.limits)
	return err
}

// settleMargins sets the margins of pairs that are always close: those at rest, and those of
// the parameters.
func (m *model) settleMargins() error {
	v, l := m.levels, m.limits
	m.margins = map[names]margin{}
	maps.Copy(m.margins, m.resting)
	reduced, err := overrides(v.Strings("margin_overrides"), l, m.expected(m.named))
	if err != nil {
		return err
	}
	own, err := pairRanges(v.Strings("distance_range.pairs"), l, m.expected(m.collides))
	if err != nil {
		return err
	}
	for pair := range own {
		if _, twice := reduced[pair]; twice {
			return fmt.Errorf("the pair %s and %s is in distance_range.pairs and in margin_overrides: leave it out of the second", pair[0], pair[1])
		}
	}
	maps.Copy(m.margins, reduced)
	maps.Copy(m.margins, own)
	for pair, of := range m.margins {
		if of.far == 0 {
			of.far = l.ranges.OfClass(m.classOf(pair)).Max
			m.margins[pair] = of
		}
	}
	return nil
}

// cacheOf returns the folder that the parameter cache means.
func cacheOf(v config.Values) string {
	switch dir := v.String("cache"); dir {
	case "":
		return ccd.DefaultCache()
	case "off":
		return ""
	default:
		return dir
	}
}

// named reports whether a link or an object has the name.
func (m *model) named(name string) bool {
	world := m.checker.World()
	return m.checker.Robot().Link(name) >= 0 || world != nil && world.Object(name) >= 0
}

// collides reports whether a link with collision geometry or an object has the name.
func (m *model) collides(name string) bool {
	robot := m.checker.Robot()
	if i := robot.Link(name); i >= 0 {
		return len(robot.Links[i].Collisions) > 0
	}
	return m.named(name)
}

// expected is known, but where topics change the world an object may come that has any name which
// is no link's.
func (m *model) expected(known func(name string) bool) func(name string) bool {
	v := m.origin.values
	if len(v.Strings("world.topics")) == 0 && len(v.Strings("points.topics")) == 0 {
		return known
	}
	return func(name string) bool { return m.checker.Robot().Link(name) < 0 || known(name) }
}

// awaited lists the names with margins of their own that nothing has yet.
func (m *model) awaited() (names []string) {
	for pair := range m.margins {
		for _, name := range pair {
			if !m.named(name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// withoutPosition lists the robot's joints that are not independent.
func withoutPosition(robot *urdf.Robot, joints []string) (others []string) {
	active := map[string]bool{}
	for _, name := range joints {
		active[name] = true
	}
	for i := range robot.Joints {
		if name := robot.Joints[i].Name; !active[name] {
			others = append(others, name)
		}
	}
	return others
}

func loadWorld(ctx context.Context, path string, robot *urdf.Robot) (*scene.Snapshot, error) {
	if path == "" {
		return nil, nil
	}
	world, err := scene.LoadContext(ctx, path, scene.Options{Robot: robot})
	if err != nil {
		return nil, fmt.Errorf("parameter scene: %w", err)
	}
	if err := inRoot(robot, world); err != nil {
		return nil, fmt.Errorf("scene %s: its %w", path, err)
	}
	return world, nil
}

// inRoot fails on a world in another frame than the root link's.
func inRoot(robot *urdf.Robot, world *scene.Snapshot) error {
	if !rootsIn(robot, world.Frame) {
		return fmt.Errorf("poses are in frame %s, but the robot's root link is %s: give them in that frame", world.Frame, robot.Links[robot.Root].Name)
	}
	return nil
}

// rootsIn reports whether the frame is that of the root link: by name, or because
// the SRDF fixes the root link to it.
func rootsIn(robot *urdf.Robot, frame string) bool {
	root := robot.Links[robot.Root].Name
	if frame == "" || frame == root {
		return true
	}
	if robot.Semantic == nil {
		return false
	}
	for _, j := range robot.Semantic.VirtualJoints {
		if j.Type == "fixed" && j.ParentFrame == frame && j.ChildLink == root {
			return true
		}
	}
	return false
}

// believe takes a world, and returns the robot and the world without the list of allowed pairs
// that acm.source does not name.
func (m *model) believe(world *scene.Snapshot) (*urdf.Robot, *scene.Snapshot) {
	m.world, m.sceneHash, m.sceneVersion, m.ignored = world, "", 0, 0
	if world != nil {
		m.sceneHash, m.sceneVersion = hex.EncodeToString(world.Hash[:]), world.Version
	}
	robot, from := m.origin.robot, m.origin.values.String("acm.source")
	m.frame = robot.Links[robot.Root].Name
	if (from == "srdf" || from == "proven") && world != nil {
		m.ignored = len(world.Allowed)
		w := *world
		w.Allowed = nil
		world = &w
	}
	if from == "scene" && robot.Semantic != nil {
		r, s := *robot, *robot.Semantic
		s.Disabled = nil
		r.Semantic = &s
		robot = &r
	}
	return robot, world
}

// noJoint is the error of a joint that the robot does not have.
func (m *model) noJoint(name string) error {
	return fmt.Errorf("the robot has no joint %s%s", name, spelling.Hint(name, slices.Sorted(maps.Keys(m.known))))
}
