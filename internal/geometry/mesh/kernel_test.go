package mesh

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// Bases of kernels: their vectors solve the equations, and there are as many as the
// rank leaves, by elimination in rational numbers.
func TestKernels(t *testing.T) {
	skipped, found := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 70).Draw(t, "unknowns")
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) []factor {
			var row []factor
			seen := map[int32]bool{}
			for range rapid.IntRange(1, 4).Draw(t, "terms") {
				of := int32(rapid.IntRange(0, n-1).Draw(t, "of"))
				if by := int32(rapid.IntRange(-2, 2).Draw(t, "by")); by != 0 && !seen[of] {
					seen[of], row = true, append(row, factor{of, by})
				}
			}
			return row
		}), 0, 30).Draw(t, "rows")
		basis, ok := kernelZ(n, rows)
		if !ok {
			skipped++
			return
		}
		if want := n - rank(n, rows); len(basis) != want {
			t.Fatalf("%d vectors, not %d", len(basis), want)
		}
		for _, vector := range basis {
			found++
			x := make([]int32, n)
			for _, f := range vector {
				x[f.of] = f.by
			}
			for _, row := range rows {
				sum := int32(0)
				for _, f := range row {
					sum += f.by * x[f.of]
				}
				if sum != 0 {
					t.Fatalf("%v does not solve %v", vector, row)
				}
			}
		}
		if dependent(n, basis) {
			t.Fatalf("dependent: %v", basis)
		}
	})
	if skipped > found {
		t.Errorf("%d skipped, %d found", skipped, found)
	}
}

func TestKernelsModulo2(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "unknowns")
		rows := rapid.SliceOfN(rapid.SliceOfNDistinct(rapid.Int32Range(0, int32(n-1)), 1, min(n, 4), rapid.ID), 0, 14).Draw(t, "rows")
		solves := func(x int) bool {
			for _, row := range rows {
				odd := 0
				for _, of := range row {
					odd ^= x >> of & 1
				}
				if odd == 1 {
					return false
				}
			}
			return true
		}
		all := 0
		for x := range 1 << n {
			if solves(x) {
				all++
			}
		}
		span := map[int]bool{0: true}
		basis := kernel2(n, rows)
		for _, vector := range basis {
			v := 0
			for _, of := range vector {
				v |= 1 << of
			}
			if !solves(v) {
				t.Fatalf("%v does not solve", vector)
			}
			for x := range span {
				span[x^v] = true
			}
		}
		if len(span) != all {
			t.Fatalf("the basis spans %d of %d", len(span), all)
		}
	})
}

// A kernel with large numbers is not given: they would not be known to be right.
func TestKernelOfLargeNumbers(t *testing.T) {
	var rows [][]factor
	for i := range int32(40) { // each unknown is twice the one before
		rows = append(rows, []factor{{i, 2}, {i + 1, -1}})
	}
	if basis, ok := kernelZ(41, rows); ok {
		t.Errorf("a basis: %v", basis)
	}
}

func dependent(n int, basis [][]factor) bool { return rank(n, basis) < len(basis) }

func rank(n int, rows [][]factor) int {
	m := make([][]*big.Rat, len(rows))
	for i, row := range rows {
		m[i] = make([]*big.Rat, n)
		for k := range m[i] {
			m[i][k] = new(big.Rat)
		}
		for _, f := range row {
			m[i][f.of].SetInt64(int64(f.by))
		}
	}
	rank := 0
	for col := 0; col < n && rank < len(m); col++ {
		lead := rank
		for lead < len(m) && m[lead][col].Sign() == 0 {
			lead++
		}
		if lead == len(m) {
			continue
		}
		m[rank], m[lead] = m[lead], m[rank]
		for i := rank + 1; i < len(m); i++ {
			by := new(big.Rat).Quo(m[i][col], m[rank][col])
			for k := col; k < n; k++ {
				m[i][k].Sub(m[i][k], new(big.Rat).Mul(by, m[rank][k]))
			}
		}
		rank++
	}
	return rank
}
