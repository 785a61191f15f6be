/*
 * The functions of firstcontact.h. Each keeps three things in order around the one of Go that answers it: whether the
 * process was forked, signals, and the text of its error.
 *
 * Signals. Go's runtime would install handlers when the library is loaded, and it runs on small stacks of its own, on
 * which handlers without SA_ONSTACK must not run. So
 *   - the handlers that the runtime installs are put back to what they were before (the build turns off the one
 *     feature that needs them, asynchronous preemption);
 *   - the runtime's threads are started with all signals blocked that come from outside;
 *   - so is the caller's thread during a call.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"
#include "include/firstcontact.h"

/* ---- The process ---- */

static struct sigaction before[NSIG]; /* handlers, when the library was loaded */
static sigset_t mask_before;          /* of the thread that loads it */
static sigset_t outside;              /* signals that come from outside, not from what a thread does */
static volatile sig_atomic_t forked;

static void note_fork(void) { forked = 1; }

/* Runs before the function that starts Go's runtime, which has no priority. */
__attribute__((constructor(101))) static void before_go(void)
{
	static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
	sigfillset(&outside);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&outside, own[i]);
	for (int s = 1; s < NSIG; s++) sigaction(s, NULL, &before[s]);
	pthread_sigmask(SIG_BLOCK, &outside, &mask_before);
}

/* Runs after it, because the linker puts Go's object first. A test compares what there is then. */
__attribute__((constructor)) static void after_go(void)
{
	for (int s = 1; s < NSIG; s++) {
		struct sigaction now;
		if (sigaction(s, NULL, &now) == 0 && (now.sa_handler != before[s].sa_handler || now.sa_flags != before[s].sa_flags))
			sigaction(s, &before[s], NULL);
	}
	pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
	pthread_atfork(NULL, NULL, note_fork);
}

/* ---- Calls ---- */

#define ERROR_SIZE 4096

/* A thread's last error. It is not _Thread_local: a Go library's thread-local storage has to fit what the loader keeps spare for
 * libraries that are loaded later, as Python does, and that is little. */
struct failure {
	int code;
	char text[ERROR_SIZE];
};
static pthread_key_t error_key;
static pthread_once_t error_once = PTHREAD_ONCE_INIT;
static void make_error_key(void) { pthread_key_create(&error_key, free); }

static struct failure *failure(void)
{
	static struct failure without_memory;
	pthread_once(&error_once, make_error_key);
	struct failure *last = pthread_getspecific(error_key);
	if (last == NULL && (last = calloc(1, sizeof *last)) != NULL) pthread_setspecific(error_key, last);
	return last ? last : &without_memory;
}

static char *error_text(void) { return failure()->text; }

/* failed notes the code of a call that failed, whose text is there already. */
static int failed(int code) { return failure()->code = code; }

#define TEXT error_text(), ERROR_SIZE
#define NUMBER(handle) ((uintptr_t)(handle))

static int in_fork(void)
{
	snprintf(TEXT,
		 "the process was forked after the library was loaded: load it in the child, or start the child with exec");
	return failed(FC_FORKED);
}

/* CALL is a call of Go between the two changes of the mask. */
#define CALL(result, call)                                      \
	do {                                                    \
		sigset_t mask;                                  \
		pthread_sigmask(SIG_BLOCK, &outside, &mask);    \
		result = call;                                  \
		pthread_sigmask(SIG_SETMASK, &mask, NULL);      \
	} while (0)

#define RETURN_CODE(call)              \
	do {                           \
		int code;              \
		if (forked)            \
			return in_fork(); \
		CALL(code, call);      \
		return code == FC_OK ? code : failed(code); \
	} while (0)

/* RETURN_HANDLE returns a handle; Go gives a code in its place where it fails, which no handle is. */
#define RETURN_HANDLE(type, call)      \
	do {                           \
		uintptr_t number;      \
		if (forked) {          \
			in_fork();     \
			return NULL;   \
		}                      \
		CALL(number, call);    \
		if (number > FC_INTERNAL) return (type *)number; \
		failed((int)number);   \
		return NULL;           \
	} while (0)

/* CLEAR makes zeros of an answer, so that a call that fails leaves none. */
#define CLEAR(out)                                   \
	do {                                         \
		if (out) memset(out, 0, sizeof *(out)); \
	} while (0)

