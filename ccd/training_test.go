package ccd_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// The compiler's profile is trained on robots and worlds that are not in the comparison
// with other software, and the build's rule runs no other benchmark.
func TestTrainingIsNotTheComparison(t *testing.T) {
	compared := map[string]bool{}
	scenes, err := os.ReadDir(shared + "peers/corpus")
	if err != nil {
		t.Skip("the comparison's corpus is not here: ", err)
	}
	for _, f := range scenes {
		name, ok := strings.CutSuffix(f.Name(), ".scene")
		if !ok {
			continue
		}
		s, err := corpus.Load(shared + "peers/corpus/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		compared[s.Robot.Name] = true
		robot, _, _ := strings.Cut(name, "_")
		compared[robot] = true
	}
	if !compared["panda"] || !compared["g1"] {
		t.Fatalf("compared are %v: panda and g1 were expected", compared)
	}
	for i := range trainingSets {
		s := &trainingSets[i]
		if strings.Contains(s.robot, "peers/") {
			t.Errorf("%s is of the comparison", s.name)
		}
		for robot := range compared {
			if robot != "" && strings.Contains(s.robot, "/"+robot+"/") {
				t.Errorf("%s trains on %s, which is compared", s.name, robot)
			}
		}
	}
	rules, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	_, rule, ok := strings.Cut(string(rules), "\nhot:")
	rule, _, _ = strings.Cut(rule, "\n\n")
	if !ok || !strings.Contains(rule, "-test.bench Training ") {
		t.Errorf("make hot does not run BenchmarkTraining: %s", rule)
	}
}

// Every training set has motions that are free and motions that touch.
func TestTrainingFindsBothKinds(t *testing.T) {
	race.LeaveOut(t)
	for i := range trainingSets {
		s := trainingSets[i]
		s.count = 60
		c, motions := s.motions(t)
		kinds := map[motion.Status]int{}
		for _, m := range motions {
			v, err := c.Check(context.Background(), m, motion.Query{Question: motion.IsFree})
			if err != nil {
				t.Fatal(err)
			}
			kinds[v.Status]++
		}
		if kinds[motion.Free] < 3 || kinds[motion.Contact] < 3 || kinds[motion.Undecided] > 3 {
			t.Errorf("%s: of 60 motions %v", s.name, kinds)
		}
	}
}
