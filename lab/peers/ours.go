package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Our methods, as firstcontact bench names them.
const (
	ourFree   = "free"
	ourTOC    = "toc"
	ourStatic = "static"

	// All segments with the same answer in one call: each takes the mean.
	ourFreeAll   = "free-all"
	ourStaticAll = "static-all"
)

var ourMethods = []string{ourFree, ourTOC, ourStatic, ourFreeAll, ourStaticAll}

// runOurs has firstcontact judge a set.
func (o *options) runOurs(ctx context.Context, s set, into columns) error {
	return o.runBuild(ctx, o.command, ourMethods, s, into.add)
}

var errNoSegment = errors.New("firstcontact told of no segment")

// runBuild has a build of firstcontact judge a set, and tells each answer of each method, in the order of segments.
func (o *options) runBuild(ctx context.Context, command string, methods []string, s set, tell func(method string, a answer)) error {
	args := []string{
		"bench", s.scene, s.segments, "--json", "--dump",
		"--method", strings.Join(methods, ","), "--reps", strconv.Itoa(o.reps),
	}
	if s.noEnv {
		args = append(args, "--noenv")
	}
	if o.clock == wallClock {
		args = append(args, "--clock", wallClock)
	}
	out, err := output(ctx, command, args...)
	if err != nil {
		return err
	}
	told := columns{}
	if err := parseDump(out, told); err != nil {
		return err
	}
	for _, m := range methods {
		clock := o.clocks.ours
		if m == ourFreeAll || m == ourStaticAll { // it was read once for all
			clock = 0
		}
		for _, a := range told[m] {
			tell(m, a.net(clock))
		}
	}
	return nil
}

// parseDump reads the segments of firstcontact bench --json --dump. It fails where there are none.
func parseDump(dump []byte, into columns) error {
	lines := bufio.NewScanner(bytes.NewReader(dump))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l struct {
			Method  string
			Segment *int
			Status  string
			Micros  *float64 `json:"us"`
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return fmt.Errorf("firstcontact's line %q: %w", lines.Text(), err)
		}
		if l.Segment == nil {
			continue // of a method
		}
		known := l.Status == free || l.Status == contact || l.Status == undecided
		if *l.Segment != len(into[l.Method]) || l.Micros == nil || !known {
			return fmt.Errorf("firstcontact's line %q: a verdict and a time of segment %d were expected", lines.Text(), len(into[l.Method]))
		}
		into.add(l.Method, answer{l.Status, *l.Micros})
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if len(into) == 0 {
		return errNoSegment
	}
	return nil
}
