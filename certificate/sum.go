package certificate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// sumLine is the last line of a certificate: the sum of all lines before it, each with its
// line feed.
func sumLine(sum []byte) string { return "sum " + hex.EncodeToString(sum) }

// Seal returns the text with the correct sum as its last line, replacing an existing one. A
// sum detects accidental changes. It does not prevent anyone from changing both a certificate
// and its sum, so package verify relies on neither.
func Seal(text []byte) []byte {
	if at := bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n') + 1; bytes.HasPrefix(text[at:], []byte("sum ")) {
		text = text[:at]
	}
	sum := sha256.Sum256(text)
	return append(bytes.Clone(text), sumLine(sum[:])+"\n"...)
}

// checkSum fails if the last line is not the sum of the lines before it.
func checkSum(line string, sum []byte) error {
	if line != sumLine(sum) {
		return fmt.Errorf("the checksum of its lines does not match its last line: it was modified after it was written; get it again")
	}
	return nil
}
