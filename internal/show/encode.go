package show

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// magic begins the bytes of Encode below their compression.
const magic = "FCV1"

// Encode writes a report as the pages of package viewer read it, compressed with gzip: "FCV1",
// the length of a JSON object as a 32-bit little-endian number, that object with spaces up to a
// multiple of 8 bytes, and the numbers of arrays, to which the object refers by type, offset in
// bytes and count.
func Encode(w io.Writer, r *Report) error {
	var e encoder
	top, err := e.report(r)
	if err != nil {
		return err
	}
	text, err := json.Marshal(top)
	if err != nil {
		return err
	}
	for (len(magic)+4+len(text))%8 != 0 {
		text = append(text, ' ')
	}
	z := gzip.NewWriter(w)
	head := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text)))
	for _, part := range [][]byte{head, text, e.numbers.Bytes()} {
		if _, err := z.Write(part); err != nil {
			return err
		}
	}
	return z.Close()
}

// encoder gathers the numbers of arrays.
type encoder struct{ numbers bytes.Buffer }

// array refers to numbers behind the JSON object.
type array struct {
	Type   string `json:"type"` // f64, f32, u32 or i32
	Offset int    `json:"offset"`
	Count  int    `json:"count"`
}

// arrayOf appends numbers.
func arrayOf[T float64 | float32 | uint32 | int32](e *encoder, x []T) array {
	for e.numbers.Len()%8 != 0 {
		e.numbers.WriteByte(0)
	}
	var zero T
	name := map[any]string{float64(0): "f64", float32(0): "f32", uint32(0): "u32", int32(0): "i32"}[any(zero)]
	a := array{name, e.numbers.Len(), len(x)}
	_ = binary.Write(&e.numbers, binary.LittleEndian, x) // a buffer never fails
	return a
}

// The objects of the page, as src/model.js has them.
type (
	wireReport struct {
		Program string       `json:"program"`
		Robot   wireRobot    `json:"robot"`
		Scenes  []wireScene  `json:"scenes"`
		Motions []wireMotion `json:"motions"`
	}
	wireRobot struct {
		Name   string      `json:"name"`
		Links  []wireBody  `json:"links"`
		Frames []wireFrame `json:"frames"`
		Dofs   []wireDof   `json:"dofs"`
	}
	wireBody struct {
		Name  string   `json:"name"`
		Kind  string   `json:"kind"`
		Link  int      `json:"link"`  // that it moves with, -1: none
		Frame int      `json:"frame"` // of a link: that it moves with
		Pose  pose     `json:"pose"`  // of a link: in that frame; of an object: in its link or in the scene
		Mesh  wireMesh `json:"mesh"`
	}
	wireMesh struct {
		Vertices  array `json:"vertices"`
		Triangles array `json:"triangles"`
		Of        int   `json:"of"`
	}
	wireFrame struct {
		Parent    int        `json:"parent"`
		Pose      pose       `json:"pose"`
		Axis      [3]float64 `json:"axis"`
		Prismatic bool       `json:"prismatic,omitempty"`
		Dof       int        `json:"dof"`
		Mult      float64    `json:"mult"`
		Offset    float64    `json:"offset"`
	}
	wireDof struct {
		Name string   `json:"name"`
		Lo   *float64 `json:"lo,omitempty"`
		Hi   *float64 `json:"hi,omitempty"`
	}
	wireScene struct {
		Frame   string     `json:"frame"`
		Objects []wireBody `json:"objects"`
	}
	wireMotion struct {
		Name      string       `json:"name"`
		Status    string       `json:"status"`
		Headline  string       `json:"headline"`
		Proved    []string     `json:"proved"`
		Rests     []string     `json:"rests"`
		Open      []string     `json:"open"`
		Warnings  []string     `json:"warnings"`
		Notes     []string     `json:"notes"`
		Answer    any          `json:"answer"`
		Clearance float64      `json:"clearance"`
		Scene     int          `json:"scene"`           // -1: none
		State     []float64    `json:"state,omitempty"` // of each dof that the motion does not move
		Course    *wireCourse  `json:"course,omitempty"`
		Profile   *wireProfile `json:"profile,omitempty"`
		Moments   []wireMoment `json:"moments"`
		Pairs     []wirePair   `json:"pairs"`
		PairsOf   int          `json:"pairs_of"`
		PairsAt   int          `json:"pairs_at"`
	}
	// The positions of the joints: Bernstein polynomials on pieces, as in package motion.
	wireCourse struct {
		Dofs    []int `json:"dofs"`    // of each joint; -1: it follows another
		Start   array `json:"start"`   // of each piece
		End     array `json:"end"`     //
		Points  array `json:"points"`  // how many control points each piece has
		Control array `json:"control"` // by piece, control point and joint
		Root    array `json:"root"`    // by piece: pose, point, velocity, turn; empty if the root rests
		Sampled int   `json:"sampled"` // at how many configurations, if not all are there
	}
	wireProfile struct {
		Start  array       `json:"start"` // of each span
		End    array       `json:"end"`
		Lower  array       `json:"lower"` // two for each span: at its start and its end
		Upper  array       `json:"upper"`
		Pair   array       `json:"pair"`  // index in pairs, -1: none
		At     array       `json:"at"`    // by span: time, the point of a, that of b, distance
		Flags  array       `json:"flags"` // 1: beyond the range, 2: unknown
		Pairs  [][2]string `json:"pairs"`
		Reason string      `json:"reason,omitempty"`
	}
	wireMoment struct {
		Kind      MomentKind    `json:"kind"`
		Time      float64       `json:"time"`
		Witnesses []wireWitness `json:"witnesses"`
	}
	wireWitness struct {
		Pair     [2]string  `json:"pair"`
		A        [3]float64 `json:"a"`
		B        [3]float64 `json:"b"`
		Normal   [3]float64 `json:"normal"`
		Distance float64    `json:"distance"`
	}
	wirePair struct {
		Pair  [2]string `json:"pair"`
		Scope string    `json:"scope"`
		Lower *float64  `json:"lower"` // null: not known
		Upper float64   `json:"upper"`
		Time  float64   `json:"time"`
	}
)