int fc_abi(void) { return FC_ABI; }

static char *version = "";
static pthread_once_t version_once = PTHREAD_ONCE_INIT;
static void ask_version(void) { CALL(version, goVersion()); }

const char *fc_version(void)
{
	if (!forked) pthread_once(&version_once, ask_version);
	return version;
}

const char *fc_error(void) { return error_text(); }

int fc_error_code(void) { return failure()->code; }

fc_robot *fc_robot_load(const char *urdf, const char *srdf, fc_strings packages)
{
	RETURN_HANDLE(fc_robot, goRobotLoad((char *)urdf, (char *)srdf, packages, TEXT));
}

fc_robot *fc_robot_parse(const char *urdf, const char *srdf, const char *base, fc_strings packages)
{
	RETURN_HANDLE(fc_robot, goRobotParse((char *)urdf, (char *)srdf, (char *)base, packages, TEXT));
}

int fc_robot_free(fc_robot *robot) { RETURN_CODE(goRobotFree(NUMBER(robot), TEXT)); }

fc_scene *fc_scene_new(void) { RETURN_HANDLE(fc_scene, goSceneNew(TEXT)); }

fc_scene *fc_scene_load(const char *path, fc_robot *robot)
{
	RETURN_HANDLE(fc_scene, goSceneLoad((char *)path, NUMBER(robot), TEXT));
}

fc_scene *fc_scene_parse(const char *name, const char *text, fc_robot *robot)
{
	RETURN_HANDLE(fc_scene, goSceneParse((char *)name, (char *)text, NUMBER(robot), TEXT));
}

int fc_scene_put(fc_scene *scene, const fc_object *object)
{
	RETURN_CODE(goScenePut(NUMBER(scene), (fc_object *)object, TEXT));
}

int fc_scene_remove(fc_scene *scene, const char *id) { RETURN_CODE(goSceneRemove(NUMBER(scene), (char *)id, TEXT)); }

int fc_scene_allow(fc_scene *scene, const char *a, const char *b)
{
	RETURN_CODE(goSceneAllow(NUMBER(scene), (char *)a, (char *)b, TEXT));
}

fc_scene *fc_scene_copy(fc_scene *scene) { RETURN_HANDLE(fc_scene, goSceneCopy(NUMBER(scene), TEXT)); }

int fc_scene_free(fc_scene *scene) { RETURN_CODE(goSceneFree(NUMBER(scene), TEXT)); }

fc_checker *fc_checker_new(fc_robot *robot, fc_scene *scene, const fc_options *options)
{
	RETURN_HANDLE(fc_checker, goCheckerNew(NUMBER(robot), NUMBER(scene), (fc_options *)options, TEXT));
}

int fc_checker_set_scene(fc_checker *checker, fc_scene *scene)
{
	RETURN_CODE(goCheckerSetScene(NUMBER(checker), NUMBER(scene), TEXT));
}

int fc_checker_dimension(fc_checker *checker, size_t *n)
{
	CLEAR(n);
	RETURN_CODE(goCheckerDimension(NUMBER(checker), n, TEXT));
}

int fc_checker_joint(fc_checker *checker, size_t index, fc_joint *joint)
{
	CLEAR(joint);
	RETURN_CODE(goCheckerJoint(NUMBER(checker), index, joint, TEXT));
}

int fc_checker_premises(fc_checker *checker, char *text, size_t size, size_t *needed)
{
	CLEAR(needed);
	if (text && size) *text = 0;
	RETURN_CODE(goCheckerPremises(NUMBER(checker), text, size, needed, TEXT));
}

int fc_path_premises(fc_checker *checker, const double *points, size_t n_points, size_t n, const double *times, const fc_query *query,
		     char *text, size_t size, size_t *needed)
{
	CLEAR(needed);
	if (text && size) *text = 0;
	RETURN_CODE(goPathPremises(NUMBER(checker), (double *)points, n_points, n, (double *)times, (fc_query *)query, text, size, needed, TEXT));
}

fc_checker *fc_checker_copy(fc_checker *checker) { RETURN_HANDLE(fc_checker, goCheckerCopy(NUMBER(checker), TEXT)); }

int fc_checker_free(fc_checker *checker) { RETURN_CODE(goCheckerFree(NUMBER(checker), TEXT)); }

