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
	done                 []run
	out                  io.Writer
}

func mainErr(args []string, out io.Writer) error {
	f := flag.NewFlagSet("ompl", flag.ContinueOnError)
	p := plan{out: out}
	f.StringVar(&p.data, "data", "../../shared", "folder that holds robots/ and scenes/motionbenchmaker/")
	robots := f.String("robots", "panda,ur5", "robots, with commas between")
	f.IntVar(&p.problems, "problems", 2, "problems of each set for RRTConnect")
	f.IntVar(&p.others, "others", 1, "problems of each set for the other planners")
	f.IntVar(&p.seeds, "seeds", 1, "seeds of each problem for RRTConnect")
	f.Float64Var(&p.seconds, "seconds", 5, "computing time that a planner has to find a path")
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
	for _, robot := range p.robots {
		f, err := load(p.data, robot)
		if err != nil {
			return err
		}
		if err := p.robot(program, &f, json.NewEncoder(keep)); err != nil {
			return err
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
		p.done = append(p.done, r)
	}
	return lines.Err()
}

func (p *plan) has(of *problem, planner, checker string, seed int) bool {
	for i := range p.done {
		if r := &p.done[i]; r.Problem == of.name() && r.Planner == planner && r.Checker == checker && r.Seed == seed {
			return true
		}
	}
	return false
}

// robot runs all planners on a robot's problems. Checkers take turns on each problem, so that what else the machine does hits all.
func (p *plan) robot(path string, f *file, log *json.Encoder) (err error) {
	program, err := start(path, f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, program.close()) }()
	for _, with := range planners {
		n, seeds, seconds := p.others, 1, p.seconds
		if with.name == "RRTConnect" {
			n, seeds = p.problems, p.seeds
		}
		if with.anytime {
			seconds = p.anytime
		}
		for i, of := range f.chosen(n) {
			for seed := 1; seed <= seeds; seed++ {
				for k := range checkers {
					checker := checkers[(i+k)%len(checkers)]
					if p.has(of, with.name, checker, seed) {
						continue
					}
					r, err := program.plan(f, of, with.name, checker, seed, seconds, p.dense)
					if err != nil {
						return err
					}
					p.done = append(p.done, r)
					if err := log.Encode(&r); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}
