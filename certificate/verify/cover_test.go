package verify

import (
	"math/rand/v2"
	"testing"
)

// covers is the plain answer: every cell between neighbouring borders is in an
// item.
func covers(r region, items []region, needed func(b int32) bool) bool {
	for a := r.a0; a < r.a1; a++ {
		for b := r.b0; b < r.b1; b++ {
			for k := 0; k < 32; k++ {
				cell := region{a, a + 1, b, b + 1, float64(k) / 32, float64(k+1) / 32}
				if cell.lo < r.lo || cell.hi > r.hi || !needed(b) {
					continue
				}
				found := false
				for i := range items {
					found = found || items[i].holds(&cell)
				}
				if !found {
					return false
				}
			}
		}
	}
	return true
}

func TestCoverIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var yes, no int
	for range 3000 {
		all := region{a1: 1 + r.Int32N(5), b1: 1 + r.Int32N(6), hi: 1}
		on := make([]bool, all.b1)
		counts := make([]int32, all.b1+1)
		masked := r.IntN(2) == 0
		for b := range on {
			on[b] = !masked || r.IntN(3) > 0
			counts[b+1] = counts[b]
			if on[b] {
				counts[b+1]++
			}
		}
		// Cut the region up at random, then maybe spoil a part of it.
		items := chop(r, all, 1+r.IntN(5))
		for range r.IntN(4) {
			items = append(items, items[r.IntN(len(items))])
		}
		r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		for range r.IntN(3) {
			s := &items[r.IntN(len(items))]
			switch r.IntN(4) {
			case 0:
				s.lo += 1. / 32
			case 1:
				s.a1--
			case 2:
				s.b0++
			case 3:
				*s = items[0]
			}
		}
		c := cover{}
		if masked {
			c.needed = counts
		}
		want := covers(all, items, func(b int32) bool { return on[b] })
		g, gap := c.gap(all, items)
		if gap == want {
			t.Fatalf("%v by %v: covered %v, gap %v %v", all, items, want, g, gap)
		}
		if want {
			yes++
		} else {
			no++
		}
	}
	if yes < 500 || no < 500 {
		t.Errorf("%d covered, %d not", yes, no)
	}
}

func chop(r *rand.Rand, s region, depth int) []region {
	if depth == 0 {
		return []region{s}
	}
	p, q := s, s
	switch k := r.IntN(3); {
	case k == 0 && s.a1-s.a0 > 1:
		p.a1 = s.a0 + 1 + r.Int32N(s.a1-s.a0-1)
		q.a0 = p.a1
	case k == 1 && s.b1-s.b0 > 1:
		p.b1 = s.b0 + 1 + r.Int32N(s.b1-s.b0-1)
		q.b0 = p.b1
	default:
		p.hi = s.lo + (s.hi-s.lo)/2
		q.lo = p.hi
	}
	return append(chop(r, p, depth-1), chop(r, q, depth-1)...)
}
