package firstcontact_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/firstcontact-ros/firstcontact/"

// may lists which packages of this module a package may import, by its path
// in the module; "x/..." stands for x and all below it. Tests are freer: they
// are held only to the rules of never. Every package may import what everywhere
// lists.
//
// A package that is not listed fails the test until somebody decides where it
// belongs. A permission that nothing uses fails it, too (deps_unused_test.go).
var may = map[string][]string{
	// Values.
	"geom":       {},
	"geom/shape": {},
	"premise":    {},

	// What knows no robot: files and text, numbers with bounds, shapes.
	"internal/base/cache":            {"internal/base/outfile"},
	"internal/base/ccdscene":         {},
	"internal/base/cputime":          {},
	"internal/base/document":         {},
	"internal/base/heap":             {},
	"internal/base/infile":           {"internal/base/spelling"},
	"internal/base/limit":            {},
	"internal/base/limit/gen":        {},
	"internal/base/oneline":          {},
	"internal/base/outfile":          {},
	"internal/base/progress":         {},
	"internal/base/sniff":            {},
	"internal/base/spelling":         {},
	"internal/numeric/interval":      {},
	"internal/numeric/taylor":        {"internal/numeric/interval"},
	"internal/geometry/tri":          {},
	"internal/geometry/octomap":      {},
	"internal/geometry/mesh/xmltree": {},
	"internal/geometry/ply":          {},
	"internal/geometry/cloud":        {"internal/geometry/ply"},
	"internal/geometry/mesh":         {"premise", "geom/shape", "internal/base/document", "internal/base/sniff", "internal/geometry/mesh/xmltree", "internal/geometry/ply"},
	"internal/geometry/convex":       {"internal/base/heap", "internal/geometry/mesh", "internal/geometry/tri"},
	"internal/geometry/bvh":          {"internal/geometry/convex", "internal/geometry/mesh", "internal/geometry/tri"},
	"internal/geometry/rsstree":      {"internal/geometry/convex", "internal/geometry/mesh", "internal/geometry/tri"},

	// What tests share; nothing else imports it.
	"internal/testkit/chance":     {},
	"internal/testkit/exact":      {"urdf"},
	"internal/testkit/meshes":     {"internal/geometry/mesh", "internal/testkit/chance"},
	"internal/testkit/race":       {},
	"internal/testkit/robots":     {"motion", "scene", "urdf", "internal/geometry/mesh", "geom/shape", "internal/testkit/..."},
	"internal/testkit/twin":       {"motion", "urdf", "geom/shape"},
	"internal/testkit/switches":   {},
	"internal/testkit/ruletest":   {"internal/engine/kin", "internal/engine/rules", "internal/geometry/convex", "internal/testkit/..."},
	"internal/testkit/grazing":    {"motion", "scene", "urdf", "internal/engine/articulate", "internal/engine/kin", "internal/engine/model", "internal/geometry/mesh", "internal/testkit/..."},
	"internal/testkit/enginetest": {"motion", "scene", "urdf", "internal/engine", "internal/engine/agreement", "internal/engine/corpus", "internal/engine/kin", "internal/engine/model", "internal/engine/spacetime", "internal/geometry/convex", "internal/geometry/mesh", "geom/shape", "internal/testkit/..."},

	// Readers: robots, scenes, motions.
	"urdf":              {"internal/base/sniff", "premise", "internal/base/spelling", "internal/geometry/mesh", "internal/geometry/mesh/xmltree", "geom/shape"},
	"scene":             {"internal/base/sniff", "premise", "internal/geometry/cloud", "internal/geometry/mesh", "internal/geometry/octomap", "internal/geometry/ply", "geom/shape", "internal/base/document", "internal/base/ccdscene", "internal/base/spelling", "urdf"}, // a URDF may be a static scene
	"motion":            {"premise"},
	"motion/recording":  {"premise", "motion"},
	"motion/jtc":        {"premise", "motion"},
	"motion/motionfile": {"premise", "motion", "motion/recording", "scene", "internal/base/sniff", "internal/base/document", "internal/base/ccdscene"}, // a DisplayTrajectory has a scene's start state, a corpus segment belongs to a scene
	"plausible":         {"geom/shape", "internal/base/oneline", "motion", "premise", "scene", "urdf"},

	// Spheres that cover a link; their proof knows nothing of the search.
	"linkspheres":        {"urdf", "internal/base/heap", "internal/geometry/mesh", "geom/shape", "internal/geometry/bvh", "internal/geometry/tri"},
	"linkspheres/search": {"linkspheres", "internal/geometry/convex"},

	// Proofs written down, and the verifier, which believes none of them.
	"certificate":        {"internal/base/outfile"},
	"certificate/digest": {"motion", "scene", "urdf", "internal/geometry/mesh", "geom/shape"},
	"certificate/verify": {"plausible", "premise", "motion", "scene", "urdf", "certificate", "certificate/digest", "internal/geometry/mesh", "geom/shape"},

	// The engine.
	"internal/engine/kin":       {"premise", "motion", "urdf"},
	"internal/engine/model":     {"geom/shape", "motion", "scene", "urdf", "internal/base/cache", "internal/engine/kin", "internal/geometry/..."}, // robot and world as the engines take them
	"internal/engine":           {"motion", "internal/base/cputime", "internal/engine/kin", "internal/engine/model", "internal/geometry/bvh", "internal/geometry/convex", "internal/base/spelling"},
	"internal/engine/volume":    {"internal/engine", "internal/engine/model", "internal/geometry/bvh", "internal/geometry/convex", "internal/geometry/tri"},
	"internal/engine/rules":     {"internal/engine/kin", "internal/engine/model", "internal/geometry/convex"}, // the trusted proof rules
	"internal/engine/lanes":     {},
	"internal/engine/place":     {"internal/engine/kin", "internal/engine/lanes", "internal/engine/model", "internal/engine/rules"},
	"internal/engine/region":    {"internal/engine", "internal/engine/kin", "internal/engine/model", "internal/engine/rules", "internal/engine/volume", "internal/geometry/convex"},
	"internal/engine/distance":  {"motion", "internal/geometry/bvh", "internal/geometry/convex", "internal/geometry/tri", "internal/engine", "internal/engine/kin", "internal/engine/model", "internal/engine/place", "internal/engine/volume"},
	"internal/engine/spacetime": {"motion", "internal/geometry/...", "internal/engine/..."},
	"internal/engine/agreement": {"motion"},
	"internal/engine/corpus":    {"motion", "scene", "urdf", "internal/base/ccdscene", "internal/geometry/mesh", "geom/shape"}, // what every engine is tried on

	// The papers' engines.
	"internal/engine/bisect":     {"motion", "internal/base/heap", "internal/geometry/...", "internal/engine/..."},
	"internal/engine/articulate": {"motion", "internal/numeric/...", "internal/geometry/...", "internal/engine/..."},
	"internal/engine/catch":      {"motion", "internal/numeric/...", "internal/geometry/...", "internal/engine/..."},

	// Graphics processors, with the build tag gl. Without it these are stubs.
	"internal/graphics/offscreen": {},
	"internal/graphics/window":    {"internal/graphics/offscreen", "internal/show", "motion"},
	"internal/graphics/sweptgl":   {"internal/graphics/offscreen", "internal/engine/articulate", "internal/engine/model", "internal/geometry/bvh", "internal/geometry/convex"},

	// Pairs of links.
	"internal/engine/defaultpairs": {"premise", "motion", "urdf", "internal/engine/distance", "internal/engine/kin", "internal/engine/model"},
	"internal/engine/romtree":      {"motion", "internal/base/heap", "internal/engine/distance", "internal/engine/kin", "internal/engine/model", "internal/geometry/..."},
	"selfcollision":                {"selfcollision/pairproof", "motion", "scene", "urdf", "internal/engine/defaultpairs", "internal/engine/kin", "internal/engine/model", "internal/engine/romtree", "internal/geometry/convex"},
	"selfcollision/pairfile":       {"selfcollision/pairproof", "urdf", "internal/base/outfile"},
	"selfcollision/pairproof":      {"geom/shape", "certificate/digest", "urdf", "internal/base/...", "internal/geometry/...", "internal/engine/..."},

	// The checker.
	"ccd": {"geom/shape", "plausible", "premise", "certificate", "certificate/digest", "selfcollision/pairproof", "selfcollision/pairfile", "motion", "scene", "urdf", "internal/base/...", "internal/geometry/...", "internal/engine/..."},

	// The checker of a motion from a file.
	"internal/setting": {"ccd", "motion/motionfile", "urdf"},

	// What can be drawn of an answer, and the pages that draw it.
	"internal/show":        {"ccd", "geom/shape", "motion", "scene", "urdf", "internal/engine/kin"},
	"internal/show/viewer": {"internal/show"},

	// Pictures; what draws them knows no robot.
	"internal/picture":        {"ccd", "motion", "urdf", "internal/show", "internal/picture/raster"},
	"internal/picture/raster": {},

	// ROS.
	"config":                    {"internal/base/spelling"},
	"config/gen":                {"config"},
	"msgs/...":                  {"msgs/...", "ros/firstcontact_msgs"},
	"node/internal/foresee":     {"motion/..."},
	"node/internal/ensemble":    {"motion/...", "premise"},
	"node/internal/record":      {"msgs/...", "rosbag"},
	"node/internal/clouds":      {"linkspheres", "msgs/...", "premise", "scene", "urdf"},
	"node/internal/world":       {"msgs/...", "premise", "scene", "urdf"},
	"node/live":                 {"ccd", "internal/show/...", "msgs/...", "internal/base/oneline"},
	"node/markers":              {"ccd", "geom/shape", "msgs/...", "scene", "urdf"},
	"node/internal/frames":      {"msgs/...", "node/ros", "premise", "urdf", "internal/base/spelling"},
	"node/ros":                  {"msgs/...", "internal/base/oneline", "internal/base/spelling"},
	"node/internal/simtime":     {},
	"node/internal/jointstates": {"motion", "msgs/...", "urdf", "internal/base/oneline", "node/ros", "node/internal/frames"},
	"node/ros/...":              {"msgs/...", "node/ros", "node/ros/internal/...", "internal/base/oneline"},
	"node/internal/diagnostics": {"msgs/...", "internal/base/oneline"},
	"node/selftest":             {"ccd", "motion", "scene", "urdf"},
	"node/internal/events":      {"msgs/...", "node/ros"},
	"node/internal/gate":        {"msgs/...", "node/ros", "node/ros/action"},
	// Many motions at once.
	"internal/batch/dataset": {"motion", "motion/motionfile", "rosbag", "internal/base/document"},
	"internal/batch/queue":   {"ccd", "motion", "motion/motionfile", "scene", "urdf", "internal/base/outfile", "internal/batch", "internal/batch/dataset", "internal/setting"},
	"internal/batch":         {"certificate/digest", "motion", "premise", "internal/setting", "internal/base/oneline", "internal/base/outfile", "internal/batch/dataset"},

	"node": {
		"node/...",
		"premise", "ccd", "selfcollision/...", "config", "motion", "motion/jtc", "scene", "urdf", "msgs/...", "internal/base/cputime", "internal/base/oneline", "internal/base/spelling",
	},
	"cmd/firstcontact":                    {"cmd/firstcontact/internal/...", "premise", "ccd", "motion", "urdf", "node/...", "internal/base/outfile"},
	"cmd/firstcontact/internal/answer":    {"cmd/firstcontact/internal/buildinfo", "plausible", "motion"},
	"cmd/firstcontact/internal/batch":     {"cmd/firstcontact/internal/check", "cmd/firstcontact/internal/cli", "cmd/firstcontact/internal/input", "cmd/firstcontact/internal/verdict", "ccd", "motion", "urdf", "internal/batch/...", "internal/setting"},
	"cmd/firstcontact/internal/bench":     {"cmd/firstcontact/internal/answer", "cmd/firstcontact/internal/cli", "cmd/firstcontact/internal/input", "ccd", "motion", "internal/base/cputime", "internal/base/spelling", "internal/engine/corpus"},
	"cmd/firstcontact/internal/buildinfo": {},
	"cmd/firstcontact/internal/check":     {"cmd/firstcontact/internal/answer", "cmd/firstcontact/internal/buildinfo", "cmd/firstcontact/internal/cli", "cmd/firstcontact/internal/drawing", "cmd/firstcontact/internal/input", "cmd/firstcontact/internal/verdict", "ccd", "certificate", "linkspheres", "motion", "rosbag", "scene", "urdf", "msgs/...", "node/...", "internal/base/spelling", "internal/graphics/sweptgl", "internal/picture", "internal/show/..."},
	"cmd/firstcontact/internal/cli":       {"cmd/firstcontact/internal/answer", "cmd/firstcontact/internal/buildinfo", "internal/base/outfile", "internal/base/spelling"},
	"cmd/firstcontact/internal/clitest":   {"cmd/firstcontact/internal/cli"},
	"cmd/firstcontact/internal/demo":      {"cmd/firstcontact/internal/cli", "motion", "motion/motionfile", "urdf", "msgs/...", "node/...", "testdata/humanoid"},
	"cmd/firstcontact/internal/distance":  {"cmd/firstcontact/internal/answer", "cmd/firstcontact/internal/cli", "cmd/firstcontact/internal/input", "premise", "ccd", "motion", "urdf", "internal/base/spelling"},
	"cmd/firstcontact/internal/doctor":    {"cmd/firstcontact/internal/answer", "cmd/firstcontact/internal/cli", "cmd/firstcontact/internal/input", "cmd/firstcontact/internal/rosnode", "plausible", "premise", "node/...", "internal/graphics/offscreen"},
	"cmd/firstcontact/internal/drawing":   {"cmd/firstcontact/internal/answer", "linkspheres"},
	"cmd/firstcontact/internal/input":     {"cmd/firstcontact/internal/answer", "cmd/firstcontact/internal/cli", "plausible", "premise", "ccd", "selfcollision/...", "motion", "motion/motionfile", "rosbag", "scene", "urdf", "certificate/digest", "internal/base/spelling", "internal/setting"},
	"cmd/firstcontact/internal/pairs":     {"cmd/firstcontact/internal/answer", "cmd/firstcontact/internal/cli", "cmd/firstcontact/internal/input", "ccd", "selfcollision/...", "motion", "urdf", "internal/base/outfile", "internal/base/spelling"},
	"cmd/firstcontact/internal/rosnode":   {"cmd/firstcontact/internal/cli", "node/..."},
	"cmd/firstcontact/internal/spheres":   {"cmd/firstcontact/internal/answer", "cmd/firstcontact/internal/cli", "cmd/firstcontact/internal/drawing", "cmd/firstcontact/internal/input", "ccd", "linkspheres/...", "urdf", "certificate/digest", "internal/base/document", "internal/base/spelling"},
	"cmd/firstcontact/internal/verdict":   {"cmd/firstcontact/internal/answer", "cmd/firstcontact/internal/cli", "cmd/firstcontact/internal/input", "premise", "ccd", "motion", "internal/base/oneline", "internal/show"},
	"cmd/firstcontact/internal/verify":    {"cmd/firstcontact/internal/answer", "cmd/firstcontact/internal/cli", "cmd/firstcontact/internal/input", "premise", "certificate/...", "motion/motionfile", "scene", "urdf"},
	"cmd/firstcontact/internal/view":      {"cmd/firstcontact/internal/cli", "cmd/firstcontact/internal/input", "cmd/firstcontact/internal/rosnode", "ccd", "urdf", "msgs/...", "node/...", "internal/graphics/window", "internal/show"},
	// The files of the demo, in the binary.
	"testdata/humanoid": {},

	// The library for C.
	"capi":                 {"ccd", "capi/internal/handle", "motion", "premise", "scene", "urdf"},
	"capi/internal/handle": {},

	// What the tests of the gate, of the node and the lab share.
	"node/gatetest": {"motion", "msgs/...", "node/ros", "node/ros/action"},

	// The definitions of our messages, as files.
	"ros/firstcontact_msgs": {},

	// Recordings of topics.
	"rosbag":               {"premise", "motion", "motion/motionfile", "motion/recording", "msgs/...", "internal/base/document", "internal/base/outfile", "internal/base/spelling", "rosbag/internal/..."},
	"rosbag/internal/db3":  {},
	"rosbag/internal/mcap": {},

	// What others might write with the library.
	"examples/check":           {"ccd", "motion", "scene", "urdf"},
	"examples/first":           {"ccd", "motion", "scene", "urdf"},
	"examples/stop_on_silence": {"msgs/...", "node/ros", "node/ros/cyclone"}, // its test runs the node

	// A module of its own, for programs on another client library.
	"adapters/rclgo":              {"msgs/..."},
	"adapters/rclgo/internal/...": {},

	// Tools and judges, of which the product knows nothing.
	"lab/...":     {"...", "lab/..."},
	".ci/reads":   {},
	".ci/summary": {},
}

