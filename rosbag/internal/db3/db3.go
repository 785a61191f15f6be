// Package db3 reads the SQLite databases in which ROS 2 records topics (rosbag2's storage
// sqlite3, schema versions 1 to 4), one message after the other.
//
// The database is opened read-only through the file that it is given: SQLite opens no other
// file, and nothing is written.
package db3

// Magic is how a file begins.
const Magic = "SQLite format 3\x00"

// Topic is a topic of a recording.
type Topic struct {
	ID                 int64
	Name, Type         string
	Encoding           string // of its messages, such as cdr
	Definition         string // empty where the recording has none
	DefinitionEncoding string
	Count              uint64
	First, Last        int64 // when its messages were recorded (ns)
}

// Message is a recorded message.
type Message struct {
	Topic int64
	Time  int64  // when it was recorded (ns)
	Data  []byte // valid until the next message
}
