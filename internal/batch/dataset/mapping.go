package dataset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
)

// Mapping says what the columns and arrays of a dataset are, where its files do not.
type Mapping struct {
	file string // its name without the folder, which may be another where the same batch is checked

	angle, length float64           // in rad and m; 0: not said
	rate          float64           // rows per second; 0: not said
	names         map[string]string // of the dataset to joints of the robot; _ leaves a column out
	columns       []string          // of tables without a header, and of arrays whose columns have no names
	column        string            // of LeRobot: observation.state or action
	quaternion    string            // xyzw or wxyz
	prismatic     map[string]bool   // joints of the robot whose positions are lengths
	words         string            // the units as they were given
}

// units are the values of what the mapping calls units.
var units = map[string]float64{"rad": 1, "radian": 1, "radians": 1, "deg": math.Pi / 180, "degree": math.Pi / 180, "degrees": math.Pi / 180}

var lengths = map[string]float64{"m": 1, "metre": 1, "meter": 1, "metres": 1, "meters": 1, "mm": 1e-3, "cm": 1e-2}

// about are keys that published descriptions of tables have besides; they say nothing about how a motion
// is read.
var about = []string{"robot", "urdf", "source", "licence", "license"}

// ReadMapping reads a mapping (YAML or JSON). prismatic names the joints of the robot whose positions are lengths.
func ReadMapping(ctx context.Context, path string, prismatic map[string]bool) (*Mapping, error) {
	data, err := infile.Read(ctx, path, limit.DocumentBytes)
	if err != nil {
		return nil, fmt.Errorf("mapping: %w", err)
	}
	docs, err := document.Parse(path, data)
	if err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, fmt.Errorf("%s: has %d documents: a mapping is one", path, len(docs))
	}
	f, err := docs[0].Fields("mapping", slices.Concat([]string{"units", "rate", "fps", "joints", "columns", "column", "quaternion"}, about)...)
	if err != nil {
		return nil, err
	}
	m := &Mapping{file: filepath.Base(path), prismatic: prismatic, names: map[string]string{}}
	return m, m.read(f)
}

func (m *Mapping) read(f document.Fields) (err error) {
	if m.words, err = document.Optional(f, "units", document.Value.Str); err != nil {
		return err
	}
	if err := m.readUnits(f); err != nil {
		return err
	}
	if f.Has("rate") && f.Has("fps") {
		return f.Errorf("rate and fps say the same: keep one")
	}
	for _, key := range []string{"rate", "fps"} {
		if v, ok := f.Get(key); ok {
			if m.rate, err = v.Float(key); err != nil {
				return err
			}
			if !(m.rate > 0) {
				return v.Errorf("%s of %g rows per second: give a positive number", key, m.rate)
			}
		}
	}
	if m.columns, err = document.Optional(f, "columns", document.Value.Strs); err != nil {
		return err
	}
	if m.column, err = document.Optional(f, "column", document.Value.Str); err != nil {
		return err
	}
	if m.quaternion, err = document.Optional(f, "quaternion", document.Value.Str); err != nil {
		return err
	}
	if m.quaternion != "" && m.quaternion != "xyzw" && m.quaternion != "wxyz" {
		return f.Errorf("quaternion %q: give xyzw or wxyz", m.quaternion)
	}
	return m.readJoints(f)
}

func (m *Mapping) readUnits(f document.Fields) error {
	for word := range strings.SplitSeq(m.words, ",") {
		word = strings.TrimSpace(word)
		switch {
		case word == "":
		case units[word] > 0 && m.angle == 0:
			m.angle = units[word]
		case lengths[word] > 0 && m.length == 0:
			m.length = lengths[word]
		case units[word] > 0 || lengths[word] > 0:
			return f.Errorf("units %q: give one unit of angles and one of lengths", m.words)
		default:
			return f.Errorf("unit %q: give rad or deg for angles, and m or mm for lengths, as in units: \"deg, m\"", word)
		}
	}
	return nil
}

