package octomap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// cell is a cube of the tree: its minimum corner and its side in resolutions.
type cell struct{ x, y, z, side int }

// child returns the i-th of the eight halves: bit 0 of i is the upper one in x,
// bit 1 in y, bit 2 in z.
func (c cell) child(i int) cell {
	h := c.side / 2
	return cell{c.x + i&1*h, c.y + i>>1&1*h, c.z + i>>2&1*h, h}
}

// state is the occupancy of a cell.
type state uint8

const (
	nothing state = iota
	free
	occupied
)

// walker reads nodes depth first, children in order.
type walker struct {
	rest      []byte
	side      float64 // of the smallest cells, in metres
	extra     int     // bytes after a node's value
	threshold float64 // log odds
	unknown   bool    // counts as occupied

	out   Map
	nodes int
}

var errShort = errors.New("the octree ends early: the file is truncated or damaged")

// take returns the next n bytes.
func (w *walker) take(n int) ([]byte, error) {
	if len(w.rest) < n {
		return nil, errShort
	}
	b := w.rest[:n]
	w.rest = w.rest[n:]
	return b, nil
}

// binary reads an inner node of a binary tree: two bits for each child, the lowest
// first. 0 is unknown, 1 a free leaf, 2 an occupied leaf, 3 an inner node, which
// follows in its turn.
func (w *walker) binary(c cell) error {
	if c.side == 1 {
		return errDeep
	}
	b, err := w.take(2)
	if err != nil {
		return err
	}
	bits := binary.LittleEndian.Uint16(b)
	if bits == 0 {
		return errors.New("the octree has an inner node without children: the file is damaged, or has one leaf for everything")
	}
	w.nodes++
	for i := range 8 {
		if s := state(bits >> (2 * i) & 3); s <= occupied {
			err = w.leaf(c.child(i), s)
		} else {
			err = w.binary(c.child(i))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var errDeep = fmt.Errorf("the octree is deeper than %d levels: the file is damaged", levels)

// full reads a node with a value, the log odds of being occupied, and a byte with a bit for
// each child, the lowest first. The value of an inner node follows from its children's and is
// ignored.
func (w *walker) full(c cell) error {
	b, err := w.take(4 + w.extra + 1)
	if err != nil {
		return err
	}
	value, children := float64(math.Float32frombits(binary.LittleEndian.Uint32(b))), b[len(b)-1]
	if math.IsNaN(value) {
		return errors.New("a node of the octree has no value (NaN): the file is damaged")
	}
	if children == 0 {
		if value >= w.threshold {
			return w.leaf(c, occupied)
		}
		return w.leaf(c, free)
	}
	if c.side == 1 {
		return errDeep
	}
	w.nodes++
	for i := range 8 {
		if children>>i&1 == 1 {
			err = w.full(c.child(i))
		} else {
			err = w.leaf(c.child(i), nothing)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leaf handles a cell without parts.
func (w *walker) leaf(c cell, s state) error {
	switch s {
	case nothing:
		w.out.Unknown++
		if !w.unknown {
			return nil
		}
	case free:
		w.nodes++
		w.out.Free++
		return nil
	case occupied:
		w.nodes++
		w.out.Occupied++
	}
	if len(w.out.Cells) == limit.OctreeCells {
		return fmt.Errorf("the octree has more than %d cells: prune it, or make it coarser", limit.OctreeCells)
	}
	w.out.Cells = append(w.out.Cells, geom.Box{
		Min: w.at(c.x, c.y, c.z),
		Max: w.at(c.x+c.side, c.y+c.side, c.z+c.side),
	})
	return nil
}

func (w *walker) at(x, y, z int) geom.Vec {
	return geom.Vec{X: float64(x) * w.side, Y: float64(y) * w.side, Z: float64(z) * w.side}
}
