// Writes the recordings in rosbag/testdata with the reference library for MCAP (@mcap/core),
// and messages.json for make_db3.py. Usage: npm install && node make.mjs FOLDER
//
// The motions are ours: two joints that move along straight lines, so that tests can work
// out every number.
import { McapWriter } from "@mcap/core";
import { CdrWriter, EncapsulationKind } from "@foxglove/cdr";
import { parse } from "@foxglove/rosmsg";
import { MessageWriter } from "@foxglove/rosmsg2-serialization";
import zstd from "@foxglove/wasm-zstd";
import lz4 from "lz4js";
import { mkdirSync, writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

const out = process.argv[2];
const definitions = JSON.parse(readFileSync(new URL("definitions.json", import.meta.url)));
const start = 1700000000n * 1000000000n;

const time = (ns) => ({ sec: Number(ns / 1000000000n), nanosec: Number(ns % 1000000000n) });
const header = (ns) => ({ stamp: time(ns), frame_id: "base" });

// One joint state every 20 ms for 2 s: the shoulder turns by 0.5 rad, the elbow back by 1.
function jointState(i) {
  return {
    at: start + BigInt(i) * 20000000n,
    late: 3000000n, // from stamp to recorder
    topic: "/joint_states",
    type: "sensor_msgs/msg/JointState",
    message: (ns) => ({
      header: header(ns),
      name: ["shoulder", "elbow"],
      position: [0.005 * i, -0.01 * i],
      velocity: [0.25, -0.5],
      effort: [],
    }),
  };
}

const none = { header: header(0n), joint_names: [], points: [] };

function jointTrajectory(goal) {
  const point = (x, seconds) => ({
    positions: [x, -2 * x], velocities: [], accelerations: [], effort: [],
    time_from_start: { sec: Math.floor(seconds), nanosec: Math.round((seconds % 1) * 1e9) },
  });
  return {
    header: header(0n), joint_names: ["shoulder", "elbow"],
    points: [point(0, 0), point(goal / 2, 0.75), point(goal, 1.5)],
  };
}

const commands = [0.2, 0.4, 0.6].map((goal, i) => ({
  at: start + BigInt(i) * 500000000n, late: 0n,
  topic: "/arm_controller/joint_trajectory", type: "trajectory_msgs/msg/JointTrajectory",
  message: () => jointTrajectory(goal),
}));

const planned = {
  at: start + 100000000n, late: 0n,
  topic: "/display_planned_path", type: "moveit_msgs/msg/DisplayTrajectory",
  message: () => ({
    model_id: "two_link",
    trajectory: [{ joint_trajectory: jointTrajectory(0.8), multi_dof_joint_trajectory: none }],
    trajectory_start: {
      joint_state: { header: header(0n), name: ["shoulder", "elbow"], position: [0, 0], velocity: [], effort: [] },
      multi_dof_joint_state: { header: header(0n), joint_names: [], transforms: [], twist: [], wrench: [] },
      attached_collision_objects: [], is_diff: false,
    },
  }),
};

// Goals of an action, as introspection of its services records them: each at the client and at
// the server, then the server's answer.
const goalType = "control_msgs/action/FollowJointTrajectory_SendGoal_Event";
const event = (goal, kind) => ({
  at: start + BigInt(goal * 1000 + kind) * 1000000n, late: 0n,
  topic: "/arm_controller/follow_joint_trajectory/_action/send_goal/_service_event", type: goalType,
  message: (ns) => ({
    info: { event_type: kind, stamp: time(ns), client_gid: new Uint8Array(16).fill(7), sequence_number: BigInt(goal) },
    request: kind > 1 ? [] : [{
      goal_id: { uuid: new Uint8Array(16).fill(goal) },
      goal: {
        trajectory: jointTrajectory(0.1 * goal), multi_dof_trajectory: none,
        path_tolerance: [{ name: "elbow", position: 0.01, velocity: 0, acceleration: 0 }],
        component_path_tolerance: [], goal_tolerance: [], component_goal_tolerance: [],
        goal_time_tolerance: { sec: 1, nanosec: 0 },
      },
    }],
    response: kind > 1 ? [{ accepted: true, stamp: time(ns) }] : [],
  }),
});
const goals = [1, 2].flatMap((goal) => [0, 1, 2].map((kind) => event(goal, kind)));

const text = (i) => ({
  at: start + BigInt(i) * 10000000n, late: 0n, topic: "/chatter", type: "std_msgs/msg/String",
  message: () => ({ data: `line ${i} `.repeat(8) }),
});

const range = (n, f) => Array.from({ length: n }, (_, i) => f(i));
const everything = [...range(101, jointState), ...commands, planned, ...range(200, text)]
  .sort((a, b) => (a.at + a.late < b.at + b.late ? -1 : 1));

const writers = new Map();
function encode(entry) {
  if (!writers.has(entry.type)) writers.set(entry.type, new MessageWriter(parse(definitions[entry.type === goalType ? "event" : entry.type], { ros2: true })));
  return writers.get(entry.type).writeMessage(entry.message(entry.at));
}

class Memory {
  parts = [];
  size = 0n;
  position() { return this.size; }
  async write(b) { this.parts.push(Buffer.from(b)); this.size += BigInt(b.byteLength); }
}

async function write(name, entries, options, { encoding = "cdr", schema = "ros2msg", bytes = encode } = {}) {
  const file = new Memory();
  const writer = new McapWriter({ writable: file, ...options });
  await writer.start({ profile: "ros2", library: "@mcap/core" });
  const channels = new Map();
  let sequence = 0;
  for (const e of entries) {
    if (!channels.has(e.topic)) {
      const schemaId = await writer.registerSchema({ name: e.type, encoding: schema, data: new TextEncoder().encode(schema === "ros2msg" ? definitions[e.type] : "") });
      channels.set(e.topic, await writer.registerChannel({ schemaId, topic: e.topic, messageEncoding: encoding, metadata: new Map([["offered_qos_profiles", ""]]) }));
    }
    const data = bytes(e);
    await writer.addMessage({ channelId: channels.get(e.topic), sequence: sequence++, logTime: e.at + e.late, publishTime: e.at, data });
  }
  await writer.end();
  writeFileSync(join(out, name), Buffer.concat(file.parts));
}

// A JointState in big endian, which no ROS 2 machine writes today but the format allows.
function bigEndian(e) {
  const m = e.message(e.at);
  const w = new CdrWriter({ kind: EncapsulationKind.CDR_BE });
  w.int32(m.header.stamp.sec); w.uint32(m.header.stamp.nanosec); w.string(m.header.frame_id);
  w.sequenceLength(m.name.length); m.name.forEach((n) => w.string(n));
  for (const list of [m.position, m.velocity, m.effort]) w.float64Array(list, true);
  return w.data;
}

function xcdr2(e) {
  const data = Uint8Array.from(encode(e));
  data[1] = 0x07; // CDR2_LE
  return data;
}

await zstd.isLoaded;
const compress = {
  zstd: (data) => ({ compression: "zstd", compressedData: zstd.compress(data, 3) }),
  lz4: (data) => ({ compression: "lz4", compressedData: Uint8Array.from(lz4.compress(data)) }),
};
const chunks = { useChunks: true, chunkSize: 4096 };
const bare = { useStatistics: false, useSummaryOffsets: false, useMessageIndex: false, useChunkIndex: false, repeatSchemas: false, repeatChannels: false };

mkdirSync(out, { recursive: true });
await write("unchunked.mcap", everything, { useChunks: false });
await write("unchunked_bare.mcap", everything, { useChunks: false, ...bare });
await write("chunked.mcap", everything, chunks);
await write("zstd.mcap", everything, { ...chunks, compressChunk: compress.zstd });
await write("zstd_bare.mcap", everything, { ...chunks, ...bare, compressChunk: compress.zstd });
await write("lz4.mcap", everything, { ...chunks, compressChunk: compress.lz4 });
await write("big_endian.mcap", range(101, jointState), chunks, { bytes: bigEndian });
await write("xcdr2.mcap", range(3, jointState), chunks, { bytes: xcdr2 });
await write("json.mcap", range(3, jointState), chunks, { encoding: "json", schema: "jsonschema", bytes: (e) => new TextEncoder().encode(JSON.stringify(e.message(e.at))) });
await write("no_motion.mcap", range(3, text), chunks);
await write("trajectories.mcap", [...commands, planned], chunks);
const stop = { ...commands[0], at: start + 200000000n, message: () => ({ ...none, joint_names: ["shoulder", "elbow"] }) };
await write("stop.mcap", [commands[0], stop, commands[1]], chunks);
await write("goals.mcap", goals, chunks);
await write("goals_undefined.mcap", goals, chunks, { schema: "" });
await write("states.mcap", range(101, jointState), chunks);
const half = range(101, jointState);
await write("part_0.mcap", half.slice(0, 50), chunks);
await write("part_1.mcap", half.slice(50), chunks);

writeFileSync("messages.json", JSON.stringify({
  definitions,
  messages: everything.map((e) => ({ topic: e.topic, type: e.type, at: String(e.at + e.late), data: Buffer.from(encode(e)).toString("base64") })),
}));
