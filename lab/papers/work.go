package papers

import (
	"context"
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/lab/papers/workload"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// work is one workload as the methods take it.
type work struct {
	name    string
	robot   *urdf.Robot
	world   *scene.Snapshot
	checker *ccd.Checker
	model   *model.Model // for the papers' methods, with the checker's pairs
	state   []float64    // of its tree
}

// newWork compiles a robot and its world for the papers' methods, with the pairs that
// the default engine checks; rooted says that motions move the root link.
func newWork(name string, robot *urdf.Robot, world *scene.Snapshot, c *ccd.Checker, rooted bool) (*work, error) {
	build := model.New
	if rooted {
		build = model.NewRooted
	}
	m, err := build(robot, world, func(string) float64 { return 0 }, &model.Library{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	w := &work{name: name, robot: robot, world: world, checker: c, model: m, state: make([]float64, len(m.Tree.Dofs))}
	m.PairUp(w.assumed())
	at := c.State()
	for i := range m.Tree.Dofs {
		w.state[i] = at[m.Tree.Dofs[i].Name]
	}
	return w, nil
}

// assumed tells which pairs the default engine leaves out.
func (w *work) assumed() func(a, b *model.Body) string {
	reasons := map[[2]string]string{}
	for _, p := range w.checker.Pairs().Assumed {
		reasons[[2]string{p.A, p.B}], reasons[[2]string{p.B, p.A}] = p.Reason, p.Reason
	}
	return func(a, b *model.Body) string { return reasons[[2]string{a.Name, b.Name}] }
}

// onlyLast is the work with the pairs of the deepest link alone.
func (w *work) onlyLast() (*work, error) {
	m, err := model.New(w.robot, w.world, func(string) float64 { return 0 }, &model.Library{})
	if err != nil {
		return nil, err
	}
	last, depth := "", -1
	for i := range m.Bodies {
		if d := len(m.Tree.Chain(m.Bodies[i].Frame)); d > depth && len(m.Bodies[i].Elements) > 0 {
			last, depth = m.Bodies[i].Name, d
		}
	}
	assumed := w.assumed()
	m.PairUp(func(a, b *model.Body) string {
		if a.Name != last && b.Name != last {
			return "not of the end-effector"
		}
		return assumed(a, b)
	})
	only := *w
	only.model = m
	return &only, nil
}

// defaultEngine names it on the page.
const defaultEngine = "default engine"

// byDefault is the default engine, asked as users do.
func (w *work) byDefault() method {
	return method{name: defaultEngine, ours: true, check: func(ctx context.Context, m *motion.Motion, q motion.Query) (motion.Verdict, error) {
		return w.checker.Check(ctx, m, q)
	}}
}

// questioned is a worker of a paper's method.
type questioned interface {
	Check(ctx context.Context, b *kin.Course, q motion.Query) motion.Verdict
}

// by is a paper's method. after, where not nil, is called when a check has ended.
func (w *work) by(name string, e questioned, after func()) method {
	course := new(kin.Course)
	return method{name: name, check: func(ctx context.Context, m *motion.Motion, q motion.Query) (motion.Verdict, error) {
		rows, err := w.model.Tree.Rows(m.Joints)
		if err != nil {
			return motion.Verdict{}, err
		}
		course.Bind(w.model.Tree, m, w.state, rows)
		v := e.Check(ctx, course, q)
		if after != nil {
			after()
		}
		return v, nil
	}}
}

// generated is a workload made by the generator, compiled.
type generated struct {
	*work
	of *workload.Workload
}

// workload makes one of the generator's, once.
func (b *Bench) workload(name string) (*generated, error) {
	return once(b, "workload "+name, func() (*generated, error) {
		o := workload.Options{Motions: 200}
		if b.scale == Quick {
			o = workload.Options{Motions: 4, Scale: 0.05}
		}
		made, err := workload.ByName(name, o)
		if err != nil {
			return nil, err
		}
		rooted := false
		for _, m := range made.Motions {
			rooted = rooted || len(m.Root) > 0
		}
		c, err := made.Checker()
		if err != nil {
			return nil, err
		}
		w, err := newWork(name, made.Robot, made.World, c, rooted)
		return &generated{w, made}, err
	})
}

// sized says what the models have, and in brackets what the paper's have.
func (g *generated) sized() string { return "Sizes, and the paper's in brackets: " + g.sizes() + "." }

func (g *generated) sizes() string {
	var of []string
	for _, s := range g.of.Sizes {
		of = append(of, fmt.Sprintf("%s %s (%s)", s.What, grouped(float64(s.Ours)), grouped(float64(s.Paper))))
	}
	return strings.Join(of, ", ")
}
