package msgs_test

import (
	"bytes"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// FuzzDecode decodes arbitrary bytes as any of the messages, alone or as one half
// of a service's call. Nothing may panic
// or hold more memory than the input accounts for, and what decodes must encode
// to bytes that decode to the same.
func FuzzDecode(f *testing.F) {
	all := allMessages()
	for i, m := range all {
		f.Add(uint8(i), i%2 == 0, cdr.Marshal(m))
	}
	for _, c := range golden {
		for i, m := range all {
			if m.ROSType() == c.message.ROSType() {
				f.Add(uint8(i), false, c.data)
			}
		}
	}
	f.Add(uint8(0), false, []byte{0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Fuzz(func(t *testing.T, which uint8, service bool, data []byte) {
		m := fresh(all[int(which)%len(all)])
		var err error
		if service {
			_, err = cdr.UnmarshalService(data, m)
		} else {
			err = cdr.Unmarshal(data, m)
		}
		checkHeld(t, m, data)
		if err != nil {
			return
		}
		encoded, err := cdr.AppendMarshal(nil, m)
		if err != nil {
			t.Fatalf("%+v decodes but does not encode: %v", m, err)
		}
		again := fresh(m)
		if err := cdr.Unmarshal(encoded, again); err != nil {
			t.Fatalf("%+v encodes but does not decode: %v", m, err)
		}
		if twice := cdr.Marshal(again); !bytes.Equal(twice, encoded) {
			t.Fatalf("%+v\nfirst  %x\nsecond %x", m, encoded, twice)
		}
	})
}
