/* cost ROBOT SCENE: prints the median time (us) of fc_check, and of a motion in fc_check_all. */
#include "common.h"

static int ascending(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b); }

int main(int argc, char **argv)
{
	enum { BLOCKS = 51, CALLS = 2000 };
	static double single[BLOCKS], batched[BLOCKS], segments[4 * CALLS];
	static fc_verdict verdicts[CALLS];
	if (argc < 3) return 2;
	fc_robot *robot = fc_robot_load(argv[1], NULL, NULL);
	fc_checker *checker = fc_checker_new(robot, fc_scene_load(argv[2], robot), NULL);
	EXPECT(checker);
	fc_verdict v;
	const double from[] = {-1, -1}, to[] = {-0.9, -0.5};
	for (int i = 0; i < CALLS; i++) {
		memcpy(&segments[4 * i], from, sizeof from);
		memcpy(&segments[4 * i + 2], to, sizeof to);
	}
	for (int b = 0; b < BLOCKS; b++) {
		double start = seconds(CLOCK_THREAD_CPUTIME_ID);
		for (int i = 0; i < CALLS; i++) EXPECT(fc_check(checker, from, to, 2, NULL, &v) == FC_OK && v.status == FC_FREE);
		single[b] = (seconds(CLOCK_THREAD_CPUTIME_ID) - start) * 1e6 / CALLS;
		fc_batch one = fc_batch_default();
		one.workers = 1;
		start = seconds(CLOCK_PROCESS_CPUTIME_ID); /* Go's own thread does it */
		EXPECT(fc_check_all(checker, segments, CALLS, 2, NULL, &one, verdicts) == FC_OK && verdicts[CALLS - 1].status == FC_FREE);
		batched[b] = (seconds(CLOCK_PROCESS_CPUTIME_ID) - start) * 1e6 / CALLS;
	}
	qsort(single, BLOCKS, sizeof *single, ascending);
	qsort(batched, BLOCKS, sizeof *batched, ascending);
	printf("%.3f %.3f\n", single[BLOCKS / 2], batched[BLOCKS / 2]);
	return 0;
}
