/* misuse N SEED: N calls with wrong arguments, which must be errors, among right ones, whose answers must stay right. What no
 * library can notice is left out: addresses that are not NULL and not the caller's. */
#include "common.h"

static uint64_t random_state;
static uint64_t below(uint64_t n) { return next_random(&random_state) % n; }

static void *handles[64]; /* live, freed, of all kinds, and invented */
static int kinds[64];     /* 1 robot, 2 scene, 3 checker, 0 none */

static void *any(int *kind)
{
	uint64_t i = below(72);
	*kind = 0;
	if (i >= 68) return (void *)(uintptr_t)next_random(&random_state);
	if (i >= 64) return NULL;
	*kind = kinds[i];
	return handles[i];
}

static const double numbers[] = {0, 1, -1, 0.5, 1e9, -1e300, INFINITY, -INFINITY, NAN, 1e-320, 4, 3.2};
static const char *const texts[] = {NULL, "", "fore", "base", "post", "nothing", "shoulder", "\xff\xfe", "%s%n", "objects: [", "<robot", robot_text, scene_text, "/", "a=b"};

static double number(void) { return numbers[below(sizeof numbers / sizeof *numbers)]; }
static const char *text(void) { return texts[below(sizeof texts / sizeof *texts)]; }
static size_t size(void) { return (const size_t[]){0, 1, 2, 2, 2, 2, 3, 64, SIZE_MAX, SIZE_MAX / 2}[below(10)]; }

static fc_strings strings(void)
{
	static const char *list[4];
	if (below(2)) return NULL;
	for (int i = 0; i < 3; i++) list[i] = text();
	list[3] = NULL;
	return list;
}

static const fc_query *query(void)
{
	static fc_query q;
	if (below(3) == 0) return NULL;
	q = fc_query_default();
	if (below(4) == 0) q.size = size();
	q.question = (int32_t)below(5) - 1;
	if (below(2)) q.clearance = number();
	if (below(4) == 0) q.tolerance = number();
	if (below(4) == 0) q.time_tolerance = number();
	if (below(4) == 0) q.clearance_tolerance = number() + 1e-3;
	q.budget = below(2) ? number() : 0.001;
	q.no_self = (int32_t)below(2);
	q.no_world = (int32_t)below(2);
	q.keep_turns = (int32_t)below(2);
	return &q;
}

static void *check_of(int *code)
{
	fc_options o = fc_options_default();
	int robot, scene;
	void *r = any(&robot), *s = any(&scene);
	const double two[] = {number(), number(), number()};
	if (below(4) == 0) o.size = size();
	if (below(4) == 0) o.joints = strings();
	if (below(4) == 0) o.group = text();
	if (below(4) == 0) {
		o.state_joints = strings();
		o.state_positions = below(2) ? two : NULL;
	}
	if (below(4) == 0) o.allowed = strings();
	if (below(4) == 0) o.accept = strings();
	if (below(4) == 0) o.padding = number();
	if (below(4) == 0) {
		o.padded_links = strings();
		o.link_paddings = below(2) ? two : NULL;
	}
	void *made = fc_checker_new(r, s, below(3) ? &o : NULL);
	EXPECT(!made || (robot == 1 && scene == 2));
	*code = made ? FC_OK : FC_INPUT;
	return made;
}

static int put(void *scene)
{
	fc_object o = fc_object_default();
	const double vertices[] = {number(), 0, 0, 1, number(), 0, 0, 0, 1};
	const int32_t triangles[] = {0, 1, (int32_t)below(4)};
	if (below(5) == 0) o.size = size();
	o.id = text();
	o.shape = (int32_t)below(9);
	for (int i = 0; i < 3; i++) o.dimensions[i] = below(3) ? 0.5 : number();
	for (int i = 0; i < 7; i++)
		if (below(8) == 0) o.pose[i] = number();
	if (below(2)) {
		o.vertices = vertices;
		o.n_vertices = below(4) ? 3 : below(2) ? 0 : SIZE_MAX / 3;
		if (o.n_vertices > 3) o.vertices = NULL;
		o.triangles = triangles;
		o.n_triangles = below(2);
	}
	if (below(8) == 0) o.file = text();
	if (below(8) == 0) o.padding = number();
	if (below(4) == 0) o.attached_to = text();
	if (below(4) == 0) o.touch_links = strings();
	return fc_scene_put(scene, below(16) ? &o : NULL);
}

