//go:build gl && cgo

package window

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"

	"github.com/go-gl/gl/v4.3-core/gl"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/show"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// levels are the colours of the levels.
var levels = map[string][3]float32{
	"FREE": {0.2, 0.65, 0.3}, "WARN": {0.95, 0.7, 0.1}, "STOP": {0.9, 0.35, 0.1}, "COLLISION": {0.8, 0.1, 0.15},
}

// unknown is the colour of what is not known.
var unknown = [3]float32{0.6, 0.6, 0.6}

// scene is the bodies in the memory of the graphics processor.
type scene struct {
	program             uint32
	view, place, colour int32
	bodies              []drawn
}

type drawn struct {
	array  uint32
	count  int32
	colour [3]float32
	link   int
	pose   geom.Pose
}

const vertexShader = `#version 430
layout(location = 0) in vec3 p;
uniform mat4 view, place;
out vec3 at;
void main() { vec4 q = place * vec4(p, 1.0); at = q.xyz; gl_Position = view * q; }
` + "\x00"

const fragmentShader = `#version 430
in vec3 at;
uniform vec3 colour;
out vec4 c;
void main() {
	vec3 n = normalize(cross(dFdx(at), dFdy(at)));
	c = vec4(colour * (0.35 + 0.65 * abs(dot(n, normalize(vec3(0.4, -0.5, 0.8))))), 1.0);
}
` + "\x00"

var colours = map[motion.BodyKind][3]float32{
	motion.RobotLink: {0.93, 0.62, 0.25}, motion.WorldObject: {0.55, 0.6, 0.66}, motion.AttachedObject: {0.35, 0.7, 0.45},
}

// open hands the bodies over and puts the camera where it sees them.
func (p *player) open() error {
	if err := p.scene.shade(); err != nil {
		return err
	}
	box, err := p.handOver()
	if err != nil {
		return err
	}
	p.camera = camera{at: box.Center(), yaw: 0.7, pitch: 0.4, reach: max(geom.Norm(r3.Sub(box.Max, box.Min))/2, 1e-3)}
	p.camera.distance = 2.2 * p.camera.reach
	gl.Enable(gl.DEPTH_TEST)
	gl.ClearColor(background, background, background, 1)
	return nil
}

// shade compiles the shaders.
func (s *scene) shade() error {
	s.program = gl.CreateProgram()
	for stage, text := range map[uint32]string{gl.VERTEX_SHADER: vertexShader, gl.FRAGMENT_SHADER: fragmentShader} {
		id := gl.CreateShader(stage)
		texts, free := gl.Strs(text)
		gl.ShaderSource(id, 1, texts, nil)
		free()
		gl.CompileShader(id)
		gl.AttachShader(s.program, id)
	}
	gl.LinkProgram(s.program)
	var ok int32
	if gl.GetProgramiv(s.program, gl.LINK_STATUS, &ok); ok == gl.FALSE {
		return errors.New("the graphics driver refuses the shaders of the window")
	}
	name := func(n string) int32 { return gl.GetUniformLocation(s.program, gl.Str(n+"\x00")) }
	s.view, s.place, s.colour = name("view"), name("place"), name("colour")
	return nil
}

// handOver gives the bodies to the driver, and returns the box around them at the start.
func (p *player) handOver() (box geom.Box, err error) {
	poses, err := p.stage.Poses(p.stage.Start)
	if err != nil {
		return box, err
	}
	box = geom.EmptyBox()
	for i := range p.stage.Bodies {
		b := &p.stage.Bodies[i]
		if len(b.Mesh.Triangles) == 0 {
			continue
		}
		d := drawn{link: b.Link, pose: b.Pose, count: int32(len(b.Mesh.Triangles)), colour: colours[b.Kind]}
		if d.link >= len(poses) {
			return box, fmt.Errorf("%s moves with a link that the robot does not have", b.Name)
		}
		d.load(&b.Mesh)
		p.scene.bodies = append(p.scene.bodies, d)
		at, of := d.at(poses), b.Mesh.Box()
		for _, x := range []float64{of.Min.X, of.Max.X} {
			for _, y := range []float64{of.Min.Y, of.Max.Y} {
				box = box.Extend(at.Apply(geom.Vec{X: x, Y: y, Z: of.Min.Z}))
				box = box.Extend(at.Apply(geom.Vec{X: x, Y: y, Z: of.Max.Z}))
			}
		}
	}
	if len(p.scene.bodies) == 0 {
		return box, errors.New("there is nothing to show: neither the robot nor the scene has collision geometry")
	}
	return box, nil
}

