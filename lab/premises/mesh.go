package premises

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// triangles is a mesh as files have it: corners by position.
type triangles [][3]vec

// boxMesh is a closed box; its sides are cut at random.
func (d dice) boxMesh(lo, hi vec) triangles {
	corner := func(k int) vec {
		v := lo
		for i := range v {
			if k>>i&1 == 1 {
				v[i] = hi[i]
			}
		}
		return v
	}
	return d.hexahedron(corner)
}

func (d dice) hexahedron(corner func(int) vec) triangles {
	var m triangles
	for _, q := range [...][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		a, b, c, e := corner(q[0]), corner(q[1]), corner(q[2]), corner(q[3])
		if d.chance(0.5) {
			m = append(m, [3]vec{a, b, c}, [3]vec{a, c, e})
		} else {
			m = append(m, [3]vec{a, b, e}, [3]vec{b, c, e})
		}
	}
	return m
}

// solidMesh is a closed mesh within half of size around the origin: a box, a tetrahedron, a prism or a
// ball with few sides.
func (d dice) solidMesh(size float64) triangles {
	half := vec{d.between(0.5, 1) * size / 2, d.between(0.5, 1) * size / 2, d.between(0.5, 1) * size / 2}.grid()
	switch d.IntN(4) {
	case 0:
		t := d.between(0.6, 1) * size / 2
		a, b, c, e := vec{t, t, t}.grid(), vec{t, -t, -t}.grid(), vec{-t, t, -t}.grid(), vec{-t, -t, t}.grid()
		return triangles{{a, b, c}, {a, c, e}, {a, e, b}, {b, e, c}}
	case 1:
		return d.prism(3+d.IntN(5), half)
	}
	return d.boxMesh(half.times(-1), half)
}

func (d dice) prism(n int, half vec) triangles {
	at := func(k int, z float64) vec {
		a := 2 * math.Pi * float64(k%n) / float64(n)
		return vec{half[0] * math.Cos(a), half[1] * math.Sin(a), z}.grid()
	}
	var m triangles
	for k := range n {
		a, b, c, e := at(k, -half[2]), at(k+1, -half[2]), at(k, half[2]), at(k+1, half[2])
		m = append(m, [3]vec{a, b, e}, [3]vec{a, e, c})
		if k > 0 && k < n-1 {
			m = append(m, [3]vec{at(0, -half[2]), b, a}, [3]vec{at(0, half[2]), c, e})
		}
	}
	return m
}

func (m triangles) moved(by vec) triangles {
	out := make(triangles, len(m))
	for i, t := range m {
		for k := range t {
			out[i][k] = t[k].plus(by).grid()
		}
	}
	return out
}

func (m triangles) scaled(by float64) triangles {
	out := make(triangles, len(m))
	for i, t := range m {
		for k := range t {
			out[i][k] = t[k].times(by)
		}
	}
	return out
}

func (m triangles) turnedOver() triangles {
	out := make(triangles, len(m))
	for i, t := range m {
		out[i] = [3]vec{t[0], t[2], t[1]}
	}
	return out
}

// subdivided cuts each face in four.
func (m triangles) subdivided() triangles {
	var out triangles
	for _, t := range m {
		mid := func(a, b vec) vec { return a.plus(b).times(0.5) }
		x, y, z := mid(t[0], t[1]), mid(t[1], t[2]), mid(t[2], t[0])
		out = append(out, [3]vec{t[0], x, z}, [3]vec{x, t[1], y}, [3]vec{z, y, t[2]}, [3]vec{x, y, z})
	}
	return out
}

// oddKinds are the meshes that exporters make and textbooks leave out.
var oddKinds = []string{
	"plain", "doubled", "doubled turned over", "some faces turned over", "inside out", "open", "doubled open",
	"overlapping", "overlapping turned over", "sharing a vertex", "sharing a vertex inside", "sharing an edge",
	"sharing a face", "sharing a face stored once", "inner shell", "inner shell turned over", "fin", "apart", "subdivided",
	"walls of a grid", "mixed",
}

