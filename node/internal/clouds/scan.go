package clouds

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// Options say what becomes of a cloud.
type Options struct {
	Voxel  float64 // side of the grid's boxes, m
	Range  float64 // m from the sensor; points beyond it show nothing
	Margin float64 // m around the robot's body; points within it are the robot's own
}

// View is from where a cloud was seen, and by whom.
type View struct {
	Sensor geom.Pose            // of the cloud's frame in the root link's
	Links  map[string]geom.Pose // of the robot's links in the root link's frame, at the stamp
	Body   *Body
	Stamp  time.Time
}

// Scan is what a cloud shows, in the root link's frame. It is immutable.
type Scan struct {
	opts   Options
	voxels []voxel // sorted
	Stamp  time.Time
	// Points counts the entries of the cloud: Missing without a return, Beyond the range, Own
	// of the robot. Of the robot's points those in a box that another point takes up anyway are
	// not counted.
	Points, Missing, Beyond, Own int
}

// NewScan reads a cloud. It retains nothing of the message. Errors say what is wrong with the
// message, or that the context has ended.
func NewScan(ctx context.Context, m *sensormsgs.PointCloud2, v View, o Options) (*Scan, error) {
	l, err := layoutOf(m)
	if err != nil {
		return nil, err
	}
	body, err := v.Body.at(v.Links, o.Margin)
	if err != nil {
		return nil, err
	}
	s := &Scan{opts: o, Stamp: v.Stamp, Points: l.width * l.height}
	g, taken, read := grid{o.Voxel}, newSet(1<<12), 0
	l.each(m.Data, func(p geom.Vec) bool {
		if read++; read%4096 == 0 {
			err = ctx.Err()
		}
		if err == nil {
			err = s.take(p, &v.Sensor, g, taken, body)
		}
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	s.voxels = taken.sorted()
	return s, nil
}

// take takes a point of the sensor's frame.
func (s *Scan) take(p geom.Vec, sensor *geom.Pose, g grid, taken *set, body *placed) error {
	switch d := p.X*p.X + p.Y*p.Y + p.Z*p.Z; {
	case !geom.Finite(p):
		s.Missing++
		return nil
	case !(d <= s.opts.Range*s.opts.Range):
		s.Beyond++
		return nil
	}
	p = sensor.Apply(p)
	at, ok := g.of(p)
	switch {
	case !ok:
		return fmt.Errorf("a point at (%.4g, %.4g, %.4g) is too far out for boxes of %g m: give larger boxes or a smaller range", p.X, p.Y, p.Z, g.side)
	case taken.has(at):
	case body.owns(p):
		s.Own++
	case taken.n >= limit.CloudVoxels:
		return fmt.Errorf("its points take more than %d boxes of %g m: give larger boxes or a smaller range", limit.CloudVoxels, g.side)
	default:
		taken.add(at)
	}
	return nil
}

// union returns all boxes that any of several scans takes up.
func union(scans []*Scan) []voxel {
	if len(scans) == 1 {
		return scans[0].voxels
	}
	var all []voxel
	for _, s := range scans {
		all = append(all, s.voxels...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// objectOf returns the obstacle of the boxes that scans like the newest take up together. None
// means that nothing is seen. The premise says what the obstacle rests on.
func objectOf(id string, newest *Scan, all []voxel) (object scene.Object, any bool, seen premise.Premise, err error) {
	if len(all) > limit.CloudVoxels {
		return object, false, seen, fmt.Errorf("what was seen lately takes more than %d boxes of %g m: give larger boxes, a smaller range or a shorter decay", limit.CloudVoxels, newest.opts.Voxel)
	}
	seen = newest.premise(id, len(all))
	if len(all) == 0 {
		return object, false, seen, nil
	}
	return scene.NewCells(id, geom.IdentityPose(), grid{newest.opts.Voxel}.boxes(all)), true, seen, nil
}

// premise says what the obstacle rests on.
func (s *Scan) premise(id string, voxels int) premise.Premise {
	return premise.Premise{
		Kind: premise.PointCloud, Names: []string{id}, Value: s.opts.Margin,
		Detail: fmt.Sprintf("%s is what a sensor saw at %s: %d boxes of %g m hold its points, and where no point is nothing is; of %d points %d had no return, %d were beyond %g m, and %d were taken for the robot's own, within %g m of its body",
			id, s.Stamp.UTC().Format("15:04:05.000"), voxels, s.opts.Voxel, s.Points, s.Missing, s.Beyond, s.opts.Range, s.Own, s.opts.Margin),
	}
}
