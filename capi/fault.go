package main

// #include "include/firstcontact.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

// text is where the reason of an error is written, for fc_error.
type text struct {
	at   *C.char
	size C.size_t
}

// errMisuse says that the call itself is wrong, whatever its subject.
type errMisuse string

func (e errMisuse) Error() string { return string(e) }

// errNull says that a handle is NULL, mostly because the call that should have made it failed.
type errNull struct{ errMisuse }

func (e errNull) Unwrap() error { return e.errMisuse }

// errReserved says that a field has no meaning yet: that of a later version would be lost.
func errReserved(what string, value C.int32_t) error {
	return errMisuse(fmt.Sprintf("%s.reserved is %d: give 0; it has a meaning only to another version of the library", what, int32(value)))
}

// guard answers a call: with the code of its error, or of a panic, whose text it writes.
func guard(call string, t text, of func() error) (code C.int) {
	defer func() {
		if r := recover(); r != nil {
			code = C.FC_INTERNAL
			t.write(fmt.Sprintf("%s: a defect of the library, please report it: %v", call, r))
		}
	}()
	err := of()
	if err == nil {
		return C.FC_OK
	}
	reason := call + ": " + err.Error()
	var null errNull
	if errors.As(err, &null) && t.at != nil && *t.at != 0 {
		reason += " (the error before this one: " + C.GoString(t.at) + ")"
	}
	t.write(reason)
	var misuse errMisuse
	if errors.As(err, &misuse) {
		return C.FC_MISUSE
	}
	return C.FC_INPUT
}

// guardNew is guard for calls that make something: it returns its handle, after an error the code,
// which is smaller than any handle.
func guardNew(call string, t text, of func() (any, error)) C.uintptr_t {
	var number uintptr
	code := guard(call, t, func() error {
		made, err := of()
		if err != nil {
			return err
		}
		if number = handles.Put(made); number == 0 {
			return errMisuse("too many handles: free those that are not needed")
		}
		return nil
	})
	if code != C.FC_OK {
		return C.uintptr_t(code)
	}
	return C.uintptr_t(number)
}

func (t text) write(s string) {
	if t.at == nil || t.size == 0 {
		return
	}
	fill(unsafe.Slice((*byte)(unsafe.Pointer(t.at)), t.size), s)
}

// fill writes s with a final NUL into room, cut where a letter ends.
func fill(room []byte, s string) {
	n := len(s)
	if n > len(room)-1 {
		for n = len(room) - 1; n > 0 && s[n]&0xC0 == 0x80; n-- {
		}
	}
	copy(room, s[:n])
	room[n] = 0
}

// put writes a name or a text into an array of C.
func put(room []C.char, s string) {
	fill(unsafe.Slice((*byte)(unsafe.Pointer(&room[0])), len(room)), s)
}

// take returns what a handle stands for.
func take[T any](what string, h C.uintptr_t) (T, error) {
	value, ok := handles.Get(uintptr(h)).(T)
	if !ok {
		return value, noHandle(what, h)
	}
	return value, nil
}

func noHandle(what string, h C.uintptr_t) error {
	if h == 0 {
		return errNull{errMisuse(what + " is NULL: give one that was made and not freed")}
	}
	if handles.Get(uintptr(h)) != nil {
		return errMisuse(what + " is a handle of another kind")
	}
	return errMisuse(what + " is no handle, or was freed")
}

// free gives a handle of one kind back.
func free[T any](what string, h C.uintptr_t) error {
	if h == 0 {
		return nil
	}
	if _, err := take[T](what, h); err != nil {
		return err
	}
	if handles.Take(uintptr(h)) == nil { // somebody else was faster
		return noHandle(what, h)
	}
	return nil
}

// most strings of a list, so that one without an end is noticed, mostly.
const mostStrings = 1 << 20

// list returns the strings of a list that ends with NULL.
func list(what string, at C.fc_strings) ([]string, error) {
	if at == nil {
		return nil, nil
	}
	var out []string
	for i := range mostStrings {
		s := *(**C.char)(unsafe.Add(unsafe.Pointer(at), uintptr(i)*unsafe.Sizeof(at)))
		if s == nil {
			return out, nil
		}
		out = append(out, C.GoString(s))
	}
	return nil, errMisuse(fmt.Sprintf("%s has more than %d strings: a list ends with NULL", what, mostStrings))
}

// pairs returns the pairs of a list of names.
func pairs(what string, at C.fc_strings) ([][2]string, error) {
	names, err := list(what, at)
	if err != nil {
		return nil, err
	}
	if len(names)%2 != 0 {
		return nil, errMisuse(fmt.Sprintf("%s has %d names: give pairs", what, len(names)))
	}
	var out [][2]string
	for i := 0; i < len(names); i += 2 {
		out = append(out, [2]string{names[i], names[i+1]})
	}
	return out, nil
}

// named returns the numbers at as many names.
func named(what string, at C.fc_strings, numbers *C.double) (map[string]float64, error) {
	names, err := list(what, at)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	if numbers == nil {
		return nil, errMisuse(what + " has names, but the numbers that belong to them are NULL")
	}
	out := map[string]float64{}
	for i, x := range floats(numbers, len(names)) {
		if _, twice := out[names[i]]; twice {
			return nil, errMisuse(fmt.Sprintf("%s names %s twice", what, names[i]))
		}
		out[names[i]] = x
	}
	return out, nil
}

// floats returns n numbers of the caller's memory.
func floats(at *C.double, n int) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(at)), n)
}

// needed returns a string that must be given.
func needed(what string, s *C.char) (string, error) {
	if s == nil {
		return "", errMisuse(what + " is NULL")
	}
	return C.GoString(s), nil
}

// optional returns a string that may be NULL, but not empty: a variable that was not set would read as none.
func optional(what string, s *C.char) (string, error) {
	if s != nil && *s == 0 {
		return "", errMisuse(what + " is an empty text: give NULL where there is none")
	}
	return C.GoString(s), nil
}

// sized checks the size that a structure says it has. Those of later versions of the header are
// longer.
func sized(what string, size C.size_t, want uintptr) error {
	if uintptr(size) != want {
		return errMisuse(fmt.Sprintf("%s.size is %d instead of %d: make it with the %s_default of the header, of the library's version",
			what, uint64(size), want, what))
	}
	return nil
}
