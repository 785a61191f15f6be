package mesh

import (
	"errors"
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
)

// COLLADA 1.4 and 1.5. The root's unit and the transforms of nodes apply; the up axis does
// not: RViz, MoveIt and tesseract discard the rotation that their importer derives from it,
// and robots are modelled to look right there. (The Y_UP meshes of Nextage lie along their
// links only without it.)
//
// Supported elements are triangles, polylist, polygons, trifans and tristrips, in mesh and in
// convex_mesh; lines and linestrips beside them are kept as segments. Splines have no surface
// and are skipped. Surfaces that this reader cannot convert to triangles are errors if the
// scene uses them: polygons with holes, boundary representations, skins.

// collada is one document, its elements found by id.
type collada struct {
	root       *xmltree.Node
	geometries map[string]*xmltree.Node
	nodes      map[string]*xmltree.Node
	scenes     map[string]*xmltree.Node

	read   map[*xmltree.Node]*geometry // geometries already read
	shaped bool                        // one of those placed has triangles
	b      *builder
	left   int // nodes and geometries the scene may still visit
}

func readCollada(b *builder, data []byte) error {
	b.lim.triangles = min(b.lim.triangles, b.lim.placed)
	root, err := xmltree.Parse(data, irrelevant)
	if err != nil {
		return err
	}
	if root.Name != "COLLADA" {
		return fmt.Errorf("the root element is <%s>, not <COLLADA>: convert it to STL, OBJ or COLLADA", root.Name)
	}
	d := &collada{
		root:       root,
		geometries: map[string]*xmltree.Node{},
		nodes:      map[string]*xmltree.Node{},
		scenes:     map[string]*xmltree.Node{},
		read:       map[*xmltree.Node]*geometry{},
		b:          b,
		left:       b.lim.visits,
	}
	if err := d.indexIDs(); err != nil {
		return err
	}
	unit, err := d.unit()
	if err != nil {
		return err
	}
	if err := d.scene(scaling(unit, unit, unit)); err != nil {
		return err
	}
	if len(d.read) > 0 && !d.shaped {
		return errNoSurface
	}
	return nil
}

// irrelevant reports whether an element has no effect on geometry and is not kept.
func irrelevant(name string) bool {
	switch name {
	case "library_geometries", "library_nodes", "library_visual_scenes":
		return false
	case "extra", "bind_material":
		return true
	}
	return strings.HasPrefix(name, "library_")
}

func (d *collada) indexIDs() error {
	for _, lib := range d.root.Kids {
		var err error
		switch lib.Name {
		case "library_geometries":
			err = indexByID(d.geometries, lib, "geometry", false)
		case "library_visual_scenes":
			if err = indexByID(d.scenes, lib, "visual_scene", false); err == nil {
				err = indexByID(d.nodes, lib, "node", true)
			}
		case "library_nodes":
			err = indexByID(d.nodes, lib, "node", true)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func indexByID(m map[string]*xmltree.Node, in *xmltree.Node, name string, deep bool) error {
	for _, k := range in.Kids {
		if deep {
			if err := indexByID(m, k, name, deep); err != nil {
				return err
			}
		}
		id, ok := k.Attr("id")
		if k.Name != name || !ok {
			continue
		}
		if old := m[id]; old != nil {
			return fmt.Errorf("line %d: <%s> has the id %.80q of line %d: ids must differ", k.Line, name, id, old.Line)
		}
		m[id] = k
	}
	return nil
}

// unit returns the metres of the document's unit of length.
func (d *collada) unit() (float64, error) {
	u := d.root.Child("asset").Child("unit")
	if u == nil {
		return 1, nil
	}
	s, ok := u.Attr("meter")
	if !ok {
		return 1, nil
	}
	m, err := float(strings.TrimSpace(s))
	if err == nil && !(m > 0) {
		err = errors.New("it must be positive")
	}
	if err != nil {
		return 0, fmt.Errorf("line %d: unit of %.40q metres: %w", u.Line, s, err)
	}
	return m, nil
}

// scene instantiates the visual scene that the document names; if it names none, all its
// visual scenes; if its visual scenes contain no geometry (as in physics exports), every
// geometry once, without transform.
func (d *collada) scene(m affine) error {
	scenes, err := d.visualScenes()
	if err != nil {
		return err
	}
	for _, s := range scenes {
		if err := d.kids(s, m, "", 0); err != nil {
			return err
		}
	}
	if len(d.read) > 0 {
		return nil
	}
	for _, lib := range d.root.All("library_geometries") {
		for _, g := range lib.All("geometry") {
			if err := d.instantiate(g, m); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *collada) visualScenes() (scenes []*xmltree.Node, err error) {
	if ref := d.root.Child("scene").Child("instance_visual_scene"); ref != nil {
		s, err := lookUp(d.scenes, ref)
		return []*xmltree.Node{s}, err
	}
	for _, lib := range d.root.All("library_visual_scenes") {
		scenes = append(scenes, lib.All("visual_scene")...)
	}
	return scenes, nil
}

// lookUp follows the url of an instance element. Some exports omit the # in front of the id.
func lookUp(m map[string]*xmltree.Node, ref *xmltree.Node) (*xmltree.Node, error) {
	url, _ := ref.Attr("url")
	if n := m[strings.TrimPrefix(url, "#")]; n != nil && url != "" {
		return n, nil
	}
	return nil, fmt.Errorf("line %d: <%s> names %.80q, which is not in this file: export everything into one file", ref.Line, ref.Name, url)
}
