// Package sniff tells what a file looks like that its reader could not read, and what to do
// about it. It judges the beginning of the content alone and is asked only after a reader has
// failed, so it can turn no input away.
package sniff

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Role is what a file was given as.
type Role string

// The roles.
const (
	Robot  Role = "robot"                 // a URDF
	SRDF   Role = "list of allowed pairs" // an SRDF
	Scene  Role = "scene"                 //
	Motion Role = "motion"                //
	Mesh   Role = "mesh"                  //
	none   Role = ""
)

// where tells for each role where a file of that kind belongs.
var where = map[Role]string{
	Robot:  "it belongs to --robot (or the parameter robot_description_file)",
	SRDF:   "it belongs to --srdf (or the parameter robot_description_semantic_file)",
	Scene:  "it belongs to --scene (or the parameter scene)",
	Motion: "it is a motion for check, which names it as an argument",
	Mesh:   "a mesh belongs into a URDF or a scene, by its file's name",
}

// form is one kind of content.
type form struct {
	what   string // "a ..."
	is     Role   // what it is good for; none for what no reader takes
	remedy string // of what has no role, or is not read as it is
	match  func(c *content) bool
}

// Explain returns the error of a reader, preceded by what the content looks like and the remedy
// if it is something else than was asked for. Name is the file's, for readers whose callers do
// not add it, else empty. The error stays within the one that it returns.
func Explain(name string, err error, as Role, data []byte) error {
	var before *explained
	if err == nil || errors.As(err, &before) {
		return err
	}
	hint := Hint(as, data)
	if hint == "" {
		return err
	}
	if name != "" {
		hint = name + ": " + hint
	}
	return &explained{hint, as, err}
}

// explained is a reader's error with what the content looks like.
type explained struct {
	hint string
	as   Role
	err  error
}

func (e *explained) Error() string { return fmt.Sprintf("%s (read as a %s: %v)", e.hint, e.as, e.err) }
func (e *explained) Unwrap() error { return e.err }

// Hint says what the content looks like and what to do, or nothing if it is what was asked for
// or is not known.
func Hint(as Role, data []byte) string {
	f := look(data)
	if f == nil || f.is == as && f.remedy == "" || slices.Contains(said[f.what], as) || as == Scene && (f.is == Mesh || f.is == Robot) {
		return "" // of a scene that is a mesh or a URDF, the reader says what is wrong
	}
	remedy := f.remedy
	if remedy == "" {
		remedy = where[f.is]
	}
	return fmt.Sprintf("it looks like %s: %s", f.what, remedy)
}

// said lists what readers say themselves, or read.
var said = map[string][]Role{
	"xacro":                       {Robot, SRDF},
	"an SDF model":                {Scene},
	"an empty file":               {Mesh},
	"a file of planning problems": {Motion, Scene},
}

// Is reports whether the content looks like a file of the role.
func Is(as Role, data []byte) bool {
	f := look(data)
	return f != nil && f.is == as
}

func look(data []byte) *form {
	c := newContent(data)
	for i := range forms {
		if forms[i].match(c) {
			return &forms[i]
		}
	}
	return nil
}

// content is the beginning of a file.
type content struct {
	size int
	head []byte // without a byte order mark
	text string // lower case
	root string // the first XML element, without its namespace
	keys map[string]bool
}

const headBytes = 64 << 10

// comments of XML; what a robot was made from may be in one.
var comments = regexp.MustCompile(`(?s)<!--.*?-->`)

func newContent(data []byte) *content {
	c := &content{size: len(data), head: bytes.TrimPrefix(data[:min(len(data), headBytes)], []byte("\xef\xbb\xbf"))}
	c.text = strings.ToLower(string(c.head))
	if c.root = rootElement(c.text); c.root != "" {
		c.text = comments.ReplaceAllString(c.text, "")
	}
	c.keys = topKeys(c.head)
	return c
}

// starts matches content that begins with one of the prefixes.
func starts(prefixes ...string) func(*content) bool {
	return func(c *content) bool {
		for _, p := range prefixes {
			if bytes.HasPrefix(c.head, []byte(p)) {
				return true
			}
		}
		return false
	}
}

// at matches a text at an offset.
func at(offset int, text string) func(*content) bool {
	return func(c *content) bool {
		return len(c.head) >= offset+len(text) && string(c.head[offset:offset+len(text)]) == text
	}
}

// xml matches the root element, and one of the words behind it, if there are any.
func xml(root string, words ...string) func(*content) bool {
	return func(c *content) bool { return c.root == root && (len(words) == 0 || c.has(words...)) }
}

func (c *content) has(words ...string) bool {
	for _, w := range words {
		if strings.Contains(c.text, w) {
			return true
		}
	}
	return false
}

// key matches YAML or JSON with one of the keys at its top.
func key(names ...string) func(*content) bool {
	return func(c *content) bool {
		for _, name := range names {
			if c.keys[name] {
				return true
			}
		}
		return false
	}
}

func all(of ...func(*content) bool) func(*content) bool {
	return func(c *content) bool {
		for _, f := range of {
			if !f(c) {
				return false
			}
		}
		return true
	}
}

// rootElement returns the name of the first XML element after declarations and comments.
func rootElement(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		switch {
		case strings.HasPrefix(text, "<?"):
			_, text, _ = strings.Cut(text, "?>")
		case strings.HasPrefix(text, "<!--"):
			_, text, _ = strings.Cut(text, "-->")
		case strings.HasPrefix(text, "<!doctype html"):
			return "html"
		case strings.HasPrefix(text, "<!"):
			_, text, _ = strings.Cut(text, ">")
		case strings.HasPrefix(text, "<"):
			end := strings.IndexAny(text[1:], " \t\r\n/>")
			if end <= 0 {
				return ""
			}
			name := text[1 : 1+end]
			return name[strings.LastIndexByte(name, ':')+1:]
		default:
			return ""
		}
	}
}

// topKeys returns the words before a colon at the beginning of lines, and those in quotes or
// after a brace at the beginning of the text.
func topKeys(head []byte) map[string]bool {
	keys := map[string]bool{}
	flow := bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{"))
	depth := 0
	word := []byte{}
	quoted := false
	line := true // nothing but the word since the line's beginning
	for _, b := range head {
		switch {
		case b == '"' || b == '\'':
			quoted = !quoted
		case b == '\n':
			word, line, quoted = word[:0], true, false
		case flow && !quoted && (b == '{' || b == '['):
			depth++
			word = word[:0]
		case flow && !quoted && (b == '}' || b == ']'):
			depth--
			word = word[:0]
		case flow && !quoted && b == ',':
			word = word[:0]
		case b == ':' && !quoted:
			if len(word) > 0 && (flow && depth == 1 || !flow && line) {
				keys[string(word)] = true
			}
			word, line = word[:0], false
		case b == ' ' || b == '\t' || b == '\r':
			if !flow && len(word) == 0 {
				line = false // indented
			}
		case !flow && b == '-' && len(word) == 0:
			line = false
		case len(word) < 64:
			word = append(word, b)
		}
	}
	return keys
}
