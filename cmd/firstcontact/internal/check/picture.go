package check

import (
	"fmt"
	"math"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/drawing"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/show"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// still is a robot among obstacles at one time of a motion, for --picture and --png.
type still struct {
	title, caption string
	time           float64
	witness        *motion.Witness // of the pair to show apart, if any

	robot []figure // where it is at that time
	start []figure // and at the motion's start
	world []figure
}

// figure is a body's surface in the frame of the scene.
type figure struct {
	body   motion.Body
	pieces [][4]geom.Vec
}

// drawStill writes the picture of an answer to a file.
func drawStill(file string, c *ccd.Checker, m *motion.Motion, v *motion.Verdict, r *verdict.Result) error {
	s := stillOf(v, r)
	if err := s.draw(c, m); err != nil {
		return err
	}
	return cli.Create(cli.Output{Flag: "picture", Path: file}, s.write)
}

// stillOf returns what to show of an answer: the contact; of a free motion where it comes
// closest, if that is known; otherwise how far it is proved.
func stillOf(v *motion.Verdict, r *verdict.Result) *still {
	s := &still{title: r.Motion + ": " + strings.ToUpper(r.Status), time: v.ProvenUntil}
	switch {
	case v.Status == motion.Contact:
		s.show(&v.Contact)
		s.title += fmt.Sprintf(" at %s of %.6g s", answer.By(v.TOC.Hi), r.Duration)
		s.time = v.TOC.Hi
	case v.Status == motion.Free && v.MinClearance.At.Pair.A.Name != "":
		s.show(&v.MinClearance.At)
		s.title += fmt.Sprintf(", closest at %.6g s of %.6g s", s.time, r.Duration)
	case v.Status == motion.Free:
		s.time = r.Duration
		s.title += fmt.Sprintf(", proved for all of %.6g s: where it ends", r.Duration)
	default:
		s.title += fmt.Sprintf(": where the proof ends, at %.6g s of %.6g s", s.time, r.Duration)
	}
	return s
}

func (s *still) show(w *motion.Witness) {
	s.witness, s.time = w, w.Time
	s.caption = fmt.Sprintf("%s and %s, %s apart", w.Pair.A.Name, w.Pair.B.Name, answer.AtMost(w.Distance))
}

// draw places links and obstacles.
func (s *still) draw(c *ccd.Checker, m *motion.Motion) error {
	resolved, err := c.Resolve(m)
	if err != nil {
		return err
	}
	robot, world := c.Robot(), c.World()
	bodies := make([]*linkspheres.Body, len(robot.Links))
	for i := range robot.Links {
		if bodies[i], err = linkspheres.NewBody(&robot.Links[i]); err != nil {
			return err
		}
	}
	for _, moment := range []struct {
		time float64
		to   *[]figure
	}{{0, &s.start}, {s.time, &s.robot}} {
		poses, err := show.PosesAt(c, resolved, moment.time)
		if err != nil {
			return err
		}
		for i := range robot.Links {
			*moment.to = append(*moment.to, figureOf(motion.Body{Name: robot.Links[i].Name, Kind: motion.RobotLink}, bodies[i], poses[i]))
		}
		attached, err := objectsOf(robot, world, poses, true)
		if err != nil {
			return err
		}
		*moment.to = append(*moment.to, attached...)
	}
	s.world, err = objectsOf(robot, world, nil, false)
	return err
}

// objectsOf returns the obstacles of a scene, or the objects that links carry.
func objectsOf(robot *urdf.Robot, world *scene.Snapshot, links []geom.Pose, attached bool) (out []figure, err error) {
	if world == nil {
		return nil, nil
	}
	for i := range world.Objects {
		o := &world.Objects[i]
		if attached != (o.AttachedTo != "") {
			continue
		}
		b, err := linkspheres.NewBody(&urdf.Link{Name: o.ID, Collisions: []urdf.Collision{{Shape: o.Shape, PoseLS: geom.IdentityPose()}}})
		if err != nil {
			return nil, err
		}
		pose, kind := o.PoseWS, motion.WorldObject
		if attached {
			pose, kind = links[robot.Link(o.AttachedTo)].Mul(o.PoseWS), motion.AttachedObject
		}
		out = append(out, figureOf(motion.Body{Name: o.ID, Kind: kind}, b, pose))
	}
	return out, nil
}

// figureOf cuts a body's surface into pieces small enough for the picture.
func figureOf(body motion.Body, b *linkspheres.Body, pose geom.Pose) figure {
	f := figure{body: body}
	if b.Empty() {
		return f
	}
	h := b.Box().Half()
	for _, p := range drawing.Pieces(b, math.Max(h.X, math.Max(h.Y, h.Z))/6) {
		for k := range p {
			p[k] = pose.Apply(p[k])
		}
		f.pieces = append(f.pieces, p)
	}
	return f
}
