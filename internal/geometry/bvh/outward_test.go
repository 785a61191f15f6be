package bvh

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// A box in float32 holds that in float64, whatever its size.
func TestOutwardHoldsHugeBoxes(t *testing.T) {
	sizes := []float64{0, 1e-320, 1e-46, 1e-38, 1, 1e38, math.MaxFloat32, 1e39, 1e155, math.MaxFloat64}
	for _, a := range sizes {
		for _, b := range sizes {
			for _, box := range [][2]float64{{min(a, b), max(a, b)}, {-a, b}, {-max(a, b), -min(a, b)}} {
				lo, hi := box[0], box[1]
				o := Outward(geom.Box{Min: geom.Vec{X: lo, Y: lo, Z: lo}, Max: geom.Vec{X: hi, Y: hi, Z: hi}})
				if !(float64(o.Lo[0]) <= lo && float64(o.Hi[0]) >= hi) {
					t.Errorf("from %g to %g is outside of %v to %v", lo, hi, o.Lo[0], o.Hi[0])
				}
			}
		}
	}
}
