package workload

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Write puts the workload into files in a folder, which it makes:
//
//	robot.urdf, robot.srdf   the robot and the pairs that are not checked
//	scene.yaml               the world, if there is one
//	meshes/                  their surfaces as OBJ
//	motions/SET.yaml         a JointTrajectory for each motion of a set
//	README.txt               what it is, and how to check it
//
// Numbers are written so that reading gives the same ones.
func (w *Workload) Write(folder string) error {
	for _, sub := range []string{"meshes", "motions"} {
		if err := os.MkdirAll(filepath.Join(folder, sub), 0o755); err != nil {
			return err
		}
	}
	f := &files{folder: folder}
	for i := range w.Robot.Links {
		for _, c := range w.Robot.Links[i].Collisions {
			f.write(meshFile(w.Robot.Links[i].Name), func(out *bufio.Writer) { writeOBJ(out, c.Shape.Mesh) })
		}
	}
	f.write("robot.urdf", func(out *bufio.Writer) { writeURDF(out, w.Robot) })
	srdf, err := urdf.WriteSRDF(w.Robot, nil, w.Robot.Semantic.Disabled)
	if err != nil {
		return err
	}
	f.write("robot.srdf", func(out *bufio.Writer) { out.Write(srdf) })
	if w.World != nil {
		for i := range w.World.Objects {
			o := &w.World.Objects[i]
			f.write(meshFile(o.ID), func(out *bufio.Writer) { writeOBJ(out, o.Shape.Mesh) })
		}
		f.write("scene.yaml", func(out *bufio.Writer) { writeScene(out, w.World) })
	}
	for _, s := range w.Sets {
		f.write(motionFile(s.Name), func(out *bufio.Writer) { writeMotions(out, s.Motions) })
	}
	f.write("README.txt", w.readme)
	return f.err
}

// files writes one file after the other until one cannot be written.
type files struct {
	folder string
	err    error
}

func (f *files) write(name string, content func(out *bufio.Writer)) {
	if f.err != nil {
		return
	}
	file, err := os.Create(filepath.Join(f.folder, filepath.FromSlash(name)))
	if err != nil {
		f.err = err
		return
	}
	out := bufio.NewWriter(file)
	content(out)
	f.err = out.Flush()
	if err := file.Close(); f.err == nil {
		f.err = err
	}
}

func meshFile(body string) string { return "meshes/" + body + ".obj" }

// motionFile names the file of a set: names of sets have spaces and dots.
func motionFile(set string) string {
	return "motions/" + strings.NewReplacer(" ", "_", "/", "_").Replace(set) + ".yaml"
}

// number prints x so that it is read as the same number.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func writeOBJ(out *bufio.Writer, m *mesh.Mesh) {
	for _, v := range m.Vertices {
		fmt.Fprintf(out, "v %s %s %s\n", number(v.X), number(v.Y), number(v.Z))
	}
	for _, t := range m.Triangles {
		fmt.Fprintf(out, "f %d %d %d\n", t[0]+1, t[1]+1, t[2]+1)
	}
}

