package static

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// solid is what of a mesh may enclose something together: patches that are connected by
// edges of more than two faces. A patch is a set of faces connected by edges of two.
type solid struct {
	faces   []face
	box     geom.Box
	patches int
	// Bases of the sets of patches that every edge bounds an even number of times, and of
	// those whose faces, turned alike within a patch, cancel at every edge (in a field of
	// prime elements).
	parity, winding [][]int64
	// entangled is a solid of too many patches for bases: every patch counts by itself.
	entangled bool
}

type face struct {
	v     [3]geom.Vec
	patch int32
	sign  int64 // -1 where it is turned against its patch
}

// mostPatches bounds the work of finding bases, which grows with the third power.
const mostPatches = 300

// components finds a mesh's solids and a vertex of each of its connected components.
func components(m *mesh.Mesh, pose geom.Pose) ([]solid, []geom.Vec) {
	s := newSurface(m)
	s.cut()
	clusters := s.clusters()
	solids := make([]solid, 0, len(clusters))
	for _, patches := range clusters {
		if c, ok := s.solid(m, patches, pose); ok {
			solids = append(solids, c)
		}
	}
	return solids, s.probes(m, pose)
}

// surface is a mesh's faces by the positions of their corners, each three once.
type surface struct {
	faces [][3]int32 // corners, equal where their positions are
	at    []int32    // a vertex of the mesh by corner
	edges map[[2]int32][]int32
	patch []int32 // by face
	sign  []int64
	torn  []bool // by patch: its faces cannot be turned alike
}

func newSurface(m *mesh.Mesh) *surface {
	s := &surface{edges: map[[2]int32][]int32{}}
	corner := make([]int32, len(m.Vertices))
	seen := make(map[geom.Vec]int32, len(m.Vertices))
	for i, v := range m.Vertices {
		k := geom.Vec{X: v.X + 0, Y: v.Y + 0, Z: v.Z + 0} // one zero
		c, ok := seen[k]
		if !ok {
			c = int32(len(s.at))
			seen[k], s.at = c, append(s.at, int32(i))
		}
		corner[i] = c
	}
	known := make(map[[3]int32]bool, len(m.Triangles))
	for _, t := range m.Triangles {
		f := [3]int32{corner[t[0]], corner[t[1]], corner[t[2]]}
		k := f
		slices.Sort(k[:])
		if k[0] == k[1] || k[1] == k[2] || known[k] {
			continue
		}
		known[k] = true
		for i := range 3 {
			e := [2]int32{min(f[i], f[(i+1)%3]), max(f[i], f[(i+1)%3])}
			s.edges[e] = append(s.edges[e], int32(len(s.faces)))
		}
		s.faces = append(s.faces, f)
	}
	return s
}

// along is 1 where a face runs through an edge from its lesser corner to the greater, else -1.
func (s *surface) along(f int32, e [2]int32) int64 {
	c := &s.faces[f]
	for i := range 3 {
		if c[i] == e[0] && c[(i+1)%3] == e[1] {
			return 1
		}
	}
	return -1
}

// cut finds the patches, and how each face is turned in its own.
func (s *surface) cut() {
	s.patch, s.sign = make([]int32, len(s.faces)), make([]int64, len(s.faces))
	for i := range s.patch {
		s.patch[i] = -1
	}
	for first := range s.faces {
		if s.patch[first] >= 0 {
			continue
		}
		id := int32(len(s.torn))
		s.torn = append(s.torn, false)
		s.patch[first], s.sign[first] = id, 1
		for todo := []int32{int32(first)}; len(todo) > 0; {
			f := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			c := s.faces[f]
			for i := range 3 {
				e := [2]int32{min(c[i], c[(i+1)%3]), max(c[i], c[(i+1)%3])}
				of := s.edges[e]
				if len(of) != 2 {
					continue
				}
				g := of[0] + of[1] - f
				sign := -s.sign[f] * s.along(f, e) * s.along(g, e)
				if s.patch[g] < 0 {
					s.patch[g], s.sign[g] = id, sign
					todo = append(todo, g)
				} else if s.sign[g] != sign {
					s.torn[id] = true
				}
			}
		}
	}
}

