package definition

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs"
	"github.com/firstcontact-ros/firstcontact/msgs/dynamic"
)

// Every message has a definition that holds all that it needs, once each: the reader of recordings
// understands it.
func TestDefinitionsAreComplete(t *testing.T) {
	tried := 0
	for _, m := range msgs.All() {
		info := m.ROSType()
		if info.Kind != "msg" {
			continue
		}
		text, err := Of(info.ROSName())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := dynamic.Parse(info.ROSName(), text); err != nil {
			t.Errorf("%s: %v", info.ROSName(), err)
		}
		for _, part := range strings.Split(text, "MSG: ")[1:] {
			name, _, _ := strings.Cut(part, "\n")
			if strings.Count(text, "MSG: "+name+"\n") != 1 {
				t.Errorf("%s: %s stands there twice", info.ROSName(), name)
			}
		}
		tried++
	}
	if tried < 60 {
		t.Errorf("%d messages", tried)
	}
}

func TestUnknownNames(t *testing.T) {
	for _, name := range []string{"", "Verdict", "firstcontact_msgs/Verdict", "firstcontact_msgs/srv/CheckTrajectory", "std_msgs/msg/Nothing", "../msg/Verdict"} {
		if text, err := Of(name); err == nil {
			t.Errorf("%q: %q", name, text)
		}
	}
}
