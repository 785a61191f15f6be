package mcap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// Visitor is told what a file holds.
type Visitor struct {
	// Want tells which channels Message is to be called for; nil: for none.
	Want func(*Channel) bool
	// Message is called in the order of the file. Its error ends the scan.
	Message func(Message) error
}

// Count is how many messages a channel has, and when the first and last of them were
// logged (nanoseconds; zero without messages).
type Count struct {
	Messages    uint64
	First, Last uint64
}

// Contents is what a file holds.
type Contents struct {
	Channels []*Channel // by id
	Counts   map[uint16]Count
	// CutShort says where and how the file ends before its end; empty if it is whole.
	CutShort string
}

// Scan reads a file from its first byte. Size is the number of bytes, or negative where it
// is not known; then a file that is cut short in a chunk is an error. Errors do not name the
// file.
func Scan(ctx context.Context, r io.Reader, size int64, v Visitor) (*Contents, error) {
	s := &scanner{src: newSource(ctx, r, size), visitor: v, table: newTable(), counts: map[uint16]Count{}}
	defer s.close()
	cut, err := s.scan()
	if err != nil {
		return nil, err
	}
	return &Contents{Channels: s.table.list(), Counts: s.counts, CutShort: cut}, nil
}

type scanner struct {
	src     *source
	visitor Visitor
	table   *table
	counts  map[uint16]Count
	buf     []byte // of the record that is being read
	chunks  unpackers
}

func (s *scanner) close() { s.chunks.close() }

// scan reads the data section and says where it is cut short, if it is.
func (s *scanner) scan() (cut string, err error) {
	var magic [len(Magic)]byte
	if n, err := io.ReadFull(s.src, magic[:]); err != nil && !isEnd(err) {
		return "", err
	} else if string(magic[:n]) != Magic[:n] || n == 0 {
		return "", errors.New("does not begin as an MCAP file does")
	} else if n < len(Magic) {
		return "the file ends in its first bytes", nil
	}
	for {
		at, crc := s.src.at, s.src.crc
		h, err := readHead(s.src)
		switch {
		case isEnd(err):
			return fmt.Sprintf("the file ends at byte %d, without the records that close it", s.src.at), nil
		case err != nil:
			return "", err
		}
		left, known := s.src.left()
		if known && h.length > uint64(left) {
			return fmt.Sprintf("the file ends at byte %d, in a record at byte %d", s.src.size, at), nil
		}
		done, err := s.record(h, crc)
		if isEnd(err) && !known && h.op != opChunk && h.op != opMessage {
			return fmt.Sprintf("the file ends at byte %d, in a record at byte %d", s.src.at, at), nil
		}
		if err != nil {
			return "", s.place(at, err)
		}
		if done {
			return "", nil
		}
	}
}

// place says at which byte of the file an error arose, unless it is that of the context or
// of the visitor.
func (s *scanner) place(at int64, err error) error {
	var stop visitorError
	if errors.As(err, &stop) {
		return stop.error
	}
	if s.src.ctx.Err() != nil {
		return s.src.ctx.Err()
	}
	return fmt.Errorf("the record at byte %d is damaged: %w", at, err)
}

// visitorError is an error of Visitor.Message.
type visitorError struct{ error }

func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// record reads one record of the file; before is the checksum of all bytes before it. It
// reports whether the data section ends with it.
func (s *scanner) record(h head, before uint32) (done bool, err error) {
	switch h.op {
	case opChunk:
		return false, s.chunk(h)
	case opSchema, opChannel, opMessage:
		return false, s.data(s.src, h)
	case opDataEnd:
		if s.buf, err = content(s.src, s.buf, h, limit.BagRecordBytes); err != nil {
			return false, err
		}
		f := fields{b: s.buf}
		if want := f.uint32(); want != 0 && want != before {
			return false, fmt.Errorf("the checksum of the data section is %08x, not %08x as the file says", before, want)
		}
		return true, f.err
	case 0:
		return false, errors.New("there is no record of kind 0x00")
	case opFooter:
		return true, nil // files without DataEnd: nothing with messages follows
	}
	return false, discard(s.src, h.length)
}

