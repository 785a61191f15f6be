//go:build !unix

package oracle

func lock(string) (unlock func(), err error) { return func() {}, nil }
