//go:build !race

package papers

// quickly are the entries that the tests run at quick scale: of each paper and method
// some.
var quickly = []string{
	"RKLM04/figure1", "RKLM04/figure5", "RKLM04/table1",
	"ZRLK07/figure5", "ZRLK07/figure12", "ZRLK07/table2",
	"SPHERE/figure2", "SPHERE/figure3", "SPHERE/figure4",
	"SSL04/table8", "SSL04/table3", "SSL04/table4",
}
