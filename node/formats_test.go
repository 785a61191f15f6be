package node

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// The parameter scene takes every format that the command takes, with the same errors.
func TestSceneFormats(t *testing.T) {
	const meshes, clouds = "../internal/geometry/mesh/testdata/", "../internal/geometry/cloud/testdata/"
	dir := t.TempDir()
	object := func(rest string) string { return "{objects: [{id: a, xyz: [30, 0, 0], " + rest + "}]}" }
	abs := func(path string) string {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name, text string
		gap, fails string
	}{
		{name: "glTF", text: object("type: mesh, up: y, mesh: " + abs(meshes+"scene.glb"))},
		{name: "glTF of unknown axes", text: object("type: mesh, mesh: " + abs(meshes+"scene.glb")), gap: "mesh-axes"},
		{name: "PLY", text: object("type: mesh, mesh: " + abs(meshes+"three_big.ply"))},
		{name: "PLY cloud", text: object("type: points, radius: 0.01, points: " + abs(clouds+"three_cloud.ply"))},
		{name: "PCD", text: object("type: points, radius: 0.01, points: " + abs(clouds+"board_compressed.pcd"))},
		{name: "MoveIt's message", text: "name: ''\nworld: {collision_objects: [{id: a, header: {frame_id: rail}, primitives: [{type: 2, dimensions: [0.1]}], primitive_poses: [{position: {x: 30, y: 0, z: 0}}]}]}\nis_diff: false\n---\n"},
		{name: "MoveIt's change", text: "world: {collision_objects: [{id: a, header: {frame_id: rail}, primitives: [{type: 2, dimensions: [0.1]}], primitive_poses: [{position: {x: 30, y: 0, z: 0}}]}]}\nis_diff: true\n---\n", gap: "is_diff"},
		{name: "MoveIt's text", text: "s\n* a\n1\nsphere\n0.1\n30 0 0\n0 0 0 1\n0 0 0 0\n.\n"},
		{name: "a frame", text: "world: {collision_objects: [{id: a, header: {frame_id: rial}, primitives: [{type: 2, dimensions: [0.1]}]}]}\n", fails: `did you mean "rail"?`},
		{name: "a cloud without a radius", text: object("type: points, points: " + abs(clouds+"board_text.pcd")), fails: "radius"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(dir, strings.ReplaceAll(c.name, " ", "_")+".yaml")
			write(t, path, c.text)
			v := values(t, map[string]any{"robot_description": railURDF, "scene": path})
			m, err := build(context.Background(), describe(v), v)
			switch {
			case c.fails != "":
				if err == nil || !strings.Contains(err.Error(), c.fails) || !strings.Contains(err.Error(), path) {
					t.Errorf("%v, want %q", err, c.fails)
				}
			case err != nil:
				t.Error(err)
			case (m.gap != nil) != (c.gap != "") || m.gap != nil && !strings.Contains(m.gap.Entry(), c.gap):
				t.Errorf("gap %v, want %q", m.gap, c.gap)
			}
		})
	}
}
