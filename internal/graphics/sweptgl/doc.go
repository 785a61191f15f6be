// Package sweptgl culls by swept volumes on a graphics processor: RKLM04, section 4.2.3, mended.
// It is built with the tag gl and implements [articulate.Culler] in two ways:
//
//   - Image draws the volume and what may touch it in three orthographic views, as the paper
//     does (CULLIDE), and compares them from both ends of each;
//   - Traversal walks the world's tree for many slices of many volumes at once.
//
// The published test takes a piece that is before the volume at the middle of every pixel for one
// that does not touch it. What covers no middle, such as a needle or a small triangle, is
// then dropped, and so is what touches the volume between middles. Here a piece is left out by
// a proof only:
//
//   - Pieces and slices are handed over in float32, as hulls of points with a radius that
//     holds what rounding moved (solid.go). The slices' radius has the second-order remainder
//     of package articulate, the clearance and the world's own error.
//   - Image bounds, over the whole square of each pixel, where slices and pieces are along
//     the view: a slab (a pair of parallel planes) of each bounds the depth linearly, and the
//     square is dilated by the rasterizer's subpixel precision and by rounding (slab.go,
//     image.glsl). A piece is before the volume in a view if its bound is before the
//     volume's in every square. What the volume's images do not show is drawn against each slice
//     alone, and left out if each shows it apart.
//   - Traversal looks for a direction along which a slice and a piece are apart by more than
//     radii and rounding (traverse.glsl). Any search for it will do, as the proof of the last
//     lines looks at the direction alone.
//   - What the processor did must be seen. Every rectangle that is drawn counts its
//     fragments, and every slice's walk ends with a token of its batch; where a count or a token
//     is not what it must be, nothing is left out. Known contacts among the pieces of each
//     query must be found, and others when the culler is made (canary.go). A share of
//     what was left out is measured again on the CPU (audit.go).
//   - An error of OpenGL, a timeout, NaN, or a lost context leaves nothing out: the CPU's
//     culler answers, then and from then on.
package sweptgl
