package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// The peers' methods, in the harness's words: its table of methods says what
// they do. The coarse ones are what planners run; those of dtoc find a time of
// contact. FCL enters twice: with the trees of its default, OBBRSS, and with OBB
// trees, which are faster where only overlap is asked. So does Bullet: as MoveIt
// has it, and without the search for penetration depth, which is faster and misjudges
// shallow contacts.
const (
	fclCoarse    = "discrete:fcl:0.05"
	fclFine      = "discrete:fcl:0.01"
	fclTOC       = "dtoc:fcl:0.01"
	obbCoarse    = "discrete:fcl-obb:0.05"
	obbFine      = "discrete:fcl-obb:0.01"
	obbTOC       = "dtoc:fcl-obb:0.01"
	bulletCoarse = "discrete:bullet:0.05"
	bulletFine   = "discrete:bullet:0.01"
	gjkCoarse    = "discrete:bullet-gjk:0.05"
	gjkFine      = "discrete:bullet-gjk:0.01"
)

var (
	fclMethods = []string{fclCoarse, fclFine, fclTOC, obbCoarse, obbFine, obbTOC}
	// Bullet takes up to a second for one segment among large meshes: it runs
	// in the first round alone, once. No ratio needs it.
	bulletMethods = []string{bulletCoarse, bulletFine, gjkCoarse, gjkFine}
)

// buildHarness copies the harness's sources to lab/peers/build, which git
// ignores, and makes it there.
func buildHarness(ctx context.Context, shared string) (string, error) {
	if err := exec.CommandContext(ctx, "pkg-config", "--exists", "fcl", "bullet", "eigen3").Run(); err != nil {
		return "", fmt.Errorf("the harness needs libfcl-dev, libbullet-dev and libeigen3-dev: install them (pkg-config: %w)", err)
	}
	build := filepath.Join("peers", "build")
	if err := os.MkdirAll(build, 0o755); err != nil {
		return "", err
	}
	for _, pattern := range []string{"Makefile", "*.cpp", "*.h"} {
		files, err := filepath.Glob(filepath.Join(shared, "peers", pattern))
		if err != nil || len(files) == 0 {
			return "", fmt.Errorf("the harness has no %s in %s", pattern, filepath.Join(shared, "peers"))
		}
		for _, f := range files {
			if err := refresh(f, filepath.Join(build, filepath.Base(f))); err != nil {
				return "", err
			}
		}
	}
	if out, err := exec.CommandContext(ctx, "make", "-C", build).CombinedOutput(); err != nil {
		return "", fmt.Errorf("make -C %s: %w\n%s", build, err, out)
	}
	return filepath.Join(build, "ccdbench"), nil
}

// refresh copies a file that has changed; others keep their time, so that make
// leaves alone what was made of them.
func refresh(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(to); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return os.WriteFile(to, data, 0o644)
}

// runFCL has the harness judge a set by FCL's methods.
func (o *options) runFCL(ctx context.Context, s set, into columns) error {
	return o.runHarness(ctx, s, fclMethods, o.reps, into)
}

// runBullet does so by Bullet's, once.
func (o *options) runBullet(ctx context.Context, s set, into columns) error {
	return o.runHarness(ctx, s, bulletMethods, 1, into)
}

func (o *options) runHarness(ctx context.Context, s set, methods []string, reps int, into columns) error {
	// The harness wants a method for the truth before those it times; what is
	// true is not taken from it.
	args := append([]string{"bench", s.scene, s.segments, fclCoarse}, methods...)
	args = append(args, "--dump", "--reps="+strconv.Itoa(reps))
	if s.noEnv {
		args = append(args, "--noenv")
	}
	out, err := o.peersOutput(ctx, o.harness, args...)
	if err != nil {
		return err
	}
	told := columns{}
	if err := parseHarness(out, told); err != nil {
		return err
	}
	for m, answers := range told {
		for _, a := range answers {
			into.add(m, a.net(o.clocks.theirs))
		}
	}
	return nil
}

// output runs a program and keeps what it says on standard error for the error.
func output(ctx context.Context, program string, args ...string) ([]byte, error) {
	return outputOf(exec.CommandContext(ctx, program, args...), program, args)
}

// peersOutput is output of a program of the peers' side, which reads the clock that was asked for.
func (o *options) peersOutput(ctx context.Context, program string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, program, args...)
	if o.preload != "" {
		c.Env = append(os.Environ(), "LD_PRELOAD="+o.preload)
	}
	return outputOf(c, program, args)
}

func outputOf(c *exec.Cmd, program string, args []string) ([]byte, error) {
	out, err := c.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, bytes.TrimSpace(exit.Stderr))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	return out, nil
}

// parseHarness reads the lines of --dump:
//
//	SEG INDEX truth V METHOD=V@TOC/TIMEus ...
//
// with segments from 0 in order. The columns' names are the methods'; the first,
// which was the harness's truth and ran once, is told twice and taken from the
// second time on.
func parseHarness(dump []byte, into columns) error {
	lines := bufio.NewScanner(bytes.NewReader(dump))
	lines.Buffer(nil, 1<<20)
	next := 0
	for lines.Scan() {
		w := strings.Fields(lines.Text())
		if len(w) == 0 || w[0] != "SEG" {
			continue
		}
		if len(w) < 5 || w[1] != strconv.Itoa(next) || w[2] != "truth" {
			return fmt.Errorf("the harness's line %q: segment %d was expected", lines.Text(), next)
		}
		next++
		for _, cell := range w[5:] {
			if err := parseCell(cell, into); err != nil {
				return fmt.Errorf("the harness's line %q: %w", lines.Text(), err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if next == 0 {
		return errors.New("the harness told of no segment")
	}
	return nil
}

func parseCell(cell string, into columns) error {
	name, rest, ok := strings.Cut(cell, "=")
	digit, rest, ok2 := strings.Cut(rest, "@")
	_, us, ok3 := strings.Cut(rest, "/")
	us, ok4 := strings.CutSuffix(us, "us")
	if !ok || !ok2 || !ok3 || !ok4 || name == "" {
		return fmt.Errorf("%q does not read METHOD=V@TOC/TIMEus", cell)
	}
	took, err := strconv.ParseFloat(us, 64)
	if err != nil || !(took >= 0) {
		return fmt.Errorf("%q has no time", cell)
	}
	status, ok := map[string]string{"0": free, "1": contact, "2": undecided}[digit]
	if !ok {
		return fmt.Errorf("%q has no verdict", cell)
	}
	into.add(name, answer{status, took})
	return nil
}
