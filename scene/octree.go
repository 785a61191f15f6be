package scene

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/octomap"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// OctreeOptions select the parts of an octree that are obstacles. The zero value selects cells
// occupied with a probability of at least 0.5, and no unknown space.
type OctreeOptions struct {
	// UnknownIsOccupied also selects unknown space: all parts of the tree's cube that are not
	// known to be free. Space beyond the cube stays free.
	UnknownIsOccupied bool
	// Threshold is the probability, between 0 and 1, from which a cell is occupied;
	// 0 means 0.5, OctoMap's default. Binary trees have no probabilities.
	Threshold float64
}

// Octree is a serialized OctoMap, with the fields of octomap_msgs/Octomap.
type Octree struct {
	Binary     bool    // nodes only distinguish free from occupied
	ID         string  // kind of tree: OcTree, OcTreeStamped or ColorOcTree
	Resolution float64 // side length (m) of the smallest cells
	Data       []byte  // the nodes, as OctoMap writes them
}

// NewCells returns a body made of axis-aligned boxes in its own frame, each of them a solid.
// The slice is copied.
func NewCells(id string, poseWS geom.Pose, cells []geom.Box) Object {
	return Object{ID: id, PoseWS: poseWS, Shape: &Shape{Kind: shape.Cells, Cells: slices.Clone(cells)}}
}

// NewOctree returns the occupied leaves of an octree as cells of their sizes. poseWS is the
// pose of the tree's origin. Unknown space is no obstacle unless the options say so. A tree
// that is damaged, of an unknown kind, or without an occupied cell is an error.
func NewOctree(id string, poseWS geom.Pose, tree Octree, opts OctreeOptions) (Object, error) {
	m, err := octomap.Read(octomap.Tree(tree), octomap.Options(opts))
	if err == nil {
		err = someCells(m)
	}
	if err != nil {
		return Object{}, err
	}
	return Object{ID: id, PoseWS: poseWS, Shape: cellsOf(m, "")}, nil
}

// LoadOctree is like NewOctree for an OctoMap file, .bt or .ot.
func LoadOctree(id string, poseWS geom.Pose, path string, opts OctreeOptions) (Object, error) {
	data, err := infile.Read(context.Background(), path, limit.DocumentBytes)
	if err != nil {
		return Object{}, err
	}
	m, err := octomap.ReadFile(data, octomap.Options(opts))
	if err == nil {
		err = someCells(m)
	}
	if err != nil {
		return Object{}, fmt.Errorf("%s: %w", path, err)
	}
	return Object{ID: id, PoseWS: poseWS, Shape: cellsOf(m, path)}, nil
}

func cellsOf(m *octomap.Map, source string) *Shape {
	return &Shape{Kind: shape.Cells, Cells: m.Cells, Source: source}
}

func someCells(m *octomap.Map) error {
	if len(m.Cells) == 0 {
		return errors.New("the octree has no occupied cell: leave it out")
	}
	return nil
}

// octreeFile reads an OctoMap file as one object named like the file.
func (r *reader) octreeFile(data []byte) (*Snapshot, error) {
	if r.selector != "" {
		return nil, fmt.Errorf("%s: is an octree and has no part #%s", r.name, r.selector)
	}
	id := baseName(r.name)
	s, err := r.octreeOf(id, r.name, data, OctreeOptions{}, false)
	if err != nil {
		return nil, err
	}
	return r.seal(&Snapshot{Objects: []Object{{ID: id, PoseWS: geom.IdentityPose(), Shape: s}}})
}

