package mesh

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// A binary STL file is a header of 80 bytes, a count, and 50 bytes for each
// triangle: a normal, three corners, and two bytes of colour or nothing.
const (
	stlHeader   = 84
	stlTriangle = 50
)

func isBinarySTL(data []byte) bool {
	return len(data) >= stlHeader && stlSize(data) == int64(len(data))
}

// stlSize is the size of the declared triangles.
func stlSize(data []byte) int64 {
	return stlHeader + stlTriangle*int64(binary.LittleEndian.Uint32(data[80:]))
}

func readBinarySTL(b *builder, data []byte) error {
	if len(data) < stlHeader {
		return fmt.Errorf("%d bytes are too short for an STL file: export or copy it again", len(data))
	}
	if want := stlSize(data); want != int64(len(data)) {
		return fmt.Errorf("it declares %d triangles, which need %d bytes, but has %d: truncated or damaged; export or copy it again",
			binary.LittleEndian.Uint32(data[80:]), want, len(data))
	}
	n := (len(data) - stlHeader) / stlTriangle
	if n > b.lim.triangles {
		return fmt.Errorf("%d triangles exceed %d: simplify the mesh or split it", n, b.lim.triangles)
	}
	b.expect(n)
	for t := range n {
		rec := data[stlHeader+stlTriangle*t+12:] // past the normal
		var idx [3]int32
		for c := range idx {
			v := geom.Vec{X: float32At(rec, 12*c), Y: float32At(rec, 12*c+4), Z: float32At(rec, 12*c+8)}
			i, err := b.vertex(v)
			if err != nil {
				return fmt.Errorf("triangle %d: %w", t, err)
			}
			idx[c] = i
		}
		if err := b.triangle(idx[0], idx[1], idx[2]); err != nil {
			return err
		}
	}
	return nil
}

func float32At(p []byte, i int) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(p[i:])))
}

// readASCIISTL reads one or more solids. Normals are skipped: they follow from the corners,
// and exporters write "nan" for slivers.
func readASCIISTL(b *builder, data []byte) error {
	s := newScanner(data)
	for {
		w := s.word()
		if w == "" {
			return nil
		}
		if !strings.EqualFold(w, "solid") {
			return s.errorf("found %.40q, expected \"solid\"", w)
		}
		s.nextLine() // the name, any words
		if err := readSolid(b, s); err != nil {
			return s.errorf("%w", err)
		}
	}
}

var errCutShort = errors.New("the file ends without \"endsolid\": truncated; export or copy it again")

func readSolid(b *builder, s *scanner) error {
	for {
		w := s.word()
		switch {
		case w == "":
			return errCutShort
		case strings.EqualFold(w, "endsolid"):
			s.nextLine()
			return nil
		case !strings.EqualFold(w, "facet"):
			return fmt.Errorf("found %.40q, expected \"facet\" or \"endsolid\"", w)
		}
		if err := readFacet(b, s); err != nil {
			return err
		}
	}
}

func readFacet(b *builder, s *scanner) error {
	if err := expect(s, "normal"); err != nil {
		return err
	}
	for range 3 {
		s.word() // any word; a file truncated here fails at the next line
	}
	if err := expect(s, "outer", "loop"); err != nil {
		return err
	}
	var idx [3]int32
	for c := range idx {
		if err := expect(s, "vertex"); err != nil {
			return err
		}
		v, err := vec(s.word)
		if err != nil {
			return err
		}
		if idx[c], err = b.vertex(v); err != nil {
			return err
		}
	}
	if err := expect(s, "endloop", "endfacet"); err != nil {
		return err
	}
	return b.triangle(idx[0], idx[1], idx[2])
}

func expect(s *scanner, words ...string) error {
	for _, want := range words {
		w := s.word()
		if w == "" {
			return errCutShort
		}
		if !strings.EqualFold(w, want) {
			return fmt.Errorf("found %.40q, expected %q", w, want)
		}
	}
	return nil
}
