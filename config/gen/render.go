package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/config"
	"gopkg.in/yaml.v3"
)

const note = "Written by go generate ./config from config/parameters.yaml; edit that, not this."

// parameterFile renders a ROS parameter file with every default.
func parameterFile() string {
	var b strings.Builder
	b.WriteString("# The parameters of the node firstcontact with their defaults.\n# " + note + "\n")
	b.WriteString("/**:\n  ros__parameters:\n")
	for _, g := range config.Groups() {
		fmt.Fprintf(&b, "\n    ## %s\n", g.Title)
		open := ""
		for _, p := range g.Parameters {
			outer, name, nested := strings.Cut(p.Name, ".")
			if !nested {
				outer, name = "", p.Name
			}
			if outer != open && outer != "" {
				fmt.Fprintf(&b, "    %s:\n", outer)
			}
			open = outer
			entry(&b, p, name, nested)
		}
	}
	return b.String()
}

func entry(b *strings.Builder, p config.Parameter, name string, nested bool) {
	indent := "    "
	if nested {
		indent = "      "
	}
	for _, line := range wrap(p.Meaning, 88-len(indent)) {
		fmt.Fprintf(b, "%s# %s\n", indent, line)
	}
	if facts := strings.Join(nonempty(string(p.Type), p.Unit, p.Range()), ", "); facts != "" {
		fmt.Fprintf(b, "%s# (%s)\n", indent, facts)
	}
	switch {
	case p.Pattern():
		fmt.Fprintf(b, "%s# %s: 0.0\n", indent, name)
	case p.Type == config.StringArray && len(p.Default.([]string)) == 0:
		// ROS cannot tell the type of an empty list.
		fmt.Fprintf(b, "%s# %s: []\n", indent, name)
	default:
		fmt.Fprintf(b, "%s%s: %s\n", indent, name, literal(p.Default))
	}
}

// reference renders docs/parameters.md.
func reference() string {
	var b strings.Builder
	b.WriteString("# Parameters\n\n<!-- " + note + " -->\n\n")
	b.WriteString("Every parameter of the node `firstcontact`. A name that is not listed here is an error, and so is a\n" +
		"value of another type, outside the range or at odds with another parameter. The node then does not\n" +
		"start; while it runs, the change is refused. \"At start\" marks parameters that cannot change while the node runs.\n" +
		"[config/firstcontact.yaml](../config/firstcontact.yaml) holds all defaults in the form of a ROS\n" +
		"parameter file.\n")
	for _, g := range config.Groups() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", g.Title, strings.TrimSpace(g.About))
		b.WriteString("| name | type | default | unit | range | change | meaning |\n|---|---|---|---|---|---|---|\n")
		for _, p := range g.Parameters {
			b.WriteString(row(p))
		}
	}
	return b.String()
}

func row(p config.Parameter) string {
	change := "at any time"
	if p.ReadOnly {
		change = "at start"
	}
	value := "-"
	if p.Default != nil {
		value = "`" + literal(p.Default) + "`"
	}
	cells := []string{"`" + p.Name + "`", string(p.Type), value, dash(p.Unit), dash(p.Range()), change, strings.TrimSpace(p.Meaning)}
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(c, "|", "\\|")
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// literal writes a default as YAML; a double always shows that it is one.
func literal(value any) string {
	switch x := value.(type) {
	case string:
		text, err := yaml.Marshal(x) // quotes what YAML would take for something else
		if err != nil {
			panic(err)
		}
		return strings.TrimSpace(string(text))
	case float64:
		s := strconv.FormatFloat(x, 'g', -1, 64)
		if mantissa, exponent, ok := strings.Cut(s, "e"); ok {
			if !strings.Contains(mantissa, ".") {
				mantissa += ".0" // YAML 1.1 takes 1e-06 for a string
			}
			return mantissa + "e" + exponent
		}
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	case []string:
		return "[" + strings.Join(x, ", ") + "]"
	}
	return fmt.Sprint(value)
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func nonempty(words ...string) []string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

// wrap breaks a text into lines of at most width letters.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(text) {
		if line != "" && len(line)+1+len(w) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	return append(lines, line)
}
