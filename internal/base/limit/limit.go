// Package limit holds the bounds of all input of firstcontact. Input that exceeds a bound is
// refused with an error that names the bound, or answered UNKNOWN or UNDECIDED; it is never
// truncated silently and never gets a verdict.
//
// Each bound is defined once: the code that reads the input uses the constant, Table describes
// it, and go generate writes docs/limits.md from Table. Internal bounds of an algorithm, such
// as the depth of a search, are defined with the algorithm.
package limit

//go:generate go run ./gen

// Files and documents.
const (
	DescriptionBytes  = 64 << 20  // of a URDF or SRDF
	ParameterBytes    = 16 << 20  // of a file of ROS parameters
	ProofBytes        = 256 << 20 // of a file of proven pairs
	CacheEntryBytes   = 1 << 30   // of an entry of the cache
	DocumentBytes     = 256 << 20 // of a scene, motion, octree, sphere file or other document
	MeshBytes         = 512 << 20 // of a mesh file
	KeystoreFileBytes = 16 << 20  // of a file of an SROS2 enclave
	CertificateBytes  = 64 << 30  // of a certificate, as it is stored

	PipeWriterSeconds  = 5   // without anybody who writes to a named pipe
	PipeSilenceSeconds = 30  // without a byte from a pipe
	PipeSeconds        = 120 // for all that comes from a pipe

	XMLElements    = 2_000_000 // of an XML document
	XMLDepth       = 200       // of nested elements
	XMLAttributes  = 256       // of one element
	DocumentValues = 5_000_000 // of a YAML or JSON document
	DocumentDepth  = 100       // of nested values

	RecordingSamples = 20_000_000 // measured positions of a recording, some 50 bytes each

	CertificateLineBytes   = 1 << 20  // of a line of a certificate
	CertificateHeaderBytes = 64 << 20 // of all its header lines
)

// Recorded topics. A recording is read as a stream; what follows bounds the memory.
const (
	BagBytes        = 1 << 42   // of a file
	BagFiles        = 10_000    // of a folder
	BagChunkBytes   = 4 << 30   // of a chunk, uncompressed
	BagMessageBytes = 64 << 20  // of a message that is read
	BagRecordBytes  = 64 << 20  // of all schemas and channels
	BagWindowBytes  = 128 << 20 // that decompression looks back
	BagMotions      = 10_000    // trajectories of a recording
	BagPlainBytes   = 64 << 30  // of a database that is compressed as a whole, in a temporary file
	// Messages that wait for the disk where the node records.
	RecordingQueueBytes = 16 << 20
)

// The robot.
const (
	DisabledPairs = 1_000_000 // that an SRDF lists or implies; some 600 bytes each

	Links             = 20_000 // of a robot
	CollisionElements = 20_000 // of a robot

	// A triangle of a mesh takes some 300 bytes, 1 kB while it is made ready, a point of a cloud
	// some 750; a million of either take some 10 s.
	MeshTriangles   = 10_000_000 // of a mesh file of STL, OBJ or PLY
	PlacedTriangles = 1_000_000  // of a COLLADA or glTF file, each as often as the file places it
	ColladaVisits   = 1_000_000  // nodes and geometries that a scene of COLLADA or glTF places
	RobotTriangles  = 1_000_000  // of all meshes of a robot, each mesh and scale once
	SceneObjects    = 100_000
	SceneTriangles  = 10_000_000 // of all objects, with cells and points; each object counts its own
	LiveTriangles   = 1 << 21    // the same, of objects that messages bring
	OctreeCells     = 1 << 21    // in binary files two bytes may hold eight of them

	// Pairs of collision elements that a checker keeps and that are checked one by one: some
	// 600 bytes each of the robot's own, 100 of those with the scene.
	RobotPairs = 500_000
	WorldPairs = 4_000_000
)

// The node.
const (
	SceneMessages         = 4096      // since the last whole planning scene, kept for another robot and for replies that they overtake
	SceneLogBytes         = 64 << 20  // of these messages
	WaitingConfigurations = 4096      // measured, not judged yet
	UnknownNames          = 100       // of joints that the robot lacks, remembered
	RivalPublishers       = 8         // of joints that other publishers measure
	RivalConfigurations   = 512       // of one such publisher, waiting to be judged
	FormerWorlds          = 32        // in use before the present one, kept for motions that began in them
	PublisherNotices      = 16        // about publishers, not logged yet
	WaitingQuestions      = 400       // about motions
	WaitingReplies        = 256       // clients of one service with waiting replies, not discovered yet
	WaitingReplyBytes     = 4 << 20   // of these replies
	ServiceHistory        = 1000      // requests, replies or questions that wait to be read
	RepairedSamples       = 1024      // joint states that wait to be read after a lost one was sent again
	GraphPeers            = 1024      // participants of the ROS graph, remembered
	LoadPauseSeconds      = 30        // between loads of descriptions that keep arriving
	RefusalLogSeconds     = 1         // between errors in the log about descriptions that are refused
	AnnouncementBytes     = 128 << 10 // of a participant's announcement to the ROS graph: 5,000 endpoints
	GraphBytes            = 8 << 20   // of all participants' announcements
	UserDataBytes         = 4096      // that a peer announces with an endpoint
	Impostors             = 100       // other publishers on the node's own topics that are logged by name
)

