/* Questions whose answers are known by formulas, through every function of the header. */
#include "common.h"

#define EXPECT_FREE(checker, from, to, v)                                                        \
	do {                                                                                     \
		EXPECT(fc_check(checker, from, to, 2, NULL, &v) == FC_OK);                       \
		if (v.status != FC_FREE) fprintf(stderr, "status %d: %s\n", v.status, v.reason); \
		EXPECT(v.status == FC_FREE);                                                     \
	} while (0)

static void motions(fc_checker *checker)
{
	fc_verdict v;
	const double before[] = {-1, 0}, after[] = {1, 0}, aside[] = {-0.2, 0};
	EXPECT(fc_check(checker, before, aside, 2, NULL, &v) == FC_OK);
	EXPECT(v.status == FC_FREE && v.proven_until == 1 && v.reason[0] == 0);
	EXPECT(fc_check(checker, before, after, 2, NULL, &v) == FC_OK);
	double at = (1 - TOUCHES) / 2; /* of the way from -1 to 1 */
	EXPECT(v.status == FC_CONTACT && v.toc_lo <= at + 1e-5 && v.toc_hi >= at - 1e-5 && v.toc_hi - v.toc_lo < 1e-5);
	EXPECT(strcmp(v.contact.a, "fore") == 0 && v.contact.kind_a == FC_LINK);
	EXPECT(strcmp(v.contact.b, "post") == 0 && v.contact.kind_b == FC_OBJECT);
	EXPECT(v.contact.distance < 1e-5 && fabs(hypot(v.contact.point_b[0] - 0.8, v.contact.point_b[1]) - 0.01) < 1e-4);

	fc_query q = fc_query_default();
	q.question = FC_MIN_CLEARANCE;
	EXPECT(fc_check(checker, before, aside, 2, &q, &v) == FC_OK);
	double least = 0.8 * sin(0.2) - 0.06; /* at the end, from the side of the bar */
	EXPECT(v.status == FC_FREE && v.clearance_known && v.clearance_lo <= least + 1e-9 && v.clearance_hi >= least - 1e-9);
	EXPECT(v.clearance_hi - v.clearance_lo <= 1.1e-3 && strcmp(v.closest.b, "post") == 0);
	q = fc_query_default();
	q.clearance = least + 0.01;
	EXPECT(fc_check(checker, before, aside, 2, &q, &v) == FC_OK && v.status == FC_CONTACT && v.proven_until > 0.9);
	q = fc_query_default();
	q.no_world = 1;
	EXPECT(fc_check(checker, before, after, 2, &q, &v) == FC_INPUT && v.status == FC_UNDECIDED); /* nothing is left to check */

	const double path[] = {-1, 0, -0.2, 0.5, 1, 0.5}, times[] = {0, 2, 10};
	EXPECT(fc_check_path(checker, path, 3, 2, times, NULL, &v) == FC_OK);
	at = 2 + 8 * (0.2 - TOUCHES) / 1.2;
	EXPECT(v.status == FC_CONTACT && v.piece == 1 && fabs(v.toc_hi - at) < 1e-4);
	EXPECT(fc_check_path(checker, path, 2, 2, NULL, NULL, &v) == FC_OK && v.status == FC_FREE);
	const double again[] = {-1, 0, -0.2, 0.5, -0.2, 0.5, 1, 0.5}, when[] = {0, 2, 2, 10}; /* a point twice at one time */
	EXPECT(fc_check_path(checker, again, 4, 2, when, NULL, &v) == FC_OK && v.status == FC_CONTACT && v.piece == 2 && fabs(v.toc_hi - at) < 1e-4);

	const double touching[] = {0.07, 0}, apart[] = {0.08, 0}, beyond[] = {-3.1, 0};
	EXPECT(fc_check_state(checker, touching, 2, NULL, &v) == FC_OK && v.status == FC_CONTACT && v.toc_hi == 0);
	EXPECT(fc_check_state(checker, apart, 2, NULL, &v) == FC_OK && v.status == FC_FREE);
	EXPECT(fc_check_state(checker, beyond, 2, NULL, &v) == FC_OK && v.status == FC_FREE && v.beyond_limits == 1);
}

