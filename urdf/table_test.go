package urdf

import (
	"encoding/xml"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

// shared is the folder of real models that developers may have beside the
// checkout; it is no part of the project.
const shared = "../../shared"

func sharedPath(t testing.TB, parts ...string) string {
	t.Helper()
	p := filepath.Join(append([]string{shared}, parts...)...)
	if _, err := os.Stat(p); err != nil {
		t.Skip("real models are not beside the checkout")
	}
	return p
}

// row is what the table of real robots says about one URDF file.
type row struct {
	Name               string
	Links              int
	Joints             string // as "fixed:2 revolute:7"
	Dof, Mimic         int
	LinksWithCollision int
	Collisions         string
	Triangles          int
	Pairs, Unknown     int // SRDF entries, and those of them that name an unknown link; -1 without SRDF
	Groups             int
	VirtualJoint       string
}

// readTable reads the table of the folder's README, which others have counted
// with other tools.
func readTable(t testing.TB) (rows []row) {
	data, err := os.ReadFile(sharedPath(t, "robots", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(data), "\n") {
		f := strings.Split(line, "|")
		if len(f) < 14 || strings.TrimSpace(f[1]) == "name" || strings.HasPrefix(f[1], "---") {
			continue
		}
		for i := range f {
			f[i] = strings.TrimSpace(f[i])
		}
		num := func(s string) int {
			n, err := strconv.Atoi(s)
			if err != nil {
				t.Fatalf("%s: %v", f[1], err)
			}
			return n
		}
		r := row{
			Name: f[1], Links: num(f[4]), Joints: f[5], Dof: num(f[6]), Mimic: num(f[7]), LinksWithCollision: num(f[8]),
			Collisions: f[9], Triangles: num(f[11]), Pairs: -1,
		}
		if f[12] != "-" {
			m := regexp.MustCompile(`^(\d+)(?: \((\d+) name an unknown link\))?, groups (\d+)(?:, (\w+) virtual joint)?$`).FindStringSubmatch(f[12])
			if m == nil {
				t.Fatalf("%s: cannot read %q", f[1], f[12])
			}
			r.Pairs, r.Groups, r.VirtualJoint = num(m[1]), num(m[3]), m[4]
			if m[2] != "" {
				r.Unknown = num(m[2])
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// robotPaths returns the URDF of a row and its SRDF, "" where it has none.
func robotPaths(t testing.TB, name string) (urdf, srdf string) {
	dir, file := name, name
	if d, f, ok := strings.Cut(name, "/"); ok {
		dir, file = d, f
	}
	urdf = sharedPath(t, "robots", dir, file+".urdf")
	srdf = filepath.Join(filepath.Dir(urdf), file+".srdf")
	if _, err := os.Stat(srdf); err != nil {
		srdf = ""
	}
	return urdf, srdf
}

func TestRealRobots(t *testing.T) {
	race.LeaveOut(t)
	rows := readTable(t)
	if len(rows) != 28 {
		t.Fatalf("%d rows, not 28", len(rows))
	}
	start := time.Now()
	for _, want := range rows {
		t.Run(strings.ReplaceAll(want.Name, "/", "_"), func(t *testing.T) {
			path, srdf := robotPaths(t, want.Name)
			r, err := Load(path, Options{SRDF: srdf})
			if err != nil {
				t.Fatal(err)
			}
			checkRobot(t, r)
			if r.Semantic != nil {
				checkSemantic(t, r)
			}
			if diff := cmp.Diff(want, count(t, r, want.Name)); diff != "" {
				t.Errorf("(-table +loaded)\n%s", diff)
			}
			for _, w := range r.Warnings {
				t.Log(w)
			}
		})
	}
	t.Logf("all in %v", time.Since(start))
}

// count makes the table's row of a loaded robot.
func count(t *testing.T, r *Robot, name string) row {
	out := row{Name: name, Links: len(r.Links), Pairs: -1}
	joints, kinds := map[string]int{}, map[string]int{}
	for _, j := range r.Joints {
		joints[j.Type.String()]++
		switch {
		case j.Mimic != nil:
			out.Mimic++
		case j.Type == Floating:
			out.Dof += 6
		case j.Type == Planar:
			out.Dof += 3
		case j.Type != Fixed:
			out.Dof++
		}
	}
	for _, l := range r.Links {
		if len(l.Collisions) > 0 {
			out.LinksWithCollision++
		}
		for _, c := range l.Collisions {
			kind := c.Shape.Kind
			if kind == shape.Points {
				kind = shape.Sphere // of radius 0: Atlas has contact points
			}
			kinds[kind.String()]++
			if c.Shape.Kind == shape.Mesh {
				out.Triangles += len(c.Shape.Mesh.Triangles)
			}
		}
	}
	out.Joints, out.Collisions = histogram(joints), histogram(kinds)
	if r.Semantic != nil {
		out.Groups = len(r.Semantic.Groups)
		if len(r.Semantic.VirtualJoints) > 0 {
			out.VirtualJoint = r.Semantic.VirtualJoints[0].Type
		}
		out.Pairs, out.Unknown = countPairs(t, r)
	}
	return out
}

func histogram(m map[string]int) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, fmt.Sprintf("%s:%d", k, m[k]))
	}
	return strings.Join(out, " ")
}

// countPairs counts the SRDF's entries without this package's reader, and fails
// unless the robot has each of their pairs of known links exactly once.
func countPairs(t *testing.T, r *Robot) (entries, unknown int) {
	var doc struct {
		Pairs []struct {
			A string `xml:"link1,attr"`
			B string `xml:"link2,attr"`
		} `xml:"disable_collisions"`
	}
	data, err := os.ReadFile(r.Semantic.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	want := map[[2]string]bool{}
	for _, p := range doc.Pairs {
		if r.Link(p.A) < 0 || r.Link(p.B) < 0 {
			unknown++
			continue
		}
		if r.Link(p.A) > r.Link(p.B) {
			p.A, p.B = p.B, p.A
		}
		want[[2]string{p.A, p.B}] = true
	}
	got := map[[2]string]bool{}
	for _, d := range r.Semantic.Disabled {
		got[[2]string{r.Links[d.A].Name, r.Links[d.B].Name}] = true
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) != len(r.Semantic.Disabled) {
		t.Errorf("disabled pairs (-file +loaded)\n%s", diff)
	}
	return len(doc.Pairs), unknown
}

// The furnished apartment is a robot of 36 independent joints.
func TestRealApartment(t *testing.T) {
	for name, want := range map[string]row{
		"apartment":       {Dof: 36, Mimic: 6, Collisions: "box:43 cylinder:1 mesh:83", Triangles: 21470},
		"apartment_hires": {Dof: 36, Mimic: 6, Collisions: "box:43 cylinder:1 mesh:83", Triangles: 304966},
	} {
		r, err := Load(sharedPath(t, "scenes", "iai_apartment", name+".urdf"), Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		checkRobot(t, r)
		got := count(t, r, name)
		got = row{Dof: got.Dof, Mimic: got.Mimic, Collisions: got.Collisions, Triangles: got.Triangles}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-table +loaded)\n%s", name, diff)
		}
	}
}

// Nextage's meshes say Y_UP. As they stand, each lies at its joints; turned to z
// up they would be off by 0.4 m each.
func TestUpAxisIsNotApplied(t *testing.T) {
	path, _ := robotPaths(t, "nextage")
	r, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var off float64
	for i := range r.Links {
		box := geom.EmptyBox()
		for _, c := range r.Links[i].Collisions {
			for _, v := range c.Shape.Mesh.Vertices {
				box = box.Extend(c.PoseLS.Apply(v))
			}
		}
		if box.Empty() {
			continue
		}
		off += outside(box, geom.Vec{})
		for _, j := range r.Joints {
			if j.Parent == i {
				off += outside(box, j.PosePC.P)
			}
		}
	}
	if off > 1 {
		t.Errorf("joints lie %.2f m off the boxes of their links, all together", off)
	}
}

// outside is the distance of p from b.
func outside(b geom.Box, p geom.Vec) float64 {
	d, h := r3.Sub(p, b.Center()), b.Half()
	return r3.Norm(geom.Vec{X: max(0, math.Abs(d.X)-h.X), Y: max(0, math.Abs(d.Y)-h.Y), Z: max(0, math.Abs(d.Z)-h.Z)})
}

func BenchmarkLoadRobot(b *testing.B) {
	for _, name := range []string{"panda", "g1", "romeo"} {
		path, srdf := robotPaths(b, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Load(path, Options{SRDF: srdf}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
