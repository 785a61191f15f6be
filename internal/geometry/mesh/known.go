package mesh

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// foreign is a format that is known and not read.
type foreign struct {
	is         string
	begins     []string // of the content, if it has a beginning of its own
	extensions []string
	remedy     string
}

const (
	byAssimp = "convert it, e.g. with assimp export IN OUT.stl (of assimp-utils)"
	byCAD    = "export a mesh from a CAD program such as FreeCAD, as STL or OBJ in metres"
	byCloud  = "it has points and no surface: put it into a scene as type: points"
)

var foreigners = []foreign{
	{"an FBX scene", []string{"Kaydara FBX Binary", "; FBX "}, []string{".fbx"}, byAssimp},
	{"a 3DS mesh", nil, []string{".3ds", ".max"}, byAssimp},
	{"a Blender file", []string{"BLENDER"}, []string{".blend"}, "export it from Blender as GLB, STL or OBJ"},
	{"a USD scene", []string{"PXR-USDC", "#usda"}, []string{".usd", ".usda", ".usdc", ".usdz"}, "convert it, e.g. in Blender, to GLB, STL or OBJ"},
	{"a STEP model", []string{"ISO-10303-21"}, []string{".step", ".stp"}, byCAD},
	{"an IGES model", nil, []string{".iges", ".igs"}, byCAD},
	{"a BREP model", []string{"DBRep_DrawableShape", "CASCADE Topology"}, []string{".brep"}, byCAD},
	{"an OFF mesh", []string{"OFF\n", "OFF\r", "OFF ", "COFF", "NOFF"}, []string{".off"}, "convert it, e.g. with assimp export IN.off OUT.stl (of assimp-utils)"},
	{"a VRML scene", []string{"#VRML"}, []string{".wrl", ".vrml"}, byAssimp},
	{"an X3D scene", nil, []string{".x3d", ".x3dv", ".x3db"}, byAssimp},
	{"an AMF mesh", nil, []string{".amf"}, byAssimp},
	{"a 3MF mesh", nil, []string{".3mf"}, byAssimp},
	{"a VTK data set", []string{"# vtk DataFile"}, []string{".vtk", ".vtp", ".vtu"}, "export its surface from ParaView as STL or PLY"},
	{"a Gmsh mesh", []string{"$MeshFormat"}, []string{".msh"}, "export its surface from Gmsh as STL"},
	{"a PCD cloud", []string{"# .PCD"}, []string{".pcd"}, byCloud},
	{"a LAS cloud", []string{"LASF"}, []string{".las", ".laz"}, byCloud},
	{"an OctoMap", []string{"# Octomap"}, []string{".bt", ".ot"}, "put it into a scene as type: octree"},
	{"compressed by gzip", []string{"\x1f\x8b"}, []string{".gz"}, "unpack it with gunzip"},
	{"a zip archive", []string{"PK\x03\x04"}, []string{".zip", ".zae"}, "unpack it"},
	{"a pointer of Git LFS", []string{"version https://git-lfs"}, nil, "fetch the file with git lfs pull"},
}

// foreignBy returns the first foreigner that is holds of, or nil.
func foreignBy(is func(f *foreign) bool) error {
	for i := range foreigners {
		if f := &foreigners[i]; is(f) {
			return fmt.Errorf("%s, which is not read: %s", f.is, f.remedy)
		}
	}
	return nil
}

// foreignContent says what a file is whose beginning is that of a format that is not read.
func foreignContent(data []byte) error {
	return foreignBy(func(f *foreign) bool {
		return slices.ContainsFunc(f.begins, func(b string) bool { return bytes.HasPrefix(data, []byte(b)) })
	})
}

// Foreign says what a file is whose content or name is that of a known format that is not read
// here, and what to do. It returns nil for any other.
func Foreign(name string, data []byte) error {
	if err := foreignContent(data); err != nil {
		return err
	}
	ext := strings.ToLower(filepath.Ext(name))
	return foreignBy(func(f *foreign) bool { return slices.Contains(f.extensions, ext) })
}

// unsupported says what a file is that no reader takes.
func unsupported(name string, data []byte) error {
	if err := Foreign(name, data); err != nil {
		return err
	}
	ext := strings.ToLower(filepath.Ext(name))
	if rest := bytes.TrimLeft(head(data), " \t\r\n"); isText(data) && len(rest) > 0 && rest[0] == '<' {
		return fmt.Errorf("format %q is not supported, it is XML that is not COLLADA: convert it to %s", ext, formats)
	}
	return fmt.Errorf("format %q is not supported: convert it to %s", ext, formats)
}

const formats = "STL, OBJ, COLLADA (.dae), glTF (.glb) or PLY"
