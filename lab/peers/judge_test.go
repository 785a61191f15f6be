package main

import (
	"bufio"
	"errors"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/lab/oracle/oracletest"
)

// judge is FCL's oracle with a scene of the corpus in it. The scene's numbers
// reach it as they stand in the file, in a URDF made of the same words, so that
// none of our readers, poses or meshes come between.
type judge struct {
	*oracle.Oracle
	scene text
}

// text is a scene file's lines, split into words.
type text struct {
	folder                 string
	links, bodies, env, ac [][]string
}

func readText(path string) (text, error) {
	f, err := os.Open(path)
	if err != nil {
		return text{}, err
	}
	defer f.Close()
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return text{}, err
	}
	s := text{folder: folder}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		w := strings.Fields(line)
		if len(w) == 0 {
			continue
		}
		switch w[0] {
		case "link":
			s.links = append(s.links, w[1:])
		case "body":
			s.bodies = append(s.bodies, w[1:])
		case "env":
			s.env = append(s.env, w[1:])
		case "acm":
			s.ac = append(s.ac, w[1:])
		case "ccdscene":
		default:
			return text{}, fmt.Errorf("%s: a line begins with %q", path, w[0])
		}
	}
	return s, lines.Err()
}

// at returns a mesh's path.
func (s *text) at(mesh string) string {
	if filepath.IsAbs(mesh) {
		return mesh
	}
	return filepath.Join(s.folder, mesh)
}

// worldFrame is the link that the file's root stands in, and the frame of the
// obstacles.
const worldFrame = "world_frame"

// urdf writes links and bodies as a URDF. A frozen joint is a movable one.
func (s *text) urdf() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<robot name=\"corpus\">\n<link name=%q/>\n", worldFrame)
	words := func(w []string) string { return strings.Join(w, " ") }
	origin := func(w []string) string {
		return fmt.Sprintf("<origin xyz=%q rpy=%q/>", words(w[:3]), words(w[3:6]))
	}
	for _, l := range s.links {
		fmt.Fprintf(&b, "<link name=\"%s\">\n", html.EscapeString(l[0]))
		for _, body := range s.bodies {
			if body[0] == l[0] {
				fmt.Fprintf(&b, "  <collision>%s<geometry><mesh filename=\"%s\" scale=%q/></geometry></collision>\n",
					origin(body[5:]), html.EscapeString(s.at(body[1])), words(body[2:5]))
			}
		}
		parent, kind := l[1], strings.TrimPrefix(l[2], "frozen_")
		if parent == "-" {
			parent = worldFrame
		}
		fmt.Fprintf(&b, "</link>\n<joint name=\"%[1]s\" type=%[2]q><parent link=\"%[3]s\"/><child link=\"%[1]s\"/>%[4]s",
			html.EscapeString(l[0]), kind, html.EscapeString(parent), origin(l[3:]))
		if kind != "fixed" {
			fmt.Fprintf(&b, "<axis xyz=%q/><limit lower=%q upper=%q effort=\"1\" velocity=\"1\"/>", words(l[9:12]), l[12], l[13])
		}
		b.WriteString("</joint>\n")
	}
	b.WriteString("</robot>\n")
	return b.String()
}

// moving lists the joints in the order of segments.
func (s *text) moving() []string {
	var names []string
	for _, l := range s.links {
		if l[2] == "revolute" || l[2] == "prismatic" {
			names = append(names, l[0])
		}
	}
	return names
}

