package ccd

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Distance bounds the distances of the closest pairs at the configuration given
// by joint name (rad, m); joints not named keep the Checker's state. An unknown
// joint or group, a position that is not finite and a query that makes no sense are
// errors; so are a cancelled context and a deadline that passes, as half an answer
// would look like a whole one. The answer depends on nothing but the question; who
// asks again and again takes a Gauge.
func (c *Checker) Distance(ctx context.Context, positions map[string]float64, q motion.DistanceQuery) (motion.Distances, error) {
	s, err := c.scope(q)
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
	if s, err = c.withEngine(e).scope(q); err != nil {
		return motion.Distances{}, err
	}
	return e.distance(ctx, state, s)
}

// A Gauge answers one distance query at one configuration after another. It begins
// with what was closest before, and once its memory has grown it allocates nothing.
// It belongs to one goroutine at a time.
type Gauge struct {
	c     *Checker
	w     *spacetime.Worker
	scope *spacetime.Scope
	out   motion.Distances

	q     motion.DistanceQuery
	whole *Gauge // of all pairs, where the answer needs them
}

// Gauge returns a gauge for the query. It fails on an unknown group or body and on
// ranges and tolerances that make no sense.
func (c *Checker) Gauge(q motion.DistanceQuery) (*Gauge, error) {
	s, err := c.scope(q)
	if err != nil {
		return nil, err
	}
	w := spacetime.NewWorker(c.model)
	w.PrepareDistances()
	return &Gauge{c: c, w: w, scope: s, q: q.Clone()}, nil
}

// Measure bounds the distances at a configuration, one position (rad, m) for each of
// the checker's ActiveJoints. The bounds hold whatever was asked before; which of
// several pairs or points equally close is told, and by how much bounds stay within
// the tolerance, may depend on it. What it returns is the gauge's and good until the
// next call. It fails as Distance does.
func (g *Gauge) Measure(ctx context.Context, positions []float64) (*motion.Distances, error) {
	if n := len(g.c.model.Tree.Dofs); len(positions) != n {
		return nil, fmt.Errorf("%d positions for a robot of %d independent joints: give one for each of ActiveJoints", len(positions), n)
	}
	if err := g.w.Measure(ctx, positions, g.scope, true, &g.out); err != nil {
		return nil, err
	}
	if g.c.engine.enough(&g.q, &g.out) {
		return &g.out, nil
	}
	if g.whole == nil {
		e, err := g.c.engine.all()
		if err != nil {
			return nil, err
		}
		if g.whole, err = g.c.withEngine(e).Gauge(g.q); err != nil {
			return nil, err
		}
	}
	return g.whole.Measure(ctx, positions)
}

// asked is a query and what it was made into for a model.
type asked struct {
	q     motion.DistanceQuery
	model *model.Model
	scope *spacetime.Scope
}

// scope makes a query ready, or takes that of the last query if it is the same.
func (c *Checker) scope(q motion.DistanceQuery) (*spacetime.Scope, error) {
	if c.place(c.world) == floating {
		return nil, c.whereIsRoot()
	}
	if last := c.lastScope.Load(); last != nil && last.model == c.model && reflect.DeepEqual(last.q, q) {
		return last.scope, nil
	}
	links, err := c.linksOf(q.Group)
	if err != nil {
		return nil, err
	}
	q = q.Clone()
	s, err := spacetime.NewScope(c.model, q, links)
	if err != nil {
		return nil, err
	}
	c.lastScope.Store(&asked{q, c.model, s})
	return s, nil
}

// linksOf tells which links a group's joints move or its list names; nil for no
// group.
func (c *Checker) linksOf(group string) ([]bool, error) {
	if group == "" {
		return nil, nil
	}
	var known []string
	if c.robot.Semantic != nil {
		for _, g := range c.robot.Semantic.Groups {
			known = append(known, g.Name)
			if g.Name != group {
				continue
			}
			if lacks := c.robot.Semantic.Incomplete[group]; len(lacks) > 0 {
				return nil, fmt.Errorf("group %s has members that the robot lacks (%s): correct the SRDF", group, strings.Join(lacks, ", "))
			}
			in := make([]bool, len(c.robot.Links))
			for _, name := range g.Links {
				if i := c.robot.Link(name); i >= 0 {
					in[i] = true
				}
			}
			return in, nil
		}
	}
	if len(known) == 0 {
		return nil, fmt.Errorf("group %s is asked for, but no SRDF tells of groups", group)
	}
	return nil, fmt.Errorf("the SRDF has no group %s%s: it has %s", group, spelling.Hint(group, known), strings.Join(known, ", "))
}
