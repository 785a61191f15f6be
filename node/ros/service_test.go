package ros

import (
	"strings"
	"testing"
)

// TestClientOfARequest reads a request only if the user data of its writer say that
// the client's id comes before the body.
func TestClientOfARequest(t *testing.T) {
	cyclone, fast, old, none := GUID{0x01, 0x10, 7}, GUID{0x01, 0x0f, 7}, GUID{192, 168, 0, 7}, GUID{}
	announced := "clientid= 1.10.7;typehash=RIHS01_00;"
	for _, c := range []struct {
		name    string
		writer  GUID
		matches []Match
		says    string // of the error; empty: it is read
	}{
		{"rmw_cyclonedds", cyclone, []Match{{cyclone, announced}}, ""},
		{"a GUID without a vendor", old, []Match{{old, announced}}, ""},
		{"no vendor and no client", old, []Match{{old, ""}}, "no clientid"},
		{"among others", cyclone, []Match{{fast, ""}, {cyclone, announced}}, ""},
		{"rmw_fastrtps", fast, []Match{{fast, "typehash=RIHS01_00;"}}, "vendor 01.0f"},
		{"another vendor that announces a client", fast, []Match{{fast, announced}}, ""},
		{"no client", cyclone, []Match{{cyclone, "typehash=RIHS01_00;"}}, "no clientid"},
		{"an empty client", cyclone, []Match{{cyclone, "clientid=;"}}, "no clientid"},
		{"a writer that is gone", cyclone, []Match{{fast, announced}}, "gone"},
		{"a transport that cannot tell", none, []Match{{cyclone, announced}}, "gone"},
		{"nobody", none, nil, "gone"},
	} {
		client, err := clientOf(c.writer, c.matches)
		switch {
		case c.says == "" && (err != nil || client != " 1.10.7"):
			t.Errorf("%s: client %q, %v", c.name, client, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}
