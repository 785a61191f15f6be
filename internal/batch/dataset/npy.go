package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// array is an array of NumPy's format: numbers, or texts.
type array struct {
	shape   []int
	numbers []float64
	texts   []string
}

// maxElements bounds the numbers of one array.
const maxElements = 1 << 28

var (
	descr   = regexp.MustCompile(`'descr':\s*'([<>|=]?)([fiubU])(\d+)'`)
	fortran = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	dims    = regexp.MustCompile(`'shape':\s*\(([0-9, ]*)\)`)
)

// parseNPY reads a file in NumPy's format NPY, versions 1 to 3. Arrays of Python objects are refused: reading
// them would run code.
func parseNPY(data []byte) (*array, error) {
	if len(data) < 10 || string(data[:6]) != "\x93NUMPY" {
		return nil, errors.New("is no array of NumPy")
	}
	size, at := int(binary.LittleEndian.Uint16(data[8:])), 10
	if data[6] > 1 {
		if len(data) < 12 {
			return nil, errors.New("is cut short")
		}
		size, at = int(binary.LittleEndian.Uint32(data[8:])), 12
	}
	if size < 0 || at+size > len(data) {
		return nil, errors.New("is cut short")
	}
	header, body := string(data[at:at+size]), data[at+size:]
	kind := descr.FindStringSubmatch(header)
	order, shape := fortran.FindStringSubmatch(header), dims.FindStringSubmatch(header)
	switch {
	case strings.Contains(header, "'|O'"):
		return nil, errors.New("holds Python objects, which are not read: save it with a plain dtype")
	case kind == nil || order == nil || shape == nil:
		return nil, errors.New("has a type that is not read: save it as float32, float64, an integer or text")
	case order[1] == "True":
		return nil, errors.New("is in Fortran order: save it in C order")
	}
	a := &array{}
	n := 1
	for part := range strings.SplitSeq(shape[1], ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		d, err := strconv.Atoi(part)
		if err != nil || d > maxElements || d > 0 && n > maxElements/d {
			return nil, fmt.Errorf("of shape (%s) is too large", shape[1])
		}
		a.shape, n = append(a.shape, d), n*d
	}
	width, err := strconv.Atoi(kind[3])
	if err != nil || width < 1 || width > 1<<16 {
		return nil, errors.New("has a type that is not read")
	}
	return a, a.fill(body, n, kind[2]+kind[3], width, kind[1] == ">")
}

// fill reads the elements.
func (a *array) fill(body []byte, n int, kind string, width int, big bool) error {
	order := binary.ByteOrder(binary.LittleEndian)
	if big {
		order = binary.BigEndian
	}
	text := kind[0] == 'U'
	if text {
		width *= 4
	}
	if len(body)/width < n || len(body) != n*width {
		return fmt.Errorf("has %d bytes where %d elements of %d bytes are announced", len(body), n, width)
	}
	if text {
		a.texts = make([]string, n)
		for i := range a.texts {
			a.texts[i] = runes(body[i*width:(i+1)*width], order)
		}
		return nil
	}
	read := map[string]func([]byte) float64{
		"f4": func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) },
		"f8": func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) },
		"i1": func(b []byte) float64 { return float64(int8(b[0])) },
		"u1": func(b []byte) float64 { return float64(b[0]) },
		"i2": func(b []byte) float64 { return float64(int16(order.Uint16(b))) },
		"u2": func(b []byte) float64 { return float64(order.Uint16(b)) },
		"i4": func(b []byte) float64 { return float64(int32(order.Uint32(b))) },
		"u4": func(b []byte) float64 { return float64(order.Uint32(b)) },
		"i8": func(b []byte) float64 { return float64(int64(order.Uint64(b))) },
		"u8": func(b []byte) float64 { return float64(order.Uint64(b)) },
	}[kind]
	if read == nil {
		return fmt.Errorf("has elements of type %s, which are not read: save it as float32, float64, an integer or text", kind)
	}
	a.numbers = make([]float64, n)
	for i := range a.numbers {
		a.numbers[i] = read(body[i*width:])
	}
	return nil
}

// runes reads a text of UCS-4, which zeros fill up.
func runes(b []byte, order binary.ByteOrder) string {
	var out []rune
	for ; len(b) >= 4; b = b[4:] {
		if r := order.Uint32(b); r != 0 {
			out = append(out, rune(r))
		}
	}
	return string(out)
}

// rows returns an array of two dimensions by rows, which share its memory.
func (a *array) rows() ([][]float64, error) {
	if len(a.shape) != 2 || a.numbers == nil {
		return nil, fmt.Errorf("has shape %v: an array of numbers with two dimensions is needed", a.shape)
	}
	out := make([][]float64, a.shape[0])
	for i := range out {
		out[i] = a.numbers[i*a.shape[1] : (i+1)*a.shape[1] : (i+1)*a.shape[1]]
	}
	return out, nil
}
