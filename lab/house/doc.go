// Command house measures a checkout of firstcontact: how much was written by hand, what
// the packages export, what is longest, and which arrows run back.
//
//	go run -C lab ./house [-C dir] [-lab folders] [-rooms list] [-top n]
//
// It reads Go files only and leaves out generated ones and, unless -lab names them, those
// below testdata and in folders whose names begin with a dot. Internal packages that
// only tests import count as tests. It needs no particular layout, so that two
// commits can be compared. In a checkout from before there was a module lab, name the
// folders that belonged to it and the order of the rooms:
//
//	go run -C lab ./house -C old -lab bench,internal/mutation -rooms geom,premise,internal,urdf,...
//
// What it prints, file by file of this package:
//
//	source.go   lines of product and lab, code and tests
//	public.go   exported identifiers of the packages that others can import
//	long.go     the longest functions, files and parameter lists of the product
//	rooms.go    imports of a room above one's own, by the table rooms of deps_test.go
//	layers.go   uses of a file above one's own within a package, by the order in doc.go
package main
