/* What the library does to the process around it: memory, signals, forks. This is a shared object that load.c loads, and with it
 * the library, so that before and after can be compared. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

static struct sigaction before[NSIG];
static volatile sig_atomic_t alarms;
static void on_alarm(int s) /* without SA_ONSTACK, and not small */
{
	volatile char room[65536];
	(void)s;
	for (size_t i = 0; i < sizeof room; i += 512) room[i] = (char)i;
	alarms++;
}

static void unchanged(const char *when)
{
	for (int s = 1; s < NSIG; s++) {
		struct sigaction now;
		if (sigaction(s, NULL, &now)) continue;
		if (now.sa_handler != before[s].sa_handler || ((now.sa_flags ^ before[s].sa_flags) & ~0x04000000 /* glibc's own SA_RESTORER */)) {
			fprintf(stderr, "%s the disposition of signal %d is another one: %p, flags %x instead of %p, %x\n", when, s,
				(void *)now.sa_handler, (unsigned)now.sa_flags, (void *)before[s].sa_handler, (unsigned)before[s].sa_flags);
			exit(1);
		}
	}
	sigset_t mask;
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	for (int s = 1; s < NSIG; s++) EXPECT(sigismember(&mask, s) != 1 || s == SIGUSR2);
}

static long resident(void) /* kB */
{
	char line[200];
	long kb = 0;
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "VmRSS: %ld", &kb) == 1) break;
	if (f) fclose(f);
	return kb;
}

int run(const struct sigaction *dispositions, long count);
int run(const struct sigaction *dispositions, long count)
{
	memcpy(before, dispositions, sizeof before);
	unchanged("once the library is loaded");
	fc_checker *checker = make_checker();
	unchanged("after the first calls");

	/* Signals during calls: for a second, and on a busy machine until enough have come. */
	struct sigaction act;
	memset(&act, 0, sizeof act);
	act.sa_handler = on_alarm;
	sigaction(SIGALRM, &act, NULL);
	ualarm(1000, 1000);
	const double from[] = {-1, 0}, to[] = {-0.2, 0}, across[] = {1, 0};
	fc_verdict v;
	fc_distances d;
	for (double now, began = now = seconds(CLOCK_MONOTONIC); now < began + 1 || (alarms <= 100 && now < began + 60); now = seconds(CLOCK_MONOTONIC))
		EXPECT(fc_check(checker, from, across, 2, NULL, &v) == FC_OK && v.status == FC_CONTACT);
	ualarm(0, 0);
	EXPECT(alarms > 100);
	signal(SIGALRM, SIG_DFL);

	/* Memory: a million calls leave no more than the first ten thousand. */
	long first = 0;
	for (long i = 0; i < count; i++) {
		EXPECT(fc_check(checker, from, i % 2 ? to : across, 2, NULL, &v) == FC_OK);
		EXPECT(fc_check_state(checker, from, 2, NULL, &v) == FC_OK && v.status == FC_FREE);
		if (i % 8 == 0) EXPECT(fc_distance(checker, from, 2, NULL, &d) == FC_OK);
		if (i % 64 == 0) EXPECT(fc_check(checker, from, NULL, 2, NULL, &v) == FC_MISUSE);
		if (i % 1024 == 0) {
			fc_checker *other = make_checker();
			EXPECT(fc_checker_free(other) == FC_OK);
		}
		if (i == count / 10) first = resident();
	}
	const long last = resident();
	printf("memory: %ld kB after %ld rounds, %ld kB after %ld\n", first, count / 10, last, count);
	EXPECT(last < first + 8192);

	/* Forks. */
	const pid_t child = fork();
	if (child == 0) {
		if (fc_check(checker, from, to, 2, NULL, &v) != FC_FORKED || v.status != FC_UNDECIDED || !strstr(fc_error(), "fork")) _exit(1);
		fc_verdict many[2]; /* as a batch before the fork left them */
		const double segments[8] = {0};
		memset(many, 0, sizeof many);
		many[0].status = many[1].status = FC_FREE;
		if (fc_check_all(checker, segments, 2, 2, NULL, NULL, many) != FC_FORKED || many[0].status || many[1].status) _exit(2);
		_exit(fc_scene_new() || fc_error_code() != FC_FORKED || fc_checker_free(checker) != FC_FORKED);
	}
	int status;
	EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
	EXPECT(fc_check(checker, from, to, 2, NULL, &v) == FC_OK && v.status == FC_FREE);
	puts("process: signals as before, no growth, a fork is told");
	return 0;
}
