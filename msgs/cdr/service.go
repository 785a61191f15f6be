package cdr

// RequestID tells a service's calls apart. rmw_cyclonedds sends it before the
// body of every request, and a reply repeats it; rmw_fastrtps carries the same
// beside the body, which is why the services of the two do not meet.
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
// body. A sample too short to hold both, as one of rmw_fastrtps mostly is, is an
// error.
func UnmarshalService(data []byte, m Message) (RequestID, error) {
	return unmarshalWith(data, m, true)
}
