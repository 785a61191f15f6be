package verify

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// prism is a closed mesh between a polygon in the plane of x and y, moved down and
// up; the fan from its first corner must stay inside.
func prism(half float64, outline ...geom.Vec) *mesh.Mesh {
	m := &mesh.Mesh{}
	n := int32(len(outline))
	for _, z := range [2]float64{-half, half} {
		for _, p := range outline {
			m.Vertices = append(m.Vertices, geom.Vec{X: p.X, Y: p.Y, Z: z})
		}
	}
	for i := range n {
		j := (i + 1) % n
		m.Triangles = append(m.Triangles, [3]int32{i, j, j + n}, [3]int32{i, j + n, i + n})
		if i > 0 && j > 0 {
			m.Triangles = append(m.Triangles, [3]int32{0, j, i}, [3]int32{n, i + n, j + n})
		}
	}
	return m
}

// hook is a V open towards x, of which no plane parts what is in its mouth.
func hook() *mesh.Mesh {
	return prism(0.3, geom.Vec{X: 0}, geom.Vec{X: 1, Y: -0.6}, geom.Vec{X: 1, Y: -0.8}, geom.Vec{X: -0.3}, geom.Vec{X: 1, Y: 0.8}, geom.Vec{X: 1, Y: 0.6})
}

// slider moves a body along x by 0.05 from where it stands; the world has one
// object.
func slider(t *testing.T, body, obstacle *shape.Shape) *prover {
	t.Helper()
	r := &urdf.Robot{
		Name: "slider", Semantic: &urdf.Semantic{},
		Links:  []urdf.Link{{Name: "base", ParentJoint: -1}, {Name: "body", Collisions: []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: body}}}},
		Joints: []urdf.Joint{{Name: "x", Type: urdf.Prismatic, Child: 1, PosePC: geom.IdentityPose(), Axis: geom.Vec{X: 1}}},
	}
	w, err := scene.New("", scene.Object{ID: "obstacle", PoseWS: turned(0.1, 0.2, 0.3, 0.01, 0.02, 0.03), Shape: obstacle})
	if err != nil {
		t.Fatal(err)
	}
	return newProver(t, r, w, &motion.Motion{Joints: []string{"x"}, Pieces: []motion.Piece{{Start: 0, End: 1, Ctrl: [][]float64{{0, 0.05}}}}})
}

