package spheres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/certificate/digest"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// sphereVerdict is the verdict on the spheres of one link.
type sphereVerdict struct {
	// The link.
	Link string `json:"link"`
	// covered, uncovered (a point of the link is outside) or unproved.
	Status string `json:"status" jsonschema:"enum=covered,enum=uncovered,enum=unproved"`
	// Number of its spheres.
	Spheres int `json:"spheres"`
	// Why it is not covered.
	Reason string `json:"reason,omitempty"`
	// m: a point of the link that is not proved to be inside.
	Point *[3]float64 `json:"point,omitempty"`
	// m: how far that point is outside.
	Outside float64 `json:"outside,omitempty"`
	// m: bounds of how far the spheres protrude.
	Excess *[2]float64 `json:"excess,omitempty"`
	// Size of the proof: pieces of surface.
	Pieces int `json:"proof_pieces,omitempty"`
	// Size of the proof: cells of space.
	Cells int `json:"proof_cells,omitempty"`
}

// Verified is the answer of spheres --verify.
type Verified struct {
	answer.Head
	// The file with the spheres.
	File string `json:"file"`
	// Whether every link is covered.
	Verified bool `json:"verified"`
	// Whether the file says by its SHA-256 which robot it is for.
	Bound bool `json:"bound_to_robot"`
	// What the answer is about.
	Inputs input.Inputs `json:"inputs"`
	// What is probably not what was meant.
	Warnings []answer.Warning `json:"warnings"`
	// What is inside the spheres: solid, all of each link, or surface.
	Covers string `json:"covers" jsonschema:"enum=solid,enum=surface"`
	// m: how much every link is grown.
	Padding float64 `json:"padding"`
	// The links.
	Links []sphereVerdict `json:"links"`
}

// verifySpheres proves the spheres of a file again.
func (f *flags) verifySpheres(ctx context.Context, s cli.Streams, robot *urdf.Robot, bodies []*linkspheres.Body) error {
	file, err := readSpheres(ctx, f.verified)
	if err != nil {
		return err
	}
	if err := f.belongs(s.Err, file, robot); err != nil {
		return err
	}
	if f.padded {
		file.padding = f.padding
	}
	r := &Verified{Head: answer.HeadOf("spheres-verify"), Inputs: f.RobotInputs(robot), Warnings: input.Warnings(robot, nil), File: f.verified, Verified: true, Bound: file.digest != "", Covers: "solid", Padding: file.padding}
	opts := linkspheres.Options{SurfaceOnly: file.surface || f.surface}
	if opts.SurfaceOnly {
		r.Covers = "surface"
	}
	set, worst, err := f.verifyLinks(ctx, s, r, file, opts, bodies)
	if err != nil {
		return err
	}
	r.Verified = worst == cli.ExitFree
	if f.picture != "" {
		set.Robot, set.Padding = robot.Name, file.padding
		if err := cli.Create(cli.Output{Flag: "picture", Path: f.picture}, func(w io.Writer) error { return drawSpheres(w, set, bodies) }); err != nil {
			return err
		}
	}
	write := r.writeText
	if f.json {
		write = func(w io.Writer) error { return answer.Encode(w, r) }
	}
	if err := write(s.Out); err != nil {
		return err
	}
	if worst != cli.ExitFree {
		return cli.Outcome(worst)
	}
	return nil
}

// verifyLinks verifies each link's spheres and reports on it. It returns the spheres, and
// the exit status of the worst link.
func (f *flags) verifyLinks(ctx context.Context, s cli.Streams, r *Verified, file *sphereFile, opts linkspheres.Options, bodies []*linkspheres.Body) (set *Set, worst int, err error) {
	done := linksDone(ctx, "verifying links", len(bodies))
	set, worst = &Set{}, cli.ExitFree
	for _, b := range bodies {
		v, balls, err := verifyLink(ctx, b, file, opts)
		if err != nil {
			return nil, 0, err
		}
		done(b.Link)
		r.Links = append(r.Links, v)
		set.Links = append(set.Links, coveredLink{Link: b.Link, Spheres: file.spheres[b.Link], balls: balls, Open: b.Open, Excess: orZero(v.Excess)})
		switch v.Status {
		case "uncovered":
			worst = cli.Worse(worst, cli.ExitContact)
		case "unproved":
			worst = cli.Worse(worst, cli.ExitUndecided)
		}
	}
	return set, worst, nil
}

