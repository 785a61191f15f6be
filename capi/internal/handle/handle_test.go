package handle

import (
	"math/rand/v2"
	"sync"
	"testing"
)

func TestNumbersNameTheirValues(t *testing.T) {
	var table Table
	rng := rand.New(rand.NewPCG(1, 2))
	held := map[uintptr]int{}
	var gone []uintptr
	for i := range 20000 {
		if len(held) > 0 && rng.IntN(2) == 0 {
			for number, value := range held {
				if got := table.Take(number); got != value {
					t.Fatalf("Take(%x) = %v, want %d", number, got, value)
				}
				delete(held, number)
				gone = append(gone, number)
				break
			}
			continue
		}
		number := table.Put(i)
		if _, twice := held[number]; twice || number == 0 {
			t.Fatalf("Put gave out %x, which is held", number)
		}
		held[number] = i
	}
	for number, value := range held {
		if got := table.Get(number); got != value {
			t.Errorf("Get(%x) = %v, want %d", number, got, value)
		}
	}
	for _, number := range gone {
		if table.Get(number) != nil || table.Take(number) != nil {
			t.Fatalf("%x was given back and has a value", number)
		}
	}
	for range 1_000_000 {
		number := uintptr(rng.Uint64() >> rng.IntN(64))
		if _, ours := held[number]; !ours && table.Get(number) != nil {
			t.Fatalf("%x was never given out and has a value", number)
		}
	}
	if table.Len() != len(held) {
		t.Errorf("Len() = %d, want %d", table.Len(), len(held))
	}
}

func TestOneOfManyTakes(t *testing.T) {
	var table Table
	for range 200 {
		number := table.Put("x")
		var mu sync.Mutex
		var wg sync.WaitGroup
		got := 0
		for range 8 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				_ = table.Get(number)
				if table.Take(number) != nil {
					mu.Lock()
					got++
					mu.Unlock()
				}
				table.Take(table.Put("y"))
			}()
		}
		wg.Wait()
		if got != 1 {
			t.Fatalf("%d goroutines took the value", got)
		}
	}
}
