package firstcontact_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// bulky lists functions whose presence in the command costs megabytes, with what they bring. Imports do
// not tell: a package that is imported for little is linked for little.
var bulky = map[string]string{
	"reflect.Value.MethodByName":                 "methods are called by names that only the running program knows, as text/template does: every exported method of every type is linked",
	"reflect.Value.Method":                       "the same, by numbers",
	"net/http.(*Server).Serve":                   "a server of HTTP, with TLS and HTTP/2",
	"net/http.(*Transport).RoundTrip":            "a client of HTTP, with TLS and HTTP/2",
	"crypto/tls.(*Conn).Read":                    "TLS",
	"net/rpc.(*Server).ServeConn":                "remote calls",
	"html/template.(*Template).Execute":          "templates of pages",
	"encoding/gob.(*Decoder).Decode":             "gob",
	"go/parser.ParseFile":                        "a compiler's parser",
	"github.com/nats-io/nats%2ego.(*Conn).Close": "a client of NATS",
}

// The command has what it calls and no more. Its size is not compared with a number: that changes with
// each version of Go and each processor.
func TestOnlyWhatIsCalledIsLinked(t *testing.T) {
	program := filepath.Join(t.TempDir(), "firstcontact")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./cmd/firstcontact").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	symbols, err := exec.Command("go", "tool", "nm", program).Output()
	if err != nil {
		t.Fatal("go tool nm: ", err)
	}
	linked := map[string]bool{}
	for line := range bytes.Lines(symbols) {
		if fields := strings.Fields(string(line)); len(fields) >= 3 {
			linked[fields[len(fields)-1]] = true
		}
	}
	if !linked["main.main"] || !linked["reflect.Value.Field"] {
		t.Fatalf("%d symbols, and none of functions that are called: this test finds nothing", len(linked))
	}
	for name, what := range bulky {
		if linked[name] {
			t.Errorf("the command has %s: %s", name, what)
		}
	}
}