func orZero(e *[2]float64) [2]float64 {
	if e == nil {
		return [2]float64{}
	}
	return *e
}

// belongs checks that the file is about the robot: by its checksum if it has one, otherwise by
// the names of its links. A note lists names that the robot lacks.
func (f *flags) belongs(notes io.Writer, file *sphereFile, robot *urdf.Robot) error {
	if file.digest != "" {
		if sum := fmt.Sprintf("%x", digest.Robot(robot)); sum != file.digest {
			return fmt.Errorf("%s is about another robot (%s, %.12s...) than %s (%.12s...): its links, joints or meshes have changed since; make the spheres again", f.verified, file.robot, file.digest, robot.Path, sum)
		}
	}
	var unknown []string
	for _, name := range file.links {
		if robot.Link(name) < 0 {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == len(file.links) {
		return fmt.Errorf("%s has spheres for no link of %s", f.verified, robot.Path)
	}
	if len(unknown) > 0 && !f.Quiet() {
		fmt.Fprintf(notes, "note: %s has spheres for links that the robot lacks: %s\n", f.verified, strings.Join(unknown, ", "))
	}
	return nil
}

// verifyLink proves the spheres of one link. The error is the context's.
func verifyLink(ctx context.Context, b *linkspheres.Body, file *sphereFile, opts linkspheres.Options) (v sphereVerdict, balls []linkspheres.Ball, err error) {
	balls = unpadded(file.spheres[b.Link], file.padding)
	// Such files disable a sphere by a radius of zero or less.
	balls = slices.DeleteFunc(balls, func(b linkspheres.Ball) bool { return b.Radius < 0 })
	v = sphereVerdict{Link: b.Link, Status: "covered", Spheres: len(balls)}
	if len(balls) == 0 {
		v.Status, v.Reason = "uncovered", "the file has no spheres for it"
		return v, nil, nil
	}
	proof, err := linkspheres.Prove(ctx, b, balls, opts)
	v.Pieces, v.Cells = proof.Pieces, proof.Cells
	var refusal *linkspheres.Refusal
	switch {
	case errors.As(err, &refusal):
		v.Status, v.Reason = "unproved", refusal.Reason
		v.Point = &[3]float64{refusal.Point.X, refusal.Point.Y, refusal.Point.Z}
		if refusal.Outside > 0 {
			v.Status, v.Reason, v.Outside = "uncovered", "a point of it is outside all spheres", refusal.Outside
		}
	case err != nil:
		return v, nil, err
	}
	e, err := b.Excess(ctx, balls, linkspheres.ExcessOptions{})
	v.Excess = &[2]float64{e.Lower, e.Upper}
	return v, balls, err
}

func (r *Verified) writeText(w io.Writer) error {
	var b strings.Builder
	width := 0
	for i := range r.Links {
		width = max(width, len(r.Links[i].Link))
	}
	bad := 0
	for i := range r.Links {
		v := &r.Links[i]
		fmt.Fprintf(&b, "%-*s  %s", width, v.Link, strings.ToUpper(v.Status))
		switch {
		case v.Point != nil:
			fmt.Fprintf(&b, ": (%.6g, %.6g, %.6g): %s", v.Point[0], v.Point[1], v.Point[2], v.Reason)
			if v.Outside > 0 {
				fmt.Fprintf(&b, ", by %s", answer.Metres(v.Outside))
			}
		case v.Reason != "":
			fmt.Fprintf(&b, ": %s", v.Reason)
		}
		if v.Excess != nil {
			fmt.Fprintf(&b, " (%d spheres, protruding by at most %s)", v.Spheres, answer.Metres(v.Excess[1]))
		}
		fmt.Fprintln(&b)
		if v.Status != "covered" {
			bad++
		}
	}
	what := "all of each link"
	if r.Covers == "surface" {
		what = "the surface of each link"
	}
	if r.Padding > 0 {
		what += ", grown by " + answer.Metres(r.Padding) + ","
	}
	if bad == 0 {
		fmt.Fprintf(&b, "%s: VERIFIED: %s is inside the spheres (%d links)\n", r.File, what, len(r.Links))
	} else {
		fmt.Fprintf(&b, "%s: REFUSED: %d of %d links are not proved to be covered\n", r.File, bad, len(r.Links))
	}
	if !r.Bound {
		fmt.Fprintf(&b, "    the file does not say which robot it was made for\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
