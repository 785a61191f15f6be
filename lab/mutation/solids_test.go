package mutation

// Mutations of what a mesh encloses: faces, patches, cycles and their crossings.

const (
	facesGo     = "internal/geometry/mesh/faces.go"
	patchesGo   = "internal/geometry/mesh/patches.go"
	equationsGo = "internal/geometry/mesh/equations.go"
	basisGo     = "internal/geometry/mesh/basis.go"
	kernelGo    = "internal/geometry/mesh/kernel.go"
	weldGo      = "internal/geometry/mesh/weld.go"
	insideGo    = "internal/geometry/bvh/inside.go"
	trees       = "internal/geometry/bvh"

	stored    = "TestSolidsHoweverStored"
	itself    = "TestInsideOfWhatRunsThroughItself"
	ofKernels = "TestKernels"
)

var enclosed = []mutation{
	{name: "faces: twice", file: facesGo, old: "f.is[s.half/3] = false", new: "_ = s", tests: stored, in: trees, drops: "faces with the same corners are one"},
	{name: "faces: without area", file: facesGo, old: "c[0] != c[1] && c[1] != c[2] && c[2] != c[0]", new: "c[0] != c[1] && c[1] != c[2]", tests: stored, in: trees, drops: "faces have three different corners"},
	{name: "faces: not welded", file: weldGo, old: "first[i] = slots[at] - 1", new: "_ = first", tests: stored, in: trees, drops: "vertices at one place are one"},
	{name: "faces: -0 is not 0", file: weldGo, old: "math.Float64bits(x+0)", new: "math.Float64bits(x)", tests: stored, in: trees, drops: "-0 is 0"},
	{name: "patches: across all edges", file: patchesGo, old: "if len(s) == 2 {", new: "if len(s) >= 2 {", tests: stored, in: trees, drops: "patches end where three faces share an edge"},
	{name: "patches: never turned", file: patchesGo, old: "f.forth(&s[0]) == f.forth(&s[1])", new: "false && f.forth(&s[0])", tests: stored, in: trees, drops: "orientation does not matter"},
	{name: "patches: all have two sides", file: patchesGo, old: "u.twisted[i] = u.twisted[i] || turn == 1", new: "_ = turn", tests: "TestOneSidedIsTakenForTheLarger", in: trees, drops: "patches that are not orientable are ambiguous"},
	{name: "cycles: rims are closed", file: equationsGo, old: "rim[p.of[s[0].half/3]/2] = true", new: "_ = rim", tests: stored, in: trees, drops: "a patch with a rim encloses nothing"},
	{name: "cycles: no edges of three", file: equationsGo, old: "case len(s) > 2:", new: "case len(s) > 200:", tests: stored, in: trees, drops: "faces cancel at every edge"},
	{name: "cycles: the first alone", file: basisGo, old: "for _, vector := range wound {", new: "for _, vector := range wound[:min(1, len(wound))] {", tests: stored, in: trees, drops: "all cycles of a basis"},
	{name: "cycles: tangles are left out", file: basisGo, old: "b.cycle(Shell, of, ones(slices.Compact(in)))", new: "_ = in", tests: "TestTangledIsTakenForTheLarger TestOneSidedIsTakenForTheLarger", in: trees, drops: "what is ambiguous is taken for the larger"},
	{name: "kernel: no last steps", file: kernelGo, old: "if leads[o] != nil && leads[v][o] != 0 {", new: "if leads[o] != nil && leads[v][o] == prime {", tests: ofKernels, drops: "reduced equations"},
	{name: "kernel: large numbers", file: kernelGo, old: "if small < -largestFactor || small > largestFactor {", new: "if small < -prime {", tests: "TestKernelOfLargeNumbers", drops: "vectors of small integers are known to be right"},
	{name: "inside: crossings without sides", file: insideGo, old: "c.tally.Cross(0, c.s, k, int32(side))", new: "c.tally.Cross(0, c.s, k, int32(side*side))", tests: stored + " " + itself, drops: "crossings have a sign"},
	{name: "inside: by parity", file: tallyGo, old: "s.kind == Winding && s.of != 0", new: "s.kind == Winding && s.of&1 == 1", tests: itself, in: trees, drops: "inside twice is inside"},
	{name: "inside: faces turned as stored", file: tallyGo, old: "if turned {", new: "if turned && side == 0 {", tests: stored, in: trees, drops: "orientation does not matter"},
	{name: "inside: one shell is enough", file: insideGo, old: "if !out.escapes() {", new: "if out.escapes() {", tests: "TestTangledIsTakenForTheLarger", drops: "a shell is crossed by every segment"},
}
