package batch

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
)

// TableName is the file in the folder of results with a row for each motion.
const TableName = "motions.parquet"

// rowsPerGroup bounds what the writer of the table keeps in memory.
const (
	rowsPerGroup = 100_000
	rowsPerWrite = 1000
)

// WriteTable writes all rows to one Parquet file, in order, and sums them up. It fails unless every motion has
// exactly one row.
func WriteTable(ctx context.Context, s *Store, sum *Summary) error {
	return outfile.Write(filepath.Join(s.dir, TableName), func(w io.Writer) error {
		table := parquet.NewGenericWriter[Row](w, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(rowsPerGroup))
		next := int64(0)
		together := make([]Row, 0, rowsPerWrite) // so that the file does not depend on how the motions were divided
		err := s.Rows(ctx, func(rows []Row) error {
			for i := range rows {
				if rows[i].Index != next {
					return fmt.Errorf("motion %d has no row, or two", next)
				}
				next++
				sum.add(&rows[i])
				if together = append(together, rows[i]); len(together) == rowsPerWrite {
					if _, err := table.Write(together); err != nil {
						return err
					}
					together = together[:0]
				}
			}
			return nil
		})
		if err == nil {
			_, err = table.Write(together)
		}
		if err != nil {
			return err
		}
		if next != s.Plan.Motions {
			return fmt.Errorf("%d of %d motions have a row", next, s.Plan.Motions)
		}
		return table.Close()
	})
}
