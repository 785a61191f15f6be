package selfcollision

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/defaultpairs"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/romtree"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Options say what a RangeOfMotion is made for. The zero value is the robot as it is.
type Options struct {
	// Padding (m) enlarges every link, or the scene does, if by more; LinkPadding replaces both for single links. Both
	// are finite and not negative.
	Padding     float64
	LinkPadding map[string]float64
	// Tube says, by joint (NAME/x, NAME/y and NAME/theta for a planar one), how far (rad
	// or m) the joint may be off the position that is asked about; a mimic joint that is not named strays with the one that it follows.
	// Balls and bounds of distances then hold for all positions in the tube;
	// a Query measures at the given configuration alone.
	Tube map[string]float64
	// Allowed lists pairs of links and objects that a Query does not measure, in addition
	// to those of the SRDF and the scene.
	Allowed [][2]string
}

// RangeOfMotion encloses the links of a robot in all configurations within its joint
// limits (SPHERE, section III). All bounds are proved, rounding included. It is
// immutable, and any number of goroutines may share it.
//
// A continuous joint may be anywhere, a mimic joint is where its leader puts it, and a
// floating joint stays at its origin.
type RangeOfMotion struct {
	robot  *urdf.Robot
	model  *model.Model
	tube   map[string]float64
	rom    *romtree.RangeOfMotion
	tables *romtree.Tables
	bodies map[string]int // of links with collision geometry
}

// Ball is a ball in the frame of a link. A negative radius says that it is empty.
type Ball struct {
	Center geom.Vec
	Radius float64
}

// ErrUnbounded is the error of a subtree that a joint without limits can move anywhere:
// a prismatic or planar joint that no limit bounds.
var ErrUnbounded = errors.New("a joint without limits can move it anywhere")

// NewRangeOfMotion encloses the subtrees of a robot and of what the scene attaches to
// it; world may be nil. It takes about a second for a humanoid and stops with an error
// that wraps ctx's between its steps once ctx is done. It fails on padding or tubes that
// are negative, not finite or of unknown links or joints, on a robot or scene that is
// not valid, and on a robot with too many pairs of collision elements.
//
// A Query leaves out the pairs that the SRDF disables. Without an SRDF it leaves out
// links that a joint connects and links that touch at the default state.
func NewRangeOfMotion(ctx context.Context, robot *urdf.Robot, world *scene.Snapshot, o Options) (*RangeOfMotion, error) {
	if err := o.validate(robot); err != nil {
		return nil, err
	}
	lib := &model.Library{}
	robot = lib.FreezeRobot(ctx, robot)
	world, err := lib.FreezeWorld(ctx, world)
	if err != nil {
		return nil, err
	}
	m, err := model.NewContext(ctx, robot, world, o.padding(world), lib)
	if err != nil {
		return nil, err
	}
	if err := o.validateTube(robot.Name, m.Tree); err != nil {
		return nil, err
	}
	off, err := exempt(ctx, m, robot, lib)
	if err != nil {
		return nil, err
	}
	off.AddScene(m, world)
	off.AddNamed(m, o.Allowed, "option")
	if err := m.PairAll(off); err != nil {
		return nil, err
	}
	r := &RangeOfMotion{robot: robot, model: m, tube: robot.FollowTube(o.Tube), bodies: map[string]int{}}
	for i := range m.Bodies {
		if b := &m.Bodies[i]; b.Kind == motion.RobotLink {
			r.bodies[b.Name] = i
		}
	}
	box := romtree.LimitsBox(m.Tree, r.tube)
	for _, step := range []func(){
		func() { r.rom = romtree.NewRangeOfMotion(m, box, romtree.RomOptions{}) },
		func() { r.tables = romtree.NewTables(m, box, nil, romtree.RomOptions{}) },
	} {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("robot %s: ranges of motion were not finished: %w", robot.Name, err)
		}
		step()
	}
	return r, nil
}

// validate reports what is wrong with the options; the model checks padding's values.
func (o *Options) validate(robot *urdf.Robot) error {
	if robot == nil {
		return errors.New("there is no robot (nil)")
	}
	for name := range o.LinkPadding {
		if robot.Link(name) < 0 {
			return fmt.Errorf("robot %s: padding of link %s, which the robot lacks", robot.Name, name)
		}
	}
	return nil
}

// validateTube reports what is wrong with the tube.
func (o *Options) validateTube(robot string, tree *kin.Tree) error {
	for name, x := range o.Tube {
		if !slices.ContainsFunc(tree.Frames[1:], func(f kin.Frame) bool { return f.Joint == name }) {
			return fmt.Errorf("robot %s: tube of joint %s, which the robot lacks or which does not move", robot, name)
		}
		if !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("robot %s: tube %g of joint %s: give a finite number that is not negative", robot, x, name)
		}
	}
	return nil
}

// padding gives a link's padding: the option's for the link, else the larger of the scene's and the
// option's for all.
func (o *Options) padding(world *scene.Snapshot) model.Padding {
	return func(link string) float64 {
		if p, ok := o.LinkPadding[link]; ok {
			return p
		}
		if world == nil {
			return o.Padding
		}
		return max(o.Padding, world.LinkPadding[link])
	}
}

