package batch

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/klauspost/compress/zstd"
)

// A part is the rows of a chunk as bytes, the same for the same rows: a header with the ID of the plan, then the rows, column by
// column; compressed, and behind it the SHA-256 of all before. A part that was cut short does not pass for one, nor
// does one of another plan.
const partMagic = "FCPART3\n"

// zstd's coders are shared: EncodeAll and DecodeAll may be called at the same time.
var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<30))
)

// rowBytes is about what a row takes before compression.
const rowBytes = 192

// EncodePart returns the part of a chunk of the plan with an ID.
func EncodePart(id string, chunk int, rows []Row) []byte {
	body := make([]byte, 0, len(id)+32+len(rows)*rowBytes)
	body = append(binary.AppendUvarint(body, uint64(len(id))), id...)
	body = binary.AppendUvarint(body, uint64(chunk))
	body = binary.AppendUvarint(body, uint64(len(rows)))
	for _, c := range columns {
		body = c.append(body, rows)
	}
	out := packer.EncodeAll(body, []byte(partMagic))
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

var errPart = errors.New("the part is damaged or cut short")

// DecodePart returns the rows of a part, the ID of its plan and the number of its chunk.
func DecodePart(data []byte) (id string, chunk int, rows []Row, err error) {
	n := len(data) - sha256.Size
	if n < len(partMagic) || string(data[:len(partMagic)]) != partMagic {
		return "", 0, nil, errPart
	}
	if sum := sha256.Sum256(data[:n]); !bytes.Equal(sum[:], data[n:]) {
		return "", 0, nil, errPart
	}
	plain, err := unpacker.DecodeAll(data[len(partMagic):n], nil)
	if err != nil {
		return "", 0, nil, fmt.Errorf("%w: %w", errPart, err)
	}
	d := decoder{b: plain}
	id = string(d.bytes(d.uvarint()))
	chunk = int(d.uvarint())
	rows = make([]Row, d.count())
	for _, c := range columns {
		c.read(&d, rows)
	}
	if d.bad || len(d.b) > 0 {
		return "", 0, nil, errPart
	}
	return id, chunk, rows, nil
}

// decoder reads a part; after an error it returns zeros.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) uvarint() uint64 {
	x, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return x
}

func (d *decoder) varint() int64 {
	x, n := binary.Varint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return x
}

// count is a number of things that take a byte each at least.
func (d *decoder) count() int {
	if n := d.uvarint(); n <= uint64(len(d.b)) {
		return int(n)
	}
	d.bad = true
	return 0
}

func (d *decoder) bytes(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return nil
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}

func (d *decoder) float() float64 {
	b := d.bytes(8)
	if len(b) < 8 {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}
