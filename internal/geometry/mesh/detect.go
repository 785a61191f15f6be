package mesh

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/geometry/ply"
)

// reader reads one format into a builder.
type reader func(*builder, []byte) error

// detect identifies the format by content first: extensions may be wrong, and the content of
// the formats is distinctive. A file is binary STL exactly if the triangle count at byte 80
// fits its size; text cannot, because four text bytes read as a count of 10^8 and more, a file
// beyond every limit here.
func detect(name string, data []byte) (reader, error) {
	ext := strings.ToLower(filepath.Ext(name))
	text := isText(data)
	switch {
	case len(data) == 0:
		return nil, errors.New("the file is empty: export or copy it again")
	case isGLB(data):
		return readGLB, nil
	case ply.Is(data):
		return readPLY, nil
	case isBinarySTL(data):
		return readBinarySTL, nil
	case text && startsWithSolid(data):
		return readASCIISTL, nil
	case text && bytes.Contains(head(data), []byte("<COLLADA")):
		return readCollada, nil
	case foreignContent(data) != nil:
		return nil, foreignContent(data)
	case text && looksLikeGLTF(data):
		return readGLTF, nil
	case text && (ext == ".obj" || startsLikeOBJ(data)):
		return readOBJ, nil
	case ext == ".obj":
		return nil, errors.New("not text, so not OBJ: export or copy it again")
	case ext == ".stl" || ext == ".stlb" || ext == ".stla":
		return readBinarySTL, nil // which reports the error
	case ext == ".dae":
		return readCollada, nil // likewise
	case ext == ".gltf":
		return readGLTF, nil // likewise
	case ext == ".glb":
		return readGLB, nil // likewise
	}
	return nil, unsupported(name, data)
}

// head is the part of a file that identifies its format.
func head(data []byte) []byte { return data[:min(len(data), 64<<10)] }

// isText holds for data without a zero byte where every binary file has one.
func isText(data []byte) bool { return bytes.IndexByte(data[:min(len(data), 512)], 0) < 0 }

// startsWithSolid identifies ASCII STL. Many binary files start with the same word, but they
// are not text: their triangle count has zero bytes.
func startsWithSolid(data []byte) bool {
	return strings.EqualFold(newScanner(head(data)).word(), "solid")
}

func startsLikeOBJ(data []byte) bool {
	s := newScanner(head(data))
	for {
		switch w := s.word(); w {
		case "v", "vn", "vt", "o", "g", "mtllib", "usemtl", "s":
			return true
		default:
			if w == "" || w[0] != '#' {
				return false
			}
			s.nextLine()
		}
	}
}
