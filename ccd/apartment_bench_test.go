package ccd

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// BenchmarkApartment measures what one configuration of a humanoid costs among the 127 objects of an
// apartment: yes or no (state), and its distances to itself and to the objects as a tracker finds them,
// to 1 %. The humanoid stands at three places and moves as a person was recorded to, at 60 Hz; only
// configurations that are free count. It reports medians of computing time.
func BenchmarkApartment(b *testing.B) {
	robot, rows := recordedG1(b)
	apartment, err := scene.Load("../../shared/scenes/iai_apartment/apartment.urdf", scene.Options{})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(21, 1))
	took := map[string][]float64{}
	ctx := context.Background()
	var places []*standing
	for len(places) < 3 {
		at := geom.Pose{R: geom.RPY(0, 0, 6*r.Float64()), P: geom.Vec{X: 1 + 8*r.Float64(), Y: 1 + 4*r.Float64(), Z: 0.82}}
		s := standAt(b, robot, apartment, at)
		if d, err := s.world.Distance(ctx, rows[0]); err == nil && d.World.Lo > 0.01 && d.World.Lo < 2 {
			places = append(places, s)
		}
	}
	k := 0
	for b.Loop() {
		s, row := places[k/500%len(places)], rows[k%len(rows)]
		k++
		m, err := motion.Path(s.checker.ActiveJoints(), [][]float64{row}, nil)
		if err != nil {
			b.Fatal(err)
		}
		var v motion.Verdict
		state := cputime.Of(func() { v, err = s.checker.Check(ctx, m, motion.Query{Question: motion.IsFree}) })
		if err != nil {
			b.Fatal(err)
		}
		if v.Status != motion.Free {
			continue
		}
		took["state"] = append(took["state"], 1e6*state.Seconds())
		for name, t := range map[string]*DistanceTracker{"self": s.self, "world": s.world} {
			took[name] = append(took[name], 1e6*cputime.Of(func() {
				if _, err := t.Distance(ctx, row); err != nil {
					b.Fatal(err)
				}
			}).Seconds())
		}
	}
	for name, of := range took {
		slices.Sort(of)
		b.ReportMetric(of[len(of)/2], name+"-µs")
		b.ReportMetric(of[len(of)*9/10], name+"-p90-µs")
	}
	b.ReportMetric(float64(len(took["state"]))/float64(k), "free/state")
}

// standing is a humanoid at a place in an apartment.
type standing struct {
	checker     *Checker
	self, world *DistanceTracker
}

func standAt(b *testing.B, robot *urdf.Robot, apartment *scene.Snapshot, at geom.Pose) *standing {
	b.Helper()
	moved, err := apartment.Moved("", at.Inv())
	if err != nil {
		b.Fatal(err)
	}
	s := &standing{}
	if s.checker, err = New(robot, moved, Options{}); err != nil {
		b.Fatal(err)
	}
	for t, q := range map[**DistanceTracker]motion.DistanceQuery{&s.self: {NoWorld: true}, &s.world: {NoSelf: true}} {
		q.Relative = 0.01
		if *t, err = s.checker.DistanceTracker(q); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// recordedG1 is the G1 and its recorded configurations, in the order of the checker's joints, which is
// that of the recording.
func recordedG1(b *testing.B) (robot *urdf.Robot, rows [][]float64) {
	b.Helper()
	paths, _ := filepath.Glob("../../shared/scenes/g1_moves/*.csv")
	if len(paths) == 0 {
		b.Skip("no recorded motions in ../shared")
	}
	robot, err := urdf.Load("../../shared/robots/g1/g1.urdf", urdf.Options{})
	if err != nil {
		b.Fatal(err)
	}
	const root = 7 // columns
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var row []float64
			for _, field := range strings.Split(strings.TrimSpace(line), ",")[root:] {
				x, err := strconv.ParseFloat(field, 64)
				if err != nil || math.IsNaN(x) {
					b.Fatal(path, err)
				}
				row = append(row, x)
			}
			rows = append(rows, row)
		}
	}
	return robot, rows
}