int fc_check(fc_checker *checker, const double *from, const double *to, size_t n, const fc_query *query, fc_verdict *verdict)
{
	CLEAR(verdict);
	RETURN_CODE(goCheck(NUMBER(checker), (double *)from, (double *)to, n, (fc_query *)query, verdict, TEXT));
}

int fc_check_state(fc_checker *checker, const double *at, size_t n, const fc_query *query, fc_verdict *verdict)
{
	CLEAR(verdict);
	RETURN_CODE(goCheckState(NUMBER(checker), (double *)at, n, (fc_query *)query, verdict, TEXT));
}

int fc_check_path(fc_checker *checker, const double *points, size_t n_points, size_t n, const double *times, const fc_query *query,
		  fc_verdict *verdict)
{
	CLEAR(verdict);
	RETURN_CODE(goCheckPath(NUMBER(checker), (double *)points, n_points, n, (double *)times, (fc_query *)query, verdict, TEXT));
}

/* A part of a batch, between which signals are looked for. */
#define PART 4096

/* More motions than a machine has memory for: their number is wrong, and nothing is written. */
#define MOST_MOTIONS ((size_t)1 << 32)

static int check_all(fc_checker *checker, const double *segments, size_t n_motions, size_t n, const fc_query *query, const fc_batch *batch,
		     fc_verdict *verdicts)
{
	int first = FC_OK;
	size_t stopped = 0; /* by the contact of this motion, from 1 */
	char reason[ERROR_SIZE];
	size_t done = 0;
	do { /* a batch of none is checked, too */
		size_t part = n_motions - done < PART ? n_motions - done : PART;
		int code;
		if (verdicts) memset(verdicts + done, 0, part * sizeof *verdicts);
		CALL(code, goCheckAll(NUMBER(checker), segments ? (double *)segments + 2 * n * done : NULL, part, n, (fc_query *)query,
				      (fc_batch *)batch, verdicts ? verdicts + done : NULL, done, &stopped, TEXT));
		if (code != FC_OK && first == FC_OK) {
			first = code;
			memcpy(reason, error_text(), sizeof reason);
		}
		if (code != FC_OK && code != FC_INPUT) break; /* it fails for all */
		done += part;
	} while (done < n_motions && !stopped);
	for (; verdicts && done < n_motions; done++) {
		memset(&verdicts[done], 0, sizeof *verdicts);
		if (stopped)
			snprintf(verdicts[done].reason, sizeof verdicts->reason, "not checked: motion %zu of the batch is in contact", stopped - 1);
		else
			snprintf(verdicts[done].reason, sizeof verdicts->reason, "not checked: the call failed");
	}
	if (first == FC_OK) return FC_OK;
	memcpy(error_text(), reason, sizeof reason);
	return failed(first);
}

int fc_check_all(fc_checker *checker, const double *segments, size_t n_motions, size_t n, const fc_query *query, const fc_batch *batch,
		 fc_verdict *verdicts)
{
	fc_checker *own = NULL; /* so that all parts are in one scene, and another thread may free the caller's */
	if (n_motions > MOST_MOTIONS) {
		snprintf(TEXT, "fc_check_all: %zu motions are too many", n_motions);
		return failed(FC_MISUSE);
	}
	if (forked) {
		if (verdicts) memset(verdicts, 0, n_motions * sizeof *verdicts);
		return in_fork();
	}
	if (n_motions > PART && checker) own = fc_checker_copy(checker); /* where it fails, so does the first part, and tells why */
	const int code = check_all(own ? own : checker, segments, n_motions, n, query, batch, verdicts);
	if (own) fc_checker_free(own);
	return code;
}

int fc_distance(fc_checker *checker, const double *at, size_t n, const fc_query *query, fc_distances *distances)
{
	CLEAR(distances);
	RETURN_CODE(goDistance(NUMBER(checker), (double *)at, n, (fc_query *)query, distances, TEXT));
}

int fc_profile(fc_checker *checker, const double *from, const double *to, size_t n, const fc_query *query, fc_span *spans, size_t room,
	       size_t *n_spans)
{
	CLEAR(n_spans);
	RETURN_CODE(goProfile(NUMBER(checker), (double *)from, (double *)to, n, (fc_query *)query, spans, room, n_spans, TEXT));
}
