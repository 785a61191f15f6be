package infile

import (
	"os"
	"strings"
)

// CutSelector splits a name such as file.json#set/index into the file and what is selected of
// its content. A file of that whole name has precedence.
func CutSelector(name string) (file, selector string) {
	i := strings.LastIndexByte(name, '#')
	if i < 0 {
		return name, ""
	}
	if _, err := os.Stat(name); err == nil {
		return name, ""
	}
	return name[:i], name[i+1:]
}
