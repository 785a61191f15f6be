// Package switches reads the environment variables that make tests do more than they do
// by default: longer campaigns, other seeds, files to write. It is the only reader of
// FIRSTCONTACT_* in tests.
//
// A test binary that imports this package checks the environment when it starts and ends
// with an error if a FIRSTCONTACT_* variable is not a switch or its value does not suit
// the switch, so that a misspelt campaign cannot pass as a short one. An empty value
// counts as not set.
//
// docs/switches.md lists all switches and is generated from this package.
package switches

//go:generate go test -run TestPageIsCurrent -write

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Switches that many packages read.
var (
	Long   = count("FIRSTCONTACT_LONG", "makes random tests try many times as much, and tests of collections take all robots, scenes and segments; twice the number, twice as long")
	Seed   = number("FIRSTCONTACT_SEED", "the seed of campaigns, instead of a fixed one")
	Robots = list("FIRSTCONTACT_ROBOTS", "the robots of `../shared/robots` that tests and benchmarks of pairs take, between commas")
	Golden = onOff("UPDATE_GOLDEN", "writes the golden files anew")
)

// Switches of single tests.
var (
	Methods = count("FIRSTCONTACT_METHODS", "how many random motions `TestMethodsAgree` in `ccd` puts to all methods")
	Day     = count("FIRSTCONTACT_DAY", "how many states `TestDay` in `node` publishes; a day is 8640000")
	Shift   = count("FIRSTCONTACT_SHIFT", "how many seconds `TestShift` in `node` lasts")
	Stale   = count("FIRSTCONTACT_STALE", "how many episodes `TestNothingStaleIsFree` in `node` plays")
	Soak    = onOff("FIRSTCONTACT_SOAK", "plays all motion-capture clips in `lab/soak`, not one")

	Pairs = text("FIRSTCONTACT_PAIRS", "a folder of NAME.pairs, as `firstcontact pairs --file` writes them, that `lab/oracle` confirms")

	Laws     = count("FIRSTCONTACT_LAWS", "how many pairs of answers `lab/laws` compares")
	LawsFrom = count("FIRSTCONTACT_LAWS_FROM", "the first case of `lab/laws`, instead of 1")
	LawsCase = number("FIRSTCONTACT_LAWS_CASE", "the only case that `lab/laws` runs")
	LawsOnly = text("FIRSTCONTACT_LAWS_ONLY", "the only law that `lab/laws` tries")

	Oracle       = extent("FIRSTCONTACT_ORACLE", "how long `TestOracle` in `lab/attack` lasts, or how many motions it tries, those in the log included")
	OracleRobots = list("FIRSTCONTACT_ORACLE_ROBOTS", "the robots of `TestOracle`, between commas")
	OracleJobs   = count("FIRSTCONTACT_ORACLE_JOBS", "how many blocks of motions `TestOracle` tries at a time")
	OracleLog    = text("FIRSTCONTACT_ORACLE_LOG", "a file in which `TestOracle` keeps finished blocks; blocks in it are counted and not tried again")
	OracleCommit = text("FIRSTCONTACT_ORACLE_COMMIT", "the state of the code that the log of `TestOracle` names")

	Premises       = extent("FIRSTCONTACT_PREMISES", "how long `TestPremises` in `lab/premises` lasts, or how many motions it tries, those in the log included")
	PremisesLog    = text("FIRSTCONTACT_PREMISES_LOG", "a file in which `TestPremises` keeps finished blocks; blocks in it are counted and not tried again")
	PremisesCommit = text("FIRSTCONTACT_PREMISES_COMMIT", "the state of the code that the log of `TestPremises` names")
	PremisesKeep   = text("FIRSTCONTACT_PREMISES_KEEP", "a folder for the files of verdicts that `TestPremises` refutes")
	PremisesModel  = text("FIRSTCONTACT_PREMISES_MODEL", "`SEED NUMBER`: the only model that `TestOneModel` in `lab/premises` asks about")
)

// private are variables that tests and tools set for processes that they start.
var private = map[string]bool{
	"FIRSTCONTACT_TEST_NODE":          true, // examples/stop_on_silence
	"FIRSTCONTACT_TEST_ROLE":          true, // node
	"FIRSTCONTACT_TEST_OTHER_PROCESS": true, // node/ros/cyclone
	"FIRSTCONTACT_HOSTILE_ROLE":       true, // lab/hostile
	"FIRSTCONTACT_HOSTILE_VERBOSE":    true, // lab/hostile
}

// entry is what the table holds of a switch.
type entry struct {
	name, form, meaning string
	check               func(text string) error
}

var table []entry

func define(name, form, meaning string, check func(string) error) string {
	table = append(table, entry{name, form, meaning, check})
	return name
}

