// Package articulate is an engine after
//
//	S. Redon, Y. J. Kim, M. C. Lin, D. Manocha: Fast Continuous Collision Detection for
//	Articulated Models. ACM Symposium on Solid Modeling and Applications, 2004 (RKLM04).
//
// It keeps the paper's pipeline: boxes around what the links sweep, volumes that line
// swept spheres sweep, oriented boxes over intervals of time, and equations of elementary
// contacts that are solved together. What the paper leaves open or gets wrong is mended
// so that a verdict means what it means everywhere else; each file begins with the
// section it implements and where it departs from it. The engine stands beside the
// default one to be compared with it, and each judges the other.
//
//   - 3.3, 4.1, Eq. 2 to 6: the in-between motion in interval matrices: dynbvh_mover.go,
//     dynbvh_curve.go, dynbvh_span.go
//   - 4.1: dynamic hierarchy of boxes, stage 1: dynbvh.go
//   - 4.2.1: line swept spheres: lss.go, lss_fit.go
//   - 4.2: what they sweep, stage 2: swept.go, and culling by it (4.2.3, on the CPU here;
//     Culler is where another takes its place): swept_cull.go; on a graphics processor:
//     internal/graphics/sweptgl
//   - 3.5: the pipeline, its stages switched off one by one: worker.go, cull.go,
//     traverse.go, options.go
//   - 5.1: OBB trees: obbtree.go
//   - 5.1, Eq. 12 and 5.1.1: the continuous overlap test, refinement levels: obbtest.go,
//     traverse.go
//   - 5.2.1, Eq. 13 and 14: elementary tests: contact.go; bounds on vertices, edges and
//     normals: features.go
//   - 5.2.2 and 5.2.3, Eq. 15 to 17: the simultaneous solver, interval subdivision:
//     solve.go
//   - 5.2.4, Eq. 18: the Newton culling step: solve.go
//   - leaves that are no triangles, clearance, padding: leaf.go
//   - where the text proves less than it says: literal_test.go, swept_image_test.go
package articulate
