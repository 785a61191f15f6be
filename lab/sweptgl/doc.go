// Command sweptgl tries to make culling on a graphics processor drop a contact, and measures what
// culling costs there and on the CPU. It needs the build tag gl and a device, or Mesa's software
// renderer.
//
//	make swept-gl CASES=100000
//
// The page is lab/docs/swept-gl.md.
package main
