package enginetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// broken is the default engine with a fault on purpose.
type broken struct {
	spacetime.Engine
	check func(w engine.Worker, ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict
	lacks bool // says that it cannot do what it does
}

func (b broken) Abilities() engine.Abilities {
	a := b.Engine.Abilities()
	a.Tubes = !b.lacks
	return a
}

func (b broken) Prepare(m *model.Model) (func() engine.Worker, error) {
	fresh, err := b.Engine.Prepare(m)
	return func() engine.Worker { return &brokenWorker{fresh(), b} }, err
}

type brokenWorker struct {
	engine.Worker
	b broken
}

func (w *brokenWorker) Check(ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict {
	if w.b.check == nil {
		return w.Worker.Check(ctx, c, q)
	}
	return w.b.check(w.Worker, ctx, c, q)
}

// listener hears what a part of the suite finds wrong, which is no failure here.
type listener struct {
	testing.TB
	wrong []string
}

func (l *listener) Helper()             {}
func (l *listener) Logf(string, ...any) {}
func (l *listener) Errorf(format string, args ...any) {
	l.wrong = append(l.wrong, fmt.Sprintf(format, args...))
}

// The suite finds faults on purpose, each by the part that is there for it; the engine
// without any passes.
func TestSuiteFindsFaults(t *testing.T) {
	if race.Enabled {
		t.Skip("few cases are tried then, and allocations are not counted")
	}
	asIs := func(w engine.Worker, ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict {
		return w.Check(ctx, c, q)
	}
	free := func(c *kin.Course) motion.Verdict {
		return motion.Verdict{Status: motion.Free, ProvenUntil: c.Motion.Duration()}
	}
	calls := 0
	var sink []byte
	for _, x := range []struct {
		name   string
		part   func(testing.TB, *Suite)
		broken broken
		passes bool
	}{
		{"laws, none", Laws, broken{check: asIs}, true},
		{"laws, all is free", Laws, broken{check: func(_ engine.Worker, _ context.Context, c *kin.Course, _ motion.Query) motion.Verdict { return free(c) }}, false},
		{"laws, free when cancelled", Laws, broken{check: func(w engine.Worker, ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict {
			if v := w.Check(ctx, c, q); v.Reason != "cancelled" {
				return v
			}
			return free(c)
		}}, false},
		{"laws, a witness elsewhere", Laws, broken{check: func(w engine.Worker, ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict {
			v := w.Check(ctx, c, q)
			v.Contact.PointA.X += 0.01
			v.Contact.PointB.X += 0.01
			return v
		}}, false},
		{"laws, the last piece is left out", Laws, broken{check: func(w engine.Worker, ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict {
			if n := len(c.Motion.Pieces); n > 1 && q.Question == motion.FirstContact {
				if v := w.Check(ctx, c, q); v.Piece < n-1 {
					return v
				}
				return free(c)
			}
			return w.Check(ctx, c, q)
		}}, false},
		{"closed forms, clearance forgotten", ClosedForms, broken{check: func(w engine.Worker, ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict {
			q.Clearance = 0
			return w.Check(ctx, c, q)
		}}, false},
		{"closed forms, pairs confused", ClosedForms, broken{check: func(w engine.Worker, ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict {
			q.NoSelf, q.NoWorld = q.NoWorld, q.NoSelf
			return w.Check(ctx, c, q)
		}}, false},
		{"near misses, a larger tolerance", NearMisses, broken{check: func(w engine.Worker, ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict {
			q.Tolerance = 1e-4
			return w.Check(ctx, c, q)
		}}, false},
		{"from the start, the start is left out", FromTheStart, broken{check: func(w engine.Worker, ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict {
			if v := w.Check(ctx, c, q); v.TOC.Hi > 0 {
				return v
			}
			return free(c)
		}}, false},
		{"standing still, later", StandingStill, broken{check: func(w engine.Worker, ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict {
			v := w.Check(ctx, c, q)
			v.TOC.Lo, v.TOC.Hi = v.TOC.Lo+1, v.TOC.Hi+1
			return v
		}}, false},
		{"clearance, a little less", ClearanceAtTheEdge, broken{check: func(w engine.Worker, ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict {
			q.Clearance = max(0, q.Clearance-1e-5)
			return w.Check(ctx, c, q)
		}}, false},
		{"refusals, none", Refusals, broken{}, true},
		{"refusals, a tube is answered", Refusals, broken{lacks: true}, false},
		{"stops, never", Stops, broken{check: func(w engine.Worker, _ context.Context, c *kin.Course, q motion.Query) motion.Verdict {
			q.Budget = 0
			return w.Check(context.Background(), c, q)
		}}, false},
		{"goroutines, what was asked before counts", Goroutines, broken{check: func(w engine.Worker, ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict {
			v := w.Check(ctx, c, q)
			if c.Motion.ID != "" {
				v.ProvenUntil++
			}
			c.Motion.ID = "seen"
			return v
		}}, false},
		{"steady, none", Steady, broken{}, true},
		{"steady, allocates", Steady, broken{check: func(w engine.Worker, ctx context.Context, c *kin.Course, q motion.Query) motion.Verdict {
			calls++
			sink = make([]byte, 1000+calls%2)
			return w.Check(ctx, c, q)
		}}, false},
	} {
		l := &listener{TB: t}
		x.part(l, &Suite{Engine: x.broken, Cases: 50})
		if (len(l.wrong) == 0) != x.passes {
			t.Errorf("%s: %d found wrong: %.300q", x.name, len(l.wrong), l.wrong)
		}
	}
	_ = sink
}
