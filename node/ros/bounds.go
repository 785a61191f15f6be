package ros

import (
	"errors"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// Bounds limits the messages that a subscription or service accepts.
type Bounds struct {
	// Bytes of the whole message. Of a larger one only the head is kept.
	Bytes int
	// Fields bounds the strings and sequences in it.
	Fields cdr.Bounds
	// Admit, if not nil, is called before a message is decoded. If it returns an error, which
	// should wrap ErrBusy, only the head is read.
	Admit func(participant GUID, bytes int) error
}

// MessageBounds are the default bounds.
var MessageBounds = Bounds{Bytes: limit.MessageBytes, Fields: cdr.Bounds{String: limit.StringBytes, Elements: limit.SequenceElements}}

// DescriptionBounds are those of a robot's description, on the topics robot_description and
// robot_description_semantic.
var DescriptionBounds = Bounds{Bytes: limit.DescriptionBytes + 64, Fields: cdr.Bounds{String: limit.DescriptionBytes}}

// ErrBusy is wrapped by the error about a message that cannot be read because too many others
// are waiting.
var ErrBusy = errors.New("too many bytes of messages wait already")

// whole returns an error if the sample is too large, or contains only the head of a message.
func (b Bounds) whole(s Sample) error {
	switch {
	case b.Bytes > 0 && s.Size > b.Bytes:
		return fmt.Errorf("a message of %d bytes exceeds %w, %d bytes", s.Size, cdr.ErrBound, b.Bytes)
	case s.Size > len(s.Data):
		return fmt.Errorf("a message of %d bytes is not read: %w", s.Size, ErrBusy)
	}
	if b.Admit != nil {
		return b.Admit(s.Writer.Participant(), s.Size)
	}
	return nil
}

// decode reads a message. If the message exceeds the bounds or is incomplete, decode returns
// the reason as broken, and m is of no use. Other errors are returned as err.
func (b Bounds) decode(s Sample, m cdr.Message) (broken, err error) {
	if broken := b.whole(s); broken != nil {
		return broken, nil
	}
	return apart(b.Fields.Unmarshal(s.Data, m))
}

// decodeRequest is like decode, for a request and its id.
func (b Bounds) decodeRequest(s Sample, m cdr.Message) (id cdr.RequestID, broken, err error) {
	if broken := b.whole(s); broken != nil {
		return id, broken, nil
	}
	id, err = b.Fields.UnmarshalService(s.Data, m)
	broken, err = apart(err)
	return id, broken, err
}

// apart separates exceeded bounds from other errors.
func apart(err error) (broken, other error) {
	if errors.Is(err, cdr.ErrBound) {
		return err, nil
	}
	return nil, err
}
