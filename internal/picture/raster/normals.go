package raster

// crease is the cosine of the angle between faces beyond which an edge looks sharp: 40 degrees.
const crease = 0.766

// crowd is the number of faces around a vertex beyond which their corners are not smoothed: the
// middle of a fan.
const crowd = 64

// Prepare computes what is shared by all pictures of a mesh. It is not safe for concurrent use;
// Render does it for meshes that lack it.
func (m *Mesh) Prepare() {
	if m.normals != nil {
		return
	}
	n := len(m.Triangles) / 3
	m.normals = make([]int16, 3*3*n+1) // never nil
	faces, units := make([]vec, n), make([]vec, n)
	for t := range n {
		a, b, c := m.vertex(m.Triangles[3*t]), m.vertex(m.Triangles[3*t+1]), m.vertex(m.Triangles[3*t+2])
		faces[t] = b.sub(a).cross(c.sub(a))
		units[t] = faces[t].unit()
	}
	first, around := m.adjacency()
	for t := range n {
		for k := range 3 {
			v := m.Triangles[3*t+k]
			sum := units[t]
			if near := around[first[v]:first[v+1]]; len(near) <= crowd {
				sum = vec{}
				for _, o := range near {
					if units[o].dot(units[t]) > crease {
						sum = sum.add(faces[o])
					}
				}
			}
			if sum.length() < 1e-150 {
				sum = units[t]
			}
			m.setNormal(3*t+k, sum.unit())
		}
	}
}

// adjacency lists the triangles around each vertex v: around[first[v]:first[v+1]].
func (m *Mesh) adjacency() (first, around []uint32) {
	first = make([]uint32, len(m.Vertices)/3+2)
	for _, v := range m.Triangles {
		first[v+2]++
	}
	for i := 2; i < len(first); i++ {
		first[i] += first[i-1]
	}
	around = make([]uint32, len(m.Triangles))
	for i, v := range m.Triangles {
		around[first[v+1]] = uint32(i / 3)
		first[v+1]++
	}
	return first, around
}

const normalUnit = 1 << 14

func (m *Mesh) setNormal(corner int, n vec) {
	for k, x := range [...]float64{n.x, n.y, n.z} {
		m.normals[3*corner+k] = int16(float64(normalUnit * x))
	}
}

// normal returns the normal of a corner.
func (m *Mesh) normal(corner uint32) vec {
	n := m.normals[3*corner:]
	return vec{float64(n[0]) / normalUnit, float64(n[1]) / normalUnit, float64(n[2]) / normalUnit}
}
