package workload

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// cell is a robot and its surroundings under construction. Links and objects are
// made of solids; how many triangles each gets is settled at the end, when all of
// them are known.
type cell struct {
	opts Options

	links   []part
	joints  []joint
	objects []part
	rest    map[string]float64
	allowed [][2]string
	sizes   []size
	apart   bool // see partByPart
}

// size is a figure of a paper and how to find ours.
type size struct {
	what  string
	paper int
	ours  func(w *Workload) int
}

// part is a link or an object.
type part struct {
	name      string
	solids    []solid
	triangles int    // in full size; 0 until it is settled
	carrier   string // the link that an object is attached to

	made surface // in full size, where that was asked for; see share
}

// partByPart has each solid of a link be a collision element of its own, so that every
// two of different links are a pair.
func (c *cell) partByPart() { c.apart = true }

// joint is one of the robot's; links are named.
type joint struct {
	name          string
	kind          urdf.JointType
	parent, child string
	pose          geom.Pose
	axis          geom.Vec
	lower, upper  float64
}

func newCell(opts Options) *cell { return &cell{opts: opts, rest: map[string]float64{}} }

// link adds a link of the robot, made of the solids, perhaps none. The first one is
// the root.
func (c *cell) link(name string, solids ...solid) {
	c.links = append(c.links, part{name: name, solids: solids})
}

// object adds an obstacle, its solids in the world.
func (c *cell) object(name string, solids ...solid) {
	c.objects = append(c.objects, part{name: name, solids: solids})
}

// attach adds an object that the link carries, its solids in the link's frame.
func (c *cell) attach(name, link string, solids ...solid) {
	c.objects = append(c.objects, part{name: name, solids: solids, carrier: link})
}

// Axes of joints.
var (
	axisX = geom.Vec{X: 1}
	axisY = geom.Vec{Y: 1}
	axisZ = geom.Vec{Z: 1}
)

// turn hangs child on parent by a revolute joint at the given place, about an axis,
// with limits in degrees. The joint has the child's name.
func (c *cell) turn(parent, child string, at, axis geom.Vec, lower, upper float64) {
	c.hang(joint{
		name: child, kind: urdf.Revolute, parent: parent, child: child, pose: geom.Translation(at), axis: axis,
		lower: degrees(lower), upper: degrees(upper),
	})
}

// spin is turn without limits.
func (c *cell) spin(parent, child string, at, axis geom.Vec) {
	c.hang(joint{name: child, kind: urdf.Continuous, parent: parent, child: child, pose: geom.Translation(at), axis: axis})
}

// slide hangs child on parent by a prismatic joint.
func (c *cell) slide(parent, child string, at, axis geom.Vec, lower, upper float64) {
	c.hang(joint{
		name: child, kind: urdf.Prismatic, parent: parent, child: child, pose: geom.Translation(at), axis: axis,
		lower: lower, upper: upper,
	})
}

// fix puts child on parent for good.
func (c *cell) fix(parent, child string, pose geom.Pose) {
	c.hang(joint{name: child, kind: urdf.Fixed, parent: parent, child: child, pose: pose, axis: axisX})
}

func (c *cell) hang(j joint) { c.joints = append(c.joints, j) }

// float lets child move freely within the box around the parent's origin: three
// slides and three turns, yaw, pitch and roll, on links without a body.
func (c *cell) float(parent, child string, reach geom.Box, pitch, roll float64) {
	c.link(child + "_x")
	c.link(child + "_y")
	c.link(child + "_z")
	c.link(child + "_yaw")
	c.link(child + "_pitch")
	c.slide(parent, child+"_x", geom.Vec{}, axisX, reach.Min.X, reach.Max.X)
	c.slide(child+"_x", child+"_y", geom.Vec{}, axisY, reach.Min.Y, reach.Max.Y)
	c.slide(child+"_y", child+"_z", geom.Vec{}, axisZ, reach.Min.Z, reach.Max.Z)
	c.spin(child+"_z", child+"_yaw", geom.Vec{}, axisZ)
	c.turn(child+"_yaw", child+"_pitch", geom.Vec{}, axisY, -pitch, pitch)
	c.turn(child+"_pitch", child, geom.Vec{}, axisX, -roll, roll)
}

// allow says that two bodies need not stay apart.
func (c *cell) allow(a, b string) { c.allowed = append(c.allowed, [2]string{a, b}) }

// size notes a figure of the paper, and how ours is counted.
func (c *cell) size(what string, paper int, ours func(w *Workload) int) {
	c.sizes = append(c.sizes, size{what: what, paper: paper, ours: ours})
}

// What is counted.
func ofRobot(w *Workload) int { n, _ := w.Triangles(); return n }
func ofWorld(w *Workload) int { _, n := w.Triangles(); return n }
func objects(w *Workload) int { return len(w.World.Objects) }

// bodies counts the links that have one.
func bodies(w *Workload) (n int) {
	for i := range w.Robot.Links {
		if len(w.Robot.Links[i].Collisions) > 0 {
			n++
		}
	}
	return n
}

func degrees(d float64) float64 { return d * math.Pi / 180 }

// share settles how many triangles the parts get that have none yet, for n in all,
// by the square root of their area, so that small things keep their form. In full size
// what a form does not allow is made up for by the next larger ones.
func (c *cell) share(parts []part, n int) {
	var order []int
	left := 0.0
	for i := range parts {
		if len(parts[i].solids) > 0 && parts[i].triangles == 0 {
			order = append(order, i)
			left += parts[i].weight()
		}
		n -= parts[i].triangles
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(parts[a].weight(), parts[b].weight()) })
	for _, i := range order {
		p := &parts[i]
		p.triangles = max(minimum*len(p.solids), int(math.Round(float64(n)*p.weight()/left)))
		left -= p.weight()
		if c.opts.Scale == 1 {
			p.made = body(p.triangles, p.solids...)
			n -= len(p.made.triangles)
		} else {
			n -= p.triangles
		}
	}
}

