package ccd

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// OnlyGroup returns a Checker of the pairs with a link of an SRDF group, or with an object
// attached to one, against all else: the other links, attached objects and the world. The
// group's links are those that it names and all that its joints move, whether or not the group
// names them: a hand on an arm is moved by the group of the arm. Two bodies that no joint of the
// group moves are not checked, however the motion moves them. What else is left out stays left
// out, and verdicts list it as before. The Checker writes no certificates.
//
// It fails on a group that the SRDF does not have, or that has members which the robot lacks.
func (c *Checker) OnlyGroup(name string) (*Checker, error) {
	links, err := c.linksOf(name)
	if err != nil || links == nil {
		return c, err
	}
	e, err := c.engine.all()
	if err != nil {
		return nil, err
	}
	d := *c
	d.engine, d.proven, d.part = ofLinks(e.model, links), nil, fmt.Sprintf("the group %s alone", name)
	d.layouts, d.premises = &atomic.Pointer[layout]{}, sync.OnceValue(d.modelPremises)
	d.lastScope, d.touchings, d.lastRange = &atomic.Pointer[asked]{}, &atomic.Pointer[asked]{}, &atomic.Pointer[askedRanges]{}
	d.rooted = sync.OnceValues(func() (engine, error) {
		e, err := c.rooted()
		if err == nil {
			e, err = e.all()
		}
		if err != nil {
			return engine{}, err
		}
		return ofLinks(e.model, links), nil
	})
	return &d, nil
}

// ofLinks is the engine of the model's pairs with one of the robot's links, or with an object
// that hangs on one.
func ofLinks(all *model.Model, links []bool) engine {
	in := func(element int) bool {
		b := &all.Bodies[all.Elements[element].Body]
		return b.Link >= 0 && links[b.Link]
	}
	m := *all
	var pairs []model.Pair
	for _, p := range all.Pairs {
		if in(int(p.A)) || in(int(p.B)) {
			pairs = append(pairs, p)
		}
	}
	m.Far, m.Apart = 0, math.Inf(1) // all are listed
	m.CheckOnly(pairs)
	return newEngine(&m)
}

// linksOf tells which links a group names or its joints move; nil for no group.
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
			return movedBy(c.robot, &g), nil
		}
	}
	if len(known) == 0 {
		return nil, fmt.Errorf("group %s is asked for, but no SRDF tells of groups", group)
	}
	return nil, fmt.Errorf("the SRDF has no group %s%s: it has %s", group, spelling.Hint(group, known), strings.Join(known, ", "))
}

// movedBy tells which links a group names, or its joints move: by themselves, or through joints
// that follow them.
func movedBy(robot *urdf.Robot, g *urdf.Group) []bool {
	in, moved := make([]bool, len(robot.Links)), make([]bool, len(robot.Links))
	for _, name := range g.Links {
		if i := robot.Link(name); i >= 0 {
			in[i] = true
		}
	}
	of := map[int]bool{} // the joints
	for _, name := range g.Joints {
		of[robot.Joint(name)] = true
	}
	for again := true; again; { // joints may be listed in any order
		again = false
		for i := range robot.Joints {
			j := &robot.Joints[i]
			turns := of[i] || j.Mimic != nil && of[j.Mimic.Joint]
			if (turns || moved[j.Parent]) && !moved[j.Child] {
				moved[j.Child], in[j.Child], again = true, true, true
			}
		}
	}
	return in
}
