/*
 * firstcontact: proofs that a robot's motion is free of collision, from C.
 *
 *     fc_robot *robot = fc_robot_load("arm.urdf", "arm.srdf", NULL);
 *     fc_scene *scene = fc_scene_load("cell.yaml", robot);
 *     fc_checker *checker = fc_checker_new(robot, scene, NULL);
 *     fc_verdict verdict;
 *     int error = fc_check(checker, from, to, n, NULL, &verdict);
 *     if (error) puts(fc_error());
 *     else if (verdict.status == FC_FREE) ...      a proof, for every point of every link at every time
 *
 * Units and frames: lengths in metres, angles in radians, times in seconds. Points are in the frame of the scene, which
 * is that of the robot's root link unless the scene names another. Quaternions are x, y, z, w.
 *
 * Handles: robots, scenes and checkers are handles, not addresses. A checker keeps what it needs, so robot and scene may
 * be freed as soon as it is made. NULL, a handle that was freed and one of another kind are errors (FC_MISUSE).
 *
 * Memory: the library keeps no pointer of the caller's after a call, and gives out none but the texts of fc_error and
 * fc_version, which need no freeing. Whatever else it answers it writes into memory of the caller's.
 *
 * Threads: every function may be called from any thread at any time, with the same handles too. A handle may be freed
 * while other threads use it: their calls end as if it had not been.
 *
 * Signals: the library leaves every signal's disposition as it was. A signal that comes during a call waits for the call's
 * end, or for a thread outside of one; fc_check_all looks for signals between parts of a batch.
 *
 * Processes: after fork the child cannot use the library (FC_FORKED): load it there, or start the child with exec.
 *
 * Errors: a function that returns int returns FC_OK or another of the enum fc_code, one that returns a handle NULL where it
 * fails; fc_error tells why. A call with a NULL that a call before it returned fails, too, and tells both reasons: it is enough to
 * look at the last one. After an error a verdict is FC_UNDECIDED, which never reads as free.
 */
#ifndef FIRSTCONTACT_H
#define FIRSTCONTACT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* FC_ABI is the version of the binary interface that this header describes, and the number in the library's soname.
 * Within a version functions are added, and fields named reserved, which have to be 0, get a meaning; no structure changes its
 * size. */
#define FC_ABI 1

/* fc_abi returns the FC_ABI of the library that is loaded. */
int fc_abi(void);

/* fc_version returns the version of the library, for people. */
const char *fc_version(void);

/* fc_error returns why the last call in this thread that failed did so: what is wrong, where, and what to do. It is
 * valid until the next call in this thread fails. It is never NULL. */
const char *fc_error(void);

/* fc_error_code returns the enum fc_code of that call, which one that returns a handle does not tell; FC_OK if none failed. */
int fc_error_code(void);

enum fc_code {
	FC_OK = 0,
	FC_INPUT = 1,    /* a file, a name, a number or a question that is not valid: fc_error names it */
	FC_MISUSE = 2,   /* the call itself is wrong: NULL, a handle that is none, a size that does not fit */
	FC_FORKED = 3,   /* the process is a child that was forked after the library was loaded */
	FC_INTERNAL = 4, /* a defect of the library: please report it */
};

typedef struct fc_robot fc_robot;
typedef struct fc_scene fc_scene;
typedef struct fc_checker fc_checker;

/* Names in answers are cut to FC_NAME - 1 bytes, texts to FC_TEXT - 1. */
#define FC_NAME 128
#define FC_TEXT 512

/* A list of strings ends with NULL; NULL in place of a list is an empty one:
 *     (const char *[]){"table", "lamp", NULL}
 */
typedef const char *const *fc_strings;


/* ---- Robots ---- */

/* fc_robot_load reads a URDF file with its meshes and, if srdf is not NULL, an SRDF file. packages lists folders of
 * package:// addresses as "name=folder"; other packages are looked for as ROS does, and around the URDF. */
