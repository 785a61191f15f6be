package laws

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// mesh is a triangle mesh, its vertices on the grid of dice.go where a law needs that.
type mesh struct {
	v []geom.Vec
	t [][3]int32
}

func (m *mesh) clone() *mesh { return &mesh{slices.Clone(m.v), slices.Clone(m.t)} }

// boxMesh is a closed box of the given size around a point.
func boxMesh(size, at geom.Vec) *mesh {
	m := &mesh{}
	for i := range 8 {
		s := func(bit int) float64 { return float64(2*(i>>bit&1)-1) / 2 }
		m.v = append(m.v, geom.Vec{X: at.X + s(0)*size.X, Y: at.Y + s(1)*size.Y, Z: at.Z + s(2)*size.Z})
	}
	for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		m.t = append(m.t, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

// join puts meshes into one; vertices at one place stay apart.
func join(ms ...*mesh) *mesh {
	out := &mesh{}
	for _, m := range ms {
		n := int32(len(out.v))
		out.v = append(out.v, m.v...)
		for _, t := range m.t {
			out.t = append(out.t, [3]int32{t[0] + n, t[1] + n, t[2] + n})
		}
	}
	return out
}

// lMesh is a closed, L-shaped solid that is not convex, of one surface.
func lMesh(a float64) *mesh {
	h := grid(a / 2)
	m := &mesh{}
	outline := [][2]float64{{0, 0}, {a, 0}, {a, h}, {h, h}, {h, a}, {0, a}}
	for _, z := range []float64{-h, h} {
		for _, p := range outline {
			m.v = append(m.v, geom.Vec{X: p[0] - h, Y: p[1] - h, Z: z})
		}
	}
	for i := range int32(6) {
		j := (i + 1) % 6
		m.t = append(m.t, [3]int32{i, j, j + 6}, [3]int32{i, j + 6, i + 6})
	}
	for _, c := range [][3]int32{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}} {
		m.t = append(m.t, [3]int32{c[0], c[2], c[1]}, [3]int32{c[0] + 6, c[1] + 6, c[2] + 6})
	}
	return m
}

// open returns m without its last two triangles.
func (m *mesh) open() *mesh { return &mesh{m.v, m.t[:len(m.t)-2]} }

// reversed turns every triangle for which turn says so.
func (m *mesh) reversed(turn func(i int) bool) *mesh {
	out := m.clone()
	for i, t := range out.t {
		if turn(i) {
			out.t[i] = [3]int32{t[0], t[2], t[1]}
		}
	}
	return out
}

// doubled has every triangle twice, the second time reversed or not.
func (m *mesh) doubled(reversed bool) *mesh {
	twin := m.reversed(func(int) bool { return reversed })
	return &mesh{m.v, append(slices.Clone(m.t), twin.t...)}
}

// shuffled has the triangles and the vertices in another order, and each triangle
// begin with another corner.
func (m *mesh) shuffled(d dice) *mesh {
	to := d.Perm(len(m.v))
	out := &mesh{v: make([]geom.Vec, len(m.v))}
	for i, v := range m.v {
		out.v[to[i]] = v
	}
	for _, i := range d.Perm(len(m.t)) {
		t, k := m.t[i], d.IntN(3)
		out.t = append(out.t, [3]int32{int32(to[t[k]]), int32(to[t[(k+1)%3]]), int32(to[t[(k+2)%3]])})
	}
	return out
}

// split gives every triangle vertices of its own.
func (m *mesh) split() *mesh {
	out := &mesh{}
	for _, t := range m.t {
		n := int32(len(out.v))
		out.v = append(out.v, m.v[t[0]], m.v[t[1]], m.v[t[2]])
		out.t = append(out.t, [3]int32{n, n + 1, n + 2})
	}
	return out
}

// quartered has each triangle in four, cut at the middles of its sides: the same
// points, exactly, where the vertices are on the grid.
func (m *mesh) quartered() *mesh {
	out := &mesh{v: slices.Clone(m.v)}
	middle := map[[2]int32]int32{}
	mid := func(a, b int32) int32 {
		k := [2]int32{min(a, b), max(a, b)}
		if i, ok := middle[k]; ok {
			return i
		}
		middle[k] = int32(len(out.v))
		out.v = append(out.v, r3.Scale(0.5, r3.Add(m.v[a], m.v[b])))
		return middle[k]
	}
	for _, t := range m.t {
		ab, bc, ca := mid(t[0], t[1]), mid(t[1], t[2]), mid(t[2], t[0])
		out.t = append(out.t, [3]int32{t[0], ab, ca}, [3]int32{ab, t[1], bc}, [3]int32{ca, bc, t[2]}, [3]int32{ab, bc, ca})
	}
	return out
}

// scaled has all vertices multiplied.
func (m *mesh) scaled(k float64) *mesh {
	out := m.clone()
	for i := range out.v {
		out.v[i] = r3.Scale(k, out.v[i])
	}
	return out
}

// rpyOf returns the angles of a rotation as URDF spells it.
func rpyOf(r geom.Rot) geom.Vec {
	pitch := math.Atan2(-r.ZX, math.Hypot(r.XX, r.YX))
	if math.Hypot(r.XX, r.YX) < 1e-9 {
		return geom.Vec{X: math.Atan2(-r.YZ, r.YY), Y: pitch}
	}
	return geom.Vec{X: math.Atan2(r.ZY, r.ZZ), Y: pitch, Z: math.Atan2(r.YX, r.XX)}
}

func posed(p geom.Pose) pose { return pose{xyz: p.P, rpy: rpyOf(p.R)} }
