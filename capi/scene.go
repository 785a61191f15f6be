package main

// #include "include/firstcontact.h"
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// world is a scene that a caller edits: a new snapshot for each edit.
type world struct {
	mu  sync.Mutex
	now *scene.Snapshot
}

func (w *world) snapshot() *scene.Snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) edit(of func(*scene.Snapshot) (*scene.Snapshot, error)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	next, err := of(w.now)
	if err == nil {
		w.now = next
	}
	return err
}

//export goSceneNew
func goSceneNew(t *C.char, size C.size_t) C.uintptr_t {
	return guardNew("fc_scene_new", text{t, size}, func() (any, error) { return newWorld(scene.New("")) })
}

func newWorld(s *scene.Snapshot, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return &world{now: s}, nil
}

//export goSceneLoad
func goSceneLoad(path *C.char, robot C.uintptr_t, t *C.char, size C.size_t) C.uintptr_t {
	return guardNew("fc_scene_load", text{t, size}, func() (any, error) {
		name, err := needed("path", path)
		if err != nil {
			return nil, err
		}
		options, err := sceneOptions(robot)
		if err != nil {
			return nil, err
		}
		return newWorld(scene.Load(name, options))
	})
}

//export goSceneParse
func goSceneParse(name, content *C.char, robot C.uintptr_t, t *C.char, size C.size_t) C.uintptr_t {
	return guardNew("fc_scene_parse", text{t, size}, func() (any, error) {
		called, err := needed("name", name)
		if err != nil {
			return nil, err
		}
		data, err := needed("text", content)
		if err != nil {
			return nil, err
		}
		options, err := sceneOptions(robot)
		if err != nil {
			return nil, err
		}
		return newWorld(scene.Parse(called, []byte(data), options))
	})
}

func sceneOptions(robot C.uintptr_t) (scene.Options, error) {
	if robot == 0 {
		return scene.Options{}, nil
	}
	r, err := take[*urdf.Robot]("robot", robot)
	return scene.Options{Robot: r}, err
}

//export goScenePut
func goScenePut(h C.uintptr_t, object *C.fc_object, t *C.char, size C.size_t) C.int {
	return guard("fc_scene_put", text{t, size}, func() error {
		w, err := take[*world]("scene", h)
		if err != nil {
			return err
		}
		if object == nil {
			return errMisuse("object is NULL")
		}
		o, gaps, err := readObject(object)
		if err != nil {
			return err
		}
		return w.edit(func(s *scene.Snapshot) (*scene.Snapshot, error) {
			next, err := s.With(o)
			if err != nil || len(gaps) == 0 {
				return next, err
			}
			return next.WithGaps(o.ID, gaps...)
		})
	})
}

//export goSceneRemove
func goSceneRemove(h C.uintptr_t, id *C.char, t *C.char, size C.size_t) C.int {
	return guard("fc_scene_remove", text{t, size}, func() error {
		w, err := take[*world]("scene", h)
		if err != nil {
			return err
		}
		name, err := needed("id", id)
		if err != nil {
			return err
		}
		return w.edit(func(s *scene.Snapshot) (*scene.Snapshot, error) { return s.Without(name) })
	})
}

//export goSceneAllow
func goSceneAllow(h C.uintptr_t, a, b *C.char, t *C.char, size C.size_t) C.int {
	return guard("fc_scene_allow", text{t, size}, func() error {
		w, err := take[*world]("scene", h)
		if err != nil {
			return err
		}
		one, err := needed("a", a)
		if err != nil {
			return err
		}
		other, err := needed("b", b)
		if err != nil {
			return err
		}
		return w.edit(func(s *scene.Snapshot) (*scene.Snapshot, error) {
			return s.WithAllowed(append(s.Allowed[:len(s.Allowed):len(s.Allowed)], [2]string{one, other})...)
		})
	})
}

//export goSceneCopy
func goSceneCopy(h C.uintptr_t, t *C.char, size C.size_t) C.uintptr_t {
	return guardNew("fc_scene_copy", text{t, size}, func() (any, error) {
		w, err := take[*world]("scene", h)
		if err != nil {
			return nil, err
		}
		return &world{now: w.snapshot()}, nil // no snapshot ever changes
	})
}

//export goSceneFree
func goSceneFree(h C.uintptr_t, t *C.char, size C.size_t) C.int {
	return guard("fc_scene_free", text{t, size}, func() error { return free[*world]("scene", h) })
}

