package ccd

import (
	"context"
	"reflect"

	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Distance bounds the distances (m) of the closest pairs at a configuration. positions
// gives joint positions (rad or m) by joint name; joints that are not named keep the
// checker's State. Witness points are in the scene's frame. The answer depends on nothing
// but the arguments. For repeated queries use a DistanceTracker.
//
// An unknown joint, body or group, a position that is not finite and a query that fails
// Validate are errors. So are a canceled context and a deadline that passes.
func (c *Checker) Distance(ctx context.Context, positions map[string]float64, q motion.DistanceQuery) (motion.Distances, error) {
	s, err := c.scope(q, false)
	if err != nil {
		return motion.Distances{}, err
	}
	state := append([]float64(nil), c.state...)
	if err := setVariables(c.robot, c.model.Tree, state, positions); err != nil {
		return motion.Distances{}, err
	}
	out, err := c.engine.distance(ctx, state, s)
	if err != nil || c.engine.enough(&q, &out) {
		return out, err
	}
	e, err := c.engine.all()
	if err != nil {
		return motion.Distances{}, err
	}
	if s, err = c.withEngine(e).scope(q, false); err != nil {
		return motion.Distances{}, err
	}
	return e.distance(ctx, state, s)
}

// asked is a query and what it was made into for a model.
type asked struct {
	q       motion.DistanceQuery
	spheres bool
	model   *model.Model
	scope   *distance.Scope
}

// scope makes a query ready, one that is asked repeatedly or not, or takes that of the
// last query if it is the same.
func (c *Checker) scope(q motion.DistanceQuery, repeated bool) (*distance.Scope, error) {
	if c.place(c.world) == floating {
		return nil, c.whereIsRoot()
	}
	spheres := c.usesSpheres(repeated)
	if last := c.lastScope.Load(); last != nil && last.model == c.model && last.spheres == spheres && reflect.DeepEqual(last.q, q) {
		return last.scope, nil
	}
	links, err := c.linksOf(q.Group)
	if err != nil {
		return nil, err
	}
	q = q.Clone()
	s, err := distance.NewScope(c.model, q, links)
	if err != nil {
		return nil, err
	}
	if spheres {
		if err := c.plan(s); err != nil {
			return nil, err
		}
	}
	if q.Max == 0 { // all of the robot matters
		c.model.PrepareHulls()
	}
	c.lastScope.Store(&asked{q, spheres, c.model, s})
	return s, nil
}
