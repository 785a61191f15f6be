package verify

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

const golden = "testdata/door.cert"

// A certificate written once stays one: the form, the sums and the rules are those
// of its version. UPDATE_GOLDEN=1 writes it anew.
func TestGolden(t *testing.T) {
	p := smallProof(t)
	if switches.Golden.On() {
		if err := os.WriteFile(golden, p.text(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.verifyText(text)
	if err != nil {
		t.Fatal(err)
	}
	if r.Items != 234 || r.Pairs != 15 || r.Pieces != 2 {
		t.Errorf("%d items, %d pairs, %d pieces", r.Items, r.Pairs, r.Pieces)
	}
}

// Bytes changed at random make no panic; and what is still verified covers every
// pair at every time: without its last interval it does not any more. (A fuzz target
// would spend its time on making seeds smaller.)
func TestBrokenBytes(t *testing.T) {
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	p, r := smallProof(t), rand.New(rand.NewPCG(41, 43))
	verified := 0
	for range 2000 {
		data := bytes.Clone(text)
		for range 1 + r.IntN(3) {
			i := r.IntN(len(data) - 20)
			switch r.IntN(4) {
			case 0:
				data[i] = byte(r.IntN(256))
			case 1:
				data[i] = "0123456789.+-:e \n"[r.IntN(17)]
			case 2:
				data = append(data[:i], data[i+r.IntN(20):]...)
			case 3:
				j := r.IntN(len(text) - 20)
				data = slices.Insert(data, i, text[j:j+r.IntN(20)]...)
			}
		}
		report, err := Verify(context.Background(), p.robot, p.world, p.motion, bytes.NewReader(certificate.Seal(data)), Options{NoSelf: true, NoWorld: true})
		if err != nil {
			continue
		}
		verified++
		if _, err := p.verifyText(data); err == nil && !bytes.Equal(data, text) {
			t.Fatalf("its sum does not fit, but it is believed:\n%s", data)
		}
		if report.Items == 0 || report.Pairs == 0 {
			t.Fatalf("nothing proves this:\n%s", data)
		}
		last := bytes.LastIndex(data, []byte("\nat "))
		if _, err := p.verifyText(certificate.Seal(append(data[:last+1:last+1], "end 0\n"...))); err == nil {
			t.Fatalf("a part proves as much as the whole:\n%s", data)
		}
	}
	t.Logf("%d of 2000 are still proofs", verified)
	if verified == 0 {
		t.Error("nothing that was changed was verified: the test tests only the reader")
	}
}
