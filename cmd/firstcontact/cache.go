package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/ccd"
)

// cacheFlags set the folder in which hulls and hierarchies are kept between runs.
type cacheFlags struct {
	cache   string
	noCache bool
}

func (f *cacheFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.cache, "cache", "", "`folder` that keeps hulls and hierarchies of meshes from one run to the next\n(default: firstcontact in the user's cache; its contents are not trusted and may be\nremoved at any time)")
	fs.BoolVar(&f.noCache, "no-cache", false, "do not read or write the cache")
}

// dir returns the folder, empty for none. A user without a home directory has none, which is
// no error.
func (f *cacheFlags) dir() (string, error) {
	if f.noCache && f.cache != "" {
		return "", usageError{errors.New("--cache and --no-cache contradict each other"), "firstcontact check"}
	}
	if f.noCache || f.cache != "" {
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
