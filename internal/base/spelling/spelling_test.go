package spelling

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"hand", "hand", 0},
		{"hand", "hnad", 1},
		{"hand", "band", 1},
		{"hand", "hands", 1},
		{"hand", "and", 1},
		{"elbow", "below", 2},
	} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := Distance(c.b, c.a); got != c.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

func TestHint(t *testing.T) {
	known := []string{"panda_link0", "panda_link1", "panda_hand"}
	if got, want := Hint("panda_hnad", known), ` (did you mean "panda_hand"?)`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Hint("tool0", known); got != "" {
		t.Errorf("a name like no other gives %q", got)
	}
}
