package ros

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func writeFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestArgsAsLaunchWritesThem(t *testing.T) {
	first := writeFile(t, "first.yaml", "/**:\n  ros__parameters:\n    check_rate: 50.0\n    method: catch\n    padding: {default: 0.01}\n")
	second := writeFile(t, "second.yaml", "/cell/guard:\n  ros__parameters:\n    check_rate: 200.0\n")
	args, err := ParseArgs([]string{
		"node", "--verbose",
		"--ros-args", "--log-level", "warn", "--log-level", "cell.guard:=DEBUG",
		"--ros-args", "-r", "__node:=guard", "-r", "__ns:=/cell", "--params-file", first, "-p", "method:=bisect", "--params-file", second,
		"--remap", "a:=b", "--param", "top_k_pairs:=7",
		"-e", "/cell/enclave", "--disable-rosout-logs", "--enable-external-lib-logs", "--log-config-file", "x",
		"--", "--own",
		"--ros-args", "-r", "guard:c:=d", "--disable-stdout-logs", "--enable-stdout-logs",
	})
	if err != nil {
		t.Fatal(err)
	}
	values := valuesFor(args, "/cell/guard")
	wantValues := map[string]any{"check_rate": 200.0, "method": "bisect", "padding.default": 0.01, "top_k_pairs": int64(7)}
	if !reflect.DeepEqual(values, wantValues) {
		t.Errorf("the parameters are %v, not %v", values, wantValues)
	}
	args.Parameters = nil
	want := Args{
		Own:      []string{"node", "--verbose", "--own"},
		Remaps:   []Remap{{From: "__node", To: "guard"}, {From: "__ns", To: "/cell"}, {From: "a", To: "b"}, {Node: "guard", From: "c", To: "d"}},
		Log:      LogLevels{Default: LevelWarn, ByName: map[string]Level{"cell.guard": LevelDebug}},
		Enclave:  "/cell/enclave",
		NoRosout: true,

		Ineffective: []string{"--enable-external-lib-logs", "--log-config-file x"},
	}
	if !reflect.DeepEqual(args, want) {
		t.Errorf("parsed as\n%+v\nnot\n%+v", args, want)
	}
}

// valuesFor returns a node's values by name.
func valuesFor(args Args, node string) map[string]any {
	values := map[string]any{}
	for name, p := range args.ParametersFor(node) {
		values[name] = p.Value
	}
	return values
}

// A fault of the command line is told from one of a file that it names.
func TestArgumentErrors(t *testing.T) {
	for _, test := range []struct {
		args string
		own  bool // of the command line
		want string
	}{
		{"--foo", true, `unknown argument "--foo"`},
		{"--params-files x", true, `did you mean "--params-file"?`},
		{"--log-level=debug", true, "write --log-level debug"},
		{"scene:=a.yaml", true, "write -p scene:=a.yaml for a parameter"},
		{"--disable-rosout-log", true, `did you mean "--disable-rosout-logs"?`},
		{"--log-level loud", true, "loud"},
		{"-r a", true, "-r"},
		{"--params-file", true, "needs a value"},
		{"--params-file /nowhere.yaml", false, "/nowhere.yaml"},
	} {
		_, err := ParseArgs(append([]string{"--ros-args"}, strings.Fields(test.args)...))
		if fault := (ArgumentError{}); err == nil || errors.As(err, &fault) != test.own || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.args, err, test.want)
		}
	}
}

// What has no effect is told.
func TestIneffectiveArgs(t *testing.T) {
	args, err := ParseArgs(strings.Fields("--ros-args --log-config-file spdlog.ini --log-file-name x --enable-external-lib-logs --disable-external-lib-logs --"))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, note := range args.Notes() {
		said = append(said, note.Text)
	}
	if text := strings.Join(said, "\n"); len(said) != 3 || !strings.Contains(text, "--log-config-file spdlog.ini has no effect") || strings.Contains(text, "--disable") {
		t.Errorf("%q", said)
	}
}

