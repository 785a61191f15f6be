package urdf

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/sniff"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
)

// Options locate a robot's files. The zero value loads the robot with its meshes and without
// an SRDF.
type Options struct {
	// Packages maps a package's name to its folder, for package:// addresses. Other names are
	// searched for in the folders of AMENT_PREFIX_PATH and ROS_PACKAGE_PATH and in the folders
	// around the URDF.
	Packages map[string]string

	// SRDF is the path of the SRDF to load with the robot; empty for none.
	SRDF string

	// BaseDir is the folder of relative mesh files, and the start of the search for packages
	// around the URDF. If it is empty, Load uses the URDF's folder, and Parse refuses relative
	// files.
	BaseDir string

	// Path is the path of the file that Parse's data come from: errors name it, and relative
	// mesh files refer to its folder. Load sets it.
	Path string

	// Confined refuses mesh files outside the folders of packages: below PREFIX/share for the
	// prefixes of AMENT_PREFIX_PATH, below the folders of ROS_PACKAGE_PATH, and below those of
	// Packages. Use it for untrusted descriptions: it accesses no other files, not even to
	// test whether they exist. Links in those folders are followed.
	Confined bool

	// SkipMeshes leaves mesh files unread and the Mesh of their shapes nil, for callers that
	// need only the joints. Such a robot cannot be checked.
	SkipMeshes bool
}

// Load reads the URDF file at path, its meshes and, if opts name one, its SRDF. The robot is
// complete and consistent: links and joints form one tree, every number is finite, axes have
// length 1, mimic joints refer to joints that are not mimic joints, every shape is valid and
// every mesh was read. Anything else is an error that names the file, the link or joint, and
// the remedy.
//
// Revolute and prismatic joints must have a <limit>, as the URDF standard says;
// within it lower and upper default to 0. Visuals, inertials, materials,
// transmissions and plugins are ignored. Sizes must be positive, except that a
// sphere of radius 0 is read as a point.
func Load(path string, opts Options) (*Robot, error) {
	return LoadContext(context.Background(), path, opts)
}

// LoadContext is like Load, but returns an error that wraps ctx's error once ctx is done.
func LoadContext(ctx context.Context, path string, opts Options) (*Robot, error) {
	if strings.EqualFold(filepath.Ext(path), ".xacro") {
		return nil, fmt.Errorf("urdf %s: %w", path, xacroError(path, "urdf"))
	}
	data, err := infile.Read(ctx, path, limit.DescriptionBytes)
	if err != nil {
		return nil, fmt.Errorf("urdf: %w", err)
	}
	opts.Path = path
	return parse(ctx, data, opts)
}

// Parse is like Load for a URDF in memory, such as that of the topic robot_description; errors
// name that.
func Parse(data []byte, opts Options) (*Robot, error) {
	return parse(context.Background(), data, opts)
}

// ParseContext is like Parse, but returns an error that wraps ctx's error once ctx is done.
func ParseContext(ctx context.Context, data []byte, opts Options) (*Robot, error) {
	return parse(ctx, data, opts)
}

func parse(ctx context.Context, data []byte, opts Options) (*Robot, error) {
	path := opts.Path
	if path != "" && opts.BaseDir == "" {
		opts.BaseDir = filepath.Dir(path)
	}
	l := &loader{
		ctx:   ctx,
		name:  path,
		opts:  opts,
		robot: &Robot{Path: path, linkIndex: map[string]int{}, jointIndex: map[string]int{}},
		files: map[meshFile]*shape.Shape{},
		found: resolver{ctx: ctx, opts: opts},
	}
	if path == "" {
		l.name = "robot_description"
	}
	if err := l.load(data); err != nil {
		return nil, fmt.Errorf("urdf %s: %w", l.name, sniff.Explain("", err, sniff.Robot, data))
	}
	if opts.SRDF == "" {
		return l.robot, nil
	}
	return LoadSRDFContext(ctx, l.robot, opts.SRDF)
}

