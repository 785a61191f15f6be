package scene

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/ccdscene"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/sniff"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/cloud"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/octomap"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/ply"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Options of a reader; the zero value is the documented default.
type Options struct {
	// Packages maps a package's name to its folder, for package:// addresses of meshes. Other
	// names are searched for in the folders of AMENT_PREFIX_PATH and ROS_PACKAGE_PATH, and for
	// a URDF in the folders around it too.
	Packages map[string]string
	// Robot is the robot that the scene surrounds; nil if it is not known. Its links are frames
	// of a PlanningScene, at the scene's robot state. A scene in the frame of a link that fixed
	// joints connect to the root link is moved into the root link (Snapshot.For).
	Robot *urdf.Robot
}

// Load reads a scene file into a snapshot at Version 1. The content determines the format:
//
//   - this package's own YAML or JSON, described below;
//   - MoveIt's .scene text, with and without object poses;
//   - MoveIt's messages as YAML or JSON: a PlanningScene, and further ones, CollisionObjects and
//     AttachedCollisionObjects that change it, as ros2 topic echo --full-length records them;
//   - a URDF as a static scene, its joints at 0 or, if 0 is out of range, in
//     the middle of their range; objects are named link, or link#1, link#2, ...;
//   - the env and acm lines of a ccdscene file of the comparison harness;
//   - one problem of a MotionBenchMaker file, named as file.json#set/index;
//   - a mesh file, as one object named like the file;
//   - an OctoMap file (.bt, .ot), as one object named like the file.
//
// Content that Load cannot represent is an error, such as unknown keys. Errors
// name file and object and the remedy. Warnings of the snapshot hold what a user should know
// about the content.
//
// The package's own format, in metres and radians; everything except objects, id, type and the
// sizes is optional:
//
//	frame: base_link                  # of the poses; the robot's root link
//	objects:
//	  - id: table
//	    type: box                     # size: full side lengths
//	    xyz: [0.5, 0, 0.2]
//	    quat_xyzw: [0, 0, 0, 1]       # or rpy: [roll, pitch, yaw]
//	    size: [1.2, 0.8, 0.04]
//	    padding: 0.01                 # added all around
//	  - {id: can, type: cylinder, length: 0.2, radius: 0.03}  # along z, centred; so cone and capsule
//	  - {id: ball, type: sphere, radius: 0.1}
//	  - {id: shelf, type: mesh, mesh: shelf.stl, scale: 0.001}  # or a factor for each axis
//	  - {id: rack, type: mesh, mesh: rack.glb, up: y}  # turned so that its y axis points up; z: as it stands
//	  - {id: scan, type: points, points: scan.pcd, radius: 0.005}  # or PLY, rows of text, rows in place; scale too
//	  - {id: map, type: octree, octree: map.bt}  # occupied cells of at least occupancy_threshold: 0.5
//	  - {id: room, type: octree, octree: room.ot, unknown_is_occupied: true}  # and all that is not known free
//	  - {id: grid, type: cells, cells: [[0, 0, 0, 0.1, 0.1, 0.1]]}  # least and greatest corner
//	  - {id: tool, type: box, size: [0.1, 0.1, 0.2], attached_to: hand, touch_links: [finger]}
//	allowed: [[table, base_link]]     # pairs that are not checked
//	link_padding: {hand: 0.005}
func Load(path string, opts Options) (*Snapshot, error) {
	return LoadContext(context.Background(), path, opts)
}

// LoadContext is like Load, but returns an error that wraps ctx's error once ctx is done.
func LoadContext(ctx context.Context, path string, opts Options) (*Snapshot, error) {
	file, _ := infile.CutSelector(path)
	data, err := infile.Read(ctx, file, limit.DocumentBytes)
	if err != nil {
		return nil, fmt.Errorf("scene: %w", err)
	}
	return ParseContext(ctx, path, data, opts)
}

// Parse is like Load for a file in memory. Relative names of mesh and point files refer to the
// folder of name.
func Parse(name string, data []byte, opts Options) (*Snapshot, error) {
	return ParseContext(context.Background(), name, data, opts)
}

// ParseContext is like Parse, but returns an error that wraps ctx's error once ctx is done.
func ParseContext(ctx context.Context, name string, data []byte, opts Options) (*Snapshot, error) {
	r := newReader(name, opts)
	r.ctx = ctx
	s, err := r.parse(data)
	return s, sniff.Explain(r.name, err, sniff.Scene, data)
}

