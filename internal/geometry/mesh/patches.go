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
	p := &patches{of: make([]int32, len(f.corners))}
	turned := false
	for t := range p.of {
		if p.of[t] = -1; !f.is[t] {
			turned = true
			continue
		}
		root, against := f.sets.find(int32(t))
		if root == int32(t) { // it is the first of its patch
			p.of[t] = int32(2 * p.count)
			p.count++
			p.oneWay = append(p.oneWay, !f.sets.twisted[root])
			continue
		}
		p.of[t] = p.of[root] ^ against
		turned = turned || against == 1
	}
	p.single = p.count == 1 && !turned
	return p
}

// turns holds disjoint sets of 0 … n-1, with path halving, and for each member whether its
// orientation is opposite to its parent's. The smallest member of a set is its root.
type turns struct {
	up      []int32 // twice the parent, and one more if orientations are opposite
	twisted []bool  // of a root: its set cannot be oriented such that all joins hold
}

// reset makes n sets of one member each. n is at most 2^30.
func (u *turns) reset(n int) {
	u.up, u.twisted = room(u.up, n), room(u.twisted, n)
	clear(u.twisted)
	for i := range u.up {
		u.up[i] = int32(2 * i)
	}
}

func (u *turns) find(i int32) (root, against int32) {
	for u.up[i]>>1 != i {
		// A root is not turned against itself.
		up := u.up[u.up[i]>>1] ^ u.up[i]&1
		u.up[i] = up
		against ^= up & 1
		i = up >> 1
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
	if i > j {
		i, j = j, i
	}
	u.up[j] = 2*i | turn
	u.twisted[i] = u.twisted[i] || u.twisted[j]
}
