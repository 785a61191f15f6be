// Package kin is the kinematics of a robot: Tree is its immutable structure in
// elementary joints (one revolute or prismatic axis each), State the scratch of
// one goroutine that holds poses, twists and motion bounds around one time.
//
// The bounds are those of the engine's proof rules; every one is an upper bound
// in real arithmetic, rounding included (see rounding.go).
package kin

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Tree is a robot in moving frames. Frame 0 is the root link's; one elementary joint connects
// every other frame to its parent, so a joint and the frame it moves share an index. Parents
// precede children. Rigidly joined links share a frame. A Tree is immutable.
type Tree struct {
	Frames []Frame
	Dofs   []Dof

	// LinkFrame and LinkPose place each link of the robot: the frame it moves
	// with, and its pose in that frame.
	LinkFrame []int
	LinkPose  []geom.Pose

	// LinkErrR and LinkErrP bound the error of LinkPose: a point at p in the
	// link is placed in the frame with an error of at most LinkErrP + LinkErrR
	// |p|. Zero unless fixed joints stand in between.
	LinkErrR, LinkErrP []float64

	// Immobile lists floating joints, which are held at their origin.
	Immobile []string

	chain   [][]int32   // per frame: the joints from the root to it, outward
	follows []followers // per variable
}

// Frame is a moving frame and the elementary joint that moves it.
type Frame struct {
	Parent    int       // -1 for frame 0
	PosePF    geom.Pose // of this frame in the parent's where the joint is at 0
	fixErr    poseErr   // of PosePF where it was composed of fixed joints
	Axis      geom.Vec  // unit, in this frame
	Prismatic bool
	Joint     string // of the robot, that it is or is part of; empty for the root's own
	root      rootPart

	// The joint is at Mult * (position of Dof) + Offset.
	Dof          int
	Mult, Offset float64
}

// Dof is an independent joint variable: what a configuration gives.
type Dof struct {
	Name       string
	Continuous bool // a rotation by 2 pi leads back to the same pose
	Bounded    bool
	Lo, Hi     float64 // if Bounded
}

// poseErr bounds the error of a pose: a point at p is placed with an error of at
// most pos + rot |p|.
type poseErr struct{ rot, pos float64 }

// maxChain bounds the joints between root and tip: the rounding argument counts
// on it.
const maxChain = 256

// rootPart tells what a frame takes from the piece of the motion (State.Root).
type rootPart uint8

const (
	rootNone rootPart = iota
	rootAxis          // its axis
	rootPose          // its pose in the parent's frame
)

// RootDofs is how many variables a moving root has: the coordinates of a point and
// an angle. In a tree with a moving root they are the last ones.
const RootDofs = 4

// NewRootedTree is NewTree for a robot whose root link moves: frame 0 is that of
// the world, and the root link hangs on it by three prismatic joints and a
// revolute one about an axis through the point they move, of which State.Root
// tells the rest, piece by piece (RKLM04, equations 2 to 6).
func NewRootedTree(robot *urdf.Robot) (*Tree, error) { return newTree(robot, true) }

// NewTree builds the tree of a robot. A planar joint becomes two prismatic and
// one revolute joint with the variables NAME/x, NAME/y and NAME/theta. It fails
// on a mimic joint that follows a joint without a variable or with several, and
// on chains too long for the rounding argument.
func NewTree(robot *urdf.Robot) (*Tree, error) { return newTree(robot, false) }

func newTree(robot *urdf.Robot, moving bool) (*Tree, error) {
	b := builder{robot: robot, dofOf: make([]int, len(robot.Joints))}
	b.tree.Frames = []Frame{{Parent: -1, PosePF: geom.IdentityPose(), Dof: -1}}
	b.tree.chain = [][]int32{nil}
	b.tree.LinkFrame = make([]int, len(robot.Links))
	b.tree.LinkPose = make([]geom.Pose, len(robot.Links))
	b.tree.LinkErrR = make([]float64, len(robot.Links))
	b.tree.LinkErrP = make([]float64, len(robot.Links))
	b.declareDofs()
	b.tree.LinkPose[robot.Root] = geom.IdentityPose()
	if moving {
		b.moveRoot()
	}
	if err := b.grow(robot.Root); err != nil {
		return nil, err
	}
	b.tree.follows = followersOf(&b.tree)
	return &b.tree, nil
}

type builder struct {
	robot    *urdf.Robot
	tree     Tree
	dofOf    []int // per joint: its first variable, -1 for none
	children [][]int
}

