package oracle

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/selfcollision"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairfile"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	robotfile "github.com/firstcontact-ros/firstcontact/urdf"
)

// nearly is how far apart FCL may see what touches (m): it places meshes in floats
// and we in doubles, and some pairs only graze.
const nearly = 1e-6

// audited is a robot whose pairs have been decided, and what an audit of its SRDF
// found.
type audited struct {
	path     string
	robot    *robotfile.Robot
	report   *pairproof.Report
	findings []selfcollision.Finding
}

// auditOf decides the pairs of a robot, or takes them from the folder that
// FIRSTCONTACT_PAIRS names, NAME.pairs, as firstcontact pairs --file made them.
func auditOf(t *testing.T, path, srdf string, boxes int) audited {
	t.Helper()
	robot, err := robotfile.Load(path, robotfile.Options{SRDF: srdf})
	must(t, err)
	a := audited{path: path, robot: robot}
	if dir := switches.Pairs.Get(); dir != "" {
		name := filepath.Base(path)
		a.report, err = pairfile.Load(filepath.Join(dir, name[:len(name)-len(".urdf")]+".pairs"))
		must(t, err)
		must(t, pairfile.Fits(a.report, robot, pairproof.Options{}))
	} else {
		r, err := pairproof.All(context.Background(), robot, pairproof.Options{Boxes: boxes})
		must(t, err)
		a.report = &r
	}
	var unknown []robotfile.NamedPair
	if srdf != "" {
		text, err := os.ReadFile(srdf)
		must(t, err)
		unknown, err = robotfile.UnknownPairs(robot, text)
		must(t, err)
	}
	a.findings = selfcollision.Audit(robot, a.report, unknown)
	return a
}

// confirm asks FCL about every finding, and about every witness: what touches has to
// touch at the witness, what never does must not at random configurations, and what
// always does must at each. It returns what was asked.
func (a *audited) confirm(t *testing.T, o *Oracle, samples int) (asked map[selfcollision.FindingKind]int) {
	t.Helper()
	_, err := o.Robot(a.path, "")
	must(t, err)
	var names []string
	for _, v := range a.report.Variables {
		names = append(names, v.Name)
	}
	must(t, o.Joints(names...))
	must(t, o.Solid(true))
	asked = map[selfcollision.FindingKind]int{}
	for _, f := range a.findings {
		asked[f.Kind]++
		if f.Pair == nil {
			if a.robot.Link(f.A) >= 0 && a.robot.Link(f.B) >= 0 {
				t.Errorf("%s: %s and %s are both there", a.robot.Name, f.A, f.B)
			}
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range a.report.Pairs {
		if err := a.ask(o, &a.report.Pairs[i], r, samples); err != nil {
			t.Error(err)
		}
	}
	return asked
}

// ask holds what is said of a pair against FCL.
func (a *audited) ask(o *Oracle, p *pairproof.Pair, r *rand.Rand, samples int) error {
	pair := Pair{p.LinkA, p.LinkB}
	if p.Witness != nil {
		d, err := o.PairDistance(pair, p.Witness)
		if err != nil {
			return err
		}
		if d > nearly {
			return fmt.Errorf("%s: %v %s, but FCL sees them %g m apart at the witness", a.robot.Name, pair, p.Meets, d)
		}
	}
	if p.Meets != pairproof.Never && p.Meets != pairproof.Always {
		return nil
	}
	q := make([]float64, len(a.report.Variables))
	for range samples {
		for d, v := range a.report.Variables {
			q[d] = v.Lo + (v.Hi-v.Lo)*r.Float64()
			if r.IntN(4) == 0 { // where limits part links, they part them least
				q[d] = []float64{v.Lo, v.Hi}[r.IntN(2)]
			}
		}
		d, err := o.PairDistance(pair, q)
		if err != nil {
			return err
		}
		if p.Meets == pairproof.Never && d <= 0 || p.Meets == pairproof.Always && d > nearly {
			return fmt.Errorf("%s: %v %s, but FCL sees them %g m apart at %v", a.robot.Name, pair, p.Meets, d, q)
		}
	}
	return nil
}

// A lever made here, whose SRDF is wrong in every way there is.
func TestFCLConfirmsAnAudit(t *testing.T) {
	if switches.Pairs.Get() != "" {
		t.Skip("asked about the robots of FIRSTCONTACT_PAIRS alone")
	}
	a := auditOf(t, "../../testdata/pairs/lever.urdf", "../../testdata/pairs/lever.srdf", 20_000)
	got := a.confirm(t, start(t), 300)
	want := map[selfcollision.FindingKind]int{selfcollision.Hidden: 1, selfcollision.Noisy: 1, selfcollision.FalseReason: 1, selfcollision.Wasted: 2, selfcollision.Unknown: 1}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

// A witness that is none, and proofs of what is not so, are seen through.
func TestFCLContradicts(t *testing.T) {
	if switches.Pairs.Get() != "" {
		t.Skip("asked about the robots of FIRSTCONTACT_PAIRS alone")
	}
	a := auditOf(t, "../../testdata/pairs/lever.urdf", "../../testdata/pairs/lever.srdf", 20_000)
	for name, spoil := range map[string]func(*pairproof.Pair){
		"witness": func(p *pairproof.Pair) { p.Meets, p.Witness = pairproof.Sometimes, []float64{1, 0} },
		"never":   func(p *pairproof.Pair) { p.Meets, p.Witness = pairproof.Never, nil },
		"always":  func(p *pairproof.Pair) { p.Meets, p.Witness = pairproof.Always, nil },
	} {
		p := *a.report.Of(a.robot.Link("base"), a.robot.Link("hand"))
		spoil(&p)
		o := start(t)
		_, err := o.Robot(a.path, "")
		must(t, err)
		must(t, o.Joints("shoulder", "elbow"))
		if a.ask(o, &p, rand.New(rand.NewPCG(1, 2)), 2000) == nil {
			t.Errorf("%s: not noticed", name)
		}
	}
}

// What the audit finds in SRDFs that others wrote, FCL sees too. By default the two
// small arms; with FIRSTCONTACT_PAIRS whatever robots that folder has pairs of.
func TestFCLConfirmsAuditsOfRobots(t *testing.T) {
	needRobots(t)
	names, samples := []string{"panda", "ur5e"}, 20
	if dir := switches.Pairs.Get(); dir != "" {
		names, samples = nil, 200
		files, err := filepath.Glob(filepath.Join(dir, "*.pairs"))
		must(t, err)
		for _, file := range files {
			name := filepath.Base(file)
			names = append(names, name[:len(name)-len(".pairs")])
		}
	}
	o := start(t)
	for _, name := range names {
		path := filepath.Join(robots, name, name+".urdf")
		srdf := filepath.Join(robots, name, name+".srdf")
		if _, err := os.Stat(srdf); err != nil {
			srdf = ""
		}
		a := auditOf(t, path, srdf, 2000)
		t.Logf("%s: %d never, %d always, %d sometimes, %d undecided; found and confirmed %v", name, a.report.Count(pairproof.Never),
			a.report.Count(pairproof.Always), a.report.Count(pairproof.Sometimes), a.report.Count(pairproof.Undecided), a.confirm(t, o, samples))
	}
}
