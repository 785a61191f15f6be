// Package octomap reads the octrees of OctoMap (Hornung et al. 2013) as boxes: files of both
// kinds (.bt, with free and occupied nodes, and .ot, with the probability of every node) and
// the content of octomap_msgs/Octomap.
//
// A tree is a cube of 65536 cells of the resolution per side, with the origin in its middle,
// halved in x, y and z at each of at most 16 levels. A leaf may be at any level and is then a
// larger cell. Space without a leaf is unknown.
package octomap

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

const (
	// levels below the root; a cell of the last has the resolution as its side.
	levels = 16
	// middle is the number of cells from the tree's side to its middle.
	middle = 1 << (levels - 1)
)

// Options of a reader; the zero value is the documented default.
type Options struct {
	// UnknownIsOccupied also makes cells of the unknown parts: of all space in the tree's cube
	// that is not known to be free. Space beyond the cube is never included.
	UnknownIsOccupied bool
	// Threshold is the probability, between 0 and 1, from which a cell is occupied. 0 means
	// 0.5, OctoMap's default.
	Threshold float64
}

// Map is the occupied space of a tree.
type Map struct {
	// Cells are in the tree's frame and do not overlap; neighbours share the
	// coordinates of their common side exactly. There may be none.
	Cells []geom.Box
	// Free, Occupied and Unknown count the leaves, of all sizes, and the parts without one.
	Free, Occupied, Unknown int
}

// Tree is an octree in encoded form, as in octomap_msgs/Octomap.
type Tree struct {
	Binary     bool   // nodes tell free from occupied only
	ID         string // the kind of node: OcTree, OcTreeStamped or ColorOcTree
	Resolution float64
	Data       []byte
}

// extra is how many bytes follow the value of a node, by the kind of tree.
// Timestamps are not written.
var extra = map[string]int{"OcTree": 0, "OcTreeStamped": 0, "ColorOcTree": 3}

// Read returns the occupied space of t. Truncated nodes, nodes deeper than 16 levels, nodes
// without a value, extra bytes and more than limit.OctreeCells cells are errors. No data is an
// empty tree.
func Read(t Tree, opts Options) (*Map, error) {
	m, _, err := read(t, opts)
	return m, err
}

// read is like Read and also returns the number of nodes.
func read(t Tree, opts Options) (*Map, int, error) {
	bytes, known := extra[t.ID]
	if !known {
		return nil, 0, fmt.Errorf("octree kind %q is not supported: use OcTree, OcTreeStamped or ColorOcTree", clip(t.ID))
	}
	// Coordinates up to 32768 resolutions must be finite, and so must their sums.
	if !(t.Resolution > 0x1p-900 && t.Resolution < 0x1p900) {
		return nil, 0, fmt.Errorf("octree has the resolution %g: give the side of its smallest cells in metres", t.Resolution)
	}
	if opts.Threshold == 0 {
		opts.Threshold = 0.5
	}
	if !(opts.Threshold > 0 && opts.Threshold < 1) {
		return nil, 0, fmt.Errorf("occupancy threshold %g is not a probability between 0 and 1", opts.Threshold)
	}
	w := walker{
		rest: t.Data, extra: bytes, side: t.Resolution, unknown: opts.UnknownIsOccupied,
		threshold: math.Log(opts.Threshold / (1 - opts.Threshold)),
	}
	root := cell{x: -middle, y: -middle, z: -middle, side: 2 * middle}
	var err error
	switch {
	case len(t.Data) == 0:
		err = w.leaf(root, nothing)
	case t.Binary:
		err = w.binary(root)
	default:
		err = w.full(root)
	}
	if err != nil {
		return nil, 0, err
	}
	if len(w.rest) > 0 {
		return nil, 0, fmt.Errorf("%d bytes follow the octree's last node: the file is damaged", len(w.rest))
	}
	return &w.out, w.nodes, nil
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