// newJudge starts an oracle and puts the scene in it; the test is skipped where
// the oracle cannot be built.
func newJudge(t *testing.T, scene string) *judge {
	t.Helper()
	j := &judge{Oracle: oracletest.Start(t)}
	var err error
	if j.scene, err = readText(scene); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "corpus.urdf")
	if err := os.WriteFile(path, []byte(j.scene.urdf()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := j.load(path); err != nil {
		t.Fatalf("%s: %v", scene, err)
	}
	return j
}

func (j *judge) load(urdf string) error {
	if _, err := j.Robot(urdf, ""); err != nil {
		return err
	}
	err := j.Joints(j.scene.moving()...)
	for _, l := range j.scene.links {
		if strings.HasPrefix(l[2], "frozen_") {
			x, bad := strconv.ParseFloat(l[12], 64)
			err = errors.Join(err, bad, j.Hold(l[0], x))
		}
	}
	for _, e := range j.scene.env {
		x, bad := floats(e[2:])
		if bad != nil {
			return bad
		}
		err = errors.Join(err, j.AddObject(oracle.Object{
			ID: e[0], Type: "mesh", File: j.scene.at(e[1]), Size: []float64{1, 1, 1},
			Position: [3]float64(x[:3]), Rotation: quaternion(x[3], x[4], x[5]),
		}))
	}
	for _, pair := range j.scene.ac {
		if pair[0] != pair[1] {
			err = errors.Join(err, j.Disable(pair[0], pair[1]))
		}
	}
	return errors.Join(err, j.disableRigid())
}

// disableRigid leaves out the pairs that no moving joint separates, as the
// corpus has it.
func (j *judge) disableRigid() (err error) {
	moving := j.scene.moving()
	carrier := map[string]string{"-": "-"}
	groups := map[string][]string{"-": nil}
	for _, e := range j.scene.env {
		groups["-"] = append(groups["-"], e[0])
	}
	for _, l := range j.scene.links {
		name := l[0]
		carrier[name] = name
		if !slices.Contains(moving, name) {
			carrier[name] = carrier[l[1]]
		}
		group := carrier[name]
		for _, other := range groups[group] {
			err = errors.Join(err, j.Disable(name, other))
		}
		groups[group] = append(groups[group], name)
	}
	return err
}

func floats(words []string) ([]float64, error) {
	out := make([]float64, len(words))
	for i, w := range words {
		var err error
		if out[i], err = strconv.ParseFloat(w, 64); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// quaternion turns about the fixed axes x, y, z in this order: x y z w.
func quaternion(roll, pitch, yaw float64) [4]float64 {
	sr, cr := math.Sincos(roll / 2)
	sp, cp := math.Sincos(pitch / 2)
	sy, cy := math.Sincos(yaw / 2)
	return [4]float64{sr*cp*cy - cr*sp*sy, cr*sp*cy + sr*cp*sy, cr*cp*sy - sr*sp*cy, cr*cp*cy + sr*sp*sy}
}

// touchesInside reports the pairs that touch at q when what a closed mesh
// encloses belongs to it.
func (j *judge) touchesInside(q []float64) ([]oracle.Pair, error) {
	if err := j.Solid(true); err != nil {
		return nil, err
	}
	pairs, err := j.Pose(oracle.Both, q)
	return pairs, errors.Join(err, j.Solid(false))
}

// apart is the distance of a pair at q. Surfaces are asked first: whether one
// lies inside the other takes FCL's helper long.
func (j *judge) apart(pair oracle.Pair, q []float64, enough float64) (float64, error) {
	d, err := j.PairDistance(pair, q)
	if err != nil || d <= enough {
		return d, err
	}
	if err := j.Solid(true); err != nil {
		return 0, err
	}
	d, err = j.PairDistance(pair, q)
	return d, errors.Join(err, j.Solid(false))
}

// The judge hears what the file says: order of joints, frozen joints, poses,
// acm lines.
func TestJudgeReadsTheScene(t *testing.T) {
	j := newJudge(t, crane)
	if got := j.scene.moving(); !slices.Equal(got, []string{"cart", "arm"}) {
		t.Errorf("moving joints %v", got)
	}
	at, _, err := j.LinkPose("tip", []float64{0.25, 0})
	if err != nil {
		t.Fatal(err)
	}
	if want := [3]float64{0.25 + 0.6, 0, 0.8}; math.Abs(at[0]-want[0])+math.Abs(at[1]-want[1])+math.Abs(at[2]-want[2]) > 1e-12 {
		t.Errorf("the tip stands at %v, want %v", at, want)
	}
	for _, c := range []struct {
		q    []float64
		want []oracle.Pair
	}{
		{[]float64{0, 0}, nil}, // the cart overlaps its rail, as it may
		{[]float64{0.35, 0}, []oracle.Pair{{A: "tip", B: "wall"}}},
		{[]float64{0, math.Pi / 2}, []oracle.Pair{{A: "base", B: "tip"}}},
	} {
		if got, err := j.Pose(oracle.Both, c.q); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("at %v %v touch (%v), want %v", c.q, got, err, c.want)
		}
	}
	d, err := j.apart(oracle.Pair{A: "tip", B: "wall"}, []float64{0.3, 0}, 0)
	if err != nil || math.Abs(d-0.04) > 1e-7 {
		t.Errorf("tip and wall are %g m apart (%v), want 0.04", d, err)
	}
	for _, c := range []struct{ rpy, want [4]float64 }{
		{[4]float64{}, [4]float64{0, 0, 0, 1}},
		{[4]float64{math.Pi, 0, 0}, [4]float64{1, 0, 0, 0}},
		{[4]float64{0, math.Pi, math.Pi}, [4]float64{1, 0, 0, 0}},
		{[4]float64{math.Pi / 2, math.Pi / 2, 0}, [4]float64{0.5, 0.5, -0.5, 0.5}},
	} {
		got := quaternion(c.rpy[0], c.rpy[1], c.rpy[2])
		dot := 0.0
		for i := range got {
			dot += got[i] * c.want[i]
		}
		if math.Abs(math.Abs(dot)-1) > 1e-12 {
			t.Errorf("quaternion of %v is %v, want %v", c.rpy, got, c.want)
		}
	}
}
