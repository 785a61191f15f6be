package spacetime

import (
	"context"
	"hash/maphash"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Fronts keep the progress of IsFree on a path, piece by piece, so that the next path with
// some of its pieces continues from there: proofs about a piece stay valid, and so does a
// contact.
//
// The kept results are facts about a piece: two parts stay more than the clearance apart on an
// interval of it. They hold for a piece with bitwise the same numbers, of the same model,
// under the same query, which the caller ensures. They are independent of when the piece is
// executed, and of the pieces before and after it, with one exception: that surfaces are apart
// during the whole motion separates two solids only together with a proof that neither
// contained the other at the motion's start; see begin.
//
// The zero value is empty. Fronts belong to one goroutine at a time.
type Fronts struct {
	pieces map[uint64]*frontier // by the sum of their keys
	seed   maphash.Seed
	start  []float64 // of the last motion
	asked  uint64    // counts the questions
	weight int       // of all pieces
	most   int       // weight that may be kept; 0 means mostKept
}

// CheckOn is like Check for the question IsFree. It continues from what f has kept of the
// motion's pieces, and updates f. Use f only with this model and this query.
func (w *Worker) CheckOn(ctx context.Context, b *kin.Course, q motion.Query, f *Fronts) motion.Verdict {
	q.Question = motion.IsFree
	w.begin(ctx, &q)
	w.at.Stray(q.Tube)
	w.at.ReachFor(b)
	w.start.Set(b)
	w.selectPairs(&q)
	s := search{w: w, anyTouch: true}
	v := motion.Verdict{Status: motion.Undecided}
	known := f.recall(b)
	if f.begin(&s, b, known, &v) && !f.touches(&s, b, known, &v) && !s.levels(b, known, &v) {
		w.follow(&s, b, &q, &v)
		if v.Status == motion.Free {
			for _, k := range known {
				k.left, k.entries, k.usesStart = nil, nil, true
			}
		}
	}
	f.forget(known)
	v.Compute = w.q.End()
	v.Work = w.q.Work
	return v
}

// recall returns what is known of each piece of a motion; of a new one, that all of it
// is to be proved (left is one interval without entries).
func (f *Fronts) recall(b *kin.Course) []*frontier {
	if f.pieces == nil {
		f.pieces, f.seed = map[uint64]*frontier{}, maphash.MakeSeed()
	}
	f.asked++
	known := make([]*frontier, len(b.Motion.Pieces))
	for i := range known {
		key := b.Key(i)
		sum := maphash.Comparable(f.seed, len(key))
		for _, x := range key {
			sum = sum*0x9e3779b97f4a7c15 + maphash.Comparable(f.seed, x)
		}
		k := f.pieces[sum]
		if k == nil || !slices.Equal(k.key, key) {
			if k != nil { // another with the same sum makes room
				f.weight -= k.counted
			}
			k = &frontier{key: key, left: []pendingInterval{{lo: 0, hi: 1}}}
			f.pieces[sum] = k
		}
		k.asked = f.asked
		known[i] = k
	}
	return known
}

// begin checks the premises of the pieces' proofs at the motion's start. It returns false if
// that decides the answer.
//
// If the motion starts as the last one did, the earlier checks hold. If it starts elsewhere, a
// piece whose proof used the containment of two links, or of the parts of one and of the
// world, is started again; that no element is inside the world's surfaces, which one point of
// each shows unless it is opened, is checked again now, because a completely proved piece will
// not check it.
func (f *Fronts) begin(s *search, b *kin.Course, known []*frontier, v *motion.Verdict) bool {
	w := s.w
	start := b.StartKey()
	if slices.Equal(start, f.start) {
		return true
	}
	for _, k := range f.pieces {
		if k.usesStart {
			k.left, k.entries, k.usesStart = []pendingInterval{{lo: 0, hi: 1}}, nil, false
		}
	}
	w.load(b, 0)
	w.place(0, 0, 0)
	for i := range w.m.Elements[:w.m.Real] {
		if !w.m.World.Encloses || w.m.Against[i] == nil || w.selected[1] {
			continue
		}
		if s.checkOutsideWorld(i) {
			w.element(i).outside = true
			continue
		}
		if s.res.hit {
			w.report(s, b, 0, v)
		} else {
			v.Reason = w.q.Reason
		}
		return false
	}
	f.start = start
	return true
}

// touches answers at once if a piece is known to be in contact.
func (f *Fronts) touches(s *search, b *kin.Course, known []*frontier, v *motion.Verdict) bool {
	for i, k := range known {
		if k.hit {
			s.res = pieceResult{hit: true, hitAt: k.hitAt, touch: k.touch}
			s.w.load(b, i)
			s.w.place(k.hitAt, k.hitAt, k.hitAt)
			s.w.report(s, b, i, v)
			return true
		}
	}
	return false
}

// forget drops pieces if too much is kept: of those that were not part of the last question,
// whose pieces are known, the least recently used half, and half of the remaining until the
// weight is small enough.
func (f *Fronts) forget(known []*frontier) {
	for _, k := range known {
		w := k.weight()
		f.weight += w - k.counted
		k.counted = w
	}
	most := f.most
	if most == 0 {
		most = mostKept
	}
	for f.weight > most && f.dropOldest() {
	}
}

// dropOldest reports false if there is nothing to drop.
func (f *Fronts) dropOldest() bool {
	var ages []uint64
	for _, k := range f.pieces {
		if k.asked != f.asked {
			ages = append(ages, k.asked)
		}
	}
	if len(ages) == 0 {
		return false
	}
	slices.Sort(ages)
	last := ages[len(ages)/2]
	for sum, k := range f.pieces {
		if k.asked <= last {
			f.weight -= k.counted
			delete(f.pieces, sum)
		}
	}
	return true
}
