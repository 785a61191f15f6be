package verify

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The truth: poses of all links at one time in plain float64, made of package
// geom's poses and no code of the verifier.

// valueAt evaluates control points at s by powers.
func valueAt(ctrl []float64, s float64) float64 {
	n := len(ctrl) - 1
	var x float64
	choose := 1.0
	for i, b := range ctrl {
		x += b * choose * math.Pow(s, float64(i)) * math.Pow(1-s, float64(n-i))
		choose *= float64(n-i) / float64(i+1)
	}
	return x
}

// configuration returns every variable at s on a piece, continuous joints wound
// so that straight pieces go the short way.
func configuration(m *motion.Motion, piece int, s float64, continuous map[string]bool) map[string]float64 {
	q := map[string]float64{}
	for j, name := range m.Joints {
		turn := 0.0
		for p := 0; p <= piece; p++ {
			ctrl := append([]float64(nil), m.Pieces[p].Ctrl[j]...)
			start := turn
			if d := ctrl[len(ctrl)-1] - ctrl[0]; len(ctrl) == 2 && continuous[name] && math.Abs(d) > math.Pi {
				turn -= math.Copysign(2*math.Pi, d)
			}
			for i := range ctrl {
				ctrl[i] += start
			}
			if len(ctrl) == 2 {
				ctrl[1] += turn - start
			}
			q[name] = valueAt(ctrl, s)
		}
	}
	return q
}

// linkPoses places the links; root is the root link's pose in the scene.
func linkPoses(r *urdf.Robot, q map[string]float64, root geom.Pose) []geom.Pose {
	poses := make([]geom.Pose, len(r.Links))
	placed := make([]bool, len(r.Links))
	poses[r.Root], placed[r.Root] = root, true
	for done := false; !done; {
		done = true
		for i := range r.Joints {
			j := &r.Joints[i]
			if !placed[j.Parent] || placed[j.Child] {
				continue
			}
			x := q[j.Name]
			if j.Mimic != nil {
				x = j.Mimic.Multiplier*q[r.Joints[j.Mimic.Joint].Name] + j.Mimic.Offset + q["stray "+j.Name]
			}
			p := poses[j.Parent].Mul(j.PosePC)
			switch j.Type {
			case urdf.Revolute, urdf.Continuous:
				p = p.Mul(geom.Pose{R: geom.AxisAngle(j.Axis, x)})
			case urdf.Prismatic:
				p = p.Mul(geom.Translation(times(x, j.Axis)))
			case urdf.Planar: // of the tests, in the plane of x and y
				p = p.Mul(geom.Translation(geom.Vec{X: q[j.Name+"/x"], Y: q[j.Name+"/y"]})).Mul(geom.Pose{R: geom.AxisAngle(j.Axis, q[j.Name+"/theta"])})
			}
			poses[j.Child], placed[j.Child], done = p, true, false
		}
	}
	return poses
}

// spots returns points of a part in its body's frame that span it, n of each rim,
// and the radius around each.
func spots(b *body, p certificate.Part, n int) (points []geom.Vec, radii []float64) {
	first, end, _ := b.part(p)
	for i := first; i < end; i++ {
		a := &b.atoms[i]
		points = append(points, b.pointsOf(a)...)
		for k := range b.discsOf(a) {
			points = append(points, rim(&b.discsOf(a)[k], n)...)
		}
		for len(radii) < len(points) {
			radii = append(radii, a.radius)
		}
	}
	return points, radii
}

// sampled is the smallest gap along n, of the scene's frame at c, between two
// parts at times of the interval, seen in the body where the chains part as it
// stands at c. stray, where not nil, moves joints off the motion.
func sampled(v *verifier, a, b certificate.Part, n geom.Vec, at certificate.At, stray map[string]float64) float64 {
	continuous := map[string]bool{"wrist": true, "drive/theta": true}
	poses := func(s float64, stray map[string]float64) []geom.Pose {
		q := configuration(v.motion, at.Piece, s, continuous)
		for name, x := range stray {
			q[name] += x
		}
		p := &v.motion.Pieces[at.Piece]
		return linkPoses(v.robot, q, v.motion.RootAt(p.Start+s*(p.End-p.Start)))
	}
	place := func(poses []geom.Pose, b *body) geom.Pose {
		if b.link < 0 {
			return geom.IdentityPose()
		}
		return poses[b.link]
	}
	x, y := v.bodies[a.Body], v.bodies[b.Body]
	base := commonLink(v.robot, x.link, y.link)
	c := at.Lo + (at.Hi-at.Lo)/2
	baseAt := func(poses []geom.Pose) geom.Pose {
		if base < 0 {
			return geom.IdentityPose()
		}
		return poses[base]
	}
	frozen := baseAt(poses(c, nil))
	pa, ra := spots(x, a, 40)
	pb, rb := spots(y, b, 40)
	least := math.Inf(1)
	for k := range 33 {
		at := poses(at.Lo+(at.Hi-at.Lo)*float64(k)/32, stray)
		see := frozen.Mul(baseAt(at).Inv())
		most, min := math.Inf(-1), math.Inf(1)
		for i, p := range pa {
			most = math.Max(most, dot(n, see.Apply(place(at, x).Apply(p)))+ra[i])
		}
		for i, p := range pb {
			min = math.Min(min, dot(n, see.Apply(place(at, y).Apply(p)))-rb[i])
		}
		least = math.Min(least, min-most)
	}
	return least
}

