// The playground's page: takes files, asks the worker, shows the answer.

import { arrange, baseName, dropped, mostFiles, roleOf, roles, shown, trouble, wantsText, words } from "./files.js";

const $ = (id) => document.getElementById(id);
const mostBytes = 1 << 30; // of all files; WebAssembly can address four times as much
const report = "report.html";

let files = []; // {path, data, text, role}
let plan = null; // of arrange
let worker = null; // while a check runs
let stop = () => {}; // ends it
let asked = 0; // counts questions: an answer is shown for the newest one alone
let frameURL = "", saveURLs = [];

// The engine is compiled once. It is compressed by itself, so that it needs nothing of the server.
const engine = (async () => {
	const packed = await fetch("firstcontact.wasm.gz");
	if (!packed.ok) throw new Error(`the engine cannot be loaded: ${packed.status} ${packed.statusText}`);
	const headers = { "Content-Type": "application/wasm" };
	const bytes = new Uint8Array(await packed.arrayBuffer());
	// A server may have unpacked it already.
	const body = bytes[0] === 0x1f ? new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")) : bytes;
	return WebAssembly.compileStreaming(new Response(body, { headers }));
})();
engine.then(() => say("Ready"), (e) => say(location.protocol === "file:" ? "The engine cannot be loaded from a file: serve this folder, for instance with python3 -m http.server" : e.message));
engine.then(refresh, () => {});

function say(text) { $("state").textContent = text; }

function element(name, text, attributes = {}) {
	const e = document.createElement(name);
	if (text) e.textContent = text;
	for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
	return e;
}

// take adds files, a list of {path, file}; one of the same path replaces another. Nothing is added
// if they are no longer wanted when they have been read.
async function take(list, wanted = () => true) {
	try {
		if (files.length + list.length > mostFiles) throw new Error(`more than ${mostFiles} files: drop the robot's own folder`);
		const total = files.reduce((n, f) => n + f.data.length, 0) + list.reduce((n, f) => n + f.file.size, 0);
		if (total > mostBytes) throw new Error(`the files have ${size(total)} together, more than ${size(mostBytes)}: use the command on your machine`);
		const read = await Promise.all(list.map(async ({ path, file }) => ({ path, data: new Uint8Array(await file.arrayBuffer()) })));
		if (!wanted()) return;
		for (const { path, data } of read) {
			const text = wantsText(path) ? new TextDecoder().decode(data) : "";
			files = files.filter((f) => f.path !== path);
			files.push({ path, data, text, role: roleOf(path, text) });
		}
		files.sort((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role) || (a.path < b.path ? -1 : 1));
	} catch (e) {
		say(e.message);
		return;
	}
	forget();
	refresh();
}

const size = (n) => n < 1e3 ? `${n} B` : n < 1e6 ? `${Math.round(n / 1e3)} kB` : `${(n / 1e6).toFixed(1)} MB`;

// refresh shows the files, and what is missing.
function refresh() {
	const robot = files.find((f) => f.role === "robot");
	plan = arrange(files, robot?.text ?? "");
	$("list").replaceChildren(...files.filter((f) => f.role !== "other").map(row));
	const others = files.filter((f) => f.role === "other");
	$("meshes").hidden = others.length === 0;
	$("meshes").firstElementChild.textContent = `${others.length} other file${others.length > 1 ? "s" : ""}: meshes and the like`;
	$("meshes").lastElementChild.replaceChildren(...others.slice(0, 200).map(row));
	const troubles = files.map((f) => trouble(f.path, f.text)).filter(Boolean);
	const lines = files.length === 0 ? [] : [
		...troubles.map((t) => element("p", t, { class: "trouble" })),
		...plan.missing.map((m) => element("p", m, { class: "missing" })),
		...plan.notes.map((n) => element("p", n, { class: "note" })),
	];
	$("advice").replaceChildren(...lines);
	$("clear").disabled = files.length === 0;
	engine.then(() => { $("check").disabled = worker !== null || plan.missing.length > 0; }, () => {});
}

function row(f) {
	const li = element("li");
	const choice = element("select", "", { "aria-label": `What ${f.path} is` });
	for (const r of roles) choice.append(element("option", r));
	choice.value = f.role;
	choice.onchange = () => { f.role = choice.value; forget(); refresh(); };
	const remove = element("button", "Remove", { type: "button", "aria-label": `Remove ${f.path}` });
	remove.onclick = () => { files = files.filter((g) => g !== f); forget(); refresh(); };
	li.append(element("span", f.path, { class: "path" }), element("span", size(f.data.length), { class: "size" }), choice, remove);
	return li;
}

