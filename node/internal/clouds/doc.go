// Package clouds turns point clouds into obstacles.
//
// A cloud becomes the boxes of a grid that hold at least one of its points: thinning it out
// adds space and takes none away. Three kinds of points show nothing and are counted: those
// without finite coordinates, where the sensor had no return; those farther from the sensor
// than a range; and those of the robot itself, within a small margin of its own body as it was
// at the cloud's stamp. The body is the exact collision geometry: a point is the robot's only
// if it is proved that the body has a point within the margin of it. An obstacle within the
// margin is not seen; that, and that nothing is where no point is, are premises of what is
// found among the boxes.
package clouds
