// Each invocation walks the world's tree with one slice.
layout(local_size_x = 64) in;

struct Node { // eight children, their boxes side by side: x x y y z z
	vec4 lo[6];
	vec4 hi[6];
	ivec4 child[2]; // a node, or ~item
	ivec4 count;
};
struct Slice {
	vec4 corner[4]; // corner[0].w is the radius
	vec4 lo, hi;
};
layout(std430, binding = 0) readonly buffer Nodes { Node nodes[]; };
layout(std430, binding = 1) readonly buffer Items { uvec4 items[]; }; // first point, count, radius
layout(std430, binding = 2) readonly buffer Points { vec4 points[]; };
layout(std430, binding = 3) readonly buffer Slices { Slice slices[]; };
layout(std430, binding = 4) buffer Hits { uvec4 total; uvec2 hits[]; };
layout(std430, binding = 5) writeonly buffer Done { uvec2 done[]; };

uniform uint first, count, capacity, nonce;

const int DEPTH = 192;
const int STEPS = 24;

// Nearest point to the origin on a simplex, which is cut down to what holds it. No proof rests on it.
vec3 s[4];
int n;

vec3 of_segment(int i, int j, out int used) {
	vec3 d = s[j] - s[i];
	float t = dot(d, d) > 0.0 ? clamp(-dot(s[i], d) / dot(d, d), 0.0, 1.0) : 0.0;
	used = t <= 0.0 ? 1 << i : t >= 1.0 ? 1 << j : 1 << i | 1 << j;
	return s[i] + t * d;
}

vec3 of_triangle(int i, int j, int k, out int used) {
	vec3 a = s[i], ab = s[j] - a, ac = s[k] - a, m = cross(ab, ac);
	float mm = dot(m, m);
	if (mm > 0.0) {
		float v = dot(cross(-a, ac), m), w = dot(cross(ab, -a), m);
		if (v >= 0.0 && w >= 0.0 && v + w <= mm) {
			used = 1 << i | 1 << j | 1 << k;
			return dot(a, m) / mm * m;
		}
	}
	int u;
	vec3 best = of_segment(i, j, used), p = of_segment(j, k, u);
	if (dot(p, p) < dot(best, best)) { best = p; used = u; }
	p = of_segment(k, i, u);
	if (dot(p, p) < dot(best, best)) { best = p; used = u; }
	return best;
}

bool on_side(int i, int j, int k, int l) { // whether the origin is on l's side of the triangle
	vec3 m = cross(s[j] - s[i], s[k] - s[i]);
	return dot(m, -s[i]) * dot(m, s[l] - s[i]) > 0.0;
}

bool nearest(out vec3 v) { // false where the origin is inside
	int used = 1, u;
	if (n == 1) v = s[0];
	else if (n == 2) v = of_segment(0, 1, used);
	else if (n == 3) v = of_triangle(0, 1, 2, used);
	else {
		if (on_side(0, 1, 2, 3) && on_side(1, 2, 3, 0) && on_side(2, 3, 0, 1) && on_side(3, 0, 1, 2)) return false;
		v = of_triangle(0, 1, 2, used);
		vec3 p = of_triangle(1, 2, 3, u);
		if (dot(p, p) < dot(v, v)) { v = p; used = u; }
		p = of_triangle(2, 3, 0, u);
		if (dot(p, p) < dot(v, v)) { v = p; used = u; }
		p = of_triangle(3, 0, 1, u);
		if (dot(p, p) < dot(v, v)) { v = p; used = u; }
	}
	int kept = 0;
	for (int i = 0; i < n; i++) {
		if ((used & 1 << i) != 0) s[kept++] = s[i];
	}
	n = kept;
	return true;
}

vec3 corner[4], point[8];
int points_of;
float radius, size;

