package lazyprm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/bisect"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// twoLinks is an arm in a plane, each link half a metre long; the second joint turns
// without limits where it says so.
func twoLinks(elbow string) string {
	link := `<collision><origin xyz="0.25 0 0"/><geometry><box size="0.5 0.04 0.04"/></geometry></collision>`
	return fmt.Sprintf(`<robot name="two"><link name="base"/><link name="upper">%s</link><link name="fore">%s</link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="elbow" type="%s"><parent link="upper"/><child link="fore"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/><limit lower="-2.8" upper="2.8" effort="1" velocity="1"/></joint>
</robot>`, link, link, elbow)
}

// sheet stands in front of the stretched arm, half a millimetre thick.
func sheet() scene.Object {
	return scene.NewBox("sheet", geom.Translation(geom.Vec{X: 0.85}), geom.Vec{X: 0.5, Y: 5e-4, Z: 0.3})
}

func made(t *testing.T, elbow string, start, goal []float64, objects ...scene.Object) *Problem {
	t.Helper()
	robot, err := urdf.Parse([]byte(twoLinks(elbow)), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	world, err := scene.New("", objects...)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New("made", c, []string{"shoulder", "elbow"}, start, goal)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// past is the problem of getting past the sheet, for which the arm must fold.
func past(t *testing.T) *Problem {
	return made(t, "revolute", []float64{-1, 0}, []float64{1, 0}, sheet())
}

// checkers returns those that prove.
func checkers(t *testing.T, p *Problem) map[string]EdgeChecker {
	t.Helper()
	return checkersFrom(t, p, 0)
}

// checkersFrom is checkers with a threshold for those that have one.
func checkersFrom(t *testing.T, p *Problem, delta float64) map[string]EdgeChecker {
	t.Helper()
	engine, err := NewEngine(p)
	if err != nil {
		t.Fatal(err)
	}
	bisection, err := NewBisect(p, delta, bisect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]EdgeChecker{"engine": engine, "bisect": bisection}
}

// fixed returns a checker that samples.
func fixed(t *testing.T, p *Problem, resolution float64) *Fixed {
	t.Helper()
	c, err := NewFixed(p, resolution)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustVerify(t *testing.T, p *Problem, path [][]float64) motion.Verdict {
	t.Helper()
	v, err := p.Verify(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// shared returns the path of a file beside the checkout, and skips without it.
func shared(t *testing.T, parts ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "..", "..", "shared"}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skip("not there: ", err)
	}
	return path
}

// lots is an EdgeChecker that knows no robot: segments collide by lot, and go on
// doing so. It fails the test where a path is not one.
type lots struct {
	t        *testing.T
	dice     *rand.Rand
	share    float64 // of segments in collision
	p        *Problem
	hits     map[*Edge]bool
	free     map[*Edge]bool
	repeated int // segments of which it knew already that they collide
}

func (c *lots) Free(context.Context, []float64) (bool, error) { return c.dice.IntN(4) > 0, nil }

func (c *lots) Test(_ context.Context, edges []*Edge) (int, error) {
	path := waypoints(edges)
	if !slices.Equal(path[0], c.p.Start) || !slices.Equal(path[len(path)-1], c.p.Goal) {
		c.t.Errorf("a path from %v to %v", path[0], path[len(path)-1])
	}
	for i, e := range edges {
		if i > 0 && !slices.Equal(e.From, edges[i-1].To) {
			c.t.Errorf("segment %d begins at %v, the one before it ends at %v", i, e.From, edges[i-1].To)
		}
		if c.hits[e] {
			c.repeated++
		}
	}
	for _, i := range c.dice.Perm(len(edges)) {
		e := edges[i]
		if !c.free[e] && (c.hits[e] || c.dice.Float64() < c.share) {
			c.hits[e] = true
			return i, nil
		}
		c.free[e] = true
	}
	return -1, nil
}
