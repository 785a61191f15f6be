//go:build gl && cgo

package main

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/graphics/sweptgl"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/grazing"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// measure counts the free motions that cullers show free, and times them.
func measure(seed uint64) error {
	for _, triangles := range []int{1_000, 100_000} {
		if err := measureIn(seed, triangles); err != nil {
			return err
		}
	}
	return nil
}

func measureIn(seed uint64, triangles int) error {
	m, err := grazing.NewMoving(seed, 3, 0.4, rocks(robots.NewDice(seed, 9), triangles))
	if err != nil {
		return err
	}
	w, err := sweptgl.Open(m.Links)
	if err != nil {
		return err
	}
	defer w.Close()
	vs, err := volumes(m, 1024)
	if err != nil {
		return err
	}
	slicesIn := 0
	for _, v := range vs {
		slicesIn += len(v.Slices)
	}
	fmt.Printf("\na world of %d pieces; %d motions of links whose boxes have pieces in them, %.1f slices each\n", len(m.Links.Model().World.Items), len(vs), float64(slicesIn)/float64(len(vs)))
	cpu := articulate.NewHullCuller(m.Links)
	walk := w.Traversal()
	walk.AuditEvery = math.MaxInt // the audit is the CPU's time
	var free []*articulate.SweptVolume
	for _, v := range vs {
		if len(kept(cpu, v)) == 0 {
			free = append(free, v)
		}
	}
	fmt.Printf("%-34s %12v\n", "CPU, one at a time", median(5, func() { all(cpu, vs) })/time.Duration(len(vs)))
	for _, n := range []int{1, 16, 128, 1024} {
		took := median(3, func() {
			walk.CullAll(vs[:n], 0, func(int, int32) bool { return true }, func(int, int32) {})
		})
		fmt.Printf("%-34s %12v\n", fmt.Sprintf("traversal, %d at once", n), took/time.Duration(n))
	}
	fmt.Printf("%-34s %d of %d\n", "slices that the device gave up", walk.GaveUp(), 3*slicesIn)
	audited := w.Traversal()
	audited.AuditEvery = 1
	all(audited, vs[:64])
	if err := audited.Err(); err != nil {
		return err
	}
	fmt.Printf("%-34s %d, none touches\n", "pieces left out, measured again", audited.Audited())
	shown(w.Traversal(), "traversal", free)
	for _, pixels := range []int{64, 128, 512} {
		im, err := w.Image(pixels)
		if err != nil {
			return err
		}
		im.AuditEvery = math.MaxInt
		few := vs[:min(24, len(vs))]
		fmt.Printf("%-34s %12v\n", fmt.Sprintf("images of %d pixels, one at a time", pixels), median(1, func() { all(im, few) })/time.Duration(len(few)))
		if pixels == 128 {
			shown(im, "images", free[:min(200, len(free))])
		}
	}
	c, err := w.Calibrate()
	if err != nil {
		return err
	}
	fmt.Println(c)
	return nil
}

// shown prints how many free motions a culler shows free.
func shown(c articulate.Culler, name string, free []*articulate.SweptVolume) {
	n := 0
	for _, v := range free {
		if len(kept(c, v)) == 0 {
			n++
		}
	}
	fmt.Printf("%-34s %d of %d, %.3f\n", "free motions shown by "+name, n, len(free), float64(n)/float64(len(free)))
}

func all(c articulate.Culler, vs []*articulate.SweptVolume) {
	for _, v := range vs {
		c.Cull(v, 0, func(int32) bool { return true }, func(int32) {})
	}
}

func median(n int, f func()) time.Duration {
	took := make([]time.Duration, n)
	for i := range took {
		begin := time.Now()
		f()
		took[i] = time.Since(begin)
	}
	slices.Sort(took)
	return took[n/2].Round(10 * time.Nanosecond)
}

// volumes draws motions of the robot and returns what its links sweep in parts of them, where that
// has pieces of the world in its boxes.
func volumes(m *grazing.Moving, n int) (vs []*articulate.SweptVolume, err error) {
	near := articulate.NewHullCuller(m.Links)
	for len(vs) < n {
		for _, k := range m.Elements() {
			v := &articulate.SweptVolume{}
			from := m.In(0, 0.7)
			m.Sweeper.Sweep(k, 0, from, from+0.2, v)
			_, before, _ := near.Tests()
			kept(near, v)
			if _, after, _ := near.Tests(); after > before {
				vs = append(vs, v)
			}
		}
		if err := m.Again(0.4); err != nil {
			return nil, err
		}
	}
	return vs[:n], nil
}

// rocks is a world of uneven balls of about as many triangles.
func rocks(d robots.Dice, triangles int) *scene.Snapshot {
	const balls = 16
	n := max(int(math.Sqrt(float64(triangles)/balls/2)), 3)
	w := &scene.Snapshot{}
	for i := range balls {
		m := &mesh.Mesh{}
		for a := range n + 1 {
			for b := range n {
				u, v := math.Pi*float64(a)/float64(n), 2*math.Pi*float64(b)/float64(n)
				r := d.In(0.08, 0.1)
				m.Vertices = append(m.Vertices, r3.Scale(r, geom.Vec{X: math.Sin(u) * math.Cos(v), Y: math.Sin(u) * math.Sin(v), Z: math.Cos(u)}))
			}
		}
		for a := range n {
			for b := range n {
				p, q := int32(a*n+b), int32(a*n+(b+1)%n)
				m.Triangles = append(m.Triangles, [3]int32{p, q, p + int32(n)}, [3]int32{q, q + int32(n), p + int32(n)})
			}
		}
		w.Objects = append(w.Objects, robots.Object(fmt.Sprint("rock", i), robots.Mesh(m), d.Pose(0.8)))
	}
	return w
}