static void batches(fc_checker *checker)
{
	enum { N = 10000 };
	double *segments = malloc(N * 4 * sizeof *segments);
	fc_verdict *verdicts = malloc(N * sizeof *verdicts), single;
	uint64_t random = 1;
	EXPECT(segments && verdicts);
	for (int i = 0; i < 4 * N; i++) segments[i] = i % 2 ? 0.5 : random_in(&random, -3, 3);
	EXPECT(fc_check_all(checker, segments, N, 2, NULL, NULL, verdicts) == FC_OK);
	int first = -1;
	for (int i = 0; i < N; i++) {
		double a = segments[4 * i], b = segments[4 * i + 2], lo = fmin(a, b), hi = fmax(a, b);
		if (fabs(lo - TOUCHES) < 1e-4 || fabs(hi + TOUCHES) < 1e-4) continue; /* too close to tell */
		int touches = lo < TOUCHES && hi > -TOUCHES;
		EXPECT(verdicts[i].status == (touches ? FC_CONTACT : FC_FREE));
		if (touches && first < 0) first = i;
	}
	for (int i = 0; i < N; i += 97) {
		EXPECT(fc_check(checker, &segments[4 * i], &segments[4 * i + 2], 2, NULL, &single) == FC_OK);
		EXPECT(single.status == verdicts[i].status && single.toc_hi == verdicts[i].toc_hi);
	}
	fc_batch batch = fc_batch_default();
	batch.stop_at_contact = 1;
	batch.workers = 3;
	EXPECT(fc_check_all(checker, segments, N, 2, NULL, &batch, verdicts) == FC_OK);
	for (int i = 0; i < N; i++) EXPECT(verdicts[i].status == (i < first ? FC_FREE : i == first ? FC_CONTACT : FC_UNDECIDED));
	EXPECT(verdicts[N - 1].reason[0]);
	for (int i = 0; i <= 4500; i++) segments[4 * i] = -1, segments[4 * i + 2] = i < 4500 ? -0.5 : 1;
	EXPECT(fc_check_all(checker, segments, N, 2, NULL, &batch, verdicts) == FC_OK && verdicts[4499].status == FC_FREE && verdicts[4500].status == FC_CONTACT);
	EXPECT(!strcmp(verdicts[4501].reason, "not checked: motion 4500 of the batch is in contact") && !strcmp(verdicts[N - 1].reason, verdicts[4501].reason));
	segments[4 * 5000] = NAN;
	EXPECT(fc_check_all(checker, segments, N, 2, NULL, NULL, verdicts) == FC_INPUT && strstr(fc_error(), "motion 5000"));
	EXPECT(verdicts[5000].status == FC_UNDECIDED && verdicts[5000].reason[0] && verdicts[5001].status != FC_UNDECIDED);
	EXPECT(fc_check_all(NULL, segments, N, 2, NULL, NULL, verdicts) == FC_MISUSE && !strncmp(fc_error(), "fc_check_all: checker is NULL", 29));
	for (int i = 0; i < N; i++) EXPECT(verdicts[i].status == FC_UNDECIDED);
	EXPECT(fc_check_all(checker, NULL, 0, 2, NULL, NULL, NULL) == FC_MISUSE);
	EXPECT(fc_check_all(checker, segments, 0, 2, NULL, NULL, verdicts) == FC_OK);
	free(segments);
	free(verdicts);
}

/* A copy answers when the checker is freed, and is in its own scene. */
static void copies(void)
{
	fc_checker *checker = make_checker(), *copy = fc_checker_copy(checker), *other = fc_checker_copy(copy);
	fc_scene *far = fc_scene_parse("far.yaml", "objects:\n  - {id: far, type: sphere, xyz: [5, 0, 0], radius: 0.1}\n", NULL);
	const double from[] = {-1, 0.5}, to[] = {1, 0.5};
	fc_verdict v;
	EXPECT(copy && other && far && fc_checker_set_scene(copy, far) == FC_OK && fc_checker_free(checker) == FC_OK);
	EXPECT(fc_check(copy, from, to, 2, NULL, &v) == FC_OK && v.status == FC_FREE);
	EXPECT(fc_check(other, from, to, 2, NULL, &v) == FC_OK && v.status == FC_CONTACT);
	EXPECT(!fc_checker_copy(checker) && fc_error_code() == FC_MISUSE && !fc_checker_copy(NULL) && !fc_checker_copy((fc_checker *)far));
	EXPECT(!fc_checker_free(copy) && !fc_checker_free(other) && !fc_scene_free(far));
}

