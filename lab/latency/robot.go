package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// boxes is a scene of n boxes around a robot and not in it.
func boxes(n int, seed uint64) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, "objects:")
	r := rand.New(rand.NewPCG(seed, 50))
	for i := 0; i < n; {
		x, y, z := 4*r.Float64()-2, 4*r.Float64()-2, 3*r.Float64()-1
		if math.Sqrt(x*x+y*y+z*z) < 1.2 {
			continue
		}
		fmt.Fprintf(&b, "  - {id: box_%03d, type: box, xyz: [%.3f, %.3f, %.3f], rpy: [%.2f, %.2f, %.2f], size: [0.2, 0.2, 0.2]}\n", i, x, y, z, r.Float64(), r.Float64(), r.Float64())
		i++
	}
	return b.Bytes()
}

// dancer moves every joint to and fro around its default position.
type dancer struct {
	names []string
	rest  []float64
}

func newDancer(file string) (*dancer, error) {
	robot, err := urdf.Load(file, urdf.Options{})
	if err != nil {
		return nil, err
	}
	c, err := ccd.NewContext(context.Background(), robot, nil, ccd.Options{})
	if err != nil {
		return nil, err
	}
	rest := c.State()
	d := &dancer{names: slices.Sorted(maps.Keys(rest))}
	for _, name := range d.names {
		d.rest = append(d.rest, rest[name])
	}
	return d, nil
}

// at is where the joints are t seconds after the begin: so near to where they rest that no humanoid
// touches itself, at up to 0.14 radian per second.
func (d *dancer) at(t float64) []float64 {
	q := make([]float64, len(d.rest))
	for i, x := range d.rest {
		q[i] = x + 0.02*math.Sin(t*float64(3+i%5))
	}
	return q
}
