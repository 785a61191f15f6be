package static

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Near is a distance in metres at which two bodies are not surely apart any more:
// far more than rounding, and than what single precision leaves of a vertex.
const Near = 1e-6

// Judge knows a robot and the objects around it. Use it from one goroutine at a time.
type Judge struct {
	names  []string // of links, then of objects
	links  int
	chain  *chain
	off    map[[2]string]bool
	plenty float64 // a distance in metres beyond which none is measured
	skin   float64 // of the list of neighbours

	pieces []*piece // of links, then of objects
	pairs  []pair   // those that move against each other
	rigid  []pair   // those that do not
	least  float64  // no rigid pair is nearer
	own    struct { // of links alone
		pieces, pairs, rigid int
		least                float64
	}

	at     []geom.Pose
	balls  []middle
	mid    []geom.Vec // of pieces' balls
	listed []geom.Vec // where they were when the list was made
	list   []int32    // pairs that may be near
	search search
	shapes map[*shape.Shape]*piece // of objects, in their own frame

	// What it did: configurations judged, pairs measured, searches of their trees for that
	// and leaves looked at in these, probes, lists made.
	Poses, Looks, Searches, Leaves, Insides, Lists int
}

// middle is that of a piece's ball in its frame.
type middle struct {
	frame int32
	c     geom.Vec
}

// New knows a robot whose configurations give these joints in this order; the others
// stand at zero. The pairs of links in off are not looked at.
func New(robot *urdf.Robot, joints []string, off [][2]string) (*Judge, error) {
	c, err := newChain(robot, joints)
	if err != nil {
		return nil, err
	}
	j := &Judge{chain: c, links: len(robot.Links), off: map[[2]string]bool{}, shapes: map[*shape.Shape]*piece{}}
	for _, p := range off {
		j.off[p], j.off[[2]string{p[1], p[0]}] = true, true
	}
	size := 0.0
	for i := range robot.Links {
		l := &robot.Links[i]
		j.names = append(j.names, l.Name)
		for k := range l.Collisions {
			p, err := fromShape(i, c.of[i], l.Collisions[k].Shape, c.poseFL[i].Mul(l.Collisions[k].PoseLS))
			if err != nil {
				return nil, fmt.Errorf("link %s: %w", l.Name, err)
			}
			j.pieces = append(j.pieces, p)
			size = math.Max(size, p.nodes[0].r)
		}
	}
	j.plenty, j.skin, j.least = 2*size, size/2, math.Inf(1)
	j.at = make([]geom.Pose, len(c.frames))
	c.place(make([]float64, len(joints)), j.at)
	j.pairUp(0)
	j.own.pieces, j.own.pairs, j.own.rigid, j.own.least = len(j.pieces), len(j.pairs), len(j.rigid), j.least
	return j, j.Surround(nil)
}

// fromShape makes a piece of a shape with this pose in its frame.
func fromShape(body, frame int, s *shape.Shape, pose geom.Pose) (*piece, error) {
	l := leaf{pose: pose, round: s.Radius, half: geom.Vec{Z: s.Length / 2}}
	switch s.Kind {
	case shape.Box:
		l.kind, l.half, l.round = box, r3.Scale(0.5, s.Size), 0
	case shape.Sphere:
		l.kind, l.half = sphere, geom.Vec{}
	case shape.Capsule:
		l.kind = capsule
	case shape.Cylinder, shape.Cone:
		l.kind, l.half.X, l.round = cylinder, s.Radius, 0
		if s.Kind == shape.Cone {
			l.kind = cone
		}
	case shape.Mesh:
		return fromMesh(body, frame, s, pose), nil
	case shape.Points:
		return fromPoints(body, frame, s, pose), nil
	default:
		return nil, fmt.Errorf("a shape of kind %v is not judged here", s.Kind)
	}
	p := newPiece(body, frame, []leaf{l})
	p.probes = []geom.Vec{pose.P}
	return p, nil
}