func TestParametersForMany(t *testing.T) {
	file := writeFile(t, "f.yaml", "/**: {ros__parameters: {a: 1}}\n/guard: {ros__parameters: {b: 1}}\n/*/guard: {ros__parameters: {c: 1}}\n")
	args, err := ParseArgs([]string{"--ros-args", "--params-file", file, "-p", "d:=1", "-p", "guard:e:=1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range args.Parameters {
		if want := p.Name == "a" || p.Name == "c"; p.ForMany() != want {
			t.Errorf("%+v is for many nodes: %v", p, !want)
		}
	}
}

func TestArgsOutsideAreTheProgramsOwn(t *testing.T) {
	args, err := ParseArgs([]string{"-r", "x", "--", "-p", "--log-level"})
	if err != nil || !reflect.DeepEqual(args.Own, []string{"-r", "x", "--", "-p", "--log-level"}) {
		t.Errorf("%v, %v", args.Own, err)
	}
}

func TestArgsThatMakeNoSenseAreErrors(t *testing.T) {
	tests := [][]string{
		{"--unknown"},
		{"stray"},
		{"-r"},
		{"-r", "a"},
		{"--remap", "a b:=c"},
		{"-p"},
		{"-p", "a"},
		{"-p", "a:="},
		{"-p", ":=1"},
		{"-p", "n::=1"},
		{"-p", ":a:=1"},
		{"-p", "a:=[1, x]"},
		{"-p", "a:={b: 1}"},
		{"-p", "a:=[1"},
		{"--params-file"},
		{"--params-file", filepath.Join(t.TempDir(), "missing.yaml")},
		{"--params-file", t.TempDir()},
		{"--params-file", writeFile(t, "bad.yaml", "a: 1\n")},
		{"--log-level"},
		{"--log-level", "loud"},
		{"--log-level", ":=info"},
		{"--log-level", "a:="},
		{"-e", "enclave"},
		{"--enable-all-logs"},
		{"--disable-"},
	}
	for _, test := range tests {
		_, err := ParseArgs(append([]string{"--ros-args"}, test...))
		if err == nil {
			t.Errorf("%q is accepted", test)
		} else if !strings.Contains(err.Error(), test[0]) {
			t.Errorf("%q: the error does not name it: %v", test, err)
		}
	}
}

func TestParameterValuesHaveTheTypesOfROS(t *testing.T) {
	tests := []struct {
		text string
		want any
	}{
		{"true", true},
		{"False", false},
		{"yes", true},
		{"n", false},
		{"ON", true},
		{"'true'", "true"},
		{`"7"`, "7"},
		{"!!str 7", "7"},
		{"''", ""},
		{"7", int64(7)},
		{"-7", int64(-7)},
		{"+7", int64(7)},
		{"0x1F", int64(31)},
		{"010", int64(8)},
		{"0", int64(0)},
		{"-9223372036854775808", int64(math.MinInt64)},
		{"1.5", 1.5},
		{"-.5", -0.5},
		{"1e3", 1000.0},
		{"1e-400", 0.0},
		{".inf", math.Inf(1)},
		{"-.Inf", math.Inf(-1)},
		{"5.", 5.0},
		{"hello", "hello"},
		{"a b", "a b"},
		{"1_000", "1_000"},
		{"0b11", "0b11"},
		{"0o17", "0o17"},
		{"089", 89.0},
		{"1.2.3", "1.2.3"},
		{"--1", "--1"},
		{"[]", EmptyArray{}},
		{"[1, 2]", []int64{1, 2}},
		{"[1.0, 2.5]", []float64{1, 2.5}},
		{"[true, off]", []bool{true, false}},
		{"[a, 'b c', '3']", []string{"a", "b c", "3"}},
	}
	for _, test := range tests {
		if got, err := parseParameterValue(test.text); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s is %T %v, %v; want %T %v", test.text, got, got, err, test.want, test.want)
		}
	}
	if got, err := parseParameterValue(".nan"); err != nil || !math.IsNaN(got.(float64)) {
		t.Errorf(".nan is %v, %v", got, err)
	}
	for _, text := range []string{
		"", "~", "null", "# only a comment",
		"9223372036854775808", "1e400",
		"[1, 2.0]", "[1.0, 2]", "[true, 1]", "[a, ~]", "[[1], [2]]", "[{a: 1}]",
		"{a: 1}", "!!binary aGk=", "!mine 1", "&a [*a]", "[&a 1, *a]", "a: b: c", "'open",
	} {
		if got, err := parseParameterValue(text); err == nil {
			t.Errorf("%q is accepted as %T %v", text, got, got)
		}
	}
}

