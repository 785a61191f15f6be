package definition

//go:generate go test -run TestPageIsCurrent -write

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/internal/rosidl"
	firstcontactmsgs "github.com/firstcontact-ros/firstcontact/ros/firstcontact_msgs"
)

var rewrite = flag.Bool("write", false, "write docs/messages.md")

const pageHead = `# Messages

<!-- Written by go generate ./msgs/definition from ros/firstcontact_msgs; edit the definitions there, not this. -->

The messages and services of the package ` + "`firstcontact_msgs`" + `. Units are SI and radians. [endpoints.md](endpoints.md) says which topics and services have them. All other types are those of
ROS 2. A name with a value is a constant.
`

// TestPageIsCurrent: docs/messages.md is what the definitions of firstcontact_msgs give.
func TestPageIsCurrent(t *testing.T) {
	const page = "../../docs/messages.md"
	want := messagePage(t)
	if *rewrite {
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/messages.md is not what the definitions give: go generate ./msgs/definition")
	}
}

// TestPageHasEveryField: each field and constant that the parser of definitions finds is a row
// of the page, and no other.
func TestPageHasEveryField(t *testing.T) {
	rows := 0
	text := messagePage(t)
	for _, file := range ownDefinitions(t) {
		m := parsed(t, file)
		_, section, _ := strings.Cut(text, "\n## "+strings.TrimSuffix(path.Base(file), path.Ext(file))+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		for _, name := range m {
			if !strings.Contains(section, "| `"+name+"` |") {
				t.Errorf("%s: the page lacks %s", file, name)
			}
		}
		rows += len(m)
	}
	if n := strings.Count(text, "\n| `"); n != rows {
		t.Errorf("the page has %d rows, the definitions %d fields and constants", n, rows)
	}
}

// parsed names the fields and constants of a definition, as the generator of codecs reads it.
func parsed(t *testing.T, file string) (names []string) {
	t.Helper()
	text, err := fs.ReadFile(firstcontactmsgs.Files, file)
	if err != nil {
		t.Fatal(err)
	}
	kind, name := path.Split(strings.TrimSuffix(file, path.Ext(file)))
	ref := rosidl.Ref{Package: "firstcontact_msgs", Kind: path.Clean(kind), Name: name}
	var all []*rosidl.Message
	if ref.Kind == "srv" {
		s, err := rosidl.ParseService(ref, string(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s.Request, s.Response)
	} else {
		m, err := rosidl.ParseMessage(ref, string(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	for _, m := range all {
		for _, c := range m.Constants {
			names = append(names, fmt.Sprintf("%s = %v", c.Name, c.Value))
		}
		for _, f := range m.Fields {
			names = append(names, f.Name)
		}
	}
	return names
}

// ownDefinitions are the files of firstcontact_msgs: services, then messages.
func ownDefinitions(t *testing.T) (all []string) {
	t.Helper()
	for _, pattern := range []string{"srv/*.srv", "msg/*.msg"} {
		files, err := fs.Glob(firstcontactmsgs.Files, pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(err, pattern)
		}
		all = append(all, files...)
	}
	return all
}

// messagePage is the text of docs/messages.md.
func messagePage(t *testing.T) string {
	t.Helper()
	var w pageWriter
	w.WriteString(pageHead)
	for _, file := range ownDefinitions(t) {
		text, err := fs.ReadFile(firstcontactmsgs.Files, file)
		if err != nil {
			t.Fatal(err)
		}
		w.heading("## " + strings.TrimSuffix(path.Base(file), path.Ext(file)))
		w.definition(string(text), path.Ext(file) == ".srv")
	}
	return w.String()
}

// pageWriter writes definitions as tables, line by line.
type pageWriter struct {
	strings.Builder
	comment []string // lines that wait for what they describe
	inTable bool
}

func (w *pageWriter) definition(text string, isService bool) {
	request, first := isService, true // the heading and the first member are still to come
	for line := range strings.Lines(text) {
		code, comment, _ := strings.Cut(strings.TrimSpace(line), "#")
		code, comment = strings.TrimSpace(code), strings.TrimSpace(comment)
		switch {
		case code == "---":
			w.heading("### Response")
		case code != "":
			if first {
				w.paragraph() // of the whole message, though no empty line follows it
			}
			first = false
			w.member(code, comment)
		case comment != "":
			w.comment = append(w.comment, comment)
		default:
			first = first && len(w.comment) == 0
			w.paragraph()
			if request {
				w.heading("### Request")
				request = false
			}
		}
	}
	w.paragraph()
}

// heading ends what is above it.
func (w *pageWriter) heading(text string) {
	w.paragraph()
	w.WriteString("\n" + text + "\n")
	w.inTable = false
}

// paragraph ends a table, and writes the comment that describes no single field.
func (w *pageWriter) paragraph() {
	text := strings.Join(w.comment, " ")
	if w.comment, w.inTable = nil, w.inTable && text == ""; text == "" {
		return
	}
	if title, ok := strings.CutPrefix(text, "---- "); ok {
		title, rest, more := strings.Cut(title, ". ")
		text = "**" + title + "**"
		if more {
			text += ". " + rest
		}
	}
	if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "**") && !strings.HasSuffix(text, ":") {
		text += "."
	}
	w.WriteString("\n" + text + "\n")
}

// member writes the row of "type name" or "type NAME=value". A comment above it describes it
// alone if it has none of its own, and it and those below otherwise.
func (w *pageWriter) member(code, comment string) {
	if comment == "" {
		comment, w.comment = strings.Join(w.comment, " "), nil
	}
	if len(w.comment) > 0 {
		w.paragraph()
	}
	if !w.inTable {
		w.WriteString("\n| field | type | meaning |\n|---|---|---|\n")
		w.inTable = true
	}
	typ, name, _ := strings.Cut(code, " ")
	name = strings.ReplaceAll(strings.TrimSpace(name), "=", " = ")
	fmt.Fprintf(w, "| `%s` | %s | %s |\n", name, typeLink(typ), strings.ReplaceAll(comment, "|", `\|`))
}

var ownType = regexp.MustCompile(`^[A-Z]\w*`)

// typeLink is a type as the page writes it: those of this package lead to where they are.
func typeLink(typ string) string {
	if own := ownType.FindString(typ); own != "" {
		return fmt.Sprintf("[`%s`](#%s)", typ, strings.ToLower(own))
	}
	return "`" + typ + "`"
}
