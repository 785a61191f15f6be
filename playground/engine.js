// Runs the command, compiled to WebAssembly, on files in memory. It serves the page's worker and
// the tests on Node alike.

import { Memory, resolve } from "./memory.js";

// run executes one command line. files is a list of {path, data}, all below /; outputs lists the
// files that the command may write. tell gets {what, done, total, unit, note} as work goes on. It
// returns {code, out, err, files}: the exit status, what was printed, and the outputs by path.
//
// Go's wasm_exec.js must have been loaded: it defines globalThis.Go.
export async function run(module, { files, argv, outputs = [] }, tell = () => {}) {
	const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
	const printed = { 1: "", 2: "" };
	const memory = new Memory((fd, bytes) => { printed[fd] += decoders[fd].decode(bytes, { stream: true }); });
	for (const f of files) memory.add(f.path, f.data);
	memory.folder("/files");
	memory.folder("/tmp");

	let cwd = "/files";
	globalThis.fs = memory;
	// Paths that Go hands to fs may be relative.
	for (const name of ["open", "stat", "lstat", "readdir", "readlink", "mkdir", "unlink", "rmdir", "truncate", "chmod", "utimes"]) {
		const call = memory[name];
		memory[name] = (path, ...rest) => call(path.startsWith("/") ? path : resolve(cwd, path), ...rest);
	}
	const rename = memory.rename;
	memory.rename = (from, to, done) => rename(resolve(from.startsWith("/") ? "" : cwd, from), resolve(to.startsWith("/") ? "" : cwd, to), done);
	globalThis.path = { resolve: (...parts) => parts.at(-1).startsWith("/") ? resolve(parts.at(-1)) : resolve(cwd, ...parts) };
	globalThis.process = {
		getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [], pid: 1, ppid: 0,
		umask: () => 0o22, cwd: () => cwd, chdir: (to) => { cwd = resolve(cwd, to); },
	};
	globalThis.firstcontactProgress = (what, done, total, unit, note) => tell({ what, done, total, unit, note });

	const go = new globalThis.Go();
	let code = 70; // that of a program that has not ended by itself
	go.argv = ["firstcontact", ...argv];
	go.env = { HOME: "/home", TMPDIR: "/tmp" };
	go.exit = (status) => { code = status; };
	await go.run(await WebAssembly.instantiate(module, go.importObject));
	const written = {};
	for (const path of outputs) {
		const data = memory.content(resolve(cwd, path));
		if (data) written[path] = data.slice();
	}
	return { code, out: printed[1] + decoders[1].decode(), err: printed[2] + decoders[2].decode(), files: written };
}
