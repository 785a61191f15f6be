package verify

import (
	"testing"
	"time"
)

func TestVerifiesProof(t *testing.T) {
	begin := time.Now()
	p := armProof(t).prove()
	t.Log(time.Since(begin))
	begin = time.Now()
	r, err := p.verify()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v, %d items, %d pairs, %d bytes", time.Since(begin), r.Items, r.Pairs, len(p.text()))
}
