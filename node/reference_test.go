package node

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

var rewrite = flag.Bool("write", false, "write docs/endpoints.md")

// kind is what an endpoint is to the node, as the page calls it.
type kind string

const (
	subscription kind = "Topics that the node reads"
	publication  kind = "Topics that the node writes"
	service      kind = "Services"
	client       kind = "Services that the node calls"
	actionServer kind = "Actions"
	actionClient kind = "Actions that the node calls"
)

var kinds = []kind{subscription, publication, service, client, actionServer, actionClient}

// endpoint is what a running node has.
type endpoint struct {
	kind    kind
	name    string
	message string // its type
	qos     ros.QoS
}

// TestReferenceIsCurrent: docs/endpoints.md is what the list and a node with everything
// switched on give.
func TestReferenceIsCurrent(t *testing.T) {
	const page = "../docs/endpoints.md"
	want := referencePage(t, endpointsOf(t, everything()))
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
		t.Error("docs/endpoints.md is not what the sources give: go generate ./node")
	}
}

// TestReferenceListsTheEndpoints: a node has exactly the endpoints that the list gives it for
// its parameters: without any, with each that makes one, with each that takes one away, and
// with everything switched on.
func TestReferenceListsTheEndpoints(t *testing.T) {
	all := everything()
	tried := map[string][]string{"none": nil, "all": all}
	for _, entries := range reference {
		for _, e := range entries {
			for _, w := range e.when {
				if strings.Contains(w, ":=") {
					tried[w] = []string{w}
				}
			}
			if e.unless != "" {
				tried["all, "+e.unless] = append(slices.Clone(all), e.unless)
			}
		}
	}
	for name, parameters := range tried {
		var want, there []string
		for k, entries := range reference {
			for _, e := range entries {
				if e.isMadeBy(parameters) {
					want = append(want, string(k)+": "+e.name)
				}
			}
		}
		for _, e := range endpointsOf(t, parameters) {
			there = append(there, string(e.kind)+": "+e.name)
		}
		slices.Sort(want)
		slices.Sort(there)
		if !slices.Equal(want, there) {
			t.Errorf("parameters %s: listed are\n%s\nthere are\n%s", name, strings.Join(want, "\n"), strings.Join(there, "\n"))
		}
	}
}

// isMadeBy reports whether a node with the parameters has the endpoint.
func (l listed) isMadeBy(parameters []string) bool {
	made := len(l.when) == 0
	for _, p := range parameters {
		name, _, _ := strings.Cut(p, ":=")
		made = made || slices.Contains(l.when, p) || slices.Contains(l.when, name)
	}
	return made && !slices.Contains(parameters, l.unless)
}

