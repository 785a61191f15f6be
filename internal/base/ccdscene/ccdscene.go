// Package ccdscene reads the text formats of the comparison harness: a scene of robot links,
// bodies and obstacles, and the segments to check in it. It parses the lines; packages corpus
// and scene build robots and scenes from them.
//
//	ccdscene 1
//	link NAME PARENT|- TYPE  x y z  roll pitch yaw  ax ay az  lo hi
//	body LINK MESH  sx sy sz  x y z  roll pitch yaw
//	env  NAME MESH  x y z  roll pitch yaw
//	acm  NAME NAME
//	seg  q0_1 ... q0_n  q1_1 ... q1_n
//
// A # begins a comment. Metres and radians; mesh names are relative to the file.
package ccdscene

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// File is the content of a scene file, in file order.
type File struct {
	Links  []Link
	Bodies []Body
	Env    []Env
	Allow  [][2]string // pairs of names that are not checked
}

// The types of link, as the file spells them. A frozen joint is at Lo.
const (
	Fixed           = "fixed"
	Revolute        = "revolute"
	Prismatic       = "prismatic"
	FrozenRevolute  = "frozen_revolute"
	FrozenPrismatic = "frozen_prismatic"
)

// Link is a link and the joint that carries it.
type Link struct {
	Line     int
	Name     string
	Parent   string // "-" for the root
	Type     string
	XYZ, RPY geom.Vec // the joint's frame in the parent's, as in URDF
	Axis     geom.Vec // as written: any length; may be zero on a fixed link
	Lo, Hi   float64  // rad or m
}

// Body is a mesh fixed to a link: scaled first, then posed.
type Body struct {
	Line            int
	Link, Mesh      string
	Scale, XYZ, RPY geom.Vec
}

// Env is an obstacle.
type Env struct {
	Line       int
	Name, Mesh string
	XYZ, RPY   geom.Vec
}

// Is reports whether data begins like a scene file of the harness.
func Is(data []byte) bool {
	for _, fields := range lines(data) {
		return fields[0] == "ccdscene"
	}
	return false
}

// PoseEnv returns the pose of an obstacle in the root link, which need not be at the file's
// origin.
func (f *File) PoseEnv(e Env) geom.Pose {
	poseWE := Pose(e.XYZ, e.RPY)
	if len(f.Links) == 0 || f.Links[0].XYZ == (geom.Vec{}) && f.Links[0].RPY == (geom.Vec{}) {
		return poseWE // unchanged to the last bit
	}
	return Pose(f.Links[0].XYZ, f.Links[0].RPY).Inv().Mul(poseWE)
}

// Pose returns the pose that the file writes as x y z and roll pitch yaw.
func Pose(xyz, rpy geom.Vec) geom.Pose {
	return geom.Pose{R: geom.RPY(rpy.X, rpy.Y, rpy.Z), P: xyz}
}

// MeshPath returns the path of a mesh that the scene file refers to.
func MeshPath(name, mesh string) string {
	if filepath.IsAbs(mesh) {
		return mesh
	}
	return filepath.Join(filepath.Dir(name), mesh)
}

