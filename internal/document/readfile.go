package document

import (
	"fmt"
	"io"
	"os"
)

// MaxFile bounds the size in bytes of the files that are read whole.
const MaxFile = 256 << 20

// ReadFile returns the content of a regular file of at most MaxFile bytes.
// Pipes and devices are refused, as they may never end.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path) // before opening: that may block on a pipe
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is not a regular file", path)
	}
	tooLarge := fmt.Errorf("%s: is larger than %d MiB, the most that is read", path, MaxFile>>20)
	if info.Size() > MaxFile {
		return nil, tooLarge
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxFile {
		return nil, tooLarge
	}
	return data, nil
}