func (m *Mapping) readJoints(f document.Fields) error {
	v, ok := f.Get("joints")
	if !ok {
		return nil
	}
	joints, err := v.AnyFields("joints")
	if err != nil {
		return err
	}
	target := map[string]string{}
	for _, from := range joints.Keys() {
		to, _ := joints.Get(from)
		name, err := to.Str(from)
		if err != nil {
			return err
		}
		if other, twice := target[name]; twice && name != skip {
			return to.Errorf("%s and %s are both mapped to the joint %s", other, from, name)
		}
		target[name], m.names[from] = from, name
	}
	return nil
}

// skip is the name of a column that is left out.
const skip = "_"

// errUnits is the error of a file whose units nobody has said.
func (m *Mapping) errUnits() error {
	return errors.New("the file does not say its units: give them in the mapping (--map FILE), as in units: \"rad, m\"")
}

// needs fails unless the units of all joints are known.
func (m *Mapping) needs(joints []string, root bool) error {
	if m == nil {
		return (*Mapping)(nil).errUnits()
	}
	for _, name := range joints {
		if m.prismatic[name] && m.length == 0 {
			return fmt.Errorf("%s: gives no unit for lengths, which joint %s is measured in: add one, as in units: \"rad, m\"", m.name(), name)
		}
		if !m.prismatic[name] && m.angle == 0 {
			return m.errUnits()
		}
	}
	if root && m.length == 0 {
		return fmt.Errorf("%s: gives no unit for lengths, which the position of the root is measured in: add one, as in units: \"rad, m\"", m.name())
	}
	return nil
}

// unit is what a number of a joint's column is in rad or m.
func (m *Mapping) unit(joint string) float64 {
	if m.prismatic[joint] {
		return m.length
	}
	return m.angle
}

// joint is the robot's name of a column.
func (m *Mapping) joint(column string) string {
	if m != nil {
		if name, ok := m.names[column]; ok {
			return name
		}
	}
	return column
}

// plain turns the mapping into options of a file that another package reads, in rad and m: of a table it also says what the
// columns are and the rate, other files say that themselves.
func (m *Mapping) plain(o *motionfile.Options, table bool) error {
	if m == nil {
		return nil
	}
	if m.angle != 0 && m.angle != 1 || m.length != 0 && m.length != 1 {
		return fmt.Errorf("is in %s by %s, and such files are read in rad and m: convert it, give an NPZ file, or check it without the mapping", m.words, m.name())
	}
	if !table {
		return nil
	}
	if len(m.columns) > 0 {
		o.Joints, o.Rename = m.columns, m.names
	} else if len(m.names) > 0 {
		return fmt.Errorf("%s maps joints but does not list the columns of tables: add columns", m.name())
	}
	if m.rate > 0 {
		o.Rate = m.rate
	}
	return nil
}

// premises says what the mapping adds to a motion.
func (m *Mapping) premises() (out []string) {
	if m.words != "" {
		out = append(out, fmt.Sprintf("units: %s, by %s", m.words, m.name()))
	} else {
		out = append(out, "units: rad, m and s, as the format has them")
	}
	if m.rate > 0 {
		out = append(out, fmt.Sprintf("rate: %g rows per second, by %s", m.rate, m.name()))
	}
	return out
}

// table is rows of positions as a dataset has them.
type table struct {
	joints []string    // names in the robot, or skip
	rows   [][]float64 // one per time, one number per column
	times  []float64
	root   []geom.Pose // nil: the root does not move
}

// motion joins the rows by straight lines.
func (t *table) motion(m *Mapping) (*motion.Motion, error) {
	var joints []string
	var keep []int
	for i, name := range t.joints {
		if name != skip {
			joints, keep = append(joints, name), append(keep, i)
		}
	}
	if len(joints) == 0 {
		return nil, errors.New("all columns are left out")
	}
	points := make([]motion.Waypoint, len(t.rows))
	for k, row := range t.rows {
		p := motion.Waypoint{Time: t.times[k], Positions: make([]float64, len(keep))}
		for i, from := range keep {
			p.Positions[i] = row[from] * m.unit(joints[i])
		}
		if t.root != nil {
			p.Root = &t.root[k]
		}
		points[k] = p
	}
	return motion.Linear(joints, points)
}

func (m *Mapping) name() string { return m.file }
