package main

import (
	"bytes"
	"encoding/xml"
)

// escaped returns text as XML and HTML have it.
func escaped(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer never fails
	return b.String()
}
