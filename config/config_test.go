package config

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"
)

//go:embed firstcontact.yaml
var parameterFile []byte

func TestListIsSound(t *testing.T) {
	if _, err := parse(source); err != nil {
		t.Fatal(err)
	}
	if n := len(Parameters()); n < 15 {
		t.Fatalf("%d parameters are too few to be the list", n)
	}
	for _, p := range Parameters() {
		if !strings.HasSuffix(strings.TrimSpace(p.Meaning), ".") {
			t.Errorf("%s: the meaning is not a sentence: %q", p.Name, p.Meaning)
		}
		if (p.Type == Double || p.Type == Integer) && (p.Min == nil || p.Max == nil) {
			t.Errorf("%s: a number needs a range", p.Name)
		}
	}
}

// The defaults users were promised.
func TestDefaults(t *testing.T) {
	want := map[string]any{
		"robot_description":               "",
		"robot_description_file":          "",
		"robot_description_semantic":      "",
		"robot_description_semantic_file": "",
		"model.changes":                   "refuse",
		"model.semantic_topic":            false,
		"model.sha256":                    []string{},
		"robot_description_timeout":       10.0,
		"check_rate":                      100.0,
		"joint_state_timeout":             0.1,
		"joint_states.exclusive":          false,
		"distance_range.min":              0.01,
		"distance_range.max":              0.5,
		"distance_range.self.min":         -1.0,
		"distance_range.self.max":         -1.0,
		"distance_range.world.min":        -1.0,
		"distance_range.world.max":        -1.0,
		"distance_range.attached.min":     -1.0,
		"distance_range.attached.max":     -1.0,
		"distance_range.pairs":            []string{},
		"self.method":                     "auto",
		"warn_distance":                   0.05,
		"top_k_pairs":                     int64(5),
		"use_sim_time":                    false,
		"clock":                           "system",
		"scene":                           "",
		"security.required":               false,
		"start_type_description_service":  true,
		"parameters.changes":              "accept",
		"autostart":                       true,
		"world.service":                   "get_planning_scene",
		"world.topics":                    []string{},
		"cache":                           "",
		"record":                          "",
		"web":                             "",
		"lookahead.mode":                  "off",
		"lookahead.horizon":               0.5,
		"lookahead.stop_time":             0.1,
		"lookahead.reaction":              0.0,
		"lookahead.deceleration":          0.0,
		"lookahead.opening":               true,
		"level_hold":                      0.0,
		"speed_scaling":                   false,
		"points.decay":                    0.0,
		"points.margin":                   0.02,
		"points.range":                    4.0,
		"points.rate":                     5.0,
		"points.timeout":                  1.0,
		"points.topics":                   []string{},
		"points.voxel":                    0.03,
		"markers.rate":                    10.0,
		"markers.spheres":                 int64(-1),
		"padding.default":                 0.0,
		"accept":                          []string{},
		"acm.source":                      "srdf",
		"acm.pairs":                       "",
		"acm.budget":                      10.0,
		"acm.audit":                       "off",
		"margin_overrides":                []string{},
		"method":                          "auto",
		"trajectory.topics":               []string{},
		"controller.distribution":         "",
		"controller.interpolate_from_desired_state": false,
		"controller.allow_trajectory_replacement":   false,
		"controller.state_interfaces":               []string{"position", "velocity"},
		"controller.start_fill":                     "unknown",
		"controller.angle_wraparound":               "unknown",
		"controller.handover":                       0.05,
		"gate.controllers":                          []string{},
		"gate.deviation":                            0.05,
		"trajectory.interpolation":                  "jtc",
		"trajectory.toc_tolerance":                  1e-6,
		"trajectory.each_scope":                     true,
		"trajectory.max_contacts":                   int64(8),
		"trajectory.deadline":                       1.0,
		"trajectory.max_deadline":                   10.0,
		"trajectory.max_distance":                   0.0,
		"trajectory.min_distance":                   0.0,
	}
	if d := cmp.Diff(want, Defaults().All()); d != "" {
		t.Error(d)
	}
}

