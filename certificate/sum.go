package certificate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// sumLine is the last line of a certificate: the sum of all lines before it, each with
// the line feed that ends it.
func sumLine(sum []byte) string { return "sum " + hex.EncodeToString(sum) }

// Seal returns the text with the sum that belongs to it as its last line, in place of
// the one it has. A sum finds what was changed by accident; it keeps nobody from
// changing a certificate and its sum, which is why package verify believes neither.
func Seal(text []byte) []byte {
	if at := bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n') + 1; bytes.HasPrefix(text[at:], []byte("sum ")) {
		text = text[:at]
	}
	sum := sha256.Sum256(text)
	return append(bytes.Clone(text), sumLine(sum[:])+"\n"...)
}

// checkSum fails on a last line that is not the sum of those before.
func checkSum(line string, sum []byte) error {
	if line != sumLine(sum) {
		return fmt.Errorf("the sum of its lines is not the one it ends with: it was changed after it was written, ask for it again")
	}
	return nil
}
