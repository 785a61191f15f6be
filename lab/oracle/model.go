package oracle

import (
	"fmt"
	"strconv"
)

// RobotInfo counts what a robot's file gave.
type RobotInfo struct {
	Name       string
	Links      int
	Pieces     int // collision elements
	Triangles  int
	Dropped    int // faces without area, which add nothing to a surface
	Components int // connected components of the meshes
	Open       int // those of them that enclose nothing
}

// Robot loads a URDF and forgets the robot, objects, pairs and held joints
// before it. package://PKG/REST is packageRoot/PKG/REST; an empty packageRoot
// is the URDF's own folder.
func (o *Oracle) Robot(urdf, packageRoot string) (RobotInfo, error) {
	words := []string{"robot", urdf}
	if packageRoot != "" {
		words = append(words, packageRoot)
	}
	answer, err := o.command(words...)
	if err != nil {
		return RobotInfo{}, err
	}
	if len(answer) != 13 {
		return RobotInfo{}, o.garbled(urdf, answer)
	}
	info := RobotInfo{Name: answer[0]}
	fields := []*int{&info.Links, &info.Pieces, &info.Triangles, &info.Dropped, &info.Components, &info.Open}
	for i, field := range fields {
		if *field, err = strconv.Atoi(answer[2+2*i]); err != nil {
			return RobotInfo{}, o.garbled(urdf, answer)
		}
	}
	return info, nil
}

// Model names the root link and the joints that have a position of their own.
func (o *Oracle) Model() (root string, joints []string, err error) {
	answer, err := o.command("model")
	if err != nil {
		return "", nil, err
	}
	if len(answer) < 3 {
		return "", nil, o.garbled("the model", answer)
	}
	return answer[1], answer[3:], nil
}

// SRDF leaves out the link pairs that an SRDF disables: how many there are, and
// how many entries name a link the robot lacks.
func (o *Oracle) SRDF(path string) (disabled, unknown int, err error) {
	answer, err := o.command("srdf", path)
	if err != nil {
		return 0, 0, err
	}
	if _, err := fmt.Sscanf(join(answer), "disabled %d unknown %d", &disabled, &unknown); err != nil {
		return 0, 0, o.garbled(path, answer)
	}
	return disabled, unknown, nil
}

// Disable leaves out the pair of two links, or of a link and an object (which
// may be added later).
func (o *Oracle) Disable(a, b string) error {
	_, err := o.command("disable", a, b)
	return err
}

// Adjacent leaves out the pairs of links that a joint connects.
func (o *Oracle) Adjacent() error {
	_, err := o.command("adjacent")
	return err
}

// Touching leaves out the link pairs that touch where the joints stand at the
// given positions, and returns them. Joints not named keep their held position.
func (o *Oracle) Touching(positions map[string]float64) ([]Pair, error) {
	words := []string{"state"}
	for name, x := range positions {
		words = append(words, name+"="+number(x))
	}
	answer, err := o.ask([]string{"ok", "touching", "disabled"}, words...)
	if err != nil {
		return nil, err
	}
	return o.pairs(answer)
}

// Object is an obstacle in the frame of the robot's root link.
type Object struct {
	ID       string
	Type     string     // box, cylinder, capsule, cone, sphere or mesh
	Position [3]float64 // m
	Rotation [4]float64 // unit quaternion x, y, z, w; all zero means none
	// Size is of a box: full lengths; of a cylinder, capsule (without its caps)
	// or cone: length and radius; of a sphere: radius; of a mesh: the scale
	// along x, y, z.
	Size []float64
	File string // of a mesh
}

// AddObject adds an obstacle. Its ID must differ from every link and object.
func (o *Oracle) AddObject(object Object) error {
	rotation := object.Rotation
	if rotation == [4]float64{} {
		rotation[3] = 1
	}
	words := append([]string{"object", object.ID, object.Type}, numbers(object.Position[:], rotation[:])...)
	if object.Type == "mesh" {
		words = append(words, object.File)
	}
	_, err := o.command(append(words, numbers(object.Size)...)...)
	return err
}

// ClearObjects removes all objects; disabled pairs stay.
func (o *Oracle) ClearObjects() error { return o.clear("objects") }

// ClearPairs enables all pairs.
func (o *Oracle) ClearPairs() error { return o.clear("pairs") }

// ClearHolds returns all held joints to zero.
func (o *Oracle) ClearHolds() error { return o.clear("holds") }

func (o *Oracle) clear(what string) error {
	_, err := o.command("clear", what)
	return err
}

// Joints gives the order of positions in later configurations. Joints not named
// stay where Hold puts them, at first at zero.
func (o *Oracle) Joints(names ...string) error {
	_, err := o.command(append([]string{"joints"}, names...)...)
	return err
}

// Hold puts a joint, which configurations do not name, at a position.
func (o *Oracle) Hold(joint string, position float64) error {
	_, err := o.command("hold", joint, number(position))
	return err
}

// Solid says whether what a closed mesh encloses belongs to it. Primitives are
// always solid. Off at the start.
func (o *Oracle) Solid(on bool) error { return o.set("solid", on, "on", "off") }

// WrapShort says whether continuous joints take the short way along a segment;
// off at the start: they go straight from the one given value to the other.
func (o *Oracle) WrapShort(on bool) error { return o.set("wrap", on, "short", "none") }

func (o *Oracle) set(what string, on bool, yes, no string) error {
	word := no
	if on {
		word = yes
	}
	_, err := o.command(what, word)
	return err
}

// Facets has robots and objects loaded from here on take their primitives as
// meshes, round ones inscribed with so many facets; 0 leaves them exact.
func (o *Oracle) Facets(n int) error {
	words := []string{"primitives", "exact"}
	if n > 0 {
		words = []string{"primitives", "mesh", strconv.Itoa(n)}
	}
	_, err := o.command(words...)
	return err
}

// Triangles reads a mesh file by itself: the corners of its triangles with area, in metres, as
// the program takes them for robots and objects.
func (o *Oracle) Triangles(path string) ([][3][3]float64, error) {
	answer, err := o.ask([]string{"triangles"}, "triangles", path)
	if err != nil {
		return nil, err
	}
	if len(answer) == 0 {
		return nil, o.garbled(path, answer)
	}
	n, err := strconv.Atoi(answer[0])
	if err != nil || len(answer) != 1+9*n {
		return nil, o.garbled(path, answer)
	}
	out := make([][3][3]float64, n)
	for i := range out {
		for k := range 9 {
			if out[i][k/3][k%3], err = o.parse(answer[1+9*i+k]); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
