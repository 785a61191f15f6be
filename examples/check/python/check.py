"""The smallest program in Python: is the straight line in joint space between two configurations free of collision?

python3 examples/check/python/check.py arm.urdf cell.yaml shoulder=-1:1 elbow=0:0.5
"""

import sys

import firstcontact as fc

if len(sys.argv) < 4:
    sys.exit("usage: check.py ROBOT.urdf SCENE JOINT=FROM:TO... (rad or m)")
moves = dict(argument.split("=", 1) for argument in sys.argv[3:])
try:
    checker = fc.Checker(sys.argv[1], scene=sys.argv[2], joints=list(moves))
    q0, q1 = ([float(ends.split(":")[i]) for ends in moves.values()] for i in (0, 1))
    verdict = checker.check(q0, q1)
except fc.Error as err:
    sys.exit(f"check: {err}")
print(verdict)
if verdict.contact:
    print("witness", *verdict.contact.point_a, "and", *verdict.contact.point_b)
sys.exit(0 if verdict else 1)
