"""A server on this machine for a published site and the packages that its pages load."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar
from urllib.parse import unquote, urlsplit


class Files(SimpleHTTPRequestHandler):
    """Answers from the first of the folders whose prefix fits; a browser may keep the answers."""

    protocol_version = "HTTP/1.1"
    extensions_map: ClassVar = {  # type: ignore[misc]
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".woff2": "font/woff2",
    }

    def __init__(self, *arguments: object, folders: dict[str, Path]) -> None:
        self.folders = folders
        super().__init__(*arguments)  # type: ignore[arg-type]

    def translate_path(self, path: str) -> str:
        name = unquote(urlsplit(path).path)
        for prefix, folder in self.folders.items():
            if name.startswith(prefix) and ".." not in name:
                return str(folder / name.removeprefix(prefix))
        return "/nowhere"

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()

    def log_message(self, *arguments: object) -> None:
        """Nothing: what is missing is told by the page that asked for it."""


@contextmanager
def serving(folders: dict[str, Path]) -> Iterator[str]:
    """The server's address while it runs; `folders` maps prefixes of paths, `/` last.

    The folders may be filled while it runs.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, folders=folders))
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
