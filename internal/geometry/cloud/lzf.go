package cloud

import (
	"errors"
	"fmt"
)

// lzfRatio bounds how much LZF can save: three bytes make at most 264.
const lzfRatio = 88

var errLZF = errors.New("the compressed points are damaged: export or copy the file again")

// unpackLZF returns the size bytes that were compressed by LibLZF.
//
// A byte below 32 is followed by so many bytes, and one, to take as they are. Any other begins
// a copy of what has been unpacked: its upper three bits are the length less 2, 7 standing for
// a further byte to add; its lower five bits and the next byte are the distance less 1.
func unpackLZF(in []byte, size int) ([]byte, error) {
	if size > len(in)*lzfRatio {
		return nil, fmt.Errorf("%d bytes cannot unpack to %d: damaged; export or copy the file again", len(in), size)
	}
	out := make([]byte, 0, size)
	for len(in) > 0 {
		control := int(in[0])
		in = in[1:]
		if control < 32 {
			n := control + 1
			if n > len(in) || len(out)+n > size {
				return nil, errLZF
			}
			out = append(out, in[:n]...)
			in = in[n:]
			continue
		}
		n := control >> 5
		if n == 7 {
			if len(in) == 0 {
				return nil, errLZF
			}
			n += int(in[0])
			in = in[1:]
		}
		if len(in) == 0 {
			return nil, errLZF
		}
		from := len(out) - (control&31)<<8 - int(in[0]) - 1
		in = in[1:]
		n += 2
		if from < 0 || len(out)+n > size {
			return nil, errLZF
		}
		for i := range n { // one by one: it may repeat what it writes
			out = append(out, out[from+i])
		}
	}
	if len(out) != size {
		return nil, errLZF
	}
	return out, nil
}
