package plausible

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Thresholds for robots. docs/plausibility.md says what real robots have.
const (
	smallestShare  = 0.03  // of the distance of a link's joints that its shapes must span
	shortSpan      = 0.02  // m; joints closer together say nothing about a link's size
	smallestMesh   = 0.002 // m
	largestShare   = 10    // times the arm's length that a link may be large
	largeLink      = 10    // m; smaller links are never too large
	largestLink    = 100   // m, however long the arm is
	offsetShape    = 0.25  // m from the nearest joint, and more than the link's size
	farthestShape  = 2     // m likewise, and more than three times the link's size
	longestRobot   = 50    // m along its joints
	smallestRobot  = 0.003 // m along its joints, and every link
	largestAngle   = 30    // rad of a limit: nearly five turns
	largestTravel  = 20    // m of a limit
	longWithout    = 0.25  // m between the joints of a link without shapes
	mostAssumed    = 0.97  // of the pairs of links that joints move
	fewPairs       = 10    // of a robot of which nothing is said
	foreignEntries = 0.5   // of an SRDF's pairs that name links the robot lacks
)

// robotFindings looks at the robot by itself.
func robotFindings(r *urdf.Robot, all []body) []Finding {
	out := ofReader(r.Gaps)
	for i := range out {
		out[i].File = r.Path
	}
	shapes := 0
	for i := range all {
		shapes += len(all[i].shapes)
	}
	if shapes == 0 {
		f := found("no-shapes", 0, 1, fmt.Sprintf("none of the %d links of robot %s has collision geometry, so nothing can touch", len(r.Links), r.Name))
		f.File = r.Path
		return append(out, f)
	}
	out = append(out, smallLinks(r, all)...)
	out = append(out, tinyMeshes(r, all)...)
	out = append(out, hugeLinks(r, all)...)
	out = append(out, farGeometry(r, all)...)
	out = append(out, sizeOfAll(r, all)...)
	out = append(out, limits(r)...)
	out = append(out, withoutShape(r, all)...)
	out = append(out, assumedShare(r, all)...)
	return append(out, foreignSRDF(r)...)
}

// sourceOf is the file that a body's shapes come from.
func sourceOf(r *urdf.Robot, b *body) string {
	for i := range b.shapes {
		if s := b.shapes[i].shape.Source; s != "" {
			return s
		}
	}
	return r.Path
}

// smallLinks finds links whose shapes are far smaller than the distance of their joints.
func smallLinks(r *urdf.Robot, all []body) []Finding {
	var list []measured
	for i := range all {
		b := &all[i]
		span, size := b.span(), extent(b.box)
		if len(b.shapes) == 0 || span < shortSpan || i == 0 && len(r.Parts) > 0 || size >= smallestShare*span {
			continue
		}
		list = append(list, measured{
			about: r.Links[b.link].Name, file: sourceOf(r, b), value: size / span,
			detail: fmt.Sprintf("the shapes of link %s measure %.3g m, but its joints are %.3g m apart", r.Links[b.link].Name, size, span),
		})
	}
	return collect("small-link", smallestShare, list, less)
}

// tinyMeshes finds meshes that are too small to be parts of a robot.
func tinyMeshes(r *urdf.Robot, all []body) []Finding {
	var list []measured
	for i := range all {
		for _, s := range all[i].shapes {
			size := extent(s.box)
			if s.shape.Kind != shape.Mesh || size >= smallestMesh {
				continue
			}
			file := s.shape.Source
			if file == "" {
				file = r.Path
			}
			list = append(list, measured{
				about: r.Links[s.link].Name, file: file, value: size,
				detail: fmt.Sprintf("a mesh of link %s measures %.3g m", r.Links[s.link].Name, size),
			})
		}
	}
	return collect("tiny-mesh", smallestMesh, list, less)
}

// hugeLinks finds links that are far larger than the arm.
func hugeLinks(r *urdf.Robot, all []body) []Finding {
	arm := armLength(all)
	var list []measured
	limit := float64(largestLink)
	for i := range all {
		b := &all[i]
		size, most := extent(b.box), float64(largestLink)
		if b.parent >= 0 && arm > 0 {
			most = min(most, max(largeLink, largestShare*arm))
		}
		if size <= most {
			continue
		}
		limit = min(limit, most)
		list = append(list, measured{
			about: r.Links[b.link].Name, file: sourceOf(r, b), value: size,
			detail: fmt.Sprintf("the shapes of link %s measure %.4g m, but the robot's joints reach only %.3g m", r.Links[b.link].Name, size, arm),
		})
	}
	return collect("huge-link", limit, list, more)
}

// farGeometry finds links whose shapes are all far from every joint that moves them.
func farGeometry(r *urdf.Robot, all []body) []Finding {
	var far, offset []measured
	for i := range all {
		b := &all[i]
		if len(b.shapes) == 0 || b.parent < 0 {
			continue
		}
		away := math.Inf(1)
		for _, a := range b.anchors {
			away = min(away, distance(b.box, a))
		}
		of := measured{
			about: r.Links[b.link].Name, file: sourceOf(r, b), value: away,
			detail: fmt.Sprintf("the shapes of link %s begin %.3g m from the nearest of its joints, and measure %.3g m", r.Links[b.link].Name, away, extent(b.box)),
		}
		switch {
		case away > max(farthestShape, 3*extent(b.box)):
			far = append(far, of)
		case away > max(offsetShape, extent(b.box)):
			offset = append(offset, of)
		}
	}
	return append(collect("far-geometry", farthestShape, far, more), collect("offset-geometry", offsetShape, offset, more)...)
}

