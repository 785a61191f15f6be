package mesh

// patches are the maximal sets of faces connected across edges that exactly two faces share.
type patches struct {
	// of each triangle: twice its patch, and one more if it runs against the patch's first
	// triangle; -1 for triangles that are not faces.
	of     []int32
	count  int
	oneWay []bool // the patch's faces can be oriented consistently
	single bool   // one patch of all triangles, none of which is turned
}

func (f *faces) patches() *patches {
	sets := newTurns(len(f.corners))
	for e := range len(f.edges) - 1 {
		s := f.sides[f.edges[e]:f.edges[e+1]]
		if len(s) == 2 {
			// Neighbours agree if they run along their edge in opposite directions.
			sets.join(s[0].half/3, s[1].half/3, f.forth(&s[0]) == f.forth(&s[1]))
		}
	}
	p := &patches{of: make([]int32, len(f.corners))}
	of := make([]int32, len(f.corners)) // 1 + what a set's root has in p.of, 0 where none yet
	turned := false
	for t := range p.of {
		if p.of[t] = -1; !f.is[t] {
			turned = true
			continue
		}
		root, against := sets.find(int32(t))
		if of[root] == 0 {
			of[root] = 1 + int32(2*p.count) + against // its first triangle is not turned
			p.count++
			p.oneWay = append(p.oneWay, !sets.twisted[root])
		}
		p.of[t] = (of[root] - 1) ^ against
		turned = turned || p.of[t]&1 == 1
	}
	p.single = p.count == 1 && !turned
	return p
}

// turns is a unionFind that stores for each member whether its orientation is opposite to its
// parent's.
type turns struct {
	unionFind
	against []int32
	twisted []bool // of a root: its set cannot be oriented such that all joins hold
}

func newTurns(n int) *turns {
	return &turns{unionFind: *newUnionFind(n), against: make([]int32, n), twisted: make([]bool, n)}
}

func (u *turns) find(i int32) (root, against int32) {
	for u.parent[i] != i {
		p := u.parent[i]
		u.against[i] ^= u.against[p] // a root is not turned against itself
		u.parent[i] = u.parent[p]
		against ^= u.against[i]
		i = u.parent[i]
	}
	return i, against
}

// join records that i and j have opposite orientations, or equal ones.
func (u *turns) join(i, j int32, against bool) {
	i, a := u.find(i)
	j, b := u.find(j)
	turn := a ^ b
	if against {
		turn ^= 1
	}
	if i == j {
		u.twisted[i] = u.twisted[i] || turn == 1
		return
	}
	if u.size[i] < u.size[j] {
		i, j = j, i
	}
	u.parent[j], u.against[j] = i, turn
	u.size[i] += u.size[j]
	u.twisted[i] = u.twisted[i] || u.twisted[j]
}
