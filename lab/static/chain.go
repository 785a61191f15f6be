package static

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// frame is what one joint moves. Its pose in its parent's is R = a + sin b + cos c
// at p, or R = a at p + q axis of a sliding joint.
type frame struct {
	parent   int
	a, b, c  geom.Rot
	p, axis  geom.Vec
	slides   bool
	variable int // -1 stands still at zero
	times    float64
	plus     float64
}

// chain is the joints that move, parents first; fixed ones are folded into the
// poses of what they carry. Frame 0 is the root link's.
type chain struct {
	frames []frame
	of     []int       // frame by link
	poseFL []geom.Pose // of links in their frames
}

func newChain(r *urdf.Robot, joints []string) (*chain, error) {
	variable := make(map[int]int, len(joints))
	for i, name := range joints {
		j := r.Joint(name)
		if j < 0 {
			return nil, fmt.Errorf("robot %s has no joint %s", r.Name, name)
		}
		variable[j] = i
	}
	c := &chain{frames: make([]frame, 1), of: make([]int, len(r.Links)), poseFL: make([]geom.Pose, len(r.Links))}
	below := make([][]int, len(r.Links))
	for j := range r.Joints {
		below[r.Joints[j].Parent] = append(below[r.Joints[j].Parent], j)
	}
	c.poseFL[r.Root] = geom.IdentityPose()
	for links := []int{r.Root}; len(links) > 0; links = links[1:] {
		for _, j := range below[links[0]] {
			if err := c.add(r, j, variable); err != nil {
				return nil, err
			}
			links = append(links, r.Joints[j].Child)
		}
	}
	return c, nil
}

func (c *chain) add(r *urdf.Robot, j int, variable map[int]int) error {
	joint := &r.Joints[j]
	origin := c.poseFL[joint.Parent].Mul(joint.PosePC)
	if joint.Type == urdf.Fixed {
		c.of[joint.Child], c.poseFL[joint.Child] = c.of[joint.Parent], origin
		return nil
	}
	f := frame{parent: c.of[joint.Parent], p: origin.P, times: 1, variable: -1}
	leader := j
	if m := joint.Mimic; m != nil {
		leader, f.times, f.plus = m.Joint, m.Multiplier, m.Offset
	}
	if v, ok := variable[leader]; ok {
		f.variable = v
	}
	switch u := joint.Axis; joint.Type {
	case urdf.Revolute, urdf.Continuous: // Rodrigues: uu' + sin [u] + cos (1 - uu')
		along := geom.Rot{XX: u.X * u.X, XY: u.X * u.Y, XZ: u.X * u.Z, YX: u.Y * u.X, YY: u.Y * u.Y, YZ: u.Y * u.Z, ZX: u.Z * u.X, ZY: u.Z * u.Y, ZZ: u.Z * u.Z}
		cross := geom.Rot{XY: -u.Z, XZ: u.Y, YX: u.Z, YZ: -u.X, ZX: -u.Y, ZY: u.X}
		across, one := geom.Rot{}, geom.Identity()
		combine(&one, -1, &along, 0, &along, &across)
		f.a, f.b, f.c = origin.R.Mul(along), origin.R.Mul(cross), origin.R.Mul(across)
	case urdf.Prismatic:
		f.slides, f.a, f.axis = true, origin.R, origin.R.Apply(u)
	default:
		return fmt.Errorf("joint %s is %s: poses of such are not judged here", joint.Name, joint.Type)
	}
	c.of[joint.Child], c.poseFL[joint.Child] = len(c.frames), geom.IdentityPose()
	c.frames = append(c.frames, f)
	return nil
}

// place computes the poses of all frames in the root's.
func (c *chain) place(q []float64, out []geom.Pose) {
	var local geom.Rot
	out[0] = geom.IdentityPose()
	for i := 1; i < len(c.frames); i++ {
		f := &c.frames[i]
		x := f.plus
		if f.variable >= 0 {
			x += f.times * q[f.variable]
		}
		parent, to := &out[f.parent], &out[i]
		if f.slides {
			apply(parent, r3.Add(f.p, r3.Scale(x, f.axis)), &to.P)
			multiply(&parent.R, &f.a, &to.R)
			continue
		}
		sin, cos := math.Sincos(x)
		combine(&f.a, sin, &f.b, cos, &f.c, &local)
		apply(parent, f.p, &to.P)
		multiply(&parent.R, &local, &to.R)
	}
}

// apply and multiply write where they are told to: copies of a pose cost more than
// what is done with it.
func apply(p *geom.Pose, x geom.Vec, to *geom.Vec) {
	to.X = p.R.XX*x.X + p.R.XY*x.Y + p.R.XZ*x.Z + p.P.X
	to.Y = p.R.YX*x.X + p.R.YY*x.Y + p.R.YZ*x.Z + p.P.Y
	to.Z = p.R.ZX*x.X + p.R.ZY*x.Y + p.R.ZZ*x.Z + p.P.Z
}

func multiply(a, b, to *geom.Rot) {
	to.XX = a.XX*b.XX + a.XY*b.YX + a.XZ*b.ZX
	to.XY = a.XX*b.XY + a.XY*b.YY + a.XZ*b.ZY
	to.XZ = a.XX*b.XZ + a.XY*b.YZ + a.XZ*b.ZZ
	to.YX = a.YX*b.XX + a.YY*b.YX + a.YZ*b.ZX
	to.YY = a.YX*b.XY + a.YY*b.YY + a.YZ*b.ZY
	to.YZ = a.YX*b.XZ + a.YY*b.YZ + a.YZ*b.ZZ
	to.ZX = a.ZX*b.XX + a.ZY*b.YX + a.ZZ*b.ZX
	to.ZY = a.ZX*b.XY + a.ZY*b.YY + a.ZZ*b.ZY
	to.ZZ = a.ZX*b.XZ + a.ZY*b.YZ + a.ZZ*b.ZZ
}

// combine is a + s b + c d.
func combine(a *geom.Rot, s float64, b *geom.Rot, c float64, d, to *geom.Rot) {
	to.XX, to.XY, to.XZ = a.XX+s*b.XX+c*d.XX, a.XY+s*b.XY+c*d.XY, a.XZ+s*b.XZ+c*d.XZ
	to.YX, to.YY, to.YZ = a.YX+s*b.YX+c*d.YX, a.YY+s*b.YY+c*d.YY, a.YZ+s*b.YZ+c*d.YZ
	to.ZX, to.ZY, to.ZZ = a.ZX+s*b.ZX+c*d.ZX, a.ZY+s*b.ZY+c*d.ZY, a.ZZ+s*b.ZZ+c*d.ZZ
}
