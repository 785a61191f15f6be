package dataset

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
)

// The names under which retargeted motions have their arrays.
var (
	jointArrays = []string{"dof_pos", "joint_pos", "qpos_joints", "joints", "positions"}
	nameArrays  = []string{"joint_names", "dof_names", "names"}
	placeArrays = []string{"root_pos", "root_trans", "root_position"}
	turnArrays  = []string{"root_rot", "root_quat", "root_orientation"}
	rateArrays  = []string{"fps", "rate", "frequency"}
	timeArrays  = []string{"time", "times", "timestamps"}
)

// archive is the arrays of an NPZ file.
type archive struct {
	path   string
	arrays map[string]*array
	used   map[string]bool
}

func readArchive(ctx context.Context, path string) (*archive, error) {
	f, err := infile.Open(ctx, path, limit.BagBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(f, size)
	if err != nil {
		return nil, fmt.Errorf("%s: is no NPZ file: %w", path, err)
	}
	a := &archive{path: path, arrays: map[string]*array{}, used: map[string]bool{}}
	for _, entry := range z.File {
		name, ok := strings.CutSuffix(entry.Name, ".npy")
		if !ok {
			return nil, fmt.Errorf("%s: holds %s, which is no array", path, entry.Name)
		}
		if a.arrays[name] != nil {
			return nil, fmt.Errorf("%s: holds two arrays %s", path, name)
		}
		r, err := entry.Open()
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, name, err)
		}
		data, err := infile.ReadAll(ctx, path+": "+name, r, maxElements*8)
		r.Close()
		if err != nil {
			return nil, err
		}
		if a.arrays[name], err = parseNPY(data); err != nil {
			if !slices.Contains(known(), name) {
				a.arrays[name] = &array{} // not understood, and not used
				continue
			}
			return nil, fmt.Errorf("%s: array %s %w", path, name, err)
		}
	}
	return a, nil
}

// known are the names of arrays that mean something.
func known() []string {
	return slices.Concat(jointArrays, nameArrays, placeArrays, turnArrays, rateArrays, timeArrays, []string{"nodes", "edges"})
}

// one returns the array of one of these names, nil if there is none.
func (a *archive) one(names []string) (*array, string, error) {
	var found string
	for _, name := range names {
		if a.arrays[name] == nil {
			continue
		}
		if found != "" {
			return nil, "", fmt.Errorf("%s: has both %s and %s: keep one", a.path, found, name)
		}
		found = name
	}
	a.used[found] = true
	return a.arrays[found], found, nil
}

