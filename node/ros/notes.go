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
	notes = append(notes, middlewareNote(e.Transport, e.Middleware))
	if e.DiscoveryServer != "" && e.Transport != fastTransport {
		notes = append(notes, Note{LevelWarn, "ROS_DISCOVERY_SERVER has no effect: discovery servers are of Fast DDS, and nodes that use only a server are not discovered; unset it for all nodes, or run this one with RMW_IMPLEMENTATION=rmw_fastrtps_cpp"})
	}
	for _, text := range e.Ineffective {
		notes = append(notes, Note{LevelWarn, text})
	}
	return notes
}

// fastTransport is the name of the transport on Fast DDS.
const fastTransport = "fastdds"

// dds are the ROS middlewares on DDS besides rmw_cyclonedds_cpp.
var dds = map[string]string{
	"rmw_fastrtps_cpp":         "Fast DDS",
	"rmw_fastrtps_dynamic_cpp": "Fast DDS",
	"rmw_connextdds":           "RTI Connext DDS",
	"rmw_connextddsmicro":      "RTI Connext DDS Micro",
	"rmw_connext_cpp":          "RTI Connext DDS",
	"rmw_gurumdds_cpp":         "GurumDDS",
	"rmw_opensplice_cpp":       "OpenSplice DDS",
}

// OnFastDDS reports whether a middleware, as RMW_IMPLEMENTATION names it, is on Fast DDS.
func OnFastDDS(rmw string) bool { return dds[rmw] == "Fast DDS" }

// middlewareNote says what this node's transport is, and what passes between it and nodes of
// the middleware that RMW_IMPLEMENTATION names.
func middlewareNote(transport, rmw string) Note {
	own, heard := "Cyclone DDS", rmw == "rmw_cyclonedds_cpp"
	if transport == fastTransport {
		own, heard = "Fast DDS", heard || OnFastDDS(rmw)
	}
	const remedy = "run those nodes with RMW_IMPLEMENTATION=rmw_cyclonedds_cpp"
	switch product, known := dds[rmw]; {
	case heard:
		return Note{LevelInfo, fmt.Sprintf("RMW_IMPLEMENTATION=%s: this node uses %s", rmw, own)}
	case rmw == "" && transport == fastTransport:
		return Note{LevelInfo, "RMW_IMPLEMENTATION is not set: this node uses Fast DDS; topics and services pass between it and nodes on rmw_fastrtps_cpp, the default of most distributions, and rmw_cyclonedds_cpp"}
	case rmw == "":
		return Note{LevelInfo, "RMW_IMPLEMENTATION is not set: this node uses Cyclone DDS; with rmw_fastrtps_cpp, the default of most distributions, topics pass between nodes and this one; services pass with rmw_cyclonedds_cpp only"}
	case OnFastDDS(rmw):
		return Note{LevelWarn, fmt.Sprintf("RMW_IMPLEMENTATION=%s, but this node uses Cyclone DDS: it was built without Fast DDS, or its graph is secured; topics and the graph work with nodes on Fast DDS, services and parameters do not; for these, %s", rmw, remedy)}
	case known:
		return Note{LevelWarn, fmt.Sprintf("RMW_IMPLEMENTATION=%s, but this node uses %s: topics and the graph work with nodes on %s, services and parameters do not; for these, %s", rmw, own, product, remedy)}
	case rmw == "rmw_zenoh_cpp":
		return Note{LevelError, "RMW_IMPLEMENTATION=rmw_zenoh_cpp: its nodes use Zenoh and this one DDS: neither topics nor services pass between them, no joint states come, and nobody hears the states; " + remedy}
	}
	return Note{LevelWarn, fmt.Sprintf("RMW_IMPLEMENTATION=%s is unknown: this node uses %s; if the other is no DDS, neither topics nor services pass between its nodes and this one; if it is, services and parameters do not; %s", LogName(rmw), own, remedy)}
}
