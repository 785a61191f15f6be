package certificate

import "github.com/firstcontact-ros/firstcontact/geom"

// Version is that of the form; others are refused.
const Version = 3

// Header says what a certificate is about and what it assumes.
type Header struct {
	Tool string // what wrote it

	// What was checked: names for people, sums of package digest for verifying.
	Robot, Motion                 string
	RobotSum, SceneSum, MotionSum [32]byte
	Clearance                     float64 // m: every pair stays farther apart
	Self, World                   bool    // which pairs were asked for
	Padding, Tube                 []Named // m around a link; rad or m around a joint's motion
	Hold                          []Named // rad or m: joints that the motion does not name
	Start                         float64 // s: when the motion begins; nothing is said of the time before
	Assumed                       []Assumed
	Surfaces                      []string // bodies with faces of a mesh that enclose nothing
	Ambiguous                     []string // bodies with a mesh whose inside cannot be told from its faces
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
	// Touch, where not nil, is a point that both have at the robot's default state, in
	// the frame of the root link.
	Touch *geom.Vec
}

// Turned is a continuous joint that goes the short way: so many whole turns are taken
// off a piece of the motion.
type Turned struct {
	Joint        string
	Piece, Turns int
}

// Seam is a jump of the root link's origin, in m, where a piece begins.
type Seam struct {
	Piece  int
	Length float64
}

// Gap is what can hide a collision and was accepted by name: a kind of package
// premise, and the names that it is about.
type Gap struct {
	Kind  string
	Names []string
}

// BodyKind tells what a Body is.
type BodyKind uint8

// The kinds of body.
const (
	Link     BodyKind = iota // of the robot
	Attached                 // an object that a link carries
	World                    // all objects that do not move
)

var kindNames = [...]string{"link", "attached", "world"}

// Body is one side of the items that name its index, and the number of its atoms.
type Body struct {
	Kind  BodyKind
	Name  string // empty for the world
	Atoms int
}

// Part is a range of a body's atoms in the written order; Count 0 is all of them.
type Part struct{ Body, First, Count int }

// Item says that two parts stay apart during the interval of the At before it.
//
// Where HasNormal, the plane with that normal, pointing from A to B, parts them.
// A side whose HasCenter is set is replaced by the smallest ball around that
// centre, a point of the body's frame, that holds it. Two balls need no normal.
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

// Outside is an instant at which neither of two bodies holds a part of the other.
type Outside struct {
	A, B  int // bodies
	Piece int
	Time  float64 // the piece's parameter
}

// Order is a stretch of a body's atoms in the written order.
type Order struct {
	Body  int
	Atoms []int32
}
