package octomap

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

func load(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// wanted returns the occupied leaves that liboctomap reads from the trees in
// testdata, and the number of free ones.
func wanted(t *testing.T) (cells map[geom.Box]bool, free int) {
	t.Helper()
	cells = map[geom.Box]bool{}
	for line := range strings.Lines(string(load(t, "plain.leaves"))) {
		var what string
		var x, y, z, side int
		if _, err := fmt.Sscan(line, &what, &x, &y, &z, &side); err != nil {
			t.Fatal(err)
		}
		if what == "free" {
			free++
			continue
		}
		w := walker{side: 0.1}
		cells[geom.Box{Min: w.at(x, y, z), Max: w.at(x+side, y+side, z+side)}] = true
	}
	return cells, free
}

// Trees that liboctomap wrote are read as liboctomap reads them.
func TestAgreesWithLiboctomap(t *testing.T) {
	cells, free := wanted(t)
	for _, name := range []string{"plain.bt", "plain.ot", "colour.ot", "stamped.ot"} {
		m, err := ReadFile(load(t, name), Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if m.Free != free || m.Occupied != len(cells) || len(m.Cells) != len(cells) || m.Unknown == 0 {
			t.Errorf("%s: %d free, %d occupied, %d cells; want %d free and %d occupied", name, m.Free, m.Occupied, len(m.Cells), free, len(cells))
		}
		for _, c := range m.Cells {
			if !cells[c] {
				t.Errorf("%s: liboctomap has no occupied leaf %v", name, c)
			}
		}
	}
	for _, name := range []string{"empty.bt", "empty.ot"} {
		if m, err := ReadFile(load(t, name), Options{}); err != nil || len(m.Cells) != 0 || m.Unknown != 1 {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}

// With the unknown as occupied, cells and free leaves fill the tree's cube: their
// volumes add up, and no two of the sampled places disagree with the leaves.
func TestUnknownIsOccupied(t *testing.T) {
	known, _ := wanted(t)
	for _, name := range []string{"plain.bt", "plain.ot", "empty.bt"} {
		m, err := ReadFile(load(t, name), Options{UnknownIsOccupied: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Cells) != m.Occupied+m.Unknown {
			t.Errorf("%s: %d cells of %d occupied and %d unknown", name, len(m.Cells), m.Occupied, m.Unknown)
		}
		volume, found := 0.0, 0
		for _, c := range m.Cells {
			volume += (c.Max.X - c.Min.X) * (c.Max.Y - c.Min.Y) * (c.Max.Z - c.Min.Z)
			if known[c] {
				found++
			}
		}
		volume += float64(m.Free) * 1e-3 // all free leaves of these trees are smallest
		if whole := math.Pow(6553.6, 3); math.Abs(volume/whole-1) > 1e-9 {
			t.Errorf("%s: cells and free leaves have %g of the cube's volume", name, volume/whole)
		}
		if name != "empty.bt" && found != len(known) {
			t.Errorf("%s: %d of the %d occupied cells are there", name, found, len(known))
		}
	}
}

// One node with a leaf in each octant, at the first level.
func TestOctants(t *testing.T) {
	for i := range 8 {
		data := binary.LittleEndian.AppendUint16(nil, 2<<(2*i))
		m, err := Read(Tree{Binary: true, ID: "OcTree", Resolution: 1, Data: data}, Options{})
		if err != nil || len(m.Cells) != 1 {
			t.Fatalf("octant %d: %v, %v", i, m, err)
		}
		side := func(bit int) float64 { return 32768 * float64(i>>bit&1) }
		want := geom.Vec{X: side(0), Y: side(1), Z: side(2)}
		if got := m.Cells[0].Max; got != want {
			t.Errorf("octant %d ends at %v, want %v", i, got, want)
		}
	}
}

func fullLeaf(logOdds float64) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(logOdds))), 0)
}

func TestThreshold(t *testing.T) {
	for _, tc := range []struct {
		probability, threshold float64
		want                   int
	}{{0.5, 0, 1}, {0.49, 0, 0}, {0.69, 0.7, 0}, {0.71, 0.7, 1}, {0.3, 0.25, 1}} {
		data := fullLeaf(math.Log(tc.probability / (1 - tc.probability)))
		m, err := Read(Tree{ID: "OcTree", Resolution: 1, Data: data}, Options{Threshold: tc.threshold})
		if err != nil || len(m.Cells) != tc.want {
			t.Errorf("%v: %v, %v", tc, m, err)
		}
	}
}

// deep returns a binary tree of a chain of inner nodes.
func deep(levels int) []byte {
	var b []byte
	for range levels - 1 {
		b = binary.LittleEndian.AppendUint16(b, 3)
	}
	return binary.LittleEndian.AppendUint16(b, 2)
}

func TestBadTrees(t *testing.T) {
	ok := Tree{Binary: true, ID: "OcTree", Resolution: 0.1, Data: deep(16)}
	if _, err := Read(ok, Options{}); err != nil {
		t.Fatal(err)
	}
	full := Tree{ID: "OcTree", Resolution: 0.1, Data: fullLeaf(1)}
	for name, tc := range map[string]struct {
		tree func(t *Tree)
		of   Tree
		opts Options
		want string
	}{
		"kind":              {of: ok, tree: func(t *Tree) { t.ID = "CountingOcTree" }, want: "CountingOcTree"},
		"no resolution":     {of: ok, tree: func(t *Tree) { t.Resolution = 0 }, want: "resolution 0"},
		"NaN resolution":    {of: ok, tree: func(t *Tree) { t.Resolution = math.NaN() }, want: "resolution NaN"},
		"huge resolution":   {of: ok, tree: func(t *Tree) { t.Resolution = 1e300 }, want: "resolution 1e+300"},
		"too deep":          {of: ok, tree: func(t *Tree) { t.Data = deep(17) }, want: "deeper than 16"},
		"cut":               {of: ok, tree: func(t *Tree) { t.Data = t.Data[:31] }, want: "ends early"},
		"bytes over":        {of: ok, tree: func(t *Tree) { t.Data = append(bytes.Clone(t.Data), 0) }, want: "1 bytes follow"},
		"childless":         {of: ok, tree: func(t *Tree) { t.Data = []byte{3, 0, 0, 0} }, want: "without children"},
		"threshold":         {of: ok, opts: Options{Threshold: 1}, want: "threshold 1"},
		"NaN threshold":     {of: ok, opts: Options{Threshold: math.NaN()}, want: "threshold NaN"},
		"full: NaN":         {of: full, tree: func(t *Tree) { t.Data = fullLeaf(math.NaN()) }, want: "NaN"},
		"full: cut":         {of: full, tree: func(t *Tree) { t.Data = t.Data[:4] }, want: "ends early"},
		"full: colours cut": {of: full, tree: func(t *Tree) { t.ID = "ColorOcTree" }, want: "ends early"},
		"full: too deep":    {of: full, tree: func(t *Tree) { t.Data = bytes.Repeat([]byte{0, 0, 0, 0, 1}, 17) }, want: "deeper than 16"},
	} {
		tree := tc.of
		if tc.tree != nil {
			tc.tree(&tree)
		}
		if m, err := Read(tree, tc.opts); err == nil || m != nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

func TestBadFiles(t *testing.T) {
	good := string(load(t, "plain.bt"))
	for name, tc := range map[string]struct{ from, to, want string }{
		"first line":  {"# Octomap OcTree binary file", "# Octomap", "not an OctoMap file"},
		"no data":     {"data\n", "date\n", "unknown word \"date\""},
		"unknown":     {"\nsize", "\nfrobnicate 1\nsize", "unknown word \"frobnicate\""},
		"resolution":  {"res 0.1", "res wide", "\"wide\" for its res"},
		"no size":     {"size 794\n", "", "does not say its size"},
		"other size":  {"size 794", "size 795", "794 nodes, not 795"},
		"other marks": {"binary file", "file", ""},
	} {
		data := strings.Replace(good, tc.from, tc.to, 1)
		if data == good {
			t.Fatalf("%s: nothing was changed", name)
		}
		if m, err := ReadFile([]byte(data), Options{}); err == nil || m != nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
	for i := range len(good) {
		if _, err := ReadFile([]byte(good[:i]), Options{}); err == nil {
			t.Errorf("the first %d of %d bytes pass for the whole", i, len(good))
		}
	}
}

// Two bytes may declare eight cells: a file is not read past the limit.
func TestMaxCells(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a tree of two million cells")
	}
	var tree func(level int) []byte
	memo := map[int][]byte{}
	tree = func(level int) []byte { // inner nodes all the way down to level
		if level == 0 {
			return []byte{0xaa, 0xaa}
		}
		if memo[level] == nil {
			memo[level] = append([]byte{0xff, 0xff}, bytes.Repeat(tree(level-1), 8)...)
		}
		return memo[level]
	}
	at := Tree{Binary: true, ID: "OcTree", Resolution: 0.1, Data: tree(6)}
	if m, err := Read(at, Options{}); err != nil || len(m.Cells) != limit.OctreeCells {
		t.Fatalf("%d cells: %v", limit.OctreeCells, err)
	}
	at.Data = tree(7)
	if _, err := Read(at, Options{}); err == nil || !strings.Contains(err.Error(), "more than 2097152 cells") {
		t.Errorf("%v", err)
	}
}

// node is a tree made in a test, to be written in both forms.
type node struct {
	state    state
	children *[8]*node // nil: a leaf
}

func grow(r *rand.Rand, depth int) *node {
	if depth < 4 && r.IntN(3) > 0 || depth == 0 {
		n := &node{children: &[8]*node{}}
		for i := range n.children {
			n.children[i] = grow(r, depth+1)
		}
		n.children[r.IntN(8)] = &node{state: occupied}
		return n
	}
	return &node{state: state(r.IntN(3))}
}

func (n *node) binary(out []byte) []byte {
	var bits uint16
	for i, c := range n.children {
		if c.children != nil {
			bits |= 3 << (2 * i)
		} else {
			bits |= uint16(c.state) << (2 * i)
		}
	}
	out = binary.LittleEndian.AppendUint16(out, bits)
	for _, c := range n.children {
		if c.children != nil {
			out = c.binary(out)
		}
	}
	return out
}

func (n *node) full(out []byte) []byte {
	value := []float32{0, -1, 2}[n.state]
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(value))
	at := len(out)
	out = append(out, 0)
	if n.children == nil {
		return out
	}
	for i, c := range n.children {
		if c.children != nil || c.state != nothing {
			out[at] |= 1 << i
			out = c.full(out)
		}
	}
	return out
}

// at returns what the tree has at p, in units of the root's side from its corner.
func (n *node) at(x, y, z float64) state {
	if n.children == nil {
		return n.state
	}
	i := 0
	half := func(c *float64, bit int) {
		if *c *= 2; *c >= 1 {
			*c--
			i |= bit
		}
	}
	half(&x, 1)
	half(&y, 2)
	half(&z, 4)
	return n.children[i].at(x, y, z)
}

// Random trees: a place is in a cell exactly where the tree has an occupied leaf,
// or an unknown part if that counts.
func TestRandomTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	hits := [3]int{}
	for range 100 {
		n := grow(r, 0)
		for _, tree := range []Tree{{Binary: true, Data: n.binary(nil)}, {Data: n.full(nil)}} {
			tree.ID, tree.Resolution = "OcTree", 1./65536
			for _, all := range []bool{false, true} {
				m, err := Read(tree, Options{UnknownIsOccupied: all})
				if err != nil {
					t.Fatal(err)
				}
				for range 50 {
					x, y, z := r.Float64(), r.Float64(), r.Float64()
					s := n.at(x, y, z)
					hits[s]++
					want := 0
					if s == occupied || s == nothing && all {
						want = 1
					}
					if got := holding(m.Cells, geom.Vec{X: x - 0.5, Y: y - 0.5, Z: z - 0.5}); got != want {
						t.Fatalf("%d cells hold a place with state %d (unknown is occupied: %v)", got, s, all)
					}
				}
			}
		}
	}
	for s, n := range hits {
		if n < 1000 {
			t.Errorf("state %d was met %d times", s, n)
		}
	}
}

func holding(cells []geom.Box, p geom.Vec) (n int) {
	for _, c := range cells {
		if c.Min.X < p.X && p.X < c.Max.X && c.Min.Y < p.Y && p.Y < c.Max.Y && c.Min.Z < p.Z && p.Z < c.Max.Z {
			n++
		}
	}
	return n
}

// FuzzReadFile: what is read is valid boxes of a number that fits the counts,
// anything else an error.
func FuzzReadFile(f *testing.F) {
	for _, name := range []string{"plain.bt", "plain.ot", "colour.ot", "empty.bt"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, false)
		f.Add(data, true)
	}
	f.Fuzz(func(t *testing.T, data []byte, unknown bool) {
		m, err := ReadFile(data, Options{UnknownIsOccupied: unknown})
		if err != nil {
			if m != nil {
				t.Fatal("an error with a map")
			}
			return
		}
		want := m.Occupied
		if unknown {
			want += m.Unknown
		}
		if len(m.Cells) != want || want > 8*len(data)+1 {
			t.Fatalf("%d cells of %d bytes, %+v", len(m.Cells), len(data), m)
		}
		for _, c := range m.Cells {
			if !geom.Finite(c.Min) || !geom.Finite(c.Max) || !(c.Min.X < c.Max.X && c.Min.Y < c.Max.Y && c.Min.Z < c.Max.Z) {
				t.Fatalf("cell %v", c)
			}
		}
	})
}
