package clouds

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// BenchmarkScan reads a cloud of 640 x 480 points, as a depth camera sends at 30 Hz: a fifth on
// the robot, the rest on the floor and on a wall within the range.
func BenchmarkScan(b *testing.B) {
	robot, err := urdf.Load(filepath.Join("..", "..", "testdata", "humanoid", "humanoid.urdf"), urdf.Options{})
	if err != nil {
		b.Fatal(err)
	}
	checker, err := ccd.New(robot, nil, ccd.Options{})
	if err != nil {
		b.Fatal(err)
	}
	links, err := checker.LinkPoses(nil)
	if err != nil {
		b.Fatal(err)
	}
	body, err := NewBody(robot, nil)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var points []geom.Vec
	for len(points) < 640*480 {
		p := geom.Vec{X: r.Float64()*3 - 1.5, Y: r.Float64()*3 - 1.5, Z: -0.9}
		switch {
		case len(points)%5 == 0:
			part := &body.parts[r.IntN(len(body.parts))]
			box := part.body.Box()
			points = append(points, links[part.link].Apply(geom.Vec{
				X: box.Min.X + r.Float64()*(box.Max.X-box.Min.X),
				Y: box.Min.Y + r.Float64()*(box.Max.Y-box.Min.Y),
				Z: box.Max.Z,
			}))
		case len(points)%2 == 0:
			points = append(points, p)
		default:
			points = append(points, geom.Vec{X: 1.5, Y: p.Y, Z: p.X})
		}
	}
	m := message(points...)
	v := View{Sensor: geom.IdentityPose(), Links: links, Body: body, Stamp: stamp}
	for b.Loop() {
		s, err := NewScan(b.Context(), m, v, Options{Voxel: 0.02, Range: 3, Margin: 0.02})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(s.Own), "own")
		b.ReportMetric(float64(len(s.voxels)), "voxels")
	}
}
