package main

import (
	"bufio"
	"cmp"
	"fmt"
	"go/ast"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// rooms lists folders from the ground up. A package belongs to the longest of them
// that it is within, and imports nothing from a room above its own.
type rooms []string

// of returns the index of a package's room, or -1.
func (r rooms) of(folder string) int {
	best := -1
	for i, room := range r {
		if within(folder, room) && (best < 0 || len(room) > len(r[best])) {
			best = i
		}
	}
	return best
}

// back is a pair of rooms of which the lower one imports the upper one.
type back struct {
	from, to string
	imports  []string // package to package
}

// arrowsBack finds the imports of the product, tests apart, that run upward.
func (s *source) arrowsBack(r rooms, module string) []back {
	byRooms := map[[2]int][]string{}
	for _, f := range s.files {
		from := r.of(f.folder())
		if f.lab || f.test || from < 0 {
			continue
		}
		for _, spec := range f.syntax.Imports {
			q, err := strconv.Unquote(spec.Path.Value)
			inside, ok := strings.CutPrefix(q, module+"/")
			if to := r.of(inside); err == nil && ok && to > from {
				byRooms[[2]int{from, to}] = append(byRooms[[2]int{from, to}], f.folder()+" imports "+inside)
			}
		}
	}
	var found []back
	for pair, imports := range byRooms {
		slices.Sort(imports)
		found = append(found, back{r[pair[0]], r[pair[1]], slices.Compact(imports)})
	}
	slices.SortFunc(found, func(a, b back) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	return found
}

// writeRooms prints the arrows that run back. Without a list it takes the table rooms
// of deps_test.go.
func (s *source) writeRooms(w io.Writer, given []string) error {
	r := rooms(given)
	if r == nil {
		r = s.table("rooms")
	}
	if r == nil {
		fmt.Fprintf(w, "\nArrows back between rooms: unknown, deps_test.go has no table rooms (give -rooms)\n")
		return nil
	}
	module, err := moduleOf(s.dir)
	if err != nil {
		return err
	}
	found := s.arrowsBack(r, module)
	fmt.Fprintf(w, "\nArrows back between %d rooms: %d\n", len(r), len(found))
	for _, b := range found {
		fmt.Fprintf(w, "  %s to %s: %s\n", b.from, b.to, strings.Join(b.imports, ", "))
	}
	return nil
}

// table reads a variable of deps_test.go that is a list of strings.
func (s *source) table(name string) []string {
	var found []string
	for _, f := range s.files {
		if f.path != "deps_test.go" {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Names[0].Name != name || len(spec.Values) != 1 {
				return true
			}
			if list, ok := spec.Values[0].(*ast.CompositeLit); ok {
				found = stringsOf(list)
			}
			return false
		})
	}
	return found
}

func stringsOf(list *ast.CompositeLit) []string {
	var all []string
	for _, x := range list.Elts {
		if literal, ok := x.(*ast.BasicLit); ok {
			if s, err := strconv.Unquote(literal.Value); err == nil {
				all = append(all, s)
			}
		}
	}
	return all
}

// moduleOf reads the name of the module in dir.
func moduleOf(dir string) (string, error) {
	f, err := os.Open(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "module "); ok {
			return strings.TrimSpace(name), nil
		}
	}
	return "", fmt.Errorf("%s names no module", f.Name())
}