// clusters are patches connected by edges of other than two faces.
func (s *surface) clusters() [][]int32 {
	u := newUnion(len(s.torn))
	for _, of := range s.edges {
		if len(of) != 2 {
			for _, f := range of[1:] {
				u.join(int(s.patch[of[0]]), int(s.patch[f]))
			}
		}
	}
	index := map[int]int{}
	var out [][]int32
	for p := range s.torn {
		r := u.root(p)
		if _, ok := index[r]; !ok {
			index[r], out = len(out), append(out, nil)
		}
		out[index[r]] = append(out[index[r]], int32(p))
	}
	return out
}

// solid makes one of a cluster; false where it encloses nothing.
func (s *surface) solid(m *mesh.Mesh, patches []int32, pose geom.Pose) (solid, bool) {
	c := solid{box: geom.EmptyBox(), patches: len(patches), entangled: len(patches) > mostPatches}
	local := make(map[int32]int32, len(patches))
	for i, p := range patches {
		local[p] = int32(i)
	}
	if !c.entangled {
		odd, sum := s.equations(patches, local)
		c.parity, c.winding = kernel(odd, len(patches), 2), kernel(sum, len(patches), prime)
		if len(c.parity)+len(c.winding) == 0 {
			return c, false
		}
	}
	for i, f := range s.faces {
		p, ok := local[s.patch[i]]
		if !ok || !c.entangled && !counts(c.parity, p) && !counts(c.winding, p) {
			continue
		}
		x := face{patch: p, sign: s.sign[i]}
		for k := range f {
			x.v[k] = pose.Apply(m.Vertices[s.at[f[k]]])
			c.box = c.box.Extend(x.v[k])
		}
		c.faces = append(c.faces, x)
	}
	return c, true
}

// counts tells whether a patch is in one of a basis.
func counts(basis [][]int64, patch int32) bool {
	return slices.ContainsFunc(basis, func(v []int64) bool { return v[patch] != 0 })
}

// equations say what every edge asks of the patches of a cluster.
func (s *surface) equations(patches []int32, local map[int32]int32) (odd, sum [][]int64) {
	have := map[string]bool{}
	add := func(to [][]int64, kind string, row []int64) [][]int64 {
		text := kind + fmt.Sprint(row)
		if have[text] || !slices.ContainsFunc(row, func(x int64) bool { return x != 0 }) {
			return to
		}
		have[text] = true
		return append(to, row)
	}
	for e, of := range s.edges {
		if len(of) == 2 {
			continue // within a patch, whose faces cancel or which is torn
		}
		if _, ok := local[s.patch[of[0]]]; !ok {
			continue
		}
		o, w := make([]int64, len(patches)), make([]int64, len(patches))
		for _, f := range of {
			p := local[s.patch[f]]
			o[p] ^= 1
			w[p] += s.sign[f] * s.along(f, e)
		}
		for i := range w {
			w[i] = (w[i] + prime) % prime
		}
		odd, sum = add(odd, "odd", o), add(sum, "sum", w)
	}
	for i, p := range patches {
		if s.torn[p] {
			row := make([]int64, len(patches))
			row[i] = 1
			sum = append(sum, row)
		}
	}
	return odd, sum
}

// prime is one below 2^31, so that products fit. A sum of crossings is far less.
const prime = 2147483647

// kernel is a basis of what solves the equations in the field of p elements.
func kernel(rows [][]int64, columns int, p int64) [][]int64 {
	pivots := make([]int, 0, columns) // the column of each row that is done
	free := make([]int, 0, columns)
	for c := range columns {
		r := len(pivots)
		k := slices.IndexFunc(rows[r:], func(row []int64) bool { return row[c] != 0 })
		if k < 0 {
			free = append(free, c)
			continue
		}
		rows[r], rows[r+k] = rows[r+k], rows[r]
		inverse := power(rows[r][c], p-2, p)
		for i := range rows[r] {
			rows[r][i] = rows[r][i] * inverse % p
		}
		for i, row := range rows {
			if f := row[c]; i != r && f != 0 {
				for j := range row {
					row[j] = (row[j] + (p-f)*rows[r][j]) % p
				}
			}
		}
		pivots = append(pivots, c)
	}
	out := make([][]int64, len(free))
	for i, c := range free {
		out[i] = make([]int64, columns)
		out[i][c] = 1
		for r, at := range pivots {
			out[i][at] = (p - rows[r][c]) % p
		}
	}
	return out
}

func power(x, n, p int64) int64 {
	y := int64(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			y = y * x % p
		}
		x = x * x % p
	}
	return y
}

