"""Tests of the package: python3 -m unittest discover -s python/tests"""

from __future__ import annotations

import copy
import ctypes
import ctypes.util
import gc
import math
import multiprocessing
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import numpy as np

import firstcontact as fc
from firstcontact import _library

ROOT = Path(__file__).resolve().parents[2]
HUMANOID = ROOT / "testdata" / "humanoid"
JOINTS = ["right_shoulder_pitch", "right_elbow"]
REST = np.array([0.0, 0.0])
FREE = np.array([0.1, 0.0])
TOUCH = np.array([-1.5, 0.0])

LONG = int(os.environ.get("FIRSTCONTACT_LONG", "1"))


def humanoid(**options: object) -> fc.Checker:
    options = {"srdf": HUMANOID / "humanoid.srdf", "scene": HUMANOID / "obstacles.yaml", "joints": JOINTS, **options}
    return fc.Checker(HUMANOID / "humanoid.urdf", **options)  # type: ignore[arg-type]


def resident() -> int:
    """Memory of the process (bytes)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Lever(unittest.TestCase):
    """A bar of 1 m with a ball of 0.1 m at its end turns around z: answers are known by formulas."""

    URDF = """<robot name="lever"><link name="base"/><link name="bar"><collision><origin xyz="1 0 0"/>
        <geometry><sphere radius="0.1"/></geometry></collision></link>
        <joint name="turn" type="revolute"><parent link="base"/><child link="bar"/><axis xyz="0 0 1"/>
        <limit lower="-2" upper="2" effort="1" velocity="3"/></joint></robot>"""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "lever.urdf"
        self.file.write_text(self.URDF)
        scene = fc.Scene()
        scene.add_sphere("post", 0.2, (0, 1, 0))
        self.checker = fc.Checker(self.file, scene=scene)
        # The balls touch where their centres are 0.3 apart.
        self.touches = math.pi / 2 - 2 * math.asin(0.15)

    def test_contact(self) -> None:
        v = self.checker.check([0], [2 * self.touches])
        assert v.toc is not None and v.contact is not None
        self.assertEqual(v.status, fc.Status.CONTACT)
        self.assertFalse(v)
        self.assertLessEqual(v.toc.lower, 0.5)
        self.assertAlmostEqual(v.toc.upper, 0.5, places=4)
        self.assertEqual((v.contact.a, v.contact.b, v.contact.kind_b), ("bar", "post", fc.Body.OBJECT))
        self.assertAlmostEqual(math.dist(v.contact.point_b, (0, 1, 0)), 0.2, places=4)

    def test_free(self) -> None:
        v = self.checker.check([-1], [self.touches - 0.01])
        self.assertTrue(v)
        self.assertTrue(v.free)
        self.assertEqual(v.proven_until, 1)
        self.assertIsNone(v.contact)
        self.assertIsNone(v.clearance)

    def test_path(self) -> None:
        v = self.checker.check_path([[0], [0.5], [0.5], [2 * self.touches - 0.5]], [0, 2, 3, 5])
        assert v.toc is not None
        self.assertAlmostEqual(v.toc.upper, 4, places=4)
        self.assertEqual((v.piece, v.end), (2, 5))
        self.assertEqual(self.checker.check_path([[0], [0.5], [0.5], [2 * self.touches]], [0, 2, 2, 5]).piece, 2)
        self.assertTrue(self.checker.check_path([[0], [0.5]]))
        for times in ([0, 0, 1, 2], [0, 1], [0, 1, 2, math.nan], [[0, 1, 2, 3]]):
            with self.assertRaises(fc.Error):
                self.checker.check_path([[0], [0.5], [0.6], [0.7]], times)

    def test_clearance(self) -> None:
        query = fc.Query(fc.Question.MIN_CLEARANCE)
        v = self.checker.check([0], [1], query)
        least = math.sqrt(2 - 2 * math.sin(1)) - 0.3
        assert v.clearance is not None and v.closest is not None
        self.assertTrue(v.clearance.lower <= least <= v.clearance.upper)
        self.assertLess(v.clearance.upper - v.clearance.lower, 1.1e-3)
        self.assertEqual(v.closest.b, "post")
        self.assertFalse(self.checker.check([0], [1], fc.Query(clearance=least + 0.01)))
        self.assertTrue(self.checker.check([0], [1], fc.Query(clearance=least - 0.01)))
        self.assertEqual(pickle.loads(pickle.dumps(query)), query)
        self.assertTrue(self.checker.check([0], [1], pickle.loads(pickle.dumps(query))).clearance)
        self.assertTrue(self.checker.check([0], [1], copy.deepcopy(query)).clearance)

    def test_turns(self) -> None:
        """A continuous joint takes the short way, or with keep_turns the one that the numbers name."""
        self.file.write_text(self.URDF.replace("revolute", "continuous"))
        scene = fc.Scene()
        scene.add_sphere("post", 0.2, (0, 1, 0))
        c = fc.Checker(self.file, scene=scene)
        kept = fc.Query(keep_turns=True)
        self.assertTrue(c.check([3.0], [-3.0]))
        v = c.check([3.0], [-3.0], kept)
        assert v.toc is not None
        self.assertAlmostEqual(v.toc.upper, (3 - (math.pi - self.touches)) / 6, places=4)
        edges = np.array([[[3.0], [-3.0]]])
        self.assertEqual([bool(c.check_batch(edges, q).free[0]) for q in (None, kept)], [True, False])
        self.assertEqual([bool(c.check_path(edges[0], query=q)) for q in (None, kept)], [True, False])
        self.assertEqual([c.profile(*edges[0], q).minimum.lower > 0 for q in (None, kept)], [True, False])
        self.assertFalse(c.check([3.0], [-3.0], pickle.loads(pickle.dumps(kept))))

    def test_state_and_distance(self) -> None:
        self.assertFalse(self.checker.check_state([math.pi / 2]))
        self.assertTrue(self.checker.check_state([0]))
        d = self.checker.distance([0])
        want = math.sqrt(2) - 0.3
        assert d.closest is not None
        self.assertTrue(d.lower <= want <= d.upper and d.upper - d.lower < 1e-6)
        self.assertEqual((d.world.upper, d.robot.upper), (d.upper, math.inf))
        self.assertEqual(d.closest.a, "bar")

    def test_profile(self) -> None:
        p = self.checker.profile([0], [1], fc.Query(clearance_tolerance=1e-4))
        self.assertEqual((p.start[0], p.end[-1]), (0, 1))
        self.assertTrue((p.start[1:] == p.end[:-1]).all())
        for t in np.linspace(0, 1, 101):
            want = math.sqrt(2 - 2 * math.sin(t)) - 0.3
            bounds = p.at(t)
            self.assertTrue(bounds.lower <= want <= bounds.upper, (t, bounds, want))
        with self.assertRaises(ValueError):
            p.at(1.5)
        self.assertIn("<polyline", p._repr_svg_())

    def test_batch_is_check(self) -> None:
        edges = np.random.default_rng(1).uniform(-2, 2, (5000, 2, 1))
        batch = self.checker.check_batch(edges, fc.Query(fc.Question.MIN_CLEARANCE))
        self.assertEqual(len(batch), 5000)
        for i in range(0, 5000, 7):
            v = self.checker.check(edges[i, 0], edges[i, 1], fc.Query(fc.Question.MIN_CLEARANCE))
            self.assertEqual(batch.status[i], v.status.value)
            self.assertEqual(batch.free[i], v.free)
            self.assertEqual(batch.contact(i), v.contact)
            if v.toc is not None:
                self.assertEqual(tuple(batch.toc[i]), v.toc)
            if v.clearance is not None:
                self.assertEqual(tuple(batch.clearance[i]), v.clearance)
        self.assertGreater(batch.free.sum(), 100)
        self.assertGreater((~batch.free).sum(), 100)
        self.assertIsNone(batch.contact(int(np.flatnonzero(batch.free)[0])))
        with self.assertRaises(IndexError):
            batch.contact(5000)
        with self.assertRaises(TypeError):
            bool(batch)
        self.assertIn("in contact", repr(batch))

    def test_batch_stops(self) -> None:
        edges = np.zeros((10000, 2, 1))
        edges[4500, 1] = 1.5
        batch = self.checker.check_batch(edges, stop_at_contact=True)
        self.assertTrue(batch.free[:4500].all())
        self.assertEqual(batch.status[4500], fc.Status.CONTACT.value)
        self.assertFalse(batch.status[4501:].any())
        self.assertEqual({batch.reason(4501), batch.reason(8191), batch.reason(9999)}, {"not checked: motion 4500 of the batch is in contact"})
        self.assertFalse(batch.reason(0) or batch.reason(4500))
        self.assertEqual(len(self.checker.check_batch(np.zeros((0, 2, 1)))), 0)

    def test_many_states(self) -> None:
        states = np.random.default_rng(3).uniform(-2, 2, (500, 1))
        many = self.checker.check_states(states)
        for i, state in enumerate(states):
            self.assertEqual(many.status[i], self.checker.check_state(state).status.value)
        self.assertGreater(many.free.sum(), 50)
        self.assertGreater((~many.free).sum(), 50)
        self.assertEqual((len(self.checker.check_states([])), len(self.checker.check_states(np.empty((0, 1))))), (0, 0))
        stopped = self.checker.check_states(states, stop_at_contact=True)
        first = int(np.flatnonzero(~many.free)[0])
        self.assertEqual((stopped.free[:first].all(), stopped.status[first + 1 :].any()), (True, False))
        with self.assertRaises(fc.InputError):
            self.checker.check_states([[math.nan]])
        with self.assertRaises(fc.UsageError):
            self.checker.check_states(np.zeros((3, 2)))

    def test_layouts_of_arrays(self) -> None:
        """What is no contiguous array of float64 gets the answers of one that is."""
        edges = np.random.default_rng(2).uniform(-2, 2, (100, 2, 1))
        want = self.checker.check_batch(edges).status
        wide = np.zeros((100, 2, 3))
        wide[:, :, 1:2] = edges
        for other in (np.asfortranarray(edges), wide[:, :, 1:2], edges.astype(">f8"), edges.tolist(), edges[::-1][::-1]):
            self.assertTrue((self.checker.check_batch(other).status == want).all())
        half = np.array([0.5], np.float32)
        self.assertTrue(self.checker.check(np.arange(4.0)[::2][:1], half))
        self.assertTrue(self.checker.check(np.array([0]), [0.5]))
        self.assertEqual((len(self.checker.check_batch([])), len(self.checker.check_batch(np.empty((0, 2, 1))))), (0, 0))
        self.assertIn("0</b> free", self.checker.check_batch([])._repr_html_())
        html = self.checker.check_batch([[[0], [0.5]], [[0], [1]], [[0], [1.5]], [[0], [0.1]]])._repr_html_()
        self.assertIn('3</b> free', html)
        self.assertIn('<rect x="300.0" width="100.0" height="10" fill="#c0271a"/>', html)
        fixed = edges.copy()
        fixed.setflags(write=False)
        self.assertTrue((self.checker.check_batch(fixed).status == want).all())

    def test_edits(self) -> None:
        with self.checker.edit() as scene:
            scene.add_sphere("far", 0.1, (5, 0, 0))
            scene.remove("post")
        self.assertTrue(self.checker.check([0], [2]))
        with self.assertRaises(fc.InputError), self.checker.edit() as scene:
            scene.add_box("box", (1, 1, 1), (0, 1, 0))
            scene.remove("nothing")
        self.assertTrue(self.checker.check([0], [2]), "an edit that failed took effect")
        at = (0.0, 1.0, 0.0)
        square = [(-0.1, 0, -0.1), (0.1, 0, -0.1), (0.1, 0, 0.1), (-0.1, 0, 0.1)]
        for name, add in {
            "box": lambda s: s.add_box("o", (0.2, 0.2, 0.2), at),
            "turned": lambda s: s.add_box("o", (0.2, 0.2, 0.2), at, (0, 0, math.sin(1), math.cos(1))),
            "cylinder": lambda s: s.add_cylinder("o", 0.1, 0.3, at),
            "cone": lambda s: s.add_cone("o", 0.1, 0.3, at),
            "capsule": lambda s: s.add_capsule("o", 0.1, 0.3, at, padding=0.01),
            "mesh": lambda s: s.add_mesh("o", None, at, vertices=square, triangles=[(0, 1, 2), (0, 2, 3)]),
            "points": lambda s: s.add_points("o", [(0, 0, 0), (0, 0, 0.1)], 0.05, at),
        }.items():
            with self.subTest(name), self.checker.edit() as scene:
                add(scene)
            v = self.checker.check([0], [1.5])
            self.assertTrue(v.contact and v.contact.b == "o", name)
        with self.checker.edit() as scene:
            scene.allow("bar", "o")
        self.assertTrue(self.checker.check([0], [1.5]))
        mine = fc.Scene()
        with self.assertRaisesRegex(fc.UsageError, "attached_to is an empty text"):  # of a variable that was not set
            mine.add_sphere("held", 0.1, (0.3, 0, 0), attached_to="")
        mine.add_sphere("held", 0.1, (0.3, 0, 0), attached_to="bar")
        mine.add_sphere("post", 0.3, (0, 0.55, 0))
        self.checker.set_scene(mine)
        mine.close()
        v = self.checker.check([0], [1.5])
        assert v.contact is not None
        self.assertEqual((v.contact.kind_a, v.contact.kind_b), (fc.Body.ATTACHED, fc.Body.OBJECT))
        self.checker.set_scene(None)
        with self.assertRaises(fc.InputError):  # nothing is left to check
            self.checker.check([0], [1])

    def test_scene_of_edit_is_a_copy(self) -> None:
        with self.checker.edit() as kept:
            kept.remove("post")
        kept.add_sphere("post", 0.2, (0, 1, 0))  # after the block: not the checker's
        with self.checker.edit() as scene:
            scene.add_sphere("far", 0.1, (9, 0, 0))
        self.assertTrue(self.checker.check([0], [2]))
        kept.close()
        with self.checker.edit() as scene:
            scene.remove("far")
            for call in (lambda: self.checker.set_scene(None), lambda: self.checker.edit().__enter__()):
                with self.assertRaisesRegex(fc.UsageError, "block of edit"):
                    call()
            scene.add_sphere("other", 0.1, (9, 0, 0))
        self.assertTrue(self.checker.check([0], [2]))

    def test_gaps(self) -> None:
        """What can hide a collision is told by every answer."""
        scene = fc.Scene()
        scene.add_mesh("face", ROOT / "internal" / "geometry" / "mesh" / "testdata" / "morph_at_rest.glb", (9, 0, 0))
        scene.add_sphere("post", 0.2, (0, 1, 0))
        edges = np.array([[[0.0], [0.5]], [[0.0], [0.1]]])
        c = fc.Checker(self.file, scene=scene)
        v = c.check([0], [0.5])
        self.assertEqual(v.status, fc.Status.UNDECIDED)
        self.assertGreater(v.open_gaps, 0)
        self.assertTrue(any(line.startswith("GAP mesh-axes face") for line in c.premises), c.premises)
        profile = c.profile([0], [0.5])
        self.assertEqual(profile.open_gaps, v.open_gaps)
        self.assertIn("incomplete", profile._repr_svg_())
        self.assertNotIn("#2e8b57", profile._repr_svg_())
        self.assertEqual(c.check_batch(edges).open_gaps.tolist(), [v.open_gaps] * 2)
        c = fc.Checker(self.file, scene=scene, accept=["mesh-axes:face", "not-understood:face"])
        v = c.check([0], [0.5])
        self.assertTrue(v)
        self.assertEqual(v.open_gaps, 0)
        self.assertIn(f"resting on {v.accepted_gaps} accepted gaps", str(v))
        batch = c.check_batch(edges)
        for name in ("open_gaps", "accepted_gaps", "assumed_pairs", "proven_pairs", "held_joints", "beyond_limits", "open_meshes"):
            self.assertEqual(getattr(batch, name).tolist(), [getattr(v, name)] * 2, name)
        self.assertGreater(v.accepted_gaps, 0)
        self.assertEqual(c.profile([0], [0.5]).open_gaps, 0)
        self.assertIn("#2e8b57", c.profile([0], [0.5])._repr_svg_())
        more = set(c.premises_of([[0], [2.5]])) - set(c.premises_of([[0], [1]]))
        self.assertEqual([line.split(":")[0] for line in more], ["beyond-limits turn"])

    def test_words_of_contacts(self) -> None:
        """Only what is one is called a first touch."""
        c = self.checker
        self.assertIn("first touch", str(c.check([0], [1.5])))
        near = str(c.check([0], [1.0], fc.Query(clearance=0.3)))
        self.assertIn("mm apart", near)
        self.assertNotIn("touch", near)
        for end in (1.5, 2.0):
            v = c.check([0], [end], fc.Query(fc.Question.IS_FREE))
            assert v.toc is not None
            self.assertEqual("first" in str(v), v.toc.upper - v.toc.lower <= 1e-5)

    def test_masked_arrays(self) -> None:
        """A mask says that a number does not count, and no check could leave it out."""
        q = np.ma.array([0.5], mask=[True])
        edges = np.ma.array(np.zeros((1, 2, 1)), mask=True)
        for call in (lambda: self.checker.check(q, [0]), lambda: self.checker.check([0], q), lambda: self.checker.check_path([[0], q]), lambda: self.checker.check_batch(edges),
                     lambda: self.checker.check_batch([[q, q]]), lambda: self.checker.distance(q), lambda: fc.Scene().add_box("b", np.ma.array([1, 1, 1], mask=True)),
                     lambda: fc.Scene().add_mesh("m", vertices=np.eye(3), triangles=np.ma.array([[0, 1, 2]], mask=True))):  # fmt: skip
            with self.assertRaisesRegex(TypeError, "masked"):
                call()

    def test_bad_objects(self) -> None:
        scene = fc.Scene()
        for call in (
            lambda: scene.add_box("b", (1, 1)),
            lambda: scene.add_box("b", (1, 1, math.nan)),
            lambda: scene.add_box("b", (1, 1, -1)),
            lambda: scene.add_box("b\0", (1, 1, 1)),
            lambda: scene.add_sphere("", 1),
            lambda: scene.add_sphere("s", 1, (0, 0)),
            lambda: scene.add_cylinder("c", 1, 1, orientation=(0, 0, 0, math.nan)),
            lambda: scene.add_mesh("m"),
            lambda: scene.add_mesh("m", "nowhere.stl"),
            lambda: scene.add_mesh("m", vertices=[(0, 0, 0)], triangles=[(0, 1, 2)]),
            lambda: scene.add_mesh("m", vertices=[(0, 0, 0)], triangles=np.zeros((0, 3), int)),
            lambda: scene.add_mesh("m", vertices=np.zeros((3, 2)), triangles=[(0, 1, 2)]),
            lambda: scene.add_points("p", np.zeros((0, 3)), 0.1),
            lambda: scene.remove("nothing"),
        ):
            with self.subTest(call.__code__.co_firstlineno), self.assertRaises(ValueError):
                call()
        for call in (
            lambda: scene.add_mesh("m", vertices=np.zeros((3, 3)), triangles=[(0.0, 1.0, 2.0)]),
            lambda: scene.add_sphere("s", "1"),  # type: ignore[arg-type]
            lambda: scene.add_sphere(3, 1),  # type: ignore[arg-type]
            lambda: scene.add_sphere("s", 1, touch_links="bar"),
        ):
            with self.assertRaises(TypeError):
                call()
        scene.close()
        scene.close()
        with self.assertRaises(fc.ClosedError):
            scene.add_sphere("s", 1)
        with self.assertRaises(fc.ClosedError):
            self.checker.set_scene(scene)


class Misuse(unittest.TestCase):
    checker: fc.Checker

    @classmethod
    def setUpClass(cls) -> None:
        cls.checker = humanoid()

    def test_shapes(self) -> None:
        c = self.checker
        for bad in (0.0, [0.0], [0.0] * 3, [[0.0, 0.0]], np.zeros((2, 1)), np.zeros(0), [[0.0], [0.0, 1.0]], np.zeros((2, 2))):
            for call in (lambda: c.check(bad, REST), lambda: c.check(REST, bad), lambda: c.check_state(bad), lambda: c.distance(bad), lambda: c.profile(bad, REST)):
                with self.assertRaisesRegex(fc.UsageError, "right_shoulder_pitch, right_elbow"):
                    call()
        for bad in (np.zeros((3, 2)), np.zeros((3, 2, 3)), np.zeros((3, 3, 2)), np.zeros((2, 2, 2, 2)), 1.0):
            with self.assertRaises(fc.UsageError):
                c.check_batch(bad)
        for bad in (np.zeros((0, 2)), np.zeros(2), np.zeros((2, 3))):
            with self.assertRaises(fc.Error):
                c.check_path(bad)

    def test_types(self) -> None:
        c = self.checker
        for bad in (["a", "b"], [None, None], np.zeros(2, complex), np.zeros(2, bool), np.zeros(2, object), {"right_elbow": 1.0}, None, "ab", b"ab" * 8):
            with self.assertRaises((TypeError, fc.UsageError)):
                c.check(bad, REST)  # type: ignore[arg-type]
        with self.assertRaises(TypeError):
            c.check_batch(np.zeros((1, 2, 2), complex))
        with self.assertRaises(TypeError):
            c.check(REST, FREE, "is it free?")  # type: ignore[arg-type]
        with self.assertRaises(TypeError):
            fc.Query("is_free")  # type: ignore[arg-type]
        with self.assertRaises(TypeError):
            fc.Query(clearance="1")  # type: ignore[arg-type]

    def test_numbers(self) -> None:
        c = self.checker
        for bad in (math.nan, math.inf, -math.inf, 1e300):
            q = np.array([0, bad])
            edges = np.zeros((9000, 2, 2))
            edges[8000, 1] = q
            for call in (lambda: c.check(REST, q), lambda: c.check(q.tolist(), REST), lambda: c.check_state(q), lambda: c.distance(q),
                         lambda: c.check_path([REST, q]), lambda: c.check_batch(edges), lambda: c.profile(REST, q)):  # fmt: skip
                with self.assertRaises(fc.InputError):
                    call()
        with self.assertRaisesRegex(fc.InputError, r"\[8000, 1\].*right_elbow"):
            edges[8000, 1, 1] = math.nan
            c.check_batch(edges)
        for query in (fc.Query(clearance=math.nan), fc.Query(clearance=-1), fc.Query(budget=-1), fc.Query(budget=math.inf), fc.Query(robot=False, world=False)):
            with self.assertRaises(fc.Error):
                c.check(REST, FREE, query)
        with self.assertRaises(fc.Error):
            c.check_batch(np.zeros((1, 2, 2)), workers=-1)

    def test_files(self) -> None:
        for options, says in (
            ({"srdf": "nowhere.srdf"}, "nowhere.srdf"),
            ({"scene": "nowhere.yaml"}, "nowhere.yaml"),
            ({"joints": ["elbow"]}, "elbow"),
            ({"joints": None, "group": "legs and arms"}, "legs and arms"),
            ({"state": {"knee of glass": 1.0}}, "knee of glass"),
            ({"allowed": [("torso", "tail")]}, "tail"),
            ({"accept": ["everything"]}, "everything"),
            ({"padding": -1.0}, "padding"),
        ):
            with self.assertRaisesRegex(fc.Error, says):
                humanoid(**options)
        with self.assertRaisesRegex(fc.InputError, "nowhere.urdf"):
            fc.Checker("nowhere.urdf")
        with self.assertRaisesRegex(fc.UsageError, "joints and group"):
            humanoid(group="right_arm")
        for empty in ({"joints": []}, {"group": ""}, {"srdf": ""}):  # of a variable that was not set
            with self.assertRaisesRegex(fc.UsageError, "empty"):
                fc.Checker(HUMANOID / "humanoid.urdf", **empty)  # type: ignore[arg-type]
        for options in ({"joints": "right_elbow"}, {"allowed": ["torso"]}, {"scene": 3}, {"accept": "start"}):
            with self.assertRaises(TypeError):
                humanoid(**options)

    def test_closed(self) -> None:
        with humanoid() as c:
            c.check(REST, FREE)
        c.close()
        for call in (lambda: c.check(REST, FREE), lambda: c.check_batch(np.zeros((1, 2, 2))), lambda: c.distance(REST), lambda: c.profile(REST, FREE),
                     lambda: c.premises, lambda: c.set_scene(None), lambda: c.load_scene(HUMANOID / "obstacles.yaml")):  # fmt: skip
            with self.assertRaises(fc.ClosedError):
                call()
        self.assertIn("closed", repr(c))

    def test_copies(self) -> None:
        for wrong in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "process"):
                wrong(self.checker)

    def test_forked(self) -> None:
        def child(out: object) -> None:
            try:
                self.checker.check(REST, FREE)
            except fc.ForkedError as err:
                out.put(str(err))  # type: ignore[attr-defined]
            except BaseException as err:
                out.put(repr(err))  # type: ignore[attr-defined]

        context = multiprocessing.get_context("fork")
        out = context.SimpleQueue()
        process = context.Process(target=child, args=(out,))
        process.start()
        self.assertIn("forked", out.get())
        process.join()

    def test_no_library(self) -> None:
        for name, says in (("/nowhere.so", "make library"), (ctypes.util.find_library("c") or "libc.so.6", "make library")):
            got = subprocess.run(
                [sys.executable, "-c", "import firstcontact"],
                env={**os.environ, "FIRSTCONTACT_LIBRARY": name, "PYTHONPATH": str(ROOT / "python")},
                capture_output=True,
                text=True,
            )
            self.assertIn(says, got.stderr)
            self.assertIn("LibraryError", got.stderr)


class Humanoid(unittest.TestCase):
    def test_joints(self) -> None:
        c = humanoid(joints=None)
        self.assertEqual(len(c.joints), 30)
        elbow = next(j for j in c.joints if j.name == "right_elbow")
        self.assertEqual((elbow.type, elbow.lower, elbow.upper), (fc.JointType.REVOLUTE, -2.3, 0.0))
        base = np.zeros(30)
        q = c.configuration({"right_elbow": -1}, base)
        self.assertEqual(q[c.joints.index(elbow)], -1)
        self.assertFalse(base.any())
        with self.assertRaisesRegex(fc.InputError, "tail"):
            c.configuration({"tail": 1}, base)
        with self.assertRaisesRegex(fc.InputError, "waist_yaw"):
            c.configuration({"right_elbow": -1})
        self.assertTrue(any("left-out" in line for line in c.premises))

    def test_recorded_motion(self) -> None:
        """The motion of the README: the right hand touches the torso at 7.301030 s."""
        rows = np.genfromtxt(HUMANOID / "wave.csv", delimiter=",", names=True)
        names = [n for n in rows.dtype.names or () if n != "time"]
        c = humanoid(joints=names)
        v = c.check_path(np.column_stack([rows[n] for n in names]), rows["time"])
        assert v.toc is not None and v.contact is not None
        self.assertAlmostEqual(v.toc.upper, 7.301030, places=5)
        self.assertEqual((v.contact.a, v.contact.b, v.piece), ("torso", "right_hand", 438))
        self.assertIn("torso and right_hand", str(v))
        self.assertIn("<svg", v._repr_html_())

    def test_undecided(self) -> None:
        v = humanoid().check(REST, TOUCH, fc.Query(budget=1e-9))
        self.assertEqual(v.status, fc.Status.UNDECIDED)
        self.assertFalse(v)
        self.assertTrue(v.reason)
        self.assertIn("UNDECIDED", str(v))

    def test_eight_threads(self) -> None:
        c = humanoid()
        edges = np.random.default_rng(3).uniform(-1.5, 0, (100, 2, 2))
        want = c.check_batch(edges).status
        wrong: list[object] = []
        done = threading.Event()

        def ask() -> None:
            try:
                for i in range(len(edges)):
                    if c.check(edges[i, 0], edges[i, 1]).status.value != want[i]:
                        wrong.append(i)
                    if i % 50 == 0 and not (c.check_batch(edges[:50]).status == want[:50]).all():
                        wrong.append("batch")
                    if i % 20 == 0:
                        try:
                            c.check([math.nan, 0], REST)
                            wrong.append("NaN")
                        except fc.InputError:
                            pass
            except BaseException as err:
                wrong.append(err)

        def edit() -> None:
            number = 0
            while not done.is_set():
                number += 1
                with c.edit() as scene:
                    scene.add_sphere("far", 0.1, (50 + number % 2, 0, 0))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        editor = threading.Thread(target=edit)
        for t in (*threads, editor):
            t.start()
        for t in threads:
            t.join()
        done.set()
        editor.join()
        self.assertEqual(wrong, [])

    def test_closed_while_asked(self) -> None:
        c = humanoid()
        ended: list[BaseException] = []

        def ask() -> None:
            try:
                while True:
                    c.check(REST, FREE)
            except BaseException as err:
                ended.append(err)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for t in threads:
            t.start()
        c.check_batch(np.zeros((1000, 2, 2)))
        c.close()
        for t in threads:
            t.join()
        self.assertEqual({type(err) for err in ended}, {fc.ClosedError})

    def test_batch_is_in_one_scene(self) -> None:
        """A batch of several parts ends in the scene in which it began, whoever edits or closes the checker meanwhile."""
        c = humanoid()
        edges = np.broadcast_to([REST, TOUCH], (20000, 2, 2))
        began, stop = threading.Event(), threading.Event()

        def edit() -> None:
            began.set()
            while not stop.is_set():
                c.set_scene(far)
                c.set_scene(near)

        near, far = c.load_scene(HUMANOID / "obstacles.yaml"), fc.Scene()
        far.add_sphere("far", 0.1, (9, 0, 0))
        self.assertTrue(humanoid(scene=far).check(*edges[0]))
        self.assertEqual(c.check(*edges[0]).status, fc.Status.CONTACT)
        editor = threading.Thread(target=edit)
        editor.start()
        began.wait()
        for _ in range(3):
            self.assertEqual(len(np.unique(c.check_batch(edges, fc.Query(fc.Question.IS_FREE)).status)), 1)
        stop.set()
        editor.join()
        self.assertEqual(c.check(*edges[0]).status, fc.Status.CONTACT)
        closer = threading.Timer(0.05, c.close)
        closer.start()
        try:
            self.assertEqual((c.check_batch(edges).status == 2).sum(), len(edges))
            closer.join()
        except fc.ClosedError:  # before it began
            pass

    def test_other_threads_run(self) -> None:
        """The GIL is free during a call."""
        c = humanoid()
        counted = 0
        done = threading.Event()

        def count() -> None:
            nonlocal counted
            while not done.is_set():
                counted += 1

        sys.setswitchinterval(1)  # so that only a call that frees the GIL lets the other thread run
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval() if sys.getswitchinterval() < 1 else 0.005)
        thread = threading.Thread(target=count, daemon=True)
        c.check_batch(np.zeros((10, 2, 2)))
        thread.start()
        before = counted
        c.check_batch(np.random.default_rng(4).uniform(-1, 0, (2000, 2, 2)))
        self.assertGreater(counted, before)
        done.set()
        thread.join()

    def test_memory(self) -> None:
        """Memory does not grow: 10,000 calls, a million with FIRSTCONTACT_LONG=100."""
        c = humanoid()

        def some(n: int) -> None:
            for i in range(n):
                c.check(REST, FREE)
                if i % 10 == 0:
                    c.distance(REST)
                if i % 100 == 0:
                    c.check_batch(np.zeros((10, 2, 2)))
                    fc.Scene().copy()
                    try:
                        c.check([math.nan, 1], REST)
                    except fc.InputError:
                        pass
                if i % 5000 == 0:
                    with humanoid() as other, other.edit() as scene:
                        scene.add_sphere("s", 0.1, (9, 9, 9))

        some(5000)
        gc.collect()
        before = resident()
        some(10000 * LONG)
        gc.collect()
        grown = resident() - before
        print(f"memory grew by {grown / 1e6:.1f} MB to {resident() / 1e6:.1f} MB in {10000 * LONG} calls")
        self.assertLess(grown, 24e6)


class Layout(unittest.TestCase):
    def test_structures_are_those_of_the_header(self) -> None:
        compiler = shutil.which("gcc")
        header = ROOT / "capi" / "include"
        if compiler is None or not header.exists():
            self.skipTest("gcc or the header is not there")
        wanted, lines = [], []
        for structure, name in (
            (_library.Joint, "fc_joint"), (_library.Object, "fc_object"), (_library.Options, "fc_options"), (_library.Query, "fc_query"),
            (_library.Witness, "fc_witness"), (_library.Verdict, "fc_verdict"), (_library.Batch, "fc_batch"),
            (_library.Distances, "fc_distances"), (_library.Span, "fc_span"),
        ):  # fmt: skip
            wanted.append(f"{name} {ctypes.sizeof(structure)}")
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            for field, *_ in structure._fields_:  # type: ignore[misc]
                wanted.append(f"{name}.{field} {getattr(structure, field).offset}")
                lines.append(f'printf("{name}.{field} %zu\\n", offsetof({name}, {field}));')
        with tempfile.TemporaryDirectory() as folder:
            source, program = Path(folder) / "layout.c", Path(folder) / "layout"
            source.write_text('#include <stdio.h>\n#include "firstcontact.h"\nint main(void) {\n' + "\n".join(lines) + "\n}\n")
            subprocess.run([compiler, "-I", header, "-o", program, source], check=True)
            got = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual(got, wanted)
        text = (header / "firstcontact.h").read_text()
        self.assertIn(f"#define FC_ABI {_library.ABI}\n", text)
        functions = set(re.findall(r"^(?:int|const char \*|fc_\w+ \*)\s*(fc_\w+)\(", text, re.MULTILINE))
        self.assertEqual(functions - set(_library._FUNCTIONS), set())


if __name__ == "__main__":
    unittest.main()
