package verify

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// joint rotates about or slides along one axis. A planar joint is three of them, a moving root
// link at most two.
type joint struct {
	name   string
	parent int      // the joint whose frame this one is mounted on; -1: the scene's frame
	fixed  pose     // of this joint's frame there, with the joint at 0
	axis   geom.Vec // in its own frame
	slides bool
	source source
	tube   float64 // how far the joint may deviate from the motion

	chain []int // the joints from the root to this one, itself included
}

// source says where a joint's position comes from: mult * variable + offset, or the control
// points of a moving root link.
type source struct {
	variable     string
	mult, offset float64
	continuous   bool
	ctrl         []interval
}

// mount is where something is attached: its pose in the frame of a joint, or of the scene.
type mount struct {
	joint int
	pose  pose
}

// tree is a robot in elementary joints, parents before children.
type tree struct {
	joints []joint
	links  []mount
}

// newTree builds the tree. root, if not nil, moves the root link during a piece of the given
// duration.
func newTree(robot *urdf.Robot, root *motion.RootPiece, seconds interval) (*tree, error) {
	t := &tree{links: make([]mount, len(robot.Links))}
	children := make([][]int, len(robot.Links))
	for i := range robot.Joints {
		children[robot.Joints[i].Parent] = append(children[robot.Joints[i].Parent], i)
	}
	m, err := t.rootMount(root, seconds)
	if err != nil {
		return nil, fmt.Errorf("the root link's motion: %w", err)
	}
	t.links[robot.Root] = m
	for queue := []int{robot.Root}; len(queue) > 0; queue = queue[1:] {
		for _, i := range children[queue[0]] {
			j := &robot.Joints[i]
			if t.links[j.Child], err = t.hang(robot, j); err != nil {
				return nil, fmt.Errorf("joint %s: %w", j.Name, err)
			}
			queue = append(queue, j.Child)
		}
	}
	return t, nil
}

// hang adds the elementary joints of j and returns the mount of its child link.
func (t *tree) hang(robot *urdf.Robot, j *urdf.Joint) (mount, error) {
	own, err := loaded(&j.PosePC)
	if err != nil {
		return mount{}, err
	}
	up := t.links[j.Parent]
	at := mount{up.joint, up.pose.then(&own)}
	from := source{variable: j.Name, mult: 1, continuous: j.Type == urdf.Continuous}
	if j.Mimic != nil {
		leader := &robot.Joints[j.Mimic.Joint]
		if one := leader.Type == urdf.Revolute || leader.Type == urdf.Continuous || leader.Type == urdf.Prismatic; !one || j.Type == urdf.Planar {
			return mount{}, fmt.Errorf("it mimics %s, and one of them has no single position", leader.Name)
		}
		from = source{leader.Name, j.Mimic.Multiplier, j.Mimic.Offset, leader.Type == urdf.Continuous, nil}
	}
	switch j.Type {
	case urdf.Revolute, urdf.Continuous:
		return t.add(joint{name: j.Name, axis: j.Axis, source: from}, at)
	case urdf.Prismatic:
		return t.add(joint{name: j.Name, axis: j.Axis, slides: true, source: from}, at)
	case urdf.Planar:
		return t.addPlanar(j, at)
	case urdf.Fixed, urdf.Floating: // a floating joint is at its origin
		return at, nil
	}
	return mount{}, fmt.Errorf("it is of an unknown type")
}

// add mounts k and returns the mount of its frame.
func (t *tree) add(k joint, where mount) (mount, error) {
	if math.Abs(dot(k.axis, k.axis)-1) > 1e-9 {
		return mount{}, fmt.Errorf("its axis does not have length 1")
	}
	k.parent, k.fixed = where.joint, where.pose
	if k.parent >= 0 {
		k.chain = append(k.chain, t.joints[k.parent].chain...)
	}
	k.chain = append(k.chain, len(t.joints))
	t.joints = append(t.joints, k)
	return mount{len(t.joints) - 1, still}, nil
}

// addPlanar slides along two directions of the plane and rotates about its normal. The
// directions are x and y under the smallest rotation that takes z to the normal; for -z, where
// all rotations are equal, about x.
func (t *tree) addPlanar(j *urdf.Joint, where mount) (m mount, err error) {
	n := j.Axis
	ex, ey := 0.0, 1.0
	if h := math.Hypot(n.X, n.Y); h > 0 {
		ex, ey = n.X/h, n.Y/h
	}
	// 1 - n.Z, without cancellation.
	k := 1 - n.Z
	if n.Z > 0 {
		k = (n.X*n.X + n.Y*n.Y) / (1 + n.Z)
	}
	x := geom.Vec{X: 1 - k*ex*ex, Y: -k * ex * ey, Z: -n.X}
	y := geom.Vec{X: -k * ex * ey, Y: 1 - k*ey*ey, Z: -n.Y}
	for _, e := range [...]joint{
		{name: j.Name + "/x", axis: x, slides: true},
		{name: j.Name + "/y", axis: y, slides: true},
		{name: j.Name + "/theta", axis: n},
	} {
		e.source = source{variable: e.name, mult: 1, continuous: !e.slides}
		if where, err = t.add(e, where); err != nil {
			return mount{}, err
		}
	}
	return where, nil
}

// rootMount returns the mount of the root link: in the scene, or on joints that slide and
// rotate it at constant rates.
func (t *tree) rootMount(r *motion.RootPiece, seconds interval) (mount, error) {
	if r == nil {
		return mount{-1, still}, nil
	}
	where := mount{-1, pose{r: still.r, p: at(r.Point)}}
	var err error
	for _, e := range [...]struct {
		name   string
		rate   geom.Vec
		slides bool
	}{{"the root's slide", r.Velocity, true}, {"the root's turn", r.Turn, false}} {
		l := math.Sqrt(dot(e.rate, e.rate))
		if l == 0 && e.rate == (geom.Vec{}) {
			continue
		}
		// The errors of the length and its product are a few u, which eight cover.
		way := exactly(l).mul(seconds).mul(interval{1 - 8*u, 1 + 8*u})
		k := joint{name: e.name, axis: times(1/l, e.rate), slides: e.slides, source: source{ctrl: []interval{{}, way}}}
		if where, err = t.add(k, where); err != nil {
			return mount{}, err
		}
	}
	start, err := loaded(&r.Start)
	if err != nil {
		return mount{}, err
	}
	start.p = start.p.sub(at(r.Point))
	where.pose = where.pose.then(&start)
	return where, nil
}

// chain returns the joints that move a mount, from the root outward.
func (t *tree) chain(m mount) []int {
	if m.joint < 0 {
		return nil
	}
	return t.joints[m.joint].chain
}

// mount returns the mount of a link or, for -1, of the world.
func (t *tree) mount(link int) mount {
	if link < 0 {
		return mount{-1, still}
	}
	return t.links[link]
}

// parting returns how many joints two chains share.
func parting(a, b []int) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
