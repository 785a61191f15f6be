package scene

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
)

// points reads a cloud: rows in the scene, or a file of rows.
func (r *reader) points(f document.Fields) (*Shape, error) {
	v, err := f.Need("points", "points")
	if err != nil {
		return nil, err
	}
	s := &Shape{Kind: shape.Points}
	if s.Radius, err = needFloat(f, "radius"); err != nil {
		return nil, err
	}
	if v.IsList() {
		s.Points, err = inlinePoints(v)
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
	if s.Points, err = xyzRows(s.Source, data); err != nil {
		return nil, v.Errorf("%w", err)
	}
	return s, r.count(len(s.Points))
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
