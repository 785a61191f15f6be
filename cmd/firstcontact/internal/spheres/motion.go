package spheres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// motionTrees is what spheres --range-of-motion shows.
type motionTrees struct {
	robot  string
	inputs input.Inputs
	c      *ccd.Checker
	all    ccd.SelfTrees
	auto   ccd.SelfTrees // without building anything
	links  []ccd.LinkTree
	bodies []*linkspheres.Body
}

// validateMotion finds flags that make spheres, which --range-of-motion does not.
func (f *flags) validateMotion() error {
	switch {
	case !f.motion && f.srdf != "":
		return errors.New("--srdf is for --range-of-motion: which pairs are checked changes no cover")
	case !f.motion:
		return nil
	case f.spheres != 0 || f.total != 0 || f.excess != 0 || len(f.out) > 0 || f.verified != "" || f.surface:
		return errors.New("--range-of-motion covers no links: leave --spheres, --total, --excess, --surface, --out and --verify away")
	}
	return nil
}

// showMotion shows the sphere trees and hulls that distance queries of the robot's own
// pairs use.
func (f *flags) showMotion(ctx context.Context, s cli.Streams, robot *urdf.Robot, bodies []*linkspheres.Body) error {
	o := ccd.Options{Padding: f.padding}
	auto, err := ccd.NewContext(ctx, robot, nil, o)
	if err != nil {
		return err
	}
	o.SelfMethod = ccd.SelfSpheres
	c, err := ccd.NewContext(ctx, robot, nil, o)
	if err != nil {
		return err
	}
	m := &motionTrees{robot: robot.Name, inputs: f.RobotInputs(robot), c: c, bodies: bodies}
	if m.all, err = c.SelfTrees(ctx); err != nil {
		return err
	}
	if m.auto, err = auto.SelfTrees(ctx); err != nil {
		return err
	}
	all, err := c.LinkTrees(ctx)
	if err != nil {
		return err
	}
	for _, l := range all {
		if slices.ContainsFunc(bodies, func(b *linkspheres.Body) bool { return b.Link == l.Link }) {
			m.links = append(m.links, l)
		}
	}
	if f.picture != "" {
		if err := cli.Create(cli.Output{Flag: "picture", Path: f.picture}, func(w io.Writer) error { return m.draw(w) }); err != nil {
			return err
		}
	}
	write := m.writeText
	if f.json {
		write = m.writeJSON
	}
	if err := write(s.Out); err != nil {
		return err
	}
	return nil
}

func (m *motionTrees) writeText(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "link\tspheres\tlevels\thull of its range of motion\tlinks beyond it\t")
	for i := range m.links {
		l := &m.links[i]
		hull := "none: a joint beyond it has no limits"
		if l.Bounded {
			hull = answer.Metres(l.Hull.Radius)
		}
		note := ""
		if l.Tight {
			note = "in use"
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%d\t%s\n", l.Link, l.Spheres, l.Levels, hull, l.Beyond, note)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	t := &m.all
	text := fmt.Sprintf("%s: %d links with %d spheres in up to %d levels; %d hulls of ranges of motion, %d of them in use; %d of %d pairs of links proved apart; built in %.0f ms, %.1f kB\n",
		m.robot, t.Links, t.Spheres, t.Levels, t.Hulls, t.Tight, t.Apart, t.Pairs, 1e3*t.Time.Seconds(), float64(t.Bytes)/1e3)
	if len(t.Unbounded) > 0 {
		text += "without limits: " + strings.Join(t.Unbounded, ", ") + "\n"
	}
	_, err := fmt.Fprintf(out, "%srepeated distance queries take %s by default: %s\n", text, m.auto.Method, m.auto.Why)
	return err
}

// RangeOfMotion is the answer of spheres --range-of-motion.
type RangeOfMotion struct {
	answer.Head
	// The robot's name.
	Robot string `json:"robot"`
	// What the answer is about.
	Inputs input.Inputs `json:"inputs"`
	// What is probably not what was meant.
	Warnings []answer.Warning `json:"warnings"`
	// The method of repeated distance queries: spheres or spacetime.
	Method string `json:"auto_method"`
	// Why it is that one.
	Why string `json:"why"`
	// Number of spheres of all links.
	Spheres int `json:"spheres"`
	// Levels of the deepest tree.
	Levels int `json:"levels"`
	// Number of hulls of ranges of motion.
	Hulls int `json:"hulls"`
	// Number of hulls that exclude a pair.
	Tight int `json:"hulls_in_use"`
	// Number of pairs of links.
	Pairs int `json:"pairs"`
	// Number of pairs of links that are proved apart.
	Apart int `json:"pairs_apart"`
	// Joints without limits, whose range has no hull.
	Unbounded []string `json:"unbounded_joints"`
	// s: time to build all of it.
	Seconds float64 `json:"build_time"`
	// Its size in memory.
	Bytes int `json:"bytes"`
	// The links.
	Links []motionLink `json:"links"`
}

// motionLink is the tree and the hull of a link.
type motionLink struct {
	// The link.
	Link string `json:"link"`
	// Number of spheres of its tree.
	Spheres int `json:"spheres"`
	// Levels of its tree.
	Levels int `json:"levels"`
	// The hull of all that is beyond its joint; null if a joint beyond it has no limits.
	Hull *sphere `json:"hull" jsonschema:"nullable"`
	// Number of links beyond its joint.
	Beyond int `json:"links_beyond"`
	// Whether the hull excludes a pair.
	Tight bool `json:"in_use"`
}

func (m *motionTrees) writeJSON(out io.Writer) error {
	t := &m.all
	doc := RangeOfMotion{
		Head: answer.HeadOf("spheres-range-of-motion"), Robot: m.robot, Inputs: m.inputs, Warnings: input.Warnings(m.c.Robot(), nil),
		Method: m.auto.Method.String(), Why: m.auto.Why, Spheres: t.Spheres, Levels: t.Levels, Hulls: t.Hulls, Tight: t.Tight,
		Pairs: t.Pairs, Apart: t.Apart, Unbounded: append([]string{}, t.Unbounded...), Seconds: t.Time.Seconds(), Bytes: t.Bytes, Links: []motionLink{},
	}
	for i := range m.links {
		l := &m.links[i]
		x := motionLink{l.Link, l.Spheres, l.Levels, nil, l.Beyond, l.Tight}
		if l.Bounded {
			x.Hull = &sphere{answer.Triple(l.Hull.Center), l.Hull.Radius}
		}
		doc.Links = append(doc.Links, x)
	}
	return answer.Encode(out, doc)
}
