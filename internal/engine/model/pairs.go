package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Pair selects the pairs to check: every two bodies of which one moves with the robot, except
// those that are exempt. Bodies of one link, and the world's objects among themselves, are no
// pairs.
//
// Links of one rigid body are pairs too, quadratically many. If there are very many, those
// that are far apart are counted in Far and not listed: no motion brings them closer than
// Apart. More pairs than limit.RobotPairs and limit.WorldPairs are an error, before memory is
// allocated for them.
func (m *Model) Pair(off Exempt) error {
	c := m.census(off)
	if c.moving+c.rigid <= fewPairs {
		return m.pairAll(off, c)
	}
	if c.moving > limit.RobotPairs {
		return tooManyPairs(c.moving, "pairs of the robot's collision elements with relative motion", limit.RobotPairs)
	}
	kept, apart, err := m.nearby(off, c)
	if err != nil {
		return err
	}
	return m.pairUp(off, c, &nearPairs{kept: kept, apart: apart})
}

// PairAll is like Pair, but lists all pairs, however far apart. More than limit.RobotPairs
// self pairs are an error.
func (m *Model) PairAll(off Exempt) error { return m.pairAll(off, m.census(off)) }

func (m *Model) pairAll(off Exempt, c census) error {
	if n := c.moving + c.rigid; n > limit.RobotPairs {
		return tooManyPairs(n, "pairs of the robot's collision elements", limit.RobotPairs)
	}
	return m.pairUp(off, c, nil)
}

// fewPairs is the number of self pairs up to which all are listed. Robots have hundreds.
const fewPairs = 20_000

func tooManyPairs(n int64, what string, most int64) error {
	return fmt.Errorf("%d %s are to be checked, more than the %d that fit into memory: "+
		"leave out pairs that never touch, with an SRDF, or merge the collision elements of links without relative motion", n, what, most)
}

// census counts the pairs of elements to check.
type census struct {
	moving int64 // self pairs in different frames
	rigid  int64 // self pairs in one frame
	world  int64
	bodies int64 // like rigid, of bodies
}

func (m *Model) census(off Exempt) census {
	var c census
	robot, world := int64(0), int64(0)
	type sum struct{ elements, squares, bodies int64 }
	frames := make([]sum, len(m.Tree.Frames))
	for i := range m.Bodies {
		b := &m.Bodies[i]
		n := int64(len(b.Elements))
		if b.Kind == motion.WorldObject {
			world += n
			continue
		}
		robot += n
		f := &frames[b.Frame]
		f.elements, f.squares, f.bodies = f.elements+n, f.squares+n*n, f.bodies+1
	}
	own := robot * robot
	for i := range frames {
		f := &frames[i]
		c.rigid += (f.elements*f.elements - f.squares) / 2
		c.bodies += f.bodies * (f.bodies - 1) / 2
		own -= f.squares
	}
	c.moving, c.world = own/2-c.rigid, robot*world
	for k := range off {
		a, b := &m.Bodies[k[0]], &m.Bodies[k[1]]
		n := int64(len(a.Elements)) * int64(len(b.Elements))
		switch {
		case a == b || bothWorld(a, b):
		case a.Kind == motion.WorldObject || b.Kind == motion.WorldObject:
			c.world -= n
		case a.Frame == b.Frame:
			c.rigid, c.bodies = c.rigid-n, c.bodies-1
		default:
			c.moving -= n
		}
	}
	return c
}

func bothWorld(a, b *Body) bool { return a.Kind == motion.WorldObject && b.Kind == motion.WorldObject }

// nearPairs is the listed part of the pairs of elements without relative motion: those in
// kept. All others are farther apart than apart.
type nearPairs struct {
	kept     map[[2]int32][][2]int32 // by bodies
	apart    float64
	partners [][]int32 // of each body, those in its frame after it that are in kept or exempt
}

// partners lists, for each body, those after it in its frame with which it makes a pair
// that is listed or exempt.
func (m *Model) partners(off Exempt, kept map[[2]int32][][2]int32) [][]int32 {
	out := make([][]int32, len(m.Bodies))
	for k := range kept {
		out[k[0]] = append(out[k[0]], k[1])
	}
	for k := range off {
		if a, b := &m.Bodies[k[0]], &m.Bodies[k[1]]; a != b && oneFrame(a, b) {
			out[k[0]] = append(out[k[0]], k[1])
		}
	}
	for i := range out {
		slices.Sort(out[i])
	}
	return out
}

// oneFrame reports whether two bodies are the robot's and have no relative motion.
func oneFrame(a, b *Body) bool {
	return a.Frame == b.Frame && a.Kind != motion.WorldObject && b.Kind != motion.WorldObject
}

// pairCarried lists the pairs of a body of the robot and those after it.
func (m *Model) pairCarried(i int, off exempted, near *nearPairs) {
	var partners []int32
	if near != nil {
		partners = near.partners[i]
	}
	for j := i + 1; j < len(m.Bodies); j++ {
		if near != nil && oneFrame(&m.Bodies[i], &m.Bodies[j]) {
			if len(partners) == 0 || partners[0] != int32(j) {
				continue
			}
			partners = partners[1:]
		}
		m.pairBodies(i, j, off, near)
	}
}