// rooms lists the rooms of the house from the ground up. A package belongs to
// the longest name that it starts with, and imports nothing from a room above
// its own: arrows between rooms never run back.
var rooms = []string{
	"geom", "premise",
	"internal/base", "internal/numeric", "internal/geometry",
	"urdf", "scene", "motion", "plausible",
	"linkspheres",
	"certificate",
	"internal/engine",
	"internal/testkit",
	"selfcollision",
	"ccd",
	"internal/setting",
	"internal/show",
	"internal/graphics",
	"internal/picture",
	"config", "ros", "msgs",
	"rosbag",
	"internal/batch",
	"node",
	"testdata",
	"capi",
	"cmd",
	"examples",
	"adapters",
}

// roomOf returns the index in rooms of a package's room, or -1.
func roomOf(pkg string) int { return roomIn(rooms, pkg) }

func roomIn(rooms []string, pkg string) int {
	return slices.IndexFunc(rooms, func(room string) bool { return matches(room+"/...", pkg) })
}

func TestArrowsBetweenRoomsNeverRunBack(t *testing.T) {
	packages := readImports(t, ".")
	for _, p := range slices.Sorted(maps.Keys(packages)) {
		from := roomOf(p)
		if from < 0 {
			if p != "." && !matches("lab/...", p) && !matches(".ci/...", p) {
				t.Errorf("%s is in no room: decide where it belongs", p)
			}
			continue
		}
		for _, q := range packages[p].code {
			inside, ok := strings.CutPrefix(q, module)
			if ok && roomOf(inside) > from {
				t.Errorf("%s imports %s, which is above it", p, inside)
			}
		}
	}
}