func writeURDF(out *bufio.Writer, r *urdf.Robot) {
	fmt.Fprintf(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<robot name=%s>\n", quoted(r.Name))
	for i := range r.Links {
		l := &r.Links[i]
		if len(l.Collisions) == 0 {
			fmt.Fprintf(out, "  <link name=%s/>\n", quoted(l.Name))
			continue
		}
		geometry := fmt.Sprintf("<geometry><mesh filename=%s/></geometry>", quoted(meshFile(l.Name)))
		fmt.Fprintf(out, "  <link name=%s>\n    <visual>%s</visual>\n    <collision>%s</collision>\n  </link>\n", quoted(l.Name), geometry, geometry)
	}
	for i := range r.Joints {
		writeJoint(out, r, &r.Joints[i])
	}
	fmt.Fprintln(out, "</robot>")
}

func writeJoint(out *bufio.Writer, r *urdf.Robot, j *urdf.Joint) {
	fmt.Fprintf(out, "  <joint name=%s type=%s>\n", quoted(j.Name), quoted(j.Type.String()))
	fmt.Fprintf(out, "    <parent link=%s/>\n    <child link=%s/>\n", quoted(r.Links[j.Parent].Name), quoted(r.Links[j.Child].Name))
	fmt.Fprintf(out, "    <origin xyz=\"%s\" rpy=\"%s\"/>\n", triple(j.PosePC.P), triple(rollPitchYaw(j.PosePC.R)))
	if j.Type != urdf.Fixed {
		fmt.Fprintf(out, "    <axis xyz=\"%s\"/>\n", triple(j.Axis))
	}
	if j.Limit.Bounded {
		fmt.Fprintf(out, "    <limit lower=\"%s\" upper=\"%s\" velocity=\"%s\" effort=\"1\"/>\n", number(j.Limit.Lower), number(j.Limit.Upper), number(j.Limit.Velocity))
	}
	fmt.Fprintln(out, "  </joint>")
}

// quoted is an attribute's value.
func quoted(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder does not fail
	return `"` + b.String() + `"`
}

func triple(v geom.Vec) string { return number(v.X) + " " + number(v.Y) + " " + number(v.Z) }

// rollPitchYaw are the angles of URDF for r.
func rollPitchYaw(r geom.Rot) geom.Vec {
	return geom.Vec{X: math.Atan2(r.ZY, r.ZZ), Y: -math.Asin(max(-1, min(1, r.ZX))), Z: math.Atan2(r.YX, r.XX)}
}

// writeScene relies on objects whose poses are the identity, as all made here.
func writeScene(out *bufio.Writer, s *scene.Snapshot) {
	fmt.Fprintln(out, "objects:")
	for i := range s.Objects {
		o := &s.Objects[i]
		fmt.Fprintf(out, "  - {id: %s, type: mesh, mesh: %s", o.ID, meshFile(o.ID))
		if o.AttachedTo != "" {
			fmt.Fprintf(out, ", attached_to: %s", o.AttachedTo)
		}
		fmt.Fprintln(out, "}")
	}
	if len(s.Allowed) > 0 {
		fmt.Fprintln(out, "allowed:")
	}
	for _, p := range s.Allowed {
		fmt.Fprintf(out, "  - [%s, %s]\n", p[0], p[1])
	}
}

func writeMotions(out *bufio.Writer, motions []*motion.Motion) {
	for _, m := range motions {
		fmt.Fprintf(out, "---\njoint_names: [%s]\npoints:\n", strings.Join(m.Joints, ", "))
		writePoint(out, m, m.Pieces[0].Start)
		for i := range m.Pieces {
			writePoint(out, m, m.Pieces[i].End)
		}
	}
}

func writePoint(out *bufio.Writer, m *motion.Motion, t float64) {
	positions := make([]string, len(m.Joints))
	for i, x := range m.At(t) {
		positions[i] = number(x)
	}
	sec := math.Floor(t)
	fmt.Fprintf(out, "  - positions: [%s]\n    time_from_start: {sec: %.0f, nanosec: %.0f}\n", strings.Join(positions, ", "), sec, (t-sec)*1e9)
}

// readme tells what stands in the folder.
func (w *Workload) readme(out *bufio.Writer) {
	fmt.Fprintf(out, "%s (%s)\n\n%s\n\n", w.Name, w.Paper, w.About)
	for _, s := range w.Sizes {
		fmt.Fprintf(out, "%s: %d, in the paper %d\n", s.What, s.Ours, s.Paper)
	}
	if w.Collide > 0 {
		fmt.Fprintf(out, "motions that collided in the paper: %.0f %%\n", 100*w.Collide)
	}
	io.WriteString(out, "\nfirstcontact check --robot robot.urdf --srdf robot.srdf")
	if w.World != nil {
		io.WriteString(out, " --scene scene.yaml")
	}
	if w.Ask.NoSelf {
		io.WriteString(out, " --no-self")
	}
	if w.Ask.Question == motion.IsFree {
		io.WriteString(out, " --yes-no")
	}
	fmt.Fprintln(out, " motions/*.yaml")
}