fc_robot *fc_robot_load(const char *urdf, const char *srdf, fc_strings packages);

/* fc_robot_parse is fc_robot_load for texts in memory. Relative mesh files refer to the folder base; NULL refuses them. */
fc_robot *fc_robot_parse(const char *urdf, const char *srdf, const char *base, fc_strings packages);

/* fc_robot_free gives a robot back. NULL is none, and no error. */
int fc_robot_free(fc_robot *robot);


/* ---- Scenes ---- */

/* fc_scene_new returns an empty scene, in the frame of the robot's root link. */
fc_scene *fc_scene_new(void);

/* fc_scene_load reads a scene file: this package's own YAML or JSON, MoveIt's .scene and messages, a URDF, a mesh, an
 * OctoMap file, a problem of MotionBenchMaker as file.json#set/index. robot may be NULL where the scene names no link. */
fc_scene *fc_scene_load(const char *path, fc_robot *robot);

/* fc_scene_parse is fc_scene_load for a text in memory. Relative files in it refer to the folder of name. */
fc_scene *fc_scene_parse(const char *name, const char *text, fc_robot *robot);

enum fc_shape {
	FC_BOX = 1,      /* dimensions: full side lengths x, y, z */
	FC_SPHERE = 2,   /* dimensions: radius */
	FC_CYLINDER = 3, /* dimensions: radius, length; along z with the middle at the origin */
	FC_CONE = 4,     /* dimensions: radius of the base, length; along z, the tip at +length/2 */
	FC_CAPSULE = 5,  /* dimensions: radius, length of the axis, beyond which the caps stand */
	FC_MESH = 6,     /* vertices and triangles, or file */
	FC_POINTS = 7,   /* dimensions: radius of the ball around each of vertices */
};

/* fc_object is an obstacle, or an object that a link carries. */
typedef struct fc_object {
	size_t size;                 /* sizeof(fc_object) */
	const char *id;              /* its name; not NULL */
	int32_t shape;               /* enum fc_shape */
	int32_t reserved;            /* 0 */
	double pose[7];              /* x y z and quaternion x y z w, in the scene's frame or in the link attached_to */
	double dimensions[3];        /* see enum fc_shape */
	const double *vertices;      /* three numbers for each vertex or point */
	size_t n_vertices;           /* how many vertices, not numbers */
	const int32_t *triangles;    /* three indices of vertices, from 0, for each triangle */
	size_t n_triangles;          /* how many triangles */
	const char *file;            /* of a mesh (STL, OBJ, COLLADA, glTF, PLY) in place of vertices, or NULL */
	double scale;                /* of the file's coordinates; 0 is 1 */
	double padding;              /* m, added all around */
	const char *attached_to;     /* the link that carries it, or NULL for an obstacle */
	fc_strings touch_links;      /* links that it may touch besides that one */
} fc_object;

/* fc_object_default returns an object without a shape at the origin. */
static inline fc_object fc_object_default(void)
{
	fc_object o;
	memset(&o, 0, sizeof o);
	o.size = sizeof o;
	o.pose[6] = 1;
	return o;
}

/* fc_scene_put adds an object, in place of one of the same name. Edits of a scene do not reach the checkers that were
 * made with it: see fc_checker_set_scene. */
int fc_scene_put(fc_scene *scene, const fc_object *object);

/* fc_scene_remove takes an object away. A name that the scene does not have is an error. */
int fc_scene_remove(fc_scene *scene, const char *id);

/* fc_scene_allow adds a pair of objects or links that may touch: it is not checked. */
int fc_scene_allow(fc_scene *scene, const char *a, const char *b);

/* fc_scene_copy returns a scene of its own with the same content. */
fc_scene *fc_scene_copy(fc_scene *scene);

/* fc_scene_free gives a scene back. NULL is none, and no error. */
int fc_scene_free(fc_scene *scene);


