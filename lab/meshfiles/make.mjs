// Writes meshes with the libraries that people use: glTF-Transform, three.js and obj2gltf.
// Usage: npm install && node make.mjs FOLDER
//
// The shape is ours: a block of 0.25 x 0.5 x 0.75 m with a corner at the origin, so that tests
// can work out every vertex. Files named after a scene place it twice: moved by (1, 0, 0), and
// mirrored in x, turned by a quarter about z and moved by (0, 0, 2).
import { Document, NodeIO, Primitive } from "@gltf-transform/core";
import { ALL_EXTENSIONS } from "@gltf-transform/extensions";
import { draco, meshopt, quantize, sparse } from "@gltf-transform/functions";
import { MeshoptDecoder, MeshoptEncoder } from "meshoptimizer";
import draco3d from "draco3d";
import obj2gltf from "obj2gltf";
import * as THREE from "three";
import { GLTFExporter } from "three/addons/exporters/GLTFExporter.js";
import { PLYExporter } from "three/addons/exporters/PLYExporter.js";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const out = process.argv[2];
mkdirSync(out, { recursive: true });

const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [(i & 1) * 0.25, ((i >> 1) & 1) * 0.5, (i >> 2) * 0.75]);
const quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
const triangles = quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
const half = Math.SQRT1_2;

await MeshoptEncoder.ready;
await MeshoptDecoder.ready;
const io = new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
  "draco3d.encoder": await draco3d.createEncoderModule(),
  "draco3d.decoder": await draco3d.createDecoderModule(),
  "meshopt.encoder": MeshoptEncoder,
  "meshopt.decoder": MeshoptDecoder,
});

// block is a document with the block as a mesh.
function block({ mode = Primitive.Mode.TRIANGLES, indices = triangles } = {}) {
  const doc = new Document();
  const buffer = doc.createBuffer();
  const primitive = doc
    .createPrimitive()
    .setMode(mode)
    .setAttribute("POSITION", doc.createAccessor().setType("VEC3").setArray(new Float32Array(corners.flat())).setBuffer(buffer));
  if (indices) primitive.setIndices(doc.createAccessor().setArray(new Uint16Array(indices)).setBuffer(buffer));
  return { doc, buffer, primitive, mesh: doc.createMesh("block").addPrimitive(primitive) };
}

// placed puts the mesh into a scene twice.
function placed({ doc, mesh }) {
  const moved = doc.createNode("moved").setMesh(mesh).setTranslation([1, 0, 0]);
  const mirrored = doc.createNode("mirrored").setMesh(mesh).setScale([-1, 1, 1]);
  const turned = doc.createNode("turned").setRotation([0, 0, half, half]).setTranslation([0, 0, 2]).addChild(mirrored);
  doc.getRoot().setDefaultScene(doc.createScene("shown").addChild(moved).addChild(turned));
  return doc;
}

// alone shows the mesh as it is.
function alone({ doc, mesh }) {
  doc.getRoot().setDefaultScene(doc.createScene().addChild(doc.createNode("block").setMesh(mesh)));
  return doc;
}

await io.write(join(out, "scene.glb"), placed(block()));
await io.write(join(out, "scene.gltf"), placed(block())); // with a buffer in a file of its own

let doc = placed(block());
await doc.transform(quantize());
await io.write(join(out, "scene_quantized.glb"), doc);

const dented = block(); // most positions are 0 and stored apart
dented.primitive.setAttribute(
  "POSITION",
  dented.doc.createAccessor().setType("VEC3").setArray(new Float32Array([...corners.flat(), ...Array(300).fill(0)])).setBuffer(dented.buffer),
);
doc = alone(dented);
await doc.transform(sparse({ ratio: 1 }));
await io.write(join(out, "sparse.glb"), doc);

doc = alone(block());
await doc.transform(meshopt({ encoder: MeshoptEncoder }));
await io.write(join(out, "meshopt.glb"), doc);
doc = alone(block());
await doc.transform(draco());
await io.write(join(out, "draco.glb"), doc);

await io.write(join(out, "strip.glb"), alone(block({ mode: Primitive.Mode.TRIANGLE_STRIP, indices: [0, 1, 2, 3, 6, 7] })));
await io.write(join(out, "fan.glb"), alone(block({ mode: Primitive.Mode.TRIANGLE_FAN, indices: [0, 1, 3, 2] })));
await io.write(join(out, "points.glb"), alone(block({ mode: Primitive.Mode.POINTS, indices: null })));

const edges = block(); // a block with a line on top
edges.mesh.addPrimitive(
  edges.doc.createPrimitive().setMode(Primitive.Mode.LINES).setAttribute("POSITION", edges.primitive.getAttribute("POSITION")).setIndices(edges.doc.createAccessor().setArray(new Uint16Array([4, 5, 5, 7])).setBuffer(edges.buffer)),
);
await io.write(join(out, "lines.glb"), alone(edges));