func TestBadListIsRefused(t *testing.T) {
	entry := func(lines string) string {
		return "groups:\n  - title: T\n    about: A\n    parameters:\n      - {name: low, type: double, default: 1.0, meaning: M.}\n      - {" + lines + "}\n"
	}
	for _, c := range []struct{ text, complaint string }{
		{entry("name: a, type: double, default: 1.0, meaning: M., spelled: wrong"), "spelled"},
		{entry("name: a, type: float, default: 1.0, meaning: M."), `unknown type "float"`},
		{entry("name: a, type: double, default: fast, meaning: M."), "a is fast (string)"},
		{entry("name: a, type: double, default: 9, max: 5, meaning: M."), "a is 9"},
		{entry("name: a, type: string, default: x, one_of: [y, z], meaning: M."), `a is "x"`},
		{entry("name: a, type: bool, default: true"), "lacks a name or a meaning"},
		{entry("name: low, type: bool, default: true, meaning: M."), "low is listed twice"},
		{entry("name: a, type: double, default: 1.0, not_below: lower, meaning: M."), "both must be double"},
		{entry("name: a, type: string, default: x, not_with: low, meaning: M."), "both must be string"},
		{entry("name: p.<link>, type: double, default: 1.0, meaning: M."), "pattern"},
		{"groups: 5", "parameters.yaml"},
	} {
		if _, err := parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.complaint) {
			t.Errorf("%s\ngives %v, want a complaint about %q", c.text, err, c.complaint)
		}
	}
	if _, err := parse([]byte(entry("name: a, type: double, default: 1.0, not_below: low, meaning: M."))); err != nil {
		t.Errorf("the frame of the cases above is itself refused: %v", err)
	}
}

func TestValidateTakes(t *testing.T) {
	v, err := Validate(map[string]any{
		"check_rate":        int64(250), // an integer for a double
		"top_k_pairs":       int64(3),
		"trajectory.topics": []any{"left_arm", "right_arm"},
		"padding.left_hand": 0.02,
		"padding.default":   0.01,

		"trajectory.path_tolerance.elbow": 0.03,
		"acm.source":                      "srdf+scene",
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Double("check_rate"); got != 250 {
		t.Errorf("check_rate is %g", got)
	}
	if got := v.Int("top_k_pairs"); got != 3 {
		t.Errorf("top_k_pairs is %d", got)
	}
	if got := v.String("acm.source"); got != "srdf+scene" {
		t.Errorf("acm.source is %s", got)
	}
	if d := cmp.Diff([]string{"left_arm", "right_arm"}, v.Strings("trajectory.topics")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]float64{"left_hand": 0.02}, v.Each("padding.<link>")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]float64{"elbow": 0.03}, v.Each("trajectory.path_tolerance.<joint>")); d != "" {
		t.Error(d)
	}
	if v, err = Validate(map[string]any{"trajectory.topics": struct{}{}}); err != nil || len(v.Strings("trajectory.topics")) != 0 {
		t.Errorf("an empty list of no known type gives %v", err)
	}
	if got := Defaults().Double("check_rate"); got != 100 {
		t.Errorf("validating changed the defaults: check_rate is %g", got)
	}
}

