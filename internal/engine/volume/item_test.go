package volume_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
)

// items calls f with each item of the world that belongs to the subject, and the pieces
// that it stands for.
func (s *subject) items(m *model.Model, f func(it *model.Item, pieces []piece)) {
	for i := range m.World.Items {
		it := &m.World.Items[i]
		if &m.Elements[it.Element] != s.e {
			continue
		}
		if it.Leaf < 0 {
			f(it, s.pieces)
		} else {
			f(it, s.pieces[it.Leaf:it.Leaf+1])
		}
	}
}

// An item reaches as low as its pieces, where the scene puts them, and its core is as
// high: padding and radii included.
func TestItemsStandWhereTheSceneSays(t *testing.T) {
	whole, single := 0, 0
	subjects(t, 6, 40, func(d robots.Dice, m *model.Model, s *subject) {
		seen := 0
		loose := m.World.Err + rounding(s)*10
		s.items(m, func(it *model.Item, pieces []piece) {
			seen++
			if it.Leaf < 0 {
				whole++
			} else {
				single++
			}
			var scratch volume.Scratch
			core, pose := volume.ItemCore(m, it, &scratch)
			for _, n := range []geom.Vec{d.Unit(), {X: 1}, {Z: -1}} {
				back := s.o.PoseWS.R.ApplyInv(r3.Scale(-1, n))
				want := -(highest(pieces, back) + r3.Dot(r3.Scale(-1, n), s.o.PoseWS.P))
				if got := volume.ItemLeast(m, it, n); math.Abs(got-want) > loose {
					t.Errorf("%v, leaf %d: least %g along %v, want %g", s.o.Shape.Kind, it.Leaf, got, n, want)
				}
				local := pose.R.ApplyInv(r3.Scale(-1, n))
				if got := -(core.SupportValue(local) - r3.Dot(n, pose.P)) - core.Radius; math.Abs(got-want) > loose {
					t.Errorf("%v, leaf %d: its core's least is %g along %v, want %g", s.o.Shape.Kind, it.Leaf, got, n, want)
				}
			}
			if got := volume.ItemRadius(m, it); got != core.Radius || math.Abs(got-pieces[0].radius) > 1e-15 {
				t.Errorf("%v, leaf %d: grown by %g, its core by %g, want %g", s.o.Shape.Kind, it.Leaf, got, core.Radius, pieces[0].radius)
			}
		})
		if want := len(s.pieces); seen != want && seen != 1 || seen == 1 && want > 1 && !s.e.Exact {
			t.Errorf("%v: %d items of %d pieces", s.o.Shape.Kind, seen, want)
		}
	})
	if whole < 40 || single < 1000 {
		t.Errorf("%d whole, %d single", whole, single)
	}
}

// The short cut points to the nearest point of an item, or there is none.
func TestTowardItem(t *testing.T) {
	found, none := 0, 0
	subjects(t, 7, 40, func(d robots.Dice, m *model.Model, s *subject) {
		s.items(m, func(it *model.Item, pieces []piece) {
			from := r3.Add(s.o.PoseWS.P, d.Vec(d.Spread(1e-2, 10)))
			n, ok := volume.TowardItem(m, it, from)
			var scratch volume.Scratch
			core, pose := volume.ItemCore(m, it, &scratch)
			if has := core.Kind == convex.Box && it.Leaf < 0 || core.Kind == convex.Triangle; !has {
				if none++; ok {
					t.Errorf("%v, kind %d, leaf %d: a short cut", s.o.Shape.Kind, core.Kind, it.Leaf)
				}
				return
			}
			bare := *core
			bare.Radius = 0
			point := convex.Core{Kind: convex.Point, Vertices: []geom.Vec{{}}}
			at := geom.Translation(from)
			near := convex.Distance(&point, &at, &bare, pose, nil)
			if near.Distance < 1e-6 {
				return
			}
			// The plane through the nearest point, across the way to it, has all of the item behind it.
			least := volume.ItemLeast(m, it, n) + volume.ItemRadius(m, it) - r3.Dot(n, from)
			if !ok || math.Abs(geom.Norm(n)-1) > 1e-12 || math.Abs(least-near.Distance) > 1e-9*(1+geom.Norm(from)) {
				t.Errorf("%v, leaf %d: %g along %v (%v), the nearest point is %g away", s.o.Shape.Kind, it.Leaf, least, n, ok, near.Distance)
			}
			found++
		})
	})
	if found < 1000 || none < 100 {
		t.Errorf("%d found, %d without", found, none)
	}
}
