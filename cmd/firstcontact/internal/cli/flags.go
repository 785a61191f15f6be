package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// HeadingKey annotates a flag with the heading under which help shows it.
const HeadingKey = "firstcontact_heading"

// Group defines flags that help shows under a heading, in the order of their definition.
func Group(cmd *cobra.Command, heading string, define func(fs *pflag.FlagSet)) {
	fs := cmd.Flags()
	fs.SortFlags = false
	before := map[string]bool{}
	fs.VisitAll(func(f *pflag.Flag) { before[f.Name] = true })
	define(fs)
	fs.VisitAll(func(f *pflag.Flag) {
		if !before[f.Name] && f.Annotations[HeadingKey] == nil {
			_ = fs.SetAnnotation(f.Name, HeadingKey, []string{heading}) // the flag exists
		}
	})
}

// FlagHelp returns the flags of a command as help shows them: by headings, then the rest.
func FlagHelp(cmd *cobra.Command) string {
	var headings []string
	sets := map[string]*pflag.FlagSet{}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		heading := "Other flags"
		if h := f.Annotations[HeadingKey]; h != nil {
			heading = h[0]
		}
		if sets[heading] == nil {
			sets[heading] = pflag.NewFlagSet(heading, pflag.ContinueOnError)
			sets[heading].SortFlags = false
			headings = append(headings, heading)
		}
		sets[heading].AddFlag(f)
	})
	if len(headings) == 1 {
		return strings.TrimRight(sets[headings[0]].FlagUsages(), "\n")
	}
	if i := slices.Index(headings, "Other flags"); i >= 0 {
		headings = append(slices.Delete(headings, i, i+1), "Other flags")
	}
	var b strings.Builder
	for _, h := range headings {
		fmt.Fprintf(&b, "\n %s:\n%s", h, sets[h].FlagUsages())
	}
	return strings.Trim(b.String(), "\n")
}

// Alias defines another name of a flag, which help does not show.
func Alias(cmd *cobra.Command, old, name string) {
	fs := cmd.Flags()
	f := *fs.Lookup(name)
	f.Name, f.Hidden, f.Usage = old, true, "--"+name
	fs.AddFlag(&f)
}

// AtLeastOne demands at least one argument of a command, which the usage error calls what.
func AtLeastOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return UsageError{fmt.Errorf("%s: give at least one %s", cmd.Name(), what)}
		}
		return nil
	}
}
