/* gaps MESH: what can hide a collision stays with every answer. MESH is a file that leaves something open. */
#include "common.h"

static const double before[] = {-1, 0}, aside[] = {-0.2, 0};

static void expect_open(fc_checker *checker, int gaps)
{
	fc_verdict v;
	fc_distances d;
	static fc_span spans[5000];
	size_t n;
	EXPECT(fc_profile(checker, before, aside, 2, NULL, spans, 5000, &n) == FC_OK && n > 0 && n <= 5000);
	for (size_t i = 0; i < n; i++) EXPECT((spans[i].open_gaps > 0) == gaps);
	EXPECT(fc_check(checker, before, aside, 2, NULL, &v) == FC_OK);
	EXPECT(v.status == (gaps ? FC_UNDECIDED : FC_FREE) && (v.open_gaps > 0) == gaps && (v.reason[0] != 0) == gaps);
	EXPECT(fc_distance(checker, before, 2, NULL, &d) == FC_OK && d.open_gaps == v.open_gaps);
}

/* A mesh whose file leaves something open, until it goes. */
static void meshes(fc_robot *robot, const char *file)
{
	fc_scene *scene = fc_scene_parse("cell.yaml", scene_text, robot);
	EXPECT(scene);
	fc_object o = fc_object_default();
	o.id = "face";
	o.shape = FC_MESH;
	o.file = file;
	o.pose[0] = 9;
	EXPECT(fc_scene_put(scene, &o) == FC_OK);
	fc_checker *checker = fc_checker_new(robot, scene, NULL);
	EXPECT(checker);
	expect_open(checker, 1);
	fc_scene *copy = fc_scene_copy(scene);
	EXPECT(copy && fc_scene_remove(scene, "face") == FC_OK && fc_checker_set_scene(checker, scene) == FC_OK);
	expect_open(checker, 0);
	EXPECT(fc_checker_set_scene(checker, copy) == FC_OK);
	expect_open(checker, 1);
	o.file = NULL;
	o.shape = FC_SPHERE;
	o.dimensions[0] = 1;
	EXPECT(fc_scene_put(copy, &o) == FC_OK && fc_checker_set_scene(checker, copy) == FC_OK);
	expect_open(checker, 0);
	EXPECT(!fc_checker_free(checker) && !fc_scene_free(scene) && !fc_scene_free(copy));
}

/* What a motion rests on besides what every motion does. */
static void motions(void)
{
	fc_robot *robot = fc_robot_parse("<robot name='wheel'><link name='base'/>"
					 "<link name='bar'><collision><origin xyz='0.5 0 0'/><geometry><box size='1 0.1 0.1'/></geometry></collision></link>"
					 "<joint name='turn' type='continuous'><parent link='base'/><child link='bar'/><axis xyz='0 0 1'/></joint></robot>",
					 NULL, NULL, NULL);
	fc_scene *scene = fc_scene_parse("cell.yaml", scene_text, robot);
	fc_checker *checker = fc_checker_new(robot, scene, NULL);
	EXPECT(checker);
	const double round[] = {3.0, -3.0}, half[] = {0.5, 0.5 + 3.14159265}, plain[] = {1, 2}, none[] = {NAN, 0};
	char text[4096];
	size_t all, needed;
	fc_query q = fc_query_default();
	EXPECT(fc_checker_premises(checker, NULL, 0, &all) == FC_OK);
	EXPECT(fc_path_premises(checker, plain, 2, 1, NULL, NULL, text, sizeof text, &needed) == FC_OK && needed == all && strlen(text) == all - 1);
	EXPECT(fc_path_premises(checker, round, 2, 1, NULL, NULL, text, sizeof text, &needed) == FC_OK && strstr(text, "short-way turn: ") && needed > all);
	EXPECT(fc_path_premises(checker, half, 2, 1, NULL, NULL, text, sizeof text, NULL) == FC_OK && strstr(text, "half-turn turn: "));
	EXPECT(fc_path_premises(checker, half, 2, 1, NULL, NULL, text, 5, NULL) == FC_OK && strlen(text) == 4);
	q.keep_turns = 1;
	EXPECT(fc_path_premises(checker, round, 2, 1, NULL, &q, text, sizeof text, NULL) == FC_OK && !strstr(text, "short-way"));
	EXPECT(fc_path_premises(checker, none, 2, 1, NULL, NULL, text, sizeof text, &needed) == FC_INPUT && !text[0] && !needed);
	EXPECT(fc_path_premises(checker, plain, 2, 1, NULL, NULL, NULL, 5, NULL) == FC_MISUSE);
	EXPECT(!fc_checker_free(checker) && !fc_scene_free(scene) && !fc_robot_free(robot));
}

int main(int argc, char **argv)
{
	fc_robot *robot = fc_robot_parse(robot_text, NULL, NULL, NULL);
	EXPECT(argc == 2 && robot);
	meshes(robot, argv[1]);
	motions();
	EXPECT(!fc_robot_free(robot));
	puts("gaps: none is lost");
	return 0;
}