func fromPoints(body, frame int, s *shape.Shape, pose geom.Pose) *piece {
	leaves := make([]leaf, len(s.Points))
	for i, x := range s.Points {
		leaves[i] = leaf{kind: sphere, pose: geom.Pose{R: pose.R, P: pose.Apply(x)}, round: s.Radius}
	}
	p := newPiece(body, frame, leaves)
	for i := range leaves {
		p.probes = append(p.probes, leaves[i].pose.P)
	}
	return p
}

func fromMesh(body, frame int, s *shape.Shape, pose geom.Pose) *piece {
	leaves := make([]leaf, len(s.Mesh.Triangles))
	for i, t := range s.Mesh.Triangles {
		for k := range t {
			leaves[i].v[k] = pose.Apply(s.Mesh.Vertices[t[k]])
		}
	}
	p := newPiece(body, frame, leaves)
	p.solids, p.probes = components(s.Mesh, pose)
	return p
}

// Surround replaces the objects by others. A mesh is made ready once: another pose of
// it costs little.
func (j *Judge) Surround(objects []scene.Object) error {
	j.names, j.pieces, j.at = j.names[:j.links], j.pieces[:j.own.pieces], j.at[:len(j.chain.frames)]
	j.pairs, j.rigid, j.list = j.pairs[:j.own.pairs], j.rigid[:j.own.rigid], nil
	j.least = j.own.least
	for i := range objects {
		o := &objects[i]
		if o.AttachedTo != "" || o.Padding != 0 {
			return fmt.Errorf("object %s is attached or padded, which is not judged here", o.ID)
		}
		p, err := j.ready(o.Shape)
		if err != nil {
			return fmt.Errorf("object %s: %w", o.ID, err)
		}
		p.body, p.frame = int32(len(j.names)), int32(len(j.at))
		j.names, j.pieces, j.at = append(j.names, o.ID), append(j.pieces, &p), append(j.at, o.PoseWS)
	}
	j.pairUp(j.own.pieces)
	return nil
}

// ready is an object's piece in its own frame; those of meshes are kept.
func (j *Judge) ready(s *shape.Shape) (piece, error) {
	if p := j.shapes[s]; p != nil {
		return *p, nil
	}
	p, err := fromShape(0, 0, s, geom.IdentityPose())
	if err != nil {
		return piece{}, err
	}
	if s.Kind == shape.Mesh {
		j.shapes[s] = p
	}
	return *p, nil
}

// pairUp lists the pairs of links with the pieces from first on that can move, and
// measures the others once.
func (j *Judge) pairUp(first int) {
	j.mid, j.listed = make([]geom.Vec, len(j.pieces)), make([]geom.Vec, len(j.pieces))
	j.balls = j.balls[:0]
	for i, p := range j.pieces {
		j.balls = append(j.balls, middle{p.frame, p.nodes[0].c})
		apply(&j.at[p.frame], p.nodes[0].c, &j.mid[i])
	}
	links := len(j.pieces) // of links first, then of objects
	if first > 0 {
		links = first
	}
	for k := first; k < len(j.pieces); k++ {
		b := j.pieces[k]
		for i := range min(k, links) {
			a := j.pieces[i]
			if a.body != b.body && !j.off[[2]string{j.names[a.body], j.names[b.body]}] {
				j.pair(i, k, a.frame == b.frame || a.frame == 0 && int(b.body) >= j.links)
			}
		}
	}
}

// pair adds one, the piece with the smaller ball first.
func (j *Judge) pair(i, k int, still bool) {
	if j.pieces[i].nodes[0].r > j.pieces[k].nodes[0].r {
		i, k = k, i
	}
	p := pair{a: int32(i), b: int32(k), reach: (j.pieces[i].nodes[0].r + j.pieces[k].nodes[0].r) * (1 + 1e-12), apart: math.Inf(-1), guess: [2]int32{-1, -1}}
	if !still {
		j.pairs = append(j.pairs, p)
		return
	}
	j.least = math.Min(j.least, j.measure(&p, Near))
	j.rigid = append(j.rigid, p)
}

