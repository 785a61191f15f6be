package ros

import "fmt"

// Note is something that a user should know of the node's surroundings.
type Note struct {
	Level Level
	Text  string
}

// Notes lists what a user should know of the environment: what was guessed, which nodes the
// middleware of RMW_IMPLEMENTATION keeps apart from this one, and variables without effect. An
// error means that this node and the others cannot hear each other.
func (e Environment) Notes() []Note {
	var notes []Note
	if _, guess := WireFormOf(e.Distro); guess != "" {
		notes = append(notes, Note{LevelInfo, guess})
	}
	if note := middlewareNote(e.Middleware); note.Text != "" {
		notes = append(notes, note)
	}
	for _, text := range e.Ineffective {
		notes = append(notes, Note{LevelWarn, text})
	}
	return notes
}

// dds are the ROS middlewares on DDS besides rmw_cyclonedds_cpp. Their request headers differ
// from those of Cyclone DDS.
var dds = map[string]string{
	"rmw_fastrtps_cpp":         "Fast DDS",
	"rmw_fastrtps_dynamic_cpp": "Fast DDS",
	"rmw_connextdds":           "RTI Connext DDS",
	"rmw_connextddsmicro":      "RTI Connext DDS Micro",
	"rmw_connext_cpp":          "RTI Connext DDS",
	"rmw_gurumdds_cpp":         "GurumDDS",
	"rmw_opensplice_cpp":       "OpenSplice DDS",
}

// middlewareNote says what works between this node, which uses Cyclone DDS, and nodes of the
// middleware that RMW_IMPLEMENTATION names.
func middlewareNote(rmw string) Note {
	const remedy = "run those nodes with RMW_IMPLEMENTATION=rmw_cyclonedds_cpp"
	switch product, known := dds[rmw]; {
	case rmw == "rmw_cyclonedds_cpp":
		return Note{}
	case rmw == "":
		return Note{LevelInfo, "RMW_IMPLEMENTATION is not set: with rmw_fastrtps_cpp, the default of most distributions, topics pass between nodes and this one; services pass with rmw_cyclonedds_cpp only"}
	case known:
		return Note{LevelWarn, fmt.Sprintf("RMW_IMPLEMENTATION=%s: topics and the graph work with nodes on %s, services and parameters do not; for these, %s", rmw, product, remedy)}
	case rmw == "rmw_zenoh_cpp":
		return Note{LevelError, "RMW_IMPLEMENTATION=rmw_zenoh_cpp: its nodes use Zenoh and this one DDS: neither topics nor services pass between them, no joint states come, and nobody hears the states; " + remedy}
	}
	return Note{LevelWarn, fmt.Sprintf("RMW_IMPLEMENTATION=%s is unknown: if it is no DDS, neither topics nor services pass between its nodes and this one; if it is, services and parameters do not; %s", LogName(rmw), remedy)}
}
