package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// answer is what the command says.
type answer struct {
	exit     int
	status   string // of the motion; invalid where there is none
	message  string // the error, or why it is undecided
	toc      float64
	duration float64
	said     []string // whatever it tells of the input: warnings, gaps, held joints, ...
}

// command runs the program under test.
type command struct {
	binary string
	folder string // for files
	runs   int
}

const patience = time.Minute

// ask lays an input out and asks about it.
func (c *command) ask(in *input) (*answer, error) {
	c.runs++
	folder, err := os.MkdirTemp(c.folder, "slip-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	args, err := in.write(folder)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, c.binary, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, &out, &errs
	a := &answer{status: "invalid"}
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) || ctx.Err() != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(args, " "), errors.Join(err, ctx.Err()))
		}
		a.exit = exit.ExitCode()
	}
	a.read([]byte(plain(out.String(), folder)), plain(errs.String(), folder))
	return a, nil
}

// plain is an output without the name of the folder, which differs from run to run.
func plain(text, folder string) string {
	return strings.ReplaceAll(text, folder+"/", "")
}

// read takes what is printed. Only what the object of the motion says counts: a line among
// the notes of standard error is easily missed.
func (a *answer) read(out []byte, errs string) {
	var got struct {
		Status, Message string
		Duration        float64
		TOC             [2]float64
		Held            []string `json:"held_joints"`
		Beyond          []string `json:"beyond_limits"`
		Notes           []string
		Warnings        []struct{ Name, Message string }
		Premises        []struct {
			Kind  string
			Names []string
		}
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if err := json.Unmarshal(lines[0], &got); err == nil && got.Status != "" {
		a.status, a.message, a.toc, a.duration = got.Status, got.Message, got.TOC[0], got.Duration
	}
	if a.message == "" && a.status == "invalid" {
		a.message = lastLine(errs)
	}
	for _, joint := range got.Held {
		a.said = append(a.said, "held joint "+joint)
	}
	for _, joint := range got.Beyond {
		a.said = append(a.said, "beyond limits: "+joint)
	}
	for _, note := range got.Notes {
		a.said = append(a.said, "note: "+note)
	}
	for _, w := range got.Warnings {
		a.said = append(a.said, "warning "+w.Name)
	}
	for _, p := range got.Premises {
		if p.Kind != "left-out" && p.Kind != "held" && p.Kind != "beyond-limits" {
			a.said = append(a.said, strings.TrimSpace("premise "+p.Kind+" "+strings.Join(p.Names, " ")))
		}
	}
}

// lastLine is the error, without the name of the program.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range slices.Backward(lines) {
		if line = strings.TrimPrefix(line, "firstcontact: "); line != "" {
			return line
		}
	}
	return ""
}

// new lists what is said here and not without the slip.
func (a *answer) new(without *answer) []string {
	var found []string
	for _, s := range a.said {
		if !slices.Contains(without.said, s) && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	return found
}
