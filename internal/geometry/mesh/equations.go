package mesh

import (
	"cmp"
	"slices"
)

// equation states that a cycle cancels at the patches along one edge: an even number of faces
// modulo two, and with orientation as many in one direction as in the other.
type equation []term

// term is a patch in an equation.
type term struct {
	patch int32
	odd   bool  // an odd number of its faces share the edge
	along int32 // how many more of them run forth than back; 0 for a non-orientable patch
}

// in reports whether the term counts in cycles of the kind.
func (t *term) in(k Kind) bool { return k == Parity && t.odd || k == Winding && t.along != 0 }

// equations returns those of all edges that three or more faces share, each different
// one once, and which patches have an edge of a single face.
func (p *patches) equations(f *faces) (eqs []equation, rim []bool) {
	rim = make([]bool, p.count)
	for _, t := range f.rims {
		rim[p.of[t]/2] = true
	}
	for e := range len(f.edges) - 1 {
		if eq := p.equation(f.sides[f.edges[e]:f.edges[e+1]]); len(eq) > 0 {
			eqs = append(eqs, eq)
		}
	}
	slices.SortFunc(eqs, func(a, b equation) int { return slices.CompareFunc(a, b, compareTerms) })
	return slices.CompactFunc(eqs, func(a, b equation) bool { return slices.Equal(a, b) }), rim
}

func (p *patches) equation(sides []side) equation {
	all := make(equation, len(sides))
	for i := range sides {
		of := p.of[sides[i].face]
		all[i] = term{patch: of / 2, odd: true}
		switch {
		case !p.oneWay[of/2]:
		case sides[i].forth == (of&1 == 0):
			all[i].along = 1
		default:
			all[i].along = -1
		}
	}
	slices.SortFunc(all, compareTerms)
	eq := all[:0]
	for i := 0; i < len(all); {
		sum := all[i]
		for i++; i < len(all) && all[i].patch == sum.patch; i++ {
			sum.odd, sum.along = !sum.odd, sum.along+all[i].along
		}
		if sum.odd || sum.along != 0 {
			eq = append(eq, sum)
		}
	}
	return eq
}

func compareTerms(a, b term) int {
	if a.patch != b.patch {
		return cmp.Compare(a.patch, b.patch)
	}
	if a.along != b.along {
		return cmp.Compare(a.along, b.along)
	}
	switch {
	case a.odd == b.odd:
		return 0
	case b.odd:
		return -1
	}
	return 1
}

// dangling finds patches that are in no cycle of the kind: those given in none, and repeatedly
// the only one left in an equation.
func dangling(k Kind, eqs []equation, none []bool) []bool {
	out := slices.Clone(none)
	left := make([]int32, len(eqs)) // terms of patches that may be in a cycle
	of := make([][]int32, len(none))
	var todo []int32
	for i, eq := range eqs {
		for j := range eq {
			if t := &eq[j]; t.in(k) && !out[t.patch] {
				left[i]++
				of[t.patch] = append(of[t.patch], int32(i))
			}
		}
		if left[i] == 1 {
			todo = append(todo, int32(i))
		}
	}
	for len(todo) > 0 {
		eq := eqs[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		for j := range eq {
			t := &eq[j]
			if !t.in(k) || out[t.patch] {
				continue
			}
			out[t.patch] = true
			for _, i := range of[t.patch] {
				if left[i]--; left[i] == 1 {
					todo = append(todo, i)
				}
			}
		}
	}
	return out
}