// loader is the state of reading one URDF.
type loader struct {
	ctx   context.Context
	name  string
	opts  Options
	robot *Robot
	found resolver
	where string // in the URDF, for messages

	files  map[meshFile]*shape.Shape // shared by all elements that use them
	unread []unread                  // of files, in the order of the URDF

	points    int // spheres of radius 0
	triangles int // of all files
}

// meshFile identifies mesh shapes.
type meshFile struct {
	path  string
	scale geom.Vec
}

func (l *loader) load(data []byte) error {
	root, err := readXML(data, l.name, "urdf")
	if err != nil {
		return err
	}
	if err := checkSlips(root, urdfWords); err != nil {
		return err
	}
	l.robot.Name, _ = root.Attr("name")
	for _, step := range []func(*xmltree.Node) error{l.links, l.joints, l.mimics} {
		if err := step(root); err != nil {
			return err
		}
	}
	if err := connect(l.robot); err != nil {
		return err
	}
	l.robot.Warnings = append(l.robot.Warnings, l.found.warnings...)
	if n := len(l.robot.Gaps); n > 0 {
		w := "gap: " + l.robot.Gaps[0].Detail
		if n > 1 {
			w += fmt.Sprintf("; and %d more gaps of meshes", n-1)
		}
		l.robot.Warnings = append(l.robot.Warnings, w)
	}
	l.warn()
	return nil
}

// namedLinks bounds how many links a warning names.
const namedLinks = 200

// warn adds warnings about links without collision geometry and spheres that are points.
func (l *loader) warn() {
	if l.points > 0 {
		l.robot.Warnings = append(l.robot.Warnings, fmt.Sprintf("%d spheres have radius 0 and are checked as points", l.points))
	}
	var bare []string
	for _, k := range l.robot.Links {
		if len(k.Collisions) == 0 {
			bare = append(bare, k.Name)
		}
	}
	if more := len(bare) - namedLinks; more > 0 {
		bare = append(bare[:namedLinks], fmt.Sprintf("and %d more", more))
	}
	if len(bare) > 0 {
		l.robot.Warnings = append(l.robot.Warnings,
			"links without collision geometry are never checked: "+strings.Join(bare, ", "))
	}
}

// readXML returns the <robot> element of a document without elements whose names have the prefix of
// another namespace: they are extensions for other programs. One without a prefix counts whatever
// its namespace, as for urdfdom, whose parser knows none.
func readXML(data []byte, name, kind string) (*xmltree.Node, error) {
	if len(data) > limit.DescriptionBytes {
		return nil, fmt.Errorf("%d bytes exceed the limit of %d", len(data), limit.DescriptionBytes)
	}
	root, err := xmltree.Parse(data, nil)
	if err != nil {
		return nil, err
	}
	if root.Name != "robot" {
		return nil, fmt.Errorf("the root element is <%s>, not <robot>: give a .%s file", root.Name, kind)
	}
	if isXacro(root) {
		return nil, xacroError(name, kind)
	}
	root.Walk(func(n *xmltree.Node) {
		n.Kids = slices.DeleteFunc(n.Kids, func(k *xmltree.Node) bool { return k.Prefixed && k.Space != root.Space })
	})
	return root, nil
}

// isXacro reports whether a document contains macros. Its namespace alone does not show that,
// because expanded files keep it.
func isXacro(root *xmltree.Node) (found bool) {
	root.Walk(func(n *xmltree.Node) {
		if n.Space == "xacro" || strings.HasSuffix(strings.TrimSuffix(n.Space, "/"), "xacro") {
			found = true
		}
	})
	return found
}

// xacroError says how to expand the file at path name into a file of the given kind.
func xacroError(name, kind string) error {
	in := filepath.Base(name)
	if in == "." || !strings.Contains(in, ".") {
		in = "in." + kind + ".xacro" // a topic
	}
	out := strings.TrimSuffix(strings.TrimSuffix(in, ".xacro"), "."+kind)
	if out+"."+kind == in {
		out += "_expanded"
	}
	return fmt.Errorf("it is xacro: expand it first, with \"xacro %[1]s > %[2]s.%[3]s\" or \"ros2 run xacro xacro %[1]s > %[2]s.%[3]s\"", in, out, kind)
}
