/* load OBJECT ROUNDS: loads process.c's object, after a look at how signals are handled. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void handler(int s) { (void)s; }

int main(int argc, char **argv)
{
	static struct sigaction before[NSIG];
	sigset_t usr2;
	if (argc < 3) return 2;
	sigemptyset(&usr2);
	sigaddset(&usr2, SIGUSR2);
	sigprocmask(SIG_BLOCK, &usr2, NULL);
	signal(SIGTERM, handler); /* some are set before, without SA_ONSTACK */
	signal(SIGSEGV, handler);
	signal(SIGPIPE, SIG_IGN);
	for (int s = 1; s < NSIG; s++) sigaction(s, NULL, &before[s]);
	void *object = dlopen(argv[1], RTLD_NOW);
	int (*run)(const struct sigaction *, long) = NULL;
	if (object) *(void **)&run = dlsym(object, "run");
	if (!run) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	return run(before, atol(argv[2]));
}
