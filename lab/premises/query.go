package premises

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/certificate/verify"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// texts are the files that describe a model; empty ones are not there.
type texts struct{ urdf, srdf, scene string }

// query is a model and motions of it, as files.
type query struct {
	category string
	given    texts  // what the checker gets
	meant    *texts // what its author meant, where a slip is in the files
	moveit   bool   // the scene is MoveIt's text
	meshes   map[string][]byte
	opts     ccd.Options
	asks     motion.Query
	proven   bool // proofs about pairs are made and used
	written  bool // as an SRDF that disables what never meets
	motions  []move
	parts    []part     // robots that are joined, in place of given's one
	robot    *robotSpec // whose joints may stray, where that can be asked
	certify  bool       // proofs are written down and verified

	// Never Free: numbers that nothing can be computed with.
	refuse bool
}

// part is one of several robots in a cell.
type part struct {
	name, urdf string
	xyz, rpy   vec
}

// move is one motion.
type move struct {
	file     string // its name; the ending tells the format
	text     string
	meant    string         // what its author meant, where that is another
	root     *motion.Motion // in place of a file
	attached bool           // the file says what the robot carries
}

// slip tells whether the files hold a mistake.
func (q *query) slip() bool { return strings.HasPrefix(q.category, "slip") }

// mesh adds a mesh file in some format and returns its name.
func (q *query) mesh(d dice, m triangles) string {
	format := pick(d, "stl", "stlb", "stlb", "obj", "dae", "daemm")
	name := fmt.Sprintf("mesh%d.%s", len(q.meshes), strings.TrimSuffix(strings.TrimSuffix(format, "mm"), "b"))
	if q.meshes == nil {
		q.meshes = map[string][]byte{}
	}
	q.meshes[name] = m.write(format)
	return name
}

// answer is what the checker says of a motion.
type answer struct {
	verdict motion.Verdict
	err     error
	// What became of the proof of a Free that was written down.
	verified bool
	refusal  error
}

