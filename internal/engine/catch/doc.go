// Package catch is the method of ZRLK07, "Continuous Collision Detection for Articulated
// Models using Taylor Models and Temporal Culling" (CATCH), as an engine: each piece of
// a motion goes through spatial culling, hulls, and conservative advancement.
//
//	section  what                                       file          departures
//	3.2      motion between two configurations          -             the caller's: polynomials up to degree 5, the root too
//	3.3      pairs of links, of one model or of several -             neighbours are pairs if the caller says so
//	3.4      conservative advancement, equation 4       step.go       per pair of volumes; a pair (d, n) for whole links is unsound
//	                                                    advance.go    speed bounded on the step; the crawl cut off at the time tolerance
//	4        preprocessing                              prepare.go    hierarchies of the model
//	         hierarchies of convex hulls                volume.go     a hull, boxes, hulls of few triangles: polygon soups work
//	                                                    hulltree.go
//	         the three stages                           check.go      piece by piece; a body inside another at the start
//	5.1      Taylor models of third order               internal/numeric/taylor
//	5.2      Taylor matrices, boxes of links            taylorbvh*.go rounding, joints of any motion
//	         dynamic hierarchy of boxes, culling        spatial.go, linktree.go
//	6        motion bound                               motionbound.go a Taylor model of the speed along n, on the step alone
//	                                                    speed.go      equation 10, mended: asked first
//	7.1      sorting by collision time, temporal        temporal.go   pairs as early as the contact are dropped too
//	         culling, Algorithm 1
//	         all pairs simultaneously                   simultaneous.go an option
//	7.2      lower bounds by convex hulls               hull.go       hulls simplified outward
//	8.1 (3)  early exit for planners                    touch.go      static tests first
//
// Options switch the ideas off one by one, Stats counts what the paper's tables count.
package catch
