package motion

import (
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// FeatureKind says which part of a shape's surface a point lies on.
type FeatureKind uint8

// The kinds of feature. Vertices, edges and faces belong to meshes and boxes; the sides of
// cylinders, cones and capsules, rims and balls are round.
const (
	NoFeature FeatureKind = iota // unknown, or too deep inside to determine
	Vertex
	Edge
	Face
	Side // of a cylinder, a cone or a capsule
	Cap  // the flat end of a cylinder or a cone, the round one of a capsule
	Rim  // between a side and a flat end
	Tip  // of a cone
	Ball // a sphere, or a point of a cloud
)

var featureNames = [...]string{"none", "vertex", "edge", "face", "side", "cap", "rim", "tip", "ball"}

// String returns the kind in lower case.
func (k FeatureKind) String() string {
	if int(k) < len(featureNames) {
		return featureNames[k]
	}
	return fmt.Sprintf("feature(%d)", uint8(k))
}

// Feature is the part of a body's surface that a witness point lies on, to within ten
// micrometres. If a face or an edge lies flat against the other body, it is the whole of it,
// even if the point is at one of its ends. It is determined after the verdict; no proof
// depends on it.
type Feature struct {
	Kind    FeatureKind
	Element int      // index of the collision element of the body
	At      geom.Vec // the point in that element's own frame, as its shape is given (m)
	Towards geom.Vec // the unit direction to the other body, in the same frame; zero if there is none

	// Of a mesh: the triangle, and the vertices of a Vertex (the first) or an Edge (both),
	// counted from 0 in the mesh as it was loaded; -1 if there is none. Vertices of a mesh at
	// the same place are one.
	Triangle int
	Vertices [2]int
	// Index is the index of a cloud's point or an octree's cell; otherwise -1.
	Index int
	// Signs are those of the sides of a box or a cell that meet in the feature (one for a
	// face, two for an edge, three for a vertex), and in z of a Cap or a Rim.
	Signs [3]int8
}

// NewFeature returns a feature of which only the point and the direction are known.
func NewFeature(element int, at, towards geom.Vec) Feature {
	return Feature{Element: element, At: at, Towards: towards, Triangle: -1, Vertices: [2]int{-1, -1}, Index: -1}
}

// String describes the feature: "vertex 12", "edge +x -y", "rim +z".
func (f Feature) String() string {
	switch {
	case f.Kind == NoFeature:
		return "none"
	case f.Index >= 0 && f.Kind == Ball:
		return fmt.Sprintf("point %d", f.Index)
	case f.Index >= 0:
		return fmt.Sprintf("cell %d, %v%s", f.Index, f.Kind, f.signs())
	case f.Kind == Vertex && f.Vertices[0] >= 0:
		return fmt.Sprintf("vertex %d", f.Vertices[0])
	case f.Kind == Edge && f.Vertices[1] >= 0:
		return fmt.Sprintf("edge %d to %d", f.Vertices[0], f.Vertices[1])
	case f.Kind == Face && f.Triangle >= 0:
		return fmt.Sprintf("face at triangle %d", f.Triangle)
	case f.Kind == Vertex:
		return "corner" + f.signs()
	}
	return f.Kind.String() + f.signs()
}

func (f Feature) signs() string {
	var b strings.Builder
	for i, s := range f.Signs {
		switch {
		case s > 0:
			b.WriteString(" +" + "xyz"[i:i+1])
		case s < 0:
			b.WriteString(" -" + "xyz"[i:i+1])
		}
	}
	return b.String()
}

// Features describes both features, as in "vertex 12 of panda_hand against face +x of box10".
// It returns "" if neither is known.
func (w *Witness) Features() string {
	if w.FeatureA.Kind == NoFeature && w.FeatureB.Kind == NoFeature {
		return ""
	}
	return w.FeatureA.of(w.Pair.A.Name) + " against " + w.FeatureB.of(w.Pair.B.Name)
}

func (f Feature) of(body string) string {
	if f.Element > 0 {
		body = fmt.Sprintf("%s (element %d)", body, f.Element)
	}
	if f.Kind == NoFeature {
		return "the inside of " + body
	}
	return f.String() + " of " + body
}