// declareDofs numbers the variables in the robot's joint order.
func (b *builder) declareDofs() {
	b.children = make([][]int, len(b.robot.Links))
	for i := range b.robot.Joints {
		j := &b.robot.Joints[i]
		b.children[j.Parent] = append(b.children[j.Parent], i)
		b.dofOf[i] = -1
		if j.Mimic != nil {
			continue
		}
		n := len(b.tree.Dofs)
		switch j.Type {
		case urdf.Revolute, urdf.Prismatic, urdf.Continuous:
			b.tree.Dofs = append(b.tree.Dofs, Dof{
				Name: j.Name, Continuous: j.Type == urdf.Continuous,
				Bounded: j.Limit.Bounded, Lo: j.Limit.Lower, Hi: j.Limit.Upper,
			})
		case urdf.Planar:
			b.tree.Dofs = append(b.tree.Dofs,
				Dof{Name: j.Name + "/x"}, Dof{Name: j.Name + "/y"},
				Dof{Name: j.Name + "/theta", Continuous: true})
		case urdf.Floating:
			b.tree.Immobile = append(b.tree.Immobile, j.Name)
			continue
		default:
			continue
		}
		b.dofOf[i] = n
	}
}

// moveRoot hangs the root link on joints of its own. The last of them never
// turns: its pose is that of the link about the point when the piece starts.
func (b *builder) moveRoot() {
	dof, parent, id := len(b.tree.Dofs), 0, geom.IdentityPose()
	for i, axis := range []geom.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		b.tree.Dofs = append(b.tree.Dofs, Dof{})
		parent = b.add(Frame{Parent: parent, PosePF: id, Axis: axis, Prismatic: true, Dof: dof + i, Mult: 1})
	}
	b.tree.Dofs = append(b.tree.Dofs, Dof{})
	parent = b.add(Frame{Parent: parent, PosePF: id, Axis: geom.Vec{Z: 1}, Dof: dof + 3, Mult: 1, root: rootAxis})
	parent = b.add(Frame{Parent: parent, PosePF: id, Axis: geom.Vec{Z: 1}, Dof: dof + 3, root: rootPose})
	b.tree.LinkFrame[b.robot.Root] = parent
}

// grow hangs the subtree below link; depth is bounded by the number of links.
func (b *builder) grow(link int) error {
	stack := []int{link}
	for len(stack) > 0 {
		link := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, j := range b.children[link] {
			if err := b.hang(j); err != nil {
				return err
			}
			stack = append(stack, b.robot.Joints[j].Child)
		}
	}
	return nil
}

// hang places the child link of joint index i.
func (b *builder) hang(i int) error {
	j := &b.robot.Joints[i]
	parent := b.tree.LinkFrame[j.Parent]
	at := b.tree.LinkPose[j.Parent].Mul(j.PosePC)
	fixErr := b.mergeErr(j, at.P)
	dof, mult, offset := b.dofOf[i], 1.0, 0.0
	if j.Mimic != nil {
		dof, mult, offset = b.dofOf[j.Mimic.Joint], j.Mimic.Multiplier, j.Mimic.Offset
		leader := &b.robot.Joints[j.Mimic.Joint]
		if (dof < 0 || leader.Type == urdf.Planar) && (j.Type == urdf.Revolute || j.Type == urdf.Continuous || j.Type == urdf.Prismatic) {
			return fmt.Errorf("joint %s mimics %s, which has no single position of its own: let it follow an independent revolute, continuous or prismatic joint",
				j.Name, leader.Name)
		}
	}
	switch j.Type {
	case urdf.Revolute, urdf.Continuous, urdf.Prismatic:
		parent = b.add(Frame{Parent: parent, PosePF: at, fixErr: fixErr, Axis: j.Axis, Prismatic: j.Type == urdf.Prismatic, Joint: j.Name, Dof: dof, Mult: mult, Offset: offset})
		at, fixErr = geom.IdentityPose(), poseErr{}
	case urdf.Planar:
		if j.Mimic != nil {
			return fmt.Errorf("joint %s is planar and mimics another: only revolute, continuous and prismatic joints can", j.Name)
		}
		x, y := planeAxes(j.Axis)
		id := geom.IdentityPose()
		parent = b.add(Frame{Parent: parent, PosePF: at, fixErr: fixErr, Axis: x, Prismatic: true, Joint: j.Name + "/x", Dof: dof, Mult: 1})
		parent = b.add(Frame{Parent: parent, PosePF: id, Axis: y, Prismatic: true, Joint: j.Name + "/y", Dof: dof + 1, Mult: 1})
		parent = b.add(Frame{Parent: parent, PosePF: id, Axis: j.Axis, Joint: j.Name + "/theta", Dof: dof + 2, Mult: 1})
		at, fixErr = id, poseErr{}
	default: // rigid: no moving joint will count the error of the loaded rpy
		fixErr.rot += rotPerJoint
	}
	b.tree.LinkFrame[j.Child], b.tree.LinkPose[j.Child] = parent, at
	b.tree.LinkErrR[j.Child], b.tree.LinkErrP[j.Child] = fixErr.rot, fixErr.pos
	if n := len(b.tree.chain[parent]); n > maxChain {
		return fmt.Errorf("link %s hangs on %d moving joints; at most %d are supported", b.robot.Links[j.Child].Name, n, maxChain)
	}
	return nil
}