/* One call. What it makes goes into *made with its *kind. */
static int call(void **made, int *kind)
{
	int of, other, code = FC_OK;
	void *h = any(&of);
	fc_verdict v, many[3], *out = below(8) ? &v : NULL, *answers = below(8) ? many : NULL;
	fc_distances d;
	fc_joint joint;
	fc_span spans[2];
	char room[16];
	size_t n = size(), needed;
	const double at[6] = {below(3) ? 0.5 : number(), 0.2, below(3) ? 0 : number(), 0.1, 0.3, 0.4};
	const double *from = below(8) ? at : NULL, *to = below(8) ? at + 2 : NULL;
	const uint64_t which = below(21);
	const int given = below(8) > 0; /* room for the answer */
	const size_t count = below(8) ? 1 : SIZE_MAX >> below(24);
	memset(&v, 0xff, sizeof v);
	memset(many, 0xff, sizeof many);
	memset(&d, 0xff, sizeof d);
	memset(&joint, 0xff, sizeof joint);
	memset(spans, 0xff, sizeof spans);
	v.status = many[0].status = FC_FREE; /* as the call before may have left them */
	needed = 99;
	switch (which) {
	case 0: *made = fc_robot_parse(text(), text(), text(), strings()); *kind = 1; return *made ? FC_OK : FC_INPUT;
	case 1: *made = fc_robot_load(text(), text(), strings()); *kind = 1; return *made ? FC_OK : FC_INPUT;
	case 2: *made = fc_scene_parse(text(), text(), h); *kind = 2; EXPECT(!*made || of == 1 || !h); return *made ? FC_OK : FC_INPUT;
	case 3: *made = below(2) ? fc_scene_copy(h) : fc_scene_load(text(), h); *kind = 2; EXPECT(!*made || of); return *made ? FC_OK : FC_INPUT;
	case 4:
	case 5: *made = check_of(&code); *kind = 3; return code;
	case 6: code = put(h); other = 2; break;
	case 7: code = fc_scene_remove(h, text()); other = 2; break;
	case 8: code = fc_scene_allow(h, text(), text()); other = 2; break;
	case 9: code = fc_checker_set_scene(h, any(&other)); other = 3; break;
	case 10: code = fc_checker_dimension(h, below(8) ? &n : NULL); other = 3; break;
	case 11: code = fc_checker_joint(h, n, given ? &joint : NULL); other = 3; break;
	case 12: code = fc_checker_premises(h, below(8) ? room : NULL, below(2) ? sizeof room : 0, below(2) ? &needed : NULL); other = 3; break;
	case 13: code = fc_check(h, from, to, n, query(), out); other = 3; break;
	case 14: code = fc_check_state(h, from, n, query(), out); other = 3; break;
	case 15: code = fc_check_path(h, from, n == 2 ? 3 : n > 3 ? SIZE_MAX : 0, n, below(2) ? from : NULL, query(), out); other = 3; break;
	case 16: code = fc_check_all(h, from, count, n, query(), NULL, answers); other = 3; break;
	case 17: code = fc_distance(h, from, n, query(), given ? &d : NULL); other = 3; break;
	case 19: code = fc_path_premises(h, from, n == 2 ? 3 : n > 3 ? SIZE_MAX : 0, n, below(2) ? from : NULL, query(), below(8) ? room : NULL, below(2) ? sizeof room : 0, below(2) ? &needed : NULL); other = 3; break;
	case 20: *made = fc_checker_copy(h); *kind = 3; EXPECT(!*made || of == 3); return *made ? FC_OK : FC_INPUT;
	default: code = fc_profile(h, from, to, n, query(), below(8) ? spans : NULL, below(2) ? 2 : 0, given ? &needed : NULL); other = 3; break;
	}
	EXPECT(code != FC_OK || of == other); /* only a live handle of the right kind is answered */
	/* After an error nothing reads as an answer, whatever was there. */
	const int wrong = code != FC_OK;
	if (which == 11 && given) EXPECT(wrong ? !joint.name[0] && !joint.type : joint.name[0] && joint.type > 0);
	if (which >= 13 && which <= 15 && out) EXPECT(wrong ? v.status == FC_UNDECIDED && !v.proven_until : v.status >= FC_UNDECIDED && v.status <= FC_CONTACT && v.proven_until >= 0);
	if (which == 16 && answers) EXPECT(count > 1 ? wrong && many[0].status == FC_FREE /* as it was */ : wrong ? many[0].status == FC_UNDECIDED : many[0].status >= FC_UNDECIDED && many[0].status <= FC_CONTACT);
	if (which == 16 && answers) EXPECT(many[1].status == -1 && many[2].status == -1);
	if (which == 17 && given) EXPECT(wrong ? d.lower == 0 && d.upper == 0 : d.lower >= 0 && d.lower <= d.upper);
	if (which == 18 && given) EXPECT(wrong ? needed == 0 : needed > 0 && needed != 99);
	return code;
}

