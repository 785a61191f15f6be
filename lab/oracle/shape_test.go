package oracle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// A plate whose top is the plane z = 0.
var plate = link("plate", `<origin xyz="0 0 -0.05"/><box size="2 2 0.1"/>`)

func randomRotation(r *rand.Rand) [4]float64 {
	var q [4]float64
	var sum float64
	for i := range q {
		q[i] = r.NormFloat64()
		sum += q[i] * q[i]
	}
	for i := range q {
		q[i] /= math.Sqrt(sum)
	}
	return q
}

// thirdRow is how the shape's axes rise: the z of each in the robot's frame.
func thirdRow(q [4]float64) (x, y, z float64) {
	return 2 * (q[0]*q[2] - q[1]*q[3]), 2 * (q[1]*q[2] + q[0]*q[3]), 1 - 2*(q[0]*q[0]+q[1]*q[1])
}

// lowest is the z of the lowest point of a turned shape about its origin.
func lowest(kind string, size []float64, q [4]float64) float64 {
	x, y, z := thirdRow(q)
	flat := math.Hypot(x, y)
	switch kind {
	case "box", "mesh":
		return -(math.Abs(x)*size[0] + math.Abs(y)*size[1] + math.Abs(z)*size[2]) / 2
	case "sphere":
		return -size[0]
	case "cylinder":
		return -(math.Abs(z)*size[0]/2 + flat*size[1])
	case "capsule":
		return -(math.Abs(z)*size[0]/2 + size[1])
	case "cone": // the tip up, the rim of the base down
		return math.Min(z*size[0]/2, -z*size[0]/2-flat*size[1])
	}
	panic(kind)
}

// Every shape, turned at random, is held a known gap above the plate or as much
// into it: the answer must be right for gaps far below any tolerance asked for.
func TestShapesAgainstPlateToTheLastGap(t *testing.T) {
	o := load(t, plate)
	file := write(t, t.TempDir(), "box.stl", boxMesh(1, 1, 1).stl())
	shapes := []struct {
		kind string
		size []float64
	}{
		{"box", []float64{0.25, 0.125, 0.5}},
		{"mesh", []float64{0.25, 0.125, 0.5}},
		{"sphere", []float64{0.1}},
		{"cylinder", []float64{0.3, 0.05}},
		{"capsule", []float64{0.3, 0.05}},
		{"cone", []float64{0.3, 0.1}},
	}
	r := rand.New(rand.NewPCG(3, 3))
	for _, shape := range shapes {
		t.Run(shape.kind, func(t *testing.T) {
			for _, gap := range []float64{1e-1, 1e-3, 1e-5, 1e-7, 1e-9, 1e-11} {
				for range 40 {
					q := randomRotation(r)
					for _, g := range []float64{gap, -gap} {
						at := [3]float64{r.Float64() - 0.5, r.Float64() - 0.5, g - lowest(shape.kind, shape.size, q)}
						must(t, o.ClearObjects(), o.AddObject(Object{ID: "o", Type: shape.kind, Position: at, Rotation: q, Size: shape.size, File: file}))
						pairs, err := o.Pose(World, nil)
						must(t, err)
						if (len(pairs) > 0) != (g < 0) {
							t.Errorf("gap %g at %v turned %v: pairs %v", g, at, q, pairs)
						}
						got, ok, err := o.Distance(World, nil)
						must(t, err)
						if want := math.Max(g, 0); !ok || math.Abs(got.Distance-want) > 2e-8 {
							t.Errorf("gap %g at %v turned %v: distance %+v", g, at, q, got)
						}
					}
				}
			}
		})
	}
}

