"""Answers: verdicts, distances, profiles. Times in seconds, lengths in metres, points in the scene's frame."""

from __future__ import annotations

import ctypes
import enum
from dataclasses import dataclass, field
from struct import Struct
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from . import _library, picture

Floats = NDArray[np.float64]


class Status(enum.Enum):
    """What is proved of a motion."""

    UNDECIDED = 0
    """No proof, which is not free: Verdict.reason says why."""
    FREE = 1
    """Proved: farther apart than the clearance at every time, every point of every link."""
    CONTACT = 2
    """No farther apart than the query's clearance, at 0 in touch, as Verdict.contact shows."""


class Body(enum.Enum):
    """What a body is."""

    LINK = 0
    OBJECT = 1
    ATTACHED = 2


class Bounds(NamedTuple):
    """A number that lies within lower and upper, by proof."""

    lower: float
    upper: float


class Point(NamedTuple):
    """A point or a direction."""

    x: float
    y: float
    z: float


@dataclass(frozen=True, slots=True)
class Witness:
    """Two points of two bodies that show how close these are."""

    a: str
    b: str
    kind_a: Body
    kind_b: Body
    time: float
    """s from the motion's start."""
    point_a: Point
    point_b: Point
    normal: Point
    """From a towards b, of length 1; zero if the bodies overlap too deeply."""
    distance: float
    """m; 0 if the bodies overlap."""


@dataclass(slots=True)  # frozen, it would take a microsecond more to make
class Verdict:
    """The answer about a motion. It is true in a condition only if the motion is proved free."""

    status: Status
    piece: int
    """CONTACT: it touches between the row of this index of a path and the next."""
    toc: Optional[Bounds]
    """CONTACT: at upper it is no farther apart than the clearance, as contact shows; before lower it is nowhere. The two are close
    together where the first contact is asked for, not for Question.IS_FREE."""
    proven_until: float
    """The motion is free before that time, whatever the status."""
    contact: Optional[Witness]
    """CONTACT: what touches, and where."""
    clearance: Optional[Bounds]
    """Of a question for Question.MIN_CLEARANCE: bounds of the smallest distance over the motion."""
    closest: Optional[Witness]
    """Where clearance.upper was found."""
    open_gaps: int
    """Premises that keep the motion from being free until they are accepted (Checker.premises, accept)."""
    accepted_gaps: int
    assumed_pairs: int
    """Pairs left out because SRDF, scene, option or default says so."""
    proven_pairs: int
    """Pairs of links left out because they are proved never to touch."""
    held_joints: int
    """Joints that the configuration does not list; they stay in Checker's state."""
    beyond_limits: int
    """Joints that leave their limits."""
    open_meshes: int
    """Bodies with a mesh that encloses nothing: what is inside them is not noticed."""
    compute: float
    """Seconds of computing time."""
    reason: str
    """UNDECIDED: why."""
    end: float
    """The time at which the motion ends: 1 for the line between two configurations."""

    @property
    def free(self) -> bool:
        """Whether the motion is proved free."""
        return self.status is Status.FREE

    def __bool__(self) -> bool:
        return self.status is Status.FREE

    def __str__(self) -> str:
        return " ".join(picture.words(self))

    def _repr_html_(self) -> str:
        return picture.verdict_html(self)


@dataclass(frozen=True, slots=True)
class Distances:
    """Bounds of the smallest distance at one configuration; infinite where there is no pair."""

    lower: float
    upper: float
    robot: Bounds
    """Of the robot to itself."""
    world: Bounds
    """Of the robot to the world."""
    closest: Optional[Witness]
    """Where upper was found."""
    open_gaps: int
    """Premises that make these the distances of an incomplete model."""
    assumed_pairs: int
    """Pairs left out because SRDF, scene, option or default says so."""


