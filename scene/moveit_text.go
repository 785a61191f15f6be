package scene

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

// MoveIt's planning scenes as text (PlanningScene::saveGeometryToStream and
// shapes::saveAsText of geometric_shapes):
//
//	NAME
//	* ID
//	x y z                the object's pose, in the newer form only
//	qx qy qz qw
//	SHAPES               how many
//	box                  and x y z; sphere and r; cylinder or cone and r l; plane and a b c d;
//	0.1 0.1 0.1          mesh and V T, V rows of x y z, T rows of i j k
//	x y z                the shape's pose in the object
//	qx qy qz qw
//	r g b a              its colour
//	SUBFRAMES            how many, in the newer form only: a name and a pose each
//	.
//
// As in MoveIt, the line after the first object's name identifies the form.

// isMoveItText reports whether a line begins with "* ", or the text is a name and a dot.
// Neither is YAML.
func isMoveItText(data []byte) bool {
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	if bytes.HasPrefix(data, []byte("* ")) || bytes.Contains(data, []byte("\n* ")) {
		return true
	}
	_, rest, _ := bytes.Cut(data, []byte("\n"))
	return string(bytes.TrimSpace(rest)) == "."
}

func (r *reader) moveitText(data []byte) (*Snapshot, error) {
	p := &textParser{rest: data, line: 1}
	p.restOfLine() // the scene's name, any text
	s := &Snapshot{}
	if err := p.scene(s); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", r.name, p.line, err)
	}
	return r.seal(s)
}

// textParser reads words and counts lines.
type textParser struct {
	rest      []byte
	line      int
	posed     bool // the newer form, with object poses and subframes
	formKnown bool
	isPlane   bool // the last shape was a plane
}

func (p *textParser) restOfLine() string {
	line, rest, found := bytes.Cut(p.rest, []byte("\n"))
	p.rest = rest
	if found {
		p.line++
	}
	return strings.TrimSpace(string(line))
}