/* ---- Checkers ---- */

/* fc_options of a checker; fc_options_default makes those that NULL stands for. */
typedef struct fc_options {
	size_t size;                   /* sizeof(fc_options) */
	fc_strings joints;             /* the joints that configurations list, in order; NULL: those of group, or all that move */
	const char *group;             /* a planning group of the SRDF whose joints configurations list; NULL for none */
	fc_strings state_joints;       /* other joints whose position is known ... */
	const double *state_positions; /* ... and where they stand (rad or m), as many; the rest are where the SRDF's first state has
	                                * them, else at 0 */
	fc_strings allowed;            /* pairs of links or objects that are not checked: a, b, a, b, ..., NULL */
	fc_strings accept;             /* gaps that are accepted, as KIND or KIND:NAME; with another one nothing is ever free */
	double padding;                /* m, added around every link but those of padded_links */
	fc_strings padded_links;       /* links with a padding of their own ... */
	const double *link_paddings;   /* ... and what it is (m), as many */
	const char *cache;             /* a folder that keeps what is costly to compute about meshes; NULL: none */
	int32_t prove_defaults;        /* not 0: prove quickly which pairs never touch within the limits, and leave them out */
	int32_t reserved;              /* 0 */
} fc_options;

static inline fc_options fc_options_default(void)
{
	fc_options o;
	memset(&o, 0, sizeof o);
	o.size = sizeof o;
	return o;
}

/* fc_checker_new compiles robot and scene; with that of fc_scene_new only the robot's own pairs are checked. A scene that could
 * not be read is NULL, and an error here, too. options may be NULL. */
fc_checker *fc_checker_new(fc_robot *robot, fc_scene *scene, const fc_options *options);

/* fc_checker_set_scene puts the robot into another scene, or an edited one, in the time of what differs. Calls that have
 * begun end in the scene before, batches as a whole. */
int fc_checker_set_scene(fc_checker *checker, fc_scene *scene);

enum fc_joint_type {
	FC_REVOLUTE = 1,
	FC_CONTINUOUS = 2,  /* turns without end, and all that moves with it is back in its place after a turn: a continuous joint,
	                     * the angle of a planar one */
	FC_PRISMATIC = 3,
	FC_OTHER_JOINT = 4, /* a position of a planar joint */
	FC_WINDING = 5,     /* turns without end, and turns do not come back: a joint follows it that slides, or turns by a part */
};

/* fc_joint is a joint of the configurations. */
typedef struct fc_joint {
	char name[FC_NAME];
	int32_t type;        /* enum fc_joint_type */
	int32_t bounded;     /* whether lower and upper mean anything */
	double lower, upper; /* rad or m */
	double velocity;     /* its limit in rad/s or m/s; 0 if the file gives none */
} fc_joint;

/* fc_checker_dimension writes how many joints a configuration lists. */
int fc_checker_dimension(fc_checker *checker, size_t *n);

/* fc_checker_joint writes the joint at an index from 0. */
int fc_checker_joint(fc_checker *checker, size_t index, fc_joint *joint);

/* fc_checker_premises writes what every verdict rests on besides its proof, a line for each premise: pairs that are left
 * out, links without geometry, gaps, which begin with "GAP" or "accepted gap". text gets at most size bytes with the final NUL; needed, if not NULL, gets how many
 * bytes all of it takes, so that a call with size 0 (text may then be NULL) tells how much room to make. */
int fc_checker_premises(fc_checker *checker, char *text, size_t size, size_t *needed);

/* fc_checker_copy returns a checker of its own of the same robot in the same scene, at once: each can be put into another scene without
 * the other, such as one for each thread. */
fc_checker *fc_checker_copy(fc_checker *checker);

/* fc_checker_free gives a checker back. NULL is none, and no error. */
int fc_checker_free(fc_checker *checker);


/* ---- Questions ---- */

