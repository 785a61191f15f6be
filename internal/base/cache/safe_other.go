//go:build !unix

package cache

import "io/fs"

// mine does nothing on systems without Unix permissions.
func mine(fs.FileInfo) error { return nil }
