package pairproof

import (
	"os"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func ball(at geom.Pose, r float64) []urdf.Collision {
	return robots.Part(at, robots.Ball(r))
}

func box(at geom.Pose, x, y, z float64) []urdf.Collision {
	return robots.Part(at, robots.Box(x, y, z))
}

func meshed(m *mesh.Mesh) []urdf.Collision {
	return robots.Part(geom.IdentityPose(), robots.Mesh(m))
}

var ey, ez = geom.Vec{Y: 1}, geom.Vec{Z: 1}

// shared loads a robot of the shared folder, where that is there.
func shared(t testing.TB, file string) *urdf.Robot {
	t.Helper()
	const root = "../../../shared/robots/"
	if _, err := os.Stat(root + file); err != nil {
		t.Skip("no shared robots")
	}
	r, err := urdf.Load(root+file, urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