// data reads a schema, a channel or a message from the file or from a chunk.
func (s *scanner) data(r io.Reader, h head) (err error) {
	switch h.op {
	case opSchema, opChannel:
		if s.buf, err = content(r, s.buf, h, limit.BagRecordBytes); err != nil {
			return err
		}
		return s.table.add(h.op, s.buf)
	case opMessage:
		return s.message(r, h)
	}
	return fmt.Errorf("a record of kind 0x%02x is in a chunk", h.op)
}

// messageHead is a message's channel, sequence number and times.
const messageHead = 2 + 4 + 8 + 8

func (s *scanner) message(r io.Reader, h head) error {
	if h.length < messageHead {
		return fmt.Errorf("a message has %d bytes, fewer than its fields", h.length)
	}
	var b [messageHead]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return err
	}
	f := fields{b: b[:]}
	id := f.uint16()
	f.uint32()
	m := Message{LogTime: f.uint64(), PublishTime: f.uint64()}
	if m.Channel = s.table.channels[id]; m.Channel == nil {
		return fmt.Errorf("a message is of channel %d, which nothing before it defines", id)
	}
	s.count(id, m.LogTime)
	rest := head{h.op, h.length - messageHead}
	if s.visitor.Want == nil || !s.visitor.Want(m.Channel) {
		return discard(r, rest.length)
	}
	var err error
	if s.buf, err = content(r, s.buf, rest, limit.BagMessageBytes); err != nil {
		return fmt.Errorf("topic %s: %w", m.Channel.Topic, err)
	}
	m.Data = s.buf
	if err := s.visitor.Message(m); err != nil {
		return visitorError{err}
	}
	return nil
}

func (s *scanner) count(id uint16, at uint64) {
	c := s.counts[id]
	if c.Messages == 0 {
		c.First, c.Last = at, at
	}
	c.Messages++
	c.First, c.Last = min(c.First, at), max(c.Last, at)
	s.counts[id] = c
}

// chunk reads the records of a chunk.
func (s *scanner) chunk(h head) error {
	body := &io.LimitedReader{R: s.src, N: int64(min(h.length, 1<<62))}
	c, err := readChunkHead(body)
	if err != nil {
		return err
	}
	if c.packed != uint64(body.N) {
		return fmt.Errorf("a chunk says that it has %d bytes of records, where %d are", c.packed, body.N)
	}
	plain, err := s.chunks.open(c.compression, body)
	if err != nil {
		return err
	}
	in := newUnpacked(plain, c.size)
	for in.left > 0 {
		inner, err := readHead(in)
		if err != nil {
			return unexpected(err)
		}
		if inner.length > in.left {
			return fmt.Errorf("a record of kind 0x%02x has %d bytes where its chunk has %d left", inner.op, inner.length, in.left)
		}
		if err := s.data(in, inner); err != nil {
			return unexpected(err)
		}
	}
	if c.crc != 0 && c.crc != in.crc {
		return fmt.Errorf("the checksum of a chunk is %08x, not %08x as the file says", in.crc, c.crc)
	}
	return in.end(body)
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// chunkHead is a chunk before its records.
type chunkHead struct {
	size        uint64 // uncompressed
	crc         uint32 // of the uncompressed records; 0: not given
	compression string
	packed      uint64 // compressed
}

func readChunkHead(r io.Reader) (c chunkHead, err error) {
	var b [8 + 8 + 8 + 4 + 4]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return c, unexpected(err)
	}
	f := fields{b: b[16:]}
	c.size, c.crc = f.uint64(), f.uint32()
	n := f.uint32()
	if n > 64 {
		return c, fmt.Errorf("the name of a chunk's compression has %d bytes", n)
	}
	if c.size > limit.BagChunkBytes {
		return c, fmt.Errorf("a chunk has %d bytes, more than the limit of %d", c.size, int64(limit.BagChunkBytes))
	}
	rest := make([]byte, n+8)
	if _, err := io.ReadFull(r, rest); err != nil {
		return c, unexpected(err)
	}
	c.compression = string(rest[:n])
	f = fields{b: rest[n:]}
	c.packed = f.uint64()
	return c, nil
}

