"""A template's author may be a stranger: expressions reach nothing, and always end."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from generator.notes import Note
from generator.render import Rendered, Renderer
from generator.settings import Settings
from generator.site import standing_in
from tests.conftest import Site

HEAD = "---\ntitle: T\n---\n"
RESULTS = {"rows": [1, 2], "name": "x", "total": 2.5}


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Fail what takes longer: a hang is a fault, not a slow test."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt(f"still at work after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


Render = Callable[[str], Rendered]


@pytest.fixture
def render(tmp_path: Path) -> Iterator[Render]:
    """Renders a template's body as a build does."""
    home = tmp_path / "site"
    home.mkdir()
    (tmp_path / "secret").write_text("secret")

    def run(body: str) -> Rendered:
        renderer = Renderer(Settings(home), lambda path: None)
        note = Note("note", "templates/notes/note.md", "page.md", HEAD + body, demo="demos/d.py")
        with at_most(60), standing_in(home, confined=True):
            return renderer.render(note, RESULTS)

    yield run


ESCAPES = [
    "(1).__class__.__mro__",
    "().__class__.__base__.__subclasses__()",
    "''.format.__globals__",
    "'{0.__class__.__mro__}'.format(1)",
    "'{a.__init__.__globals__}'.format_map({'a': cycler})",
    "cycler.__init__.__globals__.os",
    "self.__init__.__globals__",
    "namespace.__init__.__globals__",
    "joiner.__init__.__globals__['__builtins__']",
    "claims_table.__self__.settings",
    "claims_table.__func__.__globals__",
    "_put.__self__",
    "_text.__func__.__globals__",
    "FileTree.__init__.__globals__",
    "Listing.__mro__",
    "sig.__wrapped__.__globals__",
    "name|attr('__class__')",
    "[name]|map(attribute='__class__')|list",
    "[name]|map('attr', '__class__')|list",
    "rows|sort(attribute='__class__')",
    "rows|groupby('__class__')",
    "'%s' % rows.__class__",
    "(rows|list).__reduce__()",
    "params.__class__",
    "note.pop('title')",
    "note.update(title='other')",
    "rows.append(3)",
    "rows.clear()",
    "''.__class__.__init__.__subclasshook__",
    "url_for.__globals__",
    "request",
    "config",
    "get_flashed_messages",
    "lipsum(3)",
    "rows|random",
]


@pytest.mark.parametrize("expression", ESCAPES)
def test_no_expression_reaches_an_objects_insides(render: Render, expression: str) -> None:
    rendered = render(f"<%= {expression} %>\n")
    assert rendered.text == ""
    assert rendered.problems[0].path == "templates/notes/note.md"
    assert RESULTS == {"rows": [1, 2], "name": "x", "total": 2.5}


BOMBS = [
    "'a' * 10**9",
    "10**9 * 'ab'",
    "[0] * 10**9",
    "rows * 10**8",
    "range(10**9)|list|length",
    "9**9**9 ** 9",
    "10**9000 * 10**9000 * 10**9000",
    "'%1000000000d' % 1",
    "'%*d' % (10**9, 1)",
    "'{:1000000000}'.format(1)",
    "'{:{w}}'.format(1, w=10**9)",
    "'{a:1000000000}'.format_map({'a': 1})",
    "'%1000000000d'|format(1)",
    "['{:1000000000}']|map('format', 1)|list",
    "'a'.zfill(10**10)",
    "'a'.ljust(10**9)|length",
    "'\\t'.expandtabs(10**9)",
    "'a'|center(10**9)",
    "'a\n'|indent(10**9)",
    "rows|batch(10**9, 0)|list|length",
    "rows|slice(10**9)|list|length",
    "rows|tojson(indent=10**9)",
    "('a' * 900000).replace('a', 'b' * 100000)|length",
    "('a' * 900000)|replace('a', 'b' * 100000)|length",
    "('a' * 900000)|replace('', 'b' * 100000)|length",
    "('a' * 900000)|list|join('c' * 900000)|length",
    "('c' * 900000).join('a' * 900000)|length",
    "('a' * 900000) ~ ('b' * 900000)",
    "('a' * 900000) + ('b' * 900000)",
    "round(5, -10**9)",
    "5|round(10**9)",
    "fixed(1.5, 10**9)",
    "1.5|sci(10**8)",
    "sum([[1]] * 1000, [])|length",
    "[[1]] * 100000|sum(start=[])|length",
    "('9' * 500000)|int + 1",
    "range(50000)|map('center', 99999)|join|length",
]


@pytest.mark.parametrize("expression", BOMBS)
def test_no_expression_hangs_or_floods_a_build(render: Render, expression: str) -> None:
    with bounded_memory(2_000):
        rendered = render(f"<%= {expression} %>\n")
    assert len(rendered.text) < 2_000_000


