package answer

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Witness is two points, one of each body of a pair.
type Witness struct {
	// m: the point of the first body.
	A [3]float64 `json:"a"`
	// m: the point of the second body.
	B [3]float64 `json:"b"`
	// Unit vector from a to b; zero if none is known, because the bodies overlap.
	Normal [3]float64 `json:"normal"`
	// m: how far apart the points are.
	Distance float64 `json:"distance"`
	// The features of the first and the second body that the points lie on, if one is known; not proved.
	Features *[2]string `json:"features,omitempty"`
}

// NewWitness returns the points of a witness for JSON.
func NewWitness(w *motion.Witness) *Witness {
	out := &Witness{A: Triple(w.PointA), B: Triple(w.PointB), Normal: Triple(w.Normal), Distance: w.Distance}
	if w.Features() != "" {
		out.Features = &[2]string{w.FeatureA.String(), w.FeatureB.String()}
	}
	return out
}

// ScopeOf says whether a pair is of the robot itself or of robot and world: self or world.
func ScopeOf(p motion.Pair) string {
	if p.World() {
		return "world"
	}
	return "self"
}

// NamesOf returns the names of the bodies of a pair.
func NamesOf(p motion.Pair) *[2]string { return &[2]string{p.A.Name, p.B.Name} }

// Triple returns a vector for JSON.
func Triple(v geom.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }
