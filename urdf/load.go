package urdf

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
)

// Options say where a robot's files are. The zero value loads the robot with
// its meshes and without an SRDF.
type Options struct {
	// Packages maps a package's name to its folder, for package:// addresses.
	// Names not in it are looked for in the folders of AMENT_PREFIX_PATH and
	// ROS_PACKAGE_PATH and beside the URDF.
	Packages map[string]string

	// SRDF is the path of the SRDF to load with the robot; empty for none.
	SRDF string

	// BaseDir is the folder to which relative mesh files refer, and where the
	// search for packages beside the URDF starts. Load takes the URDF's folder
	// if it is empty; Parse then refuses relative files.
	BaseDir string

	// Path is that of the file that Parse's data are from: errors call it so, and
	// relative mesh files refer to its folder. Load sets it.
	Path string

	// Confined refuses mesh files outside the folders of packages: below PREFIX/share
	// for the prefixes of AMENT_PREFIX_PATH, below the folders of ROS_PACKAGE_PATH, and
	// below those of Packages. It is for untrusted descriptions, and looks at
	// nothing elsewhere, not even whether it is there. Links in those folders are
	// followed.
	Confined bool

	// SkipMeshes leaves mesh files unread and the Mesh of their shapes nil, for callers
	// that need only the joints. Such a robot cannot be checked.
	SkipMeshes bool
}

// Load reads the URDF file at path, its meshes and, where opts name one, its
// SRDF. The robot it returns is complete and consistent: links and joints form
// one tree, every number is finite, axes have length 1, mimic joints refer to
// joints that mimic none, every shape is valid and every mesh was read. Anything
// else is an error that names the file, the link or joint, and what to do.
//
// Revolute and prismatic joints must have a <limit>, as the URDF standard says;
// within it lower and upper default to 0. Visuals, inertials, materials,
// transmissions and plugins are ignored. Sizes must be positive, except that a
// sphere of radius 0 is read as a point.
func Load(path string, opts Options) (*Robot, error) {
	return LoadContext(context.Background(), path, opts)
}

// LoadContext is Load that ends with an error that wraps ctx's once ctx is done.
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

// Parse is Load for a URDF already in memory, such as the topic
// robot_description; errors call it that.
func Parse(data []byte, opts Options) (*Robot, error) {
	return parse(context.Background(), data, opts)
}

// ParseContext is Parse that ends with an error that wraps ctx's once ctx is done.
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
		return nil, fmt.Errorf("urdf %s: %w", l.name, err)
	}
	if opts.SRDF == "" {
		return l.robot, nil
	}
	return LoadSRDFContext(ctx, l.robot, opts.SRDF)
}

// loader is one reading of a URDF.
type loader struct {
	ctx   context.Context
	name  string
	opts  Options
	robot *Robot
	files map[meshFile]*shape.Shape // read once, shared by all that name them
	found resolver

	points    int // spheres of radius 0
	triangles int // of all files
}

// meshFile tells mesh shapes apart.
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
	l.warn()
	return nil
}

// namedLinks is how many links a warning names.
const namedLinks = 200

// warn lists the links without collision geometry and counts those with points.
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

// readXML returns the <robot> element of a document without what is foreign to
// it: elements of other namespaces, which are extensions for other programs.
func readXML(data []byte, name, kind string) (*xmltree.Node, error) {
	if len(data) > limit.DescriptionBytes {
		return nil, fmt.Errorf("%d bytes are more than the limit of %d", len(data), limit.DescriptionBytes)
	}
	root, err := xmltree.Parse(data, nil)
	if err != nil {
		return nil, err
	}
	if root.Name != "robot" {
		return nil, fmt.Errorf("the root element is <%s>, not <robot>: give a file of the kind .%s", root.Name, kind)
	}
	if isXacro(root) {
		return nil, xacroError(name, kind)
	}
	root.Walk(func(n *xmltree.Node) {
		n.Kids = slices.DeleteFunc(n.Kids, func(k *xmltree.Node) bool { return k.Space != root.Space })
	})
	return root, nil
}

// isXacro reports whether a document still has macros in it. The namespace
// alone does not make it xacro: expanded files keep it.
func isXacro(root *xmltree.Node) (found bool) {
	root.Walk(func(n *xmltree.Node) {
		if n.Space == "xacro" || strings.HasSuffix(strings.TrimSuffix(n.Space, "/"), "xacro") {
			found = true
		}
	})
	return found
}

// xacroError says how to expand name, a path, into a file of the given kind.
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
