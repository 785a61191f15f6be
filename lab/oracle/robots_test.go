package oracle

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// robots is a collection of real robots beside the repository; the tests that
// use it are skipped where it is not there.
const robots = "../../../shared/robots"

func needRobots(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(robots); err != nil {
		t.Skip("no collection of robots beside the repository")
	}
}

// Every robot loads with all its triangles. The counts are those of the
// collection's own table, made by other readers; faces without area included.
func TestRealRobotsLoadWhole(t *testing.T) {
	needRobots(t)
	triangles := map[string]int{
		"abb_irb2400/abb_irb2400": 1918, "allegro_hand/allegro_hand": 0, "anymal_c/anymal_c": 0, "atlas/atlas": 1280,
		"baxter/baxter": 1575, "booster_k1/booster_k1": 142017, "car_seat_demo/car_seat_demo": 29060,
		"double_pendulum/double_pendulum": 13254, "dual_panda/dual_panda": 4728, "fanuc/fanuc": 6934,
		"g1/g1": 219156, "g1/g1_cylinders": 0, "g1/g1_floating": 219156, "h1/h1": 0,
		"iiwa14/iiwa14": 3016, "iiwa14/iiwa14_spheres": 0, "kinova_gen3/kinova_gen3": 78045, "nextage/nextage": 17546,
		"open_manipulator/open_manipulator": 81644, "panda/panda": 2364, "pr2/pr2": 5840,
		"puzzle_piece_workcell/puzzle_piece_workcell": 14976, "romeo/romeo": 104936,
		"simple_humanoid/simple_humanoid": 12, "ur5/ur5": 104185, "ur5e/ur5e": 7558,
	}
	o := start(t)
	for name, want := range triangles {
		info, err := o.Robot(filepath.Join(robots, name+".urdf"), "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := info.Triangles + info.Dropped; got != want {
			t.Errorf("%s: %d triangles, want %d", name, got, want)
		}
		srdf := filepath.Join(robots, name+".srdf")
		if _, err := os.Stat(srdf); err != nil {
			continue
		}
		if _, _, err := o.SRDF(srdf); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The COLLADA meshes of these robots carry node transforms, and Y_UP or Z_UP. A
// mesh put the wrong way up tears the robot apart: the links that a joint
// connects must meet, or nearly.
func TestColladaRobotsHangTogether(t *testing.T) {
	needRobots(t)
	chains := map[string][]string{
		"nextage": {"WAIST", "CHEST_JOINT0_Link", "RARM_JOINT0_Link", "RARM_JOINT1_Link", "RARM_JOINT2_Link", "RARM_JOINT3_Link", "RARM_JOINT4_Link", "RARM_JOINT5_Link"},
		"kinova_gen3": {
			"base_link", "shoulder_link", "half_arm_1_link", "half_arm_2_link", "forearm_link",
			"spherical_wrist_1_link", "spherical_wrist_2_link", "bracelet_link",
		},
		"romeo": {"LHipPitchLink", "LKneePitchLink"},
	}
	o := start(t)
	for name, chain := range chains {
		if _, err := o.Robot(filepath.Join(robots, name, name+".urdf"), ""); err != nil {
			t.Fatal(err)
		}
		must(t, o.Joints())
		for i := 1; i < len(chain); i++ {
			d, err := o.PairDistance(Pair{chain[i-1], chain[i]}, nil)
			must(t, err)
			if d > 0.002 || math.IsNaN(d) {
				t.Errorf("%s: %s and %s are %g m apart", name, chain[i-1], chain[i], d)
			}
		}
	}
}
