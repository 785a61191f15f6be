/* threads SECONDS: eight threads ask one checker, replace its scene, make checkers and free them under each other. */
#include <pthread.h>
#include <stdatomic.h>

#include "common.h"

static fc_checker *shared;
static _Atomic(fc_checker *) passed; /* made by one thread, freed by another */
static fc_scene *empty, *post;
static double end;
static atomic_long calls;

static void *ask(void *seed)
{
	uint64_t random = (uint64_t)(uintptr_t)seed;
	fc_verdict v;
	while (seconds(CLOCK_MONOTONIC) < end) {
		for (int i = 0; i < 500; i++) {
			const double from[] = {random_in(&random, -2.9, 2.9), 0.5}, to[] = {random_in(&random, -2.9, 2.9), 0.5};
			double lo = fmin(from[0], to[0]), hi = fmax(from[0], to[0]);
			EXPECT(fc_check(shared, from, to, 2, NULL, &v) == FC_OK);
			/* The scene may be the one without the post: where the post is not in the way, it is free in both. */
			if (lo > TOUCHES + 1e-4 || hi < -TOUCHES - 1e-4) EXPECT(v.status == FC_FREE);
			else if (v.status == FC_CONTACT) EXPECT(strcmp(v.contact.b, "post") == 0 && strcmp(v.contact.a, "fore") == 0);
			EXPECT(v.status != FC_UNDECIDED);
			fc_checker *p = atomic_load(&passed);
			int code = fc_check_state(p, from, 2, NULL, &v); /* freed or not */
			EXPECT(code == FC_OK || code == FC_MISUSE);
			if (code == FC_MISUSE) EXPECT(strstr(fc_error(), "fc_check_state") && v.status == FC_UNDECIDED);
		}
		atomic_fetch_add(&calls, 1000);
	}
	return NULL;
}

static void *edit(void *seed)
{
	uint64_t random = (uint64_t)(uintptr_t)seed;
	while (seconds(CLOCK_MONOTONIC) < end) {
		EXPECT(fc_checker_set_scene(shared, next_random(&random) % 2 ? empty : post) == FC_OK);
		atomic_fetch_add(&calls, 1);
	}
	return NULL;
}

static void *pass(void *seed)
{
	(void)seed;
	while (seconds(CLOCK_MONOTONIC) < end) {
		fc_checker *old = atomic_exchange(&passed, make_checker());
		EXPECT(!old || fc_checker_free(old) == FC_OK);
		atomic_fetch_add(&calls, 5);
	}
	return NULL;
}

static void *batch(void *seed)
{
	enum { MANY = 5000 }; /* more than fc_check_all asks Go at once */
	uint64_t random = (uint64_t)(uintptr_t)seed;
	static double segments[4 * MANY];
	static fc_verdict verdicts[MANY];
	const double across[] = {-0.1, 0, 0.1, 0};
	while (seconds(CLOCK_MONOTONIC) < end) {
		for (int i = 0; i < 400; i++) segments[i] = i % 2 ? 0.5 : random_in(&random, 0.2, 2.9);
		EXPECT(fc_check_all(shared, segments, 100, 2, NULL, NULL, verdicts) == FC_OK);
		for (int i = 0; i < 100; i++) EXPECT(verdicts[i].status == FC_FREE);
		/* The scene is the one at the beginning, for all motions of a batch. */
		for (int i = 0; i < MANY; i++) memcpy(&segments[4 * i], across, sizeof across);
		EXPECT(fc_check_all(shared, segments, MANY, 2, NULL, NULL, verdicts) == FC_OK && verdicts[0].status != FC_UNDECIDED);
		for (int i = 1; i < MANY; i++) EXPECT(verdicts[i].status == verdicts[0].status);
		/* A checker is freed by another thread. */
		fc_checker *copy = fc_checker_copy(shared);
		fc_checker *old = atomic_exchange(&passed, copy);
		EXPECT(copy && (!old || fc_checker_free(old) == FC_OK));
		int code = fc_check_all(copy, segments, MANY, 2, NULL, NULL, verdicts);
		EXPECT(code == FC_OK || code == FC_MISUSE); /* freed before it began, or not at all */
		for (int i = 1; i < MANY; i++) EXPECT(verdicts[i].status == verdicts[0].status);
		EXPECT((code == FC_OK) == (verdicts[0].status != FC_UNDECIDED));
		atomic_fetch_add(&calls, 4);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	shared = make_checker();
	atomic_store(&passed, make_checker());
	empty = fc_scene_new();
	post = fc_scene_parse("cell.yaml", scene_text, NULL);
	EXPECT(empty && post);
	fc_object far = fc_object_default(); /* so that there is something to check */
	far.id = "far";
	far.shape = FC_SPHERE;
	far.dimensions[0] = 0.1;
	far.pose[0] = 3;
	EXPECT(fc_scene_put(empty, &far) == FC_OK);
	end = seconds(CLOCK_MONOTONIC) + (argc > 1 ? atof(argv[1]) : 5);
	void *(*const work[8])(void *) = {ask, ask, ask, ask, batch, edit, pass, pass};
	pthread_t threads[8];
	for (int i = 0; i < 8; i++) EXPECT(pthread_create(&threads[i], NULL, work[i], (void *)(uintptr_t)(i + 1)) == 0);
	for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
	printf("threads: %ld calls of 8 threads\n", atomic_load(&calls));
	return 0;
}
