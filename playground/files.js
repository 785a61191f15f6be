// Says what dropped files are, and lays them out as the command expects them.

export const roles = ["robot", "srdf", "scene", "motion", "other"];

const meshes = /\.(stl|obj|dae|glb|gltf|ply|mtl|bin|png|jpe?g)$/i;

// roleOf guesses what a file is from its name and its text, of which the beginning is enough.
export function roleOf(path, text) {
	const name = path.toLowerCase();
	if (name.endsWith(".srdf")) return "srdf";
	if (/\.(mcap|db3|csv|segs)$/.test(name)) return "motion";
	if (/\.(scene|bt|ot)$/.test(name)) return "scene";
	if (meshes.test(name) || name.endsWith("package.xml")) return "other";
	if (/<robot[\s>]/.test(text)) {
		return /<link[\s>]/.test(text) ? "robot" : "srdf";
	}
	if (/\.(ya?ml|json)$/.test(name)) {
		const has = (...keys) => new RegExp(`(^|[{,\\s])"?(${keys.join("|")})"?\\s*:`, "m").test(text);
		if (has("allowed_collision_matrix", "fixed_frame_transforms")) return "scene"; // of MoveIt, with joints and positions in it
		if (has("joint_names", "joint_trajectory", "trajectory", "requests?", "goal_constraints", "sets")) return "motion";
		if (has("objects", "collision_objects", "world", "octomap", "frame")) return "scene";
		if (has("position")) return "motion";
	}
	return "other";
}

// wantsText reports whether roleOf looks at a file's text.
export const wantsText = (path) => /\.(urdf|xml|ya?ml|json|xacro)$/i.test(path);

// trouble says in words what is wrong with a file before anything is computed; "" if nothing is.
export function trouble(path, text) {
	if (path.toLowerCase().endsWith(".xacro") || /<xacro:/.test(text)) {
		return `${path} is a xacro: run "xacro ${baseName(path)} > robot.urdf" and drop robot.urdf instead`;
	}
	if (path.toLowerCase().endsWith(".zip")) return `${path} is an archive: unpack it and drop the folder`;
	if (path.toLowerCase().endsWith(".db3")) return `${path} is an SQLite recording, which is not read here: convert it to MCAP with "ros2 bag convert", or use the command on your machine`;
	return "";
}

export const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);
const folderOf = (path) => path.slice(0, path.lastIndexOf("/") + 1);