// oddMesh is a mesh of the kind within some size/2 of the origin.
func (d dice) oddMesh(kind string, size float64) triangles {
	m := d.solidMesh(size)
	box := func(lo, hi vec) triangles { return d.boxMesh(lo.grid(), hi.grid()) }
	s := size / 2
	switch kind {
	case "doubled":
		m = append(m, m...)
	case "doubled turned over":
		m = append(m, m.turnedOver()...)
	case "some faces turned over":
		for i := range m {
			if d.chance(0.5) {
				m[i] = [3]vec{m[i][0], m[i][2], m[i][1]}
			}
		}
	case "inside out":
		m = m.turnedOver()
	case "open":
		m = m[1+d.IntN(2):]
	case "doubled open":
		m = m[1+d.IntN(2):]
		m = append(m, m.turnedOver()...)
	case "overlapping", "overlapping turned over":
		other := d.solidMesh(size * d.between(0.6, 1)).moved(d.in(s / 2).grid())
		if kind != "overlapping" {
			other = other.turnedOver()
		}
		m = append(m, other...)
	case "sharing a vertex":
		m = append(box(vec{-s, -s, -s}, vec{0, 0, 0}), box(vec{0, 0, 0}, vec{s, s, s})...)
	case "sharing a vertex inside": // a box, and one turned about a corner of it so that they overlap
		a := box(vec{-s, -s, -s}, vec{s / 2, s / 2, s / 2})
		axes := [3]vec{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}
		for i := range axes {
			axes[i] = axes[i].plus(d.in(0.5)).times(d.between(0.5, 1.2) * s)
		}
		b := d.hexahedron(func(k int) vec {
			v := vec{s / 2, s / 2, s / 2}
			for i := range axes {
				if k>>i&1 == 1 {
					v = v.plus(axes[i])
				}
			}
			return v.grid()
		})
		if d.chance(0.5) {
			b = b.turnedOver()
		}
		m = append(a, b...)
	case "sharing an edge":
		m = append(box(vec{-s, -s, -s}, vec{0, 0, s}), box(vec{0, 0, -s}, vec{s, s, s})...)
	case "sharing a face", "sharing a face stored once":
		// Both walls are cut the same way, so that they are the same two triangles.
		plain := dice{newDice(1, 1).Rand}
		a := plain.boxMesh(vec{-s, -s, -s}.grid(), vec{0, s, s}.grid())
		b := make(triangles, len(a))
		for i, t := range a { // mirrored at the wall
			for k := range t {
				b[i][k] = vec{-t[k][0] + 0, t[k][1], t[k][2]}
			}
		}
		m = append(a, b.turnedOver()...)
		if kind != "sharing a face" {
			var kept triangles
			for i, t := range m {
				if i >= len(a) && t[0][0] == 0 && t[1][0] == 0 && t[2][0] == 0 {
					continue
				}
				kept = append(kept, t)
			}
			m = kept
		}
	case "inner shell", "inner shell turned over":
		inner := m.scaled(0.5)
		if kind != "inner shell" {
			inner = inner.turnedOver()
		}
		m = append(m, inner...)
	case "fin":
		t := m[d.IntN(len(m))]
		m = append(m, [3]vec{t[0], t[1], t[0].plus(t[1]).times(0.75).grid()})
	case "apart":
		m = append(m.scaled(0.5).moved(vec{-s / 2, 0, 0}), d.solidMesh(size*0.4).moved(vec{s * 0.7, 0, 0})...)
	case "subdivided":
		m = m.subdivided()
	case "walls of a grid":
		m = d.walls(size)
	case "mixed":
		a, b := pick(d, oddKinds[:len(oddKinds)-1]...), pick(d, oddKinds[:len(oddKinds)-1]...)
		m = append(d.oddMesh(a, size*0.8), d.oddMesh(b, size*0.7).moved(d.in(s/2).grid())...)
		for range d.IntN(6) {
			m = append(m, m[d.IntN(len(m))])
		}
	}
	if d.chance(0.5) {
		d.Shuffle(len(m), func(i, j int) { m[i], m[j] = m[j], m[i] })
	}
	for i := range m {
		k := d.IntN(3)
		m[i] = [3]vec{m[i][k], m[i][(k+1)%3], m[i][(k+2)%3]}
	}
	return m
}