func init() {
	if err := check(os.Environ()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// check returns an error for the first variable that is no switch or whose value does
// not suit.
func check(environment []string) error {
	for _, variable := range environment {
		name, text, _ := strings.Cut(variable, "=")
		if text == "" || private[name] {
			continue
		}
		known := false
		for _, e := range table {
			if e.name != name {
				continue
			}
			known = true
			if err := e.check(text); err != nil {
				return fmt.Errorf("%s=%s: %w", name, text, err)
			}
		}
		if !known && strings.HasPrefix(name, "FIRSTCONTACT_") {
			return fmt.Errorf("%s is not a switch of the tests: see docs/switches.md", name)
		}
	}
	return nil
}

// Count is a switch whose value is a whole number of at least 1.
type Count struct{ name string }

func count(name, meaning string) Count {
	return Count{define(name, "a whole number from 1", meaning, func(text string) error {
		if n, err := strconv.Atoi(text); err != nil || n < 1 {
			return fmt.Errorf("give a whole number of at least 1")
		}
		return nil
	})}
}

// Set reports whether the switch is set.
func (c Count) Set() bool { return os.Getenv(c.name) != "" }

// Or returns the switch's number, or n if it is not set.
func (c Count) Or(n int) int {
	if k, err := strconv.Atoi(os.Getenv(c.name)); err == nil {
		return k
	}
	return n
}

// Times returns n, or factor times n times the switch's number if it is set.
func (c Count) Times(n, factor int) int {
	if !c.Set() {
		return n
	}
	return n * factor * c.Or(1)
}

// Number is a switch whose value is a whole number of at least 0.
type Number struct{ name string }

func number(name, meaning string) Number {
	return Number{define(name, "a whole number from 0", meaning, func(text string) error {
		if _, err := strconv.ParseUint(text, 10, 64); err != nil {
			return fmt.Errorf("give a whole number of at least 0")
		}
		return nil
	})}
}

// Get returns the switch's number, and false if it is not set.
func (s Number) Get() (uint64, bool) {
	n, err := strconv.ParseUint(os.Getenv(s.name), 10, 64)
	return n, err == nil
}

// Or returns the switch's number, or n if it is not set.
func (s Number) Or(n uint64) uint64 {
	if k, ok := s.Get(); ok {
		return k
	}
	return n
}

// Flag is a switch that is on or off.
type Flag struct{ name string }

func onOff(name, meaning string) Flag {
	return Flag{define(name, "1", meaning, isOne)}
}

// On reports whether the switch is on.
func (f Flag) On() bool { return os.Getenv(f.name) != "" }

// Text is a switch whose value is any text.
type Text struct{ name string }

func text(name, meaning string) Text {
	return Text{define(name, "text", meaning, func(string) error { return nil })}
}

func isOne(text string) error {
	if text != "1" {
		return fmt.Errorf("give 1")
	}
	return nil
}

// Get returns the switch's text, which is empty if it is not set.
func (s Text) Get() string { return os.Getenv(s.name) }

// List is a switch whose value is words between commas.
type List struct{ name string }

func list(name, meaning string) List {
	return List{define(name, "words between commas", meaning, func(text string) error {
		for _, w := range strings.Split(text, ",") {
			if strings.TrimSpace(w) != w || w == "" {
				return fmt.Errorf("give words between commas, without spaces")
			}
		}
		return nil
	})}
}

// Or returns the switch's words, or those given if it is not set.
func (l List) Or(words ...string) []string {
	if some := os.Getenv(l.name); some != "" {
		return strings.Split(some, ",")
	}
	return words
}

// Extent is a switch that says how long a campaign lasts: a duration such as 10m, or a
// whole number of motions.
type Extent struct{ name string }

func extent(name, meaning string) Extent {
	return Extent{define(name, "a duration such as 10m, or a whole number from 1", meaning, func(text string) error {
		_, _, err := parseExtent(text)
		return err
	})}
}

// Set reports whether the switch is set.
func (e Extent) Set() bool { return os.Getenv(e.name) != "" }

// Or returns the duration or the number of motions that the switch asks for, or what
// text asks for if it is not set. One of the two is 0. It panics if text is not an
// extent.
func (e Extent) Or(text string) (lasts time.Duration, motions int) {
	if given := os.Getenv(e.name); given != "" {
		text = given
	}
	lasts, motions, err := parseExtent(text)
	if err != nil {
		panic(err)
	}
	return lasts, motions
}

// parseExtent reads a duration such as 10m, or a whole number of motions.
func parseExtent(text string) (lasts time.Duration, motions int, err error) {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return 0, n, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d, 0, nil
	}
	return 0, 0, fmt.Errorf("give a duration such as 10m, or a whole number of at least 1")
}