// unused lists the arrays that were not read.
func (a *archive) unused() (out []string) {
	for name := range a.arrays {
		if !a.used[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func openNPZ(ctx context.Context, path string, opts Options) (Source, error) {
	a, err := readArchive(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := a.oneKind(); err != nil {
		return nil, err
	}
	if a.arrays["edges"] != nil {
		return a.roadmap(opts)
	}
	return a.retargeted(opts)
}

// oneKind fails if the arrays are those of a roadmap and also those of a motion, of which one would not be read.
func (a *archive) oneKind() error {
	roads := a.present([]string{"nodes", "edges"})
	if len(roads) == 0 {
		return nil
	}
	if others := a.present(jointArrays); len(others) > 0 {
		return fmt.Errorf("%s: has %s of a roadmap and %s of a motion: put each into a file of its own", a.path, strings.Join(roads, ", "), strings.Join(others, ", "))
	}
	if others := a.present(slices.Concat(placeArrays, turnArrays)); len(others) > 0 {
		return fmt.Errorf("%s: has %s beside %s of a roadmap, whose root stands still: give edges along which the root moves as motions, or leave the array out", a.path, strings.Join(others, ", "), strings.Join(roads, ", "))
	}
	return nil
}

// present returns those of the names that the archive has.
func (a *archive) present(names []string) (out []string) {
	for _, name := range names {
		if a.arrays[name] != nil {
			out = append(out, name)
		}
	}
	return out
}

// names returns the joints of the columns of an archive.
func (a *archive) names(m *Mapping, columns int) ([]string, error) {
	n, _, err := a.one(nameArrays)
	if err != nil {
		return nil, err
	}
	var names []string
	switch {
	case n != nil && n.texts == nil:
		return nil, fmt.Errorf("%s: its names of joints are no texts", a.path)
	case n != nil:
		names = n.texts
	case m != nil && len(m.columns) > 0:
		names = m.columns
	default:
		return nil, fmt.Errorf("%s: does not name its joints: add an array joint_names, or list them as columns in the mapping (--map FILE)", a.path)
	}
	if len(names) != columns {
		return nil, fmt.Errorf("%s: has %d columns and %d names of joints", a.path, columns, len(names))
	}
	return mapped(m, names), nil
}

// mapped returns the joints of columns, without those of the root.
func mapped(m *Mapping, names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = m.joint(name)
	}
	return out
}

// retargeted reads one motion: positions of joints, and where the root is.
func (a *archive) retargeted(opts Options) (Source, error) {
	m := opts.Mapping
	p, name, err := a.one(jointArrays)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, fmt.Errorf("%s: has no array of positions (%s), nor nodes and edges; it has %s", a.path, strings.Join(jointArrays, ", "), strings.Join(a.unused(), ", "))
	}
	t := &table{}
	if t.rows, err = p.rows(); err != nil {
		return nil, fmt.Errorf("%s: array %s %w", a.path, name, err)
	}
	if t.joints, err = a.names(m, p.shape[1]); err != nil {
		return nil, err
	}
	if err := a.placeRoot(t, m); err != nil {
		return nil, err
	}
	if err := m.needs(kept(t.joints), t.root != nil); err != nil {
		return nil, fmt.Errorf("%s: %w", a.path, err)
	}
	said, err := a.timeRows(t, m)
	if err != nil {
		return nil, err
	}
	made, err := t.motion(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.path, err)
	}
	premises := append(m.premises(), said)
	if t.root == nil {
		premises = append(premises, "root: the file does not place it; it stands still")
	}
	premises = append(premises, leftOut(t.joints, a.unused())...)
	made.ID = filepath.Base(a.path)
	return single{Loaded{Loaded: motionfile.Loaded{Motion: made, Interpolation: motion.StraightLines}, ID: made.ID, Episode: -1, Premises: premises}}, nil
}

// kept returns the joints that are not left out.
func kept(joints []string) []string {
	return slices.DeleteFunc(slices.Clone(joints), func(name string) bool { return name == skip })
}

// leftOut says what is not part of a motion.
func leftOut(joints, unused []string) (out []string) {
	if n := len(joints) - len(kept(joints)); n > 0 {
		out = append(out, fmt.Sprintf("columns left out by the mapping: %d", n))
	}
	if len(unused) > 0 {
		out = append(out, "not read: "+strings.Join(unused, ", "))
	}
	return out
}

// timeRows gives each row its time, and says by what.
func (a *archive) timeRows(t *table, m *Mapping) (said string, err error) {
	times, name, err := a.one(timeArrays)
	if err != nil {
		return "", err
	}
	hz, said, err := a.rate(m)
	if err != nil {
		return "", err
	}
	t.times = make([]float64, len(t.rows))
	switch {
	case times == nil && hz == 0:
		return "", fmt.Errorf("%s: does not say its rate: add rate to the mapping (--map FILE), or an array fps", a.path)
	case times == nil:
		for i := range t.times {
			t.times[i] = float64(i) / hz
		}
		return said, nil
	case len(times.numbers) != len(t.rows):
		return "", fmt.Errorf("%s: has %d rows and %d times", a.path, len(t.rows), len(times.numbers))
	}
	for i, x := range times.numbers {
		t.times[i] = x - times.numbers[0]
		if hz > 0 && !(math.Abs(t.times[i]-float64(i)/hz) < 0.5/hz) {
			return "", fmt.Errorf("%s: array %s puts row %d at %g s, and %g rows per second put it at %g s: correct one", a.path, name, i, t.times[i], hz, float64(i)/hz)
		}
	}
	return "times: array " + name + ", from its first", nil
}

// rate is that of the rows, and by what; 0 where nothing says it.
func (a *archive) rate(m *Mapping) (hz float64, said string, err error) {
	rate, name, err := a.one(rateArrays)
	switch {
	case err != nil:
		return 0, "", err
	case rate == nil:
		return m.rate, "times: by the rate", nil
	case len(rate.numbers) != 1:
		return 0, "", fmt.Errorf("%s: array %s is not one number", a.path, name)
	}
	hz = rate.numbers[0]
	switch {
	case !(hz > 0) || math.IsInf(hz, 0):
		return 0, "", fmt.Errorf("%s: rate of %g rows per second", a.path, hz)
	case m.rate > 0 && m.rate != hz:
		return 0, "", fmt.Errorf("%s: says %g rows per second, %s says %g: correct one", a.path, hz, m.name(), m.rate)
	}
	return hz, fmt.Sprintf("rate: %g rows per second, by array %s", hz, name), nil
}

// placeRoot reads where the root is, if the archive says so.
func (a *archive) placeRoot(t *table, m *Mapping) error {
	place, placeName, err := a.one(placeArrays)
	if err != nil {
		return err
	}
	turn, turnName, err := a.one(turnArrays)
	if err != nil {
		return err
	}
	if place == nil && turn == nil {
		return nil
	}
	if place == nil || turn == nil {
		return fmt.Errorf("%s: places the root by half: it has one of %s and %s", a.path, strings.Join(placeArrays, ", "), strings.Join(turnArrays, ", "))
	}
	if m == nil || m.quaternion == "" {
		return fmt.Errorf("%s: does not say the order of its quaternions: add quaternion: xyzw or wxyz to the mapping (--map FILE)", a.path)
	}
	places, err := place.rows()
	if err != nil || place.shape[1] != 3 || len(places) != len(t.rows) {
		return fmt.Errorf("%s: array %s has shape %v, want %d x 3", a.path, placeName, place.shape, len(t.rows))
	}
	turns, err := turn.rows()
	if err != nil || turn.shape[1] != 4 || len(turns) != len(t.rows) {
		return fmt.Errorf("%s: array %s has shape %v, want %d x 4", a.path, turnName, turn.shape, len(t.rows))
	}
	t.root = make([]geom.Pose, len(t.rows))
	for i := range t.root {
		if t.root[i], err = m.pose(places[i], turns[i]); err != nil {
			return fmt.Errorf("%s: row %d: %w", a.path, i, err)
		}
	}
	return nil
}

// quaternionTolerance is how far the length of a quaternion may be from 1: that of numbers with four digits.
const quaternionTolerance = 1e-3

func (m *Mapping) pose(p, q []float64) (geom.Pose, error) {
	if m.quaternion == "wxyz" {
		q = []float64{q[1], q[2], q[3], q[0]}
	}
	length := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	if !(math.Abs(length-1) <= quaternionTolerance) {
		return geom.Pose{}, fmt.Errorf("quaternion %v has length %g, not 1", q, length)
	}
	r, err := geom.Quat(q[0], q[1], q[2], q[3])
	return geom.Pose{R: r, P: geom.Vec{X: p[0] * m.length, Y: p[1] * m.length, Z: p[2] * m.length}}, err
}

// single is a file with one motion.
type single struct{ l Loaded }

func (s single) Len() int { return 1 }

func (s single) Motion(i int) (Loaded, error) {
	if i != 0 {
		return Loaded{}, errors.New("the file has one motion")
	}
	return s.l, nil
}