func TestValidateRefuses(t *testing.T) {
	for _, c := range []struct {
		given     map[string]any
		complaint []string
	}{
		{map[string]any{"check_rat": 100.0}, []string{"no parameter check_rat", "did you mean check_rate?"}},
		{map[string]any{"colour": "red"}, []string{"no parameter colour", "docs/parameters.md"}},
		{map[string]any{"padding.": 0.1}, []string{"no parameter padding."}},
		{map[string]any{"padding.<link>": 0.1}, []string{"no parameter padding.<link>"}},
		{map[string]any{"check_rate": 5000.0}, []string{"check_rate is 5000 Hz", "1000 or less", "[1, 1000] Hz"}},
		{map[string]any{"check_rate": 0.0}, []string{"check_rate is 0 Hz", "1 or more"}},
		{map[string]any{"check_rate": math.NaN()}, []string{"check_rate is NaN", "finite"}},
		{map[string]any{"check_rate": math.Inf(1)}, []string{"check_rate is +Inf", "finite"}},
		{map[string]any{"check_rate": "fast"}, []string{"check_rate is fast (string)", "of type double"}},
		{map[string]any{"check_rate": nil}, []string{"check_rate is <nil>", "of type double"}},
		{map[string]any{"top_k_pairs": 2.5}, []string{"top_k_pairs is 2.5", "of type integer"}},
		{map[string]any{"top_k_pairs": int64(0)}, []string{"top_k_pairs is 0", "1 or more"}},
		{map[string]any{"acm.source": "proved"}, []string{`acm.source is "proved"`, "srdf, scene, srdf+scene, proven"}},
		{map[string]any{"trajectory.interpolation": "none"}, []string{`trajectory.interpolation is "none"`, "jtc, linear"}},
		{map[string]any{"trajectory.path_tolerance.elbow": -0.1}, []string{"trajectory.path_tolerance.elbow is -0.1 rad or m", "0 or more"}},
		{map[string]any{"trajectory.path_tolerance": 0.1}, []string{"no parameter trajectory.path_tolerance"}},
		{map[string]any{"trajectory.topics": []any{1}}, []string{"trajectory.topics is [1]", "of type string_array"}},
		{map[string]any{"trajectory.topics": nil}, []string{"trajectory.topics is <nil>"}},
		{map[string]any{"trajectory.topics": struct{ N int }{}}, []string{"trajectory.topics is {0}"}},
		{map[string]any{"trajectory.topics": []string{""}}, []string{"trajectory.topics holds an empty name"}},
		{map[string]any{"padding.left_hand": -0.1}, []string{"padding.left_hand is -0.1 m", "0 or more"}},
		{map[string]any{"warn_distance": 0.001}, []string{"warn_distance is 0.001, below distance_range.min"}},
		{map[string]any{"warn_distance": 0.6}, []string{"warn_distance is 0.6, above distance_range.max"}},
		{map[string]any{"distance_range.min": 0.6}, []string{"distance_range.max is 0.5, below distance_range.min"}},
		{
			map[string]any{"robot_description": "<robot/>", "robot_description_file": "r.urdf"},
			[]string{"robot_description_file and robot_description are both given"},
		},
		{
			map[string]any{"check_rate": -1.0, "warn_distance": "near", "nonsense": 1},
			[]string{"check_rate is -1", "warn_distance is near", "no parameter nonsense"},
		},
	} {
		_, err := Validate(c.given)
		if err == nil {
			t.Errorf("%v is accepted", c.given)
			continue
		}
		for _, part := range c.complaint {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%v gives %q, want it to say %q", c.given, err, part)
			}
		}
	}
}

func TestLongValuesAreCutInErrors(t *testing.T) {
	_, err := Validate(map[string]any{"check_rate": strings.Repeat("ä", 100000)})
	if err == nil || len(err.Error()) > 300 {
		t.Errorf("the error has %d bytes", len(err.Error()))
	}
	if _, err = Validate(map[string]any{strings.Repeat("x", 1<<20): 1}); err == nil {
		t.Error("a name of a megabyte is accepted")
	}
}

func TestChangesWhileRunning(t *testing.T) {
	v, err := Validate(map[string]any{"scene": "room.yaml", "padding.left_hand": 0.02})
	if err != nil {
		t.Fatal(err)
	}
	w, err := v.With(map[string]any{"trajectory.deadline": 2.0, "scene": "room.yaml"})
	if err != nil {
		t.Fatalf("a change and a repetition are refused: %v", err)
	}
	if w.Double("trajectory.deadline") != 2 || v.Double("trajectory.deadline") != 1 {
		t.Errorf("trajectory.deadline is %g after and %g before the change", w.Double("trajectory.deadline"), v.Double("trajectory.deadline"))
	}
	for _, change := range []map[string]any{
		{"scene": "other.yaml"},
		{"padding.left_hand": 0.0},
		{"padding.right_hand": 0.02},
		{"trajectory.topics": []string{"arm"}},
		{"check_rate": 50.0},
	} {
		if _, err := v.With(change); err == nil || !strings.Contains(err.Error(), "cannot change while the node runs, because ") {
			t.Errorf("%v gives %v", change, err)
		}
	}
	if _, err := w.With(map[string]any{"distance_range.max": 0.02}); err == nil {
		t.Error("distance_range.max falls below warn_distance and is accepted")
	}
}

