package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/batch"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
	"github.com/firstcontact-ros/firstcontact/internal/batch/queue"
	"github.com/firstcontact-ros/firstcontact/internal/setting"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// units is the mapping of the roadmaps made here.
const units = "units: \"rad, m\"\n"

// job is a batch of a roadmap's edges.
type job struct {
	spec    *queue.Spec
	subject *batch.Subject
}

// newJob makes a roadmap of so many chunks of so many edges in a folder, and the batch about it.
func newJob(ctx context.Context, dir, robotFile, sceneFile string, chunks, each int) (*job, error) {
	robot, err := urdf.Load(robotFile, urdf.Options{})
	if err != nil {
		return nil, err
	}
	world, err := scene.Load(sceneFile, scene.Options{})
	if err != nil {
		return nil, err
	}
	c, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		return nil, err
	}
	if err := writeRoadmap(dir, robot, chunks*each); err != nil {
		return nil, err
	}
	mapping := filepath.Join(dir, "map.yaml")
	if err := os.WriteFile(mapping, []byte(units), 0o644); err != nil {
		return nil, err
	}
	program, err := batch.Program()
	if err != nil {
		return nil, err
	}
	j := &job{subject: &batch.Subject{Judge: batch.NewJudge(setting.Setting{Checker: c, Scene: true}, motion.Query{}), Words: []string{program}}}
	lengths := map[string]bool{}
	if j.subject.Options.Mapping, err = dataset.ReadMapping(ctx, mapping, lengths); err != nil {
		return nil, err
	}
	plan, err := batch.NewPlan(ctx, j.subject, []dataset.File{{Path: dir, Kind: dataset.Roadmap}}, nil)
	if err != nil {
		return nil, err
	}
	plan.Chunks = []batch.Chunk{{Spans: []batch.Span{{Count: chunks * each}}}} // of so many edges, not of a second
	plan.Divide(each)
	j.spec = &queue.Spec{
		Program: program, Robot: robot, Scene: world, Replace: true, MappingName: "map.yaml", Mapping: []byte(units),
		Lengths: lengths, Plan: plan,
	}
	return j, j.spec.Seal(j.subject.Judge)
}

// How many edges begin at a node, and how far nodes lie from each other, in rad.
const (
	edgesPerNode = 10
	step         = 0.02
)

// writeRoadmap writes nodes.csv and edges.csv: a walk of the revolute joints at random, each node joined to those that follow it.
// Equal arguments give equal files.
func writeRoadmap(dir string, robot *urdf.Robot, edges int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var joints []string
	for i := range robot.Joints {
		if j := &robot.Joints[i]; j.Type == urdf.Revolute && j.Mimic == nil {
			joints = append(joints, j.Name)
		}
	}
	var nodes, pairs strings.Builder
	fmt.Fprintln(&nodes, strings.Join(joints, ","))
	dice, at := chance.New(1, 1), make([]float64, len(joints))
	last := (edges+edgesPerNode-1)/edgesPerNode + edgesPerNode
	for range last + 1 {
		for k := range at {
			at[k] = 0.99*at[k] + dice.In(-step, step) // it stays near zero, within the limits
			if k > 0 {
				nodes.WriteByte(',')
			}
			fmt.Fprintf(&nodes, "%.6f", at[k])
		}
		nodes.WriteByte('\n')
	}
	for i := range edges {
		from := i / edgesPerNode
		fmt.Fprintf(&pairs, "%d,%d\n", from, from+1+i%edgesPerNode)
	}
	for name, text := range map[string]string{"nodes.csv": nodes.String(), "edges.csv": pairs.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
