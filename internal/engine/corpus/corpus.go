// Package corpus reads the scenes and segments of the comparison harness into
// the robots, worlds and motions that every engine checks.
package corpus

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/ccdscene"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Scene is a robot among obstacles.
type Scene struct {
	// Robot has one joint per link but the root, named like the link it carries.
	// Its Semantic disables the pairs of Allowed that are links, and no other. The
	// harness tests every pair that neither an acm line nor Rigid names.
	Robot *urdf.Robot
	World *scene.Snapshot // obstacles in the root link; allowed pairs that name one

	Allowed [][2]string // all acm lines
	Joints  []string    // that move, in file order: the order of segments

	// Frozen are the joints that the file holds at a position (rad or m). They
	// are fixed joints of Robot, with the position in their pose.
	Frozen map[string]float64
}

// Load reads a ccdscene file and the meshes it names.
func Load(path string) (*Scene, error) {
	data, err := infile.Read(context.Background(), path, limit.DocumentBytes)
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	return Parse(path, data)
}

// Parse is Load for a file already in memory; meshes lie relative to name.
func Parse(name string, data []byte) (*Scene, error) {
	return parse(name, data, mesh.Load)
}

type meshLoader func(path string, scale geom.Vec) (*mesh.Mesh, error)

func parse(name string, data []byte, load meshLoader) (*Scene, error) {
	file, err := ccdscene.Parse(name, data)
	if err != nil {
		return nil, err
	}
	if len(file.Links) == 0 {
		return nil, fmt.Errorf("%s: has no links: a scene without a robot is read by package scene", name)
	}
	b := &builder{name: name, load: load, file: file, scene: &Scene{Frozen: map[string]float64{}}}
	b.robot()
	for _, step := range []func() error{b.bodies, b.world, b.allowed} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return b.scene, nil
}

type builder struct {
	name  string
	load  meshLoader
	file  *ccdscene.File
	scene *Scene
}

func (b *builder) robot() {
	base := filepath.Base(b.name)
	r := &urdf.Robot{Name: strings.TrimSuffix(base, filepath.Ext(base)), Path: b.name}
	index := map[string]int{}
	for i, l := range b.file.Links {
		index[l.Name] = i
		link := urdf.Link{Name: l.Name, ParentJoint: -1}
		if l.Parent != "-" {
			link.ParentJoint = len(r.Joints)
			r.Joints = append(r.Joints, b.joint(l, index[l.Parent], i))
		}
		r.Links = append(r.Links, link)
	}
	b.scene.Robot = r
}

// joint returns the joint that carries l.
func (b *builder) joint(l ccdscene.Link, parent, child int) urdf.Joint {
	j := urdf.Joint{Name: l.Name, Type: urdf.Fixed, Parent: parent, Child: child, PosePC: ccdscene.Pose(l.XYZ, l.RPY), Axis: geom.Vec{X: 1}}
	if axis, ok := geom.Unit(l.Axis); ok {
		j.Axis = axis
	}
	limit := urdf.Limit{Bounded: true, Lower: l.Lo, Upper: l.Hi}
	switch l.Type {
	case ccdscene.Revolute:
		j.Type, j.Limit = urdf.Revolute, limit
		b.scene.Joints = append(b.scene.Joints, j.Name)
	case ccdscene.Prismatic:
		j.Type, j.Limit = urdf.Prismatic, limit
		b.scene.Joints = append(b.scene.Joints, j.Name)
	case ccdscene.FrozenRevolute:
		j.PosePC = j.PosePC.Mul(geom.Pose{R: geom.AxisAngle(j.Axis, l.Lo)})
		b.scene.Frozen[j.Name] = l.Lo
	case ccdscene.FrozenPrismatic:
		j.PosePC = j.PosePC.Mul(geom.Translation(r3.Scale(l.Lo, j.Axis)))
		b.scene.Frozen[j.Name] = l.Lo
	}
	return j
}

