package firstcontact_test

import (
	"context"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The small robots of testdata, whose first contact is known in closed form.
func TestSmallRobots(t *testing.T) {
	at := func(x, y, z float64) geom.Pose { return geom.Translation(geom.Vec{X: x, Y: y, Z: z}) }
	// wall has its face at x = d, and the robot on the side of smaller x.
	wall := func(d float64) scene.Object {
		return scene.NewBox("wall", at(d+0.5, 0, 0), geom.Vec{X: 1, Y: 6, Z: 6})
	}
	for _, c := range []struct {
		name, robot string
		world       scene.Object
		joints      []string
		from, to    []float64
		toc         float64 // s; NaN: free
		pair        [2]string
	}{
		{
			"ball swings against a wall: sin a + r = d", "pendulum", wall(0.6),
			[]string{"swing"},
			[]float64{0},
			[]float64{-math.Pi / 2},
			math.Asin(0.5) / (math.Pi / 2),
			[2]string{"bob", "wall"},
		},
		{
			"ball stops 1 mm before the wall", "pendulum", wall(0.1 + math.Sin(0.5) + 1e-3),
			[]string{"swing"},
			[]float64{0},
			[]float64{-0.5},
			math.NaN(),
			[2]string{},
		},
		{
			"tip on a straight line: 2 cos q + r = d", "two_link", wall(1.55),
			[]string{"shoulder", "elbow"},
			[]float64{math.Pi / 2, -math.Pi},
			[]float64{0, 0},
			1 - math.Acos(0.75)/(math.Pi/2),
			[2]string{"lower", "wall"},
		},
		{
			"cube slides against a wall", "gantry", wall(1.1),
			[]string{"x", "y", "z"},
			[]float64{0, 0, 0},
			[]float64{2, 1, 0.5},
			0.5,
			[2]string{"load", "wall"},
		},
		{
			"cube reaches a ball with its edge: (1.9 - 2t) sqrt 2 = r", "gantry", scene.NewSphere("ball", at(2, 1, 0), 0.1*math.Sqrt2),
			[]string{"x", "y", "z"},
			[]float64{0, -1, 0},
			[]float64{2, 1, 0},
			0.9,
			[2]string{"load", "ball"},
		},
	} {
		robot, err := urdf.Load("testdata/"+c.robot+".urdf", urdf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		world, err := scene.New("", c.world)
		if err != nil {
			t.Fatal(err)
		}
		checker, err := ccd.New(robot, world, ccd.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := motion.Between(c.joints, c.from, c.to, 1)
		if err != nil {
			t.Fatal(err)
		}
		v, err := checker.Check(context.Background(), m, motion.Query{})
		if err != nil {
			t.Fatal(err)
		}
		if math.IsNaN(c.toc) {
			if v.Status != motion.Free {
				t.Errorf("%s: %v at %v, want free", c.name, v.Status, v.TOC)
			}
			continue
		}
		if v.Status != motion.Contact || v.TOC.Lo > c.toc || v.TOC.Hi < c.toc-2e-6 || v.TOC.Hi-v.TOC.Lo > 1e-6 {
			t.Errorf("%s: %v at %v, want contact at %.7f", c.name, v.Status, v.TOC, c.toc)
			continue
		}
		if got := [2]string{v.Contact.Pair.A.Name, v.Contact.Pair.B.Name}; got != c.pair {
			t.Errorf("%s: %v touch, want %v", c.name, got, c.pair)
		}
	}
}
