package urdf

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
)

// resolver finds the files that addresses in a URDF refer to.
type resolver struct {
	ctx      context.Context
	opts     Options
	warnings []string
	warned   map[string]bool
}

// file returns the path of the file at uri: package://NAME/REST, file://PATH, an absolute
// path, or a path relative to the URDF.
func (r *resolver) file(uri string) (string, error) {
	scheme, rest, ok := strings.Cut(uri, "://")
	switch {
	case !ok:
		return r.relative(uri)
	case scheme == "file":
		return r.absolute(uri, spellings(strings.TrimPrefix(rest, "localhost")))
	case scheme == "package":
		return r.inPackage(uri, rest)
	}
	return "", fmt.Errorf("%q: the scheme %s:// is not supported: use package://, file:// or a path", uri, scheme)
}

func (r *resolver) relative(uri string) (string, error) {
	if filepath.IsAbs(uri) {
		return r.absolute(uri, []string{uri})
	}
	if r.opts.Confined {
		return "", confinedError(uri)
	}
	if r.opts.BaseDir == "" {
		return "", fmt.Errorf("%q is relative, but a URDF in memory has no folder: use package:// or file://, or give its folder", uri)
	}
	of := "the URDF"
	if _, err := os.Stat(r.opts.Path); err != nil && r.opts.BaseDir == "." {
		of = "the working directory, as the URDF comes from a stream"
	}
	return orNotFound(uri, under(r.opts.BaseDir, uri), "the path is relative to "+of)
}

// absolute returns the first of the paths that exists.
func (r *resolver) absolute(uri string, paths []string) (string, error) {
	if r.opts.Confined {
		roots := r.packageRoots()
		for i, path := range paths {
			if path = filepath.Clean(path); !slices.ContainsFunc(roots, func(root string) bool { return below(root, path) }) {
				return "", confinedError(uri)
			}
			paths[i] = path
		}
	}
	return orNotFound(uri, paths, "check the path")
}

func confinedError(uri string) error {
	return fmt.Errorf("%q is not in the folder of a package: a description from a topic may not name other files; use package://, or give the description by a parameter", uri)
}

// packageRoots lists the folders that hold packages, or are one.
func (r *resolver) packageRoots() (dirs []string) {
	for _, dir := range r.opts.Packages {
		dirs = append(dirs, dir)
	}
	for _, prefix := range filepath.SplitList(os.Getenv("AMENT_PREFIX_PATH")) {
		dirs = append(dirs, filepath.Join(prefix, "share"))
	}
	return append(dirs, filepath.SplitList(os.Getenv("ROS_PACKAGE_PATH"))...)
}

// below reports whether a path without ".." is below a folder.
func below(dir, path string) bool {
	rest, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsAbs(dir) == filepath.IsAbs(path) && filepath.IsLocal(rest) && rest != "."
}

// inPackage searches where ROS does, then for a folder of the package's name in the URDF's
// folder and those above it. As a last resort one of the nearest of those may be the package
// under another name (a checkout, for instance), which its package.xml confirms or denies;
// without a package.xml it causes a warning.
func (r *resolver) inPackage(uri, rest string) (string, error) {
	pkg, rest, _ := strings.Cut(rest, "/")
	rest = strings.TrimLeft(rest, "/")
	if pkg == "" || rest == "" || pkg == "." || pkg == ".." || filepath.Base(pkg) != pkg {
		return "", fmt.Errorf("%q: write package://NAME/PATH", uri)
	}
	for _, path := range spellings(rest) {
		if !filepath.IsLocal(path) {
			return "", fmt.Errorf("%q leads outside the package's folder: name a file in it, or use file://", uri)
		}
	}
	var tried []string
	for _, dir := range r.packageDirs(pkg) {
		tried = append(tried, under(dir, rest)...)
	}
	if path := existing(tried); path != "" {
		return path, nil
	}
	for _, dir := range r.nearest(pkg) {
		here := under(dir, rest)
		tried = append(tried, here...)
		if path := existing(here); path != "" {
			r.warnMoved(pkg, dir)
			return path, nil
		}
	}
	return "", notFound(uri, tried, fmt.Sprintf("give the folder of the package with --package %s=DIR", pkg))
}

