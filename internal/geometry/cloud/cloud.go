// Package cloud reads point clouds: PCD, and PLY files without faces.
package cloud

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/ply"
)

// Cloud is the content of a file.
type Cloud struct {
	Points []geom.Vec // metres, in the file's frame
	// Missing counts the entries whose coordinates are not all finite: a sensor had no
	// return there.
	Missing int
	// Viewpoint is the sensor's pose where a PCD file gives one that is not the identity:
	// x y z qw qx qy qz. Points are as they stand in the file, not moved by it.
	Viewpoint []float64
	// Skipped names what of the file is not read and may matter: elements of a PLY file, sizes of
	// its points.
	Skipped []string
}

// Is reports whether data begins as PCD or PLY does.
func Is(data []byte) bool { return isPCD(data) || ply.Is(data) }

// Read reads a file. It fails on a file without a point, on one with faces, and on more points
// than limit.SceneTriangles. Errors name the place and the remedy.
func Read(ctx context.Context, data []byte) (*Cloud, error) {
	var c *Cloud
	var err error
	if isPCD(data) {
		c, err = readPCD(ctx, data)
	} else {
		c, err = readPLY(ctx, data)
	}
	if err != nil {
		return nil, err
	}
	if len(c.Points) == 0 {
		if c.Missing > 0 {
			return nil, fmt.Errorf("none of its %d points is finite: leave it out", c.Missing)
		}
		return nil, errors.New("the cloud has no points: leave it out")
	}
	return c, nil
}

func readPLY(ctx context.Context, data []byte) (*Cloud, error) {
	f, err := ply.Read(data, func(string, int, int) error { return ctx.Err() })
	if err != nil {
		return nil, err
	}
	if !f.IsCloud() || len(f.Edges) > 0 {
		return nil, errors.New("a mesh with faces, not a cloud: give it the type mesh")
	}
	c := &Cloud{Skipped: f.Skipped}
	for _, p := range f.Vertices {
		if err := c.add(p); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// add takes a point, or counts it as missing.
func (c *Cloud) add(p geom.Vec) error {
	if !geom.Finite(p) {
		c.Missing++
		return nil
	}
	if len(c.Points) >= limit.SceneTriangles {
		return tooMany(len(c.Points) + 1)
	}
	c.Points = append(c.Points, geom.Vec{X: p.X + 0, Y: p.Y + 0, Z: p.Z + 0})
	return nil
}

func tooMany(n int) error {
	return fmt.Errorf("%d points and more, the maximum is %d: thin the cloud out, for instance with a voxel grid", n, limit.SceneTriangles)
}

// known are the beginnings of formats that are not read.
var known = []struct{ begins, is, remedy string }{
	{"LASF", "a LAS or LAZ cloud", "convert it to PCD or binary PLY, e.g. with pdal translate IN.las OUT.ply"},
	{"ASTM-E57", "an E57 cloud", "convert it to PCD or PLY, e.g. with pdal translate IN.e57 OUT.ply"},
	{"\x93NUMPY", "a NumPy array", "write it as text with numpy.savetxt, one x y z a line"},
	{"#ROSBAG", "a ROS 1 bag", "write the cloud to PCD with pcl_ros bag_to_pcd"},
	{"\x89MCAP", "an MCAP file", "write one of its clouds to PCD with pcl_ros pointcloud_to_pcd"},
	{"SQLite format 3", "a SQLite bag", "write one of its clouds to PCD with pcl_ros pointcloud_to_pcd"},
	{"glTF", "a glTF mesh", "give it the type mesh"},
	{"solid", "an STL mesh", "give it the type mesh"},
	{"# Octomap", "an OctoMap", "give it the type octree: {type: octree, octree: FILE}"},
	{"\x1f\x8b", "compressed by gzip", "unpack it with gunzip"},
	{"PK\x03\x04", "a zip archive", "unpack it"},
}

// Unknown says what data is that is neither a cloud nor rows of text, or returns nil.
func Unknown(data []byte) error {
	for _, k := range known {
		if bytes.HasPrefix(data, []byte(k.begins)) {
			return fmt.Errorf("%s, which is not read as a cloud: %s", k.is, k.remedy)
		}
	}
	if bytes.IndexByte(data[:min(len(data), 512)], 0) >= 0 {
		return errors.New("binary data of no known kind of cloud: give PCD, PLY, or rows of x y z as text")
	}
	return nil
}
