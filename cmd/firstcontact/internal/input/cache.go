package input

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// CacheFlags set the folder in which hulls and hierarchies are kept between runs.
type CacheFlags struct {
	cache   string
	NoCache bool // neither read nor write it
}

func (f *CacheFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.cache, "cache", "", "`folder` that keeps hulls and hierarchies of meshes from one run to the next\n(default: firstcontact in the user's cache; its contents are not trusted and may be\nremoved at any time)")
	fs.BoolVar(&f.NoCache, "no-cache", false, "do not read or write the cache")
}

// Dir returns the folder, empty for none. A user without a home directory has none, which is
// no error.
func (f *CacheFlags) Dir() (string, error) {
	if f.NoCache && f.cache != "" {
		return "", cli.UsageError{Err: errors.New("--cache and --no-cache contradict each other")}
	}
	if f.NoCache || f.cache != "" {
		return f.cache, nil
	}
	return ccd.DefaultCache(), nil
}

// tellCache reports that the cache does not work, which costs time only.
func tellCache(w io.Writer, c *ccd.Checker) {
	if err := c.CacheError(); err != nil {
		fmt.Fprintf(w, "note: %v (--cache names another folder, --no-cache none)\n", err)
	}
}
