package main

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/lab/benchmaker"
)

// shared is the folder of robots and problems, as seen from here.
const shared = "../../../../shared"

// TestPlanners plans two problems with every kind of checker: no path of proofs is in collision, by FCL's dense samples and by proof, and
// of the others' some are, or the judges would see nothing.
func TestPlanners(t *testing.T) {
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the shared folder is not there")
	}
	program, err := build(".")
	if errors.Is(err, errMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var done []run
	for robot, wanted := range map[string][2]any{"panda": {"table_under_pick", 38}, "ur5": {"box", 63}} {
		f, err := benchmaker.Load(shared, robot)
		if err != nil {
			t.Fatal(err)
		}
		p, err := start(program, &file{f})
		if err != nil {
			t.Fatal(err)
		}
		of := &f.Sets[wanted[0].(string)][wanted[1].(int)-1]
		for _, c := range checkers {
			for _, with := range planners {
				seconds := 10. // RRTConnect needs some 10 ms of them
				if with.name != "RRTConnect" {
					seconds = 0.1
				}
				r, err := p.plan(of, with.name, c, 1, seconds, 0.002)
				if err != nil {
					t.Fatal(err)
				}
				done = append(done, r)
			}
		}
		if robot == "panda" {
			// KPIECE1 goes on from where a motion comes to a contact: with seed 3 it did so from within the tolerance of one.
			for seed := 2; seed <= 3; seed++ {
				r, err := p.plan(&f.Sets["table_under_pick"][50], "KPIECE1", "proof", seed, 10, 0.002)
				if err != nil {
					t.Fatal(err)
				}
				if !r.Solved {
					t.Errorf("%s with seed %d found no path", r.Problem, seed)
				}
				done = append(done, r)
			}
		}
		if err := p.close(); err != nil {
			t.Fatal(err)
		}
	}
	touching(t, program)
	seen := 0
	for i := range done {
		r := &done[i]
		if r.Planner == "RRTConnect" && !r.Solved {
			t.Errorf("%s with %s found no path", r.Problem, r.Checker)
		}
		if !r.Solved {
			continue
		}
		for _, j := range []judged{r.Found, r.Final} {
			if r.Checker == "proof" && (j.Hits != 0 || j.Proof != "free" || !r.Kept) {
				t.Errorf("%s, %s: proofs accepted a path in collision: %+v", r.Problem, r.Planner, j)
			}
			if r.Planner == "RRTConnect" && j.Hits > 0 && j.Proof == "contact" {
				seen++
			}
			if j.Hits > 0 && j.Proof != "contact" {
				t.Errorf("%s, %s, %s: samples are in collision and the proof says %s", r.Problem, r.Planner, r.Checker, j.Proof)
			}
		}
	}
	if seen < 3 { // of these problems at OMPL's default resolution: one path as found, two as simplified
		t.Errorf("%d paths of samples are in collision, at least 3 are", seen)
	}
	text := tables(done)
	for _, p := range planners {
		for _, c := range checkers {
			if want := "| " + p.name + " | " + checkerName(c) + " |"; strings.Count(text, want) != 2 {
				t.Errorf("the tables lack %q", want)
			}
		}
	}
	t.Log(text)
}

// touching plans to a goal of Baxter's that is in contact by itself, which is told for every checker.
func touching(t *testing.T, path string) {
	f, err := benchmaker.Load(shared, "baxter")
	if err != nil {
		t.Fatal(err)
	}
	p, err := start(path, &file{f})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checkers {
		r, err := p.plan(&f.Sets["bookshelf_tall_both_arms_easy"][64], "RRTConnect", c, 1, 1, 0.002)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Touches || r.Solved || r.Checker != c {
			t.Errorf("%s with %s: %+v", r.Problem, c, r)
		}
	}
	if err := p.close(); err != nil {
		t.Fatal(err)
	}
}

// Two problems, solved in the times of the test below by each kind of checker.
func made() []run {
	free, hit := judged{Samples: 100, Proof: "free"}, judged{Samples: 100, Hits: 5, Proof: "contact"}
	one := func(problem, checker string, plan, simplify float64, solved bool, final judged) run {
		return run{Problem: problem, Planner: "RRTConnect", Checker: checker, Seed: 1, Solved: solved, Kept: true, Plan: plan, Simplify: simplify, Length: 4, Short: 2, Dense: 0.001, Found: free, Final: final}
	}
	return []run{
		one("panda box 1", "proof", 0.2, 0.1, true, free), one("panda box 1", fcl05, 0.4, 0.2, true, hit), one("panda box 1", "0.01", 3, 0, false, judged{}),
		{Problem: "baxter box 3", Planner: "RRTConnect", Checker: "proof", Seed: 1, Touches: true},
		one("ur5 cage 2", "proof", 0.4, 0.2, true, free), one("ur5 cage 2", fcl05, 3, 0, false, judged{}), one("ur5 cage 2", "0.01", 2, 1, true, judged{Samples: 100, Hits: 1, Proof: "free"}),
	}
}

func TestSums(t *testing.T) {
	text := tables(made())
	for _, want := range []string{
		"| RRTConnect | proofs | 2 of 2 | 400 ms | 300 ms | 150 ms | 0.50 | 4.0 | 2.0 | 0 of 2 | 0 of 2 |",
		"| RRTConnect | FCL, 0.05 rad | 1 of 2 | 3.00 s | 1.70 s | 200 ms | 1.00 | 4.0 | 2.0 | 0 of 1 | 1 of 1 |",
		"| RRTConnect | FCL, 0.01 rad | 1 of 2 | 3.00 s | 2.50 s | 1.00 s | - | 4.0 | 2.0 | 0 of 1 | 0 of 1 (1 by samples) |",
		"| RRTConnect, panda | FCL, 0.05 rad | 1 of 1 | 400 ms | 400 ms | 200 ms | 1.00 | 4.0 | 2.0 | 0 of 1 | 1 of 1 |",
		"| panda box | 1 | 0.50 (0 of 1) | - (0 of 0) | 1.00 (1 of 1) | - (0 of 0) |",
		"| ur5 cage | 1 | - (0 of 1) |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the tables lack\n%s\nin\n%s", want, text)
		}
	}
}

func TestRounds(t *testing.T) {
	f := file{&benchmaker.File{Sets: map[string][]benchmaker.Problem{"b": make([]benchmaker.Problem, 100), "a": make([]benchmaker.Problem, 3)}}}
	for set, list := range f.Sets {
		for i := range list {
			list[i].Set, list[i].Index = set, i+1
		}
	}
	count := map[string]int{}
	for round := range 100 {
		var got []string
		for _, p := range f.inRound(round) {
			got = append(got, p.String())
			count[p.String()]++
		}
		if want := map[int]string{0: " a 1, b 1", 1: " a 3, b 65", 2: " a 2, b 33", 3: " b 97", 4: " b 17"}[round]; want != "" && strings.Join(got, ",") != want {
			t.Errorf("round %d has %q, want %q", round, got, want)
		}
	}
	if len(count) != 103 || len(f.inRound(100)) != 0 {
		t.Errorf("%d problems in 100 rounds, want 103 and none later", len(count))
	}
	for name, n := range count {
		if n != 1 {
			t.Errorf("%s comes %d times", name, n)
		}
	}
}