// TestDocumentListsTheDiagnostics: the table of docs/ros-interface.md has the parts of
// /diagnostics that a node with everything switched on has, and no other.
func TestDocumentListsTheDiagnostics(t *testing.T) {
	text, err := os.ReadFile("../docs/ros-interface.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Diagnostics\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var listed, there []string
	for line := range strings.Lines(section) {
		if rest, isRow := strings.CutPrefix(line, "| `"); isRow {
			part, _, _ := strings.Cut(rest, "`")
			listed = append(listed, part)
		}
	}
	for _, s := range nodeWith(t, everything()).diagnosis.Statuses() {
		_, part, _ := strings.Cut(s.Name, ": ")
		there = append(there, part)
	}
	slices.Sort(listed)
	slices.Sort(there)
	if !slices.Equal(listed, there) {
		t.Errorf("listed are %q, there are %q", listed, there)
	}
}

// everything switches every endpoint on.
func everything() []string {
	on := map[string]bool{}
	for _, entries := range reference {
		for _, e := range entries {
			for _, w := range e.when {
				if strings.Contains(w, ":=") {
					on[w] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(on))
}

// arguments are those of a node with the parameters. Lists of the same name become one.
func arguments(parameters []string) []string {
	values := map[string]string{}
	for _, p := range parameters {
		name, value, _ := strings.Cut(p, ":=")
		if before, twice := values[name]; twice && strings.HasPrefix(value, "[") {
			value = strings.TrimSuffix(before, "]") + "," + strings.TrimPrefix(value, "[")
		}
		values[name] = value
	}
	args := []string{"--ros-args", "-r", "__ns:=/NAMESPACE"}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		args = append(args, "-p", name+":="+values[name])
	}
	return args
}

// nodeWith makes a node with the parameters, which does not run.
func nodeWith(t *testing.T, parameters []string) *Node {
	t.Helper()
	args, err := ros.ParseArgs(arguments(parameters))
	if err != nil {
		t.Fatal(err)
	}
	n, err := New(ros.NewMemory(), Options{Args: args, Logger: quiet()})
	if err != nil {
		t.Fatalf("%s: %v", parameters, err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

// endpointsOf lists what a node with the parameters reads, writes, serves and calls.
func endpointsOf(t *testing.T, parameters []string) []endpoint {
	t.Helper()
	n := nodeWith(t, parameters)
	d, err := n.ros.Participant().Discovered()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]endpoint{}
	add := func(all []ros.DiscoveredEndpoint, topic, service, action kind) {
		for _, e := range all {
			if end, known := endpointOf(e, topic, service, action); known {
				found[string(end.kind)+end.name] = end
			}
		}
	}
	add(d.Readers, subscription, service, actionServer)
	add(d.Writers, publication, client, actionClient)
	return slices.Collect(maps.Values(found))
}

// endpointOf names an endpoint as the kind that it has if it is a topic, the request of a
// service or the request that sends a goal. It knows no other part of services and actions.
func endpointOf(e ros.DiscoveredEndpoint, topic, service, action kind) (endpoint, bool) {
	prefix, name, _ := strings.Cut(e.Topic, "/")
	message := strings.NewReplacer("::msg::dds_::", "/", "::srv::dds_::", "/", "::action::dds_::", "/").Replace(strings.TrimSuffix(e.Type, "_"))
	end := endpoint{topic, name, message, e.QoS}
	name, of, inAction := strings.Cut(strings.TrimSuffix(name, "Request"), "/_action/")
	switch {
	case prefix == "rq" && of == "send_goal":
		end.kind, end.message = action, strings.TrimSuffix(message, "_SendGoal_Request")
	case prefix == "rq" && !inAction:
		end.kind, end.message = service, strings.TrimSuffix(message, "_Request")
	case prefix != "rt" || inAction:
		return endpoint{}, false
	}
	if own, private := strings.CutPrefix(name, "NAMESPACE/firstcontact/"); private {
		end.name = "~/" + own
	} else if relative, ok := strings.CutPrefix(name, "NAMESPACE/"); ok {
		end.name = relative
	} else {
		end.name = "/" + name
	}
	return end, true
}

const referenceHead = `# Topics, services and actions

<!-- Written by go generate ./node from node/reference_list_test.go and a running node; edit that list, not this. -->

Every endpoint of the node ` + "`firstcontact`" + `, with its quality of service. Names are relative: namespaces and remapping apply, ` + "`~`" + ` is the node's own name, and names
that begin with ` + "`/`" + ` are the same in every namespace. [messages.md](messages.md) has the fields of the messages of ` + "`firstcontact_msgs`" + `, [parameters.md](parameters.md) the parameters, and
[ros-interface.md](ros-interface.md) the answer to each kind of input. Deadline, lifespan and lease are those of the default parameters:
[silence](ros-interface.md#silence) says what they derive from and how a subscriber uses them.
`

// referencePage is the text of docs/endpoints.md.
func referencePage(t *testing.T, there []endpoint) string {
	t.Helper()
	b := &strings.Builder{}
	b.WriteString(referenceHead)
	for _, k := range kinds {
		fmt.Fprintf(b, "\n## %s\n\n%s", k, map[kind]string{
			subscription: "| topic | type | there | reliability | durability | depth | meaning |\n|---|---|---|---|---|---|---|\n",
			publication:  "| topic | type | there | reliability | durability | depth | deadline | lifespan | lease | meaning |\n|---|---|---|---|---|---|---|---|---|---|\n",
		}[k])
		if k != subscription && k != publication {
			b.WriteString("| name | type | there | meaning |\n|---|---|---|---|\n")
		}
		for _, l := range reference[k] {
			i := slices.IndexFunc(there, func(e endpoint) bool { return e.kind == k && e.name == l.name })
			if i < 0 {
				t.Fatalf("%s: there is no %s", k, l.name)
			}
			fmt.Fprintf(b, "| %s |\n", strings.Join(there[i].row(l), " | "))
		}
	}
	return b.String()
}

// row is the endpoint's row on the page.
func (e endpoint) row(l listed) []string {
	row := []string{"`" + e.name + "`", e.link(), l.there()}
	if e.kind == subscription || e.kind == publication {
		reliability := e.qos.Reliability.String()
		if l.also != "" {
			reliability += ", and " + l.also
		}
		depth := cmp.Or(e.qos.HistoryDepth(), ros.DefaultDepth)
		row = append(row, reliability, e.qos.Durability.String(), fmt.Sprint(depth))
	}
	if e.kind == publication {
		row = append(row, inWords(e.qos.Deadline), inWords(e.qos.Lifespan), inWords(e.qos.Lease))
	}
	return append(row, l.about)
}

// link is the endpoint's type, with a link if messages.md has it.
func (e endpoint) link() string {
	if own, ok := strings.CutPrefix(e.message, "firstcontact_msgs/"); ok {
		return fmt.Sprintf("[`%s`](messages.md#%s)", e.message, strings.ToLower(own))
	}
	return "`" + e.message + "`"
}

// there says when the endpoint is.
func (l listed) there() string {
	var made []string
	for _, w := range l.when {
		made = append(made, inBackquotes(w))
	}
	words := cmp.Or(strings.Join(made, " or "), "always")
	if l.unless == "" {
		return words
	}
	return words + "; not with " + inBackquotes(l.unless)
}

// inBackquotes is a parameter as the page writes it.
func inBackquotes(parameter string) string {
	return "`" + strings.ReplaceAll(parameter, ":=", ": ") + "`"
}

// inWords is a time as the page writes it.
func inWords(d time.Duration) string {
	switch {
	case d == 0:
		return "-"
	case d < time.Second:
		return fmt.Sprintf("%g ms", d.Seconds()*1000)
	}
	return fmt.Sprintf("%g s", d.Seconds())
}
