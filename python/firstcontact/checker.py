"""The checker: a robot among obstacles, and questions about its motions."""

from __future__ import annotations

import contextlib
import ctypes
import enum
import os
import threading
import weakref
from ctypes import byref, c_double, c_size_t, create_string_buffer, sizeof
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Callable, Iterator, Mapping, NoReturn, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _library, answers
from ._library import lib
from .answers import BatchVerdict, Distances, Profile, Verdict
from .errors import BY_CODE, ClosedError, InputError, InternalError, UsageError
from .scene import Path, Scene, numbers

PART = 4096
"""Motions of a batch between which signals such as Ctrl-C are looked for."""


class Question(enum.Enum):
    """What is asked about a motion."""

    FIRST_CONTACT = 0
    """A proof that nothing touches, or when and where it first does."""
    IS_FREE = 1
    """Yes or no, in less time: the contact need not be the first."""
    MIN_CLEARANCE = 2
    """FIRST_CONTACT, and how close a free motion comes."""


@dataclass(frozen=True)
class Query:
    """A question with its numbers. Make one and use it often."""

    question: Question = Question.FIRST_CONTACT
    clearance: float = 0.0
    """m, that must be exceeded for a motion to be free."""
    tolerance: float = 0.0
    """m, within which a pair counts as touching; 0 is 1e-6."""
    time_tolerance: float = 0.0
    """s, of the time of contact; 0 is 1e-6."""
    clearance_tolerance: float = 0.0
    """m, of MIN_CLEARANCE, distances and profiles; 0 is 1e-3 (for distances as exact as it gets)."""
    budget: float = 0.0
    """s of computing time for each motion, after which it is UNDECIDED; 0 is none."""
    robot: bool = True
    """Check the robot's own pairs."""
    world: bool = True
    """Check the pairs with the world."""
    keep_turns: bool = False
    """A continuous joint moves through every value between two configurations; else it takes the short way, so from 3.1 to
    -3.1 by 0.083 rad."""

    def __post_init__(self) -> None:
        if not isinstance(self.question, Question):
            raise TypeError(f"question is {self.question!r}: give a Question")
        made = _library.Query(
            size=sizeof(_library.Query),
            question=self.question.value,
            no_self=not self.robot,
            no_world=not self.world,
            keep_turns=bool(self.keep_turns),
            clearance=self.clearance,
            tolerance=self.tolerance,
            time_tolerance=self.time_tolerance,
            clearance_tolerance=self.clearance_tolerance,
            budget=self.budget,
        )
        object.__setattr__(self, "_made", made)
        object.__setattr__(self, "_pointer", ctypes.c_void_p(ctypes.addressof(made)))

    def __reduce__(self) -> tuple[object, ...]:
        f = self
        return Query, (f.question, f.clearance, f.tolerance, f.time_tolerance, f.clearance_tolerance, f.budget, f.robot, f.world, f.keep_turns)


class JointType(enum.Enum):
    """How a joint moves."""

    REVOLUTE = 1
    CONTINUOUS = 2
    """Turns without end, and all that moves with it is back in its place after a turn."""
    PRISMATIC = 3
    OTHER = 4
    """A position of a planar joint."""
    WINDING = 5
    """Turns without end, and turns do not come back: a joint follows it that slides, or turns by a part of its angle."""


@dataclass(frozen=True)
class Joint:
    """A joint of the configurations."""

    name: str
    type: JointType
    lower: Optional[float]
    """rad or m; None where the joint has no limit."""
    upper: Optional[float]
    velocity: float
    """Its limit in rad/s or m/s; 0 if the file gives none."""


_F8 = np.dtype(np.float64)


_Room = tuple[bytearray, ctypes.c_void_p]


def _room() -> _Room:
    """Makes room for a verdict, and its address."""
    memory = bytearray(answers.VERDICT_SIZE)
    return memory, ctypes.c_void_p(ctypes.addressof((ctypes.c_char * len(memory)).from_buffer(memory)))


_fc_check, _verdict, _ndarray = _library.unconverted("fc_check"), answers.verdict, np.ndarray


