package firstcontact_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// everywhere lists what every package may import, so that no entry of may lists it.
var everywhere = []string{"geom", "internal/base/limit", "internal/base/infile", "internal/base/progress"}

// forbid is an entry of the table never.
type forbid struct {
	from, to []string
	but      []string // of from
	why      string
}

// permissions are the tables of deps_test.go.
type permissions struct {
	may, outside map[string][]string
	never        []forbid
	rooms        []string
}

// A permission that nobody uses would let an import in that nobody decided on.
func TestNoPermissionIsUnused(t *testing.T) {
	packages := readImports(t, ".")
	for _, line := range unused(packages, permissions{may, outside, never, rooms}) {
		t.Error(line)
	}
	found := readerCalls(t, ".")
	for _, pattern := range tools {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(found)), func(p string) bool { return matches(pattern, p) }) {
			t.Errorf("tools lists %s, where nothing opens a file: take it out", pattern)
		}
	}
}

// unused returns a line for each entry of the tables that no package makes use of.
func unused(packages map[string]imports, tables permissions) []string {
	all := slices.Sorted(maps.Keys(packages))
	var found []string
	for _, pattern := range slices.Sorted(maps.Keys(tables.may)) {
		found = append(found, unusedMay(packages, all, tables.may, pattern)...)
	}
	for _, m := range slices.Sorted(maps.Keys(tables.outside)) {
		found = append(found, unusedOutside(packages, all, m, tables.outside[m])...)
	}
	for _, rule := range tables.never {
		found = append(found, unusedNever(packages, all, rule)...)
	}
	for i, room := range tables.rooms {
		if !slices.ContainsFunc(all, func(p string) bool { return roomIn(tables.rooms, p) == i }) {
			found = append(found, fmt.Sprintf("rooms lists %s, in which there is no package: take it out", room))
		}
	}
	return found
}

// unusedMay checks what an entry of may allows to the packages that it is about.
func unusedMay(packages map[string]imports, all []string, table map[string][]string, pattern string) []string {
	var imported []string
	bound := false
	for _, p := range all {
		if longest(table, p) == pattern {
			bound = true
			imported = append(imported, oursOf(packages[p].code)...)
		}
	}
	if !bound {
		return []string{fmt.Sprintf("may lists %s, which is not there: take it out", pattern)}
	}
	var found []string
	for _, allowed := range table[pattern] {
		switch {
		case slices.Contains(everywhere, allowed):
			found = append(found, fmt.Sprintf("may allows %s to import %s, which every package may: take it out", pattern, allowed))
		case !slices.ContainsFunc(imported, func(q string) bool { return matches(allowed, q) }):
			found = append(found, fmt.Sprintf("may allows %s to import %s, which it does not: take it out", pattern, allowed))
		}
	}
	return found
}

// unusedOutside checks where a module of others may be used. "test" is used if a test
// imports the module in a package that is not listed.
func unusedOutside(packages map[string]imports, all []string, m string, where []string) []string {
	uses := func(list []string) bool {
		return slices.ContainsFunc(list, func(q string) bool { return q == m || strings.HasPrefix(q, m+"/") })
	}
	var found []string
	for _, pattern := range where {
		used := slices.ContainsFunc(all, func(p string) bool {
			if pattern == "test" {
				return uses(packages[p].test) && !matchesAny(where, p)
			}
			return matches(pattern, p) && (uses(packages[p].code) || uses(packages[p].test))
		})
		if !used {
			found = append(found, fmt.Sprintf("outside allows %s for %s, which does not use it: take it out", m, pattern))
		}
	}
	return found
}

// unusedNever checks that a rule is about packages that there are, and that each of its
// exceptions would break it.
func unusedNever(packages map[string]imports, all []string, rule forbid) []string {
	var found []string
	for _, pattern := range slices.Concat(rule.from, rule.to) {
		if !slices.ContainsFunc(all, func(p string) bool { return matches(pattern, p) }) {
			found = append(found, fmt.Sprintf("never names %s, which is not there (%s): take it out", pattern, rule.why))
		}
	}
	for i, exception := range rule.but {
		strict := rule
		strict.but = slices.Delete(slices.Clone(rule.but), i, i+1)
		needed := slices.ContainsFunc(all, func(p string) bool {
			return matches(exception, p) && len(broken(packages, p, strict)) > 0
		})
		if !needed {
			found = append(found, fmt.Sprintf("never excepts %s, which needs no exception (%s): take it out", exception, rule.why))
		}
	}
	return found
}

