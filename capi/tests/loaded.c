/* The library is loaded by a running program, as Python loads it, which has threads already. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *(*error_of)(void);
static void *(*load)(const char *, const char *, const char *const *);

static void *in_thread(void *wrong)
{
	*(int *)wrong = load("nowhere.urdf", NULL, NULL) != NULL || strstr(error_of(), "nowhere.urdf") == NULL;
	return NULL;
}

int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	*(void **)&error_of = dlsym(library, "fc_error");
	*(void **)&load = dlsym(library, "fc_robot_load");
	int wrong = 1;
	pthread_t thread;
	if (*error_of() != 0 || pthread_create(&thread, NULL, in_thread, &wrong) != 0 || pthread_join(thread, NULL) != 0) return 1;
	return wrong || *error_of() != 0; /* the text is that of the other thread */
}