// pairUp lists the pairs: all of them, or of bodies in one frame those that are near.
func (m *Model) pairUp(off Exempt, c census, near *nearPairs) error {
	if c.world > limit.WorldPairs {
		return fmt.Errorf("%d pairs of the robot's collision elements and the scene's objects are to be checked, more than the %d that fit into memory: "+
			"combine many small objects into one (points, cells, an octree or a mesh)", c.world, int64(limit.WorldPairs))
	}
	total := c.moving + c.world
	m.Far, m.Apart = 0, math.Inf(1)
	if near == nil {
		total += c.rigid
	} else {
		m.Far, m.Apart = int(c.bodies)-len(near.kept), near.apart
		for _, of := range near.kept {
			total += int64(len(of))
		}
	}
	m.Pairs, m.Assumed = make([]Pair, 0, total), make([]AssumedPair, 0, len(off))
	if near != nil {
		near.partners = m.partners(off, near.kept)
	}
	exempt := off.indexed(len(m.Bodies))
	var carried []int // bodies that are not objects of the world
	for i := range m.Bodies {
		if m.Bodies[i].Kind != motion.WorldObject {
			carried = append(carried, i)
		}
	}
	for i := range m.Bodies {
		if m.Bodies[i].Kind != motion.WorldObject {
			m.pairCarried(i, exempt, near)
			continue
		}
		first, _ := slices.BinarySearch(carried, i)
		for _, j := range carried[first:] {
			m.pairBodies(i, j, exempt, near)
		}
	}
	m.CheckOnly(m.Pairs)
	return nil
}

// pairBodies lists the pairs of two bodies' elements.
func (m *Model) pairBodies(i, j int, off exempted, near *nearPairs) {
	a, b := &m.Bodies[i], &m.Bodies[j]
	key := [2]int32{int32(i), int32(j)}
	if some := off.some; some[i] && some[j] {
		if reason, left := off.pairs[key]; left {
			m.Assumed = append(m.Assumed, AssumedPair{A: i, B: j, Reason: reason})
			return
		}
	}
	if near != nil && oneFrame(a, b) {
		for _, e := range near.kept[key] {
			m.Pairs = append(m.Pairs, m.pairOf(int(e[0]), int(e[1])))
		}
		return
	}
	m.pair(a, b)
}

// PairUp is PairAll for few pairs. off gives the reason why two bodies are left out, or "".
func (m *Model) PairUp(off func(a, b *Body) (reason string)) {
	m.Pairs, m.Assumed, m.Far, m.Apart = nil, nil, 0, math.Inf(1)
	for i := range m.Bodies {
		for j := i + 1; j < len(m.Bodies); j++ {
			a, b := &m.Bodies[i], &m.Bodies[j]
			if bothWorld(a, b) {
				continue
			}
			if reason := off(a, b); reason != "" {
				m.Assumed = append(m.Assumed, AssumedPair{A: i, B: j, Reason: reason})
				continue
			}
			m.pair(a, b)
		}
	}
	m.CheckOnly(m.Pairs)
}

// PairOnly restricts the pairs to check to those of the listed pairs of bodies.
func (m *Model) PairOnly(bodies [][2]int) {
	m.Pairs, m.Assumed, m.Far, m.Apart = nil, nil, 0, math.Inf(1)
	for _, k := range bodies {
		m.pair(&m.Bodies[k[0]], &m.Bodies[k[1]])
	}
	m.CheckOnly(m.Pairs)
}

// CheckOnly replaces the pairs to check.
func (m *Model) CheckOnly(pairs []Pair) {
	m.Pairs = pairs
	m.Against = make([][]int32, len(m.Elements))
	for i := range m.Pairs {
		p := &m.Pairs[i]
		if !p.World {
			continue
		}
		robot, world := p.A, p.B
		if m.Bodies[m.Elements[robot].Body].Link < 0 {
			robot, world = world, robot
		}
		row := m.Against[robot]
		if row == nil {
			row = make([]int32, m.Real-int(m.First))
			for k := range row {
				row[k] = -1
			}
			m.Against[robot] = row
		}
		row[world-int(m.First)] = int32(i)
	}
	m.pairGroups()
}

func (m *Model) pair(a, b *Body) {
	p := m.parting(a, b)
	for _, x := range a.Elements {
		for _, y := range b.Elements {
			p.A, p.B = x, y
			m.Pairs = append(m.Pairs, p)
		}
	}
}

// pairOf is the pair of two elements.
func (m *Model) pairOf(x, y int) Pair {
	p := m.parting(&m.Bodies[m.Elements[x].Body], &m.Bodies[m.Elements[y].Body])
	p.A, p.B = x, y
	return p
}

// parting returns the common part of all pairs of elements of two bodies.
func (m *Model) parting(a, b *Body) Pair {
	p := Pair{Parting: m.Tree.Parting(a.Frame, b.Frame), World: a.Kind == motion.WorldObject || b.Kind == motion.WorldObject}
	if p.Parting > 0 {
		p.Base = int(m.Tree.Chain(a.Frame)[p.Parting-1])
	}
	return p
}
