// Tests of the playground on Node: every example through the command as WebAssembly and through the
// native one, whose answers must agree to the last digit; dropped files, laid out; the file system.
// Usage: node playground/test.mjs build/playground bin/firstcontact [RUNS]
// With RUNS, each example runs so many times, and a table tells medians.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [built, native] = process.argv.slice(2, 4).map((p) => path.resolve(p));
const runs = Number(process.argv[4] ?? 1);
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
const { arrange, references, roleOf, trouble, words, shown } = await import(pathToFileURL(path.join(built, "files.js")));
const { run } = await import(pathToFileURL(path.join(built, "engine.js")));
createRequire(import.meta.url)(path.join(built, "wasm_exec.js"));
const module = await WebAssembly.compile(zlib.gunzipSync(fs.readFileSync(path.join(built, "firstcontact.wasm.gz"))));

// The engine replaces what Node has under these names.
const own = { fs: globalThis.fs, process: globalThis.process, path: globalThis.path };
async function command(files, argv, outputs, tell) {
	try {
		return await run(module, { files, argv, outputs }, tell);
	} finally {
		Object.assign(globalThis, own);
	}
}

let failed = 0;
async function test(name, body) {
	const begin = performance.now();
	try {
		await body();
		console.log(`ok    ${name} (${Math.round(performance.now() - begin)} ms)`);
	} catch (e) {
		failed++;
		console.log(`FAIL  ${name}\n${e.stack ?? e}`);
	}
}

// settled is an answer without what must differ: the computing time and the program. With one
// thread on both sides even the search takes the same steps.
const differs = ["compute_s", "program"];
function settled(json) {
	const answer = JSON.parse(json);
	const strip = (v) => {
		if (v === null || typeof v !== "object") return;
		for (const k of Object.keys(v)) {
			if (differs.includes(k)) delete v[k];
			else strip(v[k]);
		}
	};
	strip(answer);
	return answer;
}

