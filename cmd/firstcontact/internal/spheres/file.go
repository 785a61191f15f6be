package spheres

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// Set is the answer of spheres: a cover of each link.
type Set struct {
	answer.Head
	// The robot's name.
	Robot string `json:"robot"`
	// SHA-256 of the robot, as in inputs.
	Digest string `json:"robot_sha256"`
	// What the answer is about.
	Inputs input.Inputs `json:"inputs"`
	// What is probably not what was meant.
	Warnings []answer.Warning `json:"warnings"`
	// What is inside the spheres: solid, all of each link, or surface.
	Covers string `json:"covers" jsonschema:"enum=solid,enum=surface"`
	// m: how much every link is grown.
	Padding float64 `json:"padding"`
	// The links with their spheres.
	Links []coveredLink `json:"links"`
	// s: time on the wall clock.
	Compute float64 `json:"compute_s"`

	path   string                 // the robot's URDF
	source func() ([]byte, error) // its text
}

func (s *Set) writeJSON(w io.Writer) error { return answer.Encode(w, s) }

// writeYAML writes the spheres as cuRobo reads them: links by name, each with a list of
// centres and radii in the link's frame. Other data goes under a separate key, which such
// readers ignore.
func (s *Set) writeYAML(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "# Spheres that cover the links of %s, by firstcontact: metres, in each link's frame.\n", oneLine(s.Robot))
	fmt.Fprintln(w, "# Proved; 'firstcontact spheres --robot URDF --verify FILE' proves it again.")
	fmt.Fprintln(w, "collision_spheres:")
	for i := range s.Links {
		fmt.Fprintf(w, "  %s:\n", quoted(s.Links[i].Link))
		for _, b := range s.Links[i].Spheres {
			fmt.Fprintf(w, "    - center: [%s, %s, %s]\n      radius: %s\n", exact(b.Center[0]), exact(b.Center[1]), exact(b.Center[2]), exact(b.Radius))
		}
	}
	fmt.Fprintln(w, "firstcontact:")
	fmt.Fprintf(w, "  robot: %s\n  robot_sha256: %q\n  covers: %s\n  padding: %s\n  links:\n", quoted(s.Robot), s.Digest, s.Covers, exact(s.Padding))
	for i := range s.Links {
		c := &s.Links[i]
		fmt.Fprintf(w, "    %s: {excess: [%.6g, %.6g]", quoted(c.Link), c.Excess[0], c.Excess[1])
		if c.Mean != nil {
			fmt.Fprintf(w, ", mean_excess: %.4g", c.Mean.Value)
		}
		if c.Ratio != nil {
			fmt.Fprintf(w, ", volume_ratio: %.4g", c.Ratio.Value)
		}
		if c.Open > 0 {
			fmt.Fprintf(w, ", open_parts: %d", c.Open)
		}
		fmt.Fprintln(w, "}")
	}
	return w.Flush()
}

// exact formats a number with all its digits, in a form that YAML 1.1 reads as a number.
func exact(x float64) string {
	t := strconv.FormatFloat(x, 'g', -1, 64)
	if mantissa, exponent, ok := strings.Cut(t, "e"); ok && !strings.Contains(mantissa, ".") {
		return mantissa + ".0e" + exponent
	}
	if !strings.ContainsAny(t, ".e") {
		t += ".0"
	}
	return t
}

// quoted formats a name so that YAML reads it as a string: JSON strings are YAML strings.
func quoted(name string) string {
	plain := name != ""
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		plain = plain && (letter || i > 0 && (r == '-' || '0' <= r && r <= '9'))
	}
	switch strings.ToLower(name) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		plain = false
	}
	if plain {
		return name
	}
	b, _ := json.Marshal(name) // marshalling a string never fails
	return string(b)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// sphereFile holds the contents of a YAML file of spheres.
