package cdr

// RequestID tells a service's calls apart. rmw_cyclonedds sends it before the
// body of every request, and a reply repeats it. rmw_fastrtps carries the same
// in the sample's inline QoS and sends the body alone, which is why the services
// of the two do not meet.
type RequestID struct {
	Client   uint64 // identifies the client; a server repeats it as it came
	Sequence int64  // counts the client's calls
}

// RequestIDSize is the number of bytes that a RequestID takes. It is a multiple
// of 8, so that the body is aligned as if it stood alone.
const RequestIDSize = 16

// AppendService appends the encoding of a request or reply to dst: the header,
// id, and the body m. Errors are those of AppendMarshal.
func AppendService(dst []byte, id RequestID, m Message) ([]byte, error) {
	return appendWith(dst, m, &id)
}

// UnmarshalService decodes a request or reply with the RequestID before its
// body. The bytes do not tell whether there is a RequestID: of a sample without
// one the first 16 bytes are taken for it, and what follows may decode as
// another message. So the caller must know from the sample's writer that it
// sends one.
func UnmarshalService(data []byte, m Message) (RequestID, error) {
	return unmarshalWith(data, m, true, Reader{})
}
