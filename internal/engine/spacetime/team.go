package spacetime

import (
	"math"
	"sync/atomic"
)

// Team coordinates workers that share the pieces of one motion. For a yes or no, the
// pieces are dealt round-robin, as each worker looks at all of its pieces in turn. For a
// first contact, each worker takes the next piece in the order of time: pieces that start
// after a contact are skipped and those before it are finished, so the answer is that of
// the earliest piece, no matter which worker is fastest.
//
// Each worker proves its pieces for the whole motion: containment is tested at the motion's
// own start. So if all pieces are proved, the motion is.
type Team struct {
	workers int
	next    atomic.Int64  // the piece to be taken next
	ended   atomic.Int64  // the earliest piece that ended the search
	least   atomic.Uint64 // the bits of the smallest distance found, which is positive
	stopped atomic.Bool   // a pair was found closer than its Min
	proved  []bool        // pieces that are proved already
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
const isCut = "another worker has the answer"

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
