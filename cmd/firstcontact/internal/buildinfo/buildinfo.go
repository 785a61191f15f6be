// Package buildinfo says what the running command was built from.
package buildinfo

import (
	"runtime/debug"
	"strings"
)

// Revision is the commit that the command was built from, "" if it is not known. Package main sets
// it where the linker has set main.revision: make build does, because it omits the commit from the
// build information.
var Revision string

// Version describes the running command for --version: the version of the module, the commit,
// the build tags and the Go toolchain, as far as they are known.
func Version() string { return describe(Read(), Revision) }

// Read returns what the Go toolchain has recorded, empty if it has not.
func Read() *debug.BuildInfo {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info
	}
	return &debug.BuildInfo{}
}

// Commit returns the commit, and whether there were changes beside it. A commit in the build
// information takes precedence over the one that the linker set.
func Commit(info *debug.BuildInfo, linked string) (commit string, modified bool) {
	commit, modified = strings.CutSuffix(linked, dirty)
	settings := settingsOf(info)
	if r := settings["vcs.revision"]; r != "" {
		return r, settings["vcs.modified"] == "true"
	}
	return commit, modified
}

// dirty marks a commit beside which there were changes.
const dirty = "-dirty"

func settingsOf(info *debug.BuildInfo) map[string]string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	return settings
}

// describe formats build information on one line.
func describe(info *debug.BuildInfo, linked string) string {
	settings := settingsOf(info)
	commit, modified := Commit(info, linked)
	if modified {
		commit += dirty
	}
	parts := []string{"(devel)"}
	if info.Main.Version != "" {
		parts[0] = info.Main.Version
	}
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+value)
		}
	}
	add("commit ", commit)
	add("tags ", settings["-tags"])
	add("", info.GoVersion)
	if settings["GOOS"] != "" {
		add("", settings["GOOS"]+"/"+settings["GOARCH"])
	}
	return strings.Join(parts, ", ")
}
