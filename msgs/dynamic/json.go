package dynamic

import (
	"encoding/json"
	"math"
	"strconv"
)

// AppendJSON appends the message as JSON, on one line. A number that is not finite, which
// JSON lacks, becomes a string, such as "NaN".
func (m Message) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	for i, f := range m {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, f.Name)
		b = append(b, ':')
		b = appendValue(b, f.Value)
	}
	return append(b, '}')
}

func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case Message:
		return v.AppendJSON(b)
	case bool:
		return strconv.AppendBool(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case uint64:
		return strconv.AppendUint(b, v, 10)
	case float64:
		return appendFloat(b, v)
	case string:
		return appendText(b, v)
	case []Message:
		return appendList(b, v)
	case []bool:
		return appendList(b, v)
	case []int64:
		return appendList(b, v)
	case []uint64:
		return appendList(b, v)
	case []float64:
		return appendList(b, v)
	case []string:
		return appendList(b, v)
	}
	return append(b, "null"...)
}

func appendList[T any](b []byte, list []T) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendValue(b, v)
	}
	return append(b, ']')
}

func appendFloat(b []byte, x float64) []byte {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return appendText(b, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

func appendText(b []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil { // never for a string
		return append(b, `""`...)
	}
	return append(b, text...)
}
