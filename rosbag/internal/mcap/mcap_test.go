package mcap

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

// folder holds files that the reference library has written (lab/rosbags).
const folder = "../../testdata"

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// got is what a scan tells.
type got struct {
	*Contents
	data  map[string][][]byte // by topic
	times map[string][]uint64
}

func scan(data []byte, size int64) (got, error) {
	g := got{data: map[string][][]byte{}, times: map[string][]uint64{}}
	var err error
	g.Contents, err = Scan(context.Background(), bytes.NewReader(data), size, Visitor{
		Want: func(*Channel) bool { return true },
		Message: func(m Message) error {
			g.data[m.Channel.Topic] = append(g.data[m.Channel.Topic], bytes.Clone(m.Data))
			g.times[m.Channel.Topic] = append(g.times[m.Channel.Topic], m.LogTime)
			return nil
		},
	})
	return g, err
}

// All forms of a file hold the same messages.
func TestFilesOfTheReferenceLibrary(t *testing.T) {
	var first got
	for _, name := range []string{"unchunked.mcap", "unchunked_bare.mcap", "chunked.mcap", "zstd.mcap", "zstd_bare.mcap", "lz4.mcap"} {
		data := file(t, name)
		for _, size := range []int64{int64(len(data)), -1} {
			g, err := scan(data, size)
			if err != nil || g.CutShort != "" {
				t.Fatalf("%s: %v, %s", name, err, g.CutShort)
			}
			if first.Contents == nil {
				first = g
			}
			for topic, n := range map[string]int{"/joint_states": 101, "/arm_controller/joint_trajectory": 3, "/display_planned_path": 1, "/chatter": 200} {
				if len(g.data[topic]) != n {
					t.Errorf("%s: %d messages of %s, want %d", name, len(g.data[topic]), topic, n)
				}
				for i, b := range g.data[topic] {
					if !bytes.Equal(b, first.data[topic][i]) || g.times[topic][i] != first.times[topic][i] {
						t.Fatalf("%s: message %d of %s differs", name, i, topic)
					}
				}
			}
			for _, c := range g.Channels {
				if c.Encoding != "cdr" || c.Schema.Encoding != "ros2msg" || g.Counts[c.ID].Messages != uint64(len(g.data[c.Topic])) {
					t.Errorf("%s: %+v, %+v", name, c, g.Counts[c.ID])
				}
			}
		}
	}
	const start = 1_700_000_000_000_000_000
	for _, c := range first.Channels {
		if n := first.Counts[c.ID]; c.Topic == "/joint_states" && (n.First != start+3e6 || n.Last != start+2e9+3e6) {
			t.Errorf("%+v", n)
		}
	}
}

