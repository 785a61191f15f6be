// Reads a recording by its index with the reference library for MCAP (@mcap/core), decodes every
// message by the definition in the file, and prints what each topic has.
// Usage: node read.mjs FILE
import { McapIndexedReader } from "@mcap/core";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import zstd from "@foxglove/wasm-zstd";
import { open } from "node:fs/promises";

await zstd.isLoaded;
const handle = await open(process.argv[2]);
const readable = {
  size: async () => BigInt((await handle.stat()).size),
  read: async (offset, length) => {
    const b = new Uint8Array(Number(length));
    await handle.read(b, 0, Number(length), Number(offset));
    return b;
  },
};
const reader = await McapIndexedReader.Initialize({
  readable, decompressHandlers: { zstd: (b, size) => zstd.decompress(b, Number(size)) },
});
if (reader.header.profile !== "ros2") throw new Error(`profile ${reader.header.profile}`);
const topics = new Map();
let last = 0n;
for await (const m of reader.readMessages()) {
  if (m.logTime < last) throw new Error(`message of ${m.logTime} after ${last}`);
  last = m.logTime;
  const channel = reader.channelsById.get(m.channelId);
  const schema = reader.schemasById.get(channel.schemaId);
  if (!topics.has(channel.topic)) {
    const text = new TextDecoder().decode(schema.data);
    topics.set(channel.topic, { type: schema.name, count: 0, decoder: new MessageReader(parse(text, { ros2: true })) });
  }
  const topic = topics.get(channel.topic);
  topic.last = topic.decoder.readMessage(m.data);
  topic.count++;
}
let all = 0n;
for (const [id, count] of reader.statistics.channelMessageCounts) {
  const topic = topics.get(reader.channelsById.get(id).topic);
  if (BigInt(topic.count) !== count) throw new Error(`${count} messages are announced, ${topic.count} were read`);
  all += count;
}
if (all !== reader.statistics.messageCount) throw new Error("the statistics do not add up");
const plain = (_, v) => (typeof v === "bigint" ? Number(v) : ArrayBuffer.isView(v) ? Array.from(v) : v);
for (const [name, { type, count, last }] of topics) {
  console.log(`${name} (${type}): ${count}; the last: ${JSON.stringify(last, plain).slice(0, 160)}`);
}
