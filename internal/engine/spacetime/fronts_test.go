package spacetime

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// What is kept of pieces is counted right, stays within its bound but for the last
// path, and of the others the ones asked about last are kept.
func TestFrontsForgetTheOldest(t *testing.T) {
	dice := rand.New(rand.NewPCG(8, 8))
	robot := robots.Of(nil, robots.Hinge{Kind: urdf.Revolute, Axis: geom.Vec{Z: 1}, Parts: robots.Part(robots.At(0.5, 0, 0), robots.Box(1, 0.1, 0.1))})
	path := func() *motion.Motion {
		rows := make([][]float64, 2+dice.IntN(6))
		for i := range rows {
			rows[i] = []float64{3 * dice.Float64()}
		}
		m, err := motion.Path([]string{robots.JointName(0)}, rows, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	r := newRig(t, robot, robots.World(robots.Object("post", robots.Box(0.1, 0.1, 1), robots.At(-0.8, -0.5, 0)), robots.Object("near", robots.Ball(0.1), robots.At(0, 1.2, 0))), 0, path())
	for _, most := range []int{1, 400, 2000} {
		f := &Fronts{most: most}
		dropped := false
		for range 200 {
			r.bind(t, path())
			last, before := r.bound.Pieces(), f.asked
			r.w.CheckOn(context.Background(), r.bound, motion.Query{}, f)
			weight, kept, oldest, newest := 0, 0, f.asked, uint64(0)
			for _, k := range f.pieces {
				weight += k.weight()
				if k.asked == f.asked {
					kept++
				} else {
					oldest, newest = min(oldest, k.asked), max(newest, k.asked)
				}
			}
			if weight != f.weight {
				t.Fatalf("most %d: the pieces weigh %d, counted %d", most, weight, f.weight)
			}
			if kept != last || f.asked != before+1 {
				t.Fatalf("most %d: %d pieces of the last path's %d are kept", most, kept, last)
			}
			if weight > most && len(f.pieces) > last {
				t.Fatalf("most %d: the pieces weigh %d, and %d are not of the last path", most, weight, len(f.pieces)-last)
			}
			if oldest > 1 && len(f.pieces) > last {
				if dropped = true; newest != f.asked-1 {
					t.Fatalf("most %d: of those asked about at %d nothing is kept, but of older ones", most, f.asked-1)
				}
			}
		}
		if most > 1 && !dropped {
			t.Errorf("most %d: nothing was dropped", most)
		}
	}
}
