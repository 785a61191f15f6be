package scene

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// address returns the path of a file given as file://PATH or
// package://NAME/PATH.
func (r *reader) address(uri, scheme, rest string) (string, error) {
	switch scheme {
	case "file":
		return rest, nil
	case "package":
		return r.inPackage(uri, rest)
	}
	return "", fmt.Errorf("%s: the scheme %s:// is not supported: use package://, file:// or a path", uri, scheme)
}

func (r *reader) inPackage(uri, rest string) (string, error) {
	pkg, rest, _ := strings.Cut(rest, "/")
	rest = strings.TrimLeft(rest, "/")
	if pkg == "." || pkg == ".." || !filepath.IsLocal(rest) {
		return "", fmt.Errorf("%s: leads outside the package's folder: write package://NAME/PATH, or use file://", uri)
	}
	if dir, ok := r.opts.Packages[pkg]; ok {
		return filepath.Join(dir, rest), nil // opening a missing file reports it
	}
	var dirs []string
	for _, prefix := range filepath.SplitList(os.Getenv("AMENT_PREFIX_PATH")) {
		dirs = append(dirs, filepath.Join(prefix, "share", pkg))
	}
	for _, dir := range filepath.SplitList(os.Getenv("ROS_PACKAGE_PATH")) {
		dirs = append(dirs, filepath.Join(dir, pkg))
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, rest)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s: not found in the folders of AMENT_PREFIX_PATH and ROS_PACKAGE_PATH: name the folder of package %s, or give a path", uri, pkg)
}
