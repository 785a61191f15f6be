package scene_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
)

func at(x, y, z float64) geom.Pose { return geom.Translation(geom.Vec{X: x, Y: y, Z: z}) }

func cube(id string, x float64) scene.Object {
	return scene.NewBox(id, at(x, 0, 0), geom.Vec{X: 1, Y: 1, Z: 1})
}

func mustNew(t *testing.T, frame string, objects ...scene.Object) *scene.Snapshot {
	t.Helper()
	s, err := scene.New(frame, objects...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, s := range parts {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q does not say %q", err, s)
		}
	}
}

var tetrahedron = []geom.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}}

var tetraFaces = [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}

func TestNew(t *testing.T) {
	s := mustNew(t, "world",
		cube("box", 0),
		scene.NewSphere("sphere", at(0, 0, 1), 0.1),
		scene.NewCylinder("cylinder", at(0, 0, 2), 0.1, 1),
		scene.NewCapsule("capsule", at(0, 0, 3), 0.1, 1),
		scene.NewCone("cone", at(0, 0, 4), 0.1, 1),
		scene.NewMesh("mesh", at(0, 0, 5), tetrahedron, tetraFaces),
		scene.NewPoints("points", at(0, 0, 6), tetrahedron, 0.01),
		cube("tool", 0).Attach("hand", at(0, 0, 0.1), "finger"),
	)
	if s.Version != 1 || s.Frame != "world" || len(s.Objects) != 8 || s.Hash == ([32]byte{}) {
		t.Errorf("version %d, frame %q, %d objects, hash %x", s.Version, s.Frame, len(s.Objects), s.Hash)
	}
	for i, kind := range []string{"box", "sphere", "cylinder", "capsule", "cone", "mesh", "points", "box"} {
		if got := s.Objects[i].Shape.Kind.String(); got != kind {
			t.Errorf("object %d is a %s, want a %s", i, got, kind)
		}
	}
	tool := s.Objects[s.Object("tool")]
	if tool.AttachedTo != "hand" || tool.TouchLinks[0] != "finger" || tool.PoseWS.P.Z != 0.1 {
		t.Errorf("attached object is %+v", tool)
	}
}

func TestNewErrors(t *testing.T) {
	nan := math.NaN()
	scaled := geom.IdentityPose()
	scaled.R.XX = 1.001
	mirrored := geom.IdentityPose()
	mirrored.R.XX = -1
	unturned := scene.NewSphere("zero pose", geom.Pose{}, 1)
	padded := cube("padded", 0)
	padded.Padding = -0.01
	loose := cube("loose", 0)
	loose.TouchLinks = []string{"hand"}
	for _, c := range []struct {
		name    string
		objects []scene.Object
		want    []string
	}{
		{"no id", []scene.Object{cube("", 0)}, []string{"no id"}},
		{"twice", []scene.Object{cube("a", 0), cube("a", 1)}, []string{"object a appears twice"}},
		{"no shape", []scene.Object{{ID: "a", PoseWS: geom.IdentityPose()}}, []string{"object a", "no shape"}},
		{"size", []scene.Object{scene.NewBox("a", at(0, 0, 0), geom.Vec{X: 1, Y: 0, Z: 1})}, []string{"object a", "size", "positive"}},
		{"radius", []scene.Object{scene.NewSphere("a", at(0, 0, 0), nan)}, []string{"object a", "radius"}},
		{"giant", []scene.Object{scene.NewSphere("a", at(0, 0, 0), 1e10)}, []string{"object a", "unit"}},
		{"beyond", []scene.Object{scene.NewSphere("a", at(0, 0, 0), 1.1e6)}, []string{"object a", "1e+06 m", "unit"}},
		{"tiny", []scene.Object{scene.NewSphere("a", at(0, 0, 0), 1e-21)}, []string{"object a", "1e-20 m", "unit"}},
		{"beyond, position", []scene.Object{cube("a", 1.1e6)}, []string{"object a", "position", "unit"}},
		{"beyond, points", []scene.Object{scene.NewPoints("a", at(0, 0, 0), []geom.Vec{{Y: -2e6}}, 1)}, []string{"object a", "point 0", "unit"}},
		{"beyond, radius of points", []scene.Object{scene.NewPoints("a", at(0, 0, 0), []geom.Vec{{}}, 2e6)}, []string{"object a", "radius", "unit"}},
		{"beyond, cells", []scene.Object{scene.NewCells("a", at(0, 0, 0), []geom.Box{{Max: geom.Vec{X: 1, Y: 1, Z: 2e6}}})}, []string{"object a", "cell 0", "unit"}},
		{"flat cell", []scene.Object{scene.NewCells("a", at(0, 0, 0), []geom.Box{{Max: geom.Vec{X: 1, Y: 1, Z: 1e-21}}})}, []string{"object a", "cell 0", "volume"}},
		{"mesh in one place", []scene.Object{scene.NewMesh("a", at(0, 0, 0), []geom.Vec{{}, {X: 1e-22}, {Y: 1e-22}}, [][3]int32{{0, 1, 2}})}, []string{"object a", "mesh", "unit"}},
		{"far", []scene.Object{cube("a", 1e300)}, []string{"object a", "position"}},
		{"NaN place", []scene.Object{cube("a", nan)}, []string{"object a", "position"}},
		{"no rotation", []scene.Object{unturned}, []string{"object zero pose", "orientation"}},
		{"scaled", []scene.Object{scene.NewSphere("a", scaled, 1)}, []string{"object a", "not a rotation"}},
		{"mirrored", []scene.Object{scene.NewSphere("a", mirrored, 1)}, []string{"object a", "not a rotation"}},
		{"padding", []scene.Object{padded}, []string{"object padded", "padding"}},
		{"touch links", []scene.Object{loose}, []string{"object loose", "attached_to"}},
		{"mesh index", []scene.Object{scene.NewMesh("a", at(0, 0, 0), tetrahedron, [][3]int32{{0, 1, 4}})}, []string{"object a", "vertex 4 of 4"}},
		{"negative index", []scene.Object{scene.NewMesh("a", at(0, 0, 0), tetrahedron, [][3]int32{{0, 1, -1}})}, []string{"object a", "vertex -1"}},
		{"no triangles", []scene.Object{scene.NewMesh("a", at(0, 0, 0), tetrahedron, nil)}, []string{"object a", "no triangles"}},
		{"NaN vertex", []scene.Object{scene.NewMesh("a", at(0, 0, 0), []geom.Vec{{X: nan}, {X: 1}, {Y: 1}}, [][3]int32{{0, 1, 2}})}, []string{"object a", "not finite"}},
		{"far vertex", []scene.Object{scene.NewMesh("a", at(0, 0, 0), []geom.Vec{{X: -1e10}, {X: 1}, {Y: 1}}, [][3]int32{{0, 1, 2}})}, []string{"object a", "unit"}},
		{"no points", []scene.Object{scene.NewPoints("a", at(0, 0, 0), nil, 1)}, []string{"object a", "no points"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := scene.New("", c.objects...)
			wantError(t, err, c.want...)
		})
	}
}