// oursOf returns the packages of this module among imports, by their path in it.
func oursOf(list []string) []string {
	var ours []string
	for _, q := range list {
		if inside, ok := strings.CutPrefix(q, module); ok {
			ours = append(ours, inside)
		}
	}
	return ours
}

func TestUnused(t *testing.T) {
	ours := func(paths ...string) []string {
		for i := range paths {
			paths[i] = module + paths[i]
		}
		return paths
	}
	packages := map[string]imports{
		"geom":     {code: []string{"example.com/vectors/r3"}},
		"low":      {code: ours("geom")},
		"low/deep": {code: ours("low"), test: []string{"example.com/check"}},
		"high":     {code: ours("low"), test: ours("top")},
		"top":      {code: ours("high", "low/deep")},
	}
	tight := func() permissions {
		return permissions{
			may: map[string][]string{
				"geom": nil, "low": nil, "low/...": {"low"}, "high": {"low"}, "top": {"high", "low/..."},
			},
			outside: map[string][]string{"example.com/vectors": {"geom"}, "example.com/check": {"test"}},
			never:   []forbid{{from: []string{"..."}, but: []string{"high"}, to: []string{"top"}, why: "top is the top"}},
			rooms:   []string{"geom", "low", "high", "top"},
		}
	}
	for _, c := range []struct {
		name   string
		loosen func(*permissions)
		want   string
	}{
		{"nothing is unused", func(*permissions) {}, ""},
		{"a package that may import what it does not", func(p *permissions) { p.may["low"] = []string{"high"} }, "may allows low to import high, which it does not"},
		{"what only a test imports", func(p *permissions) { p.may["high"] = []string{"low", "top"} }, "may allows high to import top, which it does not"},
		{"what the longer pattern's packages import", func(p *permissions) {
			p.may["low/..."], p.may["low/deep"] = []string{"low"}, []string{"low"}
		}, "may lists low/..., which is not there"},
		{"what every package may import", func(p *permissions) { p.may["low"] = []string{"geom"} }, "may allows low to import geom, which every package may"},
		{"a package that is not there", func(p *permissions) { p.may["gone"] = nil }, "may lists gone, which is not there"},
		{"a module that a package does not use", func(p *permissions) { p.outside["example.com/vectors"] = []string{"geom", "low/..."} }, "outside allows example.com/vectors for low/..., which"},
		{"a module for tests that do not use it", func(p *permissions) { p.outside["example.com/vectors"] = []string{"geom", "test"} }, "outside allows example.com/vectors for test, which"},
		{"a test of a package that is listed", func(p *permissions) { p.outside["example.com/check"] = []string{"low/deep", "test"} }, "outside allows example.com/check for test, which"},
		{"a module that nobody uses", func(p *permissions) { p.outside["example.com/gone"] = []string{"..."} }, "outside allows example.com/gone for ..., which"},
		{"an exception that is not needed", func(p *permissions) { p.never[0].but = []string{"low", "high"} }, "never excepts low, which needs no exception (top is the top)"},
		{"a rule about what is not there", func(p *permissions) { p.never[0].to = []string{"top", "gone/..."} }, "never names gone/..., which is not there"},
		{"a rule for what is not there", func(p *permissions) { p.never[0].from = []string{"...", "gone"} }, "never names gone, which is not there"},
		{"an empty room", func(p *permissions) { p.rooms = []string{"geom", "low", "attic", "high", "top"} }, "rooms lists attic, in which there is no package"},
	} {
		tables := tight()
		c.loosen(&tables)
		got := unused(packages, tables)
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)) {
			t.Errorf("%s: found\n  %s\nwant %q", c.name, strings.Join(got, "\n  "), c.want)
		}
	}
}