// never is the list of what must not even be reached through others. It binds
// tests as well.
var never = []forbid{
	{
		from: []string{"..."}, but: []string{"cmd/...", "node/...", "examples/stop_on_silence"}, to: []string{"node/..."},
		why: "only cmd imports node", // and the example of a ROS subscriber its client library
	},
	{
		from: []string{"geom", "premise", "plausible", "motion/...", "urdf", "scene", "ccd/...", "selfcollision/...", "linkspheres/...", "internal/..."}, but: []string{"internal/batch/..."}, to: []string{"msgs/..."},
		why: "an algorithm knows nothing of ROS messages",
	},
	{
		from: []string{"internal/engine/...", "selfcollision/..."}, to: []string{"ccd"},
		why: "an engine does not import the checker that chooses it",
	},
	{
		from: []string{"certificate/..."}, to: []string{
			"ccd", "internal/engine/spacetime", "internal/engine/distance", "internal/engine/place", "internal/engine/region", "internal/engine/rules", "internal/engine/volume", "internal/engine/articulate", "internal/engine/catch", "internal/engine/bisect", "selfcollision",
			"internal/engine/defaultpairs", "internal/engine/romtree",
			"internal/engine/kin", "internal/engine/model", "internal/geometry/bvh", "internal/geometry/convex", "internal/geometry/tri", "internal/numeric/interval", "internal/numeric/taylor",
		},
		why: "who verifies a proof shares no code with who made it",
	},
	{
		from: []string{"lab/static"}, to: []string{
			"ccd", "internal/engine/spacetime", "internal/engine/distance", "internal/engine/place", "internal/engine/region", "internal/engine/rules", "internal/engine/volume", "certificate/...", "selfcollision",
			"internal/engine/defaultpairs", "internal/engine/romtree",
			"internal/engine/kin", "internal/engine/model", "internal/geometry/bvh", "internal/geometry/convex", "internal/geometry/tri", "internal/numeric/interval", "internal/numeric/taylor",
		},
		why: "who judges verdicts shares no code with who gives them",
	},
	{
		from: []string{"..."}, but: []string{"cmd/...", "internal/graphics/..."}, to: []string{"internal/graphics/..."},
		why: "only the command reaches a graphics processor",
	},
	{
		from: []string{"..."}, to: []string{"examples/..."},
		why: "the product does not rest on its examples",
	},
	{
		from: []string{"..."}, but: []string{"cmd/firstcontact/..."}, to: []string{"cmd/..."},
		why: "nothing imports a command", // but its own packages
	},
}

