package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// sweep is the volume that a part of an element sweeps on the current interval, as
// far as it was asked for: a box, and the half-spaces that hold it, one for each
// direction that parted it from something of the world.
type sweep struct {
	stamp     uint64
	element   int
	node      int32
	clearance float64 // that the box includes
	rise      float64 // that the half-spaces are for

	at     *place.Element
	memory *elementMemory
	side   rules.Side
	part   volume.Scratch
	center geom.Vec // of the part's ball, in W
	radius float64
	box    bvh.Box32
	slack  float64 // of the element and of the world

	planes [planesKept]plane
	count  int
	// hints are those of the element when the sweep was started, not yet tried.
	hints [hintsKept]geom.Vec
	tried int
}

// planesKept is how many half-spaces a sweep has at most.
const planesKept = 6

// plane says n.x(t) <= reach for every point of the part and every t in I.
type plane struct {
	n        geom.Vec
	reach    float64
	straight float64 // without what the points' paths bend
	sharp    bool    // reach has the least bend that is known
}

// prover tries to prove nodes apart during the interval at which the robot is placed.
type prover struct {
	m  *model.Model
	at *place.Robot     // at the time that is looked at
	q  *engine.Question // the clock, and the work done

	piece    int      // of the motion, that is looked at
	recorder Recorder // of the proof, if somebody wants it

	// What must be exceeded. A search for the smallest distance lowers it.
	clearance float64
	rise      float64 // by how much that grows over the interval; see clearances
	tolerance float64

	elements []elementMemory
	pairs    []pairMemory
	swept    sweep // the part last looked at against the world

	search       convex.Workspace
	partA, partB volume.Scratch
}

// element returns what is remembered of element i.
func (w *prover) element(i int) *elementMemory {
	p := &w.elements[i]
	if p.asked != w.q.Number {
		p.asked, p.hints, p.outside = w.q.Number, [hintsKept]geom.Vec{}, false
	}
	return p
}

// pair returns what is remembered of pair i.
func (w *prover) pair(i int32) *pairMemory {
	p := &w.pairs[i]
	if p.asked != w.q.Number { // an answer does not depend on the questions before
		*p = pairMemory{asked: w.q.Number}
	}
	return p
}

// clearances returns the clearance asked for at c-h and at c+h, where it changes
// linearly over an interval: it is then w.clearance at one end and less by |w.rise| at
// the other, the later one where w.rise is negative.
func (w *prover) clearances() rules.Line {
	return rules.Line{Before: w.clearance - max(0, w.rise), After: w.clearance - max(0, -w.rise)}
}

// margin is what a pair or an element and an item must be apart by.
func (w *prover) margin(slack float64) rules.Margin {
	return rules.Margin{Clearance: w.clearance, Slack: slack}
}