// pose is the rows of a rotation, each followed by a coordinate of the position.
type pose [12]float64

func poseOf(p geom.Pose) pose {
	r := &p.R
	return pose{r.XX, r.XY, r.XZ, p.P.X, r.YX, r.YY, r.YZ, p.P.Y, r.ZX, r.ZY, r.ZZ, p.P.Z}
}

func triple(v geom.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

func (e *encoder) report(r *Report) (*wireReport, error) {
	most := r.Triangles
	if most == 0 {
		most = DefaultTriangles
	}
	tree, err := kin.NewTree(r.Robot)
	if err != nil {
		return nil, err
	}
	out := &wireReport{Program: r.Program, Robot: e.robot(r.Robot, tree, most), Scenes: []wireScene{}, Motions: []wireMotion{}}
	scenes := map[*scene.Snapshot]int{}
	for _, m := range r.Motions {
		w := e.motion(m, tree)
		if world := m.world(); world != nil {
			i, ok := scenes[world]
			if !ok {
				i = len(out.Scenes)
				scenes[world] = i
				out.Scenes = append(out.Scenes, wireScene{world.Frame, e.bodies(Objects(r.Robot, world, most))})
			}
			w.Scene = i
		}
		out.Motions = append(out.Motions, w)
	}
	return out, nil
}

func (e *encoder) robot(robot *urdf.Robot, tree *kin.Tree, most int) wireRobot {
	out := wireRobot{Name: robot.Name, Links: e.bodies(Links(robot, most)), Dofs: []wireDof{}}
	for i := range out.Links {
		out.Links[i].Frame, out.Links[i].Pose = tree.LinkFrame[i], poseOf(tree.LinkPose[i])
	}
	for i := range tree.Frames {
		f := &tree.Frames[i]
		out.Frames = append(out.Frames, wireFrame{f.Parent, poseOf(f.PosePF), triple(f.Axis), f.Prismatic, f.Dof, f.Mult, f.Offset})
	}
	for i := range tree.Dofs {
		d := wireDof{Name: tree.Dofs[i].Name}
		if tree.Dofs[i].Bounded {
			d.Lo, d.Hi = &tree.Dofs[i].Lo, &tree.Dofs[i].Hi
		}
		out.Dofs = append(out.Dofs, d)
	}
	return out
}

func (e *encoder) bodies(list []Body) []wireBody {
	out := make([]wireBody, len(list))
	for i := range list {
		b := &list[i]
		out[i] = wireBody{
			Name: b.Name, Kind: b.Kind.String(), Link: b.Link, Pose: poseOf(b.Pose),
			Mesh: wireMesh{arrayOf(e, b.Mesh.Vertices), arrayOf(e, b.Mesh.Triangles), b.Mesh.Of},
		}
	}
	return out
}

func (e *encoder) motion(m *Motion, tree *kin.Tree) wireMotion {
	list := func(x []string) []string { return append([]string{}, x...) } // in JSON never null
	out := wireMotion{
		Name: m.Name, Status: m.Status, Headline: m.Headline, Answer: m.Answer, Clearance: m.Clearance, Scene: -1,
		Proved: list(m.Proved), Rests: list(m.Rests), Open: list(m.Open), Warnings: list(m.Warnings), Notes: list(m.Notes),
		Moments: []wireMoment{}, Pairs: []wirePair{}, PairsOf: m.PairsOf, PairsAt: m.PairsAt,
	}
	for i := range m.Moments {
		at := wireMoment{m.Moments[i].Kind, m.Moments[i].Time, []wireWitness{}}
		for k := range m.Moments[i].Witnesses {
			at.Witnesses = append(at.Witnesses, witnessOf(&m.Moments[i].Witnesses[k]))
		}
		out.Moments = append(out.Moments, at)
	}
	for i := range m.Pairs {
		out.Pairs = append(out.Pairs, m.Pairs[i].wire())
	}
	if m.Checker == nil || m.Course == nil {
		return out
	}
	state := m.Checker.State()
	for i := range tree.Dofs {
		out.State = append(out.State, state[tree.Dofs[i].Name])
	}
	out.Course, out.Profile = e.course(m, tree), e.profile(m.Profile)
	return out
}

func witnessOf(w *motion.Witness) wireWitness {
	return wireWitness{[2]string{w.Pair.A.Name, w.Pair.B.Name}, triple(w.PointA), triple(w.PointB), triple(w.Normal), w.Distance}
}

func (e *encoder) course(m *Motion, tree *kin.Tree) *wireCourse {
	course, sampled := drawn(m.Course, m.Moments)
	out := &wireCourse{Dofs: make([]int, len(course.Joints)), Sampled: sampled}
	for i, name := range course.Joints {
		out.Dofs[i] = tree.DofIndex(name)
	}
	n := len(course.Pieces)
	start, end, points := make([]float64, n), make([]float64, n), make([]uint32, n)
	var control, root []float64
	for i := range course.Pieces {
		p := &course.Pieces[i]
		count := degree(p)
		start[i], end[i], points[i] = p.Start, p.End, uint32(count)
		rows := make([][]float64, len(p.Ctrl))
		for k, c := range p.Ctrl {
			rows[k] = elevated(c, count)
		}
		for k := range count {
			for _, row := range rows {
				control = append(control, row[k])
			}
		}
	}
	for i := range course.Root {
		r := &course.Root[i]
		at := poseOf(r.Start)
		root = append(root, at[:]...)
		root = append(root, r.Point.X, r.Point.Y, r.Point.Z, r.Velocity.X, r.Velocity.Y, r.Velocity.Z, r.Turn.X, r.Turn.Y, r.Turn.Z)
	}
	out.Start, out.End, out.Points = arrayOf(e, start), arrayOf(e, end), arrayOf(e, points)
	out.Control, out.Root = arrayOf(e, control), arrayOf(e, root)
	return out
}

// elevated returns the control points of the same polynomial, so many of them.
func elevated(c []float64, count int) []float64 {
	for len(c) < count {
		n := float64(len(c))
		out := make([]float64, len(c)+1)
		out[0], out[len(c)] = c[0], c[len(c)-1]
		for i := 1; i < len(c); i++ {
			s := float64(i) / n
			out[i] = s*c[i-1] + (1-s)*c[i]
		}
		c = out
	}
	return c
}

func (e *encoder) profile(p *motion.DistanceProfile) *wireProfile {
	if p == nil {
		return nil
	}
	out := &wireProfile{Pairs: [][2]string{}, Reason: p.Reason}
	var start, end, lower, upper, at []float64
	var pair, flags []int32
	index := map[[2]string]int32{}
	for i := range p.Spans {
		s := &p.Spans[i]
		start, end = append(start, s.Start), append(end, s.End)
		lower, upper = append(lower, s.Lower[:]...), append(upper, s.Upper[:]...)
		w := witnessOf(&s.At)
		at = append(at, s.At.Time, w.A[0], w.A[1], w.A[2], w.B[0], w.B[1], w.B[2], w.Distance)
		flag := int32(0)
		if s.Beyond {
			flag |= 1
		}
		if s.Unknown {
			flag |= 2
		}
		flags = append(flags, flag)
		if w.Pair[0] == "" {
			pair = append(pair, -1)
			continue
		}
		k, ok := index[w.Pair]
		if !ok {
			k = int32(len(out.Pairs))
			index[w.Pair] = k
			out.Pairs = append(out.Pairs, w.Pair)
		}
		pair = append(pair, k)
	}
	out.Start, out.End, out.Lower, out.Upper = arrayOf(e, start), arrayOf(e, end), arrayOf(e, lower), arrayOf(e, upper)
	out.Pair, out.At, out.Flags = arrayOf(e, pair), arrayOf(e, at), arrayOf(e, flags)
	return out
}

// increasing returns the keys of a set in order.
func increasing(set map[float64]bool) []float64 {
	out := make([]float64, 0, len(set))
	for x := range set {
		if !math.IsNaN(x) {
			out = append(out, x)
		}
	}
	slices.Sort(out)
	return out
}