const exits = { free: 0, contact: 1, clearance: 2, undecided: 3 };
const examples = JSON.parse(fs.readFileSync(path.join(built, "examples/examples.json")));
const times = [];
await test("there are ten examples", () => assert.equal(examples.length, 10));
for (const e of examples) {
	await test(`example ${e.name}`, async () => {
		const files = e.files.map((p) => ({ path: p, data: new Uint8Array(fs.readFileSync(path.join(built, "examples", p))) }));
		for (const f of files) f.role = roleOf(f.path, new TextDecoder().decode(f.data));
		const robot = files.find((f) => f.role === "robot");
		const plan = arrange(files, new TextDecoder().decode(robot.data));
		assert.deepEqual(plan.missing, []);
		const laid = plan.layout.map(([p, i]) => ({ path: p, data: files[i].data }));
		// The native command reads the same files below a folder of its own.
		const args = plan.args.map((a) => a.replace("=/packages/", "=packages/"));
		const dir = fs.mkdtempSync(path.join(os.tmpdir(), "playground-"));
		for (const f of laid) {
			const to = path.join(dir, f.path.replace(/^\/files\//, "/"));
			fs.mkdirSync(path.dirname(to), { recursive: true });
			fs.writeFileSync(to, f.data);
		}
		const spent = { here: [], there: [] };
		for (let run = 0; run < runs; run++) {
			const here = await command(laid, ["check", "--json", ...e.flags, ...plan.args]);
			assert.equal(here.code, exits[e.status], here.err);
			const there = spawnSync(native, ["check", "--json", "--no-cache", "--jobs", "1", ...e.flags, ...args], { cwd: dir, encoding: "utf8" });
			assert.equal(there.status, here.code, there.stderr);
			assert.deepEqual(settled(here.out), settled(there.stdout));
			spent.here.push(1000 * JSON.parse(here.out).compute_s);
			spent.there.push(1000 * JSON.parse(there.stdout).compute_s);
		}
		fs.rmSync(dir, { recursive: true });
		const [slow, fast] = [median(spent.here), median(spent.there)];
		times.push({ example: e.name, status: e.status, "WebAssembly ms": slow, "native ms": fast, ratio: slow / fast });
	});
}

const text = (s) => new TextEncoder().encode(s);
const robot = `<robot name="r"><link name="a"><visual><geometry><mesh filename="package://p/seen.dae"/></geometry></visual>
	<collision><geometry><mesh filename="package://p/meshes/a.stl"/></geometry></collision></link><!-- <mesh filename="no.stl"/> --></robot>`;

await test("roles", () => {
	assert.equal(roleOf("a/r.urdf", robot), "robot");
	assert.equal(roleOf("a/r.xml", `<robot name="r"><group name="g"/></robot>`), "srdf");
	assert.equal(roleOf("a.yaml", "joint_names: [a]\npoints: []"), "motion");
	assert.equal(roleOf("a.yaml", "frame: base\nobjects: []"), "scene");
	assert.equal(roleOf("a.json", `{"joint_trajectory": {}}`), "motion");
	assert.equal(roleOf("a.yaml", "name: s\nrobot_state:\n  multi_dof_joint_state:\n    joint_names: []\nworld:\n  collision_objects:\n  - pose:\n      position: [0, 0, 0]\nallowed_collision_matrix: {}"), "scene"); // of MoveIt
	assert.equal(roleOf("a.json", `{"sets": {"a": [{"start": [0], "goal": [1], "objects": []}]}}`), "motion");
	assert.equal(roleOf("a.yaml", "name: [a]\nposition: [0]"), "motion");
	assert.equal(roleOf("a.STL", ""), "other");
	assert.match(trouble("r.urdf.xacro", ""), /run "xacro/);
});

await test("meshes: missing ones are named, ambiguous ones are not guessed", () => {
	assert.deepEqual(references(robot), ["package://p/meshes/a.stl"]);
	const files = (...paths) => paths.map((p) => ({ path: p, role: p.endsWith("urdf") ? "robot" : p.endsWith("csv") ? "motion" : "other" }));
	let plan = arrange(files("r.urdf", "m.csv"), robot);
	assert.match(plan.missing.join(), /package:\/\/p\/meshes\/a.stl, a mesh of r.urdf/);
	plan = arrange(files("r.urdf", "m.csv", "a.stl"), robot);
	assert.deepEqual(plan.missing, []);
	assert.match(plan.notes.join(), /taken from a.stl/);
	assert.deepEqual(plan.args, ["--robot", "r.urdf", "--package", "p=/packages/p", "m.csv"]);
	assert(plan.layout.some(([p, i]) => p === "/packages/p/meshes/a.stl" && i === 2));
	plan = arrange(files("r.urdf", "m.csv", "x/a.stl", "y/a.stl"), robot);
	assert.match(plan.missing.join(), /x\/a.stl and y\/a.stl/);
	plan = arrange(files("p/r.urdf", "m.csv", "p/meshes/a.stl", "p/visual/a.stl"), robot);
	assert.deepEqual([plan.missing, plan.notes], [[], []]);
	assert.match(arrange(files("m.csv"), "").missing.join(), /a URDF/);
});

await test("flags", () => {
	assert.deepEqual(words(`--clearance 0.05  --state 'a b=1' --x=""`), ["--clearance", "0.05", "--state", "a b=1", "--x="]);
	assert.throws(() => words(`"a`), /not closed/);
	assert.equal(shown(["a b", "--x=1"]), "'a b' --x=1");
});

await test("bad input is an error in words, with exit status 4, and no answer", async () => {
	const cut = [{ path: "/files/r.urdf", data: text("<robot name='r'><link") }, { path: "/files/m.csv", data: text("time,a\n0,1\n") }];
	const r = await command(cut, ["check", "--robot", "r.urdf", "m.csv"]);
	assert.equal(r.code, 4);
	assert.match(r.err, /r\.urdf/);
	assert.equal(r.out, "");
	const none = await command([], ["check", "--robot", "none.urdf", "m.csv"]);
	assert.equal(none.code, 4);
	assert.match(none.err, /none\.urdf: no such file/i);
});

await test("outputs and progress reach the page", async () => {
	const file = (p) => ({ path: "/files/" + path.basename(p), data: new Uint8Array(fs.readFileSync(path.join(built, "examples", p))) });
	const steps = [];
	const r = await command([file("gantry.urdf"), file("examples/slots.yaml"), file("examples/slots.csv")],
		["check", "--robot", "gantry.urdf", "--scene", "slots.yaml", "--picture", "out.svg", "slots.csv"], ["out.svg", "none.svg"], (s) => steps.push(s));
	assert.equal(r.code, 0, r.err);
	assert.match(new TextDecoder().decode(r.files["out.svg"]), /<svg/);
	assert.equal(r.files["none.svg"], undefined);
	assert(steps.some((s) => /gantry.urdf/.test(s.what)), JSON.stringify(steps));
});

if (runs > 1) console.table(times.map((t) => Object.fromEntries(Object.entries(t).map(([k, v]) => [k, typeof v === "number" ? Number(v.toPrecision(3)) : v]))));
console.log(failed ? `${failed} failed` : "all passed");
process.exit(failed ? 1 : 0);
