package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("house: ")
	var o options
	flag.StringVar(&o.dir, "C", "..", "the checkout to measure")
	lab := flag.String("lab", "lab", "folders that are no part of the product, separated by commas")
	rooms := flag.String("rooms", "", "rooms from the ground up, separated by commas (default: the table rooms of deps_test.go)")
	flag.IntVar(&o.top, "top", 10, "how many of the longest functions, files and parameter lists to print")
	files := flag.String("files", "", "print only the upward arrows between the files of these packages, separated by commas")
	flag.Parse()
	o.lab, o.rooms, o.files = list(*lab), list(*rooms), list(*files)
	if err := measure(os.Stdout, o); err != nil {
		log.Fatal(err)
	}
}

type options struct {
	dir               string
	lab, rooms, files []string
	top               int
}

// list splits a list at its commas.
func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// measure writes all figures of a checkout.
func measure(w io.Writer, o options) error {
	s, err := readSource(o.dir, o.lab)
	if err != nil {
		return err
	}
	if o.files != nil {
		return s.writeArrows(w, o.files)
	}
	s.writeLines(w)
	s.writePublic(w)
	s.writeLongest(w, o.top)
	if err := s.writeRooms(w, o.rooms); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return s.writeLayers(w)
}