// A box as a primitive and as a mesh in the same random poses must give the
// same answers, though FCL takes quite different ways.
func TestMeshBoxAgreesWithPrimitiveBox(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "box.stl", boxMesh(0.5, 0.25, 0.125).stl())
	o := start(t)
	r := rand.New(rand.NewPCG(1, 2))
	var poses [][]float64
	for range 400 {
		q := randomRotation(r)
		poses = append(poses, []float64{r.Float64() - 0.5, r.Float64() - 0.5, r.Float64() - 0.5, q[0], q[1], q[2], q[3]})
	}
	answers := func(geometry string) (distances []float64) {
		_, err := o.Robot(write(t, folder, "robot.urdf", urdf(floater(geometry)...)), "")
		must(t, err)
		must(t,
			o.AddObject(Object{ID: "box", Type: "box", Position: [3]float64{0.4}, Size: []float64{0.3, 0.4, 0.1}}),
			o.AddObject(Object{ID: "mesh", Type: "mesh", Position: [3]float64{-0.4}, Size: []float64{0.5, 1, 2}, File: folder + "/box.stl"}),
			o.AddObject(Object{ID: "can", Type: "cylinder", Position: [3]float64{0, 0.4}, Size: []float64{0.3, 0.1}}))
		for _, q := range poses {
			all, err := o.AllPairs(World, q)
			must(t, err)
			if len(all) != 3 {
				t.Fatalf("got %d pairs, want 3", len(all))
			}
			pairs, err := o.Pose(World, q)
			must(t, err)
			for _, one := range all {
				if hasPair(pairs, one.A, one.B) != (one.Distance <= 0) {
					t.Errorf("%v: pose says %v, distance %+v", q, pairs, one)
				}
				distances = append(distances, one.Distance)
			}
		}
		return distances
	}
	primitive, mesh := answers(`<box size="0.5 0.25 0.125"/>`), answers(`<mesh filename="box.stl"/>`)
	touching := 0
	for i := range primitive {
		near(t, fmt.Sprintf("distance %d", i), mesh[i], primitive[i], 1e-8)
		if primitive[i] <= 0 {
			touching++
		}
	}
	if touching < 150 || touching > 900 {
		t.Errorf("%d of %d touch: the poses test too little", touching, len(primitive))
	}
}

// Primitives made meshes: a box stays itself, round ones lose at most the
// height of their facets.
func TestFacets(t *testing.T) {
	for _, test := range []struct {
		geometry string
		loss     float64
	}{{`<box size="0.2 0.2 0.2"/>`, 0}, {`<sphere radius="0.1"/>`, 1e-3}, {`<cylinder radius="0.1" length="0.2"/>`, 1e-3}} {
		o := start(t)
		must(t, o.Facets(64))
		loadInto(t, o, link("base", test.geometry))
		must(t, o.Facets(0), o.AddObject(Object{ID: "wall", Type: "box", Position: [3]float64{0.6, 0.011, 0.007}, Size: []float64{1 - 0.2, 3, 3}}))
		got, _, err := o.Distance(World, nil)
		must(t, err)
		if got.Distance < 0.1-1e-9 || got.Distance > 0.1+test.loss+1e-9 {
			t.Errorf("%s: distance %g", test.geometry, got.Distance)
		}
	}
}

func TestDepthOfBoxes(t *testing.T) {
	o := load(t, link("base", `<box size="1 1 1"/>`))
	must(t,
		o.AddObject(Object{ID: "in", Type: "box", Position: [3]float64{0.95}, Size: []float64{1, 1, 1}}),
		o.AddObject(Object{ID: "out", Type: "box", Position: [3]float64{0, 2}, Size: []float64{1, 1, 1}}))
	got, err := o.Depths(World, nil)
	must(t, err)
	if len(got) != 1 || got[0].B != "in" {
		t.Fatalf("got %v", got)
	}
	near(t, "depth", got[0].Distance, 0.05, 1e-9)
}

