package grazing

import "testing"

// Every piece is a triangle, also where a direction is drawn twice.
func TestPiecesAreTriangles(t *testing.T) {
	for seed := range uint64(12) {
		for i := range uint64(8) {
			c, err := New(seed, i, 60)
			if err != nil {
				t.Fatalf("seed %d, case %d: %v", seed, i, err)
			}
			for k, depth := range c.Depth {
				if !(depth > 0 && depth <= Most) {
					t.Errorf("seed %d, case %d: piece %d is %g m deep", seed, i, k, depth)
				}
			}
		}
	}
}
