"""What can go wrong. Every text names the file, joint or argument, and what to do."""

from __future__ import annotations


class Error(Exception):
    """The base of all errors of this package."""


class InputError(Error, ValueError):
    """A file, a name, a number or a question is not valid."""


class UsageError(Error, ValueError):
    """A call is wrong in itself, such as an array of the wrong shape."""


class ClosedError(UsageError):
    """A checker or a scene was closed."""


class ForkedError(Error, RuntimeError):
    """The process was forked after the library was loaded.

    Start the processes of multiprocessing with the method "spawn"; threads need no such care.
    """


class InternalError(Error, RuntimeError):
    """A defect of the library: please report it."""


class LibraryError(Error, ImportError):
    """libfirstcontact.so was not found, or is of another version."""


BY_CODE: dict[int, type[Error]] = {1: InputError, 2: UsageError, 3: ForkedError, 4: InternalError}
"""The error of each code of the enum fc_code."""