// measure is a lower bound of a pair's distance where the frames stand now.
func (j *Judge) measure(p *pair, limit float64) float64 {
	a, b := j.pieces[p.a], j.pieces[p.b]
	pa, pb := &j.at[a.frame], &j.at[b.frame]
	rot, mid := relative(pa, pb, pa.Apply(a.nodes[0].c))
	return j.look(p, a, b, pa, pb, rot, mid, limit)
}

// Place stands the robot at a configuration.
func (j *Judge) Place(q []float64) {
	j.Poses++
	j.chain.place(q, j.at)
	most := 0.0
	for i := range j.own.pieces { // what stands in the world stays there
		b := &j.balls[i]
		apply(&j.at[b.frame], b.c, &j.mid[i])
		if d := r3.Norm2(r3.Sub(j.mid[i], j.listed[i])); d > most {
			most = d
		}
	}
	// Of a pair that is not in the list, the balls were skin apart, and neither has
	// moved by a third of that.
	if j.list == nil || most > j.skin*j.skin/9 {
		j.relist()
	}
}

func (j *Judge) relist() {
	j.Lists++
	copy(j.listed, j.mid)
	if j.list == nil {
		j.list = []int32{}
	}
	j.list = j.list[:0]
	for i := range j.pairs {
		p := &j.pairs[i]
		r := p.reach + j.skin
		if r3.Norm2(r3.Sub(j.mid[p.a], j.mid[p.b])) < r*r {
			j.list = append(j.list, int32(i))
		}
	}
}

// Most is the greatest claim that Doubts judges, in metres: a sixth of the robot's largest
// piece or so.
func (j *Judge) Most() float64 { return j.skin/3 - Near }

// Rigid tells whether all pairs that do not move against each other are surely apart.
func (j *Judge) Rigid() bool { return j.least > Near }

// Doubt is a pair that the judge is not sure about.
type Doubt struct{ A, B string }

// Doubts lists the pairs that are not surely more than claim + Near apart where the
// robot stands; none means that all are. It stops at the first if told so. The
// claim is at most Most.
func (j *Judge) Doubts(claim float64, first bool) (all []Doubt) {
	limit := claim + Near
	if !(claim <= j.Most()) {
		return []Doubt{{"a claim of", fmt.Sprint(claim)}}
	}
	for _, k := range j.list {
		p := &j.pairs[k]
		x, y := &j.mid[p.a], &j.mid[p.b]
		dx, dy, dz, r := x.X-y.X, x.Y-y.Y, x.Z-y.Z, p.reach+limit
		if dx*dx+dy*dy+dz*dz > r*r {
			continue
		}
		if !j.sure(p, limit) {
			all = append(all, j.doubt(p))
			if first {
				return all
			}
		}
	}
	if limit < j.least {
		return all
	}
	for k := range j.rigid {
		if p := &j.rigid[k]; !j.sure(p, limit) {
			all = append(all, j.doubt(p))
			if first {
				return all
			}
		}
	}
	return all
}

func (j *Judge) doubt(p *pair) Doubt {
	return Doubt{j.names[j.pieces[p.a].body], j.names[j.pieces[p.b].body]}
}

// sure tells whether a pair is surely more than limit apart.
func (j *Judge) sure(p *pair, limit float64) bool {
	a, b := j.pieces[p.a], j.pieces[p.b]
	pa, pb := &j.at[a.frame], &j.at[b.frame]
	rot, mid := relative(pa, pb, j.mid[p.a])
	return p.kept(a.nodes[0].r, &rot, mid, limit) || j.look(p, a, b, pa, pb, rot, mid, limit) > limit
}