// nearest lists the URDF's folder and the two above it, except those whose package.xml gives
// another name; none if the user has given the folder.
func (r *resolver) nearest(pkg string) (dirs []string) {
	if _, ok := r.opts.Packages[pkg]; ok {
		return nil
	}
	near := r.parents()
	for _, dir := range near[:min(len(near), 3)] {
		if name, ok := packageName(r.ctx, dir); !ok || name == pkg {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// packageDirs lists the candidate folders of a package.
func (r *resolver) packageDirs(pkg string) (dirs []string) {
	if dir, ok := r.opts.Packages[pkg]; ok {
		return []string{dir} // given by the user
	}
	for _, prefix := range filepath.SplitList(os.Getenv("AMENT_PREFIX_PATH")) {
		dirs = append(dirs, filepath.Join(prefix, "share", pkg))
	}
	for _, dir := range filepath.SplitList(os.Getenv("ROS_PACKAGE_PATH")) {
		dirs = append(dirs, filepath.Join(dir, pkg))
		if filepath.Base(dir) == pkg {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range r.parents() {
		dirs = append(dirs, filepath.Join(dir, pkg))
	}
	return dirs
}

// parents lists the URDF's folder and the folders above it.
func (r *resolver) parents() (dirs []string) {
	if r.opts.BaseDir == "" {
		return nil
	}
	dir, err := filepath.Abs(r.opts.BaseDir)
	if err != nil {
		return []string{r.opts.BaseDir}
	}
	for {
		dirs = append(dirs, dir)
		up := filepath.Dir(dir)
		if up == dir {
			return dirs
		}
		dir = up
	}
}

// packageName returns the name in the package.xml of dir, if there is one.
func packageName(ctx context.Context, dir string) (string, bool) {
	data, err := infile.Read(ctx, filepath.Join(dir, "package.xml"), limit.DescriptionBytes)
	if err != nil {
		return "", false
	}
	root, err := xmltree.Parse(data, nil)
	if err != nil {
		return "", false
	}
	if n := root.Child("name"); n != nil {
		return strings.TrimSpace(n.Text), true
	}
	return "", false
}

func (r *resolver) warnMoved(pkg, dir string) {
	if name, _ := packageName(r.ctx, dir); name == pkg || r.warned[pkg] {
		return
	}
	if r.warned == nil {
		r.warned = map[string]bool{}
	}
	r.warned[pkg] = true
	r.warnings = append(r.warnings, fmt.Sprintf("package %q was not found by name; its files are taken from %s (--package %s=DIR overrides this)",
		pkg, dir, pkg))
}

// spellings returns a path as written and, if it has escapes such as %20, decoded.
func spellings(path string) []string {
	if dec, err := url.PathUnescape(path); err == nil && dec != path {
		return []string{path, dec}
	}
	return []string{path}
}

func under(dir, path string) (out []string) {
	for _, s := range spellings(path) {
		out = append(out, filepath.Join(dir, s))
	}
	return out
}

// existing returns the first path that exists and is not a folder, or "".
func existing(paths []string) string {
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil && !info.IsDir() {
			return p
		}
	}
	return ""
}

func notFound(uri string, tried []string, remedy string) error {
	slices.Sort(tried)
	return fmt.Errorf("file %q not found: %s; tried %s", uri, remedy, strings.Join(slices.Compact(tried), ", "))
}

func orNotFound(uri string, tried []string, remedy string) (string, error) {
	if path := existing(tried); path != "" {
		return path, nil
	}
	return "", notFound(uri, tried, remedy)
}
