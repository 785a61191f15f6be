package mcap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// chunkBytes is the size at which a chunk is closed.
const chunkBytes = 256 << 10

// Writer writes a file with chunks, checksums, indexes and a summary, as readers want it that
// jump to a time. What was written before the last [Writer.Flush] can be read where the file has
// no end because its writer was killed. A Writer is not safe for concurrent use.
type Writer struct {
	w       io.Writer
	at      uint64 // bytes written
	crc     uint32 // of them
	pack    *zstd.Encoder
	schemas []Schema
	streams []stream

	chunk   []byte // records of the open chunk
	packed  []byte
	scratch []byte
	span    span // of the open chunk
	indexes []chunkIndex
	total   span
	err     error // of a write: nothing can follow
}

// stream is a channel and what was written to it.
type stream struct {
	Channel
	messages uint64
	index    []entry // of the open chunk
}

// entry says where in a chunk a message is.
type entry struct{ time, offset uint64 }

// span is the time of some messages. The zero value has none.
type span struct {
	messages    uint64
	first, last uint64
}

func (s *span) add(t uint64) {
	if s.messages == 0 || t < s.first {
		s.first = t
	}
	s.last = max(s.last, t)
	s.messages++
}

type chunkIndex struct {
	span
	at, bytes            uint64
	indexes              map[uint16]uint64 // where each channel's index is
	indexBytes           uint64
	packedBytes, records uint64
}

// NewWriter begins a file. The profile of ROS 2 is "ros2"; library names the program.
func NewWriter(w io.Writer, profile, library string) (*Writer, error) {
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	out := &Writer{w: w, pack: pack}
	out.write([]byte(Magic))
	out.record(opHeader, appendString(appendString(nil, profile), library))
	return out, out.err
}

// AddChannel adds a channel and returns its id. The channel's and the schema's ids are not used.
func (w *Writer) AddChannel(c Channel) (uint16, error) {
	if len(w.streams) >= math.MaxUint16 {
		return 0, fmt.Errorf("more than %d channels", math.MaxUint16)
	}
	c.Schema.ID = w.schema(c.Schema)
	c.ID = uint16(len(w.streams))
	w.streams = append(w.streams, stream{Channel: c})
	w.chunk = appendRecord(w.chunk, opChannel, c.record())
	return c.ID, nil
}

// schema returns the id of an equal schema, which it adds if there is none.
func (w *Writer) schema(s Schema) uint16 {
	for _, old := range w.schemas {
		if old.Name == s.Name && old.Encoding == s.Encoding && string(old.Data) == string(s.Data) {
			return old.ID
		}
	}
	s.ID = uint16(len(w.schemas) + 1) // 0 means no schema
	w.schemas = append(w.schemas, s)
	w.chunk = appendRecord(w.chunk, opSchema, s.record())
	return s.ID
}

// Write adds a message. Times are nanoseconds of the Unix epoch. The data is copied.
func (w *Writer) Write(channel uint16, logTime, publishTime uint64, data []byte) error {
	if w.err != nil {
		return w.err
	}
	if int(channel) >= len(w.streams) {
		return fmt.Errorf("there is no channel %d", channel)
	}
	s := &w.streams[channel]
	s.messages++
	s.index = append(s.index, entry{logTime, uint64(len(w.chunk))})
	w.span.add(logTime)
	w.total.add(logTime)
	h := append(w.scratch[:0], opMessage)
	h = binary.LittleEndian.AppendUint64(h, uint64(2+4+8+8+len(data)))
	h = binary.LittleEndian.AppendUint16(h, channel)
	h = binary.LittleEndian.AppendUint32(h, uint32(s.messages)) // a sequence number, from 1
	h = binary.LittleEndian.AppendUint64(h, logTime)
	h = binary.LittleEndian.AppendUint64(h, publishTime)
	w.scratch = h
	w.chunk = append(append(w.chunk, h...), data...)
	if len(w.chunk) >= chunkBytes {
		return w.Flush()
	}
	return nil
}

// Flush closes the open chunk, if it has messages.
func (w *Writer) Flush() error {
	if w.span.messages == 0 || w.err != nil {
		return w.err
	}
	w.packed = w.pack.EncodeAll(w.chunk, w.packed[:0])
	c := chunkIndex{span: w.span, at: w.at, indexes: map[uint16]uint64{}, packedBytes: uint64(len(w.packed)), records: uint64(len(w.chunk))}
	b := binary.LittleEndian.AppendUint64(nil, w.span.first)
	b = binary.LittleEndian.AppendUint64(b, w.span.last)
	b = binary.LittleEndian.AppendUint64(b, c.records)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(w.chunk))
	b = appendString(b, compression)
	b = binary.LittleEndian.AppendUint64(b, c.packedBytes)
	w.record(opChunk, b, w.packed)
	c.bytes = w.at - c.at
	w.messageIndexes(&c)
	w.indexes = append(w.indexes, c)
	w.chunk, w.span = w.chunk[:0], span{}
	return w.err
}

// compression names that of the chunks.
const compression = "zstd"

