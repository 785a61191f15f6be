package model

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// CheckSize fails on a robot that exceeds the limits. Readers bound their input; this covers
// robots that were joined or built in code.
func CheckSize(robot *urdf.Robot) error {
	if n := len(robot.Links); n > limit.Links {
		return fmt.Errorf("robot %s: %d links exceed %d: merge links without relative motion", robot.Name, n, limit.Links)
	}
	elements, triangles := 0, 0
	seen := map[*mesh.Mesh]bool{}
	for i := range robot.Links {
		l := &robot.Links[i]
		if elements += len(l.Collisions); elements > limit.CollisionElements {
			return fmt.Errorf("robot %s: up to link %s it has %d collision elements, more than %d: merge them, for instance into a mesh", robot.Name, l.Name, elements, limit.CollisionElements)
		}
		for k := range l.Collisions {
			s := l.Collisions[k].Shape
			if s == nil || s.Mesh == nil || seen[s.Mesh] {
				continue
			}
			seen[s.Mesh] = true
			if triangles += len(s.Mesh.Triangles); triangles > limit.RobotTriangles {
				return fmt.Errorf("robot %s: up to link %s its meshes have %d triangles, more than %d: use simpler meshes for collision", robot.Name, l.Name, triangles, limit.RobotTriangles)
			}
		}
	}
	return nil
}
