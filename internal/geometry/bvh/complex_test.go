package bvh

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// Any set of triangles over a few points, by linear algebra over single faces: a point
// is outside if and only if what a segment from it crosses is a sum of edges, each as
// the faces that it borders. Modulo 2 and, for orientation, modulo a prime.
func TestInsideOfAnyFaces(t *testing.T) {
	in, out := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 8).Draw(t, "points")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 7))
		share := 10 + r.IntN(91) // of a hundred faces
		m := &mesh.Mesh{}
		for range n {
			m.Vertices = append(m.Vertices, geom.Vec{X: r.Float64(), Y: r.Float64(), Z: r.Float64()})
		}
		for a := range int32(n) {
			for b := range a {
				for c := range b {
					if k := [3]int32{a, b, c}; r.IntN(100) < share {
						r.Shuffle(3, func(i, j int) { k[i], k[j] = k[j], k[i] })
						m.Triangles = append(m.Triangles, k)
					}
				}
			}
		}
		if len(m.Triangles) == 0 {
			return
		}
		tree, s := OfTriangles(m, 1), mesh.SolidOf(m)
		for range 8 {
			var p geom.Vec // between the vertices
			sum := 0.0
			for _, v := range m.Vertices {
				by := r.ExpFloat64()
				p, sum = geom.Vec{X: p.X + by*v.X, Y: p.Y + by*v.Y, Z: p.Z + by*v.Z}, sum+by
			}
			p = geom.Vec{X: p.X / sum, Y: p.Y / sum, Z: p.Z / sum}
			want := enclosedByFaces(m, p, 2) || enclosedByFaces(m, p, 1_000_000_007)
			got, ok := Inside(tree, m, s, p)
			if !ok || got != want && !(s.Ambiguous && got) {
				t.Fatalf("%v: inside %v (%v), want %v, ambiguous %v", p, got, ok, want, s.Ambiguous)
			}
			if got {
				in++
			} else {
				out++
			}
		}
	})
	if all := in + out; in < all/8 || out < all/8 { // -short asks for a fifth of the points
		t.Errorf("%d in, %d out: one-sided", in, out)
	}
}

// enclosedByFaces tells whether the crossings of faces above p are no sum of the rows
// of edges, modulo a prime.
func enclosedByFaces(m *mesh.Mesh, p geom.Vec, prime int) bool {
	edges := map[[2]int32][]int{}
	crossed := make([]int, len(m.Triangles))
	for k, tri := range m.Triangles {
		for i := range tri {
			a, b, by := tri[i], tri[(i+1)%3], 1
			if a > b {
				a, b, by = b, a, prime-1
			}
			if edges[[2]int32{a, b}] == nil {
				edges[[2]int32{a, b}] = make([]int, len(m.Triangles))
			}
			edges[[2]int32{a, b}][k] = by
		}
		c := corners(m, int32(k))
		turn := func(a, b geom.Vec) float64 { return (a.X-p.X)*(b.Y-p.Y) - (a.Y-p.Y)*(b.X-p.X) }
		u, v, w := turn(c[1], c[2]), turn(c[2], c[0]), turn(c[0], c[1])
		if (u > 0) == (v > 0) && (v > 0) == (w > 0) && (u*c[0].Z+v*c[1].Z+w*c[2].Z)/(u+v+w) > p.Z {
			crossed[k] = 1
			if math.Signbit(u) {
				crossed[k] = prime - 1
			}
		}
	}
	var rows [][]int
	for _, row := range edges {
		rows = append(rows, row)
	}
	rank := rankModulo(rows, prime)
	return rankModulo(append(rows, crossed), prime) > rank
}

func rankModulo(rows [][]int, prime int) (rank int) {
	left := make([][]int, len(rows))
	for i := range rows {
		left[i] = append([]int(nil), rows[i]...)
	}
	for col := 0; len(left) > 0 && col < len(left[0]); col++ {
		lead := -1
		for i := range left {
			if left[i][col] != 0 {
				lead = i
				break
			}
		}
		if lead < 0 {
			continue
		}
		row := left[lead]
		left[lead] = left[len(left)-1]
		left = left[:len(left)-1]
		rank++
		inverse := 1
		for e, x := prime-2, row[col]; e > 0; e, x = e/2, x*x%prime {
			if e%2 == 1 {
				inverse = inverse * x % prime
			}
		}
		for i := range left {
			if by := left[i][col] * inverse % prime; by != 0 {
				for k := col; k < len(row); k++ {
					left[i][k] = (left[i][k] + (prime-by)*row[k]) % prime
				}
			}
		}
	}
	return rank
}