type sphereFile struct {
	links   []string // in alphabetical order
	spheres map[string][]sphere
	digest  string // empty in a file of another program
	robot   string
	surface bool
	padding float64
}

// maxSpheresInFile bounds the number of spheres in a file.
const maxSpheresInFile = 200_000

// readSpheres reads a YAML or JSON file with the key collision_spheres, at the top or
// where cuRobo's configurations have it, under robot_cfg and kinematics.
func readSpheres(ctx context.Context, path string) (*sphereFile, error) {
	data, err := infile.Read(ctx, path, limit.DocumentBytes)
	if err != nil {
		return nil, err
	}
	return parseSpheres(path, data)
}

func parseSpheres(path string, data []byte) (*sphereFile, error) {
	docs, err := document.Parse(path, data)
	if err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, fmt.Errorf("%s: %d documents: give a file with one", path, len(docs))
	}
	top, err := docs[0].AnyFields("the file")
	if err != nil {
		return nil, err
	}
	f := &sphereFile{spheres: map[string][]sphere{}}
	inner := top
	for _, key := range [...]string{"robot_cfg", "kinematics"} {
		if v, ok := inner.Get(key); ok && !inner.Has("collision_spheres") {
			if inner, err = v.AnyFields(key); err != nil {
				return nil, err
			}
		}
	}
	v, err := inner.Need("the file", "collision_spheres")
	if err != nil {
		return nil, err
	}
	if err := f.readLinks(v); err != nil {
		return nil, err
	}
	if v, ok := top.Get("firstcontact"); ok {
		return f, f.readOrigin(v)
	}
	return f, nil
}

func (f *sphereFile) readLinks(v document.Value) error {
	links, err := v.AnyFields("collision_spheres")
	if err != nil {
		return err
	}
	total := 0
	for _, name := range links.Keys() {
		v, _ := links.Get(name)
		list, err := v.Of("link " + name).List("its spheres")
		if err != nil {
			return err
		}
		if total += len(list); total > maxSpheresInFile {
			return v.Errorf("more than %d spheres", maxSpheresInFile)
		}
		f.links = append(f.links, name)
		f.spheres[name] = make([]sphere, len(list))
		for i, item := range list {
			if f.spheres[name][i], err = readSphere(item); err != nil {
				return err
			}
		}
	}
	return nil
}

func readSphere(v document.Value) (s sphere, err error) {
	k, err := v.Fields("a sphere", "center", "radius")
	if err != nil {
		return s, err
	}
	c, err := k.Need("a sphere", "center")
	if err != nil {
		return s, err
	}
	xyz, err := c.Floats("center", 3)
	if err != nil {
		return s, err
	}
	copy(s.Center[:], xyz)
	r, err := k.Need("a sphere", "radius")
	if err != nil {
		return s, err
	}
	s.Radius, err = r.Float("radius")
	return s, err
}

// readOrigin reads what the command itself wrote in addition to the spheres.
func (f *sphereFile) readOrigin(v document.Value) error {
	k, err := v.Fields("firstcontact", "robot", "robot_sha256", "covers", "padding", "links")
	if err != nil {
		return err
	}
	if f.robot, err = document.Optional(k, "robot", document.Value.Str); err != nil {
		return err
	}
	sum, err := k.Need("firstcontact", "robot_sha256")
	if err != nil {
		return err
	}
	if f.digest, err = sum.Str("robot_sha256"); err != nil {
		return err
	}
	if f.padding, err = document.Optional(k, "padding", document.Value.Float); err != nil {
		return err
	}
	if !(f.padding >= 0) {
		return v.Errorf("padding %g: it must be zero or more", f.padding)
	}
	covers, err := document.Optional(k, "covers", document.Value.Str)
	if err != nil {
		return err
	}
	switch covers {
	case "solid", "":
	case "surface":
		f.surface = true
	default:
		return v.Errorf("covers %q: it must be solid or surface", covers)
	}
	return nil
}
