package spacetime

import (
	"math"
	"sync/atomic"
)

// Team is what workers know of each other that share the pieces of one motion. A yes
// or no is shared card by card, as each worker looks at all of its pieces in turn; a
// first contact in the order of time, each worker taking the next piece: what starts
// after somebody's contact is left, what is before it is finished, so that the answer
// is that of the earliest piece whoever is quickest.
//
// Each proves its pieces for the whole motion: containment is asked at the motion's
// own start. So all pieces proved prove the motion.
type Team struct {
	workers int
	next    atomic.Int64  // the piece to be taken next
	ended   atomic.Int64  // the earliest piece that ended the search
	least   atomic.Uint64 // the bits of the smallest distance found, which is positive
	stopped atomic.Bool   // a pair was found closer than its Min
}

// noPiece is later than any piece.
const noPiece = math.MaxInt64

// NewTeam returns what so many workers are to share for one question, from a piece on.
func NewTeam(workers, from int) *Team {
	c := &Team{workers: workers}
	c.next.Store(int64(from))
	c.ended.Store(noPiece)
	c.least.Store(math.Float64bits(math.Inf(1)))
	return c
}

// member is a worker's place in a team; none outside of CheckShare.
type member struct {
	team    *Team
	index   int
	closest bool // the question is how close the motion comes
}

// isCut is why a worker stops that need not go on.
const isCut = "somebody else has the answer"

// lower makes x at most to.
func lower(x *atomic.Int64, to int64) {
	for {
		was := x.Load()
		if was <= to || x.CompareAndSwap(was, to) {
			return
		}
	}
}

// Rewind lets a team begin again, with what follows the proof that a motion is free.
func (c *Team) Rewind() { c.next.Store(0) }

// isMine reports whether a piece of a yes or no is the worker's.
func (m *member) isMine(piece int) bool { return m.team == nil || piece%m.team.workers == m.index }

// stop tells the others that a pair was found closer than its Min.
func (c *Team) stop() {
	if c != nil {
		c.stopped.Store(true)
	}
}

// share tells the others of a distance that was found.
func (c *Team) share(distance float64) {
	for c != nil {
		was := c.least.Load()
		if math.Float64frombits(was) <= distance || c.least.CompareAndSwap(was, math.Float64bits(distance)) {
			return
		}
	}
}
