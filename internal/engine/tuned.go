package engine

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Tunable is implemented by engines that can be run otherwise for research: with stages
// of a paper left out, or with another of its variants. No setting changes what a
// verdict proves.
type Tunable interface {
	Engine
	// Settings declares the settings, each with its default value.
	Settings() *flag.FlagSet
	// Tuned returns the engine with settings in the form of Tune.
	Tuned(settings string) (Engine, error)
}

// Settings collects what declare makes settings of a method.
func Settings(by motion.Method, declare func(*flag.FlagSet)) *flag.FlagSet {
	flags := flag.NewFlagSet(by.String(), flag.ContinueOnError)
	declare(flags)
	return flags
}

// Tune sets flags to "NAME,NAME=VALUE,...": a name without a value switches something
// on. It fails on unknown names and unsuitable values.
func Tune(flags *flag.FlagSet, settings string) error {
	flags.SetOutput(io.Discard)
	for setting := range strings.SplitSeq(settings, ",") {
		name, value, given := strings.Cut(strings.TrimSpace(setting), "=")
		f := flags.Lookup(name)
		if f == nil {
			return fmt.Errorf("method %s has no research setting %q: there are %s", flags.Name(), name, strings.Join(settingNames(flags), ", "))
		}
		if !given {
			if b, ok := f.Value.(interface{ IsBoolFlag() bool }); !ok || !b.IsBoolFlag() {
				return fmt.Errorf("research setting %s of method %s needs a value: %s=VALUE (%s)", name, flags.Name(), name, f.Usage)
			}
			value = "true"
		}
		if err := flags.Set(name, value); err != nil {
			return fmt.Errorf("research setting %s=%s of method %s: %w (%s)", name, value, flags.Name(), err, f.Usage)
		}
	}
	return nil
}

func settingNames(flags *flag.FlagSet) (names []string) {
	flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}

// FindTuned returns the engine of a method with research settings; "" means none.
func FindTuned(m Engine, settings string) (Engine, error) {
	if settings == "" {
		return m, nil
	}
	t, ok := m.(Tunable)
	if !ok {
		return nil, fmt.Errorf("method %s has no research settings: articulate, bisect and catch have", m.Method())
	}
	return t.Tuned(settings)
}