static void distances(fc_checker *checker)
{
	fc_distances d;
	const double at[] = {-1, 0}, to[] = {-0.2, 0};
	double want = hypot(0.8 * cos(1) - 0.8 * cos(1), 0.8 * sin(1)) - 0.06; /* the post is beside the bar */
	EXPECT(fc_distance(checker, at, 2, NULL, &d) == FC_OK);
	EXPECT(d.lower <= want + 1e-9 && d.upper >= want - 1e-9 && d.upper - d.lower < 1e-6 && strcmp(d.closest.b, "post") == 0);
	EXPECT(isinf(d.self_lower) && d.world_upper == d.upper);
	size_t n = 0;
	static fc_span spans[5000];
	EXPECT(fc_profile(checker, at, to, 2, NULL, NULL, 0, &n) == FC_OK && n > 0 && n <= 5000);
	EXPECT(fc_profile(checker, at, to, 2, NULL, spans, 5000, &n) == FC_OK);
	EXPECT(spans[0].start == 0 && spans[n - 1].end == 1);
	for (size_t i = 0; i < n; i++) {
		double angle = 1 - 0.8 * spans[i].start, here = 0.8 * sin(angle) - 0.06;
		EXPECT(spans[i].lower[0] <= here + 1e-9 && spans[i].upper[0] >= here - 1e-9 && !spans[i].unknown);
		EXPECT(i == 0 || spans[i].start == spans[i - 1].end);
	}
}

static void edits(void)
{
	fc_robot *robot = fc_robot_parse(robot_text, NULL, NULL, NULL);
	fc_scene *scene = fc_scene_new();
	fc_verdict v;
	const double before[] = {-1, 0}, after[] = {1, 0};
	EXPECT(robot && scene);
	fc_object o = fc_object_default();
	o.id = "far";
	o.shape = FC_BOX;
	o.pose[0] = 9;
	o.dimensions[0] = o.dimensions[1] = o.dimensions[2] = 1;
	EXPECT(fc_scene_put(scene, &o) == FC_OK);
	fc_checker *checker = fc_checker_new(robot, scene, NULL);
	EXPECT(checker);
	EXPECT_FREE(checker, before, after, v);

	const double vertices[] = {0.7, 0, -1, 0.7, 0, 1, 0.9, 0, 0};
	const int32_t triangles[] = {0, 1, 2};
	for (int shape = FC_BOX; shape <= FC_POINTS; shape++) {
		o = fc_object_default();
		o.id = "thing";
		o.shape = shape;
		o.dimensions[0] = o.dimensions[1] = o.dimensions[2] = 0.02;
		if (shape == FC_MESH || shape == FC_POINTS) {
			o.vertices = vertices;
			o.n_vertices = 3;
			o.triangles = triangles;
			o.n_triangles = 1;
		} else {
			o.pose[0] = 0.8;
		}
		EXPECT(fc_scene_put(scene, &o) == FC_OK);
		if (shape == FC_BOX) EXPECT_FREE(checker, before, after, v); /* in the scene before */
		EXPECT(fc_checker_set_scene(checker, scene) == FC_OK);
		EXPECT(fc_check(checker, before, after, 2, NULL, &v) == FC_OK && v.status == FC_CONTACT && strcmp(v.contact.b, "thing") == 0);
	}
	fc_scene *copy = fc_scene_copy(scene);
	EXPECT(copy && fc_scene_remove(scene, "thing") == FC_OK && fc_checker_set_scene(checker, scene) == FC_OK);
	EXPECT_FREE(checker, before, after, v);
	EXPECT(fc_scene_remove(scene, "thing") == FC_INPUT && strstr(fc_error(), "thing"));
	EXPECT(fc_scene_allow(copy, "thing", "fore") == FC_OK && fc_checker_set_scene(checker, copy) == FC_OK);
	EXPECT_FREE(checker, before, after, v);
	/* The pair of an object that went stays harmless when another one is allowed; a name that never was is an error. */
	EXPECT(fc_scene_remove(copy, "thing") == FC_OK && fc_checker_set_scene(checker, copy) == FC_OK);
	EXPECT(fc_scene_allow(copy, "far", "fore") == FC_OK && fc_checker_set_scene(checker, copy) == FC_OK);
	EXPECT(fc_scene_allow(copy, "nothing", "fore") == FC_OK && fc_checker_set_scene(checker, copy) == FC_INPUT);

	o = fc_object_default();
	o.id = "later";
	o.shape = FC_SPHERE;
	o.dimensions[0] = 1;
	o.reserved = 1;
	EXPECT(fc_scene_put(scene, &o) == FC_MISUSE && strstr(fc_error(), "object.reserved"));

	o = fc_object_default(); /* a tool that reaches the post, which the bar does not at this angle */
	o.id = "tool";
	o.shape = FC_BOX;
	o.dimensions[0] = o.dimensions[2] = 0.1;
	o.dimensions[1] = 0.6;
	o.pose[0] = 0.8;
	o.attached_to = "fore";
	fc_strings touch = (const char *[]){"slide", NULL};
	o.touch_links = touch;
	EXPECT(fc_scene_put(scene, &o) == FC_OK);
	o = fc_object_default();
	o.id = "post";
	o.shape = FC_SPHERE;
	o.dimensions[0] = 0.01;
	o.pose[0] = 0.8;
	EXPECT(fc_scene_put(scene, &o) == FC_OK && fc_checker_set_scene(checker, scene) == FC_OK);
	const double near_it[] = {-0.3, 0};
	EXPECT(fc_check_state(checker, near_it, 2, NULL, &v) == FC_OK && v.status == FC_CONTACT);
	EXPECT(strcmp(v.contact.a, "tool") == 0 && v.contact.kind_a == FC_ATTACHED);
	EXPECT(!fc_scene_free(scene) && !fc_scene_free(copy) && !fc_checker_free(checker) && !fc_robot_free(robot));
}

