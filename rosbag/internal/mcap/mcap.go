// Package mcap reads and writes MCAP files, the containers in which ROS 2 records topics
// (https://mcap.dev/spec). It reads them as a stream: neither the file nor a chunk of it is
// held in memory.
//
// Lengths in the file are not trusted: each is held against the bytes that are left and
// against a bound before anything is allocated. Checksums are verified where the file has
// them. A file without its end, as a recorder leaves it that was killed, gives what is whole
// and says where it ends.
package mcap

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Magic is how a file begins, and ends where it is complete.
const Magic = "\x89MCAP0\r\n"

// Schema is the definition of a message's type.
type Schema struct {
	ID             uint16
	Name, Encoding string // such as sensor_msgs/msg/JointState, ros2msg
	Data           []byte
}

// Channel is a stream of messages of one topic.
type Channel struct {
	ID       uint16
	Topic    string
	Encoding string // of its messages, such as cdr
	Schema   Schema // zero where there is none
	// Metadata is for the Writer; the readers do not fill it in.
	Metadata map[string]string
}

// Message is one message of a channel.
type Message struct {
	Channel              *Channel
	LogTime, PublishTime uint64 // nanoseconds
	Data                 []byte // valid until the next message
}

// The kinds of record.
const (
	opHeader = 1 + iota
	opFooter
	opSchema
	opChannel
	opMessage
	opChunk
	opMessageIndex
	opChunkIndex
	opAttachment
	opAttachmentIndex
	opStatistics
	opMetadata
	opMetadataIndex
	opSummaryOffset
	opDataEnd
)

// recordHead is the kind of a record and the length of its content.
const recordHead = 1 + 8

// head is a record before its content.
type head struct {
	op     byte
	length uint64
}

func readHead(r io.Reader) (head, error) {
	var b [recordHead]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return head{}, err
	}
	return head{b[0], binary.LittleEndian.Uint64(b[1:])}, nil
}

// fields takes values from the content of a record. The first error is kept, and every
// value after it is zero.
type fields struct {
	b   []byte
	err error
}

func (f *fields) take(n int) []byte {
	if f.err == nil && (n < 0 || n > len(f.b)) {
		f.err = fmt.Errorf("a field of %d bytes where %d are left", n, len(f.b))
	}
	if f.err != nil {
		return nil
	}
	out := f.b[:n]
	f.b = f.b[n:]
	return out
}

func (f *fields) uint16() uint16 {
	if b := f.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (f *fields) uint32() uint32 {
	if b := f.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (f *fields) uint64() uint64 {
	if b := f.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// bytes takes a length of four bytes and as many bytes. They are not copied.
func (f *fields) bytes() []byte { return f.take(int(f.uint32())) }

func (f *fields) string() string { return string(f.bytes()) }