class Checker:
    """A robot among obstacles. Any number of threads may use one; calls run outside of the GIL.

    A configuration is an array with one position (rad or m) for each joint of Checker.joints, in their order.
    """

    def __init__(
        self,
        urdf: Path,
        *,
        srdf: Optional[Path] = None,
        scene: Union[None, Path, Scene] = None,
        joints: Optional[Sequence[str]] = None,
        group: Optional[str] = None,
        state: Optional[Mapping[str, float]] = None,
        allowed: Sequence[tuple[str, str]] = (),
        accept: Sequence[str] = (),
        padding: float = 0.0,
        link_padding: Optional[Mapping[str, float]] = None,
        packages: Optional[Mapping[str, Path]] = None,
        cache: Optional[Path] = None,
        prove_defaults: bool = False,
    ) -> None:
        """Reads and compiles a robot and its surroundings.

        urdf and srdf are files; the SRDF says which pairs of links are not checked. Without one, neighbours and links that touch
        at the default state are left out. scene is a file (YAML or JSON of firstcontact, MoveIt's .scene, URDF, mesh, OctoMap) or a Scene;
        None checks the robot with itself.

        joints lists the joints of a configuration, in order; group takes those of a planning group of the SRDF; else all
        that move by themselves count. state says where other joints stand (by name).

        allowed are pairs of links or objects that are not checked. accept names gaps that are accepted, as KIND or KIND:NAME
        (Checker.premises lists them). padding (m) is added around every link; link_padding replaces it for the links that it names.
        packages are the folders of package:// addresses, by name. cache is a folder that keeps what is costly to compute
        about meshes. prove_defaults proves quickly which pairs of links never touch, and leaves them out.
        """
        memory: list[object] = []  # that the options refer to

        def strings(what: str, values: Sequence[str]) -> Optional[int]:
            made = _library.strings(what, values)
            memory.append(made)
            return _library.address(made)

        def doubles(what: str, values: Sequence[float]) -> Optional[int]:
            made = (c_double * len(values))(*values)
            memory.append(made)
            return ctypes.addressof(made) if values else None

        if isinstance(joints, (str, bytes)):
            raise TypeError(f"joints is the text {joints!r}: give a list of names")
        if joints is not None and len(joints) == 0:
            raise UsageError("joints is empty: name some, or leave it out for all that move")
        state, link_padding = dict(state or {}), dict(link_padding or {})
        pairs = [name for pair in allowed for name in _pair(pair)]
        options = _library.Options(
            size=sizeof(_library.Options),
            joints=strings("joints", list(joints or ())),
            group=None if group is None else _library.text("group", group),
            state_joints=strings("state", list(state)),
            state_positions=doubles("state", list(state.values())),
            allowed=strings("allowed", pairs),
            accept=strings("accept", accept),
            padding=padding,
            padded_links=strings("link_padding", list(link_padding)),
            link_paddings=doubles("link_padding", list(link_padding.values())),
            cache=None if cache is None else _library.text("cache", cache),
            prove_defaults=bool(prove_defaults),
        )
        folders = _library.strings("packages", [f"{name}={os.fspath(folder)}" for name, folder in dict(packages or {}).items()])
        self._robot = _library.handle(
            lib.fc_robot_load(_library.text("urdf", urdf), None if srdf is None else _library.text("srdf", srdf), _library.address(folders))
        )
        self._free_robot = weakref.finalize(self, lib.fc_robot_free, self._robot)
        if scene is None or isinstance(scene, Scene):
            self._scene = Scene() if scene is None else scene.copy()
        else:
            self._scene = self.load_scene(scene)
        self._handle = _library.handle(lib.fc_checker_new(self._robot, self._scene._handle, byref(options)))
        self._free = weakref.finalize(self, lib.fc_checker_free, self._handle)
        del memory
        self.joints = self._read_joints()
        """The joints of a configuration, in order."""
        self._n = len(self.joints)
        self._shape = (self._n,)
        self._pointer, self._size = ctypes.c_void_p(self._handle), c_size_t(self._n)
        self._rooms: list[_Room] = []  # each call has one of its own
        self._editing = threading.RLock()
        self._edited = False  # by the thread that holds the lock

    def _read_joints(self) -> tuple[Joint, ...]:
        n = c_size_t()
        _library.check(lib.fc_checker_dimension(self._handle, byref(n)))
        out = []
        for i in range(n.value):
            j = _library.Joint()
            _library.check(lib.fc_checker_joint(self._handle, i, byref(j)))
            lower, upper = (j.lower, j.upper) if j.bounded else (None, None)
            out.append(Joint(j.name.decode("utf-8", "replace"), JointType(j.type), lower, upper, j.velocity))
        return tuple(out)

    def close(self) -> None:
        """Gives the memory back now rather than with the last reference. Calls of other threads that have begun end well; a
        closed checker is an error to use."""
        self._handle, self._pointer = 0, ctypes.c_void_p()
        self._free()
        self._free_robot()
        self._scene.close()

    def __enter__(self) -> Checker:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], err: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Checker of {self._n} joints{'' if self._handle else ', closed'}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Checker cannot be copied or sent to another process: make one there")

    # ---- Questions ----

    def check(self, q0: ArrayLike, q1: ArrayLike, query: Optional[Query] = None) -> Verdict:
        """Answers about the straight line in joint space from q0 to q1. Times in the verdict are parts of it, from 0 to 1.

        Joints beyond their limits are counted in the verdict, not refused.
        """
        # This is the shortest way to the library that was measured; the bytes are a copy in C's order.
        if type(q0) is _ndarray and q0.dtype is _F8 and q0.shape == self._shape:
            a = q0.tobytes()
        else:
            a = self._bytes(q0, "q0")
        if type(q1) is _ndarray and q1.dtype is _F8 and q1.shape == self._shape:
            b = q1.tobytes()
        else:
            b = self._bytes(q1, "q1")
        try:
            room = self._rooms.pop()
        except IndexError:
            room = _room()
        code = _fc_check(self._pointer, a, b, self._size, None if query is None else _pointer(query), room[1])
        if code:
            self._fail(code)
        out = _verdict(room[0], 1.0)
        self._rooms.append(room)
        return out

    def check_state(self, q: ArrayLike, query: Optional[Query] = None) -> Verdict:
        """Answers about one configuration."""
        return self._answer(1.0, lib.fc_check_state, self._bytes(q, "q"), self._n, query=query)

    def check_path(self, Q: ArrayLike, t: Optional[ArrayLike] = None, query: Optional[Query] = None) -> Verdict:
        """Answers about straight lines through the configurations Q (n, joints) at the times t (n), which increase from 0;
        None is 0, 1, 2, ..."""
        points = self._configurations("Q", Q, (-1, self._n))
        times = None if t is None else numbers("t", t, (len(points),))
        end = float(len(points) - 1 if times is None else times[-1]) if len(points) else 0.0
        return self._answer(
            end, lib.fc_check_path, points.ctypes.data, len(points), self._n, None if times is None else times.ctypes.data, query=query
        )

    def _answer(self, end: float, call: Any, *arguments: object, query: Optional[Query]) -> Verdict:
        room = _room()
        self._check(call(self._handle, *arguments, None if query is None else _at(query), room[1]))
        return answers.verdict(room[0], end)

    def check_batch(self, edges: ArrayLike, query: Optional[Query] = None, *, workers: int = 0, stop_at_contact: bool = False) -> BatchVerdict:
        """Answers about many straight lines: edges is (n, 2, joints), each with its first and last configuration.

        workers is how many threads share them; 0 is one for each processor. With stop_at_contact motions after the first
        in contact, in their order, stay undecided. Any other edge than an invalid one gets its answer as from check; an
        invalid edge is an error.
        """
        if isinstance(edges, (list, tuple)) and not edges:
            edges = np.empty((0, 2, self._n))
        segments = self._configurations("edges", edges, (-1, 2, self._n), copy=False)
        batch = _library.Batch(size=sizeof(_library.Batch), workers=workers, stop_at_contact=bool(stop_at_contact))
        count, at = len(segments), segments.ctypes.data
        memory = bytearray(answers.VERDICT_SIZE * max(1, min(count, PART)))
        memory_at = ctypes.addressof((ctypes.c_char * len(memory)).from_buffer(memory))
        out = answers.Collector(count)
        question = None if query is None else _at(query)
        with self._held(count) as handle:
            for first in range(0, max(1, count), PART):
                part = min(PART, count - first)
                code = lib.fc_check_all(handle, at + 16 * self._n * first, part, self._n, question, byref(batch), memory_at)
                if code:
                    self._fail(code, f"edges from {first} on: " if first else "")
                out.take(memory, first, part)
                if stop_at_contact and (out.status[first : first + part] == 2).any():
                    contact = first + int(np.flatnonzero(out.status[first : first + part] == 2)[0])
                    out.stop(contact)
                    break
        return out.batch()

    def check_states(self, states: ArrayLike, query: Optional[Query] = None, *, workers: int = 0, stop_at_contact: bool = False) -> BatchVerdict:
        """Answers about many configurations, each at rest: states is (n, joints). Seven of them share a proof.

        All else is as for check_batch.
        """
        if isinstance(states, (list, tuple)) and not states:
            states = np.empty((0, self._n))
        rest = self._configurations("states", states, (-1, self._n), copy=False)
        return self.check_batch(np.repeat(rest[:, None, :], 2, axis=1), query, workers=workers, stop_at_contact=stop_at_contact)

    @contextlib.contextmanager
    def _held(self, count: int) -> Iterator[int]:
        """The checker's handle, for several parts a copy's: so all are in one scene, and another thread may close the checker."""
        if count <= PART:
            yield self._handle
            return
        copy = lib.fc_checker_copy(self._handle)
        if not copy:
            self._fail(lib.fc_error_code())
        try:
            yield copy
        finally:
            lib.fc_checker_free(copy)

    def distance(self, q: ArrayLike, query: Optional[Query] = None) -> Distances:
        """Bounds the smallest distance at one configuration, to within query.clearance_tolerance."""
        d = _library.Distances()
        self._check(lib.fc_distance(self._handle, self._bytes(q, "q"), self._n, None if query is None else _at(query), ctypes.addressof(d)))
        return answers.distances(d)

    def profile(self, q0: ArrayLike, q1: ArrayLike, query: Optional[Query] = None) -> Profile:
        """Bounds the smallest distance over the straight line from q0 to q1, from time 0 to 1, to within
        query.clearance_tolerance. A notebook shows it as a picture."""
        a, b = self._configurations("q0", q0, self._shape), self._configurations("q1", q1, self._shape)
        room, count = 1024, c_size_t()
        while True:
            spans = bytearray(room * sizeof(_library.Span))
            at = ctypes.addressof((ctypes.c_char * len(spans)).from_buffer(spans))
            question = None if query is None else _at(query)
            code = lib.fc_profile(self._handle, a.ctypes.data, b.ctypes.data, self._n, question, at, room, byref(count))
            if code:
                self._fail(code)
            if count.value <= room:
                return answers.profile(spans, count.value)
            room = 2 * count.value

    def configuration(self, positions: Mapping[str, float], base: Optional[ArrayLike] = None) -> NDArray[np.float64]:
        """Makes a configuration of positions by joint name. Joints that are not named stand as in base; without base all have to be named."""
        names = [j.name for j in self.joints]
        unknown = [name for name in positions if name not in names]
        if unknown:
            raise InputError(f"there is no joint {', '.join(map(str, unknown))}: the checker's joints are {', '.join(names)}")
        if base is None:
            missing = [name for name in names if name not in positions]
            if missing:
                raise InputError(f"positions lacks {', '.join(missing)}: name them, or give base")
            base = np.zeros(self._n)
        out = self._configurations("base", base, self._shape)
        for name, x in positions.items():
            out[names.index(name)] = x
        return self._configurations("positions", out, self._shape)

    # ---- Surroundings ----

    @property
    def premises(self) -> list[str]:
        """What every verdict rests on besides its proof: pairs that are left out, links without geometry, gaps. Those that
        begin with GAP keep all motions from being free until they are accepted (accept); premises_of adds those of one motion."""
        return self._lines(lambda *room: lib.fc_checker_premises(self._handle, *room))

    def premises_of(self, Q: ArrayLike, t: Optional[ArrayLike] = None, query: Optional[Query] = None) -> list[str]:
        """What a verdict of check_path about this path rests on, and for two rows one of check: premises, and with them joints
        that a configuration does not list, whole turns that the short way leaves out, half turns, joints beyond limits."""
        points = self._configurations("Q", Q, (-1, self._n))
        times = None if t is None else numbers("t", t, (len(points),))
        path = (points.ctypes.data, len(points), self._n, None if times is None else times.ctypes.data, None if query is None else _at(query))
        return self._lines(lambda *room: lib.fc_path_premises(self._handle, *path, *room))

    def _lines(self, read: Callable[..., int]) -> list[str]:
        """All lines of a text, whose length may change between two calls."""
        needed = c_size_t(1)
        while True:
            room = create_string_buffer(needed.value)
            self._check(read(room, len(room), byref(needed)))
            if needed.value <= len(room):
                return room.value.decode("utf-8", "replace").splitlines()

    def load_scene(self, path: Path) -> Scene:
        """Reads a scene file for this robot; set_scene puts the robot into it."""
        if not self._free_robot.alive:
            raise ClosedError("the checker is closed: make a new one")
        return Scene._of(_library.handle(lib.fc_scene_load(_library.text("scene", path), self._robot)))

    def set_scene(self, scene: Optional[Scene]) -> None:
        """Puts the robot into another scene, in the time of what differs; None is an empty one. Calls that have begun end in
        the scene before. Later edits of scene do not reach the checker."""
        with self._alone():
            self._set_scene(Scene() if scene is None else scene)

    def _set_scene(self, scene: Scene) -> None:
        own = scene.copy()  # the caller may go on editing
        self._check(lib.fc_checker_set_scene(self._handle, own._handle))
        self._scene = own

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Keeps other threads from replacing the scene, and this one within a block of edit."""
        with self._editing:
            if self._edited:
                raise UsageError("the checker's scene is being edited, and this is within the block of edit: end that first")
            self._edited = True
            try:
                yield
            finally:
                self._edited = False

    @contextlib.contextmanager
    def edit(self) -> Iterator[Scene]:
        """Edits the checker's scene. All edits take effect together when the block ends, and none if it fails:

            with checker.edit() as scene:
                scene.add_box("crate", size=(0.3, 0.3, 0.3), position=(0.6, 0, 0.2))
                scene.remove("lamp")
        """
        with self._alone():
            scene = self._scene.copy()
            yield scene
            self._set_scene(scene)

    # ---- Memory and errors ----

    def _bytes(self, q: ArrayLike, what: str) -> bytes:
        return self._configurations(what, q, self._shape).tobytes()

    def _configurations(self, what: str, q: ArrayLike, shape: tuple[int, ...], copy: bool = True) -> NDArray[np.float64]:
        """Returns configurations as a contiguous array; with copy, of its own."""
        if isinstance(q, Mapping):
            raise TypeError(f"{what} is a mapping: Checker.configuration makes an array of it")
        if not copy and type(q) is np.ndarray and q.dtype == _F8 and q.ndim == len(shape) and q.shape[1:] == shape[1:]:
            out = np.ascontiguousarray(q, _F8)
        else:
            try:
                out = numbers(what, q, shape)
            except UsageError as err:
                raise UsageError(f"{err}; a configuration has {self._n} positions: {', '.join(j.name for j in self.joints)}") from None
        if not np.isfinite(out).all():
            where = tuple(int(i) for i in np.argwhere(~np.isfinite(out))[0])
            raise InputError(f"{what}{list(where[:-1]) or ''}: the position of joint {self.joints[where[-1]].name} is {out[where]}: give a finite number")
        return out

    def _check(self, code: int) -> None:
        if code:
            self._fail(code)

    def _fail(self, code: int, where: str = "") -> NoReturn:
        text = lib.fc_error().decode("utf-8", "replace")
        if not self._handle:
            raise ClosedError("the checker is closed: make a new one")
        raise BY_CODE.get(code, InternalError)(where + text)


def _at(query: Query) -> int:
    return _pointer(query).value or 0


def _pointer(query: Query) -> ctypes.c_void_p:
    try:
        at: ctypes.c_void_p = query._pointer  # type: ignore[attr-defined]
    except AttributeError:
        raise TypeError(f"query is {query!r}: give a Query") from None
    return at


def _pair(pair: tuple[str, str]) -> tuple[str, str]:
    if isinstance(pair, str) or len(pair) != 2:
        raise TypeError(f"allowed has {pair!r}: give pairs of names")
    return pair