// Frames that the node hears of on tf and tf_static.
const (
	Frames          = 10_000
	FramePublishers = 8       // that speak of one frame
	FrameSamples    = 20_000  // of one frame by one publisher; 100 bytes each
	AllFrameSamples = 500_000 // of all frames
	FrameDepth      = 1000    // of frames one in the other
)

// Point clouds that the node receives.
const (
	CloudBytes  = 64 << 20  // of a message
	CloudPoints = 4_000_000 // of a message
	CloudFields = 1000      // of a message
	CloudVoxels = 200_000   // boxes that a topic takes up
)

// Messages that the node receives.
const (
	MessageBytes        = 8 << 20  // of a message, but for descriptions
	SmallMessageBytes   = 16 << 10 // of a message that is always accepted
	WaitingMessageBytes = 16 << 20 // of larger messages that wait to be read
	SceneMessageBytes   = 16 << 20 // of a planning scene or collision object
	HeadBytes           = 2048     // that are kept of a message beyond its bound
	StringBytes         = 64 << 10 // of a string in a message
	SequenceElements    = 1 << 20  // of a list in a message
	IDBytes             = 256      // of the id of a question
	NameBytes           = 256      // of the name of a joint or frame
	MessageJoints       = 1024     // that a message names
	MessageRanges       = 4096     // of distances, of a question
	RequestParameters   = 1000     // that a request to a parameter service names
	TrajectoryPoints    = 50_000   // of a trajectory
	TextBytes           = 4096     // of a message or reason that the node publishes
)

// Questions.
const (
	ClientQuestions      = 100     // of one participant that wait
	WaitingQuestionBytes = 8 << 20 // of all that wait or are being answered, except small ones
	StartedQuestions     = 8       // that are answered concurrently
	QuestionsAtOnce      = 1000    // of one participant on a topic
	QuestionsPerSecond   = 1000    // of one participant on a topic, in the long run
)

// Actions.
const (
	ActionGoals   = 1000 // that are not finished
	ActionResults = 1000 // of finished goals
	ActionWaiters = 2000 // requests for results of goals that are not finished
)

// The log of the node.
const (
	LogLineBytes      = 3072      // of the text of a line
	LogNameBytes      = 64        // of an id or a name from outside in a line
	LogLines          = 1024      // that wait to be written
	LogBytesPerSecond = 32 << 10  // in the long run
	LogBurstBytes     = 256 << 10 // at once
)

// Limit is one bound.
type Limit struct {
	Group  string // that it is listed under
	Of     string // what it bounds
	Value  int64
	Unit   string // "" for a number; "bytes", "s", "bytes/s"
	Beyond string // what happens beyond it
}

