// Package humanoid holds this folder's files: a humanoid, a room with obstacles, motions and
// what must be found of them. lab/humanoid writes all but this file.
package humanoid

import "embed"

// Files are the folder's files.
//
//go:embed *.urdf *.srdf *.yaml *.csv humanoid_description
var Files embed.FS
