// Package model compiles a robot and a scene into the input of the engines: the kinematic
// tree, the collision elements with their convex pieces and hierarchies, and the pairs to
// check.
//
// The world's objects are elements of frame 0, the root link's, so that self pairs and pairs
// with the world are of one kind.
package model

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Model is one robot in one world, immutable and shared.
type Model struct {
	Tree     *kin.Tree
	Bodies   []Body
	Elements []Element
	Pairs    []Pair // the pairs of elements to check
	Assumed  []AssumedPair
	World    *World

	// Far counts the checked pairs of bodies that are not in Pairs: no joint moves them
	// relative to each other, and they are farther apart than Apart (m), padding included.
	// Likewise some elements of the pairs of bodies in Pairs may be left out. Without such
	// pairs Apart is +Inf.
	Far   int
	Apart float64

	// The first Real elements are shapes. Those after them are groups, each around all
	// elements of a frame; GroupOf maps an element to its group, or to itself.
	Real    int
	GroupOf []int32
	// The self pairs by groups: GroupPairs[i] is tested before the pairs PairsOf[i]; those of
	// Single are tested alone. All except GroupPairs are indices of Pairs.
	GroupPairs []Pair
	PairsOf    [][]int32
	Single     []int32

	// Against maps, for each element that moves with the robot, an element of the world to
	// their pair: an index of Pairs, -1 if it is not checked; nil if it is checked against
	// nothing of the world. Rows begin with element First: the earlier ones are the robot's
	// links.
	Against [][]int32
	First   int32

	paddings []float64 // of the robot's links
	robot    *derived  // of links, their groups and pairs; the models of the robot in other worlds, with the same links, share it
}

// Body is a link, a world object or an attached object.
type Body struct {
	motion.Body
	Frame    int   // of the tree
	Link     int   // the robot's link that it is or is attached to, -1 for the world
	Elements []int // indices into Model.Elements
	// Open says that a mesh of the body has a part that encloses nothing: that part is checked
	// as a surface.
	Open bool
	// Ambiguous says that a mesh of the body does not determine its inside exactly: the larger
	// one is used.
	Ambiguous bool
}

// Element is one exact shape, rigid in a frame F of the tree. Its own frame is E.
type Element struct {
	Body   int
	Frame  int
	PoseFE geom.Pose

	// ErrR and ErrP bound the error of PoseFE, from fixed joints and the element's own pose: a
	// point at p in E is placed in F with an error of at most ErrP + ErrR |p|.
	ErrR, ErrP float64

	// Core is a convex piece in E that contains the shape, padding included in its radius. If
	// Exact it is the shape.
	Core  convex.Core
	Exact bool

	// Rough is some of Core's points, few enough to search for a direction: the search may be
	// wrong, its result is then tried on Core.
	Rough convex.Core

	// If not Exact: the shape itself, as leaves of a hierarchy.
	Leaves *Leaves

	// A ball in E around the shape, padding included.
	Center geom.Vec
	Radius float64

	// Members are the elements that a group encloses; nil for a shape.
	Members []int32

	// Padding is included in Core.Radius and Radius, and must be added to Leaves.
	Padding float64

	form *form // of the shape; nil for a group
}

// Leaves is a shape in small convex pieces: triangles of a mesh, balls or cells.
type Leaves struct {
	Tree   *bvh.Tree
	Mesh   *mesh.Mesh // nil for points and for cells
	Points []geom.Vec
	Radius float64    // of a point's ball
	Cells  []geom.Box // each a solid; the tree's leaves hold one cell each

	// Parts are the connected components of the mesh, Solid is what it encloses.
	Parts []mesh.Component
	Solid *mesh.Solid

	surface  lazySurface
	derived  derived
	wide     lazyTree
	clusters lazyClusters
}

// Within returns a point, in E, of piece i of a shape that is not a mesh. Such pieces are
// separate solids; the point serves to test whether another solid contains the piece.
func (l *Leaves) Within(i int32) geom.Vec {
	if l.Cells != nil {
		return l.Cells[i].Center()
	}
	return l.Points[i]
}

// Pair is two elements of different bodies to check against each other.
type Pair struct {
	A, B int // elements
	// Parting is the number of joints that the chains of both frames share; Base
	// is the frame after them. Only joints beyond it move A and B relative to
	// each other.
	Parting, Base int
	World         bool // one of them belongs to the world
}

// AssumedPair is an allowed pair of bodies: not checked, for a reason other than a proof.
type AssumedPair struct {
	A, B   int // bodies
	Reason string
}

// Named returns the motion.Pair of two elements.
func (m *Model) Named(p *Pair) motion.Pair {
	return motion.Pair{A: m.Bodies[m.Elements[p.A].Body].Body, B: m.Bodies[m.Elements[p.B].Body].Body}
}
