// Package mesh reads triangle meshes (STL, OBJ, COLLADA) and tells their
// connected components and whether each is closed.
package mesh

import "github.com/firstcontact-ros/firstcontact/geom"

// Mesh is an indexed triangle mesh in metres, in its own frame. It is immutable
// once loaded and may be shared.
type Mesh struct {
	Vertices  []geom.Vec
	Triangles [][3]int32 // indices into Vertices
}
