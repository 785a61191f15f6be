// Package cdr is the wire format of ROS 2 messages on DDS: the Common Data
// Representation in its first extended form (XCDR1, "plain CDR"), as the Object
// Management Group's DDS-XTypes 1.3, section 7.4, sets it down.
//
// An encoding is a header of four bytes, two of which name the byte order, and
// a body. A number lies at a multiple of its own size, counted from the start
// of the body. A string is its length in bytes with the closing NUL, then those
// bytes; a sequence is its length and then its elements; an array is its
// elements alone.
//
// What is written is little endian; either order is read. Reading is bounded: a
// length that the remaining bytes cannot hold is an error before anything is
// allocated, and no definition can nest without end, since the generator refuses
// one that contains itself.
package cdr

import (
	"errors"
	"fmt"
	"sync"
)

// Message is a ROS message or one half of a ROS service, as the generator
// writes it.
type Message interface {
	// MarshalCDR appends the fields in the order of the definition.
	MarshalCDR(w *Writer)
	// UnmarshalCDR overwrites every field, reusing what the message already
	// holds. After an error the contents are unspecified.
	UnmarshalCDR(r *Reader) error
	// ROSType tells the type's name and hash.
	ROSType() TypeInfo
}

// The four bytes before a body: the representation and two bytes of options.
const headerSize = 4

// Representations that are read, as the second byte of the header.
const (
	plainBigEndian    = 0
	plainLittleEndian = 1
)

// maxTrailing is how many bytes may follow the last field: senders pad to a
// multiple of 4, some to 8. More than that is a message of another definition.
const maxTrailing = 7

// ErrTrailing reports bytes after the last field that no padding explains: the
// sender has another definition of the type.
var ErrTrailing = errors.New("bytes after the last field: the sender's definition of this type differs")

var (
	writers = sync.Pool{New: func() any { return new(Writer) }}
	readers = sync.Pool{New: func() any { return new(Reader) }}
)

// Marshal returns the encoding of m with its header, or nil where m breaks a
// bound of its own definition (AppendMarshal tells which).
func Marshal(m Message) []byte {
	data, err := AppendMarshal(nil, m)
	if err != nil {
		return nil
	}
	return data
}

// AppendMarshal appends the encoding of m with its header to dst and allocates
// nothing where dst has room. An error, where m breaks a bound of its own
// definition, leaves dst as it was.
func AppendMarshal(dst []byte, m Message) ([]byte, error) {
	return appendWith(dst, m, nil)
}

// Unmarshal decodes data, header included, into m. Nothing of data is kept: it
// may be a loan. Capacity that m has is used again, and a string that did not
// change is left alone, so that decoding messages of one shape into one m
// allocates nothing.
func Unmarshal(data []byte, m Message) error {
	_, err := unmarshalWith(data, m, false, Reader{})
	return err
}

func appendWith(dst []byte, m Message, id *RequestID) ([]byte, error) {
	w := writers.Get().(*Writer)
	w.Reset(dst)
	if id != nil {
		w.Uint64(id.Client)
		w.Int64(id.Sequence)
	}
	m.MarshalCDR(w)
	out, err := w.Bytes(), w.err
	w.buf, w.err = nil, nil
	writers.Put(w)
	if err != nil {
		return dst, fmt.Errorf("%s: %w", m.ROSType().ROSName(), err)
	}
	return out, nil
}

func unmarshalWith(data []byte, m Message, service bool, as Reader) (id RequestID, err error) {
	r := readers.Get().(*Reader)
	err = r.Reset(data)
	r.bounds, r.head = as.bounds, as.head
	if err == nil && service {
		id = RequestID{Client: r.Uint64(), Sequence: r.Int64()}
	}
	if err == nil {
		err = m.UnmarshalCDR(r)
	}
	if err == nil {
		err = r.Close()
	}
	*r = Reader{}
	readers.Put(r)
	if err != nil {
		return id, fmt.Errorf("%s: %w", m.ROSType().ROSName(), err)
	}
	return id, nil
}
