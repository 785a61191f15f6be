package scene

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/cloud"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// points reads a cloud: rows in the scene, or a file of rows.
func (r *reader) points(f document.Fields, id string) (*Shape, error) {
	v, err := f.Need("points", "points")
	if err != nil {
		return nil, err
	}
	s := &Shape{Kind: shape.Points}
	if s.Radius, err = needFloat(f, "radius"); err != nil {
		return nil, err
	}
	scale, err := cloudScale(f)
	if err != nil {
		return nil, err
	}
	if v.IsList() {
		s.Points, err = inlinePoints(v)
		stretch(s.Points, scale)
		return s, errors.Join(err, r.count(len(s.Points)))
	}
	file, err := v.Str("points")
	if err != nil {
		return nil, err
	}
	if s.Source, err = r.path(file); err != nil {
		return nil, v.Errorf("%w", err)
	}
	data, err := r.readFile(s.Source)
	if err != nil {
		return nil, v.Errorf("%w", err)
	}
	if s.Points, err = r.cloud(id, s.Source, data); err != nil {
		return nil, v.Errorf("%w", err)
	}
	stretch(s.Points, scale)
	return s, r.count(len(s.Points))
}

// cloudScale reads the factors of a cloud's coordinates; its radius is in metres as it stands.
func cloudScale(f document.Fields) (geom.Vec, error) {
	v, ok := f.Get("scale")
	if !ok {
		return geom.Vec{X: 1, Y: 1, Z: 1}, nil
	}
	s, err := meshScale(v)
	if err == nil && (s.X == 0 || s.Y == 0 || s.Z == 0) {
		err = v.Errorf("scale %g %g %g: no factor may be 0", s.X, s.Y, s.Z)
	}
	return s, err
}

func stretch(points []geom.Vec, by geom.Vec) {
	for i, p := range points {
		points[i] = geom.Vec{X: p.X * by.X, Y: p.Y * by.Y, Z: p.Z * by.Z}
	}
}

// cloud reads the file of the points of an object: PCD, PLY or rows of text.
func (r *reader) cloud(id, path string, data []byte) ([]geom.Vec, error) {
	if !cloud.Is(data) {
		if err := cloud.Unknown(data); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return xyzRows(path, data)
	}
	c, err := cloud.Read(r.ctx, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if c.Missing > 0 {
		r.warnings = append(r.warnings, fmt.Sprintf("object %s: %d of the %d entries of %s have no finite coordinates (no return of the sensor) and are no points", id, c.Missing, c.Missing+len(c.Points), filepath.Base(path)))
	}
	gap := func(detail, remedy string) {
		r.gaps = append(r.gaps, premise.Premise{
			Kind: premise.NotUnderstood, Names: []string{id}, Detail: fmt.Sprintf("object %s, %s: %s", id, filepath.Base(path), detail), Remedy: remedy,
		})
	}
	if v := c.Viewpoint; v != nil {
		gap(fmt.Sprintf("it has the VIEWPOINT %v, and its points are taken as they stand, as PCL's readers return them; pcl_viewer moves them by it", v),
			"give the object its pose (xyz, quat_xyzw), and write VIEWPOINT 0 0 0 1 0 0 0 into the file")
	}
	if len(c.Skipped) > 0 {
		gap("its "+strings.Join(c.Skipped, ", ")+" are not read", "export the points alone, and give the object a radius that covers theirs")
	}
	return c.Points, nil
}

func inlinePoints(v document.Value) ([]geom.Vec, error) {
	rows, err := v.List("points")
	if err != nil {
		return nil, err
	}
	out := make([]geom.Vec, len(rows))
	for i, row := range rows {
		if out[i], err = vec3(row, fmt.Sprintf("points[%d]", i)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// xyzRows reads three numbers per line, separated by blanks, commas or semicolons. # begins a
// comment.
func xyzRows(name string, data []byte) ([]geom.Vec, error) {
	var out []geom.Vec
	for line := 1; len(data) > 0; line++ {
		row, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		row, _, _ = bytes.Cut(row, []byte("#"))
		words := bytes.FieldsFunc(row, func(c rune) bool {
			return c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ';'
		})
		if len(words) == 0 {
			continue
		}
		if len(words) != 3 {
			return nil, fmt.Errorf("%s:%d: row has %d columns: give x y z in metres", name, line, len(words))
		}
		var p [3]float64
		for i, w := range words {
			x, err := strconv.ParseFloat(string(w), 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, fmt.Errorf("%s:%d: %q is not a finite number", name, line, clip(string(w)))
			}
			p[i] = x
		}
		out = append(out, geom.Vec{X: p[0], Y: p[1], Z: p[2]})
	}
	return out, nil
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