// load gives the body's triangles to the driver.
func (d *drawn) load(m *show.Mesh) {
	gl.GenVertexArrays(1, &d.array)
	gl.BindVertexArray(d.array)
	var buffers [2]uint32
	gl.GenBuffers(2, &buffers[0])
	gl.BindBuffer(gl.ARRAY_BUFFER, buffers[0])
	gl.BufferData(gl.ARRAY_BUFFER, 4*len(m.Vertices), gl.Ptr(m.Vertices), gl.STATIC_DRAW)
	gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers[1])
	gl.BufferData(gl.ELEMENT_ARRAY_BUFFER, 4*len(m.Triangles), gl.Ptr(m.Triangles), gl.STATIC_DRAW)
	gl.VertexAttribPointerWithOffset(0, 3, gl.FLOAT, false, 12, 0)
	gl.EnableVertexAttribArray(0)
}

// at is where the body is.
func (d *drawn) at(links []geom.Pose) geom.Pose {
	if d.link < 0 {
		return d.pose
	}
	return links[d.link].Mul(d.pose)
}

// draw draws a frame.
func (p *player) draw(poses []geom.Pose, width, height int) {
	gl.Viewport(0, 0, int32(width), int32(height))
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	gl.UseProgram(p.scene.program)
	bar, known := levels[p.status.Level]
	if !known {
		bar = unknown
	}
	view := p.camera.matrix(float64(width) / float64(max(height, 1)))
	gl.UniformMatrix4fv(p.scene.view, 1, true, &view[0])
	for i := range p.scene.bodies {
		d := &p.scene.bodies[i]
		m := matrixOf(d.at(poses))
		gl.UniformMatrix4fv(p.scene.place, 1, true, &m[0])
		colour := d.colour
		if p.stage.Status != nil && d.link >= 0 && !known {
			colour = unknown
		}
		gl.Uniform3fv(p.scene.colour, 1, &colour[0])
		gl.BindVertexArray(d.array)
		gl.DrawElementsWithOffset(gl.TRIANGLES, d.count, gl.UNSIGNED_INT, 0)
	}
	if p.stage.Status != nil {
		gl.Enable(gl.SCISSOR_TEST)
		gl.Scissor(0, int32(height-barHeight), int32(width), barHeight)
		gl.ClearColor(bar[0], bar[1], bar[2], 1)
		gl.Clear(gl.COLOR_BUFFER_BIT)
		gl.Disable(gl.SCISSOR_TEST)
		gl.ClearColor(background, background, background, 1)
	}
}

// barHeight is that of the bar of the level, in pixels.
const barHeight = 16

// background is the grey behind everything.
const background = 0.97

// matrixOf is a pose as rows of a matrix.
func matrixOf(p geom.Pose) [16]float32 {
	x, y, z := p.R.Apply(geom.Vec{X: 1}), p.R.Apply(geom.Vec{Y: 1}), p.R.Apply(geom.Vec{Z: 1})
	f := func(v float64) float32 { return float32(v) }
	return [16]float32{f(x.X), f(y.X), f(z.X), f(p.P.X), f(x.Y), f(y.Y), f(z.Y), f(p.P.Y), f(x.Z), f(y.Z), f(z.Z), f(p.P.Z), 0, 0, 0, 1}
}

// matrix maps points of the scene to the picture, in perspective, as rows of a matrix.
func (c *camera) matrix(aspect float64) [16]float32 {
	back := geom.Vec{X: math.Cos(c.pitch) * math.Cos(c.yaw), Y: math.Cos(c.pitch) * math.Sin(c.yaw), Z: math.Sin(c.pitch)}
	right := geom.Vec{X: -math.Sin(c.yaw), Y: math.Cos(c.yaw)}
	up := r3.Cross(back, right)
	eye := r3.Add(c.at, r3.Scale(c.distance, back))
	near, far := 0.01*c.distance, c.distance+4*c.reach
	const zoom = 1.7
	row := func(v geom.Vec, s float64) [4]float64 {
		return [4]float64{s * v.X, s * v.Y, s * v.Z, -s * r3.Dot(v, eye)}
	}
	rows := [4][4]float64{row(right, zoom/aspect), row(up, zoom), row(back, -(far+near)/(far-near)), row(back, -1)}
	rows[2][3] -= 2 * far * near / (far - near)
	var m [16]float32
	for i := range rows {
		for k := range rows[i] {
			m[4*i+k] = float32(rows[i][k])
		}
	}
	return m
}

// capture writes the frame as PNG.
func capture(w io.Writer, width, height int) error {
	raw := make([]uint8, 4*width*height)
	gl.ReadBuffer(gl.BACK)
	gl.ReadPixels(0, 0, int32(width), int32(height), gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(raw))
	im := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		copy(im.Pix[y*im.Stride:], raw[4*width*(height-1-y):4*width*(height-y)])
	}
	for i := 3; i < len(im.Pix); i += 4 {
		im.Pix[i] = 255
	}
	return png.Encode(w, im)
}
