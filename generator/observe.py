"""Watch what running code reads: files, folders, modules; and what it declares with `depends`.

An audit hook sees opens and listings, failed ones included; a wrapper of `os.stat` sees tests
for existence; modules of the site are imported from source only, since a bytecode cache would
hide the source, and can serve an old one after an edit within its time stamp's resolution.
Reads by C code, by other processes and of environment variables stay unseen: say them with
`depends`.
"""

from __future__ import annotations

import importlib.machinery
import json
import os
import re
import site
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

from generator.fingerprint import Lookup, Stamp
from generator.record import Inputs

DEMO_PACKAGE = "site_demos"
"""The package under which demos are imported, so that `random.py` shadows nothing."""

_OWN_FOLDERS = (".generator", ".git", ".venv", "public", "resources", "node_modules", "__pycache__")


@dataclass(slots=True)
class Seen:
    """What was read, as absolute paths."""

    root: str
    """The site's folder."""
    demos: str
    """The demos' folder."""
    files: set[str] = field(default_factory=set)
    """Files that were opened for reading, or looked for."""
    folders: set[str] = field(default_factory=set)
    """Folders that were listed."""
    environment: set[str] = field(default_factory=set)
    """Environment variables that were declared."""
    written: set[str] = field(default_factory=set)
    """Files that were opened for writing."""
    first: dict[str, Stamp | None] = field(default_factory=dict)
    """Stamp of each file when it was first met."""
    processes: bool = False
    """Whether a process was started that could not be watched."""
    declared: bool = False
    """Whether the code declared what it depends on."""

    def add_file(self, path: str) -> None:
        if path not in self.written and path not in self.files and self.concerns(path):
            self.files.add(path)
            self.first[path] = _stamp(path)

    def add_written(self, path: str) -> None:
        """A file that the code makes itself is no input, unless it was read before."""
        self.first.pop(path, None)
        if path not in self.files:
            self.written.add(path)

    def take(self, found: Mapping[str, Sequence[str]]) -> None:
        """Add what `watch_script` left."""
        self.files.update(found["files"])
        self.folders.update(found["folders"])
        self.environment.update(found["environment"])
        self.first.update(dict.fromkeys(found["changed"], (-1, -1, -1)))

    def changed_meanwhile(self, path: str) -> bool:
        """Whether somebody else wrote the file after the code met it."""
        return path in self.first and self.first[path] != _stamp(path)

    def add_folder(self, path: str) -> None:
        if self.concerns(path):
            self.folders.add(path)

    def concerns(self, path: str) -> bool:
        """Whether a note can depend on `path`: not on Python, caches, or the generator."""
        if path.startswith(self.root + os.sep) or path == self.root:
            below = path[len(self.root) :]
            if below[1:].split(os.sep, 1)[0] in _OWN_FOLDERS or _INSTALLED.search(below):
                return False
            if "__pycache__" in path or path.endswith(".pyc"):
                return False
            return path.startswith(self.demos + os.sep) or not _is_own(path)
        return not (_INSTALLED.search(path) or _is_own(path) or path.startswith(_elsewhere()))


_INSTALLED = re.compile(r"[\\/](?:site|dist)-packages[\\/]")
_active: Seen | None = None
_installed = False
_importing = False


@contextmanager
def observing_reads(root: Path, demos: Path) -> Iterator[Seen]:
    """Collect in the yielded `Seen` what this process reads meanwhile."""
    global _active
    _install_hooks()
    seen = Seen(os.path.abspath(root), os.path.abspath(demos))
    before, _active = _active, seen
    try:
        yield seen
    finally:
        _active = before


def depends(*paths: str | os.PathLike[str], env: str | Sequence[str] = ()) -> None:
    """Say what can't be observed: files read by C code or another process, variables in `env`.

    A path is relative to the demo's folder or to the site; it need not exist yet.
    """
    if _active is None:
        return
    _active.declared = True
    from generator.site import resolve_path, site_root

    for path in paths:
        try:
            found = os.path.abspath(resolve_path(path))
        except FileNotFoundError:
            found = os.path.abspath(site_root() / path)
        if os.path.isdir(found):
            _add_tree(_active, found)
        else:
            _active.add_file(found)
    _active.environment.update([env] if isinstance(env, str) else env)


def _add_tree(seen: Seen, folder: str) -> None:
    for parent, _, names in os.walk(folder):
        seen.folders.add(parent)
        for name in names:
            seen.add_file(os.path.join(parent, name))


def add_modules(seen: Seen) -> None:
    """Add the sources of all loaded modules; a valid bytecode cache hides their opening."""
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and path.endswith(".py"):
            seen.add_file(os.path.abspath(path))


