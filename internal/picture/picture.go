// Package picture draws robots among obstacles: at one time, over a motion, and where they first
// touch. The pictures are shaded, need no display, and are the same on every machine.
package picture

import (
	"context"
	"fmt"
	"image"
	"math"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/picture/raster"
	"github.com/firstcontact-ros/firstcontact/internal/show"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Artist has the surfaces of a robot's links, for many pictures. It is immutable, and may be
// shared.
type Artist struct {
	robot *urdf.Robot
	links []part
}

// part is a link or an object.
type part struct {
	show.Body
	fine, coarse *raster.Mesh // nil if there is nothing to draw
}

// fineTriangles bounds the triangles of a body, and so memory: what has more is simplified.
const fineTriangles = 2_000_000

// coarseTriangles is how many triangles of a body decide where the camera stands.
const coarseTriangles = 400

// NewArtist prepares the drawing of a robot. Its triangles are drawn as they are,
// up to two million of a link.
func NewArtist(robot *urdf.Robot) *Artist {
	return &Artist{robot, parts(func(most int) []show.Body { return show.Links(robot, most) })}
}

func parts(bodies func(most int) []show.Body) []part {
	fine, coarse := bodies(fineTriangles), bodies(coarseTriangles)
	out := make([]part, len(fine))
	for i := range fine {
		out[i] = part{Body: fine[i], fine: meshOf(&fine[i].Mesh), coarse: meshOf(&coarse[i].Mesh)}
	}
	return out
}

func meshOf(m *show.Mesh) *raster.Mesh {
	if len(m.Triangles) == 0 {
		return nil
	}
	out := &raster.Mesh{Vertices: m.Vertices, Triangles: m.Triangles}
	out.Prepare()
	return out
}

// Stage is a robot among obstacles on a motion.
type Stage struct {
	checker *ccd.Checker
	motion  *motion.Motion // resolved; nil: there is none
	parts   []part         // links, then objects
}

// On returns the robot among the obstacles of a checker, on a motion of its joints, or without
// one at rest. The checker is of the artist's robot.
func (a *Artist) On(c *ccd.Checker, m *motion.Motion) (*Stage, error) {
	if len(c.Robot().Links) != len(a.links) {
		return nil, fmt.Errorf("picture: the checker is of another robot: it has %d links, not %d", len(c.Robot().Links), len(a.links))
	}
	var resolved *motion.Motion
	if m != nil {
		var err error
		if resolved, err = c.Resolve(m); err != nil {
			return nil, err
		}
	}
	objects := parts(func(most int) []show.Body { return show.Objects(a.robot, c.World(), most) })
	return &Stage{c, resolved, append(a.links[:len(a.links):len(a.links)], objects...)}, nil
}

// Shot is what a picture shows.
type Shot struct {
	Title, Caption string
	Time           float64   // s: when the robot is drawn solid
	Ghosts         []float64 // s: when it is drawn translucent
	// Witness is of the pair to highlight, if any. Its points are marked, and a second picture
	// beside the first shows them from near.
	Witness *motion.Witness
}

// Options say how to draw.
type Options struct {
	Width, Height int // in pixels
	Dark          bool
	// From is where the camera stands: azimuth and elevation in degrees. nil: where it sees most.
	From    *[2]float64
	NoInset bool // no second picture
	Workers int  // goroutines
	// Done is called while a picture is drawn with how much of it is done. It may be nil, and is
	// called by several goroutines.
	Done func(n, of int)
}

// elsewhere is how far a part must have moved to be a ghost, in the robot's radius: ghosts that
// cover what has hardly moved hide more than they show.
const elsewhere = 0.04

// scenery is what a picture is drawn from.
type scenery struct {
	scene  raster.Scene
	robot  []raster.Body // of scene.Bodies: links and what they carry
	coarse []raster.Body // stand-ins for scene.Bodies
	pair   [2]int        // indices of coarse; -1: none
	ghosts [][]raster.Body
	moves  [][]raster.Body // stand-ins for robot at the ghosts' times and at the shot's
	shot   *Shot
}

// Draw draws a shot.
func (s *Stage) Draw(ctx context.Context, shot *Shot, o Options) (*image.RGBA, error) {
	v, err := s.scenery(shot, &o)
	if err != nil {
		return nil, err
	}
	return v.compose(ctx, &o)
}

// scenery places everything.
func (s *Stage) scenery(shot *Shot, o *Options) (*scenery, error) {
	t := light
	if o.Dark {
		t = dark
	}
	v := &scenery{shot: shot, pair: [2]int{-1, -1}}
	poses, err := s.poses(shot.Time)
	if err != nil {
		return nil, err
	}
	for i := range s.parts {
		p := &s.parts[i]
		if p.fine == nil {
			continue
		}
		b := raster.Body{Mesh: p.fine, Pose: p.at(poses), Colour: t.colourOf(p, shot.Witness), Scenery: p.Kind == motion.WorldObject}
		if side := sideOf(p, shot.Witness); side >= 0 {
			v.pair[side] = len(v.coarse)
			b.Scenery = false
		}
		v.scene.Bodies = append(v.scene.Bodies, b)
		if p.Kind != motion.WorldObject {
			v.robot = append(v.robot, b)
		}
		b.Mesh = p.coarse
		v.coarse = append(v.coarse, b)
	}
	more := elsewhere * radiusOf(raster.Bounds(v.robot))
	for k, when := range shot.Ghosts {
		then, err := s.poses(when)
		if err != nil {
			return nil, err
		}
		bodies := s.ghost(then, poses, more, t.ghost)
		v.moves = append(v.moves, s.coarse(then))
		strength := float64(k+1) / float64(len(shot.Ghosts))
		v.scene.Layers = append(v.scene.Layers, raster.Layer{Bodies: bodies, Opacity: 0.08 + float64(0.14*strength)})
		v.ghosts = append(v.ghosts, bodies)
	}
	v.moves = append(v.moves, s.coarse(poses))
	v.scene.Theme = t.Theme
	v.ground()
	return v, nil
}

// poses returns where the links are at a time.
func (s *Stage) poses(when float64) ([]geom.Pose, error) {
	if s.motion != nil {
		return show.PosesAt(s.checker, s.motion, when)
	}
	poses, err := s.checker.LinkPoses(nil)
	out := make([]geom.Pose, len(s.checker.Robot().Links))
	for i := range out {
		out[i] = poses[s.checker.Robot().Links[i].Name]
	}
	return out, err
}

// at returns where a part's mesh is.
func (p *part) at(links []geom.Pose) geom.Pose {
	if p.Link < 0 {
		return p.Pose
	}
	return links[p.Link].Mul(p.Pose)
}

// ghost returns the parts that are elsewhere than now by more than some distance.
func (s *Stage) ghost(then, now []geom.Pose, more float64, colour raster.Colour) (out []raster.Body) {
	for i := range s.parts {
		p := &s.parts[i]
		if p.fine != nil && p.Link >= 0 && p.moved(then, now, more) {
			out = append(out, raster.Body{Mesh: p.fine, Pose: p.at(then), Colour: colour})
		}
	}
	return out
}

// coarse returns stand-ins of what moves with links.
func (s *Stage) coarse(links []geom.Pose) (out []raster.Body) {
	for i := range s.parts {
		if p := &s.parts[i]; p.fine != nil && p.Link >= 0 {
			out = append(out, raster.Body{Mesh: p.coarse, Pose: p.at(links)})
		}
	}
	return out
}

// moved reports whether a corner of the part's box is elsewhere by more than some distance.
func (p *part) moved(then, now []geom.Pose, more float64) bool {
	a, b, box := p.at(then), p.at(now), p.Mesh.Box()
	for i := range 8 {
		v := box.Min
		if i&1 != 0 {
			v.X = box.Max.X
		}
		if i&2 != 0 {
			v.Y = box.Max.Y
		}
		if i&4 != 0 {
			v.Z = box.Max.Z
		}
		d, e := a.Apply(v), b.Apply(v)
		if !(max(math.Abs(d.X-e.X), math.Abs(d.Y-e.Y), math.Abs(d.Z-e.Z)) <= more) {
			return true
		}
	}
	return false
}

// sideOf returns which side of a witness's pair a part is: 0, 1, or -1.
func sideOf(p *part, w *motion.Witness) int {
	if w != nil {
		for side, body := range [...]motion.Body{w.Pair.A, w.Pair.B} {
			if body.Name == p.Name && body.Kind == p.Kind {
				return side
			}
		}
	}
	return -1
}

// all returns the robot at all times that are drawn.
func (v *scenery) all() []raster.Body {
	out := v.robot[:len(v.robot):len(v.robot)]
	for _, g := range v.ghosts {
		out = append(out, g...)
	}
	if len(out) == 0 {
		return v.scene.Bodies
	}
	return out
}

// ground puts a ground below everything that is near, with lines of a fitting distance.
func (v *scenery) ground() {
	box := raster.Bounds(v.all())
	if !(box.Min.X <= box.Max.X) {
		box = geom.Box{Min: geom.Vec{X: -0.5, Y: -0.5}, Max: geom.Vec{X: 0.5, Y: 0.5, Z: 1}}
	}
	v.scene.Focus = raster.Ball{Center: box.Center(), Radius: max(radiusOf(box), 1e-3)}
	r := v.scene.Focus.Radius
	low := box.Min.Z
	for i := range v.scene.Bodies {
		if b := raster.Bounds(v.scene.Bodies[i : i+1]); v.scene.Bodies[i].Scenery && b.Min.Z > box.Min.Z-r &&
			b.Min.X < box.Max.X+r && b.Max.X > box.Min.X-r && b.Min.Y < box.Max.Y+r && b.Max.Y > box.Min.Y-r {
			low = min(low, b.Min.Z)
		}
	}
	lines := 1e-3
	for lines < r/12 {
		lines *= 10
	}
	v.scene.Ground = raster.Ground{Shown: true, Height: low - float64(1e-3*r), Lines: lines}
}

func radiusOf(box geom.Box) float64 {
	h := box.Half()
	return math.Sqrt(float64(h.X*h.X) + float64(h.Y*h.Y) + float64(h.Z*h.Z))
}
