"""What calls cost in Python: cost.py URDF SCENE JOINT,... [SRDF] answers lines of standard input, each with a line of two numbers.

    single A... B... N     N checks from A to B: CPU time (us) of this thread for each, and 1 if all were free
    batch FILE             the edges of FILE (float64, n x 2 x joints): seconds, CPU seconds of the process, and how many are free
"""

import sys
import time

import numpy as np

import firstcontact as fc


def main() -> None:
    robot, scene, names = sys.argv[1:4]
    checker = fc.Checker(robot, srdf=sys.argv[4] if len(sys.argv) > 4 else None, scene=scene, joints=names.split(","))
    n = len(checker.joints)
    for line in sys.stdin:
        what, *rest = line.split()
        if what == "single":
            a, b, calls = np.array(rest[:n], float), np.array(rest[n : 2 * n], float), int(rest[-1])
            check, free = checker.check, True
            start = time.thread_time_ns()
            for _ in range(calls):
                free &= check(a, b).free
            took = (time.thread_time_ns() - start) / 1e3 / calls
            print(took, took, int(free), flush=True)
        else:
            edges = np.fromfile(rest[0]).reshape(-1, 2, n)
            start, busy = time.perf_counter(), time.process_time()
            batch = checker.check_batch(edges)
            print(time.perf_counter() - start, time.process_time() - busy, int(batch.free.sum()), flush=True)


main()
