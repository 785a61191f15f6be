package main

import (
	"bytes"
	"encoding/binary"

	"gonum.org/v1/gonum/spatial/r3"
)

// stl writes the mesh as binary STL, in metres.
func (m *triMesh) stl(name string) []byte {
	var b bytes.Buffer
	var header [80]byte
	copy(header[:], "firstcontact test model: "+name)
	b.Write(header[:])
	put := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) } // a Buffer does not fail
	put(uint32(len(m.triangles)))
	for _, t := range m.triangles {
		put(single(r3.Unit(r3.Cross(r3.Sub(t[1], t[0]), r3.Sub(t[2], t[0])))))
		for _, v := range t {
			put(single(v))
		}
		put(uint16(0))
	}
	return b.Bytes()
}

func single(v vec) [3]float32 {
	// Adding 0 turns the -0 of sines and cosines into 0.
	return [3]float32{float32(v.X) + 0, float32(v.Y) + 0, float32(v.Z) + 0}
}
