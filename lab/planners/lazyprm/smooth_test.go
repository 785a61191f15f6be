package lazyprm

import (
	"context"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
)

func TestSmoothShortensAndStaysFree(t *testing.T) {
	p := past(t)
	for name := range checkers(t, p) {
		kept := 0
		for seed := range uint64(6) {
			checker := checkers(t, p)[name]
			found, err := Plan(context.Background(), p, checker, Options{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			before := slices.Clone(found.Path)
			path, did, err := Smooth(context.Background(), p, checker, found.Path, SmoothOptions{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(path[0], p.Start) || !slices.Equal(path[len(path)-1], p.Goal) {
				t.Errorf("%s: from %v to %v", name, path[0], path[len(path)-1])
			}
			if v := mustVerify(t, p, path); v.Status != motion.Free {
				t.Errorf("%s, seed %d: %v", name, seed, v.Status)
			}
			if did.After >= did.Before || did.After != Length(path) || did.Before != Length(before) || did.Taken == 0 || did.Tried < did.Taken {
				t.Errorf("%s, seed %d: %+v", name, seed, did)
			}
			if !slices.EqualFunc(before, found.Path, slices.Equal) {
				t.Error("the path given was changed")
			}
			kept += did.Kept
		}
		if kept == 0 {
			t.Errorf("%s: no test went on from an earlier one", name)
		}
	}
}

// With nothing in the way a detour is cut off almost wholly.
func TestSmoothCutsDetours(t *testing.T) {
	p := made(t, "revolute", []float64{-1, 0}, []float64{1, 0})
	detour := [][]float64{{-1, 0}, {-2, 2}, {2, 2}, {1, 0}}
	for _, together := range []int{1, 3} {
		path, did, err := Smooth(context.Background(), p, lone{}, detour, SmoothOptions{Together: together})
		if err != nil {
			t.Fatal(err)
		}
		if l := Length(path); l > 2.1 || did.Kept != 0 {
			t.Errorf("together %d: %.3f rad left of %.3f, where 2 would do; %+v", together, l, did.Before, did)
		}
	}
	if _, _, err := Smooth(context.Background(), p, lone{}, detour[:1], SmoothOptions{}); err == nil {
		t.Error("one configuration is taken for a path")
	}
}

// lone finds everything free.
type lone struct{}

func (lone) Free(context.Context, []float64) (bool, error)    { return true, nil }
func (lone) Test(context.Context, []*Edge) (hit int, e error) { return -1, nil }

// A shortcut that collides is tried again between points half as far from its middle.
func TestSmoothHalves(t *testing.T) {
	p := made(t, "revolute", []float64{-1, 0}, []float64{1, 0})
	c := &refuses{}
	path := [][]float64{{-1, 0}, {0, 2}, {1, 0}}
	if got, did, err := Smooth(context.Background(), p, c, path, SmoothOptions{Rounds: 30, Together: 1}); err != nil || len(got) != 3 || did.Taken != 0 || did.Tried != len(c.lengths) {
		t.Errorf("%v, %+v, %v", got, did, err)
	}
	shorter := 0
	for i := 1; i < len(c.lengths); i++ {
		if c.lengths[i] < 0.75*c.lengths[i-1] {
			shorter++
		}
	}
	if longest := slices.Max(c.lengths); longest > Length(path)/2 || shorter < 5 {
		t.Errorf("the longest of %d is %g; %d were much shorter than the one before", len(c.lengths), longest, shorter)
	}
}

// refuses finds everything in collision and keeps lengths.
type refuses struct{ lengths []float64 }

func (*refuses) Free(context.Context, []float64) (bool, error) { return false, nil }

func (c *refuses) Test(_ context.Context, edges []*Edge) (int, error) {
	c.lengths = append(c.lengths, distance(edges[0].From, edges[0].To))
	return 0, nil
}
