package main

// twister is the generator that the harness draws configurations with, mt19937_64
// of the C++ standard library (Matsumoto and Nishimura 1998, in the 64-bit form of
// 2004), so that both sides measure the same ones.
type twister struct {
	state [312]uint64
	next  int
}

func newTwister(seed uint64) *twister {
	t := &twister{next: len(twister{}.state)}
	t.state[0] = seed
	for i := 1; i < len(t.state); i++ {
		t.state[i] = 6364136223846793005*(t.state[i-1]^t.state[i-1]>>62) + uint64(i)
	}
	return t
}

// uint64 returns the next number.
func (t *twister) uint64() uint64 {
	if t.next == len(t.state) {
		t.turn()
	}
	x := t.state[t.next]
	t.next++
	x ^= x >> 29 & 0x5555555555555555
	x ^= x << 17 & 0x71D67FFFEDA60000
	x ^= x << 37 & 0xFFF7EEE000000000
	return x ^ x>>43
}

func (t *twister) turn() {
	const n, middle, low = 312, 156, 1<<31 - 1
	for k := range n {
		x := t.state[k]&^low | t.state[(k+1)%n]&low
		y := t.state[(k+middle)%n] ^ x>>1
		if x&1 != 0 {
			y ^= 0xB5026F5AA96619E9
		}
		t.state[k] = y
	}
	t.next = 0
}

// in returns a number of [lo, hi), as the harness makes it.
func (t *twister) in(lo, hi float64) float64 {
	return lo + (hi-lo)*float64(t.uint64()>>11)*0x1p-53
}
