package mcap

import (
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// unpackers keep what uncompresses a chunk, for the next one.
type unpackers struct {
	zstd *zstd.Decoder
	lz4  *lz4.Reader
}

// open returns the uncompressed bytes of r, until the next call.
func (u *unpackers) open(compression string, r io.Reader) (io.Reader, error) {
	switch compression {
	case "", "none":
		return r, nil
	case "zstd":
		if u.zstd == nil {
			var err error
			if u.zstd, err = NewZstd(); err != nil {
				return nil, err
			}
		}
		return u.zstd, u.zstd.Reset(r)
	case "lz4":
		if u.lz4 == nil {
			u.lz4 = lz4.NewReader(nil)
		}
		u.lz4.Reset(r)
		return u.lz4, nil
	}
	return nil, fmt.Errorf("a chunk is compressed by %q, which is not known: convert the file with mcap compress --compression zstd", compression)
}

func (u *unpackers) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}

// NewZstd returns a decoder of bounded memory that starts no goroutines. Reset sets what it
// reads.
func NewZstd() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(limit.BagWindowBytes))
}
