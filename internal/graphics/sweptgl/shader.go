//go:build gl && cgo

package sweptgl

import (
	_ "embed" // of the shaders
	"fmt"
	"strings"
	"time"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"
)

//go:embed traverse.glsl
var traverseSource string

//go:embed image.glsl
var imageSource string

// stageNames are what the stages of one file of shaders see defined.
var stageNames = map[uint32]string{gl.COMPUTE_SHADER: "COMPUTE", gl.VERTEX_SHADER: "VERTEX", gl.FRAGMENT_SHADER: "FRAGMENT"}

// program compiles and links shaders of one file, with a name defined for each stage and one of the
// caller's.
func program(source, define string, stages ...uint32) (uint32, error) {
	p := gl.CreateProgram()
	for _, stage := range stages {
		text := fmt.Sprintf("#version 430\n#define %s 1\n#define %s 1\n%s\x00", stageNames[stage], define, source)
		s := gl.CreateShader(stage)
		strs, free := gl.Strs(text)
		gl.ShaderSource(s, 1, strs, nil)
		free()
		gl.CompileShader(s)
		var ok int32
		if gl.GetShaderiv(s, gl.COMPILE_STATUS, &ok); ok == gl.FALSE {
			return 0, fmt.Errorf("a shader does not compile: %s", logOf(s, gl.GetShaderiv, gl.GetShaderInfoLog))
		}
		gl.AttachShader(p, s)
		gl.DeleteShader(s)
	}
	gl.LinkProgram(p)
	var ok int32
	if gl.GetProgramiv(p, gl.LINK_STATUS, &ok); ok == gl.FALSE {
		return 0, fmt.Errorf("shaders do not link: %s", logOf(p, gl.GetProgramiv, gl.GetProgramInfoLog))
	}
	return p, nil
}

func logOf(id uint32, size func(uint32, uint32, *int32), text func(uint32, int32, *int32, *uint8)) string {
	var n int32
	size(id, gl.INFO_LOG_LENGTH, &n)
	if n == 0 {
		return "no reason is given"
	}
	b := make([]byte, n)
	text(id, n, nil, &b[0])
	return strings.TrimRight(string(b), "\x00\n")
}

// upload makes data the contents of a buffer at a binding of shaders, in bytes; nil with a
// size makes room.
func upload(buffer, binding uint32, size int, data unsafe.Pointer) {
	gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, buffer)
	gl.BufferData(gl.SHADER_STORAGE_BUFFER, max(size, 16), nil, gl.DYNAMIC_DRAW)
	if data != nil && size > 0 {
		gl.BufferSubData(gl.SHADER_STORAGE_BUFFER, 0, size, data)
	}
	gl.BindBufferBase(gl.SHADER_STORAGE_BUFFER, binding, buffer)
}

// uploadSlice is upload of a slice of numbers, or of structures of them.
func uploadSlice[T any](buffer, binding uint32, data []T) {
	var p unsafe.Pointer
	var one T
	if len(data) > 0 {
		p = unsafe.Pointer(&data[0])
	}
	upload(buffer, binding, len(data)*int(unsafe.Sizeof(one)), p)
}

// download reads numbers from the front of a buffer.
func download[T any](buffer uint32, offset int, to []T) {
	if len(to) == 0 {
		return
	}
	gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, buffer)
	gl.GetBufferSubData(gl.SHADER_STORAGE_BUFFER, offset, len(to)*int(unsafe.Sizeof(to[0])), unsafe.Pointer(&to[0]))
}

// wait ends when everything that was asked for is done, or fails.
func wait(limit time.Duration) error {
	fence := gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
	defer gl.DeleteSync(fence)
	switch gl.ClientWaitSync(fence, gl.SYNC_FLUSH_COMMANDS_BIT, uint64(limit)) {
	case gl.ALREADY_SIGNALED, gl.CONDITION_SATISFIED:
		return nil
	case gl.TIMEOUT_EXPIRED:
		return fmt.Errorf("the work took longer than %v", limit)
	}
	return fmt.Errorf("the wait failed")
}

// uniform finds a variable of a program.
func uniform(p uint32, name string) int32 { return gl.GetUniformLocation(p, gl.Str(name+"\x00")) }
