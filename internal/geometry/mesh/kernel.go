package mesh

import "math/bits"

// The kernels of a few equations in n unknowns. Both functions bring the equations to
// reduced echelon form; each unknown that leads none of them then gives one vector of
// a basis, in which it is 1 and the others of its sort are 0.

// kernel2 returns a basis of the kernel over the integers modulo 2: for each vector
// the unknowns that are 1. A row lists the unknowns of an equation, each once.
func kernel2(n int, rows [][]int32) [][]int32 {
	leads := reduced2(n, rows)
	var basis [][]int32
	for free := range n {
		if leads[free] != nil {
			continue
		}
		var vector []int32
		for v := range n {
			if v == free || leads[v] != nil && leads[v][free/64]>>(free%64)&1 == 1 {
				vector = append(vector, int32(v))
			}
		}
		basis = append(basis, vector)
	}
	return basis
}

// reduced2 returns the reduced echelon form of equations modulo 2: for each unknown the
// equation that it leads, a bit per unknown, or nil.
func reduced2(n int, rows [][]int32) [][]uint64 {
	words := (n + 63) / 64
	leads := make([][]uint64, n)
	x := make([]uint64, words)
	for _, row := range rows {
		clear(x)
		for _, v := range row {
			x[v/64] ^= 1 << (v % 64)
		}
		for w := 0; w < words; {
			if x[w] == 0 {
				w++
				continue
			}
			v := 64*w + bits.TrailingZeros64(x[w])
			if leads[v] == nil {
				leads[v] = append([]uint64(nil), x...)
				break
			}
			for i := w; i < words; i++ {
				x[i] ^= leads[v][i]
			}
		}
	}
	// From the last: what an equation has of unknowns that lead others goes.
	for v := n - 1; v >= 0; v-- {
		if leads[v] == nil {
			continue
		}
		for o := v + 1; o < n; o++ {
			if leads[o] != nil && leads[v][o/64]>>(o%64)&1 == 1 {
				for i := o / 64; i < words; i++ {
					leads[v][i] ^= leads[o][i]
				}
			}
		}
	}
	return leads
}

// prime is the field's size; products of its numbers fit in 64 bits.
const prime = 1<<31 - 1

// largestFactor bounds what a vector of a basis may have in it. No mesh has 2^27
// faces, so that with such numbers the sum in an equation stays below the prime: it is
// 0 modulo the prime only if it is 0.
const largestFactor = 8

// factor is an unknown in an equation or in a vector.
type factor struct{ of, by int32 }

// kernelZ returns a basis of the kernel over the rational numbers, of vectors of
// integers; ok is false if it finds none with numbers up to largestFactor.
//
// It computes modulo the prime. The vectors found there span a space at least as
// large as the kernel over the rationals reduced, and where their numbers, taken from
// -prime/2 to prime/2, are so small that the equations hold for the integers, they
// are a basis of that kernel.
func kernelZ(n int, rows [][]factor) (basis [][]factor, ok bool) {
	leads := reducedZ(n, rows)
	for free := range n {
		if leads[free] != nil {
			continue
		}
		var vector []factor
		for v := range n {
			by := uint64(1)
			if v != free {
				if leads[v] == nil || leads[v][free] == 0 {
					continue
				}
				by = prime - leads[v][free]
			}
			small := int64(by)
			if small > prime/2 {
				small -= prime
			}
			if small < -largestFactor || small > largestFactor {
				return nil, false
			}
			vector = append(vector, factor{int32(v), int32(small)})
		}
		basis = append(basis, vector)
	}
	return basis, true
}

// reducedZ returns the reduced echelon form of equations modulo the prime: for each unknown the
// equation that it leads, or nil.
func reducedZ(n int, rows [][]factor) [][]uint64 {
	leads := make([][]uint64, n)
	x := make([]uint64, n)
	for _, row := range rows {
		clear(x)
		for _, f := range row {
			x[f.of] = (x[f.of] + residue(f.by)) % prime
		}
		for v := range x {
			if x[v] == 0 {
				continue
			}
			if leads[v] == nil {
				leads[v] = scaled(x, inverse(x[v]))
				break
			}
			subtract(x, leads[v], v)
		}
	}
	for v := n - 1; v >= 0; v-- {
		if leads[v] == nil {
			continue
		}
		for o := v + 1; o < n; o++ {
			if leads[o] != nil && leads[v][o] != 0 {
				subtract(leads[v], leads[o], o)
			}
		}
	}
	return leads
}

func residue(x int32) uint64 { return uint64((int64(x)%prime + prime) % prime) }

// subtract subtracts from x the multiple of row, which is 1 at v, that makes it 0 there.
func subtract(x, row []uint64, v int) {
	by := prime - x[v]
	for i := v; i < len(x); i++ {
		if row[i] != 0 {
			x[i] = (x[i] + by*row[i]) % prime
		}
	}
}

func scaled(x []uint64, by uint64) []uint64 {
	out := make([]uint64, len(x))
	for i := range x {
		out[i] = x[i] * by % prime
	}
	return out
}

// inverse is x^(prime-2), by Fermat.
func inverse(x uint64) uint64 {
	out := uint64(1)
	for e := uint64(prime - 2); e > 0; e >>= 1 {
		if e&1 == 1 {
			out = out * x % prime
		}
		x = x * x % prime
	}
	return out
}