const two = block(); // of two scenes one is shown
two.doc.getRoot().setDefaultScene(two.doc.createScene().addChild(two.doc.createNode().setMesh(two.mesh)));
two.doc.createScene("hidden").addChild(two.doc.createNode().setMesh(two.mesh).setTranslation([5, 0, 0]));
await io.write(join(out, "two_scenes.glb"), two.doc);

const animated = block();
alone(animated);
const node = animated.doc.getRoot().listNodes()[0];
const times = animated.doc.createAccessor().setArray(new Float32Array([0, 1])).setBuffer(animated.buffer);
const ways = animated.doc.createAccessor().setType("VEC3").setArray(new Float32Array([0, 0, 0, 1, 0, 0])).setBuffer(animated.buffer);
const sampler = animated.doc.createAnimationSampler().setInput(times).setOutput(ways);
animated.doc.createAnimation().addSampler(sampler).addChannel(animated.doc.createAnimationChannel().setTargetNode(node).setTargetPath("translation").setSampler(sampler));
await io.write(join(out, "animated.glb"), animated.doc);

for (const weight of [0, 0.5]) {
  const morphed = block();
  const target = morphed.doc.createPrimitiveTarget().setAttribute("POSITION", morphed.doc.createAccessor().setType("VEC3").setArray(new Float32Array(24).fill(0.1)).setBuffer(morphed.buffer));
  morphed.primitive.addTarget(target);
  morphed.mesh.setWeights([weight]);
  await io.write(join(out, weight ? "morph.glb" : "morph_at_rest.glb"), alone(morphed));
}

const skinned = block();
alone(skinned);
const joint = skinned.doc.createNode("joint");
skinned.doc.getRoot().listScenes()[0].addChild(joint);
skinned.primitive
  .setAttribute("JOINTS_0", skinned.doc.createAccessor().setType("VEC4").setArray(new Uint8Array(32)).setBuffer(skinned.buffer))
  .setAttribute("WEIGHTS_0", skinned.doc.createAccessor().setType("VEC4").setArray(new Float32Array(32).fill(0.25)).setBuffer(skinned.buffer));
skinned.doc.getRoot().listNodes()[0].setSkin(skinned.doc.createSkin().addJoint(joint));
await io.write(join(out, "skin.glb"), skinned.doc);

// three.js, which needs a reader of blobs that Node.js lacks.
globalThis.FileReader = class {
  async readAsArrayBuffer(blob) {
    this.result = await blob.arrayBuffer();
    this.onloadend();
  }
  async readAsDataURL(blob) {
    this.result = "data:application/octet-stream;base64," + Buffer.from(await blob.arrayBuffer()).toString("base64");
    this.onloadend();
  }
};
const geometry = new THREE.BufferGeometry();
geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(corners.flat()), 3));
geometry.setIndex(triangles);
const material = new THREE.MeshStandardMaterial();
const group = new THREE.Group();
const moved = new THREE.Mesh(geometry, material);
moved.position.set(1, 0, 0);
const turned = new THREE.Group();
turned.quaternion.set(0, 0, half, half);
turned.position.set(0, 0, 2);
const mirrored = new THREE.Mesh(geometry, material);
mirrored.scale.set(-1, 1, 1);
turned.add(mirrored);
const shown = new THREE.Scene();
shown.add(moved, turned);
const exporter = new GLTFExporter();
writeFileSync(join(out, "scene_three.gltf"), JSON.stringify(await exporter.parseAsync(shown, { trs: true }))); // a data address
writeFileSync(join(out, "scene_three.glb"), Buffer.from(await exporter.parseAsync(shown, { binary: true }))); // matrices

const many = new THREE.InstancedMesh(geometry, material, 2);
many.setMatrixAt(1, new THREE.Matrix4().makeTranslation(1, 0, 0));
writeFileSync(join(out, "instanced_three.glb"), Buffer.from(await exporter.parseAsync(many, { binary: true })));

const ply = new PLYExporter();
const plain = new THREE.Mesh(geometry, material);
writeFileSync(join(out, "three_text.ply"), ply.parse(plain, undefined, {}));
writeFileSync(join(out, "three_big.ply"), Buffer.from(ply.parse(plain, undefined, { binary: true })));
writeFileSync(join(out, "three_little.ply"), Buffer.from(ply.parse(plain, undefined, { binary: true, littleEndian: true })));
writeFileSync(join(out, "three_cloud.ply"), Buffer.from(ply.parse(new THREE.Points(geometry), undefined, { binary: true, littleEndian: true, excludeAttributes: ["index"] })));

// obj2gltf, from text of our own.
const obj = corners.map((v) => "v " + v.join(" ") + "\n").join("") + quads.map((q) => "f " + q.map((i) => i + 1).join(" ") + "\n").join("");
writeFileSync(join(out, "block.obj"), obj);
writeFileSync(join(out, "obj2gltf.glb"), await obj2gltf(join(out, "block.obj"), { binary: true }));
