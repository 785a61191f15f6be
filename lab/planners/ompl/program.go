package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/firstcontact-ros/firstcontact/lab/benchmaker"
)

// program is build/plan, which answers a line by a line.
type program struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	file *file
	now  *benchmaker.Problem // described last
}

// start starts the program with a robot.
func start(path string, f *file) (*program, error) {
	p := &program{cmd: exec.Command(path), file: f}
	p.cmd.Stderr = os.Stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if _, err := p.ask("robot", f.URDF, f.SRDF, f.allowed()); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

func (p *program) close() error { return errors.Join(p.in.Close(), p.cmd.Wait()) }

// ask sends words, of which strings are quoted and lists are laid out, and returns the answer.
func (p *program) ask(words ...any) (string, error) {
	var line strings.Builder
	for _, w := range words {
		switch w := w.(type) {
		case string:
			fmt.Fprintf(&line, "%q ", w)
		case []string:
			for _, x := range w {
				fmt.Fprintf(&line, "%q ", x)
			}
		case []float64:
			for _, x := range w {
				fmt.Fprintf(&line, "%.17g ", x)
			}
		default:
			fmt.Fprintf(&line, "%v ", w)
		}
	}
	if _, err := fmt.Fprintln(p.in, line.String()); err != nil {
		return "", fmt.Errorf("the planning program: %w", err)
	}
	answer, err := p.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("the planning program ended at %s: %w", line.String(), err)
	}
	answer = strings.TrimSpace(answer)
	if why, bad := strings.CutPrefix(answer, "error "); bad {
		return "", fmt.Errorf("%s: %s", line.String(), why)
	}
	return answer, nil
}

// describe tells the program of a problem, once.
func (p *program) describe(of *benchmaker.Problem) error {
	f := p.file
	if p.now == of {
		return nil
	}
	lines := [][]any{{"problem", fmt.Sprintf("%s#%s/%d", f.Path, of.Set, of.Index)}}
	for joint, value := range of.Others {
		lines = append(lines, []any{"hold", joint, []float64{value}})
	}
	for i := range of.Objects {
		o := &of.Objects[i]
		lines = append(lines, []any{"object", o.ID, o.Type, o.XYZ[:], o.Quat[:], o.Dimensions()})
	}
	lines = append(lines, []any{"ends", f.Joints, of.Start, of.Goal})
	for _, l := range lines {
		if _, err := p.ask(l...); err != nil {
			return fmt.Errorf("%s: %w", of.String(), err)
		}
	}
	p.now = of
	return nil
}

// run is what one planner did about one problem.
type run struct {
	Problem  string // robot, set, index
	Planner  string
	Checker  string
	Seed     int
	Seconds  float64 // that it had
	Dense    float64 // rad, between the samples that judge paths
	Touches  bool    // an end is in contact: nothing was planned
	Solved   bool
	Kept     bool    // by the simplifier's own check the path is still free
	Plan     float64 // s
	Simplify float64 // s
	Length   float64 // rad, as found
	Short    float64 `json:"shortened"` // rad, as simplified
	Step     float64 `json:"resolution"`
	Asked    tally   `json:"planning"`
	Again    tally   `json:"simplifying"`
	Found    judged
	Final    judged
}

// tally is what a planner asked its checker.
type tally struct {
	Free, Hit  int
	FreeTime   float64 `json:"free_time"` // s
	HitTime    float64 `json:"hit_time"`
	FreeLength float64 `json:"free_length"` // rad
	HitLength  float64 `json:"hit_length"`
	Known      int     // from a state that was asked about before
	States     int     // configurations judged, those of samples too

	// Configurations that the planner asked about by themselves.
	FreeStates    int     `json:"free_states"`
	HitStates     int     `json:"hit_states"`
	FreeStateTime float64 `json:"free_state_time"` // s
	HitStateTime  float64 `json:"hit_state_time"`
}

// judged is what a path is worth.
type judged struct {
	Samples, Hits int    // of FCL
	Proof         string // free, contact or undecided
}

// plan runs a planner.
func (p *program) plan(of *benchmaker.Problem, planner, checker string, seed int, seconds, dense float64) (r run, err error) {
	if err := p.describe(of); err != nil {
		return r, err
	}
	_, reach := p.file.patience()
	answer, err := p.ask("run", planner, checker, seed, []float64{seconds, dense, reach})
	if err != nil {
		return r, fmt.Errorf("%s: %w", of.String(), err)
	}
	if err := json.Unmarshal([]byte(answer), &r); err != nil {
		return r, fmt.Errorf("%s: %w", answer, err)
	}
	r.Problem, r.Planner, r.Checker, r.Seed, r.Seconds, r.Dense = of.String(), planner, checker, seed, seconds, dense
	return r, nil
}
