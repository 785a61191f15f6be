package answer

import (
	"bytes"
	"encoding/xml"
)

// Escaped returns text as XML and HTML have it.
func Escaped(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer never fails
	return b.String()
}
