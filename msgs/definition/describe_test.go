package definition

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
	tdi "github.com/firstcontact-ros/firstcontact/msgs/typedescriptioninterfaces"
)

// Each description gives the hash of its type again, computed here from the answer alone.
func TestDescriptionsHaveTheirHashes(t *testing.T) {
	var all []cdr.TypeInfo
	for _, m := range msgs.All() {
		if !strings.Contains(fmt.Sprintf("%T", m), "humble") {
			all = append(all, m.ROSType())
		}
	}
	for _, s := range []cdr.ServiceInfo{fcmsgs.CheckTrajectoryService(), rclinterfaces.ListParametersService(), tdi.GetTypeDescriptionService()} {
		all = append(all, cdr.TypeInfo{Package: s.Package, Kind: s.Kind, Name: s.Name, Hash: s.Hash})
	}
	for _, info := range all {
		a := Answer(&tdi.GetTypeDescriptionRequest{TypeName: info.ROSName(), TypeHash: info.Hash, IncludeTypeSources: true})
		if !a.Successful {
			t.Errorf("%s: %s", info.ROSName(), a.FailureReason)
			continue
		}
		if got := hashOf(&a.TypeDescription); got != info.Hash {
			t.Errorf("%s has the hash %s, its description %s", info.ROSName(), info.Hash, got)
		}
		if len(a.TypeSources) != 1+len(a.TypeDescription.ReferencedTypeDescriptions) {
			t.Errorf("%s has %d sources", info.ROSName(), len(a.TypeSources))
		}
		for _, s := range a.TypeSources {
			if (s.Encoding == "implicit") != (s.RawFileContents == "") {
				t.Errorf("%s: source of %s in the encoding %q has %d bytes", info.ROSName(), s.TypeName, s.Encoding, len(s.RawFileContents))
			}
		}
	}
}

// hashOf is the hash of REP-2011.
func hashOf(d *tdi.TypeDescription) string {
	var referenced []string
	for i := range d.ReferencedTypeDescriptions {
		referenced = append(referenced, jsonOf(&d.ReferencedTypeDescriptions[i]))
	}
	text := fmt.Sprintf(`{"type_description": %s, "referenced_type_descriptions": [%s]}`, jsonOf(&d.TypeDescription), strings.Join(referenced, ", "))
	sum := sha256.Sum256([]byte(text))
	return "RIHS01_" + hex.EncodeToString(sum[:])
}

func jsonOf(d *tdi.IndividualTypeDescription) string {
	var fields []string
	for _, f := range d.Fields {
		fields = append(fields, fmt.Sprintf(`{"name": "%s", "type": {"type_id": %d, "capacity": %d, "string_capacity": %d, "nested_type_name": "%s"}}`,
			f.Name, f.Type.TypeID, f.Type.Capacity, f.Type.StringCapacity, f.Type.NestedTypeName))
	}
	return fmt.Sprintf(`{"type_name": "%s", "fields": [%s]}`, d.TypeName, strings.Join(fields, ", "))
}

func TestAnswer(t *testing.T) {
	verdict := new(fcmsgs.Verdict).ROSType()
	for name, c := range map[string]struct {
		r    tdi.GetTypeDescriptionRequest
		says string
	}{
		"no hash":       {tdi.GetTypeDescriptionRequest{TypeName: verdict.ROSName()}, "no type of that hash"},
		"unknown hash":  {tdi.GetTypeDescriptionRequest{TypeName: verdict.ROSName(), TypeHash: "RIHS01_00"}, "no type of that hash"},
		"another type":  {tdi.GetTypeDescriptionRequest{TypeName: "std_msgs/msg/String", TypeHash: verdict.Hash}, "that of firstcontact_msgs/msg/Verdict"},
		"an old format": {tdi.GetTypeDescriptionRequest{TypeName: verdict.ROSName(), TypeHash: strings.Replace(verdict.Hash, "RIHS01", "RIHS00", 1)}, "no type of that hash"},
	} {
		if a := Answer(&c.r); a.Successful || !strings.Contains(a.FailureReason, c.says) || a.TypeDescription.TypeDescription.TypeName != "" {
			t.Errorf("%s: %+v", name, a)
		}
	}
	a := Answer(&tdi.GetTypeDescriptionRequest{TypeName: verdict.ROSName(), TypeHash: verdict.Hash})
	if !a.Successful || len(a.TypeSources) != 0 {
		t.Errorf("without sources: %v, %d", a.Successful, len(a.TypeSources))
	}
	info := tdi.GetTypeDescriptionService()
	a = Answer(&tdi.GetTypeDescriptionRequest{TypeName: info.ROSName(), TypeHash: info.Hash, IncludeTypeSources: true})
	if a.TypeSources[0].Encoding != "srv" || !strings.Contains(a.TypeSources[0].RawFileContents, "---") {
		t.Errorf("the service's own source is %+v", a.TypeSources[0])
	}
	for _, d := range a.TypeDescription.ReferencedTypeDescriptions {
		if d.TypeName == "type_description_interfaces/srv/GetTypeDescription_Request" && d.Fields[2].DefaultValue != "True" {
			t.Errorf("the default of include_type_sources is %q", d.Fields[2].DefaultValue)
		}
	}
}
