package mesh

import "slices"

// basis computes the cycles of patches.
type basis struct {
	p         *patches
	eqs       []equation
	dead      [2][]bool // of each patch: it is in no cycle of the kind
	shares    [][]share // of each patch
	cycles    []Kind
	ambiguous bool
	tangles   []int32 // of each patch: the smallest index in its connected set, -1 for none
	index     []int32 // of a patch in its connected set
}

func newBasis(p *patches, f *faces) *basis {
	eqs, rim := p.equations(f)
	b := &basis{p: p, eqs: eqs, shares: make([][]share, p.count), index: make([]int32, p.count), tangles: make([]int32, p.count)}
	b.dead[Parity] = dangling(Parity, eqs, rim)
	none := rim
	for i, oneWay := range p.oneWay {
		none[i] = none[i] || !oneWay
	}
	b.dead[Winding] = dangling(Winding, eqs, none)
	for i := range b.tangles {
		b.tangles[i] = -1
	}
	return b
}

func (b *basis) lives(t *term, k Kind) bool { return t.in(k) && !b.dead[k][t.patch] }

// find processes the sets of patches that are connected by equations.
func (b *basis) find() {
	sets := newUnionFind(b.p.count)
	eqsOf := make([][]equation, b.p.count) // by root, after all joins
	for _, eq := range b.eqs {
		for _, k := range [...]Kind{Parity, Winding} {
			last := int32(-1)
			for i := range eq {
				if !b.lives(&eq[i], k) {
					continue
				}
				if last >= 0 {
					sets.join(last, eq[i].patch)
				}
				last = eq[i].patch
			}
		}
	}
	for _, eq := range b.eqs {
		last := int32(-1) // terms of one tangle are usually consecutive
		for i := range eq {
			if !b.lives(&eq[i], Parity) && !b.lives(&eq[i], Winding) {
				continue
			}
			if root := sets.find(eq[i].patch); root != last {
				eqsOf[root], last = append(eqsOf[root], eq), root
			}
		}
	}
	members := make([][]int32, b.p.count)
	for i := range int32(b.p.count) {
		if !b.dead[Parity][i] || !b.dead[Winding][i] {
			root := sets.find(i)
			members[root] = append(members[root], i)
		}
	}
	for root := range members {
		if len(members[root]) > 0 {
			b.tangle(members[root], eqsOf[root])
		}
	}
}

// tangle finds the cycles of a set of patches that are connected by equations.
func (b *basis) tangle(of []int32, eqs []equation) {
	for i, patch := range of {
		b.index[patch], b.tangles[patch] = int32(i), of[0]
	}
	if len(of) == 1 && len(eqs) == 0 && !b.dead[Winding][of[0]] {
		b.cycle(Winding, of, []factor{{0, 1}})
		return
	}
	if len(of) > maxTangle {
		b.shell(of, nil)
		return
	}
	two, oriented := b.rows(of, eqs)
	odd := kernel2(len(of), two)
	wound, ok := kernelZ(len(of), oriented)
	if !ok {
		b.shell(of, nil)
		return
	}
	if twisted := func(i int32) bool { return !b.p.oneWay[of[i]] }; slices.ContainsFunc(slices.Concat(odd...), twisted) {
		in := slices.Concat(odd...)
		for _, f := range slices.Concat(wound...) {
			in = append(in, f.of)
		}
		b.shell(of, in)
		return
	}
	for _, vector := range wound {
		b.cycle(Winding, of, vector)
	}
	// Integer vectors, each with a 1 where the others have a 0, stay independent modulo 2. If
	// their numbers agree, they span the cycles modulo 2, and a patch that is odd in one of
	// those is not 0 in one of these.
	if len(odd) == len(wound) {
		return
	}
	for _, vector := range odd {
		b.cycle(Parity, of, ones(vector))
	}
}

// rows returns the equations of some patches, modulo 2 and with orientation.
func (b *basis) rows(of []int32, eqs []equation) (two [][]int32, oriented [][]factor) {
	for i, patch := range of {
		if b.dead[Parity][patch] {
			two = append(two, []int32{int32(i)})
		}
		if b.dead[Winding][patch] {
			oriented = append(oriented, []factor{{int32(i), 1}})
		}
	}
	for _, eq := range eqs {
		var row []int32
		var signed []factor
		for i := range eq {
			t := &eq[i]
			if b.tangles[t.patch] != of[0] {
				continue
			}
			if b.lives(t, Parity) {
				row = append(row, b.index[t.patch])
			}
			if b.lives(t, Winding) {
				signed = append(signed, factor{b.index[t.patch], t.along})
			}
		}
		if len(row) > 0 {
			two = append(two, row)
		}
		if len(signed) > 0 {
			oriented = append(oriented, signed)
		}
	}
	return two, oriented
}

// shell makes one shell of those patches that are in a cycle, or of all if that is unknown.
func (b *basis) shell(of, in []int32) {
	b.ambiguous = true
	if in == nil {
		in = make([]int32, len(of))
		for i := range in {
			in[i] = int32(i)
		}
	}
	slices.Sort(in)
	b.cycle(Shell, of, ones(slices.Compact(in)))
}

func ones(vector []int32) []factor {
	out := make([]factor, len(vector))
	for i, v := range vector {
		out[i] = factor{v, 1}
	}
	return out
}

func (b *basis) cycle(k Kind, of []int32, vector []factor) {
	for _, f := range vector {
		patch := of[f.of]
		b.shares[patch] = append(b.shares[patch], share{int32(len(b.cycles)), f.by})
	}
	b.cycles = append(b.cycles, k)
}
