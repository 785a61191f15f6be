// Command shot takes a picture of a page, as PNG, and prints what the page complains of:
//
//	shot URL FILE [WIDTH [HEIGHT [EXPRESSION]]]
//
// Without a height it shows the page down to its end. The expression, of JavaScript, is evaluated
// before.
package main

import (
	"context"
	"fmt"
	"image/png"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
	"github.com/firstcontact-ros/firstcontact/lab/browser"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) (err error) {
	if len(args) < 2 || len(args) > 5 {
		return fmt.Errorf("usage: shot URL FILE [WIDTH [HEIGHT [EXPRESSION]]]")
	}
	size := [2]int{1280, 900}
	for i := range size {
		if len(args) > 2+i {
			if size[i], err = strconv.Atoi(args[2+i]); err != nil {
				return err
			}
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	b, err := browser.Start()
	if err != nil {
		return err
	}
	defer b.Close()
	p, err := b.Open(ctx, args[0], size[0], size[1])
	if err != nil {
		return err
	}
	if len(args) > 4 {
		if err := p.Eval(ctx, args[4], nil); err != nil {
			return err
		}
	}
	time.Sleep(time.Second) // what the page does late
	for _, problem := range p.Problems() {
		fmt.Fprintln(os.Stderr, problem)
	}
	img, err := p.Screenshot(ctx, len(args) < 4)
	if err != nil {
		return err
	}
	return outfile.Write(args[1], func(w io.Writer) error { return png.Encode(w, img) })
}