// outside lists the modules of others and where they may be used; "test" means
// in tests of every package.
var outside = map[string][]string{
	// Compression of recordings.
	"github.com/klauspost/compress": {"rosbag/...", "internal/batch"},
	"github.com/pierrec/lz4/v4":     {"rosbag/internal/mcap"},
	"modernc.org/sqlite":            {"rosbag/internal/db3"},

	// Datasets and results.
	"github.com/parquet-go/parquet-go":  {"internal/batch/..."},
	"github.com/nats-io/nats-server/v2": {"internal/batch/queue"},
	"github.com/nats-io/nats.go":        {"internal/batch/queue"},

	"gonum.org/v1/gonum":                       {"...", "lab/..."},
	"gonum.org/v1/plot":                        {"lab/spheretrees", "lab/papers"},
	"github.com/mmcloughlin/avo":               {"lab/kernels/..."},
	"gopkg.in/yaml.v3":                         {"config/...", "cmd/firstcontact/internal/demo", "internal/base/document", "node/ros"},
	"github.com/spf13/cobra":                   {"cmd/firstcontact/...", "lab/cmd/firstcontact-lab"},
	"github.com/spf13/pflag":                   {"cmd/firstcontact/..."},
	"golang.org/x/sync":                        {"internal/engine/model", "selfcollision/pairproof", "cmd/firstcontact/internal/check", "cmd/firstcontact/internal/spheres"},
	"golang.org/x/sys":                         {"internal/geometry/convex", "internal/engine/rules", "internal/engine/lanes", "internal/base/cputime", "test"},
	"golang.org/x/image":                       {"internal/picture"},
	"github.com/minio/highwayhash":             {"internal/base/cache"},
	"golang.org/x/term":                        {"cmd/firstcontact/internal/cli"},
	"github.com/google/go-cmp":                 {"test"},
	"github.com/invopop/jsonschema":            {"test"},
	"github.com/santhosh-tekuri/jsonschema/v6": {"test"},
	"pgregory.net/rapid":                       {"test"},
	"github.com/tiiuae/rclgo":                  {"adapters/rclgo/..."}, // the stand-in there
	"C":                                        {"capi", "node/ros/cyclone", "node/ros/fastdds", "internal/graphics/offscreen"},
	"github.com/go-gl/gl":                      {"internal/graphics/..."},
	"github.com/go-gl/glfw/v3.3/glfw":          {"internal/graphics/window"},
}

