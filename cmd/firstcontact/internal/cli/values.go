package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// judgeValues makes the flags of a command refuse what is probably not meant: a value that is empty, as a rule that
// of a shell's variable that is not set, and a second value of a flag that takes one. Neither must count as a flag
// that is not given, such as a scene without which a motion is free.
func judgeValues(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		kind := f.Value.Type()
		one := slices.Contains([]string{"string", "float64", "int", "uint64", "duration"}, kind)
		if !one && kind != "stringArray" {
			return
		}
		f.Value = &judged{Value: f.Value, one: one}
		if f.DefValue == "[]" || f.DefValue == "0s" {
			f.DefValue = "" // no default, which help does not see behind this type
		}
	})
}

// judged is the value of a flag that refuses what is probably not meant.
type judged struct {
	pflag.Value
	one, given bool // it takes one value, and has it
}

// Set takes a value of the flag.
func (v *judged) Set(text string) error {
	switch {
	case text == "":
		return errors.New("the value is empty: give one, or leave the flag out")
	case v.one && v.given:
		return fmt.Errorf("the flag is given twice, first with %q: give it once", v.String())
	}
	v.given = true
	return v.Value.Set(text)
}
