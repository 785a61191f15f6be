package cdr

import "errors"

// ErrBound is wrapped by the error about a message that is well formed but breaks a
// bound of its reader.
var ErrBound = errors.New("a bound of this reader")

// Bounds are what a reader holds against senders, besides the bounds of the message's
// definition. Zero is no bound.
type Bounds struct {
	String   int // bytes of each string
	Elements int // of each sequence
}

// Unmarshal is the function Unmarshal within bounds: more is an error that wraps
// ErrBound, before anything is allocated for it.
func (b Bounds) Unmarshal(data []byte, m Message) error {
	_, err := unmarshalWith(data, m, false, Reader{bounds: b})
	return err
}

// UnmarshalService is the function UnmarshalService within bounds.
func (b Bounds) UnmarshalService(data []byte, m Message) (RequestID, error) {
	return unmarshalWith(data, m, true, Reader{bounds: b})
}

// Head decodes as many fields of m, which is new, as there are before data ends or
// breaks a bound of a sequence; the others stay zero. Strings are cut at their bound. It
// tells who sent a message that is refused, not what the message says.
func (b Bounds) Head(data []byte, m Message) {
	unmarshalWith(data, m, false, Reader{bounds: b, head: true})
}

// HeadService is Head of a request or reply; an error means that even its RequestID is
// not there.
func (b Bounds) HeadService(data []byte, m Message) (RequestID, error) {
	id, _ := unmarshalWith(data, m, true, Reader{bounds: b, head: true})
	if len(data) < headerSize+RequestIDSize {
		return id, errors.New("there is no request id")
	}
	return id, nil
}
