package mcap

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// footerBytes are the footer record and the magic at the end of a file.
const footerBytes = recordHead + 8 + 8 + 4 + int64(len(Magic))

// Summary returns what the summary at the end of a file says that it holds, without the
// times of each channel, or nil for a file without summary or without its end. It is what
// the file's writer claims: Scan tells what is there. Errors do not name the file.
func Summary(ctx context.Context, r io.ReaderAt, size int64) (*Contents, error) {
	var end [footerBytes]byte
	if size < footerBytes+int64(len(Magic)) {
		return nil, nil
	}
	if _, err := r.ReadAt(end[:], size-footerBytes); err != nil {
		return nil, err
	}
	if string(end[footerBytes-int64(len(Magic)):]) != Magic || end[0] != opFooter || binary.LittleEndian.Uint64(end[1:]) != 8+8+4 {
		return nil, nil
	}
	f := fields{b: end[recordHead:]}
	start := f.uint64()
	f.uint64() // where the summary's own index begins
	want := f.uint32()
	if start == 0 {
		return nil, nil
	}
	if start > uint64(size-footerBytes) {
		return nil, fmt.Errorf("the summary is said to begin at byte %d, outside of the file", start)
	}
	n := size - footerBytes - int64(start)
	s := &summary{src: newSource(ctx, io.NewSectionReader(r, int64(start), n), n), table: newTable()}
	if err := s.read(); err != nil {
		return nil, fmt.Errorf("the summary at byte %d is damaged: %w", start, err)
	}
	got := crc32.Update(s.src.crc, crc32.IEEETable, end[:recordHead+8+8])
	if want != 0 && got != want {
		return nil, fmt.Errorf("the checksum of the summary is %08x, not %08x as the file says", got, want)
	}
	if s.counts == nil {
		return nil, nil
	}
	return &Contents{Channels: s.table.list(), Counts: s.counts}, nil
}

type summary struct {
	src    *source
	table  *table
	counts map[uint16]Count // nil: there are no statistics
	buf    []byte
}

func (s *summary) read() error {
	for {
		h, err := readHead(s.src)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if left, _ := s.src.left(); h.length > uint64(left) {
			return fmt.Errorf("a record of kind 0x%02x has %d bytes where %d are left", h.op, h.length, left)
		}
		if h.op != opSchema && h.op != opChannel && h.op != opStatistics {
			if err := discard(s.src, h.length); err != nil {
				return err
			}
			continue
		}
		if s.buf, err = content(s.src, s.buf, h, limit.BagRecordBytes); err != nil {
			return err
		}
		if h.op == opStatistics {
			err = s.statistics(s.buf)
		} else {
			err = s.table.add(h.op, s.buf)
		}
		if err != nil {
			return err
		}
	}
}

// statistics reads how many messages each channel has.
func (s *summary) statistics(b []byte) error {
	f := fields{b: b}
	f.take(8 + 2 + 4 + 4 + 4 + 4) // all messages, schemas, channels, attachments, metadata, chunks
	f.take(8 + 8)                 // the first and the last message's times
	counts := fields{b: f.bytes(), err: f.err}
	s.counts = map[uint16]Count{}
	for len(counts.b) > 0 && counts.err == nil {
		id := counts.uint16()
		s.counts[id] = Count{Messages: counts.uint64()}
	}
	if counts.err != nil {
		return fmt.Errorf("the statistics: %w", counts.err)
	}
	return nil
}
