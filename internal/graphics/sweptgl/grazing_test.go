//go:build gl && cgo

package sweptgl

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/grazing"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

func onDevice(t testing.TB, links *articulate.LinkBVH) *World {
	t.Helper()
	w, err := Open(links)
	if err != nil {
		if _, lost := the(); lost != nil {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	return w
}

// hits returns the items that a culler keeps.
func hits(c articulate.Culler, v *articulate.SweptVolume, clearance float64) map[int32]bool {
	kept := map[int32]bool{}
	c.Cull(v, clearance, func(int32) bool { return true }, func(item int32) { kept[item] = true })
	return kept
}

// What dents the volume is kept, be it a needle, edge-on, tiny, or at the border of a view; the
// published test drops most of it.
func TestGrazingContactsAreKept(t *testing.T) {
	const cases, pieces = 4, 200
	naive, all := 0, 0
	for i := range uint64(switches.Long.Times(cases, 5)) {
		c, err := grazing.New(51, i, pieces)
		if err != nil {
			t.Fatal(err)
		}
		w := onDevice(t, c.Links)
		im, err := w.Image([]int{64, 128, 64, 256}[i%4])
		if err != nil {
			t.Fatal(err)
		}
		walk := w.Traversal()
		for name, culler := range map[string]articulate.Culler{"images": im, "traversal": walk, "CPU": articulate.NewHullCuller(c.Links)} {
			if kept := hits(culler, &c.Volume, 0); len(kept) != pieces {
				for item := range c.Kind {
					if !kept[int32(item)] {
						t.Errorf("case %d: %s dropped item %d, %s, %g deep, border %t", i, name, item, grazing.KindNames[c.Kind[item]], c.Depth[item], c.Border[item])
					}
				}
			}
		}
		if im.Err() != nil || walk.Err() != nil {
			t.Fatal(im.Err(), walk.Err())
		}
		all += pieces
		naive += pieces - len(hits(published(t, w), &c.Published, 0))
	}
	t.Logf("the published test drops %d of %d grazing contacts, the mended ones none", naive, all)
	if naive < all/2 {
		t.Errorf("the published test drops %d of %d: this shows little", naive, all)
	}
}

// published is the image culler as the paper has it.
func published(t testing.TB, w *World) *Image {
	im, err := w.Published(512)
	if err != nil {
		t.Fatal(err)
	}
	return im
}