// commonLink is the last link that carries both; -1 where only the scene does.
func commonLink(r *urdf.Robot, a, b int) int {
	if a < 0 || b < 0 {
		return -1
	}
	up := map[int]bool{}
	for ; ; a = r.Joints[r.Links[a].ParentJoint].Parent {
		up[a] = true
		if r.Links[a].ParentJoint < 0 {
			break
		}
	}
	for !up[b] {
		b = r.Joints[r.Links[b].ParentJoint].Parent
	}
	return b
}

// proven is the largest clearance that the rules prove along n.
func proven(m *moment, a, b *side, n geom.Vec) float64 {
	lo, hi := -32.0, 32.0
	for range 60 {
		mid := (lo + hi) / 2
		if m.parted(n, a, b, mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func randomMotion(r *rand.Rand, root bool) *motion.Motion {
	m := &motion.Motion{ID: "random", Joints: armJoints, Pieces: []motion.Piece{{Start: 0, End: 0.5}, {Start: 0.5, End: 2}}}
	for p := range m.Pieces {
		for j := range armJoints {
			ctrl := make([]float64, 1+r.IntN(6))
			for i := range ctrl {
				ctrl[i] = 3 * (2*r.Float64() - 1)
			}
			if p > 0 {
				last := m.Pieces[p-1].Ctrl[j]
				ctrl[0] = last[len(last)-1]
			}
			m.Pieces[p].Ctrl = append(m.Pieces[p].Ctrl, ctrl)
		}
	}
	if root {
		vec := func() geom.Vec { return geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()} }
		for range m.Pieces {
			m.Root = append(m.Root, motion.RootPiece{Start: turned(r.Float64(), r.Float64(), r.Float64(), 1, 2, 3), Point: vec(), Velocity: vec(), Turn: vec()})
		}
	}
	return m
}

// No rule proves more clearance than there is: over random motions, intervals,
// parts and directions, with and without tubes and a moving root. Most
// come near the truth on short intervals, so that a rule that proves nothing
// fails too.
func TestRulesProveOnlyWhatIsTrue(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	var close, cases int
	for range 1500 {
		root, tube := r.IntN(3) == 0, r.IntN(3) == 0
		m := randomMotion(r, root)
		world := armScene(t)
		v := rigged(t, arm(), world, m)
		var stray map[string]float64
		if tube {
			stray = map[string]float64{}
			for name, width := range map[string]float64{"lift": 0.02, "shoulder": 0.05, "wrist": 0.1, "drive/y": 0.03} {
				v.h.Tube = append(v.h.Tube, certificate.Named{Name: name, Value: width})
				stray[name] = width * float64(r.IntN(3)-1)
			}
			v.h.Tube = append(v.h.Tube, certificate.Named{Name: "elbow", Value: 0.04})
			stray["stray elbow"] = 0.04*float64(r.IntN(3)-1) + 0.7*stray["shoulder"]
			v.treeOf, v.tubes = -1, map[string]float64{}
			for _, n := range v.h.Tube {
				v.tubes[n.Name] = n.Value
			}
		}
		width := math.Pow(0.1, 3*r.Float64())
		lo := r.Float64() * (1 - width)
		at := certificate.At{Piece: r.IntN(2), Lo: lo, Hi: lo + width}
		mo, err := v.momentAt(at)
		if err != nil {
			t.Fatal(err)
		}
		i, j := r.IntN(len(v.bodies)), r.IntN(len(v.bodies))
		if i == j {
			continue
		}
		pa, pb := randomPart(r, v, i), randomPart(r, v, j)
		n := directionBetween(mo.points(pa), mo.points(pb))
		n = times(0.7+0.6*r.Float64(), plus(n, times(0.1, geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()})))
		a, errA := mo.newSide(pa, nil)
		b, errB := mo.newSide(pb, nil)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		size := math.Sqrt(dot(n, n))
		have := proven(mo, a, b, n)
		truth := sampled(v, pa, pb, times(1/size, n), at, stray)
		if have > truth+1e-9 {
			t.Fatalf("%v: bodies %s and %s: proved %g, but the gap is %g (root %v, tube %v)", at, v.bodies[i].label(), v.bodies[j].label(), have, truth, root, stray)
		}
		if !tube && have > truth-0.1*width {
			close++
		}
		// The same parts as balls.
		ca, cb := mo.localMiddle(i, mo.points(pa)), mo.localMiddle(j, mo.points(pb))
		if a, err = mo.newSide(pa, &ca); err != nil {
			t.Fatal(err)
		}
		if r.IntN(2) == 0 {
			if b, err = mo.newSide(pb, &cb); err != nil {
				t.Fatal(err)
			}
		}
		if have := proven(mo, a, b, n); have > truth+1e-9 {
			t.Fatalf("%v: balls of %s and %s: proved %g, but the gap is %g", at, v.bodies[i].label(), v.bodies[j].label(), have, truth)
		}
		cases++
	}
	t.Logf("%d cases, %d near the truth", cases, close)
	if cases < 1000 || close < cases/10 {
		t.Errorf("of %d cases only %d are proved to near the truth: the rules prove too little", cases, close)
	}
}

func randomPart(r *rand.Rand, v *verifier, body int) certificate.Part {
	n := len(v.bodies[body].atoms)
	first := r.IntN(n)
	return certificate.Part{Body: body, First: first, Count: 1 + r.IntN(min(n-first, 6))}
}

// rigged is a verifier whose robot stands ready.
func rigged(t testing.TB, robot *urdf.Robot, world *scene.Snapshot, m *motion.Motion) *verifier {
	t.Helper()
	p := newProver(t, robot, world, m)
	p.setup(true)
	return p.v
}
