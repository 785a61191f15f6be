/* What the tests of the library share: a robot and a scene whose answers are known, and EXPECT. */
#ifndef COMMON_H
#define COMMON_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "firstcontact.h"

/* A bar of 1 m that turns about z, and a slide along x. A post stands at 0.8 m on the x axis. */
static const char robot_text[] =
	"<robot name='arm'><link name='base'/>"
	"<link name='fore'><collision><origin xyz='0.5 0 0'/><geometry><box size='1 0.1 0.1'/></geometry></collision></link>"
	"<link name='slide'/>"
	"<joint name='shoulder' type='revolute'><parent link='base'/><child link='fore'/><axis xyz='0 0 1'/>"
	"<limit lower='-3' upper='3' effort='1' velocity='2'/></joint>"
	"<joint name='rail' type='prismatic'><parent link='fore'/><child link='slide'/><axis xyz='1 0 0'/>"
	"<limit lower='0' upper='1' effort='1' velocity='1'/></joint></robot>";
static const char scene_text[] = "objects:\n  - {id: post, type: cylinder, xyz: [0.8, 0, 0], radius: 0.01, length: 1}\n";

/* The bar's side is 0.05 m from its middle: it touches the post at this angle on either side. */
#define TOUCHES 0.075070570 /* asin(0.06/0.8) */

static inline void fail(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: %s\n    fc_error: %s\n", file, line, what, fc_error());
	exit(1);
}
#define EXPECT(what) ((what) ? (void)0 : fail(__FILE__, __LINE__, #what))

static inline fc_checker *make_checker(void)
{
	fc_robot *robot = fc_robot_parse(robot_text, NULL, NULL, NULL);
	EXPECT(robot);
	fc_scene *scene = fc_scene_parse("cell.yaml", scene_text, robot);
	EXPECT(scene);
	fc_checker *checker = fc_checker_new(robot, scene, NULL);
	EXPECT(checker);
	EXPECT(fc_robot_free(robot) == FC_OK);
	EXPECT(fc_scene_free(scene) == FC_OK);
	return checker;
}

static inline double seconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A generator of its own, so that a seed means the same everywhere. */
static inline uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}
static inline double random_in(uint64_t *state, double lo, double hi) { return lo + (hi - lo) * (double)(next_random(state) >> 11) * (1.0 / 9007199254740992.0); }

#endif
