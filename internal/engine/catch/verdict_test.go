package catch

import (
	"context"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// TestPrepareNamesWhatIsTooFar: no hierarchy is made of boxes that are not numbers.
func TestPrepareNamesWhatIsTooFar(t *testing.T) {
	m, err := model.New(slider(urdf.Prismatic, geom.Vec{X: 1}, at(0, 0, 0), ball(0.1)), worldOf(ball(1), at(3, 0, 0)), nil, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	far := &m.Elements[1] // which model.New refuses, too
	far.PoseFE.P.X, far.Core.Radius, far.Radius = 1.5e308, 1e308, 1e308
	m.PairUp(func(_, _ *model.Body) string { return "" })
	if _, err := Prepare(m); err == nil || !strings.Contains(err.Error(), "obstacle") {
		t.Errorf("%v", err)
	}
}

// TestProvenIsOfAllPairs: the pair that is proved apart for the shortest time counts.
func TestProvenIsOfAllPairs(t *testing.T) {
	for _, c := range []struct {
		lower []float64
		want  float64
	}{{nil, 1}, {[]float64{1, 1}, 1}, {[]float64{0.7, 0.2, 0.9}, 0.2}, {[]float64{0.1, 0.2}, 0.1}} {
		w := Worker{}
		for _, x := range c.lower {
			w.pcls = append(w.pcls, pcl{lower: x})
		}
		if got := w.proven(); got != c.want {
			t.Errorf("pairs apart until %v: proved until %g", c.lower, got)
		}
	}
}

// TestTimeToleranceCutsTheCrawl: a generous one saves steps, and bounds the time of
// contact all the same.
func TestTimeToleranceCutsTheCrawl(t *testing.T) {
	robot := slider(urdf.Revolute, geom.Vec{Z: 1}, at(1, 0, 0), box(0.5, 0.1, 0.1))
	r := newRig(t, robot, worldOf(box(4, 1, 4), at(0, 1, 0)), 0, false)
	b := r.bind(t, slide(0, 3))
	exact := r.w.Check(context.Background(), b, motion.Query{TimeTolerance: 1e-9})
	steps := r.w.Stats().Steps
	v := r.w.Check(context.Background(), b, motion.Query{TimeTolerance: 1e-2})
	if v.Status != motion.Contact || v.TOC.Hi-v.TOC.Lo > 1e-2 || v.TOC.Lo > exact.TOC.Hi || v.TOC.Hi < exact.TOC.Lo {
		t.Errorf("%v in %v, exactly in %v", v.Status, v.TOC, exact.TOC)
	}
	if got := r.w.Stats().Steps; got >= steps {
		t.Errorf("%d steps, %d to the nanosecond", got, steps)
	}
}
