package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
)

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

// moment identifies a time of a motion.
type moment struct {
	asked uint64
	piece int
	c     float64
}

// hint remembers a direction that separated an element from the world.
func (p *elementMemory) hint(n geom.Vec) {
	k := 0
	for k < hintsKept-1 && p.hints[k] != n {
		k++
	}
	copy(p.hints[1:k+1], p.hints[:k])
	p.hints[0] = n
}

// elementMemory is kept for an element from one interval to the next.
type elementMemory struct {
	asked uint64 // the question that it belongs to
	// hints are directions that separated it from the world, the last one first.
	hints    [hintsKept]geom.Vec
	searched moment // when the shape itself was last searched for contacts
	outside  bool   // it is inside no mesh of the world at the motion's start
}

// hintsKept is how many directions an element remembers.
const hintsKept = 3

// pairMemory is kept for a pair from one interval to the next.
type pairMemory struct {
	asked   uint64   // the question that it belongs to
	hint    geom.Vec // the last direction that was tried, in a's frame
	hasHint bool
	outside bool // at the motion's start neither solid contains the other
	// normal is the last that was tried for parts of the pair on steps.
	normal    place.Normal
	hasNormal bool
	vain      bool // the last search for a plane that parts the hulls in a step found none
	offTable  int  // the piece, from 1, in which its table is of no use
	looked    int  // the piece, from 1, in which it was looked at for what is closer; 0 for none
}

// entry is a pair of nodes not yet proved apart, of both elements' hierarchies or whole;
// where pair is negative, of element ^pair and the world's tree, of which a negative
// node is an item.
type entry struct{ pair, a, b int32 }

// u is the largest relative error of a float64 operation.
const u = 0x1p-53

// direction returns the hint in W, of length 1.
func (p *pairMemory) direction(at *place.Pair) geom.Vec {
	n, _ := geom.Unit(at.A.Pose.R.Turn(p.hint))
	return n
}