// imports is what the files of a package import, apart from those of its tests.
type imports struct{ code, test []string }

func TestImportsFollowTheArchitecture(t *testing.T) {
	packages := readImports(t, ".")
	if len(packages) < 20 {
		t.Fatalf("only %d packages found", len(packages))
	}
	for _, v := range violations(packages) {
		t.Error(v)
	}
}

// testkit is what tests share.
var testkit = []string{"internal/testkit/...", "cmd/firstcontact/internal/clitest"}

// violations checks the packages of the module, by path, against the tables.
func violations(packages map[string]imports) []string {
	var found []string
	for _, p := range slices.Sorted(maps.Keys(packages)) {
		allowed, listed := lookup(p)
		if !listed {
			found = append(found, fmt.Sprintf("%s is not in the table may of deps_test.go: decide what it may import", p))
			continue
		}
		for _, q := range packages[p].code {
			inside, ok := strings.CutPrefix(q, module)
			if ok && !matchesAny(slices.Concat(allowed, everywhere), inside) {
				found = append(found, fmt.Sprintf("%s imports %s, which the table may does not allow", p, inside))
			}
			if ok && matchesAny(testkit, inside) && !matchesAny(testkit, p) && !matches("lab/...", p) {
				found = append(found, fmt.Sprintf("%s imports %s outside its tests", p, inside))
			}
			found = append(found, foreign(p, q, false)...)
		}
		for _, q := range packages[p].test {
			found = append(found, foreign(p, q, true)...)
		}
		found = append(found, forbidden(packages, p)...)
	}
	return found
}