static void checkers(void)
{
	fc_robot *robot = fc_robot_parse(robot_text, NULL, NULL, NULL);
	fc_scene *scene = fc_scene_parse("cell.yaml", scene_text, robot);
	fc_options options = fc_options_default();
	const double angle = -0.2;
	options.joints = (const char *[]){"rail", NULL};
	options.state_joints = (const char *[]){"shoulder", NULL};
	options.state_positions = &angle;
	fc_checker *checker = fc_checker_new(robot, scene, &options);
	EXPECT(checker);
	size_t n = 9;
	fc_joint joint;
	EXPECT(fc_checker_dimension(checker, &n) == FC_OK && n == 1);
	EXPECT(fc_checker_joint(checker, 0, &joint) == FC_OK && strcmp(joint.name, "rail") == 0 && joint.type == FC_PRISMATIC);
	EXPECT(joint.bounded && joint.lower == 0 && joint.upper == 1 && joint.velocity == 1);
	EXPECT(fc_checker_joint(checker, 1, &joint) == FC_MISUSE);
	fc_distances d;
	const double at = 0.5;
	EXPECT(fc_distance(checker, &at, 1, NULL, &d) == FC_OK && fabs(d.upper - (0.8 * sin(0.2) - 0.06)) < 1e-9);
	char text[4096];
	size_t needed;
	EXPECT(fc_checker_premises(checker, NULL, 0, &needed) == FC_OK && needed > 1 && needed < sizeof text);
	EXPECT(fc_checker_premises(checker, text, sizeof text, NULL) == FC_OK && strlen(text) == needed - 1 && strstr(text, "base"));
	EXPECT(fc_checker_premises(checker, text, 5, NULL) == FC_OK && strlen(text) == 4);
	EXPECT(!fc_checker_free(checker));

	options = fc_options_default();
	options.padding = 0.1;
	options.allowed = (const char *[]){"fore", "post", NULL};
	EXPECT(fc_checker_new(robot, scene, &options)); /* left to the end of the process */
	options.allowed = (const char *[]){"fore", NULL};
	EXPECT(!fc_checker_new(robot, scene, &options) && strstr(fc_error(), "pairs"));
	EXPECT(fc_error_code() == FC_MISUSE);
	options = fc_options_default();
	options.reserved = 1;
	EXPECT(!fc_checker_new(robot, scene, &options) && fc_error_code() == FC_MISUSE && strstr(fc_error(), "options.reserved"));
	options = fc_options_default();
	options.joints = (const char *[]){"wrist", NULL};
	EXPECT(!fc_checker_new(robot, scene, &options) && strstr(fc_error(), "wrist"));
	EXPECT(!fc_robot_load("nowhere.urdf", NULL, NULL) && strstr(fc_error(), "nowhere.urdf") && fc_error_code() == FC_INPUT);
	EXPECT(!fc_robot_load(NULL, NULL, NULL) && fc_error_code() == FC_MISUSE);
	EXPECT(fc_checker_dimension(NULL, &n) == FC_MISUSE && fc_error_code() == FC_MISUSE);
	EXPECT(!fc_robot_load("nowhere.urdf", NULL, (const char *[]){"package", NULL}) && strstr(fc_error(), "name=folder"));
	EXPECT(!fc_scene_load("nowhere.yaml", robot) && strstr(fc_error(), "nowhere.yaml"));
	EXPECT(!fc_scene_free(scene) && !fc_robot_free(robot));
}

