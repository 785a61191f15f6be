package verify

import (
	"cmp"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// A mesh is an unordered list of triangles. Its faces determine what it encloses: the
// triangles by the positions of their corners, each once, whatever the order of the corners
// and however often it is stored. Faces across an edge that only two of them share belong to
// one patch, so that the surface is cut along the edges where three or more meet.

// face is a triangle of the mesh with its corners by position.
type face struct {
	triangle int32
	corner   [3]int32
	patch    int32
	turned   bool // opposite to the orientation of its patch
}

// patches is a surface cut into patches.
type patches struct {
	faces      []face
	orientable []bool // per patch
	seams      []seam
}

// seam is an edge not shared by exactly two faces.
type seam []seamFace

// seamFace is a face at a seam, and whether it runs along the edge in its patch's orientation,
// 1, or against it, -1.
type seamFace struct {
	patch int32
	sign  int
}

func newPatches(m *mesh.Mesh, places []int32) *patches {
	p := &patches{faces: facesOf(m, places)}
	edges := p.edges()
	var cuts [][]edge
	sets := newSets(len(p.faces))
	next := make([][]edge, len(p.faces)) // the edges to a face's neighbours, in its orientation
	for len(edges) > 0 {
		n := 1
		for n < len(edges) && edges[n].ends == edges[0].ends {
			n++
		}
		e := edges[:n]
		if edges = edges[n:]; n != 2 {
			cuts = append(cuts, e)
			continue
		}
		sets.join(e[0].face, e[1].face)
		agree := e[0].sign != e[1].sign
		next[e[0].face] = append(next[e[0].face], edge{face: e[1].face, agree: agree})
		next[e[1].face] = append(next[e[1].face], edge{face: e[0].face, agree: agree})
	}
	p.number(sets)
	p.orient(next)
	for _, cut := range cuts {
		s := make(seam, len(cut))
		for i, e := range cut {
			f := &p.faces[e.face]
			s[i] = seamFace{f.patch, e.sign}
			if f.turned {
				s[i].sign = -e.sign
			}
		}
		p.seams = append(p.seams, s)
	}
	return p
}

// placesOf numbers the vertices of a mesh by their positions: -0 is 0.
func placesOf(m *mesh.Mesh) []int32 {
	numbers := make(map[geom.Vec]int32, len(m.Vertices))
	places := make([]int32, len(m.Vertices))
	for i, v := range m.Vertices {
		v = geom.Vec{X: v.X + 0, Y: v.Y + 0, Z: v.Z + 0} // -0 + 0 is 0
		k, known := numbers[v]
		if !known {
			k = int32(len(numbers))
			numbers[v] = k
		}
		places[i] = k
	}
	return places
}

// facesOf returns the faces of a mesh; of triangles with the same corners the first.
func facesOf(m *mesh.Mesh, place []int32) []face {
	type key struct {
		sorted   [3]int32
		triangle int32
	}
	keys := make([]key, 0, len(m.Triangles))
	for i, t := range m.Triangles {
		c := [3]int32{place[t[0]], place[t[1]], place[t[2]]}
		if c[0] == c[1] || c[1] == c[2] || c[2] == c[0] {
			continue
		}
		slices.Sort(c[:])
		keys = append(keys, key{c, int32(i)})
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(slices.Compare(a.sorted[:], b.sorted[:]), cmp.Compare(a.triangle, b.triangle))
	})
	keys = slices.CompactFunc(keys, func(a, b key) bool { return a.sorted == b.sorted })
	out := make([]face, len(keys))
	for i, k := range keys {
		t := m.Triangles[k.triangle]
		out[i] = face{triangle: k.triangle, corner: [3]int32{place[t[0]], place[t[1]], place[t[2]]}}
	}
	return out
}

// edge is an edge of a face: from the smaller end to the larger where sign is 1.
type edge struct {
	ends  [2]int32
	face  int32
	sign  int
	agree bool // the faces on both sides have the same orientation
}

// edges returns the faces' edges, those with the same ends one after the other.
func (p *patches) edges() []edge {
	out := make([]edge, 0, 3*len(p.faces))
	for i := range p.faces {
		for k := range 3 {
			a, b, sign := p.faces[i].corner[k], p.faces[i].corner[(k+1)%3], 1
			if a > b {
				a, b, sign = b, a, -1
			}
			out = append(out, edge{ends: [2]int32{a, b}, face: int32(i), sign: sign})
		}
	}
	slices.SortFunc(out, func(a, b edge) int { return slices.Compare(a.ends[:], b.ends[:]) })
	return out
}

// number assigns each face the number of its patch.
func (p *patches) number(s sets) {
	numbers := map[int32]int32{}
	for i := range p.faces {
		r := s.find(int32(i))
		n, known := numbers[r]
		if !known {
			n = int32(len(numbers))
			numbers[r] = n
		}
		p.faces[i].patch = n
	}
	p.orientable = make([]bool, len(numbers))
	for i := range p.orientable {
		p.orientable[i] = true
	}
}

// orient orients the faces of each patch consistently, if possible.
func (p *patches) orient(next [][]edge) {
	seen := make([]bool, len(p.faces))
	for i := range p.faces {
		if seen[i] {
			continue
		}
		seen[i] = true
		for queue := []int32{int32(i)}; len(queue) > 0; queue = queue[1:] {
			f := &p.faces[queue[0]]
			for _, e := range next[queue[0]] {
				g := &p.faces[e.face]
				turned := f.turned == e.agree
				if !seen[e.face] {
					seen[e.face], g.turned = true, turned
					queue = append(queue, e.face)
				} else if g.turned != turned {
					p.orientable[g.patch] = false
				}
			}
		}
	}
}
