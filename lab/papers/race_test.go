//go:build race

package papers

// quickly is shorter where the race detector slows all down.
var quickly = []string{"RKLM04/figure5", "ZRLK07/figure5", "SPHERE/figure2", "SPHERE/figure3"}