// lookup finds the entry for a package; the longest pattern wins.
func lookup(p string) (allowed []string, ok bool) {
	allowed, ok = may[longest(may, p)]
	return allowed, ok
}

// longest returns the pattern of a table that stands for a package, "" without one: its
// own name if that is there, else the longest.
func longest(table map[string][]string, p string) string {
	if _, own := table[p]; own {
		return p
	}
	best := ""
	for pattern := range table {
		if matches(pattern, p) && len(pattern) > len(best) {
			best = pattern
		}
	}
	return best
}

// foreign checks one import of somebody else's module, or of C.
func foreign(p, q string, test bool) []string {
	first, _, _ := strings.Cut(q, "/")
	if q != "C" && !strings.Contains(first, ".") || strings.HasPrefix(q, module) {
		return nil // standard library, or ours
	}
	for m, where := range outside {
		if q != m && !strings.HasPrefix(q, m+"/") {
			continue
		}
		if matchesAny(where, p) || test && slices.Contains(where, "test") {
			return nil
		}
		return []string{fmt.Sprintf("%s imports %s, which the table outside allows only for %v", p, q, where)}
	}
	return []string{fmt.Sprintf("%s imports %s, which docs/dependencies.md and the table outside do not know", p, q)}
}

// forbidden applies never to a package.
func forbidden(packages map[string]imports, p string) []string {
	var found []string
	for _, rule := range never {
		found = append(found, broken(packages, p, rule)...)
	}
	return found
}

