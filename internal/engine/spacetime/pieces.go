package spacetime

import (
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
)

// Short pieces of one motion, such as those of a trajectory with many waypoints: seven in a row are the seven steps of
// one proof. What that does not prove is searched piece by piece.

// shortPiece (rad or m) is how far the joints of a chain may move, all together, on a piece that is tried as one step.
const shortPiece = 0.8

// mostOfPiece (m) is by how much paths may depart from their chords on such a piece.
const mostOfPiece = 0.05

// hasPieces reports whether pieces of the motion may share proofs: not if a proof is recorded, nor where a part of it is
// proved already, joints deviate, or turns are subtracted, so that a piece need not begin where the last one ended.
func (s *search) hasPieces(b *kin.Course) bool {
	w := s.w
	p := &w.pieces
	if !p.tried {
		p.tried = true
		p.usable = b.Pieces() > 2 && !s.ranged && w.recorder == nil && !w.at.Tubed && b.From == (kin.Instant{}) &&
			!b.Turned() && !b.MovesRoot() && w.stepped.make(w)
	}
	return p.usable
}

// proves reports whether piece i is proved. It tries short ones from i on, unless that was done, or brings little. The robot
// is placed elsewhere then.
func (s *search) proves(b *kin.Course, i int) bool {
	w := s.w
	if c := w.member.team; c != nil {
		return i < len(c.proved) && c.proved[i]
	}
	p := &w.pieces
	if !s.hasPieces(b) {
		return false
	}
	for len(p.proved) <= i && p.vain < 2 && w.q.Reason == "" {
		s.tryNext(b)
	}
	return i < len(p.proved) && p.proved[i]
}

// tryNext tries the pieces that follow those that were tried: the short ones among them, up to as many as there are steps.
func (s *search) tryNext(b *kin.Course) {
	p := &s.w.pieces
	first, count := len(p.proved), 0
	for count < lanes.Steps && first+count < b.Pieces() && b.Way(first+count) <= shortPiece {
		count++
	}
	if count < 2 {
		p.proved = append(p.proved, false)
		return
	}
	proved := s.tryPieces(b, first, count)
	for k := range count {
		p.proved = append(p.proved, proved>>k&1 != 0)
	}
	if p.vain++; bits.OnesCount8(proved) > count/2 {
		p.vain = 0
	}
}

// tryPieces returns which of some pieces are proved. A direction is sought once for all of them.
func (s *search) tryPieces(b *kin.Course, first, count int) (proved uint8) {
	w := s.w
	p := &w.stepped
	w.piece, w.loaded = first, 0
	p.unbind()
	w.q.Work.Intervals++
	if !p.lanes.PlacePieces(b, first, count, mostOfPiece, w.clearance) {
		return 0
	}
	p.seekOnce()
	t := search{w: w, shared: true}
	return t.trySharedSteps(1<<count-1, func(failed uint8) uint8 { return failed })
}

// trySharedSteps tries everything on some steps, and returns those that are left when all is proved of them: lost gives the steps that
// are of no use where some are not proved. The arena begins with what every piece starts with.
func (s *search) trySharedSteps(steps uint8, lost func(failed uint8) uint8) uint8 {
	w := s.w
	p := &w.stepped
	p.list, p.hurries = p.list[:0], false
	s.enlist(pendingInterval{last: int32(len(w.startGroups))}, steps)
	for i := 0; i < len(p.list) && steps != 0; i++ {
		if failed := s.trySome(i, p.list[i].todo&steps); failed != 0 {
			steps &^= lost(failed)
		}
		if w.q.Out() {
			return 0
		}
	}
	return steps
}