// walls are some of those between the cells of a grid, one of them perhaps twice, each turned at
// random: edges of up to four faces, and rooms with and without doors.
func (d dice) walls(size float64) triangles {
	n := 1 + d.IntN(3)
	step := grid(size / float64(n))
	keep := d.between(0.6, 1)
	var m triangles
	for axis := range 3 {
		for i := range n + 1 {
			for j := range n {
				for k := range n {
					if !d.chance(keep) {
						continue
					}
					at := func(u, v int) vec {
						var p vec
						p[axis], p[(axis+1)%3], p[(axis+2)%3] = float64(i), float64(j+u), float64(k+v)
						for x := range p {
							p[x] = p[x]*step - size/2
						}
						return p.grid()
					}
					for _, t := range [][3]vec{{at(0, 0), at(1, 0), at(1, 1)}, {at(0, 0), at(1, 1), at(0, 1)}} {
						if d.chance(0.5) {
							t[0], t[1] = t[1], t[0]
						}
						m = append(m, t)
						if d.chance(0.1) {
							m = append(m, t)
						}
					}
				}
			}
		}
	}
	if len(m) == 0 {
		return d.solidMesh(size)
	}
	return m
}

// write returns the mesh as a file of a format: stl, stlb (binary), obj or dae.
func (m triangles) write(format string) []byte {
	var b bytes.Buffer
	switch format {
	case "stl":
		b.WriteString("solid made\n")
		for _, t := range m {
			b.WriteString("facet normal 0 0 0\nouter loop\n")
			for _, v := range t {
				fmt.Fprintf(&b, "vertex %.17g %.17g %.17g\n", v[0], v[1], v[2])
			}
			b.WriteString("endloop\nendfacet\n")
		}
		b.WriteString("endsolid made\n")
	case "stlb":
		b.Write(make([]byte, 80))
		binary.Write(&b, binary.LittleEndian, uint32(len(m)))
		for _, t := range m {
			record := make([]float32, 3, 12)
			for _, v := range t {
				record = append(record, float32(v[0]), float32(v[1]), float32(v[2]))
			}
			binary.Write(&b, binary.LittleEndian, record)
			b.Write([]byte{0, 0})
		}
	case "obj":
		index := map[vec]int{}
		var faces strings.Builder
		for _, t := range m {
			faces.WriteString("f")
			for _, v := range t {
				if index[v] == 0 {
					index[v] = len(index) + 1
					fmt.Fprintf(&b, "v %.17g %.17g %.17g\n", v[0], v[1], v[2])
				}
				fmt.Fprintf(&faces, " %d", index[v])
			}
			faces.WriteString("\n")
		}
		b.WriteString(faces.String())
	case "dae", "daemm":
		unit, transform := 1.0, ""
		if format == "daemm" { // millimetres, under a node that turns and moves them
			unit, transform = 0.001, "<translate>1000 0 0</translate><rotate>0 0 1 90</rotate>"
			m = m.scaled(1000)
			for i, t := range m {
				for k, v := range t {
					m[i][k] = vec{v[1], 1000 - v[0], v[2]}
				}
			}
		}
		var positions, indices strings.Builder
		for i, t := range m {
			for k, v := range t {
				fmt.Fprintf(&positions, "%.17g %.17g %.17g ", v[0], v[1], v[2])
				fmt.Fprintf(&indices, "%d ", 3*i+k)
			}
		}
		n := 3 * len(m)
		fmt.Fprintf(&b, collada, unit, 3*n, positions.String(), n, len(m), indices.String(), transform)
	default:
		panic(format)
	}
	return b.Bytes()
}

const collada = `<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="made" meter="%g"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="%d">%s</float_array><technique_common>
<accessor source="#pa" count="%d" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
</technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="%d"><input semantic="VERTEX" source="#v" offset="0"/><p>%s</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n">%s<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene>
</COLLADA>`
