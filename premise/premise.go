// Package premise is what a proof rests on besides its inequalities, as data:
// which pairs are left out and why, how each mesh counts, how each joint moves
// between its waypoints, where the motion starts. Readers, the checker, the
// certificate and its verifier speak of premises in this one form.
//
// A premise that can hide a collision is a gap. A verdict is Free only if every
// gap is accepted by name.
package premise

import (
	"fmt"
	"slices"
	"strings"
)

// Kind tells what sort of premise it is. Its text is what files, messages and
// certificates say, and what users accept.
type Kind string

// The kinds of premise.
const (
	// LeftOut is a pair of bodies that is not checked: Names are the two bodies,
	// Detail is the reason.
	LeftOut Kind = "left-out"
	// DefaultPairs is a gap: so many pairs touch at the model's default state that
	// the model itself is in doubt. Value is their share.
	DefaultPairs Kind = "default-pairs"
	// Surface is a body with a mesh, or part of one, that encloses nothing: it is
	// checked as a surface without an inside. Names is the body.
	Surface Kind = "surface"
	// Ambiguous is a body with a mesh whose inside cannot be told from its faces and
	// is taken to be the larger one. Names is the body.
	Ambiguous Kind = "ambiguous-mesh"
	// NoGeometry is a link without collision geometry, which cannot touch anything.
	// Names is the link.
	NoGeometry Kind = "no-geometry"
	// Held is a joint that the motion does not name: Names is the joint, Value its
	// position (rad or m), Detail tells where that comes from.
	Held Kind = "held"
	// Turned is a continuous joint that takes the short way between two waypoints:
	// Names is the joint, Value the number of whole turns that are taken off, Piece
	// the piece of the motion.
	Turned Kind = "short-way"
	// HalfTurn is a continuous joint that turns by half a turn between two
	// waypoints, in the direction that the numbers give.
	HalfTurn Kind = "half-turn"
	// BeyondLimits is a joint that leaves its limits.
	BeyondLimits Kind = "beyond-limits"
	// Seam is a jump of the root link between two pieces, within what rounding
	// allows: Value is its length (m), Piece the later piece.
	Seam Kind = "seam"
	// Start is a gap: the motion begins later than time 0, and nothing is known of
	// the way to its first point, Value that time (s); or it begins at time 0
	// elsewhere than the robot stands, Names the joint; or the controller may begin
	// it in another way, because a setting or its last command is not known.
	Start Kind = "start"
	// BetweenSamples says that a motion was measured: between its samples the joints
	// are taken to move in straight lines. Value is the longest interval (s).
	BetweenSamples Kind = "between-samples"
	// RecordingGap is a gap: a joint was not measured for far longer than usual, or two
	// publishers may have measured it.
	// Names is the joint, Value the time (s) at which that begins: until then a
	// verdict stands.
	RecordingGap Kind = "recording-gap"
	// Attached is a gap: objects that the robot is said to carry are not checked.
	Attached Kind = "attached-objects"
	// Unplaced is a gap: an object whose pose is not known is not checked.
	Unplaced Kind = "unplaced-object"
	// UnknownSpace is a gap: an octree does not know all of the space that it spans,
	// and what it does not know is no obstacle. Names is the object.
	UnknownSpace Kind = "unknown-space"
	// MovingFrame is a gap: an object is given in a frame that moves against the robot, and
	// stands where it was at a stamp. Names are the object and the frame, Value is the longest
	// time (s) between two transforms that its pose was interpolated between.
	MovingFrame Kind = "moving-frame"
	// PointCloud is an obstacle that a sensor saw: where it shows no point nothing is, and what
	// is within a margin of the robot's body is the robot. Names is the object, Value the margin
	// (m).
	PointCloud Kind = "point-cloud"
	// MissingPoints is a gap: a point cloud that is asked for has not come, or not lately, or
	// cannot be used. Names is the topic.
	MissingPoints Kind = "missing-points"
	// MeshAxes is a gap: a mesh file whose axes programs read differently is taken as it
	// stands. Names is the link or object that has the mesh.
	MeshAxes Kind = "mesh-axes"
	// SceneSource is a gap: what comes of the scene is not all of it, because it has not come yet,
	// nobody sends it any more, messages were lost, or they say where the robot stood and not where
	// it stands. Names is the topic, joint or part that is missing.
	SceneSource Kind = "scene-source"
	// NotUnderstood is a gap: a part of the input that was not understood.
	NotUnderstood Kind = "not-understood"
	// Implausible is a gap: the input is valid, but is probably not what was meant, as with
	// angles in degrees or lengths in millimetres. Names begins with the name of the finding
	// (package plausible), after which come the links, joints or objects that it is about;
	// Value is the number that was measured.
	Implausible Kind = "implausible"
)