func TestWeakened(t *testing.T) {
	v := Defaults()
	for _, c := range []struct {
		changes map[string]any
		want    []string
	}{
		{map[string]any{"trajectory.interpolation": "linear"}, []string{"trajectory.interpolation"}},
		{map[string]any{"trajectory.interpolation": "jtc", "trajectory.deadline": 0.5}, nil},
		{map[string]any{"trajectory.min_distance": 0.1}, nil},
	} {
		now, err := v.With(c.changes)
		if err != nil {
			t.Fatal(err)
		}
		if got := now.Weakened(v); !slices.Equal(got, c.want) {
			t.Errorf("%v weakens %v, want %v", c.changes, got, c.want)
		}
	}
	far, err := v.With(map[string]any{"trajectory.min_distance": 0.1})
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Weakened(far); !slices.Equal(got, []string{"trajectory.min_distance"}) {
		t.Errorf("back to the default weakens %v", got)
	}
}

// A double is accepted if and only if it lies in its range.
func TestRangeIsExact(t *testing.T) {
	var doubles []Parameter
	for _, p := range Parameters() {
		if p.Type == Double && !p.Pattern() {
			doubles = append(doubles, p)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(doubles).Draw(t, "parameter")
		span := *p.Max - *p.Min
		x := rapid.Float64Range(*p.Min-span, *p.Max+span).Draw(t, "value")
		_, err := p.accept(x)
		if in := *p.Min <= x && x <= *p.Max; in != (err == nil) {
			t.Fatalf("%s = %g: %v", p.Name, x, err)
		}
	})
}

// The generated parameter file, read back as ROS reads it, is the defaults.
func TestParameterFileHoldsTheDefaults(t *testing.T) {
	var file map[string]map[string]map[string]any
	if err := yaml.Unmarshal(parameterFile, &file); err != nil {
		t.Fatal(err)
	}
	v, err := Validate(flatten("", file["/**"]["ros__parameters"]))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Defaults().All(), v.All()); d != "" {
		t.Error(d)
	}
	given := flatten("", file["/**"]["ros__parameters"])
	want := 0
	for _, value := range Defaults().All() { // ROS cannot tell the type of an empty list
		if list, ok := value.([]string); !ok || len(list) > 0 {
			want++
		}
	}
	if len(given) != want {
		t.Errorf("the file gives %d parameters, want %d", len(given), want)
	}
}

func flatten(prefix string, nested map[string]any) map[string]any {
	flat := map[string]any{}
	for name, value := range nested {
		if inner, ok := value.(map[string]any); ok {
			for n, v := range flatten(prefix+name+".", inner) {
				flat[n] = v
			}
			continue
		}
		flat[prefix+name] = value
	}
	return flat
}

func TestLookup(t *testing.T) {
	for name, want := range map[string]bool{
		"check_rate": true, "padding.default": true, "padding.left_hand": true,
		"padding": false, "padding.": false, "padding.<link>": false, "": false, "Check_rate": false,
	} {
		p, ok := Lookup(name)
		if ok != want {
			t.Errorf("Lookup(%q) finds %v", name, ok)
		}
		if ok && p.Name != name {
			t.Errorf("Lookup(%q) gives %q", name, p.Name)
		}
	}
	if p, _ := Lookup("padding.default"); p.Default == nil {
		t.Error("padding.default is taken for a link's padding")
	}
}
