package db3

import (
	"context"
	"errors"
	"io"
)

// DB is an open recording. There is none here: the library that reads SQLite does not run in
// WebAssembly.
type DB struct{}

// Open refuses the database, and says what to do.
func Open(context.Context, io.ReaderAt, int64) (*DB, error) {
	return nil, errors.New("is an SQLite database, which this build for the browser does not read: convert it to MCAP with ros2 bag convert, or use the command on your machine")
}

// Topics lists the topics.
func (d *DB) Topics(context.Context) ([]Topic, error) { return nil, errors.ErrUnsupported }

// Messages reads messages.
func (d *DB) Messages(context.Context, []int64, func(Message) error) error {
	return errors.ErrUnsupported
}

// Close closes the database.
func (d *DB) Close() error { return nil }
