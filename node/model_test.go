package node

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
)

// Whose list of allowed pairs counts is the parameter's to say.
func TestAllowedPairsAreBelieved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scene.yaml")
	write(t, path, strings.Replace(railScene, "frame:", "allowed: [[right, wall]], frame:", 1))
	for source, want := range map[string]struct{ self, world, ignored int }{
		"srdf":       {0, 2, 1},
		"scene":      {1, 1, 0},
		"srdf+scene": {0, 1, 0},
	} {
		v := values(t, map[string]any{
			"robot_description": railURDF, "robot_description_semantic": railSRDF, "scene": path, "acm.source": source,
		})
		m, err := build(context.Background(), describe(v), v)
		if err != nil {
			t.Fatal(err)
		}
		if p := m.checker.Pairs(); p.Self != want.self || p.World != want.world || m.ignored != want.ignored {
			t.Errorf("%s: %d and %d pairs checked, %d of the scene ignored; want %+v", source, p.Self, p.World, m.ignored, want)
		}
	}
}

func TestSceneMayBeInTheFrameThatTheRootIsFixedTo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scene.yaml")
	write(t, path, strings.Replace(railScene, "frame: rail", "frame: hall", 1))
	for _, c := range []struct {
		kind string
		ok   bool
	}{{"fixed", true}, {"planar", false}, {"floating", false}} {
		v := values(t, map[string]any{
			"robot_description": railURDF, "scene": path,
			"robot_description_semantic": `<robot name="carts"><virtual_joint name="stand" type="` + c.kind + `" parent_frame="hall" child_link="rail"/></robot>`,
		})
		if _, err := build(context.Background(), describe(v), v); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.kind, err)
		}
	}
}

// Everything that a verdict depends on is in the hashes.
func TestModelHash(t *testing.T) {
	of := func(given map[string]any) string {
		t.Helper()
		v := values(t, given)
		m, err := build(context.Background(), describe(v), v)
		if err != nil {
			t.Fatal(err)
		}
		return m.hash + m.sceneHash
	}
	base := railParameters(t, nil)
	with := func(name string, value any) map[string]any {
		given := map[string]any{name: value}
		for n, v := range base {
			if _, ok := given[n]; !ok {
				given[n] = v
			}
		}
		return given
	}
	change := func(old, new string) map[string]any {
		t.Helper()
		if !strings.Contains(railURDF, old) {
			t.Fatal(old)
		}
		return with("robot_description", strings.Replace(railURDF, old, new, 1))
	}
	seen := map[string]string{of(base): "base"}
	if len(seen) != 1 || seen[of(base)] != "base" {
		t.Fatal("the hash is not that of the content")
	}
	for name, given := range map[string]map[string]any{
		"padding":           with("padding.default", 0.01),
		"padding of a link": with("padding.left", 0.01),
		"allowed pair":      with("robot_description_semantic", railSRDF),
		"scene":             with("scene", ""),
		"box":               change("0.2 0.2 0.2", "0.2 0.2 0.3"),
		"shape":             change(`<box size="0.2 0.2 0.2"/>`, `<sphere radius="0.1"/>`),
		"axis":              change("1 0 0", "0 1 0"),
		"origin":            change(`<origin xyz="1 0 0"/>`, `<origin xyz="1 0 0.1"/>`),
		"limit":             change(`lower="-5"`, `lower="-6"`),
		"mimic":             change(`multiplier="0.5"`, `multiplier="0.6"`),
		"type":              change(`type="prismatic"`, `type="revolute"`),
		"name":              change(`"flag_x"`, `"flagpole_x"`),
	} {
		h := of(given)
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s have the same hash", name, other)
		}
		seen[h] = name
	}
}

// A description from a topic that makes no model does not end the node, however early
// it comes.
func TestBadDescriptionFromATopicEndsNothing(t *testing.T) {
	l := newLoader(values(t, nil), nil, quiet(), func(*model, string) {})
	l.listen("robot_description", &l.desc.urdf.text)(&stdmsgs.String{Data: "<robot"})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- l.run(ctx) }()
	for {
		if _, absent := l.current(); strings.Contains(absent, "cannot be checked") {
			break
		}
		select {
		case err := <-done:
			t.Fatalf("the node ends: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
