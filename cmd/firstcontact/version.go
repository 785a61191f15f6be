package main

import (
	"runtime/debug"
	"strings"
)

// revision is the commit that the command was built from, if the linker sets it. make build
// does, because it omits the commit from the build information.
var revision string

// version describes the running command for --version: the version of the module, the commit,
// the build tags and the Go toolchain, as far as they are known.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return describe(info, revision)
}

// describe formats build information on one line. A commit in the build information takes
// precedence over the one that the linker set.
func describe(info *debug.BuildInfo, linked string) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := linked
	if r := settings["vcs.revision"]; r != "" {
		commit = r
		if settings["vcs.modified"] == "true" {
			commit += "-dirty"
		}
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