// armLength is the longest way along the joints' origins (m), from the first joint on: the way
// to that is where the robot stands.
func armLength(all []body) float64 {
	along, length := make([]float64, len(all)), 0.0
	for i := 1; i < len(all); i++ {
		if p := all[i].parent; p > 0 {
			along[i] = along[p] + geom.Norm(all[i].origin)
		}
		length = max(length, along[i])
	}
	return length
}

// travel is how far a joint moves its child's origin (m); false if that has no bound.
func travel(j *urdf.Joint) (float64, bool) {
	switch j.Type {
	case urdf.Prismatic:
		return max(math.Abs(j.Limit.Lower), math.Abs(j.Limit.Upper)), j.Limit.Bounded
	case urdf.Planar:
		return 0, false
	}
	return 0, true
}

// sizeOfAll judges the robot as a whole.
func sizeOfAll(r *urdf.Robot, all []body) []Finding {
	if len(all) < 2 {
		return nil // it does not move
	}
	arm := armLength(all)
	largest := 0.0
	for i := range all {
		largest = max(largest, extent(all[i].box))
	}
	var out []Finding
	if arm > longestRobot {
		out = append(out, found("huge-robot", arm, longestRobot, fmt.Sprintf("the joints of robot %s reach %.4g m", r.Name, arm), r.Name))
	}
	if arm > 0 && arm < smallestRobot && largest < smallestRobot {
		out = append(out, found("tiny-robot", max(arm, largest), smallestRobot, fmt.Sprintf("no link of robot %s measures more than %.3g m, and its joints reach %.3g m", r.Name, largest, arm), r.Name))
	}
	for i := range out {
		out[i].File = r.Path
	}
	return out
}

// limits judges the limits of joints.
func limits(r *urdf.Robot) []Finding {
	var turning, sliding []measured
	for i := range r.Joints {
		j := &r.Joints[i]
		most := max(math.Abs(j.Limit.Lower), math.Abs(j.Limit.Upper))
		m := measured{about: j.Name, file: r.Path, value: most}
		switch {
		case !j.Limit.Bounded:
		case limitsInDegrees(j):
			m.detail = fmt.Sprintf("joint %s has the limits %g and %g rad, %.3g turns", j.Name, j.Limit.Lower, j.Limit.Upper, (j.Limit.Upper-j.Limit.Lower)/(2*math.Pi))
			turning = append(turning, m)
		case j.Type == urdf.Prismatic && most > largestTravel && most <= 1e5:
			m.detail = fmt.Sprintf("joint %s slides from %g to %g m", j.Name, j.Limit.Lower, j.Limit.Upper)
			sliding = append(sliding, m)
		}
	}
	return append(collect("limits-in-degrees", largestAngle, turning, more), collect("limits-in-millimetres", largestTravel, sliding, more)...)
}

// limitsInDegrees reports whether a joint's limits are so far apart as degrees are. Limits of
// many turns stand for none.
func limitsInDegrees(j *urdf.Joint) bool {
	most := max(math.Abs(j.Limit.Lower), math.Abs(j.Limit.Upper))
	return j.Type == urdf.Revolute && j.Limit.Bounded && most > largestAngle && most <= 1000
}

// withoutShape finds long links between joints that have no shapes.
func withoutShape(r *urdf.Robot, all []body) []Finding {
	var list []measured
	for i := 1; i < len(all); i++ {
		b := &all[i]
		if span := b.span(); len(b.shapes) == 0 && span > longWithout {
			list = append(list, measured{
				about: r.Links[b.link].Name, file: r.Path, value: span,
				detail: fmt.Sprintf("link %s spans %.3g m between its joints and has no collision geometry: nothing can touch it", r.Links[b.link].Name, span),
			})
		}
	}
	return collect("link-without-shape", longWithout, list, more)
}

// foreignSRDF finds an SRDF most of whose pairs the robot lacks.
func foreignSRDF(r *urdf.Robot) []Finding {
	s := r.Semantic
	if s == nil || s.Unknown == 0 {
		return nil
	}
	share := float64(s.Unknown) / float64(s.Unknown+len(s.Disabled))
	if share <= foreignEntries {
		return nil
	}
	f := found("foreign-srdf", share, foreignEntries, fmt.Sprintf("%d of the %d pairs of the SRDF name links that the robot lacks", s.Unknown, s.Unknown+len(s.Disabled)))
	f.File = s.Path
	return []Finding{f}
}

// assumedShare finds an SRDF that leaves out nearly all pairs of links that joints move against
// each other.
func assumedShare(r *urdf.Robot, all []body) []Finding {
	if r.Semantic == nil {
		return nil
	}
	bodyOf, links := map[int]int{}, 0
	inBody := make([]int, len(all))
	for i := range all {
		for _, link := range all[i].links {
			if len(r.Links[link].Collisions) > 0 {
				bodyOf[link] = i
				inBody[i]++
				links++
			}
		}
	}
	pairs, left := links*(links-1)/2, 0
	for _, n := range inBody {
		pairs -= n * (n - 1) / 2
	}
	for _, p := range r.Semantic.Disabled {
		a, okA := bodyOf[p.A]
		b, okB := bodyOf[p.B]
		if okA && okB && a != b {
			left++
		}
	}
	share := float64(left) / float64(max(pairs, 1))
	if pairs < fewPairs || share < mostAssumed {
		return nil
	}
	f := found("assumed-share", share, mostAssumed, fmt.Sprintf("the SRDF leaves out %d of the %d pairs of links that move against each other", left, pairs))
	f.File = r.Semantic.Path
	return []Finding{f}
}
