// Command write puts workloads of the papers into folders, one for each, with the
// files that firstcontact check takes and a picture.
//
//	go run -C lab ./papers/workload/write FOLDER [NAME...]
//
// Without names it writes all of them, which takes some minutes.
package main

import (
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"

	"github.com/firstcontact-ros/firstcontact/lab/papers/workload"
)

func main() {
	motions := flag.Int("motions", 0, "how many motions a set has at most (0: as many as the paper)")
	scale := flag.Float64("scale", 1, "multiplies the number of triangles")
	azimuth := flag.Float64("azimuth", -35, "from where pictures are taken, in degrees from x towards y")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: write [flags] FOLDER [NAME...]")
		flag.PrintDefaults()
		fmt.Fprintln(os.Stderr, "names:", workload.Names())
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	names := flag.Args()[1:]
	if len(names) == 0 {
		names = workload.Names()
	}
	for _, name := range names {
		if err := write(filepath.Join(flag.Arg(0), name), name, *azimuth, workload.Options{Scale: *scale, Motions: *motions}); err != nil {
			fmt.Fprintln(os.Stderr, "write:", err)
			os.Exit(1)
		}
	}
}

// write makes one workload and its folder.
func write(folder, name string, azimuth float64, opts workload.Options) error {
	w, err := workload.ByName(name, opts)
	if err != nil {
		return err
	}
	if err := w.Write(folder); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(folder, "picture.png"))
	if err != nil {
		return err
	}
	defer file.Close()
	if err := png.Encode(file, w.Picture(w.Motions[len(w.Motions)/2].At(0), azimuth, 800, 600)); err != nil {
		return err
	}
	fmt.Printf("%s: %d motions in %s\n", name, len(w.Motions), folder)
	return file.Close()
}
