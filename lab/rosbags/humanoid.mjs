// Writes the recordings in testdata/recordings, of the humanoid's motion testdata/humanoid/wave.csv,
// for the tutorials. Usage: npm install && node humanoid.mjs WAVE.csv FOLDER
//
// wave.mcap     what ros2 bag record writes: all joints at 30 Hz, from 6 s to 8 s of the motion, by
//               the reference library for MCAP, in chunks with zstd.
// dropout.yaml  what ros2 topic echo prints: the right arm at 30 Hz from 2 s to 4 s, half a second of
//               which did not arrive.
import { McapWriter } from "@mcap/core";
import { parse } from "@foxglove/rosmsg";
import { MessageWriter } from "@foxglove/rosmsg2-serialization";
import zstd from "@foxglove/wasm-zstd";
import { mkdirSync, writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [wave, out] = process.argv.slice(2);
const type = "sensor_msgs/msg/JointState";
const definition = JSON.parse(readFileSync(new URL("definitions.json", import.meta.url)))[type];
const start = 1700000000n * 1000000000n;

const [head, ...lines] = readFileSync(wave, "utf8").trim().split("\n").map((l) => l.split(","));
const rows = lines.map((l) => l.map(Number)).filter((_, i) => i % 2 === 0); // of 60 Hz
const states = (from, to, chosen) => rows.filter((r) => r[0] >= from && r[0] <= to).map((r) => {
  const at = start + BigInt(Math.round(r[0] * 1e9));
  const columns = head.map((_, i) => i).filter((i) => i > 0 && chosen(head[i]));
  return {
    at,
    message: {
      header: { stamp: { sec: Number(at / 1000000000n), nanosec: Number(at % 1000000000n) }, frame_id: "" },
      name: columns.map((i) => head[i]), position: columns.map((i) => r[i]), velocity: [], effort: [],
    },
  };
});

class Memory {
  parts = [];
  size = 0n;
  position() { return this.size; }
  async write(b) { this.parts.push(Buffer.from(b)); this.size += BigInt(b.byteLength); }
}

mkdirSync(out, { recursive: true });
await zstd.isLoaded;
const file = new Memory();
const bag = new McapWriter({
  writable: file, useChunks: true, chunkSize: 1 << 18,
  compressChunk: (data) => ({ compression: "zstd", compressedData: zstd.compress(data, 19) }),
});
await bag.start({ profile: "ros2", library: "@mcap/core" });
const schemaId = await bag.registerSchema({ name: type, encoding: "ros2msg", data: new TextEncoder().encode(definition) });
const channelId = await bag.registerChannel({ schemaId, topic: "/joint_states", messageEncoding: "cdr", metadata: new Map([["offered_qos_profiles", ""]]) });
const cdr = new MessageWriter(parse(definition, { ros2: true }));
for (const [sequence, s] of states(6, 8, () => true).entries()) {
  await bag.addMessage({ channelId, sequence, logTime: s.at + 2000000n, publishTime: s.at, data: cdr.writeMessage(s.message) });
}
await bag.end();
writeFileSync(join(out, "wave.mcap"), Buffer.concat(file.parts));

const list = (name, items) => items.length ? `${name}:\n${items.map((x) => `- ${typeof x === "number" && Number.isInteger(x) ? x.toFixed(1) : x}\n`).join("")}` : `${name}: []\n`;
const lost = (t) => t > start + 2800000000n && t < start + 3300000000n;
writeFileSync(join(out, "dropout.yaml"), states(2, 4, (n) => n.startsWith("right_") && /shoulder|elbow|wrist/.test(n)).filter((s) => !lost(s.at)).map(({ message: m }) =>
  `header:\n  stamp:\n    sec: ${m.header.stamp.sec}\n    nanosec: ${m.header.stamp.nanosec}\n  frame_id: ''\n${list("name", m.name)}${list("position", m.position)}${list("velocity", [])}${list("effort", [])}---\n`).join(""));