/* Puts live handles in the place of some freed ones, or most calls would fail for that alone. */
static void renew(void)
{
	for (int k = 0; k < 6; k++) {
		const uint64_t i = below(64);
		if (kinds[i]) continue;
		kinds[i] = k % 3 + 1;
		handles[i] = kinds[i] == 1 ? (void *)fc_robot_parse(robot_text, NULL, NULL, NULL) : kinds[i] == 2 ? (void *)fc_scene_parse("cell.yaml", scene_text, NULL) : (void *)make_checker();
		EXPECT(handles[i]);
	}
}

int main(int argc, char **argv)
{
	const long count = argc > 1 ? atol(argv[1]) : 10000;
	random_state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	fc_checker *checker = make_checker();
	const double before[] = {-1, 0}, after[] = {1, 0};
	long errors = 0, right = 0;
	for (int i = 0; i < 30; i += 3) {
		handles[i] = fc_robot_parse(robot_text, NULL, NULL, NULL);
		handles[i + 1] = fc_scene_parse("cell.yaml", scene_text, NULL);
		handles[i + 2] = make_checker();
		for (int k = 0; k < 3; k++) EXPECT(handles[i + k] && (kinds[i + k] = k + 1));
	}
	while (errors < count) {
		void *made = NULL;
		int kind = 0;
		fc_verdict v;
		int code = call(&made, &kind);
		EXPECT(code == FC_OK || code == FC_INPUT || code == FC_MISUSE);
		if (code != FC_OK) {
			EXPECT(fc_error()[0]);
			errors++;
		} else {
			right++;
		}
		if (made) {
			uint64_t i = below(64);
			void *old = handles[i];
			if (kinds[i] == 1) EXPECT(!fc_robot_free(old) && fc_robot_free(old) == FC_MISUSE);
			if (kinds[i] == 2) EXPECT(!fc_scene_free(old) && fc_scene_free(old) == FC_MISUSE);
			if (kinds[i] == 3) EXPECT(!fc_checker_free(old) && fc_checker_free(old) == FC_MISUSE);
			for (int k = 0; k < 64; k++)
				if (kinds[i] && handles[k] == old) kinds[k] = 0; /* it stays there, freed */
			i = below(64);
			if (kinds[i] == 0) {
				handles[i] = made;
				kinds[i] = kind;
			}
		}
		if ((errors + right) % 50 == 0) {
			EXPECT(fc_check(checker, before, after, 2, NULL, &v) == FC_OK && v.status == FC_CONTACT && fabs(v.toc_hi - (1 - TOUCHES) / 2) < 1e-5);
			EXPECT(fc_robot_free((fc_robot *)checker) == FC_MISUSE && fc_scene_free((fc_scene *)checker) == FC_MISUSE);
			renew();
		}
	}
	printf("misuse: %ld errors, no crash, %ld calls in between were right\n", errors, right);
	return 0;
}