// broken applies a rule to everything that p reaches: through its own code and tests
// first, through the code of others from there on.
func broken(packages map[string]imports, p string, rule forbid) []string {
	if !matchesAny(rule.from, p) || matchesAny(rule.but, p) {
		return nil
	}
	reached := map[string]string{} // package to the one that imports it
	queue := []string{}
	visit := func(from string, list []string) {
		for _, q := range list {
			inside, ok := strings.CutPrefix(q, module)
			if _, seen := reached[inside]; ok && !seen && inside != p {
				reached[inside] = from
				queue = append(queue, inside)
			}
		}
	}
	visit(p, packages[p].code)
	visit(p, packages[p].test)
	for len(queue) > 0 {
		q := queue[0]
		queue = queue[1:]
		visit(q, packages[q].code)
	}
	var found []string
	for _, q := range slices.Sorted(maps.Keys(reached)) {
		if matchesAny(rule.to, q) {
			found = append(found, fmt.Sprintf("%s reaches %s through %s: %s", p, q, reached[q], rule.why))
		}
	}
	return found
}

func matchesAny(patterns []string, p string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, p) })
}

// matches reports whether the pattern stands for the package p. "..." stands
// for all but lab, which only itself and tests know.
func matches(pattern, p string) bool {
	if pattern == "..." {
		return p != "lab" && !strings.HasPrefix(p, "lab/")
	}
	if above, ok := strings.CutSuffix(pattern, "/..."); ok {
		return p == above || strings.HasPrefix(p, above+"/")
	}
	return p == pattern
}

