package heap

import (
	"container/heap"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// library is the same queue on container/heap.
type library []Item[int]

func (l library) Len() int           { return len(l) }
func (l library) Less(i, j int) bool { return l[i].Key < l[j].Key }
func (l library) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *library) Push(x any)        { *l = append(*l, x.(Item[int])) }
func (l *library) Pop() any {
	x := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return x
}

// The order is that of container/heap, that of equal keys too.
func TestOrderIsThatOfTheLibrary(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		key := rapid.Custom(func(r *rapid.T) float64 { return float64(rapid.IntRange(0, 9).Draw(r, "key")) })
		var ours Min[int]
		var theirs library
		for i := range rapid.IntRange(0, 30).Draw(r, "at first") {
			theirs = append(theirs, Item[int]{key.Draw(r, "key"), i})
		}
		ours.Build(append([]Item[int](nil), theirs...))
		heap.Init(&theirs)
		for i := range rapid.IntRange(0, 100).Draw(r, "steps") {
			switch what := rapid.IntRange(0, 2).Draw(r, "what"); {
			case what == 0 || len(theirs) == 0:
				k := key.Draw(r, "key")
				ours.Push(k, 100+i)
				heap.Push(&theirs, Item[int]{k, 100 + i})
			case what == 1:
				if x, y := ours.Pop(), heap.Pop(&theirs).(Item[int]); x != y {
					r.Fatalf("popped %v, not %v", x, y)
				}
			default:
				k := key.Draw(r, "key")
				ours.SetTop(k)
				theirs[0].Key = k
				heap.Fix(&theirs, 0)
			}
			if ours.Len() != len(theirs) {
				r.Fatalf("%d items, not %d", ours.Len(), len(theirs))
			}
			for i, x := range ours.Items() {
				if x != theirs[i] {
					r.Fatalf("item %d is %v, not %v", i, x, theirs[i])
				}
			}
			if ours.Len() > 0 && *ours.Top() != theirs[0] {
				r.Fatal("another item is on top")
			}
		}
		ours.Reset()
		if ours.Len() != 0 {
			r.Fatal("not empty")
		}
	})
}

func TestAllocatesNothingOnceGrown(t *testing.T) {
	var h Min[[4]float64]
	r := rand.New(rand.NewPCG(1, 2))
	round := func() {
		h.Reset()
		for range 100 {
			h.Push(r.Float64(), [4]float64{})
		}
		for h.Len() > 0 {
			h.Pop()
		}
	}
	round()
	if n := testing.AllocsPerRun(10, round); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
