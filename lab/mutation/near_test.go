package mutation

// Mutations of which pairs are listed: those of one rigid body that are not are claimed
// to be farther apart than some distance, and questions beyond it go to all pairs.

const (
	nearbyGo    = "internal/engine/model/nearby.go"
	pairsGo     = "internal/engine/model/pairs.go"
	nearPairsGo = "ccd/nearpairs.go"

	farPairs  = "TestPairsThatAreNotListedAreFar"
	overlap   = "TestOverlappingFindsEveryPair"
	nearIsAll = "TestNearPairsAnswerForAll"
)

var nearPairs = []mutation{
	{name: "near pairs: grown by a quarter", file: nearbyGo, old: "widened(boxes[e], apart/2)", new: "widened(boxes[e], apart/4)", tests: farPairs, drops: "both boxes together grow by the distance"},
	{name: "near pairs: boxes without sizes", file: nearbyGo, old: "widened(boxOf(&e.Core, pose), slack", new: "widened(geom.EmptyBox().Extend(pose.P), slack", tests: farPairs, drops: "the element is in its box"},
	{name: "near pairs: told to be farther", file: nearbyGo, old: "return kept, apart, nil", new: "return kept, 2 * apart, nil", tests: farPairs, drops: "what is claimed is what was swept for"},
	{name: "near pairs: sweep ends early", file: nearbyGo, old: "low(&boxes[y], axis) > end {", new: "low(&boxes[y], axis) > (low(&boxes[x], axis)+end)/2 {", tests: overlap + " " + farPairs, in: "internal/engine/model", drops: "shadows are swept to their end"},
	{name: "near pairs: exempt partners lost", file: pairsGo, old: "a != b && oneFrame(a, b) {\n\t\t\tout", new: "a == b {\n\t\t\tout", tests: farPairs, drops: "exempt pairs are told, however far apart"},
	{name: "near pairs: every question", file: nearPairsGo, old: "e.whole == nil || e.model.Apart > d }", new: "e.whole == nil || d >= 0 }", tests: nearIsAll, drops: "questions beyond the distance go to all pairs"},
}