@dataclass(frozen=True, eq=False, slots=True)
class Profile:
    """Bounds of the smallest distance over a motion, by straight lines over spans of time that follow each other."""

    start: Floats
    end: Floats
    lower: Floats
    """(n, 2): m, at start and at end of each span."""
    upper: Floats
    unknown: NDArray[np.bool_]
    """Spans that the budget left out: lower is 0 there and upper infinite."""
    open_gaps: int
    """Premises that make these the distances of an incomplete model (Checker.premises_of)."""

    @property
    def minimum(self) -> Bounds:
        """Bounds of the smallest distance over the motion."""
        return Bounds(float(self.lower.min()), float(self.upper.min(axis=1).min()))

    def at(self, time: float) -> Bounds:
        """Bounds of the smallest distance at a time (s)."""
        if not self.start[0] <= time <= self.end[-1]:
            raise ValueError(f"time is {time}: the profile is from {self.start[0]:g} to {self.end[-1]:g} s")
        i = min(int(np.searchsorted(self.end, time)), len(self.end) - 1)
        part = (time - self.start[i]) / (self.end[i] - self.start[i]) if self.end[i] > self.start[i] else 0.0
        lower, upper = (float(b[0] + part * (b[1] - b[0])) if np.isfinite(b).all() else float(b[0]) for b in (self.lower[i], self.upper[i]))
        return Bounds(lower, upper)

    def _repr_svg_(self) -> str:
        return picture.profile_svg(self)


@dataclass(frozen=True, eq=False, slots=True)
class BatchVerdict:
    """The answers about many motions, one element of each array for each, in their order."""

    status: NDArray[np.int8]
    """The values of Status: 0 undecided, 1 free, 2 contact."""
    toc: Floats
    """(n, 2): bounds of the time of contact; NaN without one."""
    proven_until: Floats
    clearance: Floats
    """(n, 2): bounds of the smallest distance (Question.MIN_CLEARANCE); NaN where it is not known."""
    open_gaps: NDArray[np.int32]
    accepted_gaps: NDArray[np.int32]
    assumed_pairs: NDArray[np.int32]
    proven_pairs: NDArray[np.int32]
    held_joints: NDArray[np.int32]
    beyond_limits: NDArray[np.int32]
    open_meshes: NDArray[np.int32]
    """These seven are counted as in Verdict; 0 where nothing was checked."""
    compute: Floats
    _contacts: dict[int, bytes] = field(repr=False)
    _reasons: dict[int, str] = field(repr=False)

    def __len__(self) -> int:
        return len(self.status)

    def __bool__(self) -> bool:
        raise TypeError("a batch has many answers: ask batch.free.all() or batch.free.any()")

    @property
    def free(self) -> NDArray[np.bool_]:
        """Which motions are proved free."""
        return np.equal(self.status, Status.FREE.value)

    def contact(self, index: int) -> Optional[Witness]:
        """What touches in a motion, None where it is not in contact."""
        raw = self._contacts.get(range(len(self))[index])
        return None if raw is None else witness(_library.Witness.from_buffer_copy(raw))

    def reason(self, index: int) -> str:
        """Why a motion is undecided, else empty."""
        return self._reasons.get(range(len(self))[index], "")

    def __repr__(self) -> str:
        free, contact = int(self.free.sum()), int((self.status == Status.CONTACT.value).sum())
        return f"<BatchVerdict: {free} free, {contact} in contact, {len(self) - free - contact} undecided>"

    def _repr_html_(self) -> str:
        return picture.batch_html(self)


VERDICT_SIZE = ctypes.sizeof(_library.Verdict)
_WITNESS_SIZE = ctypes.sizeof(_library.Witness)
_CONTACT_AT = _library.Verdict.contact.offset
_CLOSEST_AT = _library.Verdict.closest.offset
_SCALARS = Struct(f"=2i3d{_WITNESS_SIZE}x2i2d{_WITNESS_SIZE}x6id{_library.TEXT}x")
assert _SCALARS.size == VERDICT_SIZE

_STATUS = (Status.UNDECIDED, Status.FREE, Status.CONTACT)
_BODY = (Body.LINK, Body.OBJECT, Body.ATTACHED)


def verdict(memory: Any, end: float) -> Verdict:
    """Reads a fc_verdict."""
    (status, piece, lo, hi, until, known, gaps, least, most, accepted, assumed, proven, held, beyond, meshes, compute) = _SCALARS.unpack_from(memory)
    return Verdict(
        _STATUS[status],
        piece,
        Bounds(lo, hi) if status == 2 else None,
        until,
        witness(_library.Witness.from_buffer_copy(memory, _CONTACT_AT)) if status == 2 else None,
        Bounds(least, most) if known else None,
        witness(_library.Witness.from_buffer_copy(memory, _CLOSEST_AT)) if known else None,
        gaps,
        accepted,
        assumed,
        proven,
        held,
        beyond,
        meshes,
        compute,
        "" if status else _library.decode(bytes(memory[-_library.TEXT :])),
        end,
    )