func TestMeshIsWelded(t *testing.T) {
	negativeZero := math.Copysign(0, -1)
	// Two triangles over a common edge, as STL has them: six corners.
	soup := []geom.Vec{{}, {X: 1}, {Y: 1}, {X: 1}, {X: 1, Y: 1}, {X: negativeZero, Y: 1}, {X: 9}}
	o := scene.NewMesh("m", at(0, 0, 0), soup, [][3]int32{{0, 1, 2}, {3, 4, 5}})
	m := o.Shape.Mesh
	if len(m.Vertices) != 4 {
		t.Errorf("%d vertices, want 4: the shared edge once, the unused vertex never", len(m.Vertices))
	}
	for i, tri := range [][3]int32{{0, 1, 2}, {3, 4, 5}} {
		for c, k := range tri {
			if got := m.Vertices[m.Triangles[i][c]]; got != soup[k] {
				t.Errorf("corner %d of triangle %d is %v, want %v", c, i, got, soup[k])
			}
		}
	}
}

func TestVersions(t *testing.T) {
	s := mustNew(t, "", cube("a", 0), cube("b", 2))
	more, err := s.With(cube("c", 4), cube("a", 1))
	if err != nil {
		t.Fatal(err)
	}
	if more.Version != 2 || len(more.Objects) != 3 || more.Objects[0].PoseWS.P.X != 1 {
		t.Errorf("version %d with %d objects, a at %g", more.Version, len(more.Objects), more.Objects[0].PoseWS.P.X)
	}
	if s.Version != 1 || len(s.Objects) != 2 || s.Objects[0].PoseWS.P.X != 0 {
		t.Error("With changed the snapshot it was called on")
	}
	less, err := more.Without("b", "c")
	if err != nil {
		t.Fatal(err)
	}
	if less.Version != 3 || len(less.Objects) != 1 || less.Objects[0].ID != "a" || len(more.Objects) != 3 {
		t.Errorf("version %d has %+v", less.Version, less.Objects)
	}
	if _, err := s.Without("b", "x"); err == nil {
		t.Error("removing what is not there: no error")
	}
	if _, err := s.With(cube("x", 0), cube("x", 1)); err == nil {
		t.Error("adding an id twice: no error")
	}
	if _, err := s.With(scene.NewSphere("a", at(0, 0, 0), -1)); err == nil {
		t.Error("an invalid object in place of a valid one: no error")
	}
	if _, err := s.WithAllowed([2]string{"a", ""}); err == nil {
		t.Error("allowed pair of nothing: no error")
	}
	if _, err := s.WithLinkPadding(map[string]float64{"hand": -1}); err == nil {
		t.Error("negative link padding: no error")
	}
	moved, err := less.Moved("map", at(10, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	if moved.Frame != "map" || moved.Objects[0].PoseWS.P.X != 11 {
		t.Errorf("moved to %v in %q", moved.Objects[0].PoseWS.P, moved.Frame)
	}
}

func TestMovedKeepsAttachedObjects(t *testing.T) {
	s := mustNew(t, "", cube("a", 0), cube("tool", 0).Attach("hand", at(0, 0, 1)))
	moved, err := s.Moved("map", at(5, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	if moved.Objects[0].PoseWS.P.X != 5 || moved.Objects[1].PoseWS.P != (geom.Vec{Z: 1}) {
		t.Errorf("moved to %v and %v", moved.Objects[0].PoseWS.P, moved.Objects[1].PoseWS.P)
	}
	if _, err := s.Moved("map", geom.Pose{}); err == nil {
		t.Error("moved by no rotation: no error")
	}
}

func TestHashIgnoresOrder(t *testing.T) {
	build := func(flip bool) *scene.Snapshot {
		objects := []scene.Object{cube("a", 0), cube("tool", 0).Attach("hand", at(0, 0, 1), "l", "r")}
		pairs := [][2]string{{"a", "b"}, {"c", "d"}}
		if flip {
			objects = []scene.Object{cube("tool", 0).Attach("hand", at(0, 0, 1), "r", "l"), cube("a", math.Copysign(0, -1))}
			pairs = [][2]string{{"d", "c"}, {"a", "b"}, {"b", "a"}}
		}
		s := mustNew(t, "f", objects...)
		s, err := s.WithAllowed(pairs...)
		if err != nil {
			t.Fatal(err)
		}
		if s, err = s.WithLinkPadding(map[string]float64{"x": 1, "y": 2, "z": 3}); err != nil {
			t.Fatal(err)
		}
		return s
	}
	for range 20 { // map iteration differs from run to run
		if build(false).Hash != build(true).Hash {
			t.Fatal("the same world has two hashes")
		}
	}
}

func TestHashTellsWorldsApart(t *testing.T) {
	base := func() []scene.Object {
		return []scene.Object{
			cube("a", 0),
			scene.NewMesh("m", at(0, 0, 0), tetrahedron, tetraFaces),
			scene.NewPoints("p", at(0, 0, 0), tetrahedron, 0.1),
			cube("tool", 0).Attach("hand", at(0, 0, 1), "l"),
		}
	}
	seen := map[[32]byte]string{mustNew(t, "", base()...).Hash: "base"}
	add := func(name string, s *scene.Snapshot, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[s.Hash]; ok {
			t.Errorf("%s has the hash of %s", name, other)
		}
		seen[s.Hash] = name
	}
	for name, change := range map[string]func(o []scene.Object){
		"id":      func(o []scene.Object) { o[0].ID = "b" },
		"place":   func(o []scene.Object) { o[0].PoseWS.P.X = math.Nextafter(0, 1) },
		"turn":    func(o []scene.Object) { o[0].PoseWS.R = geom.RPY(0, 0, 1) },
		"size":    func(o []scene.Object) { o[0] = scene.NewBox("a", at(0, 0, 0), geom.Vec{X: 1, Y: 1, Z: 2}) },
		"kind":    func(o []scene.Object) { o[0] = scene.NewSphere("a", at(0, 0, 0), 1) },
		"padding": func(o []scene.Object) { o[0].Padding = 0.01 },
		"vertex": func(o []scene.Object) {
			o[1] = scene.NewMesh("m", at(0, 0, 0), []geom.Vec{{}, {X: 2}, {Y: 1}, {Z: 1}}, tetraFaces)
		},
		"triangles":  func(o []scene.Object) { o[1] = scene.NewMesh("m", at(0, 0, 0), tetrahedron, tetraFaces[:3]) },
		"point":      func(o []scene.Object) { o[2] = scene.NewPoints("p", at(0, 0, 0), tetrahedron[:3], 0.1) },
		"radius":     func(o []scene.Object) { o[2] = scene.NewPoints("p", at(0, 0, 0), tetrahedron, 0.2) },
		"link":       func(o []scene.Object) { o[3].AttachedTo = "wrist" },
		"touch link": func(o []scene.Object) { o[3].TouchLinks = []string{"r"} },
	} {
		objects := base()
		change(objects)
		s, err := scene.New("", objects...)
		add(name, s, err)
	}
	s, err := scene.New("map", base()...)
	add("frame", s, err)
	s, err = scene.New("", base()[:3]...)
	add("one less", s, err)
	s, err = mustNew(t, "", base()...).WithAllowed([2]string{"a", "hand"})
	add("allowed", s, err)
	s, err = mustNew(t, "", base()...).WithLinkPadding(map[string]float64{"hand": 0.01})
	add("link padding", s, err)
}

// A snapshot reached by changes has the hash of one built at once.
func TestHashIsOfTheContent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := scene.New("")
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			id := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "id")
			if s.Object(id) >= 0 && rapid.Bool().Draw(t, "remove") {
				s, err = s.Without(id)
			} else {
				s, err = s.With(cube(id, rapid.Float64Range(-1, 1).Draw(t, "x")))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		fresh, err := scene.New("", s.Objects...)
		if err != nil {
			t.Fatal(err)
		}
		if fresh.Hash != s.Hash {
			t.Fatalf("hash %x after changes, %x built at once", s.Hash, fresh.Hash)
		}
	})
}