enum fc_question {
	FC_FIRST_CONTACT = 0, /* a proof that nothing touches, or when and where it first does */
	FC_IS_FREE = 1,       /* yes or no, in less time: a contact need not be the first */
	FC_MIN_CLEARANCE = 2, /* FC_FIRST_CONTACT, and how close a free motion comes */
};

/* fc_query is a question; fc_query_default makes the one that NULL stands for: the first contact at clearance 0. */
typedef struct fc_query {
	size_t size;                /* sizeof(fc_query) */
	int32_t question;           /* enum fc_question */
	int32_t no_self, no_world;  /* not 0: leave out the robot's own pairs, or those with the world */
	int32_t keep_turns;         /* not 0: a continuous joint moves through every value between two configurations; 0: it
	                             * takes the short way, so from 3.1 to -3.1 by 0.083 rad */
	double clearance;           /* m, that must be exceeded for FC_FREE */
	double tolerance;           /* m, within which a pair counts as touching; 0 is 1e-6 */
	double time_tolerance;      /* s, of the time of contact; 0 is 1e-6 */
	double clearance_tolerance; /* m, of FC_MIN_CLEARANCE, fc_distance and fc_profile; 0 is 1e-3 */
	double budget;              /* s of computing time for each motion, after which it is FC_UNDECIDED; 0 is none */
} fc_query;

static inline fc_query fc_query_default(void)
{
	fc_query q;
	memset(&q, 0, sizeof q);
	q.size = sizeof q;
	return q;
}

enum fc_status {
	FC_UNDECIDED = 0, /* no proof: free before proven_until, unknown after it; reason says why */
	FC_FREE = 1,      /* proved: farther apart than the clearance at every time */
	FC_CONTACT = 2,   /* within the clearance, at 0 touching, at toc_hi, as contact shows; nothing is before toc_lo */
};

enum fc_body { FC_LINK = 0, FC_OBJECT = 1, FC_ATTACHED = 2 };

/* fc_witness is two points of two bodies that show how close these are. */
typedef struct fc_witness {
	char a[FC_NAME], b[FC_NAME]; /* the names of the bodies */
	int32_t kind_a, kind_b;      /* enum fc_body */
	double time;                 /* s from the motion's start */
	double point_a[3], point_b[3];
	double normal[3];            /* unit, from a towards b; zero if the bodies overlap too deeply */
	double distance;             /* m; 0 if they overlap */
} fc_witness;

/* fc_verdict is the answer about a motion. Times count from its start. */
typedef struct fc_verdict {
	int32_t status;                      /* enum fc_status */
	int32_t piece;                       /* FC_CONTACT: it touches between the points of this index, from 0, and the next */
	double toc_lo, toc_hi;               /* FC_CONTACT: bounds (s) of the time of contact */
	double proven_until;                 /* the motion is free before that time (s), whatever the status */
	fc_witness contact;                  /* FC_CONTACT: what touches, and where */
	int32_t clearance_known;             /* of FC_MIN_CLEARANCE: not 0 where the next three mean something */
	int32_t open_gaps;                   /* premises that keep the motion from being free until they are accepted */
	double clearance_lo, clearance_hi;   /* m: the least distance over the motion lies within */
	fc_witness closest;                  /* where clearance_hi was found */
	int32_t accepted_gaps;               /* gaps that options.accept accepts */
	int32_t assumed_pairs;               /* pairs of links left out because SRDF, scene, option or default says so */
	int32_t proven_pairs;                /* pairs of links left out because they are proved never to touch */
	int32_t held_joints;                 /* joints that the configuration does not list */
	int32_t beyond_limits;               /* joints that leave their limits */
	int32_t open_meshes;                 /* bodies with a mesh that encloses nothing */
	double compute;                      /* s of computing time */
	char reason[FC_TEXT];                /* FC_UNDECIDED: why */
} fc_verdict;