def witness(w: _library.Witness) -> Witness:
    """Reads a fc_witness."""
    return Witness(
        a=w.a.decode("utf-8", "replace"),
        b=w.b.decode("utf-8", "replace"),
        kind_a=_BODY[w.kind_a],
        kind_b=_BODY[w.kind_b],
        time=w.time,
        point_a=Point(*w.point_a),
        point_b=Point(*w.point_b),
        normal=Point(*w.normal),
        distance=w.distance,
    )


def distances(d: _library.Distances) -> Distances:
    """Reads a fc_distances."""
    return Distances(
        lower=d.lower,
        upper=d.upper,
        robot=Bounds(d.self_lower, d.self_upper),
        world=Bounds(d.world_lower, d.world_upper),
        closest=witness(d.closest) if d.closest.a else None,
        open_gaps=d.open_gaps,
        assumed_pairs=d.assumed_pairs,
    )


_SPANS: np.dtype[Any] = np.dtype(_library.Span)
_VERDICTS: np.dtype[Any] = np.dtype(_library.Verdict)
_COUNTS = ("open_gaps", "accepted_gaps", "assumed_pairs", "proven_pairs", "held_joints", "beyond_limits", "open_meshes")


def profile(memory: Any, count: int) -> Profile:
    """Reads the first so many fc_span of an array."""
    spans: NDArray[Any] = np.frombuffer(memory, _SPANS, count)
    return Profile(
        start=spans["start"].copy(),
        end=spans["end"].copy(),
        lower=spans["lower"].copy(),
        upper=spans["upper"].copy(),
        unknown=spans["unknown"] != 0,
        open_gaps=int(spans["open_gaps"].max(initial=0)),
    )


class Collector:
    """Collects the answers of a batch, part by part."""

    def __init__(self, count: int) -> None:
        self.status = np.zeros(count, np.int8)
        self.toc = np.full((count, 2), np.nan)
        self.proven_until = np.zeros(count)
        self.clearance = np.full((count, 2), np.nan)
        self.compute = np.zeros(count)
        self.counts = {name: np.zeros(count, np.int32) for name in _COUNTS}
        self.contacts: dict[int, bytes] = {}
        self.reasons: dict[int, str] = {}

    def take(self, memory: Any, first: int, count: int) -> None:
        """Takes the answers about motions from first on."""
        rows: NDArray[Any] = np.frombuffer(memory, _VERDICTS, count)
        part = slice(first, first + count)
        status = self.status[part] = rows["status"]
        for name in ("proven_until", "compute"):
            getattr(self, name)[part] = rows[name]
        for name, numbers in self.counts.items():
            numbers[part] = rows[name]
        touching = np.flatnonzero(status == 2)
        if len(touching):
            self.toc[first + touching, 0] = rows["toc_lo"][touching]
            self.toc[first + touching, 1] = rows["toc_hi"][touching]
        raw = memoryview(memory)
        for i in touching.tolist():
            at = i * VERDICT_SIZE + _CONTACT_AT
            self.contacts[first + i] = bytes(raw[at : at + _WITNESS_SIZE])
        known = np.flatnonzero(rows["clearance_known"])
        self.clearance[first + known, 0] = rows["clearance_lo"][known]
        self.clearance[first + known, 1] = rows["clearance_hi"][known]
        for i in np.flatnonzero(status == 0).tolist():
            at = (i + 1) * VERDICT_SIZE - _library.TEXT
            self.reasons[first + i] = _library.decode(bytes(raw[at : at + _library.TEXT]))

    def stop(self, contact: int) -> None:
        """Leaves the motions after one in contact undecided."""
        reason = f"not checked: motion {contact} of the batch is in contact"
        self.reasons.update((i, reason) for i in range(contact + 1, len(self.status)))

    def batch(self) -> BatchVerdict:
        """Returns all that was collected."""
        return BatchVerdict(
            status=self.status,
            toc=self.toc,
            proven_until=self.proven_until,
            clearance=self.clearance,
            compute=self.compute,
            _contacts=self.contacts,
            _reasons=self.reasons,
            **self.counts,
        )
