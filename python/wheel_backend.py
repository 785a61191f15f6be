"""Builds the wheel: the package, and the library where make library left one.

This is a build backend as PEP 517 and PEP 660 define it. It needs nothing but Python, so that pip builds the package without
network. The same files give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Iterator, Optional

HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parent / "bin" / "libfirstcontact.so"
PACKAGE, VERSION = "firstcontact", "0.1.0"
DATE = (1980, 1, 1, 0, 0, 0)


METADATA = f"""\
Metadata-Version: 2.1
Name: {PACKAGE}
Version: {VERSION}
Summary: Proofs that a robot's motion is free of collision, or when and where it first touches
License: Apache-2.0
Requires-Python: >=3.10
Requires-Dist: numpy >=1.21
Description-Content-Type: text/markdown

"""


def _tag(with_library: bool) -> str:
    platform = re.sub("[^0-9a-z_]", "_", sysconfig.get_platform()) if with_library else "any"
    return f"py3-none-{platform}"


def _package() -> Iterator[tuple[str, bytes]]:
    for path in sorted((HERE / PACKAGE).iterdir()):
        if path.suffix == ".py" or path.name == "py.typed":
            yield f"{PACKAGE}/{path.name}", path.read_bytes()
    if LIBRARY.exists():
        yield f"{PACKAGE}/{LIBRARY.name}", LIBRARY.read_bytes()


def _wheel(folder: str, files: Iterator[tuple[str, bytes]], tag: str) -> str:
    info = f"{PACKAGE}-{VERSION}.dist-info"
    name = f"{PACKAGE}-{VERSION}-{tag}.whl"
    pure = "true" if tag.endswith("any") else "false"
    record = []
    with zipfile.ZipFile(Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:

        def add(path: str, data: bytes) -> None:
            entry = zipfile.ZipInfo(path, DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
            wheel.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}")

        for path, data in files:
            add(path, data)
        add(f"{info}/METADATA", METADATA.encode() + (HERE / "README.md").read_bytes())
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: {PACKAGE}\nRoot-Is-Purelib: {pure}\nTag: {tag}\n".encode())
        wheel.writestr(zipfile.ZipInfo(f"{info}/RECORD", DATE), "\n".join([*record, f"{info}/RECORD,,", ""]))
    return name


def build_wheel(wheel_directory: str, config_settings: Optional[dict[str, Any]] = None, metadata_directory: Optional[str] = None) -> str:
    """Writes the wheel, with the library if there is one: otherwise FIRSTCONTACT_LIBRARY has to name it, or the loader find it."""
    return _wheel(wheel_directory, _package(), _tag(LIBRARY.exists()))


def build_editable(wheel_directory: str, config_settings: Optional[dict[str, Any]] = None, metadata_directory: Optional[str] = None) -> str:
    """Writes a wheel that refers to this folder."""
    return _wheel(wheel_directory, iter([(f"{PACKAGE}.pth", f"{HERE}\n".encode())]), _tag(False))


def build_sdist(sdist_directory: str, config_settings: Optional[dict[str, Any]] = None) -> str:
    """Writes the sources of the package, without the library."""
    name = f"{PACKAGE}-{VERSION}"
    files = [HERE / "pyproject.toml", HERE / "README.md", Path(__file__).resolve(), *sorted((HERE / PACKAGE).glob("*.py")), HERE / PACKAGE / "py.typed"]
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for path in files:
            archive.add(path, os.path.join(name, path.relative_to(HERE)))
    return f"{name}.tar.gz"