// mergeErr bounds the error that joint j's pose in its parent's frame, composed
// to have its origin at `at`, inherits from a parent link that is itself held by
// fixed joints; that of j's own loaded numbers and of the composed rotation is
// part of rotPerJoint.
func (b *builder) mergeErr(j *urdf.Joint, at geom.Vec) poseErr {
	rot, pos := b.tree.LinkErrR[j.Parent], b.tree.LinkErrP[j.Parent]
	if rot == 0 {
		return poseErr{} // the parent link is its frame: nothing is composed
	}
	p := r3.Norm(j.PosePC.P)
	return poseErr{rot: rot, pos: pos + rot*p + posPerJoint*(r3.Norm(at)+p)}
}

func (b *builder) add(f Frame) int {
	n := len(b.tree.Frames)
	b.tree.Frames = append(b.tree.Frames, f)
	up := b.tree.chain[f.Parent]
	b.tree.chain = append(b.tree.chain, append(up[:len(up):len(up)], int32(n)))
	return n
}

// planeAxes returns the two directions of a planar joint with the given normal:
// x and y for the normal z, and the same turned the shortest way otherwise. For
// -z, where every way is as short, it turns about x.
//
// With e the normal's direction in the plane of x and y, the turn takes x to
// (1, 0, -X) - k e.x (e, 0) and y to (0, 1, -Y) - k e.y (e, 0), where k = 1 - Z:
// no difference of nearly equal numbers enters, so both are good to a few
// roundings for every normal.
func planeAxes(normal geom.Vec) (x, y geom.Vec) {
	ex, ey := 0.0, 1.0
	if e, ok := geom.Unit(geom.Vec{X: normal.X, Y: normal.Y}); ok {
		ex, ey = e.X, e.Y
	}
	k := 1 - normal.Z
	if normal.Z > 0 {
		k = (normal.X*normal.X + normal.Y*normal.Y) / (1 + normal.Z)
	}
	x = geom.Vec{X: 1 - k*ex*ex, Y: -k * ex * ey, Z: -normal.X}
	y = geom.Vec{X: -k * ex * ey, Y: 1 - k*ey*ey, Z: -normal.Y}
	x, _ = geom.Unit(x)
	y, _ = geom.Unit(y)
	return x, y
}

// Chain returns the joints from the root to frame f, outward; frame 0 has none.
// The caller does not change it.
func (t *Tree) Chain(f int) []int32 { return t.chain[f] }

// Parting returns how many joints the chains of frames a and b share: they part
// at the body after that many joints, and only joints after it move a and b
// relative to each other.
func (t *Tree) Parting(a, b int) int {
	ca, cb := t.chain[a], t.chain[b]
	n := 0
	for n < len(ca) && n < len(cb) && ca[n] == cb[n] {
		n++
	}
	return n
}

// Rows returns, for each variable, its place among the named ones, -1 for those
// not named. It fails on a name that no variable has.
func (t *Tree) Rows(names []string) ([]int, error) {
	rows := make([]int, len(t.Dofs))
	for d := range rows {
		rows[d] = -1
	}
	for row, name := range names {
		d := t.DofIndex(name)
		if d < 0 {
			return nil, fmt.Errorf("joint %s of the motion is not a movable, independent joint of the robot", name)
		}
		rows[d] = row
	}
	return rows, nil
}

// DofIndex returns the index of the named variable, or -1.
func (t *Tree) DofIndex(name string) int {
	for i := range t.Dofs {
		if t.Dofs[i].Name == name && name != "" {
			return i
		}
	}
	return -1
}