_COMPILED = tuple(importlib.machinery.EXTENSION_SUFFIXES)
_AT_START = ("__main__", "sitecustomize", "usercustomize")
"""Modules that Python itself loads, for demos too."""


def forget_modules(seen: Seen) -> None:
    """Unload the author's modules that this process has loaded before the code runs.

    What embeds the generator (a test runner, a notebook) may have imported modules that the
    code never asks for, or that it would find loaded and so import unseen. Packages with compiled
    parts stay: they can't be loaded twice.
    """
    files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
    compiled = {
        name.partition(".")[0]
        for name, path in files.items()
        if isinstance(path, str) and path.endswith(_COMPILED)
    }
    for name, path in files.items():
        if name.partition(".")[0] in compiled or name in _AT_START or not isinstance(path, str):
            continue
        if seen.concerns(os.path.abspath(path)):
            del sys.modules[name]


def _install_hooks() -> None:
    global _installed
    if not _installed:
        _installed = True
        _elsewhere()
        sys.addaudithook(_audit)
        _wrap_stat()


_STARTS_PROCESS = ("subprocess.Popen", "os.system", "os.posix_spawn", "os.fork", "os.forkpty")


def _audit(event: str, args: tuple[Any, ...]) -> None:
    if _active is None or _importing:
        return
    if event == "open":
        _see_open(_active, *args[:3])
    elif event in ("os.listdir", "os.scandir"):
        path = _absolute(args[0] if args[0] is not None else ".")
        if path is not None and not _is_import(sys._getframe(1)):
            _active.add_folder(path)
    elif event == "sqlite3.connect":
        path = _absolute(args[0])
        if path is not None and os.path.basename(path) != ":memory:":
            _active.add_file(path)
    elif event in _STARTS_PROCESS:
        _active.processes = True


def _is_import(frame: FrameType) -> bool:
    """Whether Python's own finders list a folder of `sys.path`."""
    return frame.f_code.co_filename.startswith("<frozen importlib")


def _see_open(seen: Seen, given: object, mode: object, flags: object) -> None:
    path = _absolute(given)
    if path is None:
        return
    writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if isinstance(mode, str):
        writes = any(letter in mode for letter in "wax+")
    if writes:
        seen.add_written(path)
    else:
        seen.add_file(path)


def _absolute(path: object) -> str | None:
    try:
        if isinstance(path, (str, bytes, os.PathLike)):
            return os.path.abspath(os.fsdecode(path))
    except (OSError, ValueError):
        pass
    return None


def _wrap_stat() -> None:
    """See which files were looked for: `exists` and its like end in `os.stat`."""

    def stat(path: Any, *args: Any, **kwargs: Any) -> os.stat_result:
        if _active is not None and not _importing:
            absolute = _absolute(path)
            if absolute is not None and absolute.startswith(_active.root + os.sep):
                _active.add_file(absolute)
        return _original_stat(path, *args, **kwargs)

    os.stat = stat


_original_stat = os.stat


_FOLDER: Stamp = (0, 0, 0)
"""A folder is one or is not; what it holds is seen when it is listed."""


def _stamp(path: str) -> Stamp | None:
    try:
        found = _original_stat(path)
    except (OSError, ValueError):
        return None
    if found.st_mode & 0o170000 == 0o040000:
        return _FOLDER
    return found.st_size, found.st_ctime_ns, found.st_ino


def _is_own(path: str) -> bool:
    return path.startswith(_PACKAGE + os.sep)


_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_ELSEWHERE: tuple[str, ...] = ()


def _elsewhere() -> tuple[str, ...]:
    """Folders outside the site that are Python's and the system's, not the author's.

    Asked for before any hook is set: sysconfig imports and opens files to answer, and fails when
    it is asked again meanwhile.
    """
    global _ELSEWHERE
    if not _ELSEWHERE:
        paths = {sys.prefix, sys.base_prefix, sys.exec_prefix, *site.getsitepackages()}
        paths |= {
            site.getusersitepackages(),
            tempfile.gettempdir(),
            *sysconfig.get_paths().values(),
        }
        paths |= {os.path.realpath(path) for path in paths}
        system = ("/proc/", "/sys/", "/dev/", "/etc/", "/usr/", "/lib", "/System/", "/Library/")
        home = os.path.expanduser("~")
        caches = tuple(
            os.path.join(home, name) + os.sep for name in (".cache", ".config", ".local")
        )
        _ELSEWHERE = (*system, *caches, *(path.rstrip(os.sep) + os.sep for path in paths))
    return _ELSEWHERE


