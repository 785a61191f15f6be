package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
)

func main() {
	if err := lead(); err != nil {
		fmt.Fprintln(os.Stderr, "slips:", err)
		os.Exit(1)
	}
}

// errSilent says that the command answered FREE about something else than was asked.
var errSilent = errors.New("silent FREE")

func lead() error {
	binary := flag.String("command", "../bin/firstcontact", "the command under test")
	shared := flag.String("shared", "../../shared", "the folder of real robots and scenes")
	only := flag.String("only", "", "the slips and bases whose names match")
	page := flag.Bool("markdown", false, "write the tables as a page")
	flag.Parse()
	match, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	outcomes, err := campaign(*binary, *shared, func(b, s string) bool { return match.MatchString(b) || match.MatchString(s) }, func(outcome) {})
	if err != nil {
		return err
	}
	if *page {
		writePage(os.Stdout, outcomes)
	} else {
		writeLines(os.Stdout, outcomes)
	}
	n := 0
	for _, o := range outcomes {
		if o.verdict == silent {
			n++
		}
	}
	if n > 0 {
		return fmt.Errorf("%w: %d of %d", errSilent, n, len(outcomes))
	}
	return nil
}
