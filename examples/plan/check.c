// Is the straight line between two configurations free? In C.
//
//	cc check.c $(pkg-config --cflags --libs firstcontact) -o check
//	./check arm.urdf cell.yaml -1 1        from -1 to 1 rad, of each joint
#include <firstcontact.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	enum { MOST = 64 };
	double from[MOST], to[MOST];
	size_t n = 0;
	fc_verdict verdict;
	if (argc != 5) {
		fprintf(stderr, "usage: check ROBOT.urdf SCENE FROM TO\n");
		return 2;
	}
	fc_robot *robot = fc_robot_load(argv[1], NULL, NULL);
	fc_scene *scene = robot ? fc_scene_load(argv[2], robot) : NULL;
	fc_checker *checker = scene ? fc_checker_new(robot, scene, NULL) : NULL;
	if (checker) fc_checker_dimension(checker, &n);
	if (n > MOST) {
		fprintf(stderr, "the robot has %zu joints, and this program room for %d\n", n, MOST);
		return 2;
	}
	for (size_t i = 0; i < n; i++) from[i] = atof(argv[3]), to[i] = atof(argv[4]);
	if (!checker || fc_check(checker, from, to, n, NULL, &verdict) != FC_OK) {
		fprintf(stderr, "%s\n", fc_error());
		return 2;
	}
	if (verdict.status == FC_FREE) printf("free: a proof for every point and every time\n");
	else if (verdict.status == FC_CONTACT) printf("contact: %s and %s at %.6f of the way\n", verdict.contact.a, verdict.contact.b, verdict.toc_hi);
	else printf("undecided, which is not free: %s\n", verdict.reason);
	return verdict.status != FC_FREE;
}