func TestSummary(t *testing.T) {
	for name, want := range map[string]bool{"unchunked.mcap": true, "unchunked_bare.mcap": false, "chunked.mcap": true, "zstd.mcap": true, "zstd_bare.mcap": false, "lz4.mcap": true} {
		data := file(t, name)
		c, err := Summary(context.Background(), bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if (c != nil) != want {
			t.Errorf("%s: summary %v", name, c)
		}
		if c == nil {
			continue
		}
		g, err := scan(data, int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Channels) != len(g.Channels) {
			t.Errorf("%s: %d channels, want %d", name, len(c.Channels), len(g.Channels))
		}
		for _, ch := range c.Channels {
			if c.Counts[ch.ID].Messages != g.Counts[ch.ID].Messages {
				t.Errorf("%s: %s has %d messages, the summary says %d", name, ch.Topic, g.Counts[ch.ID].Messages, c.Counts[ch.ID].Messages)
			}
		}
	}
}

// A file that ends anywhere gives its whole records and says so, or is refused; the
// messages that it gives are the first ones of the whole file.
func TestCutShort(t *testing.T) {
	race.LeaveOut(t)
	for _, name := range []string{"unchunked_bare.mcap", "zstd.mcap", "lz4.mcap", "chunked.mcap"} {
		data := file(t, name)
		whole, err := scan(data, int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		end := dataEnd(t, data)
		for n := 0; n < len(data); n += 1 + n/41 {
			g, err := scan(data[:n], int64(n))
			if n == 0 {
				if err == nil {
					t.Error("an empty file is read")
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %d bytes: %v", name, n, err)
			}
			if cut := n < end; (g.CutShort != "") != cut {
				t.Errorf("%s: %d bytes: cut short: %q", name, n, g.CutShort)
			}
			for topic, list := range g.data {
				if len(list) > len(whole.data[topic]) {
					t.Fatalf("%s: %d bytes: too many messages", name, n)
				}
				for i, b := range list {
					if !bytes.Equal(b, whole.data[topic][i]) {
						t.Fatalf("%s: %d bytes: message %d of %s differs", name, n, i, topic)
					}
				}
			}
		}
	}
}

// dataEnd returns where the record that closes the data section ends.
func dataEnd(t *testing.T, data []byte) int {
	t.Helper()
	for at := len(Magic); at < len(data); {
		n := int(binary.LittleEndian.Uint64(data[at+1:]))
		if data[at] == opDataEnd {
			return at + recordHead + n
		}
		at += recordHead + n
	}
	t.Fatal("no end of the data")
	return 0
}

// A wrong byte anywhere in the data section is either found or changes no message, as far
// as the file has checksums.
func TestWrongBytes(t *testing.T) {
	apart := 31
	if race.Enabled {
		apart *= 20
	}
	for _, name := range []string{"chunked.mcap", "zstd.mcap", "lz4.mcap"} {
		data := file(t, name)
		whole, err := scan(data, int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		found, unchanged := 0, 0
		for at := len(Magic); at < dataEnd(t, data); at += apart {
			bad := bytes.Clone(data)
			bad[at] ^= 0x10
			g, err := scan(bad, int64(len(bad)))
			if err != nil || g.CutShort != "" {
				found++
				continue
			}
			unchanged++
			for topic, list := range g.data {
				for i, b := range list {
					if !bytes.Equal(b, whole.data[topic][i]) {
						t.Fatalf("%s: byte %d: a changed message passed", name, at)
					}
				}
				if len(list) != len(whole.data[topic]) {
					t.Fatalf("%s: byte %d: %d messages of %s passed", name, at, len(list), topic)
				}
			}
		}
		t.Logf("%s: %d found, %d changed nothing", name, found, unchanged)
		if found == 0 {
			t.Errorf("%s: no wrong byte was found", name)
		}
	}
}

// record builds a record for the tests.
func record(op byte, content ...[]byte) []byte {
	body := bytes.Join(content, nil)
	return append(binary.LittleEndian.AppendUint64([]byte{op}, uint64(len(body))), body...)
}

func le16(v uint16) []byte { return binary.LittleEndian.AppendUint16(nil, v) }
func le32(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }
func le64(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }
func str(s string) []byte  { return append(le32(uint32(len(s))), s...) }

func chunkOf(compression string, size uint64, crc uint32, packed []byte) []byte {
	return record(opChunk, le64(0), le64(0), le64(size), le32(crc), str(compression), le64(uint64(len(packed))), packed)
}

// What no writer writes is refused, by name and place.
func TestRefused(t *testing.T) {
	schema := record(opSchema, le16(1), str("p/msg/T"), str("ros2msg"), str("int32 x"))
	channel := record(opChannel, le16(7), le16(1), str("/t"), str("cdr"), le32(0))
	message := record(opMessage, le16(7), le32(0), le64(1), le64(1), []byte("data"))
	for name, c := range map[string]struct {
		records [][]byte
		want    string
	}{
		"no such record":        {[][]byte{record(0, []byte("x"))}, "kind 0x00"},
		"an unknown channel":    {[][]byte{schema, message}, "channel 7, which nothing before it defines"},
		"an unknown schema":     {[][]byte{channel}, "schema 1, which nothing before it defines"},
		"schema 0":              {[][]byte{record(opSchema, le16(0), str("p/msg/T"), str(""), str(""))}, "the id 0"},
		"another schema":        {[][]byte{schema, record(opSchema, le16(1), str("p/msg/U"), str("ros2msg"), str(""))}, "schema 1 is defined twice"},
		"another channel":       {[][]byte{schema, channel, record(opChannel, le16(7), le16(1), str("/u"), str("cdr"), le32(0))}, "channel 7 is defined twice"},
		"a short message":       {[][]byte{schema, channel, record(opMessage, le16(7))}, "fewer than its fields"},
		"a short channel":       {[][]byte{schema, record(opChannel, le16(7), le16(1), le32(1<<31))}, "a field of 2147483648 bytes"},
		"a chunk in a chunk":    {[][]byte{chunkOf("", 9, 0, record(opChunk))}, "kind 0x06 is in a chunk"},
		"a wrong checksum":      {[][]byte{chunkOf("", uint64(len(schema)), 1, schema)}, "checksum of a chunk"},
		"another compression":   {[][]byte{chunkOf("bz2", 1, 0, []byte("x"))}, `compressed by "bz2"`},
		"a chunk with more":     {[][]byte{chunkOf("", uint64(len(schema)), 0, append(bytes.Clone(schema), 0))}, "holds more than it says"},
		"a chunk with less":     {[][]byte{chunkOf("", uint64(len(schema)+1), 0, schema)}, "unexpected EOF"},
		"a chunk too large":     {[][]byte{chunkOf("", 1<<40, 0, schema)}, "more than the limit"},
		"a record too large":    {[][]byte{record(opChunk, le64(0), le64(0), le64(30), le32(0), str(""), le64(9), []byte{opSchema}, le64(1<<40))}, "where its chunk has 21 left"},
		"not zstd":              {[][]byte{chunkOf("zstd", 9, 0, []byte("123456789"))}, "magic number mismatch"},
		"not lz4":               {[][]byte{chunkOf("lz4", 9, 0, []byte("123456789"))}, "bad magic number"},
		"a wrong sum of it all": {[][]byte{schema, record(opDataEnd, le32(1))}, "checksum of the data section"},
	} {
		data := append([]byte(Magic), bytes.Join(c.records, nil)...)
		if _, err := scan(data, int64(len(data))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := scan([]byte("SQLite format 3"), 15); err == nil {
		t.Error("another file is read")
	}
}

// The visitor's error and the context's are passed on as they are.
func TestStops(t *testing.T) {
	data := file(t, "zstd.mcap")
	mine := errors.New("mine")
	_, err := Scan(context.Background(), bytes.NewReader(data), int64(len(data)), Visitor{
		Want:    func(*Channel) bool { return true },
		Message: func(Message) error { return mine },
	})
	if err != mine {
		t.Errorf("%v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	n := 0
	_, err = Scan(ctx, bytes.NewReader(data), int64(len(data)), Visitor{
		Want: func(*Channel) bool { return true },
		Message: func(Message) error {
			if n++; n == 5 {
				stop()
			}
			return nil
		},
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// FuzzScan: whatever the bytes, a scan ends with contents or an error, and what it counts
// is what it gave.
func FuzzScan(f *testing.F) {
	f.Add([]byte(Magic))
	for _, mode := range []byte{0, 1} {
		f.Add(assemble(append([]byte{mode}, script...)))
	}
	f.Fuzz(func(t *testing.T, data []byte) { examine(t, data) })
}

// FuzzRecords is FuzzScan of files whose lengths and checksums are right, but for what the
// records say themselves: the fuzzer writes records, some of them in chunks.
func FuzzRecords(f *testing.F) {
	for _, mode := range []byte{0, 1, 2, 3, 7} {
		f.Add(append([]byte{mode}, inner...))
		f.Add(append([]byte{mode}, script...))
	}
	f.Fuzz(func(t *testing.T, data []byte) { examine(t, assemble(data)) })
}

// inner are records of a chunk as assemble takes them: kind, length and content of each.
var inner = bytes.Join([][]byte{
	piece(opSchema, le16(1), str("p/msg/T"), str("ros2msg"), str("int32 x")),
	piece(opChannel, le16(7), le16(1), str("/t"), str("cdr"), le32(0)),
	piece(opMessage, le16(7), le32(0), le64(5), le64(5), []byte{0, 1, 0, 0, 9, 0, 0, 0}),
}, nil)

// script are such records of a file.
var script = bytes.Join([][]byte{
	piece(opHeader, str("ros2"), str("x")),
	inner,
	piece(opMetadata, str("m"), le32(0)),
	piece(opStatistics, le64(1), le16(1), le32(1), le32(0), le32(0), le32(1), le64(5), le64(5), le32(10), le16(7), le64(1)),
}, nil)

func piece(op byte, content ...[]byte) []byte {
	body := bytes.Join(content, nil)
	return append([]byte{op, byte(len(body))}, body...)
}

// assemble makes a file. Of its first byte, one bit asks for a chunk, the others for the
// compression, for a wrong checksum and for a summary.
func assemble(data []byte) []byte {
	if len(data) == 0 {
		return nil
	}
	mode, rest := data[0], data[1:]
	var body []byte
	for len(rest) >= 2 {
		n := min(int(rest[1]), len(rest)-2)
		body = append(body, record(rest[0], rest[2:2+n])...)
		rest = rest[2+n:]
	}
	out := []byte(Magic)
	if mode&1 == 0 {
		out = append(out, body...)
	} else {
		out = append(out, packed(body, mode>>1&3, mode>>3&1 == 1)...)
	}
	out = append(out, record(opDataEnd, le32(0))...)
	start := uint64(0)
	if mode&16 != 0 {
		start = uint64(len(out))
		out = append(out, body...)
	}
	out = append(out, record(opFooter, le64(start), le64(0), le32(0))...)
	return append(out, Magic...)
}

var encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))

// packed is a chunk of these records.
func packed(body []byte, how byte, wrong bool) []byte {
	crc := crc32.ChecksumIEEE(body)
	if wrong {
		crc++
	}
	switch how {
	case 1:
		return chunkOf("zstd", uint64(len(body)), crc, encoder.EncodeAll(body, nil))
	case 2:
		var b bytes.Buffer
		w := lz4.NewWriter(&b)
		_, _ = w.Write(body)
		_ = w.Close()
		return chunkOf("lz4", uint64(len(body)), crc, b.Bytes())
	}
	return chunkOf("", uint64(len(body)), crc, body)
}

// examine scans a file whatever it is.
func examine(t *testing.T, data []byte) {
	t.Helper()
	g, err := scan(data, int64(len(data)))
	if err == nil {
		for _, c := range g.Channels {
			if g.Counts[c.ID].Messages != uint64(len(g.data[c.Topic])) && oneOf(g.Channels, c) {
				t.Fatalf("channel %d: %d counted, %d given", c.ID, g.Counts[c.ID].Messages, len(g.data[c.Topic]))
			}
		}
	}
	_, _ = Summary(context.Background(), bytes.NewReader(data), int64(len(data)))
}

// What assemble makes of the script is a whole file, in every form.
func TestAssemble(t *testing.T) {
	for _, mode := range []byte{0, 1, 3, 5, 16, 17, 19} {
		records := script
		if mode&1 == 1 {
			records = inner
		}
		data := assemble(append([]byte{mode}, records...))
		g, err := scan(data, int64(len(data)))
		if err != nil || g.CutShort != "" || len(g.data["/t"]) != 1 {
			t.Errorf("mode %d: %v, %v", mode, err, g.Contents)
		}
	}
}

// oneOf reports whether no other channel has c's topic.
func oneOf(all []*Channel, c *Channel) bool {
	for _, o := range all {
		if o != c && o.Topic == c.Topic {
			return false
		}
	}
	return true
}
