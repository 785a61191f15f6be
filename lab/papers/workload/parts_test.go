package workload

import "testing"

// The trains part by part have the same triangles as link by link, and as many pairs of
// parts as the paper's Table 2, within a factor of two.
func TestTrainsByPart(t *testing.T) {
	whole, err := ByName("zrlk07-four-trains", Options{GeometryOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := ByName("zrlk07-four-trains-by-part", Options{GeometryOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := whole.Triangles()
	b, _ := parts.Triangles()
	if a != b {
		t.Errorf("%d triangles, by part %d", a, b)
	}
	allowed := map[[2]string]bool{}
	for _, p := range parts.Allowed {
		allowed[p], allowed[[2]string{p[1], p[0]}] = true, true
	}
	pairs := 0
	for i := range parts.Robot.Links {
		for k := range i {
			x, y := &parts.Robot.Links[i], &parts.Robot.Links[k]
			if !allowed[[2]string{x.Name, y.Name}] {
				pairs += len(x.Collisions) * len(y.Collisions)
			}
		}
	}
	const theirs = 179_574
	if pairs < theirs/2 || pairs > 2*theirs {
		t.Errorf("%d pairs, in the paper %d", pairs, theirs)
	}
}
