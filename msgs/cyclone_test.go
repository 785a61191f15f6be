//go:build cyclone

package msgs_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/internal/rosidl"
)

// Cyclone DDS must decode what this package encodes, and encode it to the same
// bytes. The definitions are turned into IDL, compiled by idlc with a small C
// program, and every message passes through it at random.
func TestCycloneAgrees(t *testing.T) {
	var defs []*definition
	var all []cdr.Message
	set := loadDefinitions(t, false)
	for _, m := range allMessages() {
		if !isHumble(m) { // the names of Humble's types are those of the newer ones
			defs = append(defs, &definition{set, definitionOf(t, set, m)})
			all = append(all, m)
		}
	}
	peer := startEcho(t, set, defs)
	for i, m := range all {
		t.Run(m.ROSType().ROSName(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				data := cdr.Marshal(defs[i].random(t, m))
				got := peer.echo(t, i, data)
				if len(got) == 0 {
					t.Fatalf("Cyclone DDS refuses %x", data)
				}
				// The last two bits of the header count the padding at the end.
				padding := int(got[3] & 3)
				got[3] = 0
				if got = got[:len(got)-padding]; !bytes.Equal(got, data) {
					t.Fatalf("Cyclone DDS encodes\n %x, not\n %x", got, data)
				}
				if cut := data[:rapid.IntRange(4, len(data)-1).Draw(t, "cut")]; len(peer.echo(t, i, cut)) != 0 {
					t.Fatalf("Cyclone DDS accepts %x", cut)
				}
			})
		})
	}
}

// peer is the C program that runs beside the test.
type peer struct {
	in  io.Writer
	out io.Reader
}

type failer interface{ Fatalf(string, ...any) }

func (p *peer) echo(t failer, number int, data []byte) []byte {
	frame := binary.NativeEndian.AppendUint32(nil, uint32(number))
	frame = binary.NativeEndian.AppendUint32(frame, uint32(len(data)))
	if _, err := p.in.Write(append(frame, data...)); err != nil {
		t.Fatalf("the C program is gone: %v", err)
	}
	var size [4]byte
	if _, err := io.ReadFull(p.out, size[:]); err != nil {
		t.Fatalf("the C program is gone: %v", err)
	}
	answer := make([]byte, binary.NativeEndian.Uint32(size[:]))
	if _, err := io.ReadFull(p.out, answer); err != nil {
		t.Fatalf("the C program is gone: %v", err)
	}
	return answer
}

func startEcho(t *testing.T, set *rosidl.Set, defs []*definition) *peer {
	t.Helper()
	dir := t.TempDir()
	source, err := filepath.Abs("testdata/cyclone/echo.c")
	if err != nil {
		t.Fatal(err)
	}
	idl, header := idlOf(set, defs)
	for name, text := range map[string]string{"messages.idl": idl, "types.h": header} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	flags, err := exec.Command("pkg-config", "--cflags", "--libs", "CycloneDDS").Output()
	if err != nil {
		t.Fatalf("pkg-config CycloneDDS: %v", err)
	}
	for _, args := range [][]string{
		{"idlc", "-x", "final", "-f", "case-sensitive", "messages.idl"},
		append([]string{"cc", "-O1", "-o", "echo", "-I.", source, "messages.c"}, strings.Fields(string(flags))...),
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", args[0], err, out)
		}
	}
	cmd := exec.Command(filepath.Join(dir, "echo"))
	cmd.Env = append(os.Environ(), `CYCLONEDDS_URI=<General><AllowMulticast>false</AllowMulticast>`+
		`<Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces></General>`)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the C program failed: %v", err)
		}
	})
	return &peer{in, out}
}

// idlOf returns the definitions as IDL with the names that ROS gives them on
// DDS, and the C header that lists them in order.
func idlOf(set *rosidl.Set, defs []*definition) (idl, header string) {
	var text, list strings.Builder
	done := map[rosidl.Ref]bool{}
	for _, d := range defs {
		writeIDL(&text, set, d.message, done)
		name := strings.ReplaceAll(ddsName(d.message.Ref), "::", "_")
		fmt.Fprintf(&list, "\t&%s_desc,\n", name)
	}
	return text.String(), "#include \"messages.h\"\n\nstatic const dds_topic_descriptor_t *const types[] = {\n" + list.String() + "};\n"
}

// writeIDL writes m after the messages that it contains.
func writeIDL(b *strings.Builder, set *rosidl.Set, m *rosidl.Message, done map[rosidl.Ref]bool) {
	if done[m.Ref] {
		return
	}
	done[m.Ref] = true
	for _, f := range m.Fields {
		if f.Type.Primitive == rosidl.None {
			writeIDL(b, set, set.Messages[f.Type.Nested], done)
		}
	}
	fmt.Fprintf(b, "module %s { module %s { module dds_ {\n@topic struct %s_ {\n", m.Package, m.Kind, m.Name)
	for i, f := range m.Fields {
		fmt.Fprintf(b, "\t%s;\n", idlField(f.Type, fmt.Sprintf("f%d", i)))
	}
	if len(m.Fields) == 0 {
		b.WriteString("\tuint8 structure_needs_at_least_one_member;\n")
	}
	b.WriteString("};\n}; }; };\n")
}

var idlPrimitives = map[rosidl.Primitive]string{
	rosidl.Bool: "boolean", rosidl.Byte: "octet", rosidl.Int8: "int8", rosidl.Uint8: "uint8",
	rosidl.Int16: "int16", rosidl.Uint16: "uint16", rosidl.Int32: "int32", rosidl.Uint32: "uint32",
	rosidl.Int64: "int64", rosidl.Uint64: "uint64", rosidl.Float32: "float", rosidl.Float64: "double",
	rosidl.String: "string",
}

func idlField(t rosidl.Type, name string) string {
	base := idlPrimitives[t.Primitive]
	if t.Primitive == rosidl.None {
		base = ddsName(t.Nested)
	}
	if t.StringBound > 0 {
		base += fmt.Sprintf("<%d>", t.StringBound)
	}
	switch t.Collection {
	case rosidl.Array:
		return fmt.Sprintf("%s %s[%d]", base, name, t.Len)
	case rosidl.BoundedSequence:
		return fmt.Sprintf("sequence<%s, %d> %s", base, t.Len, name)
	case rosidl.Sequence:
		return fmt.Sprintf("sequence<%s > %s", base, name) // a space, or string<5>> ends in a shift
	}
	return base + " " + name
}

func ddsName(ref rosidl.Ref) string {
	return cdr.TypeInfo{Package: ref.Package, Kind: ref.Kind, Name: ref.Name}.DDSName()
}