// octreeOf reads the content of a file for the object id. known reports that the user decided
// whether unknown space is occupied.
func (r *reader) octreeOf(id, name string, data []byte, opts OctreeOptions, known bool) (*Shape, error) {
	m, err := octomap.ReadFile(data, octomap.Options(opts))
	if err == nil {
		err = someCells(m)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := r.count(len(m.Cells)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if m.Unknown > 0 && !opts.UnknownIsOccupied && !known {
		r.gaps = append(r.gaps, unknownSpace(id))
	}
	return cellsOf(m, name), nil
}

// unknownSpace is the gap of an octree with unknown space.
func unknownSpace(id string) premise.Premise {
	return premise.Premise{
		Kind: premise.UnknownSpace, Names: []string{id},
		Detail: fmt.Sprintf("the octree %s has unknown space, which is no obstacle", id),
		Remedy: "set unknown_is_occupied to true or false in a scene file",
	}
}

// octree reads the keys of an object of type octree.
func (r *reader) octree(f document.Fields, id string) (*Shape, error) {
	v, err := f.Need("octree", "octree")
	if err != nil {
		return nil, err
	}
	file, err := v.Str("octree")
	if err != nil {
		return nil, err
	}
	var opts OctreeOptions
	if opts.UnknownIsOccupied, err = document.Optional(f, "unknown_is_occupied", document.Value.Bool); err != nil {
		return nil, err
	}
	if tv, ok := f.Get("occupancy_threshold"); ok {
		if opts.Threshold, err = tv.Float("occupancy_threshold"); err != nil {
			return nil, err
		}
		if !(opts.Threshold > 0 && opts.Threshold < 1) {
			return nil, tv.Errorf("occupancy_threshold is %g: give a probability between 0 and 1", opts.Threshold)
		}
	}
	path, err := r.path(file)
	if err != nil {
		return nil, v.Errorf("%w", err)
	}
	data, err := r.readFile(path)
	if err != nil {
		return nil, v.Errorf("%w", err)
	}
	s, err := r.octreeOf(id, path, data, opts, f.Has("unknown_is_occupied"))
	if err != nil {
		return nil, v.Errorf("%w", err)
	}
	return s, nil
}

// cells reads rows of the minimum and the maximum corner of a box.
func cells(f document.Fields) (*Shape, error) {
	v, err := f.Need("cells", "cells")
	if err != nil {
		return nil, err
	}
	rows, err := v.List("cells")
	if err != nil {
		return nil, err
	}
	s := &Shape{Kind: shape.Cells, Cells: make([]geom.Box, len(rows))}
	for i, row := range rows {
		x, err := row.Floats(fmt.Sprintf("cells[%d]", i), 6)
		if err != nil {
			return nil, err
		}
		s.Cells[i] = geom.Box{Min: geom.Vec{X: x[0], Y: x[1], Z: x[2]}, Max: geom.Vec{X: x[3], Y: x[4], Z: x[5]}}
	}
	return s, nil
}

// octomapID is the name of a planning scene's octree in MoveIt and in its allowed collision
// matrix.
const octomapID = "<octomap>"

// octomapMessage reads an octomap_msgs/OctomapWithPose. An empty one means none, because every
// full message has one: nil.
func octomapMessage(v document.Value) (*OctomapMessage, error) {
	v = v.Of("octomap")
	f, err := v.Fields("octomap", "header", "origin", "octomap")
	if err != nil {
		return nil, err
	}
	inner, ok := f.Get("octomap")
	if !ok {
		return nil, nil
	}
	g, err := inner.Fields("octomap", "header", "binary", "id", "resolution", "data")
	if err != nil {
		return nil, err
	}
	m := &OctomapMessage{From: v, Pose: geom.IdentityPose()}
	m.Tree, err = octomapTree(g)
	if err != nil || len(m.Tree.Data) == 0 {
		return nil, err
	}
	if m.Frame, err = headerFrame(f); err != nil {
		return nil, err
	}
	if origin, ok := f.Get("origin"); ok {
		m.Pose, err = rosPose(origin)
	}
	return m, err
}

// octomap takes the octree of a message in place of the one before. One without data is none.
func (p *planning) octomap(m *OctomapMessage) {
	if old := p.free.find(octomapID); old != nil && len(m.Tree.Data) == 0 {
		p.free.drop(old)
	}
	if len(m.Tree.Data) == 0 {
		return
	}
	o := &sceneObject{id: octomapID, at: m.From, octree: true}
	p.place(o, when{Place: m.From, object: o.id, stamp: m.Stamp}, m.Frame, m.Pose)
	if err := o.readOctomap(m.Tree); err != nil {
		o.fault, o.unplaced = err, false
	}
	p.keepShapes(o)
	p.free.put(o)
}

func (o *sceneObject) readOctomap(tree Octree) error {
	m, err := octomap.Read(octomap.Tree(tree), octomap.Options{})
	if err != nil {
		return o.at.Errorf("%w", err)
	}
	if m.Unknown > 0 {
		o.gaps = append(o.gaps, unknownSpace(octomapID))
	}
	if len(m.Cells) == 0 {
		o.warnings = append(o.warnings, o.at.Errorf("has no occupied cell: nothing is checked against it").Error())
		return nil
	}
	o.shapes = []PosedShape{{cellsOf(m, ""), geom.IdentityPose()}}
	return nil
}

// octomapTree reads an octomap_msgs/Octomap, whose data are int8.
func octomapTree(f document.Fields) (t Octree, err error) {
	v, ok := f.Get("data")
	if !ok {
		return t, nil
	}
	numbers, err := v.Floats("data", -1)
	if err != nil || len(numbers) == 0 {
		return t, err
	}
	t.Data = make([]byte, len(numbers))
	for i, x := range numbers {
		if x != math.Trunc(x) || x < -128 || x > 255 {
			return t, v.Errorf("data[%d] is %g: give bytes, from -128 to 127", i, x)
		}
		t.Data[i] = byte(int(x))
	}
	if t.Binary, err = document.Optional(f, "binary", document.Value.Bool); err != nil {
		return t, err
	}
	if t.ID, err = document.Optional(f, "id", document.Value.Str); err != nil {
		return t, err
	}
	t.Resolution, err = document.Optional(f, "resolution", document.Value.Float)
	return t, err
}
