//go:build gl && cgo

package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/internal/graphics/sweptgl"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/grazing"
)

func main() {
	cases := flag.Int("cases", 100_000, "grazing contacts to try")
	seed := flag.Uint64("seed", 1, "of the random numbers")
	cost := flag.Bool("cost", true, "measure free motions and what a query costs, too")
	flag.Parse()
	err := graze(*cases, *seed)
	if err == nil && *cost {
		err = measure(*seed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sweptgl:", err)
		os.Exit(1)
	}
}

// piecesAtOnce is how many pieces a world of grazing contacts has.
const piecesAtOnce = 500

// sizes are those of the images, case by case; the published test has 512 pixels, every tenth
// case.
var sizes = [...]int{64, 128, 128, 64, 256, 128, 64, 128, 256, 512}

// dropped counts by kind of piece.
type dropped struct {
	tried, missed [grazing.Kinds]int
	border        int
}

func (d *dropped) add(c *grazing.Case, kept map[int32]bool) {
	for i, kind := range c.Kind {
		if d.tried[kind]++; !kept[int32(i)] {
			d.missed[kind]++
			if c.Border[i] {
				d.border++
			}
		}
	}
}

func (d *dropped) String() string {
	var tried, missed int
	said := ""
	for k, name := range grazing.KindNames {
		tried, missed = tried+d.tried[k], missed+d.missed[k]
		said += fmt.Sprintf("  %s %d of %d", name, d.missed[k], d.tried[k])
	}
	return fmt.Sprintf("dropped %d of %d:%s; of those at a border %d", missed, tried, said, d.border)
}

func (d *dropped) any() bool { return d.missed != [grazing.Kinds]int{} }

// graze holds cullers against pieces that all touch.
func graze(cases int, seed uint64) error {
	begin := time.Now()
	tally := map[string]*dropped{"CPU": {}, "images": {}, "traversal": {}, "published": {}}
	for i := uint64(0); tally["CPU"].total() < cases; i++ {
		c, err := grazing.New(seed, i, piecesAtOnce)
		if err != nil {
			return err
		}
		w, err := sweptgl.Open(c.Links)
		if err != nil {
			return err
		}
		if i == 0 {
			fmt.Println(w.Device())
		}
		im, err := w.Image(sizes[i%uint64(len(sizes))])
		if err != nil {
			return err
		}
		walk := w.Traversal()
		tally["CPU"].add(c, kept(articulate.NewHullCuller(c.Links), &c.Volume))
		tally["images"].add(c, kept(im, &c.Volume))
		tally["traversal"].add(c, kept(walk, &c.Volume))
		if im.Err() != nil || walk.Err() != nil {
			return fmt.Errorf("case %d: the CPU had to answer: %v %v", i, im.Err(), walk.Err())
		}
		if i%10 == 0 {
			naive, err := w.Published(512)
			if err != nil {
				return err
			}
			tally["published"].add(c, kept(naive, &c.Published))
			fmt.Fprintf(os.Stderr, "%d contacts after %v\n", tally["CPU"].total(), time.Since(begin).Round(time.Second))
		}
		w.Close()
	}
	for _, name := range []string{"published", "images", "traversal", "CPU"} {
		fmt.Printf("%-10s %v\n", name, tally[name])
	}
	if tally["CPU"].any() || tally["images"].any() || tally["traversal"].any() {
		return fmt.Errorf("a contact was dropped")
	}
	return nil
}

func (d *dropped) total() (n int) {
	for _, k := range d.tried {
		n += k
	}
	return n
}

// kept returns the items that a culler leaves.
func kept(c articulate.Culler, v *articulate.SweptVolume) map[int32]bool {
	left := map[int32]bool{}
	c.Cull(v, 0, func(int32) bool { return true }, func(item int32) { left[item] = true })
	return left
}
