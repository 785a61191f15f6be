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
	args := []string{
		"bench", s.scene, s.segments, "--json", "--dump",
		"--method", strings.Join(ourMethods, ","), "--reps", strconv.Itoa(o.reps),
	}
	if s.noEnv {
		args = append(args, "--noenv")
	}
	out, err := output(ctx, o.command, args...)
	if err != nil {
		return err
	}
	return parseOurs(out, into)
}

// parseOurs reads the segments of firstcontact bench --json --dump.
func parseOurs(dump []byte, into columns) error {
	if err := parseDump(dump, into); err != nil {
		return err
	}
	if len(into[ourTOC]) == 0 {
		return errors.New("firstcontact told of no segment")
	}
	return nil
}

// parseDump is parseOurs for whatever methods there are.
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
	return lines.Err()
}
