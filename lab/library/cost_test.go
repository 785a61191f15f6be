package library

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// TestCost compares what a call costs in C and in Go: the same motions, each many times, medians of blocks of thread time.
func TestCost(t *testing.T) {
	uninstrumented(t)
	const urdfFile, sceneFile = root + "/examples/plan/arm.urdf", root + "/examples/plan/cell.yaml"
	program := compiled(t, "capi/tests/cost.c", "-O2")
	out := strings.Fields(run(t, 0, program, urdfFile, sceneFile))
	inC, err := strconv.ParseFloat(out[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	batched, err := strconv.ParseFloat(out[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	inGo := median(blocksInGo(t, checkerInGo(t, urdfFile, sceneFile), 51, 2000))
	t.Logf("a check takes %.2f us in Go, %.2f us in C (%.2f more), %.2f us in a batch of one worker", inGo, inC, inC-inGo, batched)
	// Loaded machines measure more; what is wrong is far more.
	if inC-inGo > 5 {
		t.Errorf("a call from C costs %.2f us more than one in Go", inC-inGo)
	}
}

func checkerInGo(t *testing.T, urdfFile, sceneFile string) *ccd.Checker {
	robot, err := urdf.Load(filepath.FromSlash(urdfFile), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	world, err := scene.Load(sceneFile, scene.Options{Robot: robot})
	if err != nil {
		t.Fatal(err)
	}
	c, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// blocksInGo returns the thread time (us) of Between and Check, in so many blocks of calls.
func blocksInGo(t *testing.T, c *ccd.Checker, blocks, calls int) []float64 {
	joints := c.ActiveJoints()
	var times []float64
	for range blocks {
		took := cputime.Of(func() {
			for range calls {
				m, err := motion.Between(joints, []float64{-1, -1}, []float64{-0.9, -0.5}, 1)
				if err != nil {
					t.Fatal(err)
				}
				if v, err := c.Check(context.Background(), m, motion.Query{}); err != nil || v.Status != motion.Free {
					t.Fatal(v.Status, err)
				}
			}
		})
		times = append(times, float64(took)/1e3/float64(calls))
	}
	return times
}
