package dataset

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
)

// The files of a roadmap in a folder.
const (
	nodesName = "nodes.csv"
	edgesName = "edges.csv"
)

// isOfRoadmap reports whether a file is one of those that make its folder a roadmap.
func isOfRoadmap(path string) bool {
	name := filepath.Base(path)
	return name == nodesName || name == edgesName
}

// edgeSeconds is how long the motion along an edge takes. A verdict does not depend on it, times of contact
// do: they are parts of the edge.
const edgeSeconds = 1

// roadmap is nodes and the edges between them, each a straight line.
type roadmap struct {
	base     string
	joints   []string
	nodes    []float64 // row by row, in rad and m
	edges    [][2]int32
	premises []string
	warnings []string
}

func (r *roadmap) Len() int { return len(r.edges) }

func (r *roadmap) node(i int32) []float64 {
	n := len(r.joints)
	return r.nodes[int(i)*n : (int(i)+1)*n]
}

func (r *roadmap) Motion(i int) (Loaded, error) {
	e := r.edges[i]
	l := Loaded{ID: r.base + "#" + strconv.Itoa(i), Episode: -1, Premises: r.premises}
	m, err := motion.Between(r.joints, r.node(e[0]), r.node(e[1]), edgeSeconds)
	if err != nil {
		return l, err
	}
	m.ID = l.ID
	l.Loaded = motionfile.Loaded{Motion: m, Interpolation: motion.StraightLines, Warnings: r.warnings}
	return l, nil
}

// set fills in nodes and edges, whose columns are named in names.
func (r *roadmap) set(path string, names []string, nodes, edges [][]float64, m *Mapping) error {
	joints := mapped(m, names)
	if len(kept(joints)) != len(joints) {
		return fmt.Errorf("%s: the mapping leaves columns out, which a roadmap cannot do without: two nodes might become one", path)
	}
	if err := m.needs(joints, false); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	r.joints, r.base = joints, filepath.Base(path)
	r.premises = append(m.premises(), "an edge is a straight line in joint space, and takes 1 s")
	units := make([]float64, len(joints))
	for k, joint := range joints {
		units[k] = m.unit(joint)
	}
	r.nodes = make([]float64, 0, len(nodes)*len(joints))
	for i, row := range nodes {
		for k, x := range row {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("%s: node %d: %s is not finite", path, i, names[k])
			}
			r.nodes = append(r.nodes, x*units[k])
		}
	}
	r.edges = make([][2]int32, len(edges))
	for i, row := range edges {
		for k, x := range row {
			if !(x >= 0) || x >= float64(len(nodes)) || x != math.Trunc(x) {
				return fmt.Errorf("%s: edge %d ends at node %g, of %d from 0", path, i, x, len(nodes))
			}
			r.edges[i][k] = int32(x)
		}
	}
	if len(r.edges) == 0 {
		return fmt.Errorf("%s: has no edges", path)
	}
	return nil
}

// roadmap reads the arrays nodes and edges.
func (a *archive) roadmap(opts Options) (Source, error) {
	e, _, err := a.one([]string{"edges"})
	if err != nil {
		return nil, err
	}
	n, _, err := a.one([]string{"nodes"})
	if err != nil {
		return nil, err
	}
	if n == nil {
		return nil, fmt.Errorf("%s: has edges but no nodes", a.path)
	}
	nodes, err := n.rows()
	if err != nil {
		return nil, fmt.Errorf("%s: array nodes %w", a.path, err)
	}
	edges, err := e.rows()
	if err != nil || e.shape[1] != 2 {
		return nil, fmt.Errorf("%s: array edges has shape %v: give two nodes for each", a.path, e.shape)
	}
	unmapped := &Mapping{} // set maps the names
	if opts.Mapping != nil {
		unmapped.columns = opts.Mapping.columns
	}
	names, err := a.names(unmapped, n.shape[1])
	if err != nil {
		return nil, err
	}
	r := &roadmap{}
	err = r.set(a.path, names, nodes, edges, opts.Mapping)
	r.premises = append(r.premises, leftOut(nil, a.unused())...)
	return r, err
}

// openRoadmapFolder reads nodes.csv, with a header of joints, and edges.csv, with two indices of nodes from 0 in each
// row.
func openRoadmapFolder(ctx context.Context, dir string, opts Options) (Source, error) {
	r := &roadmap{}
	names, nodes, err := r.readNumbers(ctx, filepath.Join(dir, nodesName))
	if err != nil {
		return nil, err
	}
	if names == nil {
		return nil, fmt.Errorf("%s: has no header that names the joints", filepath.Join(dir, nodesName))
	}
	header, edges, err := r.readNumbers(ctx, filepath.Join(dir, edgesName))
	if err != nil {
		return nil, err
	}
	if header == nil && len(edges) > 0 && slices.Equal(edges[0], []float64{0, 1}) {
		r.warnings = append(r.warnings, edgesName+": has no header, and its first row, 0,1, is read as an edge: if a program wrote it as the names of the columns, there is one edge less and the others count from it; a header such as from,to leaves no doubt")
	}
	for i, e := range edges {
		if len(e) != 2 {
			return nil, fmt.Errorf("%s: edge %d has %d columns, want two nodes", filepath.Join(dir, edgesName), i, len(e))
		}
	}
	return r, r.set(dir, names, nodes, edges, opts.Mapping)
}

// readNumbers reads a table with commas: its header, nil if there is none, and its rows. Rows are known by their numbers, so
// that lines that are no rows are refused between them.
func (r *roadmap) readNumbers(ctx context.Context, path string) (header []string, rows [][]float64, err error) {
	data, err := infile.Read(ctx, path, limit.DocumentBytes)
	if err != nil {
		return nil, nil, err
	}
	if cut := motionfile.Unended(data); cut != "" {
		r.warnings = append(r.warnings, filepath.Base(path)+": "+cut)
	}
	in := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	in.Comment, in.TrimLeadingSpace, in.ReuseRecord, in.FieldsPerRecord = '#', true, true, -1
	width, before := -1, 0
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return header, rows, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		line, _ := in.FieldPos(0)
		if width < 0 {
			width = len(cells)
		} else if line != before+1 {
			return nil, nil, fmt.Errorf("%s:%d: is no row but stands between rows, so the numbers of those behind it are in doubt: take comments and empty lines away", path, before+1)
		}
		before = line
		if len(cells) != width {
			return nil, nil, fmt.Errorf("%s:%d: row has %d cells for %d columns", path, line, len(cells), width)
		}
		row, text, err := parseRow(cells)
		switch {
		case text && header == nil && rows == nil:
			header = trimmed(cells)
		case err != nil:
			return nil, nil, fmt.Errorf("%s:%d: %w", path, line, err)
		default:
			rows = append(rows, row)
		}
	}
}

// parseRow reads the cells of a row, and tells whether it has text and no numbers. The error is that of the first cell that is no number.
func parseRow(cells []string) (row []float64, text bool, err error) {
	row = make([]float64, len(cells))
	numbers := 0
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		x, wrong := strconv.ParseFloat(cell, 64)
		if wrong == nil {
			row[i] = x
			numbers++
			continue
		}
		text = text || cell != ""
		if err == nil {
			err = fmt.Errorf("column %d: %q is not a number", i+1, cell)
		}
	}
	return row, text && numbers == 0, err
}

// trimmed returns the cells without spaces around them.
func trimmed(cells []string) []string {
	out := make([]string, len(cells))
	for i, cell := range cells {
		out[i] = strings.TrimSpace(cell)
	}
	return out
}