// check asks a worker of its own, which Cancel can end at any time.
async function check() {
	let flags;
	try {
		flags = words($("flags").value);
	} catch (e) {
		say(`The flags cannot be read: ${e.message}`);
		return;
	}
	forget();
	const question = asked;
	const module = await engine;
	if (question !== asked) return;
	const argv = ["check", ...flags, "--report", report, ...plan.args];
	$("same").textContent = shown(["firstcontact", "check", ...flags, ...plan.args]);
	const begin = performance.now();
	worker = new Worker("worker.js", { type: "module" });
	$("cancel").disabled = false;
	$("check").disabled = true;
	$("progress").hidden = false;
	$("progress").removeAttribute("value");
	let what = "Checking";
	const seconds = () => `${((performance.now() - begin) / 1000).toFixed(1)} s`;
	const clock = setInterval(() => say(`${what}, ${seconds()}`), 100);
	say(what);
	const end = (text) => {
		clearInterval(clock);
		worker?.terminate();
		worker = null;
		stop = () => {};
		$("cancel").disabled = true;
		$("progress").hidden = true;
		say(text);
		refresh();
	};
	stop = () => end("Stopped: the input has changed");
	$("cancel").onclick = () => { end(`Cancelled after ${seconds()}: there is no answer`); $("check").focus(); };
	worker.onerror = (e) => { end(`The engine failed: ${e.message ?? "its worker did not start"}`); };
	worker.onmessage = ({ data }) => {
		if (data.kind === "progress") {
			const s = data.step;
			what = s.what ? s.what.replaceAll("/files/", "").replace(/^./, (c) => c.toUpperCase()) + (s.total > 0 ? `: ${s.done} of ${s.total} ${s.unit}` : "") : "Checking";
			if (s.total > 0) [$("progress").max, $("progress").value] = [s.total, s.done];
			else $("progress").removeAttribute("value");
		} else if (data.kind === "failed") {
			end(`The engine failed: ${data.message}`);
		} else {
			end(`Done in ${seconds()}`);
			show(data.result);
		}
	};
	worker.postMessage({ module, argv, outputs: [report], files: plan.layout.map(([path, i]) => ({ path, data: files[i].data })) });
}

// What an exit status means; the words after it are the command's.
const meanings = {
	0: ["FREE", "free"], 1: ["CONTACT", "contact"], 2: ["CLEARANCE not kept", "clearance"], 3: ["UNDECIDED: not proved, never treat it as free", "undecided"],
	4: ["No answer: the input cannot be used", "bad"], 64: ["No answer: the flags are wrong", "bad"],
};

function show({ code, out, err, files: written }) {
	const page = written[report];
	// An answer comes with its report: without one nothing was checked, as with --help.
	const [word, kind] = code <= 3 && !page ? ["No answer: nothing was checked", "bad"] : meanings[code] ?? ["No answer: the engine failed", "bad"];
	$("verdict").textContent = word;
	$("verdict").className = kind;
	$("out").textContent = [out, err].map((s) => s.replaceAll("/files/", "").trimEnd()).filter(Boolean).join("\n\n");
	$("saves").replaceChildren();
	if (page) {
		const blob = new Blob([page], { type: "text/html" });
		frameURL = URL.createObjectURL(blob);
		$("report").src = frameURL;
		$("saves").append(save("Save the report", blob, report));
	}
	$("report").hidden = !page;
	$("result").hidden = false;
}

function save(text, blob, name) {
	const url = URL.createObjectURL(blob);
	saveURLs.push(url);
	return element("a", text, { href: url, download: name });
}

// forget takes the last answer away, and ends the check that runs: they are not about what comes.
function forget() {
	asked++;
	stop();
	$("result").hidden = true;
	$("report").removeAttribute("src");
	$("report").hidden = true;
	for (const url of [frameURL, ...saveURLs]) if (url) URL.revokeObjectURL(url);
	[frameURL, saveURLs] = ["", []];
}

const picked = (input) => [...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
$("choose").onclick = () => $("files").click();
$("choose-folder").onclick = () => $("folder").click();
for (const id of ["files", "folder"]) $(id).onchange = (e) => { const list = picked(e.target); e.target.value = ""; take(list); };
$("clear").onclick = () => { files = []; forget(); refresh(); };
$("check").onclick = check;
$("flags").oninput = forget;
$("flags").onkeydown = (e) => { if (e.key === "Enter" && !$("check").disabled) check(); };

// Files may be dropped anywhere: otherwise the browser would leave the page.
for (const event of ["dragover", "dragenter"]) addEventListener(event, (e) => { e.preventDefault(); $("drop").classList.add("over"); });
addEventListener("dragleave", (e) => { if (!e.relatedTarget) $("drop").classList.remove("over"); });
addEventListener("drop", (e) => {
	e.preventDefault();
	$("drop").classList.remove("over");
	dropped(e.dataTransfer.items).then(take, (error) => say(`The files cannot be read: ${error.message}`));
});

// The examples are files beside the page.
const examples = await (await fetch("examples/examples.json")).json();
for (const e of examples) $("example").append(element("option", e.title, { value: e.name }));
$("example").onchange = async () => {
	const e = examples.find((x) => x.name === $("example").value);
	if (!e) return;
	$("check").disabled = true; // until its files are here
	forget();
	files = [];
	$("about").textContent = e.about;
	$("flags").value = shown(e.flags);
	try {
		const list = await Promise.all(e.files.map(async (path) => {
			const answer = await fetch(`examples/${path}`);
			if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
			return { path, file: await answer.blob() };
		}));
		if ($("example").value !== e.name) return; // another one was chosen in the meantime
		await take(list, () => $("example").value === e.name);
	} catch (error) {
		say(`The example cannot be loaded: ${error.message}`);
	}
};
