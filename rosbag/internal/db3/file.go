//go:build !js

package db3

import (
	"errors"
	"io"
	"io/fs"
	"time"
)

// fileName is the only file that SQLite finds.
const fileName = "recording"

// oneFile is a file system of one file.
type oneFile struct {
	r    io.ReaderAt
	size int64
}

// Open implements fs.FS.
func (o oneFile) Open(name string) (fs.File, error) {
	if name != fileName && name != "/"+fileName {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &file{SectionReader: io.NewSectionReader(o.r, 0, o.size)}, nil
}

// file is that file, opened.
type file struct{ *io.SectionReader }

// Read fills b, or what there is of it: SQLite asks for whole pages.
func (f *file) Read(b []byte) (int, error) {
	n, err := io.ReadFull(f.SectionReader, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, err
}

func (f *file) Close() error               { return nil }
func (f *file) Stat() (fs.FileInfo, error) { return info{f.Size()}, nil }

// info describes it.
type info struct{ size int64 }

func (i info) Name() string     { return fileName }
func (i info) Size() int64      { return i.size }
func (info) Mode() fs.FileMode  { return 0o400 }
func (info) ModTime() time.Time { return time.Time{} }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }
