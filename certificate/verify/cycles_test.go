package verify

import (
	"math/rand/v2"
	"testing"
)

// Each vector of a kernel solves every equation, and there are as many as unknowns that
// equations leave free.
func TestKernelSolvesItsEquations(t *testing.T) {
	d := rand.New(rand.NewPCG(5, 5))
	const modulus = 1<<31 - 1
	for range 500 {
		n, count := 1+d.IntN(6), d.IntN(5)
		m := &matrix{modulus: modulus, columns: make([]bool, n)}
		var members []int32
		for i := range n {
			m.columns[i] = true
			members = append(members, int32(i))
		}
		var rows []row
		for range count {
			var r row
			for i := range n {
				// As in seams: small, of either sign, often 0 or 1.
				if x := d.IntN(5) - 2; x != 0 {
					r = append(r, entry{int32(i), uint64(x+modulus) % modulus})
				}
			}
			if len(r) > 0 {
				rows = append(rows, r)
			}
		}
		kernel := m.kernel(members, rows)
		if len(kernel) < n-len(rows) {
			t.Fatalf("%d equations of %d unknowns: %d solutions", len(rows), n, len(kernel))
		}
		for _, c := range kernel {
			for _, r := range rows {
				sum := uint64(0)
				for _, e := range r {
					sum = m.plus(sum, m.times(e.value, c[e.column]))
				}
				if sum != 0 {
					t.Fatalf("equations %v: the kernel's %v leaves %d", rows, c, sum)
				}
			}
		}
	}
}
