// One orthographic view of a volume and of pieces of the world. Things are drawn as rectangles
// of whole pixels that hold them. At each pixel the fragment shader bounds where the thing is
// along the view, over the whole square of the pixel.
//
// Let u be 2^-24, (x, y) the square's middle and (hx, hy) half its sides, dilated. Of a
// slab lo <= n.p <= hi, a point of the thing over the square has
//
//	lo - s - t  <=  n_d z  <=  hi - s + t,   s = n_a x + n_b y,   t = |n_a| hx + |n_b| hy
//
// which bounds z if n_d is not small, and shows that the thing is not over the square if it
// contradicts the thing's box. s errs by less than 4 u (|n_a x| + |n_b y|), each difference by
// 2 u of its terms: t has 32 u of all of them. Division errs by 2.5 units in the last place, for which
// 2^-18 stands. A loop that the driver ends early leaves bounds wider, which hides less.

#define N_SLABS SLABS

layout(std430, binding = 0) readonly buffer Rects { ivec4 rects[]; };   // x0 y0 x1 y1, in pixels
layout(std430, binding = 1) readonly buffer Boxes { vec4 boxes[]; };    // lo, hi of each thing: a, b, d
layout(std430, binding = 2) readonly buffer Slabs { float slabs[]; };   // n_a n_b n_d lo hi
layout(std430, binding = 3) buffer Counts { uint counts[]; };

uniform float pixels;
uniform vec4 grid;   // the view's corner, and the sides of a pixel
uniform vec2 half_;  // of a square, dilated; zero for the published test
uniform float slack; // 1, or zero for the published test
uniform int first;   // of counts
uniform int mode;    // 0 clears, 1 draws the volume, 2 tests pieces

const float BIG = 3e38;

#ifdef VERTEX
flat out int thing;
void main() {
	thing = gl_InstanceID;
	ivec4 r = mode == 0 ? ivec4(0, 0, int(pixels), int(pixels)) : rects[thing];
	vec2 at = vec2((gl_VertexID & 1) == 0 ? r.x : r.z, (gl_VertexID & 2) == 0 ? r.y : r.w);
	gl_Position = vec4(2.0 * at / pixels - 1.0, 0.0, 1.0);
}
#endif

#ifdef FRAGMENT
flat in int thing;
layout(location = 0) out vec4 depth; // the least depth, and the greatest with its sign changed

uniform sampler2D volume;

// over bounds the thing's depth over the square; false if it is not there.
bool over(vec2 at, out precise float lo, out precise float hi) {
	vec3 box0 = boxes[2 * thing].xyz, box1 = boxes[2 * thing + 1].xyz;
	lo = box0.z;
	hi = box1.z;
	if (at.x - half_.x > box1.x || at.x + half_.x < box0.x || at.y - half_.y > box1.y || at.y + half_.y < box0.y) return false;
	for (int i = 0; i < N_SLABS; i++) {
		int k = 5 * (N_SLABS * thing + i);
		vec3 n = vec3(slabs[k], slabs[k + 1], slabs[k + 2]);
		float l = slabs[k + 3], h = slabs[k + 4];
		vec3 m = abs(n);
		precise float s = n.x * at.x + n.y * at.y;
		precise float t = m.x * half_.x + m.y * half_.y
			+ slack * 1.9073486328125e-6 * (m.x * abs(at.x) + m.y * abs(at.y) + m.z * max(abs(box0.z), abs(box1.z)) + max(abs(l), abs(h)));
		precise float from = l - s - t, to = h - s + t;
		// Of the box: n_d z.
		float z0 = n.z * (n.z < 0.0 ? box1.z : box0.z), z1 = n.z * (n.z < 0.0 ? box0.z : box1.z);
		if (from > z1 || to < z0) return false;
		if (m.z > 0.01) {
			precise float a = from / n.z, b = to / n.z;
			precise float least = min(a, b), most = max(a, b);
			least -= slack * 3.8146973e-6 * abs(least);
			most += slack * 3.8146973e-6 * abs(most);
			if (least > lo) lo = least;
			if (most < hi) hi = most;
		}
	}
	return !(lo > hi);
}

void main() {
	if (mode == 0) {
		atomicAdd(counts[first], 1u);
		depth = vec4(BIG, BIG, 0.0, 0.0);
		return;
	}
	int k = first + 3 * thing;
	if (mode == 2 && (counts[k + 2] & 3u) == 3u) return; // it is neither before nor behind: count no more
	vec2 at = grid.xy + gl_FragCoord.xy * grid.zw;
	precise float lo, hi;
	vec2 v = vec2(0.0);
	bool there = true;
	if (mode == 2) {
		v = texelFetch(volume, ivec2(gl_FragCoord.xy), 0).xy;
		there = !(v.x == BIG && v.y == BIG); // nothing of the volume is over the square
	}
	there = there && over(at, lo, hi);
	if (mode == 1) {
		atomicAdd(counts[first + thing], 1u);
		if (!there) discard;
		if (!(lo >= -BIG)) lo = -BIG; // NaN, too
		if (!(hi <= BIG)) hi = BIG;
		depth = vec4(lo, -hi, 0.0, 0.0);
		return;
	}
	if (!there || hi < v.x) atomicAdd(counts[k], 1u);
	else if ((counts[k + 2] & 1u) == 0u) atomicOr(counts[k + 2], 1u);
	if (!there || -lo < v.y) atomicAdd(counts[k + 1], 1u);
	else if ((counts[k + 2] & 2u) == 0u) atomicOr(counts[k + 2], 2u);
	depth = vec4(0.0);
}
#endif
