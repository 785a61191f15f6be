package certificate

import "github.com/firstcontact-ros/firstcontact/geom"

// Version is the version of the format. Other versions are refused.
const Version = 3

// Header holds what a certificate is about and what it assumes.
type Header struct {
	Tool string // what wrote it

	// The checked input: names for the user, sums of package digest for verification.
	Robot, Motion                 string
	RobotSum, SceneSum, MotionSum [32]byte
	Clearance                     float64 // m: every pair stays farther apart
	Self, World                   bool    // which pairs were checked
	Padding, Tube                 []Named // m around a link; rad or m around a joint's motion
	Hold                          []Named // rad or m: joints that the motion does not name
	Start                         float64 // s: when the motion begins; nothing is proved before it
	Assumed                       []Assumed
	Surfaces                      []string // bodies with faces of a mesh that enclose nothing
	Ambiguous                     []string // bodies with a mesh whose inside its faces do not determine
	Turned                        []Turned
	Seams                         []Seam
	Accepted                      []Gap
	Bodies                        []Body
}

// Named is a number that belongs to a link or a joint.
type Named struct {
	Name  string
	Value float64
}

// Assumed is a pair of bodies that is not checked, and why.
type Assumed struct {
	A, B, Reason string
	// Touch, if not nil, is a point of both bodies at the robot's default state, in the frame
	// of the root link.
	Touch *geom.Vec
}

// Turned is a continuous joint that takes the short way: Turns whole turns are subtracted on a
// piece of the motion.
type Turned struct {
	Joint        string
	Piece, Turns int
}

// Seam is a jump of the root link's origin, in m, at the start of a piece.
type Seam struct {
	Piece  int
	Length float64
}

// Gap is an accepted gap: a kind of package premise, and the names concerned.
type Gap struct {
	Kind  string
	Names []string
}

// BodyKind is the kind of a Body.
type BodyKind uint8

// The kinds of body.
const (
	Link     BodyKind = iota // of the robot
	Attached                 // an object that a link carries
	World                    // all objects that do not move
)

var kindNames = [...]string{"link", "attached", "world"}

// Body is one side of the items that refer to its index, and the number of its atoms.
type Body struct {
	Kind  BodyKind
	Name  string // empty for the world
	Atoms int
}

// Part is a range of a body's atoms in the written order; Count 0 is all of them.
type Part struct{ Body, First, Count int }

// Item says that two parts stay apart during the interval of the At before it.
//
// If HasNormal, the plane with that normal, pointing from A to B, separates them. A side whose
// HasCenter is set is replaced by the smallest ball around that centre, a point of the body's
// frame, that contains it. Two balls need no normal.
type Item struct {
	A, B             Part
	HasNormal        bool
	Normal           geom.Vec // in the scene's frame at the middle of the interval
	HasCenterA       bool
	HasCenterB       bool
	CenterA, CenterB geom.Vec // in the bodies' own frames
}

// At is the interval of time of the items that follow: a piece of the motion and
// the part [Lo, Hi] of its parameter, which runs from 0 to 1.
type At struct {
	Piece  int
	Lo, Hi float64
}

// Outside is an instant at which neither of two bodies contains a part of the other.
type Outside struct {
	A, B  int // bodies
	Piece int
	Time  float64 // the piece's parameter
}

// Order is a section of a body's atoms in the written order.
type Order struct {
	Body  int
	Atoms []int32
}