// proof reports that slice and item are farther apart along d than radius. at and bt are the nearest
// corner and point along it.
//
// Let u be 2^-24 and size no less than the coordinates. A coordinate less another is off by u
// of the result, a product of three terms with d by 3 u of |d|1 size, whether or not it is fused, for
// both sides; their difference by u of twice that. All is below 10 u |d|1 size; E is 32 u
// |d|1 size. The last line squares, so that no root is trusted: 4 products and sums of positive
// numbers err by less than 16 u of themselves, for which 2^-16 stands. NaN proves nothing.
//
// There is no loop in what is trusted: drivers end loops that they find too long (Mesa's software
// renderer after 65535 rounds of all loops together), and say nothing.
#define CORNER(i) { precise float x = dot(d, corner[i]); if (!(x <= far)) { far = x; at = i; } }
#define POINT(i) { precise float x = dot(d, point[i]); if (!(x >= near)) { near = x; bt = i; } }
bool proof(vec3 d, out int at, out int bt) {
	precise float far = -1e38, near = 1e38;
	at = 0; bt = 0;
	CORNER(0) CORNER(1) CORNER(2) CORNER(3)
	POINT(0) POINT(1) POINT(2)
	if (points_of > 3) { POINT(3) POINT(4) POINT(5) POINT(6) POINT(7) }
	precise float one = abs(d.x) + abs(d.y) + abs(d.z);
	precise float gap = near - far - 1.9073486328125e-6 * one * size;
	precise float least = radius * radius * dot(d, d) * 1.0000153;
	return gap > 0.0 && gap < 1e18 && gap * gap > least;
}

// What an item has fewer of than 8 points is its first again.
#define LOAD_CORNER(i) { corner[i] = sl.corner[i].xyz - base; size = max(size, largest(corner[i])); }
#define LOAD_POINT(i) { point[i] = points[it.x + (uint(i) < it.y ? uint(i) : 0u)].xyz - base; size = max(size, largest(point[i])); }
float largest(vec3 v) { return max(abs(v.x), max(abs(v.y), abs(v.z))); }

bool apart(Slice sl, uint item) {
	uvec4 it = items[item];
	vec3 base = points[it.x].xyz;
	points_of = int(it.y);
	if (points_of > 8) return false;
	radius = (sl.corner[0].w + uintBitsToFloat(it.z)) * 1.000001;
	size = 0.0;
	LOAD_CORNER(0) LOAD_CORNER(1) LOAD_CORNER(2) LOAD_CORNER(3)
	LOAD_POINT(0) LOAD_POINT(1) LOAD_POINT(2)
	if (points_of > 3) { LOAD_POINT(3) LOAD_POINT(4) LOAD_POINT(5) LOAD_POINT(6) LOAD_POINT(7) }
	n = 0;
	vec3 v = point[0] - corner[0];
	for (int step = 0; step < STEPS; step++) {
		float m = max(abs(v.x), max(abs(v.y), abs(v.z)));
		if (!(m > 1e-12)) return false;
		int at, bt;
		vec3 d = v / m;
		if (proof(d, at, bt)) return true;
		vec3 w = point[bt] - corner[at];
		float vv = dot(v, v);
		if (n > 0 && vv - dot(v, w) <= 1e-6 * vv) return false;
		for (int i = 0; i < n; i++) {
			if (s[i] == w) return false;
		}
		s[n++] = w;
		if (!nearest(v)) return false;
	}
	return false;
}

// What a slice's walk says besides its token, if it did not see all that it had to.
const uint GAVE_UP = 0xffffffffu;

void main() {
	if (gl_GlobalInvocationID.x >= count) return;
	uint at = first + gl_GlobalInvocationID.x;
	Slice sl = slices[at];
	int stack[DEPTH];
	int top = 1;
	uint found = 0u;
	int due = 0, looked = 0; // children of the nodes that were opened, and those that were held against the slice
	bool whole = true;
	stack[0] = 0;
	while (top > 0) {
		int node = stack[--top];
		int children = nodes[node].count.x;
		due += children;
		for (int i = 0; i < children; i++) {
			looked++;
			int q = i >> 2, r = i & 3;
			vec3 lo = vec3(nodes[node].lo[q][r], nodes[node].lo[2 + q][r], nodes[node].lo[4 + q][r]);
			vec3 hi = vec3(nodes[node].hi[q][r], nodes[node].hi[2 + q][r], nodes[node].hi[4 + q][r]);
			if (any(greaterThan(lo, sl.hi.xyz)) || any(lessThan(hi, sl.lo.xyz))) continue;
			int child = nodes[node].child[q][r];
			if (child >= 0) {
				if (top == DEPTH) whole = false;
				else stack[top++] = child;
			} else if (!apart(sl, uint(~child))) {
				uint k = atomicAdd(total.x, 1u);
				if (k < capacity) hits[k] = uvec2(at, uint(~child));
				found++;
			}
		}
	}
	done[at] = uvec2(nonce ^ at, whole && top == 0 && due == looked && due > 0 ? found : GAVE_UP);
}
