package dataset

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// sample is the dataset in testdata that a tutorial checks.
const sample = "../../../testdata/lerobot"

// via are the episodes of the sample, by positions in degrees of turn, lift, elbow and wrist, two seconds apart.
var via = [][][4]float32{
	{{-50, 25, -30, 5}, {0, 50, -40, -10}, {50, 25, -30, 5}},    // above the boxes on the table
	{{-50, 25, -30, 5}, {0, 12, -30, 5}, {50, 25, -30, 5}},      // through one of them
	{{0, 70, -35, 0}, {0, 72, -100, -20}, {0, 75, -163, -34}},   // onto itself
	{{50, 25, -30, 5}, {20, 60, -60, -20}, {-20, 40, -50, 10}},  // above
	{{-20, 40, -50, 10}, {-60, 50, -70, 0}, {-90, 60, -90, 20}}, // beside
}

// The sample is what this writes: the layout of version 3.0, with the types of columns that Arrow gives it.
func TestSampleIsCurrent(t *testing.T) {
	const fps = 20
	var episodes [][]*optional
	for number, points := range via {
		var list []*optional
		for k := range 4*fps + 1 {
			i := min(k/(2*fps), 1)
			part := float32(k-2*fps*i) / (2 * fps)
			var state, action []*float32
			for j := range 4 {
				x := points[i][j] + part*(points[i+1][j]-points[i][j])
				state, action = append(state, ref(x)), append(action, ref(x))
			}
			state, action = append(state, ref(float32(30))), append(action, ref(float32(30))) // the gripper, in per cent
			list = append(list, &optional{
				State: state, Action: action, Timestamp: ref(float32(k) / fps), Frame: ref(int64(k)), Episode: ref(int64(number)),
				Index: ref(int64(number*(4*fps+1) + k)), Task: ref(int64(0)), Done: ref(k == 4*fps),
			})
		}
		episodes = append(episodes, list)
	}
	const name = "data/chunk-000/file-000.parquet"
	made := filepath.Join(t.TempDir(), "file-000.parquet")
	save(t, made, episodes...)
	got, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	if switches.Golden.On() {
		write(t, filepath.Join(sample, filepath.FromSlash(name)), got)
	}
	want, err := os.ReadFile(filepath.Join(sample, filepath.FromSlash(name)))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what this test writes: UPDATE_GOLDEN=1 writes it (%v)", name, err)
	}
}