// weight is the square root of the area.
func (p *part) weight() float64 {
	sum := 0.0
	for i := range p.solids {
		sum += p.solids[i].area
	}
	return math.Sqrt(sum)
}

// robotTriangles gives the robot n triangles, worldTriangles the objects.
func (c *cell) robotTriangles(n int) { c.share(c.links, n) }
func (c *cell) worldTriangles(n int) { c.share(c.objects, n) }

// workload completes the cell.
func (c *cell) workload(r *recipe) (*Workload, error) {
	w := &Workload{Name: r.name, Paper: r.paper, About: r.about, Ask: r.query, Collide: r.collide}
	w.Robot = c.robot(r.name)
	for i := range w.Robot.Joints {
		if j := &w.Robot.Joints[i]; j.Type != urdf.Fixed {
			w.Joints = append(w.Joints, j.Name)
			w.Rest = append(w.Rest, c.rest[j.Name])
		}
	}
	links := c.neighbours()
	var world [][2]string
	for _, p := range c.allowed {
		if w.Robot.Link(p[0]) >= 0 && w.Robot.Link(p[1]) >= 0 {
			links = append(links, p)
		} else {
			world = append(world, p)
		}
	}
	w.Allowed = slices.Concat(links, world)
	w.Robot.Semantic = semantic(w.Robot, links)
	if err := c.surround(w, world); err != nil {
		return nil, err
	}
	for _, s := range c.sizes {
		w.Sizes = append(w.Sizes, Size{What: s.what, Paper: s.paper, Ours: s.ours(w)})
	}
	return w, nil
}

// surround makes the world, if there is one.
func (c *cell) surround(w *Workload, allowed [][2]string) error {
	if len(c.objects) == 0 {
		return nil
	}
	var err error
	if w.World, err = c.world(); err == nil && len(allowed) > 0 {
		w.World, err = w.World.WithAllowed(allowed...)
	}
	return err
}

func (c *cell) robot(name string) *urdf.Robot {
	r := &urdf.Robot{Name: name}
	for i := range c.links {
		p := &c.links[i]
		link := urdf.Link{Name: p.name, ParentJoint: -1}
		if len(p.solids) > 0 {
			s := c.surface(p)
			pieces := []surface{s}
			if c.apart {
				pieces = s.parts()
			}
			for k := range pieces {
				name := p.name
				if c.apart {
					name += fmt.Sprintf("_%d", k)
				}
				link.Collisions = append(link.Collisions, urdf.Collision{Name: name, PoseLS: geom.IdentityPose(), Shape: pieces[k].shape(name)})
			}
		}
		r.Links = append(r.Links, link)
	}
	for _, j := range c.joints {
		parent, child := r.Link(j.parent), r.Link(j.child)
		if parent < 0 || child < 0 {
			panic(fmt.Sprintf("joint %s joins %s and %s, of which one is missing", j.name, j.parent, j.child))
		}
		r.Links[child].ParentJoint = len(r.Joints)
		out := urdf.Joint{Name: j.name, Type: j.kind, Parent: parent, Child: child, PosePC: j.pose, Axis: j.axis}
		if j.kind == urdf.Revolute || j.kind == urdf.Prismatic {
			out.Limit = urdf.Limit{Bounded: true, Lower: j.lower, Upper: j.upper, Velocity: 1}
		}
		r.Joints = append(r.Joints, out)
	}
	return r
}

// surface tessellates a part as fine as it is asked for.
func (c *cell) surface(p *part) surface {
	if len(p.made.triangles) > 0 {
		return p.made
	}
	return body(int(math.Round(float64(p.triangles)*c.opts.Scale)), p.solids...)
}

func (c *cell) world() (*scene.Snapshot, error) {
	objects := make([]scene.Object, len(c.objects))
	for i := range c.objects {
		p := &c.objects[i]
		s := c.surface(p)
		objects[i] = scene.Object{ID: p.name, PoseWS: geom.IdentityPose(), Shape: s.shape(p.name), AttachedTo: p.carrier}
	}
	return scene.New("", objects...)
}

// neighbours lists each link that has a body with the next one up the tree.
func (c *cell) neighbours() [][2]string {
	parent := map[string]string{}
	for _, j := range c.joints {
		parent[j.child] = j.parent
	}
	solid := map[string]bool{}
	for i := range c.links {
		solid[c.links[i].name] = len(c.links[i].solids) > 0
	}
	var out [][2]string
	for i := range c.links {
		name := c.links[i].name
		up := parent[name]
		for up != "" && !solid[up] {
			up = parent[up]
		}
		if up != "" && solid[name] {
			out = append(out, [2]string{up, name})
		}
	}
	return out
}

// semantic disables the pairs.
func semantic(r *urdf.Robot, pairs [][2]string) *urdf.Semantic {
	s := &urdf.Semantic{}
	for _, p := range pairs {
		a, b := r.Link(p[0]), r.Link(p[1])
		s.Disabled = append(s.Disabled, urdf.DisabledPair{A: min(a, b), B: max(a, b), Reason: "adjacent"})
	}
	slices.SortFunc(s.Disabled, func(p, q urdf.DisabledPair) int {
		if p.A != q.A {
			return p.A - q.A
		}
		return p.B - q.B
	})
	s.Disabled = slices.Compact(s.Disabled)
	return s
}

// random returns random numbers for what of that name is made.
func (c *cell) random(name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}
