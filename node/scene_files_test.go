package node

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// The parameter scene takes meshes and clouds of other programs, and says what they leave open.
func TestSceneParameterTakesMeshesAndClouds(t *testing.T) {
	folder, err := filepath.Abs("../internal/geometry")
	if err != nil {
		t.Fatal(err)
	}
	cloud := filepath.Join(t.TempDir(), "scan.yaml")
	write(t, cloud, "objects: [{id: scan, type: points, points: "+folder+"/cloud/testdata/board_compressed.pcd, radius: 0.01, xyz: [0, 0, 5]}]\n")
	for _, tt := range []struct {
		scene, accept string
		goal          float64 // of the left cart, which the block stops at x = 0.35
		want          uint8
	}{
		{folder + "/mesh/testdata/two_scenes.glb", "", 0.4, fcmsgs.VerdictUndecided},
		{folder + "/mesh/testdata/two_scenes.glb", "mesh-axes:two_scenes", 0.4, fcmsgs.VerdictFree},
		{folder + "/mesh/testdata/two_scenes.glb", "", 0.3, fcmsgs.VerdictContact},
		{folder + "/mesh/testdata/three_big.ply", "", 0.4, fcmsgs.VerdictFree},
		{folder + "/mesh/testdata/three_big.ply", "", 0.3, fcmsgs.VerdictContact},
		{cloud, "", 0.3, fcmsgs.VerdictFree},
	} {
		given := map[string]any{"scene": tt.scene}
		if tt.accept != "" {
			given["accept"] = []string{tt.accept}
		}
		m, err := modelOf(t, railParameters(t, given))
		if err != nil {
			t.Errorf("%s: %v", tt.scene, err)
			continue
		}
		v, _ := answers(m)
		a := v.answer(context.Background(), defaults(values(t, nil)).aboutPair(&fcmsgs.JointStatePair{
			ID: "a", JointNames: []string{"left_x", "right_x"}, Start: []float64{0.5, 0}, Goal: []float64{tt.goal, 0},
		}))
		if a.Status != tt.want || tt.want == fcmsgs.VerdictUndecided && !strings.Contains(a.Message, "mesh-axes:two_scenes") {
			t.Errorf("%s to %g, accepting %q: status %d: %s", tt.scene, tt.goal, tt.accept, a.Status, a.Message)
		}
	}
	_, err = modelOf(t, railParameters(t, map[string]any{"scene": folder + "/mesh/testdata/draco.glb"}))
	if err == nil || !strings.Contains(err.Error(), "draco.glb") || !strings.Contains(err.Error(), "gltf-transform") {
		t.Error(err)
	}
}
