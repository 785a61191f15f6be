"""Proofs that a robot's motion is free of collision, or when and where it first touches.

    import firstcontact as fc

    checker = fc.Checker("robot.urdf", srdf="robot.srdf", scene="scene.yaml")
    verdict = checker.check(q0, q1)
    if verdict:                       # proved free, for every point of every link at every time
        ...
    elif verdict.contact:
        print(verdict.contact.a, verdict.contact.b, verdict.toc)

Lengths are in metres, angles in radians, times in seconds. Points are in the frame of the scene, which is that of the robot's
root link unless the scene names another.
"""

from ._library import lib as _lib
from .answers import BatchVerdict, Body, Bounds, Distances, Point, Profile, Status, Verdict, Witness
from .checker import Checker, Joint, JointType, Query, Question
from .errors import ClosedError, Error, ForkedError, InputError, InternalError, LibraryError, UsageError
from .scene import Scene

__all__ = [
    "BatchVerdict", "Body", "Bounds", "Checker", "ClosedError", "Distances", "Error", "ForkedError", "InputError", "InternalError",
    "Joint", "JointType", "LibraryError", "Point", "Profile", "Query", "Question", "Scene", "Status", "UsageError", "Verdict", "Witness",
    "version",
]  # fmt: skip


def version() -> str:
    """Returns the version of the library."""
    return str(_lib.fc_version().decode("utf-8", "replace"))
