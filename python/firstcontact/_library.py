"""The C library: where it is found, its structures and its functions (firstcontact.h)."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, Structure, c_char, c_char_p, c_double, c_int, c_int32, c_size_t, c_void_p
from pathlib import Path
from typing import Any, NoReturn, Optional, Sequence, Union

from .errors import BY_CODE, InternalError, LibraryError

ABI = 1
NAME = 128
TEXT = 512
FILE = "libfirstcontact.so"
VARIABLE = "FIRSTCONTACT_LIBRARY"


class Joint(Structure):
    _fields_ = [
        ("name", c_char * NAME),
        ("type", c_int32),
        ("bounded", c_int32),
        ("lower", c_double),
        ("upper", c_double),
        ("velocity", c_double),
    ]


class Object(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("id", c_char_p),
        ("shape", c_int32),
        ("reserved", c_int32),
        ("pose", c_double * 7),
        ("dimensions", c_double * 3),
        ("vertices", c_void_p),
        ("n_vertices", c_size_t),
        ("triangles", c_void_p),
        ("n_triangles", c_size_t),
        ("file", c_char_p),
        ("scale", c_double),
        ("padding", c_double),
        ("attached_to", c_char_p),
        ("touch_links", c_void_p),
    ]


class Options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("joints", c_void_p),
        ("group", c_char_p),
        ("state_joints", c_void_p),
        ("state_positions", c_void_p),
        ("allowed", c_void_p),
        ("accept", c_void_p),
        ("padding", c_double),
        ("padded_links", c_void_p),
        ("link_paddings", c_void_p),
        ("cache", c_char_p),
        ("prove_defaults", c_int32),
        ("reserved", c_int32),
    ]


class Query(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("question", c_int32),
        ("no_self", c_int32),
        ("no_world", c_int32),
        ("keep_turns", c_int32),
        ("clearance", c_double),
        ("tolerance", c_double),
        ("time_tolerance", c_double),
        ("clearance_tolerance", c_double),
        ("budget", c_double),
    ]


class Witness(Structure):
    _fields_ = [
        ("a", c_char * NAME),
        ("b", c_char * NAME),
        ("kind_a", c_int32),
        ("kind_b", c_int32),
        ("time", c_double),
        ("point_a", c_double * 3),
        ("point_b", c_double * 3),
        ("normal", c_double * 3),
        ("distance", c_double),
    ]


class Verdict(Structure):
    _fields_ = [
        ("status", c_int32),
        ("piece", c_int32),
        ("toc_lo", c_double),
        ("toc_hi", c_double),
        ("proven_until", c_double),
        ("contact", Witness),
        ("clearance_known", c_int32),
        ("open_gaps", c_int32),
        ("clearance_lo", c_double),
        ("clearance_hi", c_double),
        ("closest", Witness),
        ("accepted_gaps", c_int32),
        ("assumed_pairs", c_int32),
        ("proven_pairs", c_int32),
        ("held_joints", c_int32),
        ("beyond_limits", c_int32),
        ("open_meshes", c_int32),
        ("compute", c_double),
        ("reason", c_char * TEXT),
    ]


class Batch(Structure):
    _fields_ = [("size", c_size_t), ("workers", c_int32), ("stop_at_contact", c_int32)]


class Distances(Structure):
    _fields_ = [
        ("lower", c_double),
        ("upper", c_double),
        ("self_lower", c_double),
        ("self_upper", c_double),
        ("world_lower", c_double),
        ("world_upper", c_double),
        ("closest", Witness),
        ("open_gaps", c_int32),
        ("assumed_pairs", c_int32),
    ]


class Span(Structure):
    _fields_ = [
        ("start", c_double),
        ("end", c_double),
        ("lower", c_double * 2),
        ("upper", c_double * 2),
        ("unknown", c_int32),
        ("open_gaps", c_int32),
    ]


# Handles and addresses of numbers are passed as integers.
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "fc_abi": (c_int, []),
    "fc_version": (c_char_p, []),
    "fc_error": (c_char_p, []),
    "fc_error_code": (c_int, []),
    "fc_robot_load": (c_void_p, [c_char_p, c_char_p, c_void_p]),
    "fc_robot_parse": (c_void_p, [c_char_p, c_char_p, c_char_p, c_void_p]),
    "fc_robot_free": (c_int, [c_void_p]),
    "fc_scene_new": (c_void_p, []),
    "fc_scene_load": (c_void_p, [c_char_p, c_void_p]),
    "fc_scene_parse": (c_void_p, [c_char_p, c_char_p, c_void_p]),
    "fc_scene_put": (c_int, [c_void_p, POINTER(Object)]),
    "fc_scene_remove": (c_int, [c_void_p, c_char_p]),
    "fc_scene_allow": (c_int, [c_void_p, c_char_p, c_char_p]),
    "fc_scene_copy": (c_void_p, [c_void_p]),
    "fc_scene_free": (c_int, [c_void_p]),
    "fc_checker_new": (c_void_p, [c_void_p, c_void_p, POINTER(Options)]),
    "fc_checker_set_scene": (c_int, [c_void_p, c_void_p]),
    "fc_checker_dimension": (c_int, [c_void_p, POINTER(c_size_t)]),
    "fc_checker_joint": (c_int, [c_void_p, c_size_t, POINTER(Joint)]),
    "fc_checker_premises": (c_int, [c_void_p, c_char_p, c_size_t, POINTER(c_size_t)]),
    "fc_checker_copy": (c_void_p, [c_void_p]),
    "fc_checker_free": (c_int, [c_void_p]),
    "fc_check": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p]),
    "fc_check_state": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p]),
    "fc_check_path": (c_int, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, c_void_p, c_void_p]),
    "fc_path_premises": (c_int, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, c_void_p, c_char_p, c_size_t, POINTER(c_size_t)]),
    "fc_check_all": (c_int, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p, POINTER(Batch), c_void_p]),
    "fc_distance": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_void_p]),
    "fc_profile": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p, c_size_t, POINTER(c_size_t)]),
}


def _candidates() -> list[str]:
    """Where the library may be, the first that exists first."""
    named = os.environ.get(VARIABLE)
    if named:
        return [named]
    here = Path(__file__).resolve().parent
    beside = [here / FILE, here.parents[1] / "bin" / FILE]  # in a wheel, and in a checkout
    return [str(path) for path in beside if path.exists()] + [f"{FILE}.{ABI}"]


def _load() -> ctypes.CDLL:
    path = _candidates()[0]
    try:
        library = ctypes.CDLL(path)
        abi = int(library.fc_abi())
    except (OSError, AttributeError) as err:
        raise LibraryError(
            f"{err}: the library of firstcontact was not found or is not one; build it with 'make library' "
            f"and name the file in the environment variable {VARIABLE}"
        ) from err
    if abi != ABI:
        raise LibraryError(f"{path} has version {abi} of the binary interface, and this package needs {ABI}: install both from one source")
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


lib = _load()


def unconverted(name: str) -> Any:
    """Returns a function that takes ctypes objects, bytes and None as they are, in a third of a microsecond less than one that
    knows its arguments: integers have to be given as objects of their type."""
    return lib._FuncPtr((name, lib))


def fail(code: int) -> NoReturn:
    """Raises the error of the call of this thread that failed just now."""
    text = lib.fc_error().decode("utf-8", "replace")
    raise BY_CODE.get(code, InternalError)(text)


def check(code: int) -> None:
    """Raises the error of a call's code unless that is FC_OK."""
    if code:
        fail(code)


def handle(number: Optional[int]) -> int:
    """Returns the handle that a call made, and raises its error if there is none."""
    if not number:
        fail(lib.fc_error_code())
    return number


def text(what: str, value: Union[str, os.PathLike[str]]) -> bytes:
    """Returns a text or a path as the library takes it."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{what} is {value!r}: give a text or a path")
    out = os.fspath(value)
    if not isinstance(out, str):
        raise TypeError(f"{what} is {value!r}: give a text or a path of text")
    if "\0" in out:
        raise ValueError(f"{what} is {out!r}, which has a NUL in it")
    return os.fsencode(out)


def strings(what: str, values: Optional[Sequence[str]]) -> Any:
    """Returns an array of C strings that ends with NULL, or None where there are none."""
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{what} is the text {values!r}: give a list of texts")
    if not values:
        return None
    items = [text(what, value) for value in values]
    return (c_char_p * (len(items) + 1))(*items, None)


def address(array: Any) -> Optional[int]:
    """Returns the address of a ctypes array, None for none."""
    return None if array is None else ctypes.addressof(array)


def decode(raw: bytes) -> str:
    """Returns the text of a C array of char."""
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace")
