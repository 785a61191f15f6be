package dataset

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"

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
	_, edges, err := r.readNumbers(ctx, filepath.Join(dir, edgesName))
	if err != nil {
		return nil, err
	}
	for i, e := range edges {
		if len(e) != 2 {
			return nil, fmt.Errorf("%s: edge %d has %d columns, want two nodes", filepath.Join(dir, edgesName), i, len(e))
		}
	}
	return r, r.set(dir, names, nodes, edges, opts.Mapping)
}

// readNumbers reads a table with commas: its header, nil if there is none, and its rows.
func (r *roadmap) readNumbers(ctx context.Context, path string) (header []string, rows [][]float64, err error) {
	data, err := infile.Read(ctx, path, limit.DocumentBytes)
	if err != nil {
		return nil, nil, err
	}
	if cut := motionfile.Unended(data); cut != "" {
		r.warnings = append(r.warnings, filepath.Base(path)+": "+cut)
	}
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	width, cells := -1, [][]byte(nil)
	for number := 1; lines.Scan(); number++ {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		cells = cells[:0]
		for cell := range bytes.SplitSeq(text, []byte{','}) {
			cells = append(cells, bytes.TrimSpace(cell))
		}
		if width < 0 {
			width = len(cells)
		}
		if len(cells) != width {
			return nil, nil, fmt.Errorf("%s:%d: row has %d cells for %d columns", path, number, len(cells), width)
		}
		row, numbers, err := parseRow(cells)
		switch {
		case numbers == 0 && header == nil && rows == nil:
			for _, cell := range cells {
				header = append(header, string(cell))
			}
		case err != nil:
			return nil, nil, fmt.Errorf("%s:%d: %w", path, number, err)
		default:
			rows = append(rows, row)
		}
	}
	return header, rows, lines.Err()
}

// parseRow reads the cells of a row, and counts those that are numbers. The error is that of the first that is none.
func parseRow(cells [][]byte) (row []float64, numbers int, err error) {
	row = make([]float64, len(cells))
	for i, cell := range cells {
		x, wrong := strconv.ParseFloat(string(cell), 64)
		switch {
		case wrong == nil:
			row[i] = x
			numbers++
		case err == nil:
			err = wrong
		}
	}
	return row, numbers, err
}