func TestContainment(t *testing.T) {
	room := meshOf(boxMesh(geom.Vec{X: 1, Y: 1, Z: 1}))
	open := boxMesh(geom.Vec{X: 1, Y: 1, Z: 1})
	open.Triangles = open.Triangles[:11]
	ball := &shape.Shape{Kind: shape.Sphere, Radius: 0.1}
	grain := func(x float64) *mesh.Mesh {
		return shifted(boxMesh(geom.Vec{X: 0.02, Y: 0.02, Z: 0.02}), geom.Vec{X: x})
	}
	far := geom.Vec{X: 4}
	for _, c := range []struct {
		name           string
		body, obstacle *shape.Shape
		inside         bool
	}{
		{"a ball in a room", ball, room, true},
		{"a room around a ball", room, ball, true},
		{"a mesh in a room", meshOf(grain(0)), room, true},
		{"a room around a mesh", room, meshOf(grain(0)), true},
		{"one part in the room, one beyond", meshOf(merged(grain(4), grain(0))), room, true},
		{"one part in the room, one beyond, the other way round", meshOf(merged(grain(0), grain(4))), room, true},
		{"both beyond, on either side", meshOf(merged(grain(4), grain(-4))), room, false},
		{"one of two rooms", ball, meshOf(merged(shifted(room.Mesh, far), room.Mesh)), true},
		{"between two rooms", ball, meshOf(merged(shifted(room.Mesh, far), shifted(room.Mesh, times(-1, far)))), false},
		{"a room without a triangle is a surface", ball, meshOf(open), false},
		{"points beyond and in", &shape.Shape{Kind: shape.Points, Points: []geom.Vec{{X: 3}, {Y: 0.1}}}, room, true},
		{"points beyond", &shape.Shape{Kind: shape.Points, Points: []geom.Vec{{X: 3}, {X: -3}}}, room, false},
		{"cells beyond and in", &shape.Shape{Kind: shape.Cells, Cells: []geom.Box{{Min: geom.Vec{X: 3}, Max: geom.Vec{X: 4, Y: 1, Z: 1}}, {Max: geom.Vec{X: 0.1, Y: 0.1, Z: 0.1}}}}, room, true},
		{"in the mouth of a hook", &shape.Shape{Kind: shape.Sphere, Radius: 0.05}, meshOf(shifted(hook(), geom.Vec{X: -0.6})), false},
		{"a mesh in the mouth of a hook", meshOf(grain(0)), meshOf(shifted(hook(), geom.Vec{X: -0.6})), false},
		{"in the hook's flesh", meshOf(grain(0)), meshOf(shifted(hook(), geom.Vec{X: 0.15})), true},
	} {
		p := slider(t, c.body, c.obstacle).prove()
		_, err := p.verify()
		switch {
		case c.inside:
			refusedBecause(t, c.name, err)
			if err != nil && !strings.Contains(err.Error(), "inside") {
				t.Errorf("%s: %v", c.name, err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		}
		// Instants that the certificate names change nothing.
		p.lines = append(p.lines, line{outside: &certificate.Outside{A: 1, B: 0, Time: 0.3}}, line{outside: &certificate.Outside{A: 0, B: 1, Time: 1}})
		if _, again := p.verify(); (err == nil) != (again == nil) {
			t.Errorf("%s: with instants %v, without %v", c.name, again, err)
		}
	}
}

// Rays tell the inside of a rough ball from its outside, wherever it can be told,
// and never wrongly.
func TestLocate(t *testing.T) {
	const n, m = 24, 12
	ballMesh := &mesh.Mesh{Vertices: []geom.Vec{{Z: -1}, {Z: 1}}}
	ring := func(j, i int) int32 { return int32(2 + (j-1)*n + i%n) }
	for j := 1; j < m; j++ {
		for i := range n {
			s, c := math.Sincos(math.Pi * float64(j) / m)
			t, d := math.Sincos(2 * math.Pi * float64(i) / n)
			ballMesh.Vertices = append(ballMesh.Vertices, geom.Vec{X: s * d, Y: s * t, Z: -c})
		}
	}
	for i := range n {
		ballMesh.Triangles = append(ballMesh.Triangles, [3]int32{0, ring(1, i+1), ring(1, i)}, [3]int32{1, ring(m-1, i), ring(m-1, i+1)})
		for j := 1; j < m-1; j++ {
			ballMesh.Triangles = append(ballMesh.Triangles, [3]int32{ring(j, i), ring(j, i+1), ring(j+1, i+1)}, [3]int32{ring(j, i), ring(j+1, i+1), ring(j+1, i)})
		}
	}
	c, open := solidsIn(ballMesh)
	if len(c) != 1 || open {
		t.Fatalf("%d solids, open %v", len(c), open)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var told, untold int
	for range 2000 {
		p := ball{geom.Vec{X: 1.5 * r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}, math.Pow(10, -1-14*r.Float64())}
		if r.IntN(5) == 0 {
			p.v = ballMesh.Vertices[r.IntN(len(ballMesh.Vertices))]
		}
		d := math.Sqrt(dot(p.v, p.v))
		got := c[0].locate(p)
		switch {
		case got == unknown:
			untold++
		case got == inside && d > 1+p.err || got == outside && d < 0.95-p.err:
			t.Fatalf("%v at %g from the middle: %v", p, d, got)
		default:
			told++
		}
	}
	if told < 1000 {
		t.Errorf("told %d of %d", told, told+untold)
	}
}