// bodies gives the links their meshes; one file is read once for each scale.
func (b *builder) bodies() error {
	type source struct {
		path  string
		scale geom.Vec
	}
	read := map[source]*shape.Shape{}
	for _, body := range b.file.Bodies {
		src := source{ccdscene.MeshPath(b.name, body.Mesh), body.Scale}
		s, ok := read[src]
		if !ok {
			m, err := b.load(src.path, src.scale)
			if err != nil {
				return fmt.Errorf("%s:%d: body of link %s: %w", b.name, body.Line, body.Link, err)
			}
			s = &shape.Shape{Kind: shape.Mesh, Mesh: m, Source: src.path}
			read[src] = s
		}
		link := &b.scene.Robot.Links[b.scene.Robot.Link(body.Link)]
		link.Collisions = append(link.Collisions, urdf.Collision{
			Name:   body.Link,
			PoseLS: ccdscene.Pose(body.XYZ, body.RPY),
			Shape:  s,
		})
	}
	return nil
}

// world makes the obstacles.
func (b *builder) world() error {
	var objects []scene.Object
	for _, e := range b.file.Env {
		if b.scene.Robot.Link(e.Name) >= 0 {
			return fmt.Errorf("%s:%d: object %s is named like a link: rename it", b.name, e.Line, e.Name)
		}
		o, err := b.obstacle(e)
		if err != nil {
			return fmt.Errorf("%s:%d: object %s: %w", b.name, e.Line, e.Name, err)
		}
		objects = append(objects, o)
	}
	var err error
	if b.scene.World, err = scene.New("", objects...); err != nil {
		return fmt.Errorf("%s: %w", b.name, err)
	}
	return nil
}

func (b *builder) obstacle(e ccdscene.Env) (scene.Object, error) {
	path := ccdscene.MeshPath(b.name, e.Mesh)
	m, err := b.load(path, geom.Vec{X: 1, Y: 1, Z: 1})
	if err != nil {
		return scene.Object{}, err
	}
	return scene.Object{
		ID:     e.Name,
		PoseWS: b.file.PoseEnv(e),
		Shape:  &shape.Shape{Kind: shape.Mesh, Mesh: m, Source: path},
	}, nil
}

// allowed sorts the pairs into those of links and those with an obstacle.
func (b *builder) allowed() error {
	b.scene.Allowed = b.file.Allow
	semantic := &urdf.Semantic{Path: b.name}
	var world [][2]string
	seen := map[[2]int]bool{}
	for _, pair := range b.file.Allow {
		x, y := b.scene.Robot.Link(pair[0]), b.scene.Robot.Link(pair[1])
		for _, name := range pair {
			if b.scene.Robot.Link(name) < 0 && b.scene.World.Object(name) < 0 {
				return fmt.Errorf("%s: acm line names %s, which is neither a link nor an obstacle", b.name, name)
			}
		}
		if x < 0 || y < 0 {
			world = append(world, pair)
			continue
		}
		key := [2]int{min(x, y), max(x, y)}
		if x == y || seen[key] {
			continue
		}
		seen[key] = true
		semantic.Disabled = append(semantic.Disabled, urdf.DisabledPair{A: key[0], B: key[1], Reason: "acm"})
	}
	b.scene.Robot.Semantic = semantic
	if len(world) == 0 {
		return nil
	}
	var err error
	b.scene.World, err = b.scene.World.WithAllowed(world...)
	return err
}

// Segments reads a file of segments of this scene's joints into motions of one
// second each.
func (s *Scene) Segments(path string) ([]*motion.Motion, error) {
	data, err := infile.Read(context.Background(), path, limit.DocumentBytes)
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	return s.ParseSegments(path, data)
}

// ParseSegments is Segments for a file already in memory.
func (s *Scene) ParseSegments(name string, data []byte) ([]*motion.Motion, error) {
	segs, err := ccdscene.ParseSegments(name, data, len(s.Joints))
	if err != nil {
		return nil, err
	}
	out := make([]*motion.Motion, len(segs))
	for i, seg := range segs {
		m, err := motion.Between(s.Joints, seg.From, seg.To, 1)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, seg.Line, err)
		}
		m.ID = fmt.Sprintf("%s#%d", filepath.Base(name), i+1)
		out[i] = m
	}
	return out, nil
}
