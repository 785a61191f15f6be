// Package handle gives out numbers for values, so that callers in other languages can name
// them without holding their addresses. A number that was never given out, or was given back,
// is recognized.
package handle

import (
	"sync"
	"sync/atomic"
)

// A number is made of a place in the table and of how often that place had been given out,
// with a mark in the lowest bits that addresses, which are aligned, do not have.
const (
	placeBits = 24
	turnBits  = 32
	mark      = 0b101
	markBits  = 3
)

// Most is how many values a table holds at once.
const Most = 1 << placeBits

// Table gives out numbers. Its zero value is ready. Any number of goroutines may use it; a
// look-up takes no lock.
type Table struct {
	mu     sync.Mutex
	places atomic.Pointer[[]*place] // replaced as a whole when it grows
	spare  []int
}

type place struct {
	turn  uint32 // guarded by the table's lock
	entry atomic.Pointer[entry]
}

// entry is a value under its present number.
type entry struct {
	number uintptr
	value  any
}

// Put returns a number for a value, 0 if the table is full.
func (t *Table) Put(value any) uintptr {
	t.mu.Lock()
	defer t.mu.Unlock()
	var at int
	if n := len(t.spare); n > 0 {
		at, t.spare = t.spare[n-1], t.spare[:n-1]
	} else if at = t.grow(); at < 0 {
		return 0
	}
	p := (*t.places.Load())[at]
	p.turn++
	number := uintptr(p.turn)<<(placeBits+markBits) | uintptr(at)<<markBits | mark
	p.entry.Store(&entry{number, value})
	return number
}

// grow adds a place and returns its index, -1 if there are too many.
func (t *Table) grow() int {
	var places []*place
	if now := t.places.Load(); now != nil {
		places = *now
	}
	if len(places) == Most {
		return -1
	}
	at := len(places)
	places = append(places, &place{}) // readers of the shorter slice do not look behind its end
	t.places.Store(&places)
	return at
}

// Get returns the value of a number, nil if the number has none.
func (t *Table) Get(number uintptr) any {
	if e := t.find(number); e != nil {
		return e.value
	}
	return nil
}

// Take returns the value of a number and gives the number back. It returns nil if the number
// has none: of several calls with the same number one gets the value.
func (t *Table) Take(number uintptr) any {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.find(number)
	if e == nil {
		return nil
	}
	at := placeOf(number)
	p := (*t.places.Load())[at]
	p.entry.Store(nil)
	if p.turn < 1<<turnBits-1 { // a place whose numbers are all used up is left empty
		t.spare = append(t.spare, at)
	}
	return e.value
}

// Len returns how many values the table holds.
func (t *Table) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	if places := t.places.Load(); places != nil {
		for _, p := range *places {
			if p.entry.Load() != nil {
				n++
			}
		}
	}
	return n
}

func (t *Table) find(number uintptr) *entry {
	places := t.places.Load()
	if places == nil {
		return nil
	}
	at := placeOf(number)
	if at >= len(*places) {
		return nil
	}
	if e := (*places)[at].entry.Load(); e != nil && e.number == number {
		return e
	}
	return nil
}

func placeOf(number uintptr) int { return int(number >> markBits & (Most - 1)) }
