package attack

import (
	"fmt"
	"math"
	"path/filepath"
	"sync"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// obstacle is one body of the world, for either side.
type obstacle struct {
	id   string
	kind string // as the oracle spells it
	p    geom.Vec
	quat [4]float64 // x, y, z, w
	size []float64  // as the oracle takes it
	file string
}

// meshes of real scenes, in metres; those with a scale are made to fit a robot.
var meshes = []struct {
	file  string
	scale float64
}{
	{"iai_apartment/iai_apartment/meshes/cabinet09/IAIKitchenDrawerW60H13.obj", 1},
	{"iai_apartment/iai_apartment/meshes/cabinet07/dishwasher_drawer_middle.obj", 1},
	{"iai_apartment/iai_apartment/meshes/tap/IAIKitchenWaterTapBody.obj", 1},
	{"iai_apartment/iai_apartment/meshes/collision/armchair.obj", 1},
	{"hpp_environments/multicontact/stairs.stl", 0.5},
	{"hpp_environments/multicontact/darpa.stl", 0.3},
	{"hpp_environments/multicontact/maze_hard.stl", 0.2},
	{"hpp_environments/multicontact/polaris.stl", 0.5},
	{"fcl/rob.obj", 0.002},
	{"gazebo_models/drc_practice_truss/meshes/truss.dae", 0.3},
	{"hpp_environments/ur_benchmark/pokeball.dae", 1},
}

// loaded keeps mesh shapes, so that hierarchies are built once.
var (
	loaded = map[string]*shape.Shape{}
	load   sync.Mutex
)

func meshShape(t *testing.T, file string, scale float64) *shape.Shape {
	t.Helper()
	key := fmt.Sprint(file, scale)
	load.Lock()
	defer load.Unlock()
	if s := loaded[key]; s != nil {
		return s
	}
	m, err := mesh.Load(file, geom.Vec{X: scale, Y: scale, Z: scale})
	must(t, err)
	s := &shape.Shape{Kind: shape.Mesh, Mesh: m, Source: file}
	loaded[key] = s
	return s
}

func (o *obstacle) object(t *testing.T) scene.Object {
	t.Helper()
	r, err := geom.Quat(o.quat[0], o.quat[1], o.quat[2], o.quat[3])
	must(t, err)
	s := &shape.Shape{}
	switch o.kind {
	case "box":
		s = &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: o.size[0], Y: o.size[1], Z: o.size[2]}}
	case "cylinder":
		s = &shape.Shape{Kind: shape.Cylinder, Length: o.size[0], Radius: o.size[1]}
	case "capsule":
		s = &shape.Shape{Kind: shape.Capsule, Length: o.size[0], Radius: o.size[1]}
	case "cone":
		s = &shape.Shape{Kind: shape.Cone, Length: o.size[0], Radius: o.size[1]}
	case "sphere":
		s = &shape.Shape{Kind: shape.Sphere, Radius: o.size[0]}
	case "mesh":
		s = meshShape(t, o.file, o.size[0])
	}
	return scene.Object{ID: o.id, Shape: s, PoseWS: geom.Pose{R: r, P: o.p}}
}

func (o *obstacle) judged() oracle.Object {
	return oracle.Object{ID: o.id, Type: o.kind, Position: [3]float64{o.p.X, o.p.Y, o.p.Z}, Rotation: o.quat, Size: o.size, File: o.file}
}

// obstacle draws a body somewhere within the robot's reach.
func (d dice) obstacle(s *subject, id string) obstacle {
	r := s.reach * d.In(0.3, 1.2)
	o := obstacle{id: id, p: d.within(r)}
	o.quat = d.quaternion()
	size := s.reach * d.Spread(0.05, 0.3)
	switch d.IntN(7) {
	case 0, 1:
		o.kind, o.size = "box", []float64{size, size * d.Spread(0.05, 3), size * d.Spread(0.05, 3)}
	case 2:
		o.kind, o.size = "cylinder", []float64{size * d.Spread(0.3, 5), 0.5 * size}
	case 3:
		o.kind, o.size = []string{"capsule", "cone"}[d.IntN(2)], []float64{size * d.Spread(0.3, 5), 0.5 * size}
	case 4:
		o.kind, o.size = "sphere", []float64{0.5 * size}
	default:
		m := meshes[d.IntN(len(meshes))]
		k := m.scale * s.reach
		o.kind, o.file, o.size = "mesh", filepath.Join(shared, "scenes", m.file), []float64{k, k, k}
	}
	return o
}

func (d dice) quaternion() (q [4]float64) {
	var n float64
	for i := range q {
		q[i] = d.NormFloat64()
		n += q[i] * q[i]
	}
	for i := range q {
		q[i] /= math.Sqrt(n)
	}
	return q
}

// within draws a point within r of the root.
func (d dice) within(r float64) geom.Vec {
	for {
		v := geom.Vec{X: d.In(-1, 1), Y: d.In(-1, 1), Z: d.In(-1, 1)}
		if n := math.Sqrt(v.X*v.X + v.Y*v.Y + v.Z*v.Z); n <= 1 && n > 0 {
			return geom.Vec{X: r * v.X, Y: r * v.Y, Z: r * v.Z}
		}
	}
}