/* Configurations of no joints, and more motions than there can be. */
static void sizes(fc_checker *checker)
{
	fc_robot *fixed = fc_robot_parse("<robot name='stone'><link name='stone'><collision><geometry><sphere radius='1'/></geometry></collision></link></robot>",
					 NULL, NULL, NULL);
	fc_verdict v;
	fc_distances d;
	size_t n;
	const double at[] = {0, 0};
	fc_scene *nothing = fc_scene_new();
	EXPECT(fixed && nothing && !fc_checker_new(fixed, nothing, NULL) && strstr(fc_error(), "no joint"));
	fc_robot *arm = fc_robot_parse(robot_text, NULL, NULL, NULL);
	fc_options options = fc_options_default();
	options.joints = (const char *[]){NULL}; /* an empty list is none, and all joints count */
	fc_checker *all = fc_checker_new(arm, nothing, &options);
	EXPECT(all && fc_checker_dimension(all, &n) == FC_OK && n == 2);
	EXPECT(!fc_checker_free(all) && !fc_robot_free(fixed));

	/* A scene that was not read is not an empty one, and what went wrong first is still told. */
	fc_scene *missing = fc_scene_load("nowhere.yaml", arm);
	fc_checker *without = fc_checker_new(arm, missing, NULL);
	EXPECT(!missing && !without && strstr(fc_error(), "scene is NULL") && strstr(fc_error(), "nowhere.yaml"));
	EXPECT(fc_check(without, at, at, 2, NULL, &v) == FC_MISUSE && v.status == FC_UNDECIDED && strstr(fc_error(), "nowhere.yaml"));
	EXPECT(fc_checker_set_scene(checker, missing) == FC_MISUSE && strstr(fc_error(), "scene is NULL"));
	EXPECT(!fc_scene_free(nothing) && !fc_robot_free(arm));

	EXPECT(fc_check(checker, at, at, 0, NULL, &v) == FC_MISUSE && strstr(fc_error(), "0 numbers"));
	EXPECT(fc_check_state(checker, at, 0, NULL, &v) == FC_MISUSE && fc_check_path(checker, at, 5, 0, NULL, NULL, &v) == FC_MISUSE);
	EXPECT(fc_check_all(checker, at, 1, 0, NULL, NULL, &v) == FC_MISUSE && fc_check_all(checker, at, 0, 0, NULL, NULL, &v) == FC_MISUSE);
	EXPECT(fc_distance(checker, at, 0, NULL, &d) == FC_MISUSE && fc_profile(checker, at, at, 0, NULL, NULL, 0, &n) == FC_MISUSE);
	for (size_t many = (size_t)1 << 33; many; many = many == SIZE_MAX ? 0 : many < SIZE_MAX / 8 ? 8 * many : SIZE_MAX) {
		memset(&v, 0xff, sizeof v); /* which is one answer's room */
		EXPECT(fc_check_all(checker, at, many, 2, NULL, NULL, &v) == FC_MISUSE && strstr(fc_error(), "too many") && v.status == -1);
	}
}

int main(void)
{
	EXPECT(fc_abi() == FC_ABI && fc_version()[0]);
	fc_checker *checker = make_checker();
	motions(checker);
	batches(checker);
	copies();
	distances(checker);
	sizes(checker);
	EXPECT(fc_checker_free(checker) == FC_OK);
	edits();
	checkers();
	puts("answers: all as the formulas say");
	return 0;
}
