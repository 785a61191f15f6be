package ros

import (
	"errors"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// Bounds are what a subscription or service takes of a message.
type Bounds struct {
	// Bytes of the whole message. Beyond it nothing is kept but the head.
	Bytes int
	// Fields bounds the strings and sequences in it.
	Fields cdr.Bounds
	// Admit, where not nil, is asked before a message is decoded; after an error,
	// which should wrap ErrBusy, nothing is read but the head.
	Admit func(participant GUID, bytes int) error
}

// MessageBounds hold where nothing else is said.
var MessageBounds = Bounds{Bytes: limit.MessageBytes, Fields: cdr.Bounds{String: limit.StringBytes, Elements: limit.SequenceElements}}

// ErrBusy is wrapped by the error about a message that cannot be read only because
// others wait.
var ErrBusy = errors.New("too many bytes of messages wait already")

// whole returns an error where the sample is too large, or only the head of a message.
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

// decode reads a message. Where it breaks the bounds, or is not here as a whole, broken
// tells, and m is of no use; anything else that is wrong is err.
func (b Bounds) decode(s Sample, m cdr.Message) (broken, err error) {
	if broken := b.whole(s); broken != nil {
		return broken, nil
	}
	return apart(b.Fields.Unmarshal(s.Data, m))
}

// decodeRequest is decode of a request, with its id.
func (b Bounds) decodeRequest(s Sample, m cdr.Message) (id cdr.RequestID, broken, err error) {
	if broken := b.whole(s); broken != nil {
		return id, broken, nil
	}
	id, err = b.Fields.UnmarshalService(s.Data, m)
	broken, err = apart(err)
	return id, broken, err
}

// apart tells broken bounds from what else may be wrong.
func apart(err error) (broken, other error) {
	if errors.Is(err, cdr.ErrBound) {
		return err, nil
	}
	return nil, err
}
