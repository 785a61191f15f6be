package msgs_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// The encoding is the oracle's, and no part of it passes for the whole.
func TestEncodingIsThatOfTheDefinition(t *testing.T) {
	forEachMessage(t, everyKind, func(t *testing.T, d *definition, m cdr.Message) {
		rapid.Check(t, func(t *rapid.T) {
			v := d.random(t, m)
			want := d.encode(v, binary.LittleEndian)
			if got := cdr.Marshal(v); !bytes.Equal(got, want) {
				t.Fatalf("encoding of %+v\n got %x\nwant %x", v, got, want)
			}
			if n := rapid.IntRange(0, len(want)-1).Draw(t, "cut"); cdr.Unmarshal(want[:n], fresh(m)) == nil {
				t.Fatalf("%d of %d bytes decode without an error", n, len(want))
			}
		})
	})
}

// A message that was used before must not leak into what is decoded next.
func TestDecodingIsTheInverseInBothByteOrders(t *testing.T) {
	forEachMessage(t, everyKind, func(t *testing.T, d *definition, m cdr.Message) {
		rapid.Check(t, func(t *rapid.T) {
			v, used := d.random(t, m), d.random(t, m)
			want := d.encode(v, binary.LittleEndian)
			for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
				for _, into := range []cdr.Message{fresh(m), used} {
					if err := cdr.Unmarshal(d.encode(v, order), into); err != nil {
						t.Fatalf("%v: %v", order, err)
					}
					if got := d.encode(into, binary.LittleEndian); !bytes.Equal(got, want) {
						t.Fatalf("%v\n got %+v\nwant %+v", order, into, v)
					}
				}
			}
		})
	})
}

func TestServiceEncodingPutsTheRequestIDFirst(t *testing.T) {
	forEachMessage(t, "srv", func(t *testing.T, d *definition, m cdr.Message) {
		rapid.Check(t, func(t *rapid.T) {
			v := d.random(t, m)
			id := cdr.RequestID{Client: rapid.Uint64().Draw(t, "client"), Sequence: rapid.Int64().Draw(t, "sequence")}
			plain := d.encode(v, binary.LittleEndian)
			want := bytes.Clone(plain[:4])
			want = binary.LittleEndian.AppendUint64(want, id.Client)
			want = binary.LittleEndian.AppendUint64(want, uint64(id.Sequence))
			want = append(want, plain[4:]...)
			got, err := cdr.AppendService(nil, id, v)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("encoding (%v)\n got %x\nwant %x", err, got, want)
			}
			into := fresh(m)
			gotID, err := cdr.UnmarshalService(want, into)
			if err != nil || gotID != id || !bytes.Equal(cdr.Marshal(into), plain) {
				t.Fatalf("decoded %+v with id %+v (%v), want %+v with %+v", into, gotID, err, v, id)
			}
			n := rapid.IntRange(0, len(want)-1).Draw(t, "cut")
			if _, err := cdr.UnmarshalService(want[:n], into); err == nil {
				t.Fatalf("%d of %d bytes decode without an error", n, len(want))
			}
		})
	})
}

func TestTrailingBytes(t *testing.T) {
	forEachMessage(t, everyKind, func(t *testing.T, d *definition, m cdr.Message) {
		data := cdr.Marshal(m)
		for n := range 32 {
			err := cdr.Unmarshal(append(bytes.Clone(data), make([]byte, n)...), fresh(m))
			if wrong := n > 7; wrong != errors.Is(err, cdr.ErrTrailing) || !wrong && err != nil {
				t.Errorf("%d bytes after the last field: %v", n, err)
			}
		}
	})
}
