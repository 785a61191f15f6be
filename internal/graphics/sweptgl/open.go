//go:build gl && cgo

package sweptgl

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/internal/graphics/offscreen"
)

// the is the process's device, opened when it is first asked for.
var the = sync.OnceValues(offscreen.Open)

// World is the world of a hierarchy on the device. Several goroutines may use it.
type World struct {
	links    *articulate.LinkBVH
	device   *offscreen.Device
	world    *world
	walker   *traversal
	canaries *canaries

	mu       sync.Mutex
	printers map[int]*printer // by their pixels
}

// Open puts the world of a hierarchy on the process's device and tries known contacts there.
func Open(links *articulate.LinkBVH) (*World, error) {
	d, err := the()
	if err == nil {
		err = d.Err()
	}
	if err != nil {
		return nil, err
	}
	return on(d, links)
}

func on(d *offscreen.Device, links *articulate.LinkBVH) (*World, error) {
	w := &World{links: links, device: d, world: newWorld(links.Model()), printers: map[int]*printer{}}
	var err error
	if w.walker, err = newTraversal(d, w.world); err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(1, 2))
	w.canaries = newCanaries(w.world, r)
	for range tries {
		c := newCanaries(w.world, r)
		if len(c.slices) == 0 {
			break
		}
		hits, err := w.walker.run(c.slices)
		if err == nil {
			err = c.take(&hits, 0)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
	}
	return w, nil
}

// tries is how often known contacts are tried when a culler is made, canaryCount at once.
const tries = 2

// Device describes what the world is on.
func (w *World) Device() offscreen.Info { return w.device.Info }

// Traversal returns a culler that walks the world's tree on the device.
func (w *World) Traversal() *Traversal {
	return &Traversal{guard: newGuard(w.links, w.world, w.device, w.canaries), t: w.walker}
}

// Image returns a culler that draws images of pixels by pixels, a power of two; 0 stands for
// 512, or 128 on a software renderer.
func (w *World) Image(pixels int) (*Image, error) {
	if pixels == 0 {
		if pixels = 512; w.device.Software {
			pixels = 128
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.printers[pixels]
	if p == nil {
		var err error
		if p, err = newPrinter(w.device, w.world, pixels); err != nil {
			return nil, err
		}
		if err := p.try(); err != nil {
			return nil, fmt.Errorf("%s: %w", w.device.Name, err)
		}
		w.printers[pixels] = p
	}
	return &Image{guard: newGuard(w.links, w.world, w.device, w.canaries), p: p}, nil
}

// try draws slices with pieces that touch them.
func (p *printer) try() error {
	r := rand.New(rand.NewPCG(3, 4))
	for range tries {
		var drawn []solid
		for range canaryCount {
			var box solid
			box.hold(randomPoints(r), 0)
			drawn = append(drawn, dent(&box, r))
		}
		touching := specks(drawn)
		if err := p.tryOn(drawn, touching, false); err != nil {
			return err
		}
		if err := p.tryOn(drawn[:1], touching[:1], true); err != nil {
			return err
		}
	}
	return nil
}

// tryOn draws slices with pieces that touch one each.
func (p *printer) tryOn(drawn, touching []solid, alone bool) error {
	hidden, err := p.hidden(drawn, touching, 0, alone)
	if err != nil {
		return err
	}
	if i := slices.Index(hidden, true); i >= 0 {
		return touchingHidden(i)
	}
	return nil
}

// Close takes the world off the device; its cullers then leave all to the CPU.
func (w *World) Close() {
	w.walker.close()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.printers {
		p.close()
	}
}
