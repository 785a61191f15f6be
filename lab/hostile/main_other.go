//go:build !linux

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "hostile: it stops processes by signals and reads /proc, so it needs Linux")
	os.Exit(1)
}
