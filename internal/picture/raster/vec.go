package raster

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// vec is a point or a direction. Unlike those of package geom, whose products may be fused with
// sums, its operations round alike on every machine.
type vec struct{ x, y, z float64 }

func of(v geom.Vec) vec { return vec{v.X, v.Y, v.Z} }

func (a vec) add(b vec) vec { return vec{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vec) sub(b vec) vec { return vec{a.x - b.x, a.y - b.y, a.z - b.z} }

func (a vec) scale(f float64) vec { return vec{float64(f * a.x), float64(f * a.y), float64(f * a.z)} }

// plus returns a + f b.
func (a vec) plus(f float64, b vec) vec { return a.add(b.scale(f)) }

func (a vec) dot(b vec) float64 { return float64(a.x*b.x) + float64(a.y*b.y) + float64(a.z*b.z) }

func (a vec) cross(b vec) vec {
	return vec{
		float64(a.y*b.z) - float64(a.z*b.y),
		float64(a.z*b.x) - float64(a.x*b.z),
		float64(a.x*b.y) - float64(a.y*b.x),
	}
}

// times multiplies component by component.
func (a vec) times(b vec) vec { return vec{float64(a.x * b.x), float64(a.y * b.y), float64(a.z * b.z)} }

func (a vec) length() float64 { return math.Sqrt(a.dot(a)) }

// unit returns a direction of length 1, or another one if a has none.
func (a vec) unit() vec {
	l := a.length()
	if !(l > 1e-150) || math.IsInf(l, 0) {
		return vec{0, 0, 1}
	}
	return vec{a.x / l, a.y / l, a.z / l}
}

// mix returns a where f is 0 and b where it is 1.
func mix(a, b vec, f float64) vec { return a.scale(1-f).plus(f, b) }

// frame is a pose whose numbers are rounded.
type frame struct{ x, y, z, at vec } // the axes' images, and the origin's

// finest is what the numbers of a pose are rounded to. Kinematics is computed by code whose
// last bits differ between processors; rounded, they do not, but for one in millions.
const finest = 0x1p-22

// steady rounds to a multiple of finest.
func steady(x float64) float64 { return math.RoundToEven(x/finest) * finest }

func steadyVec(v vec) vec { return vec{steady(v.x), steady(v.y), steady(v.z)} }

// frameOf rounds a pose.
func frameOf(p geom.Pose) frame {
	r := &p.R
	return frame{
		steadyVec(vec{r.XX, r.YX, r.ZX}), steadyVec(vec{r.XY, r.YY, r.ZY}), steadyVec(vec{r.XZ, r.YZ, r.ZZ}), steadyVec(of(p.P)),
	}
}

// apply takes a point to the outer frame.
func (f *frame) apply(v vec) vec { return f.turn(v).add(f.at) }

// turn takes a direction to the outer frame.
func (f *frame) turn(v vec) vec {
	return vec{
		float64(f.x.x*v.x) + float64(f.y.x*v.y) + float64(f.z.x*v.z),
		float64(f.x.y*v.x) + float64(f.y.y*v.y) + float64(f.z.y*v.z),
		float64(f.x.z*v.x) + float64(f.y.z*v.y) + float64(f.z.z*v.z),
	}
}