// references lists the addresses of the meshes that a URDF's collision geometry names.
export function references(urdf) {
	const text = urdf.replace(/<!--[\s\S]*?-->/g, "").replace(/<visual\b[\s\S]*?<\/visual>/g, "");
	const found = new Set();
	for (const m of text.matchAll(/<mesh\b[^>]*?\bfilename\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) found.add(m[1] ?? m[2]);
	return [...found];
}

// placeOf returns the path of a reference in the layout, and the part of it that dropped files can
// be found by.
function placeOf(uri, robot) {
	const decoded = (s) => { try { return decodeURIComponent(s); } catch { return s; } };
	let m = /^package:\/\/([^/]+)\/+(.+)$/.exec(uri);
	if (m) return { package: m[1], wanted: `${m[1]}/${decoded(m[2])}`, place: `/packages/${m[1]}/${decoded(m[2])}` };
	m = /^file:\/\/(?:localhost)?(\/.*)$/.exec(uri);
	if (m) return { wanted: decoded(m[1]).slice(1), place: decoded(m[1]) };
	if (uri.startsWith("/")) return { wanted: uri.slice(1), place: uri };
	if (uri.includes("://")) return null; // the command says what is wrong
	return { wanted: uri.replace(/^(\.\.?\/)+/, ""), place: folderOf(robot) + uri };
}

// common counts the trailing parts of two paths that agree.
function common(a, b) {
	const [x, y] = [a.split("/"), b.split("/")];
	let n = 0;
	while (n < x.length && n < y.length && x[x.length - 1 - n] === y[y.length - 1 - n]) n++;
	return n;
}

// arrange lays out files, a list of {path, role}, for the command. robotText is the text of the
// robot's URDF. It returns
//   layout: pairs [path in memory, index of the file],
//   args: the arguments of check that name files,
//   notes: what was assumed, in words,
//   missing: what the check needs and nobody dropped, in words.
// A mesh is taken from the dropped file whose path agrees best with its address: where two agree
// equally well none is taken, because the wrong one would prove something else.
export function arrange(files, robotText) {
	const at = (f) => "/files/" + f.path;
	const layout = files.map((f, i) => [at(f), i]);
	const of = (role) => files.filter((f) => f.role === role);
	const args = [], notes = [], missing = [];
	const [robot, ...moreRobots] = of("robot");
	if (!robot) missing.push("a robot: a URDF file");
	for (const [role, flag, more] of [["robot", "--robot", moreRobots], ["srdf", "--srdf", of("srdf").slice(1)], ["scene", "--scene", of("scene").slice(1)]]) {
		const [f] = of(role);
		if (f) args.push(flag, f.path);
		for (const g of more) notes.push(`${g.path} is not used, because ${f.path} is the ${role} already: choose in the list`);
	}
	const motions = of("motion").map((f) => f.path);
	if (motions.length === 0) missing.push("a motion: a trajectory (YAML, JSON), a table (CSV) or a recording (MCAP)");

	const packages = new Set();
	for (const uri of robot ? references(robotText) : []) {
		const r = placeOf(uri, at(robot));
		if (!r) continue;
		const there = new Set(layout.map(([path]) => path));
		if (!r.package && there.has(normal(r.place))) continue;
		let best = 0, chosen = [];
		files.forEach((f, i) => {
			const n = common(f.path, r.wanted);
			if (n > best) [best, chosen] = [n, []];
			if (n === best && n > 0) chosen.push(i);
		});
		if (chosen.length === 0) {
			missing.push(`${uri}, a mesh of ${robot.path}`);
			continue;
		}
		if (chosen.length > 1) {
			missing.push(`${uri}, a mesh of ${robot.path}: ${chosen.map((i) => files[i].path).join(" and ")} have its name; drop the folder that holds one of them as the address says`);
			continue;
		}
		const from = files[chosen[0]];
		if (best < r.wanted.split("/").length) notes.push(`${uri} is taken from ${from.path}`);
		if (r.package) packages.add(r.package);
		// What stands beside a mesh may belong to it: materials, buffers.
		files.forEach((f, i) => {
			if (folderOf(f.path) === folderOf(from.path)) add(layout, there, normal(folderOf(r.place) + baseName(f.path)), i);
		});
		add(layout, there, normal(r.place), chosen[0]);
	}
	for (const name of packages) args.push("--package", `${name}=/packages/${name}`);
	return { layout, args: [...args, ...motions], notes, missing };
}

function add(layout, there, path, i) {
	if (there.has(path)) return;
	there.add(path);
	layout.push([path, i]);
}

// normal returns an absolute path without "." and "..".
function normal(path) {
	const out = [];
	for (const part of path.split("/")) {
		if (part === "..") out.pop();
		else if (part !== "" && part !== ".") out.push(part);
	}
	return "/" + out.join("/");
}

// words splits a line of flags as a shell does: at spaces, but not within quotes.
export function words(line) {
	const out = [];
	let word = null, quote = "";
	for (const c of line) {
		if (quote) {
			if (c === quote) quote = "";
			else word += c;
		} else if (c === "'" || c === '"') {
			[quote, word] = [c, word ?? ""];
		} else if (/\s/.test(c)) {
			if (word !== null) out.push(word);
			word = null;
		} else {
			word = (word ?? "") + c;
		}
	}
	if (quote) throw new Error(`the flags have a ${quote} that is not closed`);
	if (word !== null) out.push(word);
	return out;
}

// shown writes arguments as one line for a shell.
export const shown = (args) => args.map((a) => /^[\w@%+=:,./-]+$/.test(a) ? a : `'${a.replaceAll("'", `'\\''`)}'`).join(" ");

// dropped reads what was dropped: files, and folders with all that is in them. It returns a list
// of {path, file}.
export async function dropped(items) {
	const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
	const out = [];
	for (const e of entries) await walk(e, out);
	return out;
}

async function walk(entry, out) {
	if (out.length >= mostFiles) throw new Error(`more than ${mostFiles} files were dropped: drop the robot's own folder`);
	if (entry.isFile) {
		const file = await new Promise((done, fail) => entry.file(done, fail));
		out.push({ path: entry.fullPath.replace(/^\/+/, ""), file });
		return;
	}
	const reader = entry.createReader();
	for (;;) {
		const some = await new Promise((done, fail) => reader.readEntries(done, fail));
		if (some.length === 0) return;
		for (const e of some) await walk(e, out);
	}
}

export const mostFiles = 5000;
