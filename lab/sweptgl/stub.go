//go:build !gl || !cgo

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "sweptgl: built without graphics: go run -tags gl ./sweptgl")
	os.Exit(1)
}