func TestSolids(t *testing.T) {
	folder := t.TempDir()
	closed := boxMesh(1, 1, 1)
	write(t, folder, "closed.stl", closed.stl())
	write(t, folder, "inverted.stl", closed.inward().stl())
	write(t, folder, "open.stl", closed[1:].stl())
	write(t, folder, "cavity.stl", append(boxMesh(2, 2, 2), closed.inward()...).stl())
	write(t, folder, "two.stl", append(boxMesh(0.1, 0.1, 0.1), boxMesh(4, 4, 4)...).stl())
	write(t, folder, "small.stl", boxMesh(0.2, 0.2, 0.2).stl())
	mesh := func(name string) string { return `<mesh filename="` + name + `.stl"/>` }

	tests := []struct {
		name, inner, outer string
		x                  float64 // of the inner one
		touch              bool    // as solids
	}{
		{"sphere in mesh", `<sphere radius="0.1"/>`, mesh("closed"), 0, true},
		{"sphere beside mesh", `<sphere radius="0.1"/>`, mesh("closed"), 0.7, false},
		{"box in inverted mesh", `<box size="0.2 0.2 0.2"/>`, mesh("inverted"), 0.1, true},
		{"mesh in mesh", mesh("small"), mesh("closed"), 0.2, true},
		{"one component in mesh", mesh("two"), `<box size="1 1 1"/>`, 0, true},
		{"mesh in open mesh", mesh("small"), mesh("open"), 0, false},
		{"open mesh in mesh", mesh("open"), mesh("cavity"), 0, true}, // its faces meet the cavity's
		{"in the cavity", mesh("small"), mesh("cavity"), 0, false},
		{"in the shell", mesh("small"), mesh("cavity"), 0.75, true},
	}
	for _, test := range tests {
		o := start(t)
		_, err := o.Robot(write(t, folder, "robot.urdf", urdf(link("outer", test.outer), link("inner", test.inner),
			joint("slide", "prismatic", "outer", "inner", axisX))), "")
		must(t, err)
		must(t, o.Solid(true))
		pairs, err := o.Pose(Self, []float64{test.x})
		must(t, err)
		if (len(pairs) > 0) != test.touch {
			t.Errorf("%s: pairs %v, want touch %v", test.name, pairs, test.touch)
		}
		d, err := o.PairDistance(Pair{"inner", "outer"}, []float64{test.x})
		must(t, err)
		if (d <= 0) != test.touch {
			t.Errorf("%s: distance %g, want touch %v", test.name, d, test.touch)
		}
	}
}

// Without solids only the surfaces of meshes count; primitives stay solid.
func TestSurfaces(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "big.stl", boxMesh(1, 1, 1).stl())
	write(t, folder, "small.stl", boxMesh(0.2, 0.2, 0.2).stl())
	tests := []struct {
		name, a, b string
		touch      bool
	}{
		{"box in mesh", `<box size="0.2 0.2 0.2"/>`, `<mesh filename="big.stl"/>`, false},
		{"mesh in mesh", `<mesh filename="small.stl"/>`, `<mesh filename="big.stl"/>`, false},
		{"mesh in box", `<mesh filename="small.stl"/>`, `<box size="1 1 1"/>`, true},
		{"box in box", `<box size="0.2 0.2 0.2"/>`, `<box size="1 1 1"/>`, true},
	}
	for _, test := range tests {
		o := start(t)
		_, err := o.Robot(write(t, folder, "robot.urdf", urdf(link("a", test.a), link("b", test.b), joint("j", "fixed", "a", "b"))), "")
		must(t, err)
		pairs, err := o.Pose(Self, nil)
		must(t, err)
		if (len(pairs) > 0) != test.touch {
			t.Errorf("%s: pairs %v, want touch %v", test.name, pairs, test.touch)
		}
	}
}