func TestParameterFileKeys(t *testing.T) {
	const text = `
/cell/guard: {ros__parameters: {full: here}}
guard: {ros__parameters: {short: here}}
/**: {ros__parameters: {full: anywhere, any: here, deep: {er: {still: 1}}}}
/**/guard: {ros__parameters: {tail: here}}
/cell/*: {ros__parameters: {one: here}}
/cell/**: {ros__parameters: {head: here}}
cell:
  guard: {ros__parameters: {nested: here}}
  other: {ros__parameters: {nested: there}}
/cell/empty: {ros__parameters: }
`
	params, err := ParseParameters([]byte(text), "file")
	if err != nil {
		t.Fatal(err)
	}
	args := Args{Parameters: params}
	tests := map[string]map[string]any{
		"/cell/guard": {
			"full": "here", "any": "here", "deep.er.still": int64(1), "tail": "here", "one": "here", "head": "here", "nested": "here",
		},
		"/guard":        {"full": "anywhere", "any": "here", "deep.er.still": int64(1), "short": "here", "tail": "here"},
		"/cell/a/guard": {"full": "anywhere", "any": "here", "deep.er.still": int64(1), "tail": "here", "head": "here"},
		"/other":        {"full": "anywhere", "any": "here", "deep.er.still": int64(1)},
	}
	for node, want := range tests {
		if got := valuesFor(args, node); !reflect.DeepEqual(got, want) {
			t.Errorf("%s gets\n%v\nnot\n%v", node, got, want)
		}
	}
}

func TestParameterFilesThatMakeNoSenseAreErrors(t *testing.T) {
	deep := "/**: {ros__parameters: " + strings.Repeat("{a: ", 100) + "1" + strings.Repeat("}", 101)
	tests := map[string]string{
		"a value above ros__parameters": "node:\n  rate: 1\n",
		"no node name":                  "ros__parameters:\n  rate: 1\n",
		"a list of nodes":               "- node\n",
		"a scalar":                      "7",
		"a parameter without a value":   "/**:\n  ros__parameters:\n    rate:\n",
		"a list below the node":         "/**:\n  ros__parameters: [1]\n",
		"a key twice":                   "/**:\n  ros__parameters:\n    rate: 1\n    rate: 2\n",
		"a second document":             "/**:\n  ros__parameters: {a: 1}\n---\n/**:\n  ros__parameters: {a: 2}\n",
		"an alias":                      "/**:\n  ros__parameters: {a: &x [1], b: *x}\n",
		"a merge":                       "base: &b {ros__parameters: {a: 1}}\nnode: {<<: *b}\n",
		"mixed types":                   "/**:\n  ros__parameters: {a: [1, x]}\n",
		"a key that is a list":          "/**:\n  ros__parameters: {[a]: 1}\n",
		"bad YAML":                      "/**: [\n",
		"endless nesting":               deep,
	}
	for name, text := range tests {
		_, err := ParseParameters([]byte(text), "robot.yaml")
		if err == nil {
			t.Errorf("%s is accepted", name)
		} else if !strings.Contains(err.Error(), "robot.yaml") {
			t.Errorf("%s: the error does not name the file: %v", name, err)
		}
	}
	for _, text := range []string{"", "# nothing\n", "---\n"} {
		if params, err := ParseParameters([]byte(text), "empty"); err != nil || len(params) != 0 {
			t.Errorf("%q: %v, %v", text, params, err)
		}
	}
}