// gaps are the kinds that hide a collision where they are not accepted.
var gaps = []Kind{DefaultPairs, Start, RecordingGap, Attached, Unplaced, UnknownSpace, MovingFrame, MissingPoints, MeshAxes, SceneSource, NotUnderstood, Implausible}

// Premise is one thing that a verdict rests on.
type Premise struct {
	Kind   Kind     `json:"kind"`             // its kind, such as left-out or held
	Names  []string `json:"names,omitempty"`  // links, joints or objects that it is about
	Value  float64  `json:"value,omitempty"`  // what it is depends on the kind
	Piece  int      `json:"piece,omitempty"`  // of the motion, where the kind is about one
	Detail string   `json:"detail,omitempty"` // one sentence for people
	Remedy string   `json:"remedy,omitempty"` // what to do about it; for gaps
	// Accepted says that the user accepts the gap by name.
	Accepted bool `json:"accepted,omitempty"`
}

// Clone returns a copy that shares nothing with list.
func Clone(list []Premise) []Premise {
	out := slices.Clone(list)
	for i := range out {
		out[i].Names = slices.Clone(out[i].Names)
	}
	return out
}

// IsGap reports whether the premise can hide a collision unless it is accepted.
func (p *Premise) IsGap() bool { return slices.Contains(gaps, p.Kind) }

// Open reports whether it is a gap that is not accepted: there is no Free.
func (p *Premise) Open() bool { return p.IsGap() && !p.Accepted }

// Entry is what accepts the gap, as an entry of Accept.
func (p *Premise) Entry() string {
	if len(p.Names) == 0 {
		return string(p.Kind)
	}
	return string(p.Kind) + ":" + p.Names[0]
}

// Why says of a gap why there is no proof, and what to do.
func (p *Premise) Why() string {
	return fmt.Sprintf("%s. To remedy it, %s; to accept it as it is, accept %s", strings.TrimSuffix(p.Detail, "."), p.Remedy, p.Entry())
}

// String is the premise on one line.
func (p *Premise) String() string {
	var b strings.Builder
	b.WriteString(string(p.Kind))
	for _, n := range p.Names {
		fmt.Fprintf(&b, " %s", n)
	}
	if p.Detail != "" {
		fmt.Fprintf(&b, ": %s", p.Detail)
	}
	return b.String()
}

// Accept is a list of gaps that a user accepts: KIND, or KIND:NAME for those
// about that name. One that is Implausible is accepted by the name of the finding, or by
// those of all links, joints or objects that it is about.
type Accept []string

// Validate fails on an entry that names no kind of gap.
func (a Accept) Validate() error {
	for _, entry := range a {
		kind, _, _ := strings.Cut(entry, ":")
		if !slices.Contains(gaps, Kind(kind)) {
			return fmt.Errorf("%q cannot be accepted: there are %s, each alone or followed by :NAME", entry, strings.Join(Gaps(), ", "))
		}
	}
	return nil
}

// Covers reports whether the list accepts the premise.
func (a Accept) Covers(p *Premise) bool {
	if slices.Contains(a, string(p.Kind)) {
		return true
	}
	if p.Kind == Implausible && len(p.Names) > 2 { // a finding about several
		return a.names(p.Kind, p.Names[0]) || !slices.ContainsFunc(p.Names[1:], func(name string) bool { return !a.names(p.Kind, name) })
	}
	return slices.ContainsFunc(p.Names, func(name string) bool { return a.names(p.Kind, name) })
}

// names reports whether the list has a gap of the kind about a name.
func (a Accept) names(kind Kind, name string) bool { return slices.Contains(a, string(kind)+":"+name) }

// Gaps lists the kinds of gap, in the words that Accept takes.
func Gaps() []string {
	words := make([]string, len(gaps))
	for i, k := range gaps {
		words[i] = string(k)
	}
	return words
}