// COLLADA as ROS takes it: node transforms and the unit count, the up axis does
// not; then the URDF's scale and origin.
func TestColladaUnitsAxesAndNodes(t *testing.T) {
	box := boxMesh(2, 4, 8)
	turnX := `<rotate>1 0 0 90</rotate>` // y becomes z
	tests := []struct {
		name, dae, scale string
		x, y, z          float64 // the farthest corner
	}{
		{"metres, Z up", box.dae(1, "Z_UP", ""), "1 1 1", 1, 2, 4},
		{"metres, Y up", box.dae(1, "Y_UP", ""), "1 1 1", 1, 2, 4},
		{"metres, X up", box.dae(1, "X_UP", ""), "1 1 1", 1, 2, 4},
		{"inches", box.dae(0.0254, "Z_UP", ""), "1 1 1", 0.0254, 0.0508, 0.1016},
		{"millimetres by scale", box.dae(1, "Z_UP", ""), "0.001 0.001 0.002", 0.001, 0.002, 0.008},
		{"node moves", box.dae(1, "Z_UP", "<translate>10 20 30</translate>"), "1 1 1", 11, 22, 34},
		{"node turns", box.dae(1, "Z_UP", turnX), "1 1 1", 1, 4, 2},
		{"node moves in inches", box.dae(0.0254, "Y_UP", "<translate>10 0 0</translate>"+turnX), "1 1 1", 11 * 0.0254, 4 * 0.0254, 2 * 0.0254},
		{"matrix", box.dae(1, "Z_UP", "<matrix>0 0 1 5 1 0 0 0 0 1 0 0 0 0 0 1</matrix>"), "1 1 1", 9, 1, 2},
	}
	for _, test := range tests {
		folder := t.TempDir()
		write(t, folder, "box.dae", test.dae)
		o := start(t)
		_, err := o.Robot(write(t, folder, "robot.urdf", urdf(link("base", `<mesh filename="box.dae" scale="`+test.scale+`"/>`))), "")
		must(t, err)
		for i, want := range []float64{test.x, test.y, test.z} {
			at := [3]float64{}
			at[i] = 100
			size := []float64{1000, 1000, 1000}
			size[i] = 2
			must(t, o.ClearObjects(), o.AddObject(Object{ID: "wall", Type: "box", Position: at, Size: size}))
			got, ok, err := o.Distance(World, nil)
			must(t, err)
			if !ok {
				t.Fatal("no distance")
			}
			near(t, test.name+" along "+string("xyz"[i]), 99-got.Distance, want, 1e-5)
		}
	}
}

// One file in two sizes: what is remembered of the one must not serve the other.
func TestMeshInTwoSizes(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "box.stl", boxMesh(1, 1, 1).stl())
	o := start(t)
	for _, scale := range [][]float64{{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}} {
		geometry := fmt.Sprintf(`<mesh filename="box.stl" scale="%g %g %g"/>`, scale[0], scale[1], scale[2])
		_, err := o.Robot(write(t, folder, "robot.urdf", urdf(link("base", geometry))), "")
		must(t, err)
		for i := range 3 {
			var at [3]float64
			at[i] = 3
			must(t, o.ClearObjects(), o.AddObject(Object{ID: "ball", Type: "sphere", Position: at, Size: []float64{0.5}}))
			got, _, err := o.Distance(World, nil)
			must(t, err)
			near(t, fmt.Sprintf("scale %v along %c", scale, "xyz"[i]), got.Distance, 2.5-scale[i]/2, 1e-6)
		}
	}
}

func TestMeshFilesGoneWrong(t *testing.T) {
	box := boxMesh(1, 1, 1)
	tests := map[string]string{
		"empty.stl":     "",
		"words.stl":     "these are no triangles",
		"none.stl":      triangles{}.stl(),
		"flat.stl":      triangles{{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}}.stl(),
		"truncated.dae": box.dae(1, "Z_UP", "")[:900],
		"unknown.xyz":   "1 2 3",
	}
	for name, text := range tests {
		folder := t.TempDir()
		write(t, folder, name, text)
		o := start(t)
		if info, err := o.Robot(write(t, folder, "robot.urdf", urdf(link("base", `<mesh filename="`+name+`"/>`))), ""); err == nil {
			t.Errorf("%s: loaded as %+v", name, info)
		}
	}
}

// Faces without area are left out and counted, the rest stays closed.
func TestDegenerateFacesAreCounted(t *testing.T) {
	folder := t.TempDir()
	m := append(boxMesh(1, 1, 1), [3][3]float64{{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, {0.5, 0.5, -0.5}})
	write(t, folder, "box.stl", m.stl())
	o := start(t)
	info, err := o.Robot(write(t, folder, "robot.urdf", urdf(link("base", `<mesh filename="box.stl"/>`))), "")
	must(t, err)
	want := RobotInfo{Name: "made", Links: 1, Pieces: 1, Triangles: 12, Dropped: 1, Components: 1, Open: 0}
	if info != want {
		t.Errorf("got %+v, want %+v", info, want)
	}
}
