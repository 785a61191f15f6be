package ros

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestTwoReadersDeliverOnceAndInOrder interleaves what two readers get of one writer: of a
// best-effort reader anything may be lost, and the reliable one gets everything from its match
// on.
func TestTwoReadersDeliverOnceAndInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const count = 30
		var got []uint64
		two := &twoReaders{receive: func(s Sample) { got = append(got, s.Sequence) }, writers: map[GUID]*heardWriter{}}
		writer := GUID{1, 2, 3}
		from := rapid.Uint64Range(1, count).Draw(t, "first of the reliable reader")
		arrives := rapid.SliceOfN(rapid.Bool(), count, count).Draw(t, "arrives at the other")
		var begun uint64 // the newest delivered when the reliable reader begins
		for best, reliable := uint64(1), from; best <= count || reliable <= count; {
			if reliable > count || best <= count && rapid.Bool().Draw(t, "the other is next") {
				if arrives[best-1] {
					two.take(Sample{Writer: writer, Sequence: best}, false)
				}
				best++
				continue
			}
			if reliable == from && len(got) > 0 {
				begun = got[len(got)-1]
			}
			two.take(Sample{Writer: writer, Sequence: reliable}, true)
			reliable++
		}
		if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Fatalf("delivered %d", got)
		}
		for sequence := max(from, begun+1); sequence <= count; sequence++ {
			if !slices.Contains(got, sequence) {
				t.Fatalf("%d is not delivered: %d", sequence, got)
			}
		}
		if missed := got[len(got)-1] - got[0] + 1 - uint64(len(got)); two.missed != missed || two.samples != uint64(len(got)) {
			t.Fatalf("%d missed and %d delivered are counted of %d", two.missed, two.samples, got)
		}
	})
}

// TestReliableWhereOffered checks which readers there are beside writers of either kind.
func TestReliableWhereOffered(t *testing.T) {
	for _, test := range []struct {
		offered []Reliability
		readers int
	}{
		{[]Reliability{BestEffort}, 1},
		{[]Reliability{Reliable}, 2},
		{[]Reliability{BestEffort, Reliable}, 2},
		{[]Reliability{Reliable, BestEffort}, 2},
	} {
		p, err := NewMemory().Open(ParticipantOptions{})
		if err != nil {
			t.Fatal(err)
		}
		n := &Node{participant: p, log: NewLogger(nil, "n", LevelInfo)}
		if n.graph, err = newGraph(p, names{namespace: "/", node: "n"}, JazzyWire, n.log); err != nil {
			t.Fatal(err)
		}
		got := make(chan Sample, 100)
		e := Endpoint{Topic: "rt/joint_states", Type: "test::msg::dds_::Opaque_", QoS: QoS{Reliability: BestEffort, Depth: 100}}
		two, err := n.openTwo(e, func(s Sample) { got <- s })
		if err != nil {
			t.Fatal(err)
		}
		var writers []Writer
		for _, reliability := range test.offered {
			e.QoS.Reliability = reliability
			w, err := p.NewWriter(e)
			if err != nil {
				t.Fatal(err)
			}
			writers = append(writers, w)
		}
		if test.readers > 1 {
			<-two.(*twoReaders).stopped
		}
		const each = 20
		for range each {
			for _, w := range writers {
				if err := w.Write([]byte{0, 1, 0, 0}); err != nil {
					t.Fatal(err)
				}
			}
		}
		last := map[GUID]uint64{}
		for range each * len(writers) {
			s := <-got
			if s.Sequence != last[s.Writer]+1 {
				t.Fatalf("%v: number %d after %d", test.offered, s.Sequence, last[s.Writer])
			}
			last[s.Writer] = s.Sequence
		}
		d, err := p.Discovered()
		if err != nil {
			t.Fatal(err)
		}
		readers := slices.DeleteFunc(d.Readers, func(r DiscoveredEndpoint) bool { return r.Topic != e.Topic })
		if stats := two.Stats(); len(readers) != test.readers || len(got) != 0 || stats.Missed+stats.Incompatible != 0 || stats.Samples != uint64(each*len(writers)) {
			t.Errorf("%v: %d readers, %d samples too many, %+v", test.offered, len(readers), len(got), stats)
		}
		if err := two.Close(); err != nil {
			t.Error(err)
		}
		if d, _ := p.Discovered(); slices.ContainsFunc(d.Readers, func(r DiscoveredEndpoint) bool { return r.Topic == e.Topic }) {
			t.Error("a reader stays behind")
		}
	}
}

// TestRepairedSamplesArriveTogether lets samples come faster than they are received, as those do
// that waited for a lost one: more than the history of the subscription.
func TestRepairedSamplesArriveTogether(t *testing.T) {
	const count = 500
	p, err := NewMemory().Open(ParticipantOptions{})
	if err != nil {
		t.Fatal(err)
	}
	n := &Node{participant: p, log: NewLogger(nil, "n", LevelInfo)}
	if n.graph, err = newGraph(p, names{namespace: "/", node: "n"}, JazzyWire, n.log); err != nil {
		t.Fatal(err)
	}
	begin, got := make(chan struct{}), make(chan Sample, count)
	e := Endpoint{Topic: "rt/joint_states", Type: "test::msg::dds_::Opaque_", QoS: QoS{Reliability: BestEffort, Depth: 100}}
	two, err := n.openTwo(e, func(s Sample) {
		if s.Sequence == 0 {
			return
		}
		<-begin
		got <- s
	})
	if err != nil {
		t.Fatal(err)
	}
	e.QoS = QoS{Depth: KeepAll}
	w, err := p.NewWriter(e)
	if err != nil {
		t.Fatal(err)
	}
	<-two.(*twoReaders).stopped
	two.(*twoReaders).take(Sample{Writer: w.GUID()}, true) // the reliable reader is the one that delivers
	for range count {
		if err := w.Write([]byte{0, 1, 0, 0}); err != nil {
			t.Fatal(err)
		}
	}
	close(begin)
	for want := uint64(1); want <= count; want++ {
		if s := <-got; s.Sequence != want {
			t.Fatalf("number %d arrives where %d is due: %+v", s.Sequence, want, two.Stats())
		}
	}
	if err := two.Close(); err != nil {
		t.Error(err)
	}
}