// unpacked are the uncompressed records of a chunk.
type unpacked struct {
	r    io.Reader
	left uint64
	crc  uint32
}

func newUnpacked(r io.Reader, size uint64) *unpacked { return &unpacked{r: r, left: size} }

func (u *unpacked) Read(b []byte) (int, error) {
	if u.left == 0 {
		return 0, io.EOF
	}
	if uint64(len(b)) > u.left {
		b = b[:u.left]
	}
	n, err := u.r.Read(b)
	u.left -= uint64(n)
	u.crc = crc32.Update(u.crc, crc32.IEEETable, b[:n])
	if errors.Is(err, io.EOF) && u.left == 0 {
		err = nil
	}
	return n, err
}

// end holds that the compressed bytes end where the records do.
func (u *unpacked) end(body *io.LimitedReader) error {
	var b [1]byte
	switch n, err := io.ReadFull(u.r, b[:]); {
	case n > 0:
		return errors.New("a chunk holds more than it says")
	case !errors.Is(err, io.EOF):
		return err
	}
	if body.N > 0 {
		return fmt.Errorf("%d bytes follow the records of a chunk", body.N)
	}
	return nil
}

// table holds the schemas and channels that have been seen.
type table struct {
	schemas  map[uint16]Schema
	channels map[uint16]*Channel
	bytes    int
}

func newTable() *table {
	return &table{schemas: map[uint16]Schema{}, channels: map[uint16]*Channel{}}
}

func (t *table) list() []*Channel {
	ids := slices.Sorted(maps.Keys(t.channels))
	out := make([]*Channel, len(ids))
	for i, id := range ids {
		out[i] = t.channels[id]
	}
	return out
}

func (t *table) add(op byte, b []byte) error {
	if op == opSchema {
		return t.schema(b)
	}
	return t.channel(b)
}

// keep counts what stays in memory.
func (t *table) keep(n int) error {
	if t.bytes += n; t.bytes > limit.BagRecordBytes {
		return fmt.Errorf("schemas and channels have more than %d bytes, the limit", limit.BagRecordBytes)
	}
	return nil
}

func (t *table) schema(b []byte) error {
	f := fields{b: b}
	s := Schema{ID: f.uint16(), Name: f.string(), Encoding: f.string()}
	s.Data = f.bytes()
	if f.err != nil {
		return fmt.Errorf("a schema: %w", f.err)
	}
	if s.ID == 0 {
		return errors.New("a schema has the id 0, which stands for none")
	}
	if old, twice := t.schemas[s.ID]; twice {
		if old.Name != s.Name || old.Encoding != s.Encoding || !bytes.Equal(old.Data, s.Data) {
			return fmt.Errorf("schema %d is defined twice, differently: %s and %s", s.ID, old.Name, s.Name)
		}
		return nil
	}
	s.Data = bytes.Clone(s.Data)
	t.schemas[s.ID] = s
	return t.keep(len(b))
}

func (t *table) channel(b []byte) error {
	f := fields{b: b}
	c := &Channel{ID: f.uint16()}
	schema := f.uint16()
	c.Topic, c.Encoding = f.string(), f.string()
	if f.err != nil {
		return fmt.Errorf("a channel: %w", f.err)
	}
	known := false
	if c.Schema, known = t.schemas[schema]; !known && schema != 0 {
		return fmt.Errorf("channel %d (%s) is of schema %d, which nothing before it defines", c.ID, c.Topic, schema)
	}
	if old := t.channels[c.ID]; old != nil {
		if old.Topic != c.Topic || old.Encoding != c.Encoding || old.Schema.ID != c.Schema.ID {
			return fmt.Errorf("channel %d is defined twice, differently: %s and %s", c.ID, old.Topic, c.Topic)
		}
		return nil
	}
	t.channels[c.ID] = c
	return t.keep(len(b))
}