// readObject makes an object of what the caller describes, with the gaps of its file.
func readObject(o *C.fc_object) (scene.Object, []premise.Premise, error) {
	if err := sized("fc_object", o.size, unsafe.Sizeof(*o)); err != nil {
		return scene.Object{}, nil, err
	}
	if o.reserved != 0 {
		return scene.Object{}, nil, errReserved("object", o.reserved)
	}
	id, err := needed("object.id", o.id)
	if err != nil {
		return scene.Object{}, nil, err
	}
	p := o.pose
	pose, err := scene.ROSPose(geom.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}, [4]float64{float64(p[3]), float64(p[4]), float64(p[5]), float64(p[6])})
	if err != nil {
		return scene.Object{}, nil, fmt.Errorf("object %s: %w", id, err)
	}
	out, gaps, err := shaped(id, pose, o)
	if err != nil {
		return scene.Object{}, nil, fmt.Errorf("object %s: %w", id, err)
	}
	out.Padding = float64(o.padding)
	touch, err := list("object.touch_links", o.touch_links)
	if err != nil {
		return scene.Object{}, nil, err
	}
	link, err := optional("object.attached_to", o.attached_to)
	if err != nil {
		return scene.Object{}, nil, err
	}
	if link != "" {
		return out.Attach(link, pose, touch...), gaps, nil
	}
	out.TouchLinks = touch // which scene refuses without a link
	return out, gaps, nil
}

// shaped makes an object of its shape and pose, with the gaps of its file.
func shaped(id string, pose geom.Pose, o *C.fc_object) (scene.Object, []premise.Premise, error) {
	d := [3]float64{float64(o.dimensions[0]), float64(o.dimensions[1]), float64(o.dimensions[2])}
	switch o.shape {
	case C.FC_BOX:
		return scene.NewBox(id, pose, geom.Vec{X: d[0], Y: d[1], Z: d[2]}), nil, nil
	case C.FC_SPHERE:
		return scene.NewSphere(id, pose, d[0]), nil, nil
	case C.FC_CYLINDER:
		return scene.NewCylinder(id, pose, d[0], d[1]), nil, nil
	case C.FC_CONE:
		return scene.NewCone(id, pose, d[0], d[1]), nil, nil
	case C.FC_CAPSULE:
		return scene.NewCapsule(id, pose, d[0], d[1]), nil, nil
	case C.FC_MESH:
		return meshed(id, pose, o)
	case C.FC_POINTS:
		points, err := vertices(o)
		return scene.NewPoints(id, pose, points, d[0]), nil, err
	}
	return scene.Object{}, nil, errMisuse(fmt.Sprintf("there is no shape %d: give one of the enum fc_shape", int32(o.shape)))
}

func meshed(id string, pose geom.Pose, o *C.fc_object) (scene.Object, []premise.Premise, error) {
	if o.file != nil {
		scale := float64(o.scale)
		if scale == 0 {
			scale = 1
		}
		return scene.LoadMesh(id, pose, C.GoString(o.file), geom.Vec{X: scale, Y: scale, Z: scale})
	}
	points, err := vertices(o)
	if err != nil {
		return scene.Object{}, nil, err
	}
	if o.triangles == nil || o.n_triangles == 0 || o.n_triangles > most/3 {
		return scene.Object{}, nil, errMisuse(fmt.Sprintf("a mesh of %d triangles at %p: give triangles, or file", uint64(o.n_triangles), o.triangles))
	}
	triangles := unsafe.Slice((*[3]int32)(unsafe.Pointer(o.triangles)), int(o.n_triangles))
	for i, corners := range triangles {
		for _, v := range corners {
			if v < 0 || int(v) >= len(points) {
				return scene.Object{}, nil, errMisuse(fmt.Sprintf("triangle %d has the vertex %d of %d", i, v, len(points)))
			}
		}
	}
	return scene.NewMesh(id, pose, points, triangles), nil, nil
}

// most numbers of one array.
const most = 1 << 30

func vertices(o *C.fc_object) ([]geom.Vec, error) {
	if o.vertices == nil || o.n_vertices == 0 || o.n_vertices > most/3 {
		return nil, errMisuse(fmt.Sprintf("%d vertices at %p: give three numbers for each", uint64(o.n_vertices), o.vertices))
	}
	numbers := floats(o.vertices, 3*int(o.n_vertices))
	points := make([]geom.Vec, o.n_vertices)
	for i := range points {
		points[i] = geom.Vec{X: numbers[3*i], Y: numbers[3*i+1], Z: numbers[3*i+2]}
	}
	return points, nil
}