// reader holds the common state of the readers of all formats.
type reader struct {
	ctx            context.Context
	name, selector string
	opts           Options
	warnings       []string // of objects, for the snapshot
	gaps           []premise.Premise
	loadMesh       func(path string, scale geom.Vec) (mesh.File, error)
	readFile       func(path string) ([]byte, error)
	meshes         map[meshFile]mesh.File // read once for all objects that use them
	triangles      int                    // and cells and points, of all objects so far
}

func newReader(name string, opts Options) *reader {
	r := &reader{ctx: context.Background(), opts: opts}
	r.loadMesh = func(path string, scale geom.Vec) (mesh.File, error) { return mesh.LoadContext(r.ctx, path, scale) }
	r.readFile = func(path string) ([]byte, error) { return infile.Read(r.ctx, path, limit.DocumentBytes) }
	r.name, r.selector = infile.CutSelector(name)
	return r
}

func (r *reader) parse(data []byte) (*Snapshot, error) {
	if len(data) > limit.DocumentBytes {
		return nil, fmt.Errorf("%s: is larger than the maximum of %d MiB", r.name, limit.DocumentBytes>>20)
	}
	if isCloud(data) {
		return nil, fmt.Errorf("%s: is a cloud of points without a radius: write a scene file with objects: [{id: %s, type: points, points: %s, radius: METRES}], the radius half the distance of neighbouring points or more", r.name, baseName(r.name), filepath.Base(r.name))
	}
	if r.isMesh(data) {
		return r.meshFile(data)
	}
	if octomap.Is(data) {
		return r.octreeFile(data)
	}
	if err := mesh.Foreign(r.name, data); err != nil {
		return nil, fmt.Errorf("%s: is %w", r.name, err)
	}
	if text := trimSpace(data); r.selector != "" && (len(text) == 0 || text[0] != '{') {
		return nil, fmt.Errorf("%s: has no problems to choose #%s from: only files of problems take a selector", r.name, r.selector)
	}
	switch {
	case ccdscene.Is(data):
		return r.harness(data)
	case startsWith(data, "<"):
		return r.xml(data)
	case isMoveItText(data):
		return r.moveitText(data)
	}
	return r.document(data)
}

// document reads the formats that are YAML or JSON.
func (r *reader) document(data []byte) (*Snapshot, error) {
	if err := r.printedByROS(data); err != nil {
		return nil, err
	}
	docs, err := document.Parse(r.name, data)
	if err != nil {
		return nil, err
	}
	if len(docs) == 0 {
		return nil, fmt.Errorf("%s: has no content: give a scene", r.name)
	}
	f, err := docs[0].AnyFields("scene")
	if err != nil {
		return nil, err
	}
	if len(docs) != 1 && !isPlanningScene(f) {
		return nil, fmt.Errorf("%s: has %d documents: give a file with one", r.name, len(docs))
	}
	if f.Has("sets") {
		return r.problem(docs[0])
	}
	if r.selector != "" {
		return nil, fmt.Errorf("%s: has no problems to choose #%s from: only files of problems take a selector", r.name, r.selector)
	}
	switch {
	case f.Has("objects"):
		return r.native(docs[0])
	case isPlanningScene(f):
		return r.planningScene(docs, endsOpen(data))
	}
	if f.Has("asset") {
		return nil, f.Errorf("looks like a glTF mesh: call the file .gltf, or name it in a scene as an object of type mesh")
	}
	return nil, f.Errorf("is not a scene: give a mapping with the key objects (a scene), world (MoveIt's PlanningScene), collision_objects (PlanningSceneWorld) or sets (problems)")
}

// printedByROS refuses what the tools of ROS 2 print besides messages in YAML.
func (r *reader) printedByROS(data []byte) error {
	if line, found := lineWith(data, "A message was lost!!!"); found {
		return fmt.Errorf("%s:%d: says that a message was lost: the scene may lack a change: record it anew", r.name, line)
	}
	if line, found := lineWith(data, "moveit_msgs."); found {
		return fmt.Errorf("%s:%d: is printed as a Python object, as ros2 service call does: record the scene with ros2 topic echo --once --full-length /monitored_planning_scene", r.name, line)
	}
	return nil
}

