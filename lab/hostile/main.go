//go:build linux

package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

func main() {
	if err := begin(); err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}

func begin() error {
	switch role := os.Getenv(roleVariable); role {
	case "":
		if err := muteC(); err != nil {
			return err
		}
		return lead()
	case "publisher":
		return bePublisher(os.Args[1])
	case "stranger":
		return beStranger(os.Args[1])
	default:
		return fmt.Errorf("%s=%q is no role", roleVariable, role)
	}
}

// muteC keeps to this program what Go writes to standard error: Cyclone DDS, which is flooded
// here as well as in the node, writes there of each packet that it cannot read.
func muteC() error {
	if os.Getenv(childrenVariable) != "" {
		return nil
	}
	own, err := syscall.Dup(2)
	if err != nil {
		return err
	}
	syscall.CloseOnExec(own)
	none, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	os.Stderr = os.NewFile(uintptr(own), "stderr")
	if err := debug.SetCrashOutput(os.Stderr, debug.CrashOptions{}); err != nil {
		return err
	}
	return syscall.Dup3(int(none.Fd()), 2, 0)
}

// errFaults says that the node did what it must not.
var errFaults = errors.New("the node did not hold")

func lead() error {
	var (
		s        settings
		only     = flag.String("only", "", "make the attacks whose names match")
		short    = flag.Bool("short", false, "make some, each for a moment, and be lenient about speed: what CI runs")
		list     = flag.Bool("list", false, "list the attacks")
		campaign = flag.Bool("random", false, "attack at random, by pauses, deaths, offsets, duplicates and bursts of one to three publishers")
		soaking  = flag.Bool("soak", false, "nothing hostile: watch what the node uses")
		minutes  = flag.Float64("minutes", 0, "make the attacks again and again for so long; of -random and -soak, how long they last")
	)
	flag.StringVar(&s.binary, "node", "", "the node's program; default: built from this module")
	flag.DurationVar(&s.each, "each", 10*time.Second, "how long an attack lasts")
	flag.DurationVar(&s.timeout, "timeout", 100*time.Millisecond, "joint_state_timeout; the attacks' times follow it")
	flag.IntVar(&s.memory, "memory", 2_000_000, "kB of memory beyond which the node is killed")
	flag.Uint64Var(&s.seed, "seed", 0, "of -random; default: by the clock")
	flag.BoolVar(&s.verbose, "v", false, "tell each event of -random, and the end of the node's log")
	flag.Parse()
	if *list {
		for _, a := range attacks() {
			fmt.Printf("%-20s %s\n", a.name, a.about)
		}
		return nil
	}
	if s.binary == "" {
		folder, err := os.MkdirTemp("", "hostile-build-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		if s.binary, err = build(folder); err != nil {
			return err
		}
	}
	length := time.Duration(*minutes * float64(time.Minute))
	switch {
	case *campaign:
		return random(s, length)
	case *soaking:
		return soak(s, length)
	}
	match, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	if *short {
		return inShort(s, match)
	}
	return all(s, length, func(a *attack) bool { return match.MatchString(a.name) })
}

// inShort makes some of the attacks, each for a moment, and a random campaign of some seconds,
// for a busy machine: what a state says must be true there, too, but how often states come
// and how fast questions are answered is not held against the node. The timeout is longer,
// because where the machine keeps the node waiting for a tenth of a second all states are
// UNKNOWN, and there is nothing to judge.
func inShort(s settings, match *regexp.Regexp) error {
	s.timeout, s.each, s.lenient = 300*time.Millisecond, time.Second, true
	err := all(s, 0, func(a *attack) bool { return a.short && match.MatchString(a.name) })
	return errors.Join(err, random(s, 6*time.Second))
}

// build builds the node's program in the product's module, whose sums cover what it needs.
func build(folder string) (string, error) {
	binary := filepath.Join(folder, "firstcontact")
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/firstcontact-ros/firstcontact").Output()
	if err != nil {
		return "", fmt.Errorf("where the product's module is: %w", err)
	}
	out, err := exec.Command("go", "build", "-C", strings.TrimSpace(string(root)), "-tags", "cyclone", "-buildvcs=false", "-o", binary, "./cmd/firstcontact").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return binary, nil
}

// all makes the attacks that are wanted, once, or again and again for a time.
func all(s settings, length time.Duration, wanted func(*attack) bool) error {
	begin, faults := time.Now(), []string(nil)
	fmt.Print(header)
	for round := 0; round == 0 || time.Since(begin) < length; round++ {
		for _, a := range attacks() {
			if !wanted(a) || round > 0 && time.Since(begin) > length {
				continue
			}
			r := run(s, a)
			r.row(os.Stdout)
			r.rest(os.Stdout)
			for _, fault := range r.faults {
				faults = append(faults, a.name+": "+fault)
			}
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("%w: %s", errFaults, strings.Join(faults, "; "))
	}
	return nil
}
