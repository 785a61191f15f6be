package node

import (
	"encoding/xml"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// rights are the DDS topics that an enclave may write and read, sorted.
type rights struct{ publish, subscribe []string }

func (r *rights) sort() rights {
	slices.Sort(r.publish)
	slices.Sort(r.subscribe)
	return *r
}

func readXML(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = xml.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// policy translates config/sros2/firstcontact.policy.xml as ros2 security
// create_permission does, by enclave.
func policy(t *testing.T) map[string]rights {
	t.Helper()
	type names struct {
		Publish   string   `xml:"publish,attr"`
		Subscribe string   `xml:"subscribe,attr"`
		Reply     string   `xml:"reply,attr"`
		Request   string   `xml:"request,attr"`
		Topics    []string `xml:"topic"`
		Services  []string `xml:"service"`
	}
	var document struct {
		Enclaves []struct {
			Path     string `xml:"path,attr"`
			Profiles []struct {
				Namespace string  `xml:"ns,attr"`
				Node      string  `xml:"node,attr"`
				Topics    []names `xml:"topics"`
				Services  []names `xml:"services"`
			} `xml:"profiles>profile"`
		} `xml:"enclaves>enclave"`
	}
	readXML(t, "../config/sros2/firstcontact.policy.xml", &document)
	all := map[string]rights{}
	for _, e := range document.Enclaves {
		r := rights{publish: []string{"ros_discovery_info"}, subscribe: []string{"ros_discovery_info"}}
		for _, p := range e.Profiles {
			full := func(name string) string {
				if after, own := strings.CutPrefix(name, "~"); own {
					name = p.Node + after
				}
				if strings.HasPrefix(name, "/") {
					return name
				}
				return strings.TrimSuffix(p.Namespace, "/") + "/" + name
			}
			for _, list := range p.Topics {
				for _, name := range list.Topics {
					if list.Publish == "ALLOW" {
						r.publish = append(r.publish, "rt"+full(name))
					}
					if list.Subscribe == "ALLOW" {
						r.subscribe = append(r.subscribe, "rt"+full(name))
					}
				}
			}
			for _, list := range p.Services {
				for _, name := range list.Services {
					request, reply := "rq"+full(name)+"Request", "rr"+full(name)+"Reply"
					if list.Reply == "ALLOW" {
						r.publish, r.subscribe = append(r.publish, reply), append(r.subscribe, request)
					}
					if list.Request == "ALLOW" {
						r.publish, r.subscribe = append(r.publish, request), append(r.subscribe, reply)
					}
				}
			}
		}
		all[e.Path] = r.sort()
	}
	return all
}

// The two files say the same, the one to SROS2 and the other to DDS.
func TestPermissionsAreThePolicy(t *testing.T) {
	var document struct {
		Grants []struct {
			Name    string `xml:"name,attr"`
			Subject string `xml:"subject_name"`
			Allow   []struct {
				Publish   []string `xml:"publish>topics>topic"`
				Subscribe []string `xml:"subscribe>topics>topic"`
			} `xml:"allow_rule"`
			Default string `xml:"default"`
		} `xml:"permissions>grant"`
	}
	readXML(t, "../config/sros2/permissions.xml", &document)
	want := policy(t)
	if len(document.Grants) != len(want) {
		t.Errorf("%d grants for %d enclaves", len(document.Grants), len(want))
	}
	for _, g := range document.Grants {
		if g.Subject != "CN="+g.Name || g.Default != "DENY" || len(g.Allow) != 1 {
			t.Errorf("%s: subject %s, default %s, %d rules", g.Name, g.Subject, g.Default, len(g.Allow))
			continue
		}
		got := rights{g.Allow[0].Publish, g.Allow[0].Subscribe}
		if got = got.sort(); !slices.Equal(got.publish, want[g.Name].publish) || !slices.Equal(got.subscribe, want[g.Name].subscribe) {
			t.Errorf("%s: the permissions are\n%v\nthe policy\n%v", g.Name, got, want[g.Name])
		}
	}
}

// The enclave /firstcontact may do exactly what the node does.
func TestPolicyIsWhatTheNodeDoes(t *testing.T) {
	args, err := ros.ParseArgs(strings.Fields("--ros-args -p model.semantic_topic:=true -p use_sim_time:=true"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := New(ros.NewMemory(), Options{Args: args, Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	d, err := n.ros.Participant().Discovered()
	if err != nil {
		t.Fatal(err)
	}
	var does rights
	for _, e := range d.Writers {
		does.publish = append(does.publish, e.Topic)
	}
	for _, e := range d.Readers {
		does.subscribe = append(does.subscribe, e.Topic)
	}
	may := policy(t)["/firstcontact"]
	if does = does.sort(); !slices.Equal(does.publish, may.publish) || !slices.Equal(does.subscribe, may.subscribe) {
		t.Errorf("the node does\n%v\nthe policy config/sros2/firstcontact.policy.xml lets it\n%v", does, may)
	}
}
