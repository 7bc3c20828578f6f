"""Coverage-guided trials of everything that reads a file: libFuzzer, through atheris.

    python -m tests.fuzz.guided --runs 50000 [--seed 1] [target …]

The inputs that reach new branches of `generator/` are kept and varied further. A trial may end in
a result or in problems; any other exception, two seconds of work, or a write is a fault. Each fault
is told once, with the shortest input that was seen to cause it, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import pkgutil
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz.targets import DEEP, LONGEST, TARGETS, Permit, Target, load_targets, scratch

SECONDS = 2.0
READERS = ("markdown_it", "pybtex.database.input.bibtex", "tomlkit", "tomllib", "yaml")
"""Whose branches are counted: the generator's, and those of what it reads with."""
PACKAGES = {name.split(".")[0] for name in READERS}
UNKILLED = 60
"""Seconds after which libFuzzer itself ends a trial that hangs."""
WRITING = re.compile(
    r"os\.(remove|rename|rmdir|mkdir|link|symlink|truncate|system|exec|fork)|shutil"
)


@dataclass(slots=True)
class Judge:
    """Holds the trials of one target against what may happen, and notes the faults."""

    target: Target
    folder: Path
    slow: float = SECONDS
    sizes: dict[str, int] = field(default_factory=dict)

    def try_bytes(self, data: bytes) -> None:
        self.try_text(self.target.read(data))

    def try_text(self, text: str) -> None:
        start = time.process_time()
        Permit.writes.clear()
        Permit.is_watching = True
        try:
            self.target.run(text)
        except Exception as error:
            Permit.is_watching = False
            frames = traceback.extract_tb(error.__traceback__)
            own = [f for f in frames if "/generator/" in f.filename] or list(frames)
            where = f"{'/'.join(Path(own[-1].filename).parts[-2:])}:{own[-1].lineno}"
            self._note(f"{type(error).__name__} at {where}: {str(error)[:300]}", where, text)
        finally:
            Permit.is_watching = False
        if Permit.writes:
            self._note(f"writes: {Permit.writes[0]}", "write", text)
        if (seconds := time.process_time() - start) > self.slow:
            self._note(f"took {seconds:.1f} s", "slow", text)

    def _note(self, what: str, key: str, text: str) -> None:
        key = f"{what.split()[0]}-{key}"
        if len(text) < self.sizes.get(key, sys.maxsize):
            self.sizes[key] = len(text)
            name = re.sub(r"[^\w.:-]", "_", key).replace(":", "-")
            (self.folder / f"{name}.fault").write_text(f"{what}\n    {text!a}\n")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the trials of one target."""

    name: str
    runs: int
    corpus: int
    edges: int
    faults: tuple[str, ...]

    def __str__(self) -> str:
        counts = f"{self.name:12} {self.runs:9,} trials {self.corpus:6,} kept {self.edges:6,} edges"
        return "\n  ".join([counts, *self.faults])


def explore(target: Target, runs: int, seed: int) -> Outcome:
    """Run the trials in a process of their own: libFuzzer ends the one that it runs in."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("seeds", "found"):
            (folder / part).mkdir()
        for number, text in enumerate(target.seeds):
            (folder / "seeds" / f"{number:03}").write_bytes(target.write(text)[:LONGEST])
        child = os.fork()
        if not child:
            _run_child(target, runs, seed, folder)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        log = (folder / "log").read_text("utf-8", "replace")
        faults = [path.read_text().rstrip() for path in sorted(folder.glob("*.fault"))]
        if status:
            faults.append(f"ended with {status}: {log[-2000:]}")
            ended = [path.read_bytes() for path in (folder / "found").glob("[clot]*-*")]
            faults += [f"ended by {target.read(data)!a}" for data in ended]  # a hang, a crash
        counts = re.findall(r"^#(\d+)\s.*cov: (\d+) .*corp: (\d+)/", log, re.MULTILINE)
        done, edges, corpus = map(int, counts[-1] if counts else (0, 0, 0))
        return Outcome(target.name, done + len(DEEP), corpus, edges, tuple(faults))


def _run_child(target: Target, runs: int, seed: int, folder: Path) -> None:
    import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]

    log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    options = [f"-runs={runs}", f"-seed={seed}", f"-max_len={LONGEST}", f"-timeout={UNKILLED}"]
    options += ["-rss_limit_mb=4096", "-len_control=20", f"-artifact_prefix={folder}/found/"]
    arguments = ["guided", *options, str(folder / "found"), str(folder / "seeds")]
    judge = Judge(target, folder)
    for word in DEEP:
        judge.try_text(word * (LONGEST // len(word)))
    atheris.Setup(arguments, judge.try_bytes)
    atheris.Fuzz()
    os._exit(0)


def instrument() -> None:
    """Import the generator with counters at its branches."""
    import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]

    told = io.StringIO()
    with redirect_stderr(told), atheris.instrument_imports(include=["generator", *PACKAGES]):
        import generator

        for name in READERS:
            importlib.import_module(name)
        for module in pkgutil.walk_packages(generator.__path__, "generator."):
            if not re.search(r"__main__|\.demos|\.remote|\.preload", module.name):
                importlib.import_module(module.name)


def watch_writes(event: str, arguments: Sequence[Any]) -> None:
    """An audit hook: what a trial must not do."""
    if not Permit.is_watching:
        return
    if event == "open":
        path, mode, flags = arguments
        if re.search("[wax+]", mode or "") or (flags or 0) & (os.O_WRONLY | os.O_RDWR):
            Permit.writes.append(str(path))
    elif WRITING.match(event) or event.startswith(("subprocess", "socket.connect")):
        Permit.writes.append(f"{event} {arguments!r}")


def main(arguments: Iterable[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Coverage-guided trials of the parsers.")
    parser.add_argument("--runs", type=int, default=0, help="trials; a target's own by default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("targets", nargs="*", help="all by default")
    options = parser.parse_args(None if arguments is None else list(arguments))
    sys.dont_write_bytecode = True
    instrument()
    load_targets()
    scratch()
    sys.addaudithook(watch_writes)
    failed = False
    for name in options.targets or TARGETS:
        target = TARGETS[name]
        outcome = explore(target, options.runs or target.runs, options.seed)
        failed = failed or bool(outcome.faults) or not outcome.runs
        print(outcome, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
