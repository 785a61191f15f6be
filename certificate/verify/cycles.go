package verify

import (
	"cmp"
	"math/bits"
	"slices"
)

// A set of patches encloses a solid if it has no border: as a cycle modulo 2, where every edge
// belongs to an even number of its faces, or as an oriented cycle, which takes each patch with
// a signed multiplicity so that the faces at every edge cancel. Both are kernels of a matrix
// with a row for each seam and a column for each patch.

// prime is that of the field in which oriented cycles are computed, in place of the rationals,
// and largest bounds the magnitude of a cycle's numbers. Sums of such numbers over all
// crossings of a ray, or all faces at an edge, are far below the prime, so that they are 0
// only if they are 0 as whole numbers.
const (
	prime   = 1<<61 - 1
	largest = 8
)

// maxPatches bounds the patches of a unit. No solid has more; larger units are ambiguous.
const maxPatches = 512

// cycle maps patches to numbers of the field; absent patches have 0.
type cycle map[int32]uint64

// unit is a set of patches connected by seams, and a basis of its cycles. None of its patches
// is in a cycle with patches of another unit.
type unit struct {
	even     []cycle // modulo 2
	oriented []cycle // modulo prime
	// ambiguous says that the faces do not determine the unit's inside: a patch has no
	// orientation, there are too many patches, or a cycle's numbers are large.
	ambiguous bool
	patches   []int32 // in some cycle
}

// units returns the units of the surface, and whether a patch is in no cycle at all.
func (p *patches) units() (units []unit, open bool) {
	even := p.matrix(2, func(int32) bool { return true })
	oriented := p.matrix(prime, func(patch int32) bool { return p.orientable[patch] })
	sets := newSets(len(p.orientable))
	for _, m := range []*matrix{even, oriented} {
		m.dropBorders()
		for _, row := range m.rows {
			for _, e := range row[min(1, len(row)):] {
				sets.join(row[0].column, e.column)
			}
		}
	}
	members := map[int32][]int32{}
	for i := range p.orientable {
		if even.columns[i] || oriented.columns[i] {
			r := sets.find(int32(i))
			members[r] = append(members[r], int32(i))
		} else {
			open = true
		}
	}
	evenOf, orientedOf := even.split(sets), oriented.split(sets)
	for i := range p.orientable {
		m := members[int32(i)]
		if len(m) == 0 {
			continue
		}
		u := p.unitOf(m, even, oriented, evenOf[int32(i)], orientedOf[int32(i)])
		open = open || len(u.patches) < len(m)
		if len(u.patches) > 0 {
			units = append(units, u)
		}
	}
	return units, open
}

// unitOf computes the cycles of some patches.
func (p *patches) unitOf(members []int32, even, oriented *matrix, evenRows, orientedRows []row) unit {
	if len(members) > maxPatches {
		return unit{ambiguous: true, patches: members}
	}
	u := unit{even: even.kernel(members, evenRows), oriented: oriented.kernel(members, orientedRows)}
	in := map[int32]bool{}
	for _, basis := range [][]cycle{u.even, u.oriented} {
		for _, c := range basis {
			for patch, x := range c {
				in[patch] = true
				u.ambiguous = u.ambiguous || !p.orientable[patch] || min(x, prime-x) > largest
			}
		}
	}
	for _, m := range members {
		if in[m] {
			u.patches = append(u.patches, m)
		}
	}
	return u
}

// matrix is the boundary map from patches to seams, modulo a prime number.
type matrix struct {
	modulus uint64
	columns []bool // patches that may be in a cycle
	rows    []row
}

// row is one seam's row, in order of columns; entries are not 0.
type row []entry

type entry struct {
	column int32
	value  uint64
}