/* fc_check asks about the straight line in joint space between two configurations of n joints, from time 0 to 1: times in
 * the verdict are parts of it. query may be NULL. Joints beyond their limits are told, not refused. */
int fc_check(fc_checker *checker, const double *from, const double *to, size_t n, const fc_query *query, fc_verdict *verdict);

/* fc_check_state asks about one configuration. */
int fc_check_state(fc_checker *checker, const double *at, size_t n, const fc_query *query, fc_verdict *verdict);

/* fc_check_path asks about straight lines through n_points configurations of n joints, one after the other in points. times
 * (s) increase from 0; NULL is 0, 1, 2, ... */
int fc_check_path(fc_checker *checker, const double *points, size_t n_points, size_t n, const double *times, const fc_query *query,
		  fc_verdict *verdict);

/* fc_path_premises is fc_checker_premises for a verdict of fc_check_path about these points, or of fc_check about two: with joints
 * that the configuration does not list, whole turns that the short way leaves out, half turns, joints beyond their limits. */
int fc_path_premises(fc_checker *checker, const double *points, size_t n_points, size_t n, const double *times,
		     const fc_query *query, char *text, size_t size, size_t *needed);

/* fc_batch says how fc_check_all goes about many motions; fc_batch_default makes the one that NULL stands for. */
typedef struct fc_batch {
	size_t size;             /* sizeof(fc_batch) */
	int32_t workers;         /* threads that share the motions; 0 is one for each processor */
	int32_t stop_at_contact; /* not 0: motions after the first FC_CONTACT, in order, stay FC_UNDECIDED */
} fc_batch;

static inline fc_batch fc_batch_default(void)
{
	fc_batch b;
	memset(&b, 0, sizeof b);
	b.size = sizeof b;
	return b;
}

/* fc_check_all asks about n_motions straight lines: segments holds from and to, n numbers each, of one after the other;
 * verdicts has room for as many answers. A line from a configuration to itself is that configuration; seven of these share
 * a proof, and so do two short lines, which makes them cheaper than one by one. A motion that is not valid fails the call; its verdict is FC_UNDECIDED with
 * the reason, and those of the others hold. More than 2^32 motions are FC_MISUSE, and nothing is written. */
int fc_check_all(fc_checker *checker, const double *segments, size_t n_motions, size_t n, const fc_query *query, const fc_batch *batch,
		 fc_verdict *verdicts);

/* fc_distances bounds the smallest distance (m) at one configuration. All bounds are proved. */
typedef struct fc_distances {
	double lower, upper;             /* of the closest pair; +infinity where there is no pair */
	double self_lower, self_upper;   /* of the robot to itself */
	double world_lower, world_upper; /* of the robot to the world */
	fc_witness closest;              /* where upper was found */
	int32_t open_gaps;               /* premises that make the distances those of an incomplete model */
	int32_t assumed_pairs;           /* pairs of links left out because SRDF, scene, option or default says so */
} fc_distances;

/* fc_distance measures one configuration, to within query's clearance_tolerance (here 0 is as exact as it gets). */
int fc_distance(fc_checker *checker, const double *at, size_t n, const fc_query *query, fc_distances *distances);

/* fc_span bounds the smallest distance from start to end (s) by two straight lines. */
typedef struct fc_span {
	double start, end;
	double lower[2], upper[2]; /* m, at start and at end */
	int32_t unknown;           /* not 0: the budget ended before; lower is 0 and upper +infinity */
	int32_t open_gaps;         /* premises that make the bounds those of an incomplete model; the same in all spans */
} fc_span;

/* fc_profile bounds the smallest distance over the straight line between two configurations, from time 0 to 1. spans gets
 * at most room of them, in order and without gaps; n_spans gets how many there are. */
int fc_profile(fc_checker *checker, const double *from, const double *to, size_t n, const fc_query *query, fc_span *spans, size_t room,
	       size_t *n_spans);

#ifdef __cplusplus
}
#endif
#endif