class _SourceLoader(importlib.machinery.SourceFileLoader):
    """Loads a module from its source, whatever the bytecode caches hold."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class _SiteFinder(importlib.machinery.FileFinder):
    """Finds the site's modules, and remembers where one was looked for in vain."""

    def find_spec(
        self, fullname: str, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        global _importing
        before, _importing = _importing, True
        try:
            self.invalidate_caches()
            found = super().find_spec(fullname, target)
        finally:
            _importing = before
        if _active is None:
            return found
        tail = os.path.join(self.path, fullname.rpartition(".")[2])
        if found is not None and found.loader is not None:
            if found.origin == tail + ".py":
                _active.add_file(os.path.join(tail, "__init__.py"))  # it would come first
            return found
        if self.path not in (_active.root, _active.demos):
            _active.add_folder(self.path)  # may come first on the path: every import looks here
        else:
            _active.add_file(tail + ".py")
            _active.add_file(os.path.join(tail, "__init__.py"))
        return found


def prepare_imports(root: Path, demos: Path) -> None:
    """Import the site's modules from source, after all installed ones; demos by their package."""
    home, demo_home = os.path.abspath(root), os.path.abspath(demos)
    loaders = [
        (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES),
        (_SourceLoader, importlib.machinery.SOURCE_SUFFIXES),
    ]

    def hook(path: str) -> _SiteFinder:
        where = os.path.abspath(path)
        inside = where == home or where.startswith((home + os.sep, demo_home))
        own = _is_own(where + os.sep) and not (where + os.sep).startswith(demo_home + os.sep)
        if not inside or own or where.startswith(_elsewhere_in(home)) or _stamp(where) != _FOLDER:
            raise ImportError(f"{path} is not the site's")
        return _SiteFinder(where, *loaders)

    _elsewhere()
    sys.path_hooks.insert(0, hook)
    sys.path_importer_cache.clear()
    sys.path[:] = [p for p in sys.path if p and os.path.abspath(p) != home] + [home]
    package = ModuleType(DEMO_PACKAGE)
    package.__path__ = [demo_home]
    sys.modules[DEMO_PACKAGE] = package


def _elsewhere_in(home: str) -> tuple[str, ...]:
    """Installed packages, also where the environment's folder lies in the site."""
    return tuple(p for p in _elsewhere() if p.startswith(home + os.sep)) or ("\0",)


CHANGED = "changed while it was read"
"""The digest of a file of which the code may have seen an older state."""


def relative_inputs(seen: Seen, now: Lookup) -> Inputs:
    """What was seen, with paths relative to the site and digests."""
    files = {
        input_name(path, seen.root): CHANGED if seen.changed_meanwhile(path) else ""
        for path in sorted(seen.files)
    }
    folders = {input_name(path, seen.root) for path in seen.folders}
    return Inputs(
        {path: changed or now.file(path) for path, changed in files.items()},
        {path: now.folder(path) for path in sorted(folders)},
        {name: now.environment(name) for name in sorted(seen.environment)},
    )


def input_name(path: str, root: str) -> str:
    """A path relative to the site; `module:` and a path for an editable install."""
    if not path.startswith(root + os.sep) and path != root:
        for module in list(sys.modules.values()):
            if getattr(module, "__file__", None) == path:
                name = module.__name__
                parts = name.split(".")
                tail = path.split(os.sep)[-(len(parts) + (path.endswith("__init__.py"))) :]
                if name != "__main__" and not name.startswith(DEMO_PACKAGE):
                    return "module:" + "/".join(tail)
    return os.path.relpath(path, root).replace(os.sep, "/")


_NATIVE_READERS = ("h5py", "pyarrow", "polars", "netCDF4", "zarr", "duckdb", "tables")


def unwatched_reads(seen: Seen) -> str:
    """What the code used that reads out of sight, unless it declared what it depends on."""
    if seen.declared:
        return ""
    loaded = [name for name in _NATIVE_READERS if name in sys.modules]
    return "a process that it started" if seen.processes else loaded[0] if loaded else ""


def watch_script(out: str, root: str, demos: str, script: str, argv: Sequence[str]) -> None:
    """Run a script as `python script argv` would, and leave what it read in the file `out`."""
    import runpy

    sys.argv[:] = [script, *argv]
    prepare_imports(Path(root), Path(demos))
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    with observing_reads(Path(root), Path(demos)) as seen:
        try:
            runpy.run_path(script, run_name="__main__")
        finally:
            add_modules(seen)
            seen.add_file(os.path.abspath(script))
            found = {
                "files": sorted(seen.files),
                "folders": sorted(seen.folders),
                "changed": sorted(filter(seen.changed_meanwhile, seen.files)),
            }
            with open(out, "w", encoding="utf-8") as file:
                json.dump({**found, "environment": sorted(seen.environment)}, file)