func TestParametersSayWhereTheyStand(t *testing.T) {
	params, err := ParseParameters([]byte("/**:\n  ros__parameters:\n    a: 1\n"), "robot.yaml")
	if err != nil || len(params) != 1 || params[0].Source != "robot.yaml:3" {
		t.Errorf("%+v, %v", params, err)
	}
}

func TestNodePatterns(t *testing.T) {
	tests := []struct {
		pattern, node string
		want          bool
	}{
		{"/**", "/a", true},
		{"/**", "/a/b/c", true},
		{"/*", "/a", true},
		{"/*", "/a/b", false},
		{"/a", "/a", true},
		{"/a", "/b", false},
		{"/a", "/a/b", false},
		{"/a/b", "/a", false},
		{"/**/b", "/b", true},
		{"/**/b", "/a/b", true},
		{"/**/b", "/a/c", false},
		{"/a/**", "/a", true},
		{"/a/**", "/a/b/c", true},
		{"/a/**", "/b", false},
		{"/a/**/d", "/a/b/c/d", true},
		{"/a/*/d", "/a/b/c/d", false},
		{"/a/*/*/d", "/a/b/c/d", true},
		{"/**/b/**/d", "/a/b/c/b/d", true},
		{"/**/b/**/d", "/a/c/d", false},
		{strings.Repeat("/**", 100) + "/z", strings.Repeat("/a", 100), false}, // in polynomial time
	}
	for _, test := range tests {
		if got := (Parameter{Node: test.pattern}).AppliesTo(test.node); got != test.want {
			t.Errorf("%s applies to %s: %v", test.pattern, test.node, got)
		}
	}
}

func FuzzArgs(f *testing.F) {
	for _, seed := range []string{
		"--ros-args -r a:=b -p c:=1 -- own",
		"--ros-args --log-level x.y:=debug -e /a --ros-args",
		"--ros-args -p a:=[1,2] -r n:__ns:=/x --disable-stdout-logs",
		"a b c -- --ros-args --",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		fields := strings.Fields(line)
		for i, field := range fields {
			if field == "--params-file" {
				fields[i] = "-p" // no files here
			}
		}
		args, err := ParseArgs(fields)
		if err != nil {
			return
		}
		values := args.ParametersFor("/ns/node")
		for _, p := range args.Parameters {
			if p.AppliesTo("/ns/node") && values[p.Name].Name == "" {
				t.Errorf("parameter %+v got lost", p)
			}
		}
		if n, err := newNames("node", "/ns", args.Remaps); err == nil {
			if _, err := n.resolve("~/x", topicScheme); err != nil && len(line) < maxTopicName {
				t.Errorf("rules that were accepted do not resolve: %v", err)
			}
		}
	})
}

func FuzzParameters(f *testing.F) {
	f.Add("/**:\n  ros__parameters:\n    a: 1\n    b: {c: [x, y]}\n")
	f.Add("a:\n  b:\n    ros__parameters: {x: .nan, y: 0x10, z: !!str 1}\n")
	f.Fuzz(func(t *testing.T, text string) {
		params, err := ParseParameters([]byte(text), "fuzz")
		if err != nil {
			return
		}
		for _, p := range params {
			switch p.Value.(type) {
			case bool, int64, float64, string, []bool, []int64, []float64, []string, EmptyArray:
			default:
				t.Errorf("parameter %q is a %T", p.Name, p.Value)
			}
			if !strings.HasPrefix(p.Node, "/") || p.Name == "" {
				t.Errorf("parameter %q of node %q", p.Name, p.Node)
			}
		}
	})
}
