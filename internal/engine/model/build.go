package model

import (
	"context"
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Padding is the distance added all around a link, in metres.
type Padding func(link string) float64

// New compiles robot and world without pairs: call PairUp next. A nil world is an empty one.
// Invalid shapes, padding that is negative or not finite, objects attached to links that the
// robot lacks, and names used twice are errors.
func New(robot *urdf.Robot, world *scene.Snapshot, padding Padding, lib *Library) (*Model, error) {
	return NewContext(context.Background(), robot, world, padding, lib)
}

// NewContext is like New, but returns an error that wraps ctx's error once ctx is done.
func NewContext(ctx context.Context, robot *urdf.Robot, world *scene.Snapshot, padding Padding, lib *Library) (*Model, error) {
	return compile(ctx, robot, world, padding, lib, kin.NewTree)
}

// In is NewContext for the robot of m in another world. It takes from m what does not change:
// the links, unless their padding does, and the pieces of objects that stand where they stood.
// The result does not depend on m otherwise.
func (m *Model) In(ctx context.Context, robot *urdf.Robot, world *scene.Snapshot, padding Padding, lib *Library) (*Model, error) {
	b := assembler{ctx: ctx, m: &Model{Tree: m.Tree, paddings: paddingsOf(robot, padding), robot: &derived{}}, lib: lib, prev: m}
	return b.assemble(robot, world)
}

// NewRooted is like New for motions that move the root link: the world is in its own frame
// (kin.NewRootedTree).
func NewRooted(robot *urdf.Robot, world *scene.Snapshot, padding Padding, lib *Library) (*Model, error) {
	return compile(context.Background(), robot, world, padding, lib, kin.NewRootedTree)
}

func compile(ctx context.Context, robot *urdf.Robot, world *scene.Snapshot, padding Padding, lib *Library, newTree func(*urdf.Robot) (*kin.Tree, error)) (*Model, error) {
	if err := robot.Validate(); err != nil {
		return nil, fmt.Errorf("robot %s: %w", robot.Name, err)
	}
	tree, err := newTree(robot)
	if err == nil {
		err = bounded(tree)
	}
	if err != nil {
		return nil, fmt.Errorf("robot %s: %w", robot.Name, err)
	}
	b := assembler{ctx: ctx, m: &Model{Tree: tree, paddings: paddingsOf(robot, padding), robot: &derived{}}, lib: lib}
	return b.assemble(robot, world)
}

func paddingsOf(robot *urdf.Robot, padding Padding) []float64 {
	out := make([]float64, len(robot.Links))
	for i := range out {
		if padding != nil {
			out[i] = padding(robot.Links[i].Name)
		}
	}
	return out
}

// assemble completes a model that has a tree.
func (b *assembler) assemble(robot *urdf.Robot, world *scene.Snapshot) (*Model, error) {
	b.names = make(map[string]string, len(robot.Links)+worldSize(world))
	b.lib.prepare(b.ctx, shapesOf(robot, world))
	if err := b.ctx.Err(); err != nil {
		return nil, fmt.Errorf("robot %s: loading was ended: %w", robot.Name, err)
	}
	if err := b.links(robot); err != nil {
		return nil, fmt.Errorf("robot %s: %w", robot.Name, err)
	}
	b.m.First = int32(len(b.m.Elements))
	if world != nil {
		for i := range world.Objects {
			if err := b.object(&world.Objects[i], robot); err != nil {
				return nil, fmt.Errorf("object %s: %w", world.Objects[i].ID, err)
			}
		}
	}
	var before *World
	if b.prev != nil {
		before = b.prev.World
	}
	b.m.World = newWorld(b.m, before)
	if err := b.m.group(b.prev); err != nil {
		return nil, fmt.Errorf("robot %s: %w", robot.Name, err)
	}
	return b.m, nil
}

func worldSize(world *scene.Snapshot) int {
	if world == nil {
		return 0
	}
	return len(world.Objects)
}

// links adds the robot's links, those of the previous model if they have the same paddings.
func (b *assembler) links(robot *urdf.Robot) error {
	for i := range robot.Links {
		b.names[robot.Links[i].Name] = "a link"
	}
	if p := b.prev; p != nil && slices.Equal(p.paddings, b.m.paddings) {
		n := 0
		for n < len(p.Bodies) && p.Bodies[n].Kind == motion.RobotLink {
			n++
		}
		b.m.Bodies = append(b.m.Bodies, p.Bodies[:n]...)
		b.m.Elements = append(b.m.Elements, p.Elements[:p.First]...)
		b.m.robot = p.robot
		return nil
	}
	for i := range robot.Links {
		if err := b.link(&robot.Links[i], i); err != nil {
			return err
		}
	}
	return nil
}

func shapesOf(robot *urdf.Robot, world *scene.Snapshot) []*shape.Shape {
	var shapes []*shape.Shape
	for i := range robot.Links {
		for _, c := range robot.Links[i].Collisions {
			shapes = append(shapes, c.Shape)
		}
	}
	return append(shapes, shapesIn(world)...)
}

func shapesIn(world *scene.Snapshot) []*shape.Shape {
	if world == nil {
		return nil
	}
	shapes := make([]*shape.Shape, len(world.Objects))
	for i := range world.Objects {
		shapes[i] = world.Objects[i].Shape
	}
	return shapes
}

type assembler struct {
	ctx   context.Context
	m     *Model
	lib   *Library
	names map[string]string // kinds of the names in use
	prev  *Model            // of the same robot; nil if there is none
}

func (b *assembler) link(l *urdf.Link, index int) error {
	if len(l.Collisions) == 0 {
		return nil
	}
	body := Body{Body: motion.Body{Name: l.Name, Kind: motion.RobotLink}, Frame: b.m.Tree.LinkFrame[index], Link: index}
	for i := range l.Collisions {
		c := &l.Collisions[i]
		if err := b.element(&body, c.PoseLS, c.Shape, b.m.paddings[index]); err != nil {
			return fmt.Errorf("link %s, collision element %d: %w", l.Name, i, err)
		}
	}
	b.m.Bodies = append(b.m.Bodies, body)
	return nil
}

func (b *assembler) object(o *scene.Object, robot *urdf.Robot) error {
	if what, taken := b.names[o.ID]; taken {
		return fmt.Errorf("%s has the same name: rename the object", what)
	}
	b.names[o.ID] = "another object"
	body := Body{Body: motion.Body{Name: o.ID, Kind: motion.WorldObject}, Link: -1}
	if o.AttachedTo != "" {
		link := robot.Link(o.AttachedTo)
		if link < 0 {
			return fmt.Errorf("it is attached to link %s, which the robot does not have", o.AttachedTo)
		}
		body.Kind, body.Link, body.Frame = motion.AttachedObject, link, b.m.Tree.LinkFrame[link]
	}
	if err := b.element(&body, o.PoseWS, o.Shape, o.Padding); err != nil {
		return err
	}
	b.m.Bodies = append(b.m.Bodies, body)
	return nil
}

// element adds a shape with a pose in its link, or in the world.
func (b *assembler) element(body *Body, poseLE geom.Pose, s *shape.Shape, padding float64) error {
	if !(padding >= 0 && padding <= geom.MaxLength) {
		return fmt.Errorf("padding %g must be zero or more metres, and at most %g", padding, float64(geom.MaxLength))
	}
	if s == nil {
		return fmt.Errorf("it has no shape")
	}
	if !geom.Bounded(poseLE.P) {
		return fmt.Errorf("its position %v is not within %g m: check the unit", poseLE.P, float64(geom.MaxLength))
	}
	f, err := b.lib.form(b.ctx, s)
	if err != nil {
		return err
	}
	e := Element{
		Body: len(b.m.Bodies), Frame: body.Frame,
		Core: f.core, Rough: f.rough, Exact: f.exact, Leaves: f.leaves,
		Center: f.center, Radius: f.radius + padding, Padding: padding, form: f,
	}
	e.Core.Radius += padding
	e.Rough.Radius += padding
	e.place(b.m.Tree, body.Link, poseLE)
	// Readers return valid poses only; but a robot built in code may have a geom.Pose{}, which
	// would shrink a body to a point that nothing touches.
	if err := e.PoseFE.Rigid(); err != nil {
		return err
	}
	if far := e.Extent(); !inRange(far) {
		return fmt.Errorf("it extends %g m from its link: check its units (%g m at most)", far, float64(Largest))
	}
	body.Open = body.Open || f.open
	body.Ambiguous = body.Ambiguous || f.ambiguous
	body.Elements = append(body.Elements, len(b.m.Elements))
	b.m.Elements = append(b.m.Elements, e)
	return nil
}

// place computes the element's pose in its frame, from the link's pose there and its own in
// the link; link is negative for the world.
//
// The error is that of the link's pose at the element, and of composing: as in package kin,
// 16u of the lengths for the position and 160u for the rotation, including that of the loaded
// numbers.
func (e *Element) place(tree *kin.Tree, link int, poseLE geom.Pose) {
	const u = 0x1p-53
	e.PoseFE, e.ErrR = poseLE, 160*u
	if link >= 0 {
		e.PoseFE = tree.LinkPose[link].Mul(poseLE)
		e.ErrR += tree.LinkErrR[link]
		e.ErrP = tree.LinkErrP[link] + tree.LinkErrR[link]*geom.Norm(poseLE.P)
	}
	e.ErrP += 16 * u * (geom.Norm(e.PoseFE.P) + geom.Norm(poseLE.P))
}

// Extent bounds the distance of the element's points from its frame's origin.
func (e *Element) Extent() float64 {
	return geom.Norm(e.PoseFE.P) + geom.Norm(e.Center) + e.Radius
}
