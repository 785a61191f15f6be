package model

import (
	"context"
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// FreezeRobot returns a deep copy of the robot. Shapes that the library knows, and that have
// not changed since, are those of earlier copies. Once ctx is done no further shape is
// compiled.
func (l *Library) FreezeRobot(ctx context.Context, robot *urdf.Robot) *urdf.Robot {
	l.prepare(ctx, shapesOf(robot, nil))
	return robot.Clone(func(c *urdf.Collision) { c.Shape = l.freeze(c.Shape) })
}

// FreezeWorld is like FreezeRobot for a world, which may be nil. Its hash is that of its
// present content. It fails on a world that scene.New would refuse.
func (l *Library) FreezeWorld(ctx context.Context, world *scene.Snapshot) (*scene.Snapshot, error) {
	if world == nil {
		return nil, nil
	}
	l.prepare(ctx, shapesIn(world))
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("loading of the scene was ended: %w", err)
	}
	return world.Clone(l.freeze)
}

// FreezeNext is FreezeWorld for a world that has not been changed since it was built. Of the
// shapes that known has, copies are known already: these are not looked at.
func (l *Library) FreezeNext(ctx context.Context, world *scene.Snapshot, known map[*shape.Shape]*shape.Shape) (*scene.Snapshot, error) {
	if world == nil {
		return nil, nil
	}
	shapes := shapesIn(world)
	l.prepare(ctx, slices.DeleteFunc(shapes, func(s *shape.Shape) bool { return known[s] != nil }))
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("loading of the scene was ended: %w", err)
	}
	return world.WithShapes(func(s *shape.Shape) *shape.Shape {
		if k := known[s]; k != nil {
			return k
		}
		return l.freeze(s)
	}), nil
}

// freeze returns a copy of a shape for the library's own use, the same one as long as the
// shape is unchanged.
func (l *Library) freeze(s *shape.Shape) *shape.Shape {
	if s == nil {
		return nil
	}
	k := l.forms.get(s)
	switch {
	case k == nil: // an invalid shape, which New reports with its owner's name
		return s.Clone()
	case s.Kind != shape.Mesh:
		return k.shape
	}
	own := *s
	own.Mesh, own.Points, own.Cells = k.shape.Mesh, nil, nil
	return &own
}
