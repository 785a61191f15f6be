package firstcontact_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestMapOfPackageNode: the map in node/doc.go names each file of the package once, and no
// other: a new file belongs to one of its ideas, or into a package of its own.
func TestMapOfPackageNode(t *testing.T) {
	text, err := os.ReadFile("node/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("node/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range wrongOnMap(string(text), files) {
		t.Errorf("node/doc.go %s", line)
	}
}

// wrongOnMap compares a map with the files of its folder.
func wrongOnMap(text string, files []string) (wrong []string) {
	times := map[string]int{}
	for _, f := range regexp.MustCompile(`\b\w+\.go\b`).FindAllString(text, -1) {
		times[f]++
	}
	for _, f := range files {
		f = filepath.Base(f)
		if strings.HasSuffix(f, "_test.go") || f == "doc.go" {
			continue
		}
		switch times[f] {
		case 0:
			wrong = append(wrong, "does not name "+f+": add it where its idea is")
		case 1:
		default:
			wrong = append(wrong, "names "+f+" more than once")
		}
		delete(times, f)
	}
	for f := range times {
		wrong = append(wrong, "names "+f+", which is not there")
	}
	slices.Sort(wrong)
	return wrong
}

func TestWrongOnMap(t *testing.T) {
	got := wrongOnMap("a.go and b.go, a.go; c.go", []string{"x/a.go", "x/b.go", "x/d.go", "x/b_test.go", "x/doc.go"})
	want := []string{"does not name d.go: add it where its idea is", "names a.go more than once", "names c.go, which is not there"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