func (w *Writer) messageIndexes(c *chunkIndex) {
	start := w.at
	for i := range w.streams {
		s := &w.streams[i]
		if len(s.index) == 0 {
			continue
		}
		c.indexes[s.ID] = w.at
		b := binary.LittleEndian.AppendUint16(nil, s.ID)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(s.index)*(8+8)))
		for _, e := range s.index {
			b = binary.LittleEndian.AppendUint64(b, e.time)
			b = binary.LittleEndian.AppendUint64(b, e.offset)
		}
		w.record(opMessageIndex, b)
		s.index = s.index[:0]
	}
	c.indexBytes = w.at - start
}

// Close ends the file. It does not close what NewWriter was given.
func (w *Writer) Close() error {
	err := w.Flush()
	if err != nil {
		return err
	}
	w.record(opDataEnd, binary.LittleEndian.AppendUint32(nil, w.crc))
	start := w.at
	w.crc = 0
	groups := w.summary()
	offsets := w.at
	for _, g := range groups {
		b := binary.LittleEndian.AppendUint64([]byte{g.op}, g.at)
		w.record(opSummaryOffset, binary.LittleEndian.AppendUint64(b, g.bytes))
	}
	b := []byte{opFooter}
	b = binary.LittleEndian.AppendUint64(b, 8+8+4)
	b = binary.LittleEndian.AppendUint64(b, start)
	b = binary.LittleEndian.AppendUint64(b, offsets)
	w.write(b)
	w.write(binary.LittleEndian.AppendUint32(nil, w.crc))
	w.write([]byte(Magic))
	err = w.err
	if w.err == nil {
		w.err = errors.New("the file is closed")
	}
	return errors.Join(err, w.pack.Close())
}

// group is a run of records of one kind in the summary.
type group struct {
	op        byte
	at, bytes uint64
}

func (w *Writer) summary() (groups []group) {
	add := func(op byte, each func()) {
		at := w.at
		if each(); w.at > at {
			groups = append(groups, group{op, at, w.at - at})
		}
	}
	add(opSchema, func() {
		for _, s := range w.schemas {
			w.record(opSchema, s.record())
		}
	})
	add(opChannel, func() {
		for i := range w.streams {
			w.record(opChannel, w.streams[i].record())
		}
	})
	add(opStatistics, func() { w.record(opStatistics, w.statistics()) })
	add(opChunkIndex, func() {
		for i := range w.indexes {
			w.record(opChunkIndex, w.indexes[i].record())
		}
	})
	return groups
}

func (w *Writer) statistics() []byte {
	b := binary.LittleEndian.AppendUint64(nil, w.total.messages)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(w.schemas)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(w.streams)))
	b = binary.LittleEndian.AppendUint32(b, 0) // attachments
	b = binary.LittleEndian.AppendUint32(b, 0) // metadata
	b = binary.LittleEndian.AppendUint32(b, uint32(len(w.indexes)))
	b = binary.LittleEndian.AppendUint64(b, w.total.first)
	b = binary.LittleEndian.AppendUint64(b, w.total.last)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(w.streams)*(2+8)))
	for i := range w.streams {
		b = binary.LittleEndian.AppendUint16(b, w.streams[i].ID)
		b = binary.LittleEndian.AppendUint64(b, w.streams[i].messages)
	}
	return b
}

func (s *Schema) record() []byte {
	b := binary.LittleEndian.AppendUint16(nil, s.ID)
	b = appendString(appendString(b, s.Name), s.Encoding)
	return appendString(b, string(s.Data))
}

func (c *Channel) record() []byte {
	b := binary.LittleEndian.AppendUint16(nil, c.ID)
	b = binary.LittleEndian.AppendUint16(b, c.Schema.ID)
	b = appendString(appendString(b, c.Topic), c.Encoding)
	var of []byte
	for _, key := range slices.Sorted(maps.Keys(c.Metadata)) {
		of = appendString(appendString(of, key), c.Metadata[key])
	}
	return appendString(b, string(of))
}

func (c *chunkIndex) record() []byte {
	b := binary.LittleEndian.AppendUint64(nil, c.first)
	b = binary.LittleEndian.AppendUint64(b, c.last)
	b = binary.LittleEndian.AppendUint64(b, c.at)
	b = binary.LittleEndian.AppendUint64(b, c.bytes)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(c.indexes)*(2+8)))
	for _, id := range slices.Sorted(maps.Keys(c.indexes)) {
		b = binary.LittleEndian.AppendUint16(b, id)
		b = binary.LittleEndian.AppendUint64(b, c.indexes[id])
	}
	b = binary.LittleEndian.AppendUint64(b, c.indexBytes)
	b = appendString(b, compression)
	b = binary.LittleEndian.AppendUint64(b, c.packedBytes)
	return binary.LittleEndian.AppendUint64(b, c.records)
}

// record writes a record of some parts.
func (w *Writer) record(op byte, parts ...[]byte) {
	length := 0
	for _, p := range parts {
		length += len(p)
	}
	w.write(binary.LittleEndian.AppendUint64([]byte{op}, uint64(length)))
	for _, p := range parts {
		w.write(p)
	}
}

func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.w.Write(b)
	w.at += uint64(n)
	w.crc = crc32.Update(w.crc, crc32.IEEETable, b[:n])
	w.err = err
}

func appendRecord(b []byte, op byte, content []byte) []byte {
	b = binary.LittleEndian.AppendUint64(append(b, op), uint64(len(content)))
	return append(b, content...)
}

func appendString(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}
