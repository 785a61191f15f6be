package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// judgeValues makes the flags of a command refuse a value that is empty: as a rule that of a shell's variable that
// is not set. It must not count as a flag that is not given, such as a scene without which a motion is free.
func judgeValues(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Value.Type() {
		case "string", "stringArray":
			f.Value = &judged{Value: f.Value}
			f.DefValue = strings.TrimPrefix(f.DefValue, "[]") // no default, which help tells by the type of the value
		}
	})
}

// judged is the value of a flag that refuses texts that are probably not meant.
type judged struct{ pflag.Value }

func (v *judged) Set(text string) error {
	if text == "" {
		return errors.New("the value is empty: give one, or leave the flag out")
	}
	return v.Value.Set(text)
}
