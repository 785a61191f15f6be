package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/firstcontact-ros/firstcontact/lab/benchmaker"
)

func main() {
	if err := mainErr(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "ompl:", err)
		os.Exit(1)
	}
}

// plan is what is to be run.
type plan struct {
	data                 string
	robots               []string
	problems, others     int // of each set: for RRTConnect, and for the other planners
	seeds                int // of RRTConnect
	seconds, anytime     float64
	dense                float64
	folder, log, program string
	logged               []run // by earlier runs of this program
	done                 []run
	out                  io.Writer
}

func mainErr(args []string, out io.Writer) error {
	f := flag.NewFlagSet("ompl", flag.ContinueOnError)
	p := plan{out: out}
	f.StringVar(&p.data, "data", "../../shared", "folder that holds robots/ and scenes/motionbenchmaker/")
	robots := f.String("robots", "panda,ur5,baxter", "robots, with commas between")
	f.IntVar(&p.problems, "problems", 2, "problems of each set for RRTConnect")
	f.IntVar(&p.others, "others", 1, "problems of each set for the other planners")
	f.IntVar(&p.seeds, "seeds", 1, "seeds of each problem for RRTConnect")
	f.Float64Var(&p.seconds, "seconds", 5, "computing time that RRTConnect has to find a path, and a third of what KPIECE1 has")
	f.Float64Var(&p.anytime, "anytime", 0.5, "computing time of planners that make their path better until it is over")
	f.Float64Var(&p.dense, "dense", 0.001, "rad between the samples by which FCL judges paths")
	f.StringVar(&p.folder, "folder", "planners/ompl", "folder of this package")
	f.StringVar(&p.log, "log", "", "file that keeps each run; what it has is not run again")
	f.StringVar(&p.program, "program", "", "the program that plans, where it is built already")
	page := f.String("page", "", "page to write; a folder beside it gets its pictures")
	if err := f.Parse(args); err != nil {
		return err
	}
	if p.problems < 1 || p.others < 0 || p.seeds < 1 {
		return errors.New("-problems and -seeds are at least 1, -others at least 0")
	}
	p.robots = strings.Split(*robots, ",")
	if err := p.run(); err != nil {
		return err
	}
	text := tables(p.done)
	if *page != "" {
		return writePage(*page, &p, text)
	}
	_, err := io.WriteString(out, text)
	return err
}

// run runs what the log has not.
func (p *plan) run() error {
	keep := io.Discard
	if p.log != "" {
		if err := p.read(); err != nil {
			return err
		}
		log, err := os.OpenFile(p.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		defer log.Close()
		keep = log
	}
	program := p.program
	if program == "" {
		made, err := build(p.folder)
		if err != nil {
			return err
		}
		program = made
	}
	return p.rounds(program, json.NewEncoder(keep))
}

// rounds plans a problem of each set of each robot, then another one of each, so that those done at any time are spread evenly.
func (p *plan) rounds(path string, log *json.Encoder) (err error) {
	var programs []*program
	for _, robot := range p.robots {
		f, err := benchmaker.Load(p.data, robot)
		if err != nil {
			return err
		}
		program, err := start(path, &file{f})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, program.close()) }()
		programs = append(programs, program)
	}
	for round := range max(p.problems, p.others) {
		for _, program := range programs {
			for _, of := range program.file.inRound(round) {
				if err := p.problem(program, of, round, log); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (p *plan) read() error {
	log, err := os.Open(filepath.Clean(p.log))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer log.Close()
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r run
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return fmt.Errorf("%s: %w", p.log, err)
		}
		p.logged = append(p.logged, r)
	}
	return lines.Err()
}

// known returns what the log has, or nil.
func (p *plan) known(of *benchmaker.Problem, planner, checker string, seed int) *run {
	for i := range p.logged {
		if r := &p.logged[i]; r.Problem == of.String() && r.Planner == planner && r.Checker == checker && r.Seed == seed {
			return r
		}
	}
	return nil
}

// problem runs the planners that are wanted in a round on a problem.
func (p *plan) problem(program *program, of *benchmaker.Problem, round int, log *json.Encoder) error {
	for _, with := range planners {
		n, seeds, seconds := p.others, 1, with.patient*p.seconds
		if with.name == "RRTConnect" {
			patience, _ := program.file.patience()
			n, seeds, seconds = p.problems, p.seeds, patience*seconds
		}
		if with.anytime {
			seconds = p.anytime
		}
		if round >= n {
			continue
		}
		for seed := 1; seed <= seeds; seed++ {
			if err := p.checkers(program, of, with.name, seed, seconds, log); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkers runs a planner with each checker. They take turns, so that what else the machine does hits all.
func (p *plan) checkers(program *program, of *benchmaker.Problem, planner string, seed int, seconds float64, log *json.Encoder) error {
	for k := range checkers {
		checker := checkers[(of.Index+k)%len(checkers)]
		if r := p.known(of, planner, checker, seed); r != nil {
			p.done = append(p.done, *r)
			continue
		}
		r, err := program.plan(of, planner, checker, seed, seconds, p.dense)
		if err != nil {
			return err
		}
		p.done = append(p.done, r)
		if err := log.Encode(&r); err != nil {
			return err
		}
	}
	return nil
}
