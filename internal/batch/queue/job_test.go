package queue

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/batch"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
	"github.com/firstcontact-ros/firstcontact/internal/setting"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const (
	gantry = `<robot name="gantry"><link name="rail"/><link name="head"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="rail"/><child link="head"/><axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="1" velocity="100"/></joint></robot>`
	mapText = `units: "rad, m"`
)

// job is a batch about a head on a rail, before a wall whose face is at x = 1.
type job struct {
	dir     string // of its motions
	subject *batch.Subject
	spec    *Spec
	want    []byte // the table of one process
}

// newJob is a batch of so many edges, in chunks of so many, and of a file that is no motion.
func newJob(t *testing.T, edges, each int) *job {
	t.Helper()
	dir := t.TempDir()
	var nodes, pairs strings.Builder
	nodes.WriteString("x\n0\n")
	for i := range edges {
		fmt.Fprintf(&nodes, "%g\n", 1.8*float64(i)/float64(edges))
		fmt.Fprintf(&pairs, "0,%d\n", i+1)
	}
	for name, text := range map[string]string{"in/nodes.csv": nodes.String(), "in/edges.csv": pairs.String(), "map.yaml": mapText, "in2/bad.csv": "x,time\n0,zero\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	j, err := loadJob(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	files, _, err := dataset.Find(ctx, []string{filepath.Join(dir, "in"), filepath.Join(dir, "in2")}, "")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := batch.NewPlan(ctx, j.subject, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan.Divide(each)
	j.spec.Plan = plan
	here := t.TempDir()
	s := j.open(t, here)
	if err := batch.Run(ctx, batch.NewChecker(j.subject, plan), s, 2); err != nil {
		t.Fatal(err)
	}
	j.want = table(t, s, here)
	return j
}

// loadJob is what is asked about the motions of a folder, without a plan.
func loadJob(dir string) (*job, error) {
	robot, err := urdf.Parse([]byte(gantry), urdf.Options{})
	if err != nil {
		return nil, err
	}
	world, err := scene.New("", scene.NewBox("wall", geom.Translation(geom.Vec{X: 1.5}), geom.Vec{X: 1, Y: 1, Z: 1}))
	if err != nil {
		return nil, err
	}
	c, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		return nil, err
	}
	lengths := map[string]bool{"x": true}
	m, err := dataset.ReadMapping(context.Background(), filepath.Join(dir, "map.yaml"), lengths)
	if err != nil {
		return nil, err
	}
	j := &job{dir: dir, subject: &batch.Subject{Judge: batch.NewJudge(setting.Setting{Checker: c, Scene: true}, motion.Query{}), Options: dataset.Options{Mapping: m}}}
	j.spec = &Spec{Program: programOf(), Robot: robot, Scene: world, Replace: true, MappingName: "map.yaml", Mapping: []byte(mapText), Lengths: lengths}
	return j, j.spec.Seal(j.subject.Judge)
}

func (j *job) open(t *testing.T, dir string) *batch.Store {
	t.Helper()
	s, err := batch.OpenStore(context.Background(), dir, j.spec.Plan)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func table(t *testing.T, s *batch.Store, dir string) []byte {
	t.Helper()
	if err := batch.WriteTable(context.Background(), s, batch.NewSummary(1, 0, nil)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, batch.TableName))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