// probes are a vertex of each part of the mesh that is connected through vertices.
func (s *surface) probes(m *mesh.Mesh, pose geom.Pose) []geom.Vec {
	u := newUnion(len(s.at))
	for _, f := range s.faces {
		u.join(int(f[0]), int(f[1]))
		u.join(int(f[1]), int(f[2]))
	}
	seen := map[int]bool{}
	var out []geom.Vec
	for _, f := range s.faces {
		if r := u.root(int(f[0])); !seen[r] {
			seen[r], out = true, append(out, pose.Apply(m.Vertices[s.at[f[0]]]))
		}
	}
	return out
}

// union is a forest of what belongs together.
type union []int

func newUnion(n int) union {
	u := make(union, n)
	for i := range u {
		u[i] = i
	}
	return u
}

func (u union) root(i int) int {
	for u[i] != i {
		u[i] = u[u[i]]
		i = u[i]
	}
	return i
}

func (u union) join(a, b int) { u[u.root(a)] = u.root(b) }

// rays point in no direction that a model is likely to have.
var rays = [...]geom.Vec{
	{X: 0.7071234, Y: 0.3131, Z: 0.6341},
	{X: -0.4713, Y: 0.8231, Z: 0.3171},
	{X: 0.1931, Y: -0.5717, Z: 0.7973},
	{X: -0.6173, Y: -0.3371, Z: -0.7109},
	{X: 0.8839, Y: -0.1237, Z: -0.4519},
	{X: 0.2719, Y: 0.9257, Z: -0.2633},
}

// outside tells whether a point that is on no face is certainly in no solid.
func outside(solids []solid, x geom.Vec) bool {
	for i := range solids {
		if !solids[i].outside(x) {
			return false
		}
	}
	return true
}

func (s *solid) outside(x geom.Vec) bool {
	b := &s.box
	if x.X < b.Min.X || x.Y < b.Min.Y || x.Z < b.Min.Z || x.X > b.Max.X || x.Y > b.Max.Y || x.Z > b.Max.Z {
		return true
	}
	for _, ray := range rays {
		if count, net, ok := s.crossings(x, ray); ok {
			return !s.around(count, net)
		}
	}
	return false // not certain
}

// around tells whether patches that are crossed so often, and so often in sum of the
// directions, enclose the point.
func (s *solid) around(count, net []int64) bool {
	if s.entangled {
		odd := func(n int64) bool { return n%2 != 0 }
		return slices.ContainsFunc(count, odd) || slices.ContainsFunc(net, func(n int64) bool { return n != 0 })
	}
	sum := func(basis [][]int64, times []int64, p int64) bool {
		return slices.ContainsFunc(basis, func(v []int64) bool {
			var sum int64
			for i, n := range times {
				sum = (sum + v[i]*((n+p)%p)) % p
			}
			return sum != 0
		})
	}
	return sum(s.parity, count, 2) || sum(s.winding, net, prime)
}

// crossings counts how often a ray meets each patch, and the sum of the directions in which
// it does (Moeller, Trumbore 1997); ok is false where it passes so near an edge that
// rounding may decide.
func (s *solid) crossings(x, ray geom.Vec) (count, net []int64, ok bool) {
	const margin = 1e-9
	count, net = make([]int64, s.patches), make([]int64, s.patches)
	for i := range s.faces {
		f := &s.faces[i].v
		u, v := r3.Sub(f[1], f[0]), r3.Sub(f[2], f[0])
		p := r3.Cross(ray, v)
		det := r3.Dot(u, p)
		w := r3.Sub(x, f[0])
		q := r3.Cross(w, u)
		size := math.Sqrt(r3.Norm2(u) * r3.Norm2(v))
		if math.Abs(det) <= margin*size { // seen edge-on, or without area
			if math.Abs(r3.Dot(w, r3.Cross(u, v))) <= margin*size*(math.Sqrt(r3.Norm2(w))+size) && size > 0 {
				return nil, nil, false
			}
			continue
		}
		a, b := r3.Dot(w, p)/det, r3.Dot(ray, q)/det
		if a < -margin || b < -margin || a+b > 1+margin || r3.Dot(v, q)/det < 0 {
			continue
		}
		if a < margin || b < margin || a+b > 1-margin {
			return nil, nil, false
		}
		k := s.faces[i].patch
		count[k]++
		if det > 0 {
			net[k] += s.faces[i].sign
		} else {
			net[k] -= s.faces[i].sign
		}
	}
	return count, net, true
}