func (p *textParser) word() (string, error) {
	for len(p.rest) > 0 && isSpace(p.rest[0]) {
		if p.rest[0] == '\n' {
			p.line++
		}
		p.rest = p.rest[1:]
	}
	n := 0
	for n < len(p.rest) && !isSpace(p.rest[n]) {
		n++
	}
	if n == 0 {
		return "", errors.New("the text ends early: a scene ends with a line of one dot")
	}
	w := string(p.rest[:n])
	p.rest = p.rest[n:]
	return w, nil
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func (p *textParser) numbers(out ...*float64) error {
	for _, x := range out {
		w, err := p.word()
		if err != nil {
			return err
		}
		*x, err = strconv.ParseFloat(w, 64)
		if err != nil || math.IsNaN(*x) || math.IsInf(*x, 0) {
			return fmt.Errorf("%q is not a finite number", clip(w))
		}
	}
	return nil
}

func (p *textParser) count(what string) (int, error) {
	w, err := p.word()
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(w)
	// Each of the counted items takes at least two bytes of the text.
	if err != nil || n < 0 || n > len(p.rest)/2 {
		return 0, fmt.Errorf("%q is not the number of %s that follow", clip(w), what)
	}
	return n, nil
}

func (p *textParser) pose() (geom.Pose, error) {
	var v geom.Vec
	var q [4]float64
	if err := p.numbers(&v.X, &v.Y, &v.Z, &q[0], &q[1], &q[2], &q[3]); err != nil {
		return geom.Pose{}, fmt.Errorf("pose: %w", err)
	}
	rot, err := unitQuat(q[:])
	return geom.Pose{R: rot, P: v}, err
}

func (p *textParser) scene(s *Snapshot) error {
	for {
		marker, err := p.word()
		switch {
		case err != nil:
			return err
		case marker == ".":
			if rest := bytes.TrimSpace(p.rest); len(rest) > 0 {
				return fmt.Errorf("%q follows the final dot: give one scene per file", clip(string(rest)))
			}
			return nil
		case marker != "*":
			return fmt.Errorf("found %q, expected an object (* name) or the final dot", clip(marker))
		}
		id := p.restOfLine()
		if id == "" {
			return errors.New("object has no name: write it after the *")
		}
		if err := p.object(s, id); err != nil {
			return fmt.Errorf("object %s: %w", id, err)
		}
	}
}

func (p *textParser) object(s *Snapshot, id string) error {
	if !p.formKnown {
		next, _, _ := bytes.Cut(p.rest, []byte("\n"))
		p.posed = bytes.ContainsRune(bytes.TrimSpace(next), ' ')
		p.formKnown = true
	}
	poseWO := geom.IdentityPose()
	var err error
	if p.posed {
		if poseWO, err = p.pose(); err != nil {
			return err
		}
	}
	n, err := p.count("shapes")
	if err != nil {
		return err
	}
	if n == 0 {
		none := fmt.Errorf("object %s has no shapes: nothing is checked against it", id)
		s.Warnings = append(s.Warnings, none.Error())
		s.Gaps = append(s.Gaps, shapeless(id, none))
	}
	for i := range n {
		o, err := p.part(partID(id, i, n), poseWO)
		if err != nil {
			return err
		}
		if p.isPlane {
			s.Warnings = append(s.Warnings, fmt.Sprintf("object %s %s", id, planeWords()))
		}
		s.Objects = append(s.Objects, o)
	}
	if !p.posed {
		return nil
	}
	return p.subframes()
}

// partID names the i-th of n shapes of an object.
func partID(id string, i, n int) string {
	if n == 1 {
		return id
	}
	return fmt.Sprintf("%s#%d", id, i+1)
}

func (p *textParser) part(id string, poseWO geom.Pose) (Object, error) {
	o := Object{ID: id}
	var err error
	if o.Shape, err = p.shape(); err != nil {
		return o, err
	}
	poseOS, err := p.pose()
	if err != nil {
		return o, err
	}
	o.PoseWS = poseWO.Mul(poseOS)
	var colour [4]float64
	if err := p.numbers(&colour[0], &colour[1], &colour[2], &colour[3]); err != nil {
		return o, fmt.Errorf("colour: %w", err)
	}
	return o, o.Validate()
}

func (p *textParser) shape() (*Shape, error) {
	kind, err := p.word()
	if err != nil {
		return nil, err
	}
	s := &Shape{}
	p.isPlane = kind == "plane"
	switch kind {
	case "box":
		s.Kind = shape.Box
		err = p.numbers(&s.Size.X, &s.Size.Y, &s.Size.Z)
	case "sphere":
		s.Kind = shape.Sphere
		err = p.numbers(&s.Radius)
	case "cylinder":
		s.Kind = shape.Cylinder
		err = p.numbers(&s.Radius, &s.Length)
	case "cone":
		s.Kind = shape.Cone
		err = p.numbers(&s.Radius, &s.Length)
	case "mesh":
		s.Kind = shape.Mesh
		err = p.mesh(s)
	case "plane":
		return p.plane()
	default:
		return nil, fmt.Errorf("shape %q is unknown: use box, sphere, cylinder, cone, plane or mesh", clip(kind))
	}
	return s, err
}

func (p *textParser) plane() (*Shape, error) {
	var n geom.Vec
	var d float64
	if err := p.numbers(&n.X, &n.Y, &n.Z, &d); err != nil {
		return nil, fmt.Errorf("plane: %w", err)
	}
	s, ok := planeShape(n, d)
	if !ok {
		return nil, fmt.Errorf("plane %g %g %g %g is none within %g m: give a, b, c, d of ax + by + cz + d = 0 with a normal (a, b, c) of length 1", n.X, n.Y, n.Z, d, float64(geom.MaxLength))
	}
	return s, nil
}

func (p *textParser) mesh(s *Shape) error {
	nv, err := p.count("vertices")
	if err != nil {
		return err
	}
	nt, err := p.count("triangles")
	if err != nil {
		return err
	}
	vertices := make([]geom.Vec, nv)
	for i := range vertices {
		if err := p.numbers(&vertices[i].X, &vertices[i].Y, &vertices[i].Z); err != nil {
			return fmt.Errorf("vertex %d: %w", i, err)
		}
	}
	triangles := make([][3]int32, nt)
	for i := range triangles {
		for c := range 3 {
			w, err := p.word()
			if err != nil {
				return err
			}
			k, err := strconv.ParseInt(w, 10, 32)
			if err != nil || k < 0 || int(k) >= nv {
				return fmt.Errorf("triangle %d refers to vertex %q of %d", i, clip(w), nv)
			}
			triangles[i][c] = int32(k)
		}
	}
	s.Mesh = weld(vertices, triangles)
	return nil
}

// subframes are names for planning, not geometry: they are skipped.
func (p *textParser) subframes() error {
	n, err := p.count("subframes")
	if err != nil {
		return err
	}
	for range n {
		if _, err := p.word(); err != nil {
			return err
		}
		if _, err := p.pose(); err != nil {
			return fmt.Errorf("subframe: %w", err)
		}
	}
	return nil
}