// Parse reads a scene file; name is used in messages. Names are checked against each other: a
// parent precedes its children, a body's link exists, no link appears twice.
func Parse(name string, data []byte) (*File, error) {
	p := parser{file: &File{}, links: map[string]bool{}}
	first := true
	for line, fields := range lines(data) {
		p.line, p.fields = line, fields
		if first {
			if len(fields) != 2 || fields[0] != "ccdscene" || fields[1] != "1" {
				return nil, fmt.Errorf("%s:%d: must begin with the line: ccdscene 1", name, line)
			}
			first = false
			continue
		}
		if err := p.item(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
	if first {
		return nil, fmt.Errorf("%s: is empty: it must begin with the line: ccdscene 1", name)
	}
	return p.file, nil
}

// lines yields the number and the words of every line that has any.
func lines(data []byte) iter.Seq2[int, []string] {
	return func(yield func(int, []string) bool) {
		for number := 1; len(data) > 0; number++ {
			line, rest, _ := bytes.Cut(data, []byte("\n"))
			data = rest
			text, _, _ := bytes.Cut(line, []byte("#"))
			if fields := strings.Fields(string(text)); len(fields) > 0 && !yield(number, fields) {
				return
			}
		}
	}
}

type parser struct {
	file   *File
	links  map[string]bool
	line   int
	fields []string // of the line being read
}

func (p *parser) item() error {
	switch key := p.fields[0]; key {
	case "link":
		return p.link()
	case "body":
		return p.body()
	case "env":
		return p.env()
	case "acm":
		if err := p.want("acm", 2, 0); err != nil {
			return err
		}
		p.file.Allow = append(p.file.Allow, [2]string{p.fields[1], p.fields[2]})
		return nil
	case "seg":
		return errors.New("has a segment: put segments into a separate file")
	default:
		return fmt.Errorf("begins with %q: use link, body, env or acm", clip(key))
	}
}

// want checks the numbers of words and of numbers on the line.
func (p *parser) want(key string, words, numbers int) error {
	if got := len(p.fields) - 1; got != words+numbers {
		return fmt.Errorf("%s has %d entries: it takes %d names and %d numbers", key, got, words, numbers)
	}
	return nil
}

func (p *parser) numbers(from int) ([]float64, error) {
	return parseNumbers(p.fields[from:])
}

func (p *parser) link() error {
	// The tool that writes the files adds one extra 0 to the root.
	if n := len(p.fields); n == 16 && p.fields[2] == "-" && p.fields[15] == "0" {
		p.fields = p.fields[:15]
	}
	if err := p.want("link", 3, 11); err != nil {
		return err
	}
	x, err := p.numbers(4)
	if err != nil {
		return fmt.Errorf("link %s: %w", p.fields[1], err)
	}
	l := Link{
		Line: p.line, Name: p.fields[1], Parent: p.fields[2], Type: p.fields[3],
		XYZ: vec(x), RPY: vec(x[3:]), Axis: vec(x[6:]), Lo: x[9], Hi: x[10],
	}
	if err := p.checkLink(l); err != nil {
		return fmt.Errorf("link %s: %w", l.Name, err)
	}
	p.links[l.Name] = true
	p.file.Links = append(p.file.Links, l)
	return nil
}

func (p *parser) checkLink(l Link) error {
	if p.links[l.Name] {
		return errors.New("appears twice: rename one")
	}
	switch {
	case l.Parent == "-" && len(p.file.Links) > 0:
		return fmt.Errorf("has no parent, but %s is the root already: a robot has one root", p.file.Links[0].Name)
	case l.Parent == "-" && l.Type != Fixed:
		return fmt.Errorf("is the root and %s: a root is fixed", l.Type)
	case l.Parent != "-" && !p.links[l.Parent]:
		return fmt.Errorf("has the parent %s, which does not precede it", l.Parent)
	}
	switch l.Type {
	case Fixed:
		return nil
	case Revolute, Prismatic, FrozenRevolute, FrozenPrismatic:
		if _, ok := geom.Unit(l.Axis); !ok {
			return errors.New("has an axis of length zero")
		}
		if l.Lo > l.Hi {
			return fmt.Errorf("has the range [%g, %g]: give the lower limit first", l.Lo, l.Hi)
		}
		return nil
	}
	return fmt.Errorf("has the type %q: use fixed, revolute, prismatic, frozen_revolute or frozen_prismatic", clip(l.Type))
}

func (p *parser) body() error {
	if err := p.want("body", 2, 9); err != nil {
		return err
	}
	x, err := p.numbers(3)
	if err != nil {
		return fmt.Errorf("body of link %s: %w", p.fields[1], err)
	}
	b := Body{Line: p.line, Link: p.fields[1], Mesh: p.fields[2], Scale: vec(x), XYZ: vec(x[3:]), RPY: vec(x[6:])}
	if !p.links[b.Link] {
		return fmt.Errorf("body belongs to link %s, which does not precede it", b.Link)
	}
	p.file.Bodies = append(p.file.Bodies, b)
	return nil
}

func (p *parser) env() error {
	if err := p.want("env", 2, 6); err != nil {
		return err
	}
	x, err := p.numbers(3)
	if err != nil {
		return fmt.Errorf("object %s: %w", p.fields[1], err)
	}
	p.file.Env = append(p.file.Env, Env{Line: p.line, Name: p.fields[1], Mesh: p.fields[2], XYZ: vec(x), RPY: vec(x[3:])})
	return nil
}

func vec(x []float64) geom.Vec { return geom.Vec{X: x[0], Y: x[1], Z: x[2]} }

func parseNumbers(words []string) ([]float64, error) {
	out := make([]float64, len(words))
	for i, w := range words {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%q is not a finite number", clip(w))
		}
		out[i] = x
	}
	return out, nil
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
