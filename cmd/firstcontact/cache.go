package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/ccd"
)

// cacheFlags say where hulls and hierarchies are kept from one run to the next.
type cacheFlags struct {
	cache   string
	noCache bool
}

func (f *cacheFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.cache, "cache", "", "`folder` that keeps hulls and hierarchies of meshes from one run to the next\n(else firstcontact in the user's cache; nothing in it is trusted, it may be removed at any time)")
	fs.BoolVar(&f.noCache, "no-cache", false, "do not read or write the cache")
}

// dir is the folder, empty for none. A user without a home has none, which is
// nothing to fail for.
func (f *cacheFlags) dir() (string, error) {
	if f.noCache && f.cache != "" {
		return "", usageError{errors.New("--cache and --no-cache contradict each other"), "firstcontact check"}
	}
	if f.noCache || f.cache != "" {
		return f.cache, nil
	}
	if base, err := os.UserCacheDir(); err == nil {
		return filepath.Join(base, "firstcontact"), nil
	}
	return "", nil
}

// tellCache notes that the cache does not work, which costs time and nothing else.
func tellCache(w io.Writer, c *ccd.Checker) {
	if err := c.CacheError(); err != nil {
		fmt.Fprintf(w, "note: %v (--cache names another folder, --no-cache none)\n", err)
	}
}

// shapeProgress returns what tells on w, once a second, how far the shapes are.
func shapeProgress(w io.Writer) func(done, total int, what string) {
	p := newProgress(w, patience)
	p.width = nil // notes: the work may end without a last call, which would leave a line
	return func(done, total int, what string) {
		if done < total {
			p.show(func() string {
				return fmt.Sprintf("hulls and hierarchies: %d of %d shapes, the last of %s", done, total, what)
			})
		}
	}
}
