package batch

import (
	"context"
	"io"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/firstcontact-ros/firstcontact/certificate/digest"
)

// The work of a batch on each motion besides its check.
func BenchmarkRows(b *testing.B) {
	s := subject(b)
	p := planOf(b, s, roadmap(b, 10_000), 10_000)
	c := NewChecker(s, p)
	part, err := c.Part(context.Background(), 1)
	if err != nil {
		b.Fatal(err)
	}
	id, chunk, rows, err := DecodePart(part)
	if err != nil {
		b.Fatal(err)
	}
	per := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(rows)), "ns/motion")
	}
	b.Run("encode", func(b *testing.B) {
		for b.Loop() {
			EncodePart(id, chunk, rows)
		}
		per(b)
	})
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			_, _, _, _ = DecodePart(part)
		}
		per(b)
	})
	b.Run("table", func(b *testing.B) {
		for b.Loop() {
			t := parquet.NewGenericWriter[Row](io.Discard, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(rowsPerGroup))
			_, _ = t.Write(rows)
			_ = t.Close()
		}
		per(b)
	})
	b.Run("summary", func(b *testing.B) {
		for b.Loop() {
			sum := NewSummary(10, 0, nil)
			for i := range rows {
				sum.add(&rows[i])
			}
		}
		per(b)
	})
	src, err := c.source(context.Background(), 1)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("motion", func(b *testing.B) {
		for b.Loop() {
			for i := range rows {
				_, _ = src.Motion(i)
			}
		}
		per(b)
	})
	l, _ := src.Motion(1)
	b.Run("digest", func(b *testing.B) {
		for b.Loop() {
			for range rows {
				text(digest.Motion(l.Motion))
			}
		}
		per(b)
	})
	b.Run("plausible", func(b *testing.B) {
		for b.Loop() {
			for range rows {
				s.Judge.setting.Checker.Plausible().Motion(l.Motion)
			}
		}
		per(b)
	})
}
