package scene

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/ccdscene"
)

// harness reads the obstacles and allowed pairs of a ccdscene file. Package corpus reads its
// robot, if it has one; the obstacles are in that robot's root link.
func (r *reader) harness(data []byte) (*Snapshot, error) {
	file, err := ccdscene.Parse(r.name, data)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Allowed: file.Allow}
	for _, e := range file.Env {
		path := ccdscene.MeshPath(r.name, e.Mesh)
		m, err := r.readMesh(e.Name, meshFile{path: path, scale: geom.Vec{X: 1, Y: 1, Z: 1}})
		if err != nil {
			return nil, fmt.Errorf("%s:%d: object %s: %w", r.name, e.Line, e.Name, err)
		}
		s.Objects = append(s.Objects, Object{
			ID:     e.Name,
			PoseWS: file.PoseEnv(e),
			Shape:  &Shape{Kind: shape.Mesh, Mesh: m, Source: path},
		})
	}
	if len(file.Links) > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s: describes a robot of %d links, which is not part of the scene", r.name, len(file.Links)))
	}
	return r.seal(s)
}
