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

// sweep is the swept volume of a part of an element on the current interval, as far as it was
// needed: a box, and the half-spaces that contain it, one for each direction that separated it
// from something of the world.
type sweep struct {
	stamp     uint64
	element   int
	node      int32
	clearance float64 // included in the box
	rise      float64 // rise of the clearance for the half-spaces

	at     *place.Element
	memory *elementMemory
	side   rules.Side
	part   volume.Scratch
	center geom.Vec // of the part's ball, in W
	radius float64
	box    bvh.Box32
	boxed  bool    // box is set
	slack  float64 // of the element and of the world

	planes [planesKept]plane
	count  int
	// hints are those of the element when the sweep was last asked for; the first few were tried.
	hints [hintsKept]geom.Vec
	tried int
}

// planesKept is how many half-spaces a sweep has at most.
const planesKept = 6

// sweepsKept is how many sweeps a prover has at most: a front names a part with one item after the other,
// and other parts in between.
const sweepsKept = 64

// plane says n.x(t) <= reach for every point of the part and every t in I.
type plane struct {
	n        geom.Vec
	reach    float64
	straight float64 // without the curvature of the points' paths
	bound    curvature
}

// curvature says which bound of the points' acceleration a plane's reach rests on, the dearest last.
type curvature uint8

const (
	inAnyDirection curvature = iota
	alongN                   // of the element, along n
	ofPoints                 // at c, and the jerk
)

// prover tries to prove nodes apart during the interval at which the robot is placed.
type prover struct {
	m  *model.Model
	at *place.Robot     // at the current time
	q  *engine.Question // the clock, and the work done

	piece    int      // of the motion
	recorder Recorder // of the proof, nil for none

	// The clearance to exceed. A search for the smallest distance lowers it.
	clearance float64
	rise      float64 // by how much that grows over the interval; see clearances
	tolerance float64

	elements []elementMemory
	pairs    []pairMemory
	swept    [sweepsKept]sweep // parts that were looked at against the world

	search       convex.Workspace
	partA, partB volume.Scratch
	outcome      outcome // of the entry that is being tried
}

// outcome is the result of an attempt to prove an entry apart.
type outcome struct {
	apart bool // on the whole interval
	// gap at c itself beyond the clearance, as far as known: if it is positive, the proof may
	// succeed on a shorter interval.
	gap float64
	// searched: found holds the closest points of the two parts' cores at c.
	searched bool
	found    convex.Result
}

// begin makes an outcome that of an attempt that has come to nothing yet.
func (o *outcome) begin() { o.apart, o.gap, o.searched = false, 0, false }

// element returns the memory of element i.
func (w *prover) element(i int) *elementMemory {
	p := &w.elements[i]
	if p.asked != w.q.Number {
		p.asked, p.hints, p.outside = w.q.Number, [hintsKept]geom.Vec{}, false
	}
	return p
}

// pair returns the memory of pair i.
func (w *prover) pair(i int32) *pairMemory {
	p := &w.pairs[i]
	if p.asked != w.q.Number { // answers are independent of earlier questions
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

// margin is the distance to prove for a pair, or for an element and an item.
func (w *prover) margin(slack float64) rules.Margin {
	return rules.Margin{Clearance: w.clearance, Slack: slack}
}