// exempt lists the pairs of links that the SRDF disables, or that are left out by
// default where there is none.
func exempt(ctx context.Context, m *model.Model, robot *urdf.Robot, lib *model.Library) (model.Exempt, error) {
	links := map[[2]int]string{}
	if robot.Semantic != nil {
		for _, d := range robot.Semantic.Disabled {
			links[[2]int{d.A, d.B}] = "srdf: " + d.Reason
		}
	}
	bare, err := model.NewContext(ctx, robot, nil, nil, lib) // without padding
	if err != nil {
		return nil, err
	}
	defaults, err := defaultpairs.WithoutSRDF(robot, bare, defaultpairs.State(robot, bare.Tree))
	if err != nil {
		return nil, err
	}
	for _, d := range defaults {
		links[[2]int{d.A, d.B}] = d.Reason
	}
	off := model.Exempt{}
	off.AddLinks(m, links)
	return off, nil
}

// Variables names the robot's independent joints in the order in which Holds and a Query
// take their positions (rad or m). A planar joint NAME has the variables NAME/x, NAME/y
// and NAME/theta.
func (r *RangeOfMotion) Variables() []string {
	out := make([]string, len(r.model.Tree.Dofs))
	for i := range out {
		out[i] = r.model.Tree.Dofs[i].Name
	}
	return out
}

// Holds reports whether balls and bounds hold at a configuration: whether each joint,
// its tube included, is within its limits. Positions beyond them, NaN and a wrong
// number of positions do not hold.
func (r *RangeOfMotion) Holds(positions []float64) bool {
	return r.rom.Holds(r.model, positions, r.tube)
}

// Unbounded names the joints that can move their subtree anywhere, the innermost of a
// chain only; of a planar joint it gives NAME/x or NAME/y.
func (r *RangeOfMotion) Unbounded() []string {
	return slices.Compact(slices.Clone(r.rom.Endless))
}

// Subtree returns a ball, in the frame of the link, that encloses all links that move
// rigidly with the link and everything beyond them, in all configurations. It fails on
// an unknown link and with ErrUnbounded.
func (r *RangeOfMotion) Subtree(link string) (Ball, error) {
	l := r.robot.Link(link)
	if l < 0 {
		return Ball{}, fmt.Errorf("robot %s has no link %s", r.robot.Name, link)
	}
	b := &r.rom.Subtree[r.model.Tree.LinkFrame[l]]
	if !b.Known {
		return Ball{}, fmt.Errorf("the subtree of link %s: %w", link, ErrUnbounded)
	}
	return inLink(r.model.Tree, l, b.Ball), nil
}

// Swept returns a ball, in the frame of the joint's parent link, that encloses
// everything that the joint moves, in all configurations. It fails on an unknown or
// fixed joint and with ErrUnbounded.
func (r *RangeOfMotion) Swept(joint string) (Ball, error) {
	j := r.robot.Joint(joint)
	if j < 0 {
		return Ball{}, fmt.Errorf("robot %s has no joint %s", r.robot.Name, joint)
	}
	tree := r.model.Tree
	parent := r.robot.Joints[j].Parent
	k := tree.LinkFrame[r.robot.Joints[j].Child]
	if k == tree.LinkFrame[parent] {
		return Ball{}, fmt.Errorf("joint %s of robot %s moves nothing: ask for the subtree of its link", joint, r.robot.Name)
	}
	for tree.Frames[k].Parent != tree.LinkFrame[parent] { // a planar joint is several frames
		k = tree.Frames[k].Parent
	}
	b := &r.rom.Swept[k]
	if !b.Known {
		return Ball{}, fmt.Errorf("what joint %s moves: %w", joint, ErrUnbounded)
	}
	return inLink(tree, parent, b.Ball), nil
}

// inLink takes a ball from the frame that a link moves with into the link's own frame.
// The radius grows by what the link's pose errs by, and by the rounding of its inverse.
func inLink(tree *kin.Tree, link int, b convex.Ball) Ball {
	if b.Radius < 0 {
		return Ball{Radius: -1}
	}
	const u = 0x1p-53
	pose := tree.LinkPose[link]
	center := pose.R.ApplyInv(r3.Sub(b.Center, pose.P))
	size := geom.Norm(b.Center) + geom.Norm(pose.P) + b.Radius
	slack := tree.LinkErrP[link] + tree.LinkErrR[link]*(geom.Norm(center)+b.Radius) + 32*u*size
	return Ball{Center: center, Radius: (b.Radius + slack) * (1 + 8*u)}
}

// MinDistance returns a lower bound (m) of the distance of two links in all
// configurations, padding included; 0 where nothing is proved. It is only a bound: for
// whether two links can meet, package pairproof searches longer. It fails on links that
// the robot lacks or that have no collision geometry.
func (r *RangeOfMotion) MinDistance(a, b string) (float64, error) {
	var of [2]int
	for i, name := range [2]string{a, b} {
		body, ok := r.bodies[name]
		if !ok {
			return 0, fmt.Errorf("robot %s has no link %s with collision geometry", r.robot.Name, name)
		}
		of[i] = body
	}
	if of[0] == of[1] {
		return 0, nil
	}
	return max(0, r.tables.Base(of[0], of[1])), nil
}
