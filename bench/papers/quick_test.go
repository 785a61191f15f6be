package papers

// quickly are the entries that the tests run at quick scale: of each paper some.
var quickly = []string{
	"SPHERE/figure2", "SPHERE/figure3", "SPHERE/figure4",
	"RKLM04/figure1", "RKLM04/figure5", "RKLM04/figure6", "RKLM04/table1",
}