DOUBLING = "<% set ns = namespace(s={start}) %><% for i in range(100) %><% set ns.s = {next} %>"
TEMPLATES = [
    "<% for i in range(99999) %><% for j in range(99999) %><% endfor %><% endfor %>",
    "<% macro m(n) %><% if n %><%= m(n-1) %><%= m(n-1) %><% endif %><% endmacro %><%= m(99) %>",
    "<% macro m(n) %><%= m(n) %><% endmacro %><%= m(1) %>",
    "<% for i in [1] recursive %><%= loop([1]) %><% endfor %>",
    "<% for i in [1, 2] recursive %><%= loop([1, 2]) if loop.depth < 60 else 1 %><% endfor %>",
    *(
        DOUBLING.replace("{start}", start).replace("{next}", following) + "<% endfor %>" + use
        for start, following, use in [
            ("'aa'", "ns.s ~ ns.s", ""),
            ("'aa'", "ns.s + ns.s", ""),
            ("'aa'", "ns.s * 2", ""),
            ("'aa'", "ns.s.replace('a', 'aa')", ""),
            ("'aa'", "[ns.s, ns.s]|join", ""),
            ("'aa'", "'%s%s' % (ns.s, ns.s)", ""),
            ("'aa'", "'{}{}'.format(ns.s, ns.s)", ""),
            ("[1]", "ns.s + ns.s", ""),
            ("[1]", "[ns.s, ns.s]", "<%= ns.s %>"),
            ("[1]", "[ns.s, ns.s]", "<%= ns.s|string|length %>"),
            ("[1]", "(ns.s, ns.s)", "<%= ns.s|tojson|length %>"),
            ("{}", "{'a': ns.s, 'b': ns.s}", "<%= ns.s|pprint %>"),
            ("{}", "dict(a=ns.s, b=ns.s)", "<%= ns.s|string|length %>"),
            ("[1]", "[{}, {}]|map(attribute='a', default=ns.s)|list", "<%= ns.s|string %>"),
            ("[1]", "[ns.s]", "<%= ns.s %>"),
            ("2", "ns.s * ns.s", "<%= ns.s %>"),
            ("2", "ns.s ** 2", "<%= ns.s %>"),
        ]
    ),
]


@pytest.mark.parametrize("body", TEMPLATES)
def test_no_template_hangs_or_floods_a_build(render: Render, body: str) -> None:
    with bounded_memory(2_000):
        rendered = render(body + "\n")
    assert rendered.text == ""
    assert rendered.problems


@contextmanager
def bounded_memory(mebibytes: int) -> Iterator[None]:
    """Turn a flood into a MemoryError before the machine suffers; Linux counts what is held."""
    import resource

    if not os.path.exists("/proc/self/statm"):
        yield
        return
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (held + mebibytes * 2**20, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


OUTSIDE = [
    "FileTree('..')",
    "FileTree('/etc')",
    "Listing('/etc/passwd')",
    "Listing('../secret')",
    "Listing('link-to-secret')",
    "Listing('folder/secret')",
    "FileTree('folder')",
]


@pytest.mark.parametrize("expression", OUTSIDE)
def test_a_template_reads_nothing_outside_the_site(
    render: Render, tmp_path: Path, expression: str
) -> None:
    (tmp_path / "site/link-to-secret").symlink_to(tmp_path / "secret")
    (tmp_path / "site/folder").symlink_to(tmp_path, target_is_directory=True)
    rendered = render(f"<%= {expression} %>\n")
    assert rendered.text == ""
    assert "lies outside the site" in rendered.problems[0].message


def test_a_tree_does_not_quote_what_its_links_point_to(render: Render, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("# the secret\n")
    (tmp_path / "site/tree").mkdir()
    (tmp_path / "site/tree/own.py").write_text("# its own\n")
    (tmp_path / "site/tree/link.py").symlink_to(tmp_path / "secret")
    shown = render("<%= FileTree('tree') %>\n").text
    assert "# its own" in shown
    assert "link.py" in shown
    assert "secret" not in shown


@pytest.mark.parametrize(
    "tag",
    [
        "<% include '../../secret' %>",
        "<% include '../../../secret' %>",
        "<% include '/etc/passwd' %>",
        "<% import '../../../secret' as notes %>",
        "<% from '../../../secret' import a %>",
        "<% extends '../../../secret' %>",
        "<% include 'linked.md' %>",
    ],
)
def test_includes_stay_in_the_site(site: Site, tag: str) -> None:
    (site.root.parent / "secret").write_text("secret")
    site.write("templates/macros.md", "")
    (site.root / "templates/linked.md").symlink_to(site.root.parent / "secret")
    site.note("n", tag)
    (report,) = site.build().notes
    assert report.status == "failed"
    assert "there is no template" in report.problems[0].message
    assert not (site.root / "content/notes/n.md").exists()


@pytest.mark.parametrize("demo", ["../evil", "/etc/evil", "a/../../evil", "~/evil", "a\\..\\evil"])
def test_a_demo_is_one_of_the_sites(site: Site, demo: str) -> None:
    (site.root.parent / "evil.py").write_text("def run(rng): return {'x': 1}\n")
    site.write("demos/a/none.py", "")
    site.note("n", "<%= x %>", demo=f"'{demo}'")
    (report,) = site.build().notes
    assert report.status == "failed"
    assert "is not a demo's name" in report.problems[0].message


@pytest.mark.parametrize("key", ["../../../evil", "/evil", "a/b", "", ".", "a\x00b", "a\nb"])
def test_no_results_name_leads_a_figure_elsewhere(site: Site, key: str) -> None:
    site.write_demo(
        "drawn",
        "from generator import Figure, subplots\n\n\ndef run(rng):\n"
        "    figure, axes = subplots()\n    axes.plot([0, 1])\n"
        "    axes.set(xlabel='x', ylabel='y')\n"
        f"    return {{'line': {{{key!r}: Figure(figure, alt='A line that rises to one')}}}}\n",
    )
    site.note("n", f"<%= line[{key!r}] %>", demo="drawn")
    site.build()
    written = {p for p in site.root.parent.rglob("*") if p.is_file() and "evil" in p.name}
    assert all(path.is_relative_to(site.root / "static/figures/n") for path in written)


def test_raw_blocks_are_refused_since_text_is_raw_anyhow(render: Render) -> None:
    rendered = render("<% raw %><%= rows %><% endraw %>\n")
    assert rendered.text == ""
    assert "`raw`" in rendered.problems[0].message