// readImports parses the import lines of every Go file, whatever its build tags.
func readImports(t *testing.T, root string) map[string]imports {
	packages := map[string]imports{}
	files := token.NewFileSet()
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && name != ".ci" && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"bin", "build", "install", "log", "vendor"}, name)) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || path.Dir(name) == "." {
			return nil
		}
		f, err := parser.ParseFile(files, filepath.Join(root, filepath.FromSlash(name)), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		p := packages[path.Dir(name)]
		for _, spec := range f.Imports {
			q, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if strings.HasSuffix(name, "_test.go") {
				p.test = append(p.test, q)
			} else {
				p.code = append(p.code, q)
			}
		}
		packages[path.Dir(name)] = p
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

// The rules find what they are for, and only that.
func TestViolations(t *testing.T) {
	ours := func(paths ...string) []string {
		for i := range paths {
			paths[i] = module + paths[i]
		}
		return paths
	}
	for _, c := range []struct {
		name     string
		packages map[string]imports
		want     []string // parts of the violations, one for each
	}{
		{
			"what is allowed",
			map[string]imports{
				"geom":                      {code: []string{"math", "gonum.org/v1/gonum/spatial/r3"}},
				"motion":                    {code: ours("geom"), test: []string{"pgregory.net/rapid"}},
				"internal/engine/spacetime": {code: ours("motion", "internal/engine/kin", "internal/engine/model")},
				"ccd":                       {code: ours("internal/engine/spacetime", "urdf"), test: ours("lab/oracle")},
				"node":                      {code: ours("ccd", "node/ros", "msgs/fcmsgs")},
				"cmd/firstcontact": {
					code: append(ours("node", "node/ros/cyclone"), "github.com/spf13/cobra"),
				},
				"lab/oracle":       {code: ours("ccd", "lab/oracle/words")},
				"node/ros/cyclone": {code: append(ours("node/ros"), "C", "unsafe")},
			},
			nil,
		},
		{
			"a verifier with an engine's geometry",
			map[string]imports{"certificate/verify": {code: ours("scene"), test: ours("internal/engine/model")}, "internal/engine/model": {code: ours("internal/geometry/tri")}},
			[]string{"certificate/verify reaches internal/engine/model", "certificate/verify reaches internal/geometry/tri through internal/engine/model: who verifies"},
		},
		{"a package nobody listed", map[string]imports{"internal/misc": {}}, []string{"internal/misc is not in the table"}},
		{"an arrow that is not there", map[string]imports{"urdf": {code: ours("scene")}}, []string{"urdf imports scene"}},
		{"an engine imports ccd", map[string]imports{"internal/engine/spacetime": {code: ours("ccd")}}, []string{"internal/engine/spacetime imports ccd,", "internal/engine/spacetime reaches ccd through internal/engine/spacetime: an engine"}},
		{"even in a test", map[string]imports{"internal/engine/spacetime": {test: ours("ccd")}}, []string{"internal/engine/spacetime reaches ccd"}},
		{"an algorithm imports messages", map[string]imports{"scene": {code: ours("msgs/stdmsgs")}}, []string{"scene imports msgs/stdmsgs", "scene reaches msgs/stdmsgs"}},
		{
			"an algorithm reaches messages",
			map[string]imports{
				"ccd":                   {code: ours("internal/engine/model")},
				"internal/engine/model": {code: ours("scene")},
				"scene":                 {test: ours("msgs")}, // a test of another package is not reached
				"urdf":                  {code: ours("msgs/cdr")},
				"internal/engine/kin":   {code: ours("urdf")},
			},
			[]string{
				"internal/engine/kin reaches msgs/cdr through urdf", "scene reaches msgs through scene",
				"urdf imports msgs/cdr", "urdf reaches msgs/cdr",
			},
		},
		{"a library imports node", map[string]imports{"config": {code: ours("node/ros")}}, []string{"config imports node/ros", "config reaches node/ros through config: only cmd imports node"}},
		{"the product imports an example", map[string]imports{"ccd": {code: ours("examples/lazyprm")}}, []string{"ccd imports examples/lazyprm", "ccd reaches examples/lazyprm"}},
		{"somebody imports cmd", map[string]imports{"node": {test: ours("cmd/firstcontact")}}, []string{"node reaches cmd/firstcontact"}},
		{"the product imports what tests share", map[string]imports{"internal/engine/spacetime": {code: ours("internal/testkit/race"), test: ours("internal/testkit/race")}}, []string{"internal/engine/spacetime imports internal/testkit/race, which the table may", "internal/engine/spacetime imports internal/testkit/race outside its tests"}},
		{"the product imports lab", map[string]imports{"ccd": {code: ours("lab/oracle")}}, []string{"ccd imports lab/oracle"}},
		{"cobra outside cmd", map[string]imports{"node": {code: []string{"github.com/spf13/cobra"}}}, []string{"node imports github.com/spf13/cobra"}},
		{"rapid outside tests", map[string]imports{"motion": {code: []string{"pgregory.net/rapid"}}}, []string{"motion imports pgregory.net/rapid"}},
		{"a module nobody knows", map[string]imports{"motion": {test: []string{"example.com/handy"}}}, []string{"motion imports example.com/handy, which docs/dependencies.md"}},
		{"C outside the transport", map[string]imports{"internal/geometry/tri": {code: []string{"C"}}}, []string{"internal/geometry/tri imports C"}},
	} {
		got := violations(c.packages)
		ok := len(got) == len(c.want)
		for i := range c.want {
			ok = ok && strings.Contains(got[i], c.want[i])
		}
		if !ok {
			t.Errorf("%s: found\n  %s\nwant\n  %s", c.name, strings.Join(got, "\n  "), strings.Join(c.want, "\n  "))
		}
	}
}

// tools read files of this repository, which they or their authors have written.
var tools = []string{"lab/...", "msgs/gen"}

// readers are the calls that open a file for reading, or read a stream to its end.
var readers = map[string][]string{
	"os":        {"Open", "OpenFile", "ReadFile", "DirFS", "OpenRoot", "OpenInRoot"},
	"io":        {"ReadAll"},
	"io/ioutil": {"ReadAll", "ReadFile"},
	"syscall":   {"Open"},
}

// TestFilesAreReadInOnePlace holds the product to internal/base/infile, which bounds what is
// read and how long that takes.
func TestFilesAreReadInOnePlace(t *testing.T) {
	found := readerCalls(t, ".")
	if len(found["internal/base/infile"]) == 0 {
		t.Error("internal/base/infile opens no file: this test finds nothing")
	}
	for p, calls := range found {
		if p != "internal/base/infile" && p != "internal/base/outfile" && !matchesAny(tools, p) {
			t.Errorf("%s calls %s: use internal/base/infile", p, strings.Join(calls, ", "))
		}
	}
}

// readerCalls lists the calls of readers by package, outside tests.
func readerCalls(t *testing.T, root string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	set := token.NewFileSet()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if name == filepath.Join(root, "vendor") { // other people's, in an archive of make dist
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			return err
		}
		names := map[string]string{} // of packages in this file
		for _, spec := range f.Imports {
			q, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if spec.Name != nil {
				names[spec.Name.Name] = q
			} else {
				names[path.Base(q)] = q
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && slices.Contains(readers[names[x.Name]], sel.Sel.Name) {
				p := filepath.ToSlash(filepath.Dir(name))
				found[p] = append(found[p], x.Name+"."+sel.Sel.Name)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
