// A file system in memory, with the calls that Go's package syscall makes of Node's fs. The
// command reads dropped files through it and writes its outputs to it.

const kinds = { file: 0o100000, folder: 0o040000 };

export const constants = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 0o100, O_EXCL: 0o200, O_TRUNC: 0o1000, O_APPEND: 0o2000, O_DIRECTORY: 0o200000 };

function failure(code, path) {
	const e = new Error(`${code}: ${path}`);
	e.code = code;
	return e;
}

// resolve returns an absolute path without "." and "..".
export function resolve(...parts) {
	const out = [];
	for (const part of parts.join("/").split("/")) {
		if (part === "..") out.pop();
		else if (part !== "" && part !== ".") out.push(part);
	}
	return "/" + out.join("/");
}

const above = (path) => path.slice(0, path.lastIndexOf("/")) || "/";

// Memory holds files by their absolute path. write(1|2, bytes) gets what the program prints.
export class Memory {
	constructor(write) {
		this.constants = constants;
		this.print = write;
		this.inode = 1;
		this.nodes = new Map([["/", this.#node("folder")]]);
		this.opened = new Map(); // by descriptor
		this.next = 3;
		// Go calls these as methods of fs, with a callback last.
		for (const name of Object.getOwnPropertyNames(Calls.prototype)) {
			if (name === "constructor") continue;
			const call = Calls.prototype[name];
			this[name] = (...args) => {
				const done = args.pop();
				let out;
				try {
					out = call.apply(this, args);
				} catch (e) {
					if (e.code === undefined) throw e;
					done(e);
					return;
				}
				done(null, out);
			};
		}
	}

	#node(kind) {
		return { kind, data: new Uint8Array(0), size: 0, inode: this.inode++, time: Date.now() };
	}

	// add puts a file at a path, and makes the folders above it.
	add(path, data) {
		path = resolve(path);
		this.folder(above(path));
		const node = this.#node("file");
		[node.data, node.size] = [data, data.length];
		this.nodes.set(path, node);
	}

	folder(path) {
		path = resolve(path);
		if (path !== "/") this.folder(above(path));
		if (!this.nodes.has(path)) this.nodes.set(path, this.#node("folder"));
	}

	// content returns the bytes of a file, undefined if there is none.
	content(path) {
		const node = this.nodes.get(resolve(path));
		return node?.kind === "file" ? node.data.subarray(0, node.size) : undefined;
	}

	find(path) {
		path = resolve(path);
		const node = this.nodes.get(path);
		if (node) return node;
		for (let up = above(path); up !== "/"; up = above(up)) {
			if (this.nodes.get(up)?.kind === "file") throw failure("ENOTDIR", path);
		}
		throw failure("ENOENT", path);
	}

	create(path) {
		if (this.find(above(resolve(path))).kind !== "folder") throw failure("ENOTDIR", path);
		const node = this.#node("file");
		this.nodes.set(resolve(path), node);
		return node;
	}

	of(fd) {
		const f = this.opened.get(fd);
		if (!f) throw failure("EBADF", `descriptor ${fd}`);
		return f;
	}

	children(path) {
		const prefix = path === "/" ? "/" : path + "/";
		return [...this.nodes.keys()].filter((p) => p !== "/" && p.startsWith(prefix) && !p.slice(prefix.length).includes("/"));
	}

	resize(node, length) {
		if (length > node.data.length) {
			const grown = new Uint8Array(Math.max(length, 2 * node.data.length, 4096));
			grown.set(node.data.subarray(0, node.size));
			node.data = grown;
		} else if (length < node.size) {
			node.data = node.data.slice(0, length);
		}
		node.size = length;
	}

	stats(node) {
		const t = node.time;
		return {
			dev: 1, ino: node.inode, mode: kinds[node.kind] | (node.kind === "folder" ? 0o755 : 0o644), nlink: 1, uid: 0, gid: 0, rdev: 0,
			size: node.size, blksize: 4096, blocks: Math.ceil(node.size / 512), atimeMs: t, mtimeMs: t, ctimeMs: t,
			isDirectory: () => node.kind === "folder",
		};
	}

	// writeSync is what Go's runtime prints with when it ends in a fault.
	writeSync(fd, bytes) {
		this.print(fd, bytes.slice());
		return bytes.length;
	}
}

// Calls are the calls of fs without their callbacks. They throw errors with a code.
class Calls {
	open(path, flags) {
		const full = resolve(path);
		let node = this.nodes.get(full);
		if (node && flags & constants.O_CREAT && flags & constants.O_EXCL) throw failure("EEXIST", path);
		if (!node) node = flags & constants.O_CREAT ? this.create(full) : this.find(full);
		const writes = flags & (constants.O_WRONLY | constants.O_RDWR);
		if (node.kind === "folder" && writes) throw failure("EISDIR", path);
		if (node.kind !== "folder" && flags & constants.O_DIRECTORY) throw failure("ENOTDIR", path);
		if (flags & constants.O_TRUNC) this.resize(node, 0);
		const fd = this.next++;
		this.opened.set(fd, { node, at: 0, append: (flags & constants.O_APPEND) !== 0 });
		return fd;
	}

	close(fd) {
		this.of(fd);
		this.opened.delete(fd);
	}

	read(fd, buffer, offset, length, position) {
		if (fd === 0) return 0;
		const f = this.of(fd);
		const from = position ?? f.at;
		const part = f.node.data.subarray(Math.min(from, f.node.size), Math.min(f.node.size, from + length));
		buffer.set(part, offset);
		if (position === null) f.at += part.length;
		return part.length;
	}

	write(fd, buffer, offset, length, position) {
		const bytes = buffer.subarray(offset, offset + length);
		if (fd === 1 || fd === 2) return this.writeSync(fd, bytes);
		const f = this.of(fd);
		const to = position ?? (f.append ? f.node.size : f.at);
		if (to + length > f.node.size) this.resize(f.node, to + length);
		f.node.data.set(bytes, to);
		f.node.time = Date.now();
		if (position === null) f.at = to + length;
		return length;
	}

	fstat(fd) { return this.stats(this.of(fd).node); }
	stat(path) { return this.stats(this.find(path)); }
	lstat(path) { return this.stats(this.find(path)); }
	readdir(path) {
		if (this.find(path).kind !== "folder") throw failure("ENOTDIR", path);
		return this.children(resolve(path)).map((p) => p.slice(p.lastIndexOf("/") + 1));
	}
	readlink(path) {
		this.find(path);
		throw failure("EINVAL", path); // there are no links
	}
	mkdir(path) {
		if (this.nodes.has(resolve(path))) throw failure("EEXIST", path);
		this.find(above(resolve(path)));
		this.folder(path);
	}
	unlink(path) {
		if (this.find(path).kind === "folder") throw failure("EISDIR", path);
		this.nodes.delete(resolve(path));
	}
	rmdir(path) {
		if (this.find(path).kind !== "folder") throw failure("ENOTDIR", path);
		if (this.children(resolve(path)).length > 0) throw failure("ENOTEMPTY", path);
		this.nodes.delete(resolve(path));
	}
	rename(from, to) {
		const node = this.find(from);
		if (node.kind !== "file") throw failure("ENOSYS", from);
		this.find(above(resolve(to)));
		this.nodes.delete(resolve(from));
		this.nodes.set(resolve(to), node);
	}
	truncate(path, length) { this.resize(this.find(path), length); }
	ftruncate(fd, length) { this.resize(this.of(fd).node, length); }
	fsync() {}
	chmod(path) { this.find(path); }
	fchmod(fd) { this.of(fd); }
	utimes(path) { this.find(path); }
	chown() { throw failure("ENOSYS", "chown"); }
	fchown() { throw failure("ENOSYS", "fchown"); }
	lchown() { throw failure("ENOSYS", "lchown"); }
	link(path) { throw failure("ENOSYS", path); }
	symlink(path) { throw failure("ENOSYS", path); }
}
