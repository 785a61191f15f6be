"""Scenes: obstacles, and objects that links carry."""

from __future__ import annotations

import os
import weakref
from ctypes import byref, sizeof
from types import TracebackType
from typing import Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _library
from ._library import lib
from .errors import ClosedError, UsageError

Path = Union[str, "os.PathLike[str]"]

_BOX, _SPHERE, _CYLINDER, _CONE, _CAPSULE, _MESH, _POINTS = range(1, 8)


def numbers(what: str, values: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Returns real numbers as a contiguous array of its own; -1 in shape is any length."""
    unmasked(what, values)
    try:
        given = np.asarray(values)
    except ValueError as err:
        raise UsageError(f"{what} is no array: {err}") from err
    if given.dtype.kind not in "fiu":
        raise TypeError(f"{what} has elements of type {given.dtype}: give real numbers")
    if given.ndim != len(shape) or any(want not in (-1, got) for want, got in zip(shape, given.shape)):
        raise UsageError(f"{what} has the shape {given.shape}: give {str(shape).replace('-1', 'n')}")
    return np.array(given, np.float64, order="C")


def unmasked(what: str, values: object) -> None:
    """Refuses masked arrays, of which NumPy would take the numbers and drop the mask."""
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"{what} is a masked array: give an array in which every number counts")
    if isinstance(values, (list, tuple)):
        for value in values:
            if isinstance(value, (list, tuple, np.ma.MaskedArray)):
                unmasked(f"{what}, an element of which", value)


class Scene:
    """What surrounds a robot. Poses are in the scene's frame: that of the robot's root link unless a file names another.

    Edits do not reach a checker by themselves: pass the scene to Checker.set_scene, or edit with Checker.edit. An object
    replaces one of the same name. With attached_to, a link carries the object, its pose is in that link's frame, and it may
    touch that link and touch_links.
    """

    def __init__(self) -> None:
        """Makes an empty scene. Checker.load_scene reads one from a file."""
        self._own(_library.handle(lib.fc_scene_new()))

    @classmethod
    def _of(cls, number: int) -> Scene:
        scene = cls.__new__(cls)
        scene._own(number)
        return scene

    def _own(self, number: int) -> None:
        self._number = number
        self._free = weakref.finalize(self, lib.fc_scene_free, number)

    @property
    def _handle(self) -> int:
        if not self._free.alive:
            raise ClosedError("the scene is closed: make a new one")
        return self._number

    def close(self) -> None:
        """Gives the memory back now rather than with the last reference. A closed scene is an error to use."""
        self._free()

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], err: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def copy(self) -> Scene:
        """Returns a scene of its own with the same content."""
        return Scene._of(_library.handle(lib.fc_scene_copy(self._handle)))

    def add_box(self, id: str, size: ArrayLike, position: ArrayLike = (0, 0, 0), orientation: ArrayLike = (0, 0, 0, 1), *,
                padding: float = 0.0, attached_to: Optional[str] = None, touch_links: Sequence[str] = ()) -> None:  # fmt: skip
        """Adds a box of full side lengths size (x, y, z in m). orientation is a quaternion x, y, z, w."""
        self._put(id, _BOX, numbers("size", size, (3,)), position, orientation, padding, attached_to, touch_links)

    def add_sphere(self, id: str, radius: float, position: ArrayLike = (0, 0, 0), *,
                   padding: float = 0.0, attached_to: Optional[str] = None, touch_links: Sequence[str] = ()) -> None:  # fmt: skip
        """Adds a ball."""
        self._put(id, _SPHERE, (radius,), position, (0, 0, 0, 1), padding, attached_to, touch_links)

    def add_cylinder(self, id: str, radius: float, length: float, position: ArrayLike = (0, 0, 0), orientation: ArrayLike = (0, 0, 0, 1), *,
                     padding: float = 0.0, attached_to: Optional[str] = None, touch_links: Sequence[str] = ()) -> None:  # fmt: skip
        """Adds a cylinder along z, its middle at position."""
        self._put(id, _CYLINDER, (radius, length), position, orientation, padding, attached_to, touch_links)

    def add_cone(self, id: str, radius: float, length: float, position: ArrayLike = (0, 0, 0), orientation: ArrayLike = (0, 0, 0, 1), *,
                 padding: float = 0.0, attached_to: Optional[str] = None, touch_links: Sequence[str] = ()) -> None:  # fmt: skip
        """Adds a cone along z with the base of that radius at -length/2 and the tip at +length/2."""
        self._put(id, _CONE, (radius, length), position, orientation, padding, attached_to, touch_links)

    def add_capsule(self, id: str, radius: float, length: float, position: ArrayLike = (0, 0, 0), orientation: ArrayLike = (0, 0, 0, 1), *,
                    padding: float = 0.0, attached_to: Optional[str] = None, touch_links: Sequence[str] = ()) -> None:  # fmt: skip
        """Adds a capsule along z; length is that of its axis, beyond which the caps stand."""
        self._put(id, _CAPSULE, (radius, length), position, orientation, padding, attached_to, touch_links)

    def add_mesh(self, id: str, file: Optional[Path] = None, position: ArrayLike = (0, 0, 0), orientation: ArrayLike = (0, 0, 0, 1), *,
                 vertices: Optional[ArrayLike] = None, triangles: Optional[ArrayLike] = None, scale: float = 1.0,
                 padding: float = 0.0, attached_to: Optional[str] = None, touch_links: Sequence[str] = ()) -> None:  # fmt: skip
        """Adds a mesh of a file (STL, OBJ, COLLADA, glTF, PLY) times scale, or of vertices (n, 3) and triangles (m, 3)."""
        if (file is None) == (vertices is None) or (vertices is None) != (triangles is None):
            raise UsageError(f"mesh {id}: give a file, or vertices and triangles")
        o = self._object(id, _MESH, (), position, orientation, padding, attached_to, touch_links)
        if file is not None:
            o.file, o.scale = _library.text("file", file), scale
            _library.check(lib.fc_scene_put(self._handle, byref(o)))
            return
        assert vertices is not None and triangles is not None
        points = numbers("vertices", vertices, (-1, 3)) * scale
        unmasked("triangles", triangles)
        corners = np.asarray(triangles)
        if corners.dtype.kind not in "iu":
            raise TypeError(f"triangles has elements of type {corners.dtype}: give indices of vertices")
        if corners.ndim != 2 or corners.shape[1] != 3:
            raise UsageError(f"triangles has the shape {corners.shape}: give (n, 3)")
        if corners.size and not (corners.min() >= 0 and corners.max() < len(points)):
            raise UsageError(f"triangles has indices from {corners.min()} to {corners.max()}, and there are {len(points)} vertices")
        corners = np.ascontiguousarray(corners, np.int32)
        o.vertices, o.n_vertices = points.ctypes.data, len(points)
        o.triangles, o.n_triangles = corners.ctypes.data, len(corners)
        _library.check(lib.fc_scene_put(self._handle, byref(o)))

    def add_points(self, id: str, points: ArrayLike, radius: float, position: ArrayLike = (0, 0, 0), orientation: ArrayLike = (0, 0, 0, 1), *,
                   padding: float = 0.0, attached_to: Optional[str] = None, touch_links: Sequence[str] = ()) -> None:  # fmt: skip
        """Adds a point cloud: a ball of that radius around each of points (n, 3)."""
        o = self._object(id, _POINTS, (radius,), position, orientation, padding, attached_to, touch_links)
        cloud = numbers("points", points, (-1, 3))
        o.vertices, o.n_vertices = cloud.ctypes.data, len(cloud)
        _library.check(lib.fc_scene_put(self._handle, byref(o)))

    def remove(self, id: str) -> None:
        """Takes an object away. A name that the scene does not have is an error."""
        _library.check(lib.fc_scene_remove(self._handle, _library.text("id", id)))

    def allow(self, a: str, b: str) -> None:
        """Adds a pair of objects or links that may touch: it is not checked."""
        _library.check(lib.fc_scene_allow(self._handle, _library.text("a", a), _library.text("b", b)))

    def _put(self, id: str, shape: int, dimensions: Union[Sequence[float], NDArray[np.float64]], position: ArrayLike, orientation: ArrayLike,
             padding: float, attached_to: Optional[str], touch_links: Sequence[str]) -> None:  # fmt: skip
        o = self._object(id, shape, dimensions, position, orientation, padding, attached_to, touch_links)
        _library.check(lib.fc_scene_put(self._handle, byref(o)))

    def _object(self, id: str, shape: int, dimensions: Union[Sequence[float], NDArray[np.float64]], position: ArrayLike, orientation: ArrayLike,
                padding: float, attached_to: Optional[str], touch_links: Sequence[str]) -> _library.Object:  # fmt: skip
        o = _library.Object(size=sizeof(_library.Object), id=_library.text("id", id), shape=shape, padding=padding)
        o.pose[:3] = numbers("position", position, (3,)).tolist()
        o.pose[3:] = numbers("orientation", orientation, (4,)).tolist()
        for i, d in enumerate(dimensions):
            o.dimensions[i] = d
        if attached_to is not None:
            o.attached_to = _library.text("attached_to", attached_to)
        o.kept = _library.strings("touch_links", touch_links)  # as long as the object
        o.touch_links = _library.address(o.kept)
        return o
