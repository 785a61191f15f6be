// Package viewer has the pages that show a report in a browser: our modules in src, bundled with
// three and uPlot into viewer.js and viewer.css, which are generated (make viewer) and embedded,
// so that neither building nor running the program needs Node.
package viewer

import (
	"bytes"
	_ "embed" // viewer.js and viewer.css
	"encoding/base64"
	"encoding/xml"
	"io"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/show"
)

// Script defines the global `firstcontact` with what src/main.js exports.
//
//go:embed viewer.js
var Script string

// Style is the style sheet of pages.
//
//go:embed viewer.css
var Style string

//go:embed page.html
var page string

// Write writes a report as one HTML file that needs no server, no network and no other file.
func Write(w io.Writer, title string, r *show.Report) error {
	var data, text bytes.Buffer
	if err := show.Encode(&data, r); err != nil {
		return err
	}
	if err := xml.EscapeText(&text, []byte(title)); err != nil {
		return err
	}
	// Only the title is not ours, or base64.
	_, err := strings.NewReplacer(
		"{{title}}", text.String(), "{{style}}", Style, "{{script}}", Script,
		"{{data}}", base64.StdEncoding.EncodeToString(data.Bytes()),
	).WriteString(w, page)
	return err
}
