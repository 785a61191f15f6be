package world

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// FuzzMessages holds the scene to its word whatever messages come, cut out of the input by their
// lengths: every layer is a valid snapshot, the same for a robot that is heard of later, and one
// without gaps once a whole, empty scene has come.
func FuzzMessages(f *testing.F) {
	seed := func(messages ...cdr.Message) {
		var data []byte
		for _, m := range messages {
			kind := map[string]byte{"PlanningScene": 0, "CollisionObject": 1, "AttachedCollisionObject": 2}[m.ROSType().Name]
			text := cdr.Marshal(m)
			data = append(append(data, kind, byte(len(text)), byte(len(text)>>8)), text...)
		}
		f.Add(data)
	}
	box := object("a", "base", 0)
	box.Primitives = append(box.Primitives, solid(1, 1, 1, 1))
	held := &moveitmsgs.AttachedCollisionObject{LinkName: "hand", Object: box}
	gone := object("a", "", 1)
	seed(wholeMessage())
	seed(&box, moved("a", 2), &gone, &box, held, &moveitmsgs.AttachedCollisionObject{Object: gone})
	seed(sceneWith(true, &box), sceneWith(false, &box, moved("b", 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		w := newFixture(t, Monitored)
		below, _ := scene.New("")
		if _, err := w.Layer(context.Background(), w.robot, below); err != nil {
			t.Fatal(err)
		}
		for len(data) >= 3 {
			kind, n := data[0], min(int(data[1])|int(data[2])<<8, len(data)-3)
			hear(w, kind, data[3:3+n])
			data = data[3+n:]
		}
		one, err := w.Layer(context.Background(), w.robot, below)
		if err != nil {
			t.Fatal(err)
		}
		if two, err := w.Layer(context.Background(), robot(t), below); err != nil || two.Hash != one.Hash || len(two.Gaps) != len(one.Gaps) {
			t.Fatalf("around a robot that is heard of later: %v, %v and %v", err, one.Gaps, two.Gaps)
		}
		if again, err := one.With(); err != nil || again.Hash != one.Hash {
			t.Fatalf("sealed again: %v", err)
		}
		w.HearScene(Monitored, sceneWith(false), 1)
		w.want("after an empty scene", "")
	})
}

// hear hears a message of a kind, if it is one.
func hear(f *fixture, kind byte, data []byte) {
	switch kind % 3 {
	case 0:
		m := new(moveitmsgs.PlanningScene)
		if cdr.Unmarshal(data, m) == nil {
			f.HearScene(Monitored, m, len(data))
		}
	case 1:
		m := new(moveitmsgs.CollisionObject)
		if cdr.Unmarshal(data, m) == nil {
			f.HearObject(Objects, m, len(data))
		}
	default:
		m := new(moveitmsgs.AttachedCollisionObject)
		if cdr.Unmarshal(data, m) == nil {
			f.HearAttached(Attached, m, len(data))
		}
	}
}
