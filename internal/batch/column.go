package batch

import (
	"encoding/binary"
	"math"
)

// column is a field of all rows of a part.
type column interface {
	append(b []byte, rows []Row) []byte
	read(d *decoder, rows []Row)
}

// columns are the fields of rows, in order.
var columns = []column{
	integers(func(r *Row) *int64 { return &r.Index }),
	texts(func(r *Row) *string { return &r.Motion }),
	texts(func(r *Row) *string { return &r.File }),
	integers(func(r *Row) *int64 { return &r.Episode }),
	texts(func(r *Row) *string { return &r.Status }),
	texts(func(r *Row) *string { return &r.Message }),
	numbers(func(r *Row) *float64 { return &r.Duration }),
	numbers(func(r *Row) *float64 { return &r.ProvenUntil }),
	numbers(func(r *Row) *float64 { return &r.TOCLo }),
	numbers(func(r *Row) *float64 { return &r.TOCHi }),
	texts(func(r *Row) *string { return &r.Scope }),
	texts(func(r *Row) *string { return &r.PairA }),
	texts(func(r *Row) *string { return &r.PairB }),
	numbers(func(r *Row) *float64 { return &r.ClearanceLo }),
	numbers(func(r *Row) *float64 { return &r.ClearanceHi }),
	numbers(func(r *Row) *float64 { return &r.ClearanceTime }),
	texts(func(r *Row) *string { return &r.ClosestA }),
	texts(func(r *Row) *string { return &r.ClosestB }),
	texts(func(r *Row) *string { return &r.Premises }),
	texts(func(r *Row) *string { return &r.Warnings }),
	texts(func(r *Row) *string { return &r.Held }),
	texts(func(r *Row) *string { return &r.Beyond }),
	integers(func(r *Row) *int64 { return &r.AssumedPairs }),
	integers(func(r *Row) *int64 { return &r.ProvenPairs }),
	texts(func(r *Row) *string { return &r.MotionSum }),
	texts(func(r *Row) *string { return &r.RobotSum }),
	texts(func(r *Row) *string { return &r.SRDFSum }),
	texts(func(r *Row) *string { return &r.SceneSum }),
}

// integers are written as how much each is more than the one before.
type integers func(*Row) *int64

func (of integers) append(b []byte, rows []Row) []byte {
	last := int64(0)
	for i := range rows {
		x := *of(&rows[i])
		b = binary.AppendVarint(b, x-last)
		last = x
	}
	return b
}

func (of integers) read(d *decoder, rows []Row) {
	last := int64(0)
	for i := range rows {
		last += d.varint()
		*of(&rows[i]) = last
	}
}

type numbers func(*Row) *float64

func (of numbers) append(b []byte, rows []Row) []byte {
	for i := range rows {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(*of(&rows[i])))
	}
	return b
}

func (of numbers) read(d *decoder, rows []Row) {
	for i := range rows {
		*of(&rows[i]) = d.float()
	}
}

// texts are written with their lengths and 1, and those like the one before as 0: most are.
type texts func(*Row) *string

func (of texts) append(b []byte, rows []Row) []byte {
	last := ""
	for i := range rows {
		text := *of(&rows[i])
		if text == last {
			b = append(b, 0)
			continue
		}
		b = append(binary.AppendUvarint(b, uint64(len(text))+1), text...)
		last = text
	}
	return b
}

func (of texts) read(d *decoder, rows []Row) {
	last := ""
	for i := range rows {
		if n := d.uvarint(); n > 0 {
			last = string(d.bytes(n - 1))
		}
		*of(&rows[i]) = last
	}
}