// put writes the files to a folder: the meshes and both versions of the texts.
func (q *query) put(folder string) error {
	files := map[string][]byte{}
	maps.Copy(files, q.meshes)
	add := func(prefix string, t *texts) {
		files[prefix+".urdf"] = []byte(t.urdf)
		if t.srdf != "" {
			files[prefix+".srdf"] = []byte(t.srdf)
		}
		if t.scene != "" {
			files[prefix+q.sceneEnding()] = []byte(t.scene)
		}
	}
	add("given", &q.given)
	if q.meant != nil {
		add("meant", q.meant)
	}
	for i := range q.motions {
		m := &q.motions[i]
		if m.root == nil {
			files["given-"+m.file] = []byte(m.text)
			if m.meant != "" {
				files["meant-"+m.file] = []byte(m.meant)
			}
		}
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (q *query) sceneEnding() string {
	if q.moveit {
		return ".scene"
	}
	return ".yaml"
}

// check puts all motions to the checker.
func (q *query) check(folder string) []answer {
	out := make([]answer, len(q.motions))
	c, err := q.checker(folder)
	for i := range q.motions {
		if err != nil {
			out[i].err = err
			continue
		}
		q.ask(c, &q.motions[i], &out[i])
	}
	return out
}

func (q *query) checker(folder string) (*ccd.Checker, error) {
	robot, err := q.read(folder)
	if err != nil {
		return nil, err
	}
	if q.given.srdf != "" {
		if robot, err = urdf.ParseSRDF(robot, []byte(q.given.srdf)); err != nil {
			return nil, err
		}
	}
	var world *scene.Snapshot
	if q.given.scene != "" {
		if world, err = scene.Parse(filepath.Join(folder, "given"+q.sceneEnding()), []byte(q.given.scene), scene.Options{}); err != nil {
			return nil, err
		}
	}
	opts := q.opts
	if q.written {
		if robot, err = disabledByProof(robot); err != nil {
			return nil, err
		}
	} else if q.proven {
		if opts.Proofs, err = pairproof.Prove(context.Background(), robot, opts.ProofOptions(), 50*time.Millisecond); err != nil {
			return nil, err
		}
	}
	return ccd.New(robot, world, opts)
}

// read reads the robot, or joins several.
func (q *query) read(folder string) (*urdf.Robot, error) {
	opts := urdf.Options{BaseDir: folder}
	if len(q.parts) == 0 {
		return urdf.Parse([]byte(q.given.urdf), opts)
	}
	parts := make([]urdf.Part, len(q.parts))
	for i, p := range q.parts {
		robot, err := urdf.Parse([]byte(p.urdf), opts)
		if err != nil {
			return nil, err
		}
		parts[i] = urdf.Part{Name: p.name, Robot: robot, PoseW: geom.Pose{R: geom.RPY(p.rpy[0], p.rpy[1], p.rpy[2]), P: geom.Vec{X: p.xyz[0], Y: p.xyz[1], Z: p.xyz[2]}}}
	}
	return urdf.Join("cell", parts)
}

// disabledByProof gives the robot an SRDF that disables the pairs that are proved never to meet, as
// the command writes it.
func disabledByProof(robot *urdf.Robot) (*urdf.Robot, error) {
	report, err := pairproof.Prove(context.Background(), robot, pairproof.Options{}, 50*time.Millisecond)
	if err != nil {
		return nil, err
	}
	var pairs []urdf.DisabledPair
	for _, p := range report.Pairs {
		if p.Meets == pairproof.Never {
			pairs = append(pairs, urdf.DisabledPair{A: p.A, B: p.B, Reason: "Never"})
		}
	}
	text, err := urdf.WriteSRDF(robot, nil, pairs)
	if err != nil {
		return nil, err
	}
	return urdf.ParseSRDF(robot, text)
}

// budget is for how long a check may compute: a hard one is Undecided.
const budget = 200 * time.Millisecond

func (q *query) ask(c *ccd.Checker, m *move, out *answer) {
	asked := m.root
	if asked == nil {
		loaded, err := motionfile.Parse(m.file, []byte(m.text), motionfile.Options{})
		if err != nil {
			out.err = err
			return
		}
		l := &loaded[0]
		asked = l.Motion
		state := map[string]float64{}
		for name, x := range l.Start { // as the command does
			if !slices.Contains(l.Motion.Joints, name) {
				state[name] = x
			}
		}
		maps.Copy(state, q.opts.State)
		if len(state) > 0 {
			if c, out.err = c.WithState(state); out.err != nil {
				return
			}
		}
	}
	asks := q.asks
	asks.Budget = budget
	if !q.certify {
		out.verdict, out.err = c.Check(context.Background(), asked, asks)
		return
	}
	var proof bytes.Buffer
	if out.verdict, out.err = c.Certify(context.Background(), asked, asks, &proof); out.err == nil && out.verdict.Status == motion.Free {
		_, out.refusal = verify.Verify(context.Background(), c.Robot(), c.World(), asked, &proof, verify.Options{Clearance: asks.Clearance, Allowed: q.opts.Allowed, LinkPadding: q.opts.LinkPadding})
		out.verified = out.refusal == nil
	}
}

// told is what the judge is told of the query and of what the checker said, one line each;
// rulings are the indices of those lines whose answers rule on motions.
func (q *query) told(folder string, answers []answer) (lines []string, rulings []int) {
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	prefix, t := filepath.Join(folder, "given"), &q.given
	if q.meant != nil {
		prefix, t = filepath.Join(folder, "meant"), q.meant
	}
	say("case")
	say("robot %s.urdf", prefix)
	if t.srdf != "" {
		say("srdf %s.srdf", prefix)
	}
	if t.scene != "" {
		say("scene %s%s", prefix, q.sceneEnding())
	}
	for _, p := range q.opts.Allowed {
		say("allow %s %s", p[0], p[1])
	}
	for name, x := range q.opts.State {
		say("state %s %.17g", name, x)
	}
	if q.opts.Padding != 0 {
		say("padding %.17g", q.opts.Padding)
	}
	for name, x := range q.opts.LinkPadding {
		say("linkpadding %s %.17g", name, x)
	}
	if q.asks.Clearance != 0 {
		say("clearance %.17g", q.asks.Clearance)
	}
	for name, x := range q.asks.Tube {
		say("tube %s %.17g", name, x)
	}
	tolerance := q.asks.Tolerance
	if tolerance == 0 {
		tolerance = motion.DefaultTolerance
	}
	say("ready")
	for i := range q.motions {
		m, a := &q.motions[i], &answers[i]
		if a.err != nil || q.refuse {
			rulings = append(rulings, -1)
			continue
		}
		file, carried := "-", "-"
		if m.root != nil {
			sayRoot(say, m.root)
		} else {
			file = filepath.Join(folder, "given-"+m.file)
			if m.meant != "" {
				file = filepath.Join(folder, "meant-"+m.file)
			}
			if m.attached {
				carried = file
			}
		}
		w := &a.verdict.Contact
		rulings = append(rulings, len(lines))
		say("motion %s %s %s %.17g %.17g %g %s %s %s %s", file, carried, a.verdict.Status, a.verdict.TOC.Lo, a.verdict.TOC.Hi, tolerance,
			name(w.Pair.A.Name), name(w.Pair.B.Name), numbers(w.PointA), numbers(w.PointB))
	}
	return lines, rulings
}

func sayRoot(say func(string, ...any), m *motion.Motion) {
	for i := range m.Root {
		r, p := &m.Root[i], &m.Pieces[i]
		t := r.Start.R
		say("piece %.17g %.17g %s %s %s %s %s %s %s", p.Start, p.End, numbers(r.Start.P), numbers(geom.Vec{X: t.XX, Y: t.XY, Z: t.XZ}),
			numbers(geom.Vec{X: t.YX, Y: t.YY, Z: t.YZ}), numbers(geom.Vec{X: t.ZX, Y: t.ZY, Z: t.ZZ}), numbers(r.Point), numbers(r.Velocity), numbers(r.Turn))
	}
}

func numbers(v geom.Vec) string { return fmt.Sprintf("%.17g %.17g %.17g", v.X, v.Y, v.Z) }

func name(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
