// The worker in which a check runs, so that the page stays alive and can end it.

import { run } from "./engine.js";

self.onmessage = async ({ data }) => {
	try {
		await import("./wasm_exec.js");
		let told = 0;
		const result = await run(data.module, data, (step) => {
			const now = performance.now();
			if (now - told > 100 || step.done >= step.total) {
				told = now;
				self.postMessage({ kind: "progress", step });
			}
		});
		self.postMessage({ kind: "done", result }, Object.values(result.files).map((f) => f.buffer));
	} catch (e) {
		self.postMessage({ kind: "failed", message: String(e?.message ?? e) });
	}
};