// lineWith returns the number of the first line that begins with a text.
func lineWith(data []byte, begin string) (line int, found bool) {
	at := 0
	if !bytes.HasPrefix(data, []byte(begin)) {
		if at = bytes.Index(data, []byte("\n"+begin)); at < 0 {
			return 0, false
		}
		at++
	}
	return 1 + bytes.Count(data[:at], []byte("\n")), true
}

// endsOpen reports whether a stream of documents does not end with a line ---, as that of
// ros2 topic echo does.
func endsOpen(data []byte) bool {
	return !bytes.HasSuffix(bytes.TrimSpace(data), []byte("---"))
}

// xml reads the formats that are XML, identified by their first element.
func (r *reader) xml(data []byte) (*Snapshot, error) {
	element := rootElement(data)
	switch element {
	case "robot":
		return r.urdf(data)
	case "sdf":
		return nil, fmt.Errorf("%s: is an SDF, which is not supported: name its mesh files as objects of a scene, or convert it to URDF", r.name)
	}
	return nil, fmt.Errorf("%s: begins with the element <%s>: of XML, a URDF (<robot>) or a mesh (<COLLADA>) is a scene", r.name, element)
}

// rootElement returns the name of the first element after declarations and comments.
func rootElement(data []byte) string {
	for {
		i := bytes.IndexByte(data, '<')
		if i < 0 || i+1 >= len(data) {
			return ""
		}
		data = data[i+1:]
		end := ">"
		switch {
		case bytes.HasPrefix(data, []byte("!--")):
			end = "-->"
		case data[0] != '!' && data[0] != '?':
			if i := bytes.IndexAny(data, " \t\r\n/>"); i >= 0 {
				data = data[:i]
			}
			return string(data[:min(len(data), 60)])
		}
		i = bytes.Index(data, []byte(end))
		if i < 0 {
			return ""
		}
		data = data[i+len(end):]
	}
}

// isCloud identifies clouds of points: PCD, PLY without faces, and rows of three numbers.
func isCloud(data []byte) bool {
	if cloud.Is(data) {
		return !ply.Is(data) || ply.DeclaresCloud(data)
	}
	row, _, _ := bytes.Cut(trimSpace(data), []byte("\n"))
	points, err := xyzRows("", row)
	return err == nil && len(points) == 1
}

// isMesh identifies meshes by their extension, or by their content: STL and OBJ have no
// distinctive beginning.
func (r *reader) isMesh(data []byte) bool {
	switch strings.ToLower(filepath.Ext(r.name)) {
	case ".stl", ".stla", ".stlb", ".obj", ".dae", ".glb", ".gltf", ".ply":
		return true
	}
	if bytes.HasPrefix(data, []byte("glTF")) || ply.Is(data) {
		return true
	}
	return startsWith(data, "<") && rootElement(data) == "COLLADA"
}

func (r *reader) meshFile(data []byte) (*Snapshot, error) {
	if r.selector != "" {
		return nil, fmt.Errorf("%s: is a mesh and has no part #%s", r.name, r.selector)
	}
	f, err := mesh.ParseContext(r.ctx, r.name, data, geom.Vec{X: 1, Y: 1, Z: 1})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	id := baseName(r.name)
	r.meshGaps(id, r.name, f.Gaps, false)
	return r.seal(&Snapshot{Objects: []Object{{
		ID:     id,
		PoseWS: geom.IdentityPose(),
		Shape:  &Shape{Kind: shape.Mesh, Mesh: f.Mesh, Source: r.name},
	}}})
}

// baseName returns a file's name without folder and extension.
func baseName(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// seal completes and validates a snapshot.
func (r *reader) seal(s *Snapshot) (*Snapshot, error) {
	s.Version = 1
	s.Warnings = append(s.Warnings, r.warnings...)
	s.Gaps = append(s.Gaps, r.gaps...)
	s, err := seal(s)
	if err == nil && r.opts.Robot != nil {
		s, err = s.For(r.opts.Robot)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	return s, nil
}

// path returns the path of a file named in the scene.
func (r *reader) path(name string) (string, error) {
	if scheme, rest, ok := strings.Cut(name, "://"); ok {
		return r.address(name, scheme, rest)
	}
	if filepath.IsAbs(name) {
		return name, nil
	}
	return filepath.Join(filepath.Dir(r.name), name), nil
}

func startsWith(data []byte, prefix string) bool {
	return bytes.HasPrefix(trimSpace(data), []byte(prefix))
}

func trimSpace(data []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
}