// matrix makes the boundary map of the patches selected by counts.
func (p *patches) matrix(modulus uint64, counts func(patch int32) bool) *matrix {
	m := &matrix{modulus: modulus, columns: make([]bool, len(p.orientable))}
	for i := range m.columns {
		m.columns[i] = counts(int32(i))
	}
	for _, s := range p.seams {
		sum := map[int32]uint64{}
		for _, f := range s {
			one := uint64(1)
			if f.sign < 0 {
				one = modulus - 1
			}
			sum[f.patch] = m.plus(sum[f.patch], one)
		}
		var r row
		for patch, x := range sum {
			if x != 0 && m.columns[patch] {
				r = append(r, entry{patch, x})
			}
		}
		slices.SortFunc(r, func(a, b entry) int { return cmp.Compare(a.column, b.column) })
		m.rows = append(m.rows, r)
	}
	slices.SortFunc(m.rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), slices.CompareFunc(a, b, compareEntries))
	})
	m.rows = slices.CompactFunc(m.rows, func(a, b row) bool { return slices.Equal(a, b) })
	return m
}

func compareEntries(a, b entry) int {
	return cmp.Or(cmp.Compare(a.column, b.column), cmp.Compare(a.value, b.value))
}

func (m *matrix) plus(a, b uint64) uint64 { return (a + b) % m.modulus }

func (m *matrix) times(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return bits.Rem64(hi, lo, m.modulus)
}

// inverse is a to the power of the modulus minus 2.
func (m *matrix) inverse(a uint64) uint64 {
	x := uint64(1)
	for n := m.modulus - 2; n > 0; n /= 2 {
		if n%2 == 1 {
			x = m.times(x, a)
		}
		a = m.times(a, a)
	}
	return x
}

// dropBorders repeatedly removes patches that alone have an odd entry at a seam: they are in
// no cycle.
func (m *matrix) dropBorders() {
	for dropped := true; dropped; {
		dropped = false
		rows := m.rows[:0]
		for _, r := range m.rows {
			r = slices.DeleteFunc(r, func(e entry) bool { return !m.columns[e.column] })
			if len(r) == 1 {
				m.columns[r[0].column], dropped = false, true
			} else if len(r) > 1 {
				rows = append(rows, r)
			}
		}
		m.rows = rows
	}
}

// split returns the rows of each set of patches.
func (m *matrix) split(s sets) map[int32][]row {
	out := map[int32][]row{}
	for _, r := range m.rows {
		k := s.find(r[0].column)
		out[k] = append(out[k], r)
	}
	return out
}

// kernel returns a basis of the cycles among some patches, by Gauss-Jordan elimination.
func (m *matrix) kernel(members []int32, rows []row) []cycle {
	members = slices.DeleteFunc(slices.Clone(members), func(c int32) bool { return !m.columns[c] })
	place := map[int32]int{}
	for i, c := range members {
		place[c] = i
	}
	solved := make([][]uint64, len(members)) // by the column whose entry is 1 in this row and 0 in all others
	for _, r := range rows {
		dense := make([]uint64, len(members))
		for _, e := range r {
			dense[place[e.column]] = e.value
		}
		m.reduce(solved, dense)
	}
	var out []cycle
	for free := range members {
		if solved[free] != nil {
			continue
		}
		c := cycle{members[free]: 1}
		for pivot, r := range solved {
			if r != nil && r[free] != 0 {
				c[members[pivot]] = m.modulus - r[free]
			}
		}
		out = append(out, c)
	}
	return out
}

// reduce adds an equation to the solved ones.
func (m *matrix) reduce(solved [][]uint64, r []uint64) {
	for k := range r {
		if r[k] != 0 && solved[k] != nil {
			m.subtract(r, solved[k], r[k])
		}
	}
	pivot := slices.IndexFunc(r, func(x uint64) bool { return x != 0 })
	if pivot < 0 {
		return
	}
	inverse := m.inverse(r[pivot])
	for k := range r {
		r[k] = m.times(r[k], inverse)
	}
	for _, other := range solved {
		if other != nil && other[pivot] != 0 {
			m.subtract(other, r, other[pivot])
		}
	}
	solved[pivot] = r
}

// subtract subtracts factor times s from r.
func (m *matrix) subtract(r, s []uint64, factor uint64) {
	minus := m.modulus - factor
	for k := range r {
		if s[k] != 0 {
			r[k] = m.plus(r[k], m.times(s[k], minus))
		}
	}
}