// Table lists every bound, in the order of docs/limits.md.
var Table = []Limit{
	{"Files and documents", "URDF or SRDF", DescriptionBytes, "bytes", refused},
	{"Files and documents", "file of ROS parameters", ParameterBytes, "bytes", refused},
	{"Files and documents", "file of proven pairs", ProofBytes, "bytes", refused},
	{"Files and documents", "entry of the cache", CacheEntryBytes, "bytes", "it is ignored and computed again"},
	{"Files and documents", "scene, motion, octree, file of spheres or other document", DocumentBytes, "bytes", refused},
	{"Files and documents", "mesh file", MeshBytes, "bytes", refused},
	{"Files and documents", "file of an SROS2 enclave", KeystoreFileBytes, "bytes", refused},
	{"Files and documents", "certificate, as it is stored", CertificateBytes, "bytes", refused},
	{"Files and documents", "wait for a writer of a named pipe", PipeWriterSeconds, "s", refused},
	{"Files and documents", "silence of a pipe", PipeSilenceSeconds, "s", refused},
	{"Files and documents", "time for the whole content of a pipe", PipeSeconds, "s", refused},
	{"Files and documents", "elements of an XML document", XMLElements, "", refused},
	{"Files and documents", "nesting of XML elements", XMLDepth, "", refused},
	{"Files and documents", "attributes of an XML element", XMLAttributes, "", refused},
	{"Files and documents", "values of a YAML or JSON document", DocumentValues, "", refused},
	{"Files and documents", "nesting of YAML or JSON values", DocumentDepth, "", refused},
	{"Files and documents", "measured positions of a recording of joint states; of several publishers, positions of all joints at all times", RecordingSamples, "", refused},
	{"Files and documents", "line of a certificate", CertificateLineBytes, "bytes", refused},
	{"Files and documents", "header of a certificate", CertificateHeaderBytes, "bytes", refused},

	{"Recorded topics", "file of a rosbag2 recording", BagBytes, "bytes", refused},
	{"Recorded topics", "files of a recording", BagFiles, "", refused},
	{"Recorded topics", "chunk of an MCAP file, uncompressed", BagChunkBytes, "bytes", refused},
	{"Recorded topics", "recorded message that is read", BagMessageBytes, "bytes", refused},
	{"Recorded topics", "schemas and channels of an MCAP file", BagRecordBytes, "bytes", refused},
	{"Recorded topics", "window of a zstd stream", BagWindowBytes, "bytes", refused},
	{"Recorded topics", "database that is compressed as a whole, uncompressed into a temporary file", BagPlainBytes, "bytes", refused},
	{"Recorded topics", "trajectories of a recording", BagMotions, "", refused},
	{"Recorded topics", "messages of the node that wait for the disk", RecordingQueueBytes, "bytes", "messages are missing from the recording; a WARN counts them"},

	{"Robot and scene", "pairs that an SRDF disables", DisabledPairs, "", refused},
	{"Robot and scene", "links of a robot", Links, "", refused},
	{"Robot and scene", "collision elements of a robot", CollisionElements, "", refused},
	{"Robot and scene", "triangles of a mesh file: STL, OBJ, PLY", MeshTriangles, "", refused},
	{"Robot and scene", "triangles of a COLLADA or glTF file, each as often as the file places it", PlacedTriangles, "", refused},
	{"Robot and scene", "nodes and geometries that the scene of a COLLADA or glTF file places", ColladaVisits, "", refused},
	{"Robot and scene", "triangles of all meshes of a robot, each mesh and scale once", RobotTriangles, "", refused},
	{"Robot and scene", "objects of a scene", SceneObjects, "", refused},
	{"Robot and scene", "triangles, cells and points of all objects of a scene", SceneTriangles, "", refused},
	{"Robot and scene", "the same, of objects that messages bring", LiveTriangles, "", "the newest objects are not checked: the premise scene-source, and nothing is FREE"},
	{"Robot and scene", "occupied cells of an octree", OctreeCells, "", refused},
	{"Robot and scene", "pairs of the robot's collision elements; pairs within one rigid body count only if they are close", RobotPairs, "", refused},
	{"Robot and scene", "pairs of the robot's collision elements and the scene's objects", WorldPairs, "", refused},

	{"Node", "changes of the planning scene that are kept since the last whole one", SceneMessages, "", "a whole scene is asked for where they would be needed"},
	{"Node", "bytes of these changes", SceneLogBytes, "bytes", "the same"},
	{"Node", "measured configurations that wait to be judged", WaitingConfigurations, "", "the waiting ones are dropped and counted as unchecked"},
	{"Node", "names of joints that the robot lacks, remembered for the log", UnknownNames, "", "further ones are not logged"},
	{"Node", "publishers of joints that other publishers measure", RivalPublishers, "", "the state is UNKNOWN, unless there is contact"},
	{"Node", "configurations of such a publisher that wait to be judged", RivalConfigurations, "", "older ones are dropped, and the state is UNKNOWN for joint_state_timeout, unless there is contact"},
	{"Node", "versions of the scene between two joint states, in which the motion between them is judged", FormerWorlds, "", "the motion counts as unchecked, and the state is UNKNOWN for joint_state_timeout, unless there is contact"},
	{"Node", "notices about publishers that wait to be logged", PublisherNotices, "", "further ones are counted"},
	{"Node", "waiting questions", WaitingQuestions, "", "UNDECIDED at once for the newest question of the client with the most"},
	{"Node", "undiscovered clients of a service with waiting replies", WaitingReplies, "", "the reply is dropped, with a warning"},
	{"Node", "replies of a service that wait for their clients to be discovered", WaitingReplyBytes, "bytes", "the reply is dropped, with a warning"},
	{"Node", "requests to a service, or questions on a topic, that wait to be read", ServiceHistory, "", "the oldest is dropped"},
	{"Node", "joint states that wait for a lost one to be sent again, or to be read after it", RepairedSamples, "", "the oldest is dropped and counted as missed"},
	{"Node", "participants of the ROS graph that are remembered", GraphPeers, "", "the names of further ones are unknown"},
	{"Node", "pause between loads of descriptions that keep arriving", LoadPauseSeconds, "s", "the pause grows up to this from 0.1 s; the newest description is loaded after it"},
	{"Node", "pause between errors in the log about refused descriptions", RefusalLogSeconds, "s", "the next error and ~/state count them"},
	{"Node", "announcement to the ROS graph", AnnouncementBytes, "bytes", "it is ignored"},
	{"Node", "announcements to the ROS graph together", GraphBytes, "bytes", "the names of further participants are unknown"},
	{"Node", "data that a peer announces with an endpoint", UserDataBytes, "bytes", "they are truncated: a client whose id lies behind the bound gets no answer"},
	{"Node", "other publishers on the node's own topics that the log names", Impostors, "", "further ones are only counted"},

	{"Frames of tf", "frames that are remembered", Frames, "", "further ones are unknown, with a warning"},
	{"Frames of tf", "publishers of one frame", FramePublishers, "", "a further one is not heard, with a warning"},
	{"Frames of tf", "transforms of one frame by one publisher", FrameSamples, "", "the oldest are forgotten"},
	{"Frames of tf", "transforms of all frames", AllFrameSamples, "", "the oldest of the same frame are forgotten; a new frame is unknown, with a warning"},
	{"Frames of tf", "frames one in the other", FrameDepth, "", "the frame cannot be placed"},

	{"Point clouds", "message", CloudBytes, "bytes", "dropped and logged; after points.timeout the premise missing-points"},
	{"Point clouds", "points", CloudPoints, "", "the cloud is not used; after points.timeout the premise missing-points"},
	{"Point clouds", "fields of a message", CloudFields, "", "dropped and logged; after points.timeout the premise missing-points"},
	{"Point clouds", "boxes that a topic takes up", CloudVoxels, "", "the cloud is not used; after points.timeout the premise missing-points"},

	{"Messages received", "message, except a robot description", MessageBytes, "bytes", "only its head is read: a question is INVALID, anything else is dropped and logged"},
	{"Messages received", "planning scene or collision object", SceneMessageBytes, "bytes", "it counts as lost: nothing is FREE until a whole scene comes"},
	{"Messages received", "message that is always accepted", SmallMessageBytes, "bytes", "a larger one is accepted while the waiting bytes are within their bound"},
	{"Messages received", "larger messages that wait to be read, together", WaitingMessageBytes, "bytes", "only the head is read: a question is UNDECIDED at once, anything else is dropped and logged"},
	{"Messages received", "head of a message beyond its bound", HeadBytes, "bytes", "an id that lies behind it is not repeated in the answer"},
	{"Messages received", "string in a message", StringBytes, "bytes", "the message is dropped and logged"},
	{"Messages received", "list in a message", SequenceElements, "", "the message is dropped and logged"},
	{"Messages received", "id of a question", IDBytes, "bytes", "INVALID, with the id truncated"},
	{"Messages received", "name of a joint or frame", NameBytes, "bytes", "a question is INVALID, a joint state is dropped and logged"},
	{"Messages received", "joints that a question or a joint state names", MessageJoints, "", "a question is INVALID, a joint state is dropped and logged"},
	{"Messages received", "distance ranges of a question", MessageRanges, "", "it is refused"},
	{"Messages received", "parameters that a request names", RequestParameters, "", "it is dropped and logged"},
	{"Messages received", "points of a trajectory", TrajectoryPoints, "", "INVALID: split it"},
	{"Messages received", "message or reason that the node publishes", TextBytes, "bytes", "it is truncated, with a mark"},

	{"Questions", "questions of one participant that wait", ClientQuestions, "", "UNDECIDED at once"},
	{"Questions", "questions that wait or are being answered, together, except those of up to 16 KiB", WaitingQuestionBytes, "bytes", "UNDECIDED at once for the newest question of the client with the most"},
	{"Questions", "questions of one participant on a topic at once", QuestionsAtOnce, "", "dropped unread, and logged once"},
	{"Questions", "questions of one participant on a topic in the long run", QuestionsPerSecond, "/s", "dropped unread, and logged once"},
	{"Questions", "questions that are answered concurrently", StartedQuestions, "", "the last of them gets a trial of 20 ms, and is restarted when a place is free"},

	{"Actions", "goals of one action that are not finished", ActionGoals, "", "rejected"},
	{"Actions", "results of one action that are kept", ActionResults, "", "the oldest is forgotten: its status is UNKNOWN"},
	{"Actions", "requests for results of goals that are not finished", ActionWaiters, "", "they get no answer, and are logged"},

	{"Log of the node", "text of a line", LogLineBytes, "bytes", "it is truncated, with a mark"},
	{"Log of the node", "id or name from outside in a line", LogNameBytes, "bytes", "it is truncated, with a mark"},
	{"Log of the node", "lines that wait to be written", LogLines, "", "they are dropped; their number is logged when there is room again"},
	{"Log of the node", "growth in the long run", LogBytesPerSecond, "bytes/s", "lines are dropped; their number is logged a second later. Warnings have an additional eighth, errors a quarter"},
	{"Log of the node", "growth at once", LogBurstBytes, "bytes", "the same"},
}

const refused = "an error that names the input and the bound"
