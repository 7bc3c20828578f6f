"""Every page as a reader meets it: light and dark, on a phone, a tablet and a desk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from .sites import Built, Shown, build_site, copy_frame, write_note

WIDTHS = (390, 768, 1280)
MODES = ("light", "dark")
HEIGHT = 900

WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value);
}).observe({type: 'layout-shift', buffered: true});
"""
LOAD_IMAGES = """async () => {
  const broken = [];
  for (const image of document.images) {
    image.loading = 'eager';
    try { await image.decode(); } catch { broken.push(image.src); }
    if (!image.naturalWidth) broken.push(image.src);
  }
  await document.fonts.ready;
  return broken;
}"""
FIND_OVERFLOW = """() => {
  const page = document.documentElement;
  if (page.scrollWidth <= page.clientWidth) return [];
  return [...document.querySelectorAll('main *, header *, footer *')]
    .filter((e) => e.getBoundingClientRect().right > page.clientWidth + 1
      && !e.closest('.equation, .table-scroll, .alg-lines, pre, .sr, .katex-mathml'))
    .slice(0, 3).map((e) => e.tagName + '.' + e.className + ': ' + e.textContent.slice(0, 40))
    .concat('the page is ' + page.scrollWidth + ' px wide');
}"""
# What KaTeX draws is hidden from screen readers and has the colour of the text around it.
RUN_AXE = """async (rules) => {
  const options = {resultTypes: ['violations'], ...(rules ? {runOnly: rules} : {})};
  const found = await axe.run({exclude: ['.katex-html']}, options);
  return found.violations.map((v) => v.id + ': ' + v.nodes.slice(0, 2).map((n) =>
    n.target.join(' ') + ' ' + (n.any.concat(n.all).map((c) => c.message)[0] || '')).join(' | '));
}"""
TALLEST = 4000
"""Pictures of long pages end here."""


@contextmanager
def opened(browser: Any, built: Built) -> Iterator[tuple[Any, Shown, list[str]]]:
    """A page that shows the site; with what it asked for, and what it complained of."""
    shown, complaints = Shown(built), []
    context = browser.new_context(viewport={"width": WIDTHS[0], "height": HEIGHT}, bypass_csp=True)
    context.route("**/*", shown.answer)
    context.add_init_script(WATCH_SHIFTS)
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    try:
        yield page, shown, complaints
    finally:
        context.close()


def look_at(page: Any, built: Built, name: str, axe: str, shots: Path | None) -> list[str]:
    """What is wrong with one page, in each mode and width."""
    wrong = []
    page.set_viewport_size({"width": WIDTHS[-1], "height": HEIGHT})
    page.emulate_media(color_scheme=MODES[0])
    page.goto(built.base + name)
    wrong += [f"image {src} doesn't load" for src in page.evaluate(LOAD_IMAGES)]
    shift = page.evaluate("window.shifts.reduce((a, b) => a + b, 0)")
    if shift > 0.01:
        wrong.append(f"the layout shifts by {shift:.3f} while loading")
    page.evaluate(axe)
    for mode in MODES:
        page.emulate_media(color_scheme=mode)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": HEIGHT})
            wrong += [f"{width} px {mode}: {what}" for what in page.evaluate(FIND_OVERFLOW)]
            if (mode, width) == (MODES[0], WIDTHS[0]):
                wrong += [f"axe: {what}" for what in page.evaluate(RUN_AXE, None)]
            if width == WIDTHS[-1]:  # on narrow pages code has a shade, which axe can't judge
                wrong += [f"{mode}: {what}" for what in page.evaluate(RUN_AXE, ["color-contrast"])]
            if shots is not None and width != 768:
                label = name.removesuffix(".html").strip("/").replace("/", "-") or "home"
                take_picture(page, shots / f"{label}-{width}-{mode}.png")
    return [f"{name or 'home'}: {what}" for what in wrong]


def is_repeated(name: str) -> bool:
    """Whether a page looks like another one: a tag's, or a later page of the feed."""
    return "/page/" in name or (name.count("/") > 1 and name.startswith("tags/"))


def take_picture(page: Any, path: Path) -> None:
    """The page from its top, as far as pictures go."""
    width, height = page.evaluate("[innerWidth, document.documentElement.scrollHeight]")
    clip = {"x": 0, "y": 0, "width": width, "height": min(height, TALLEST)}
    page.screenshot(path=path, full_page=True, clip=clip)


def check_pages(browser: Any, built: Built, axe: str, shots: Path | None) -> None:
    """Looks at every page of the site, and tells everything that is wrong at once."""
    assert built.code == 0, built.output
    wrong = []
    with opened(browser, built) as (page, shown, complaints):
        for name in built.pages():
            if name.startswith("page/"):
                continue  # the feed of /notes/ once more
            wrong += look_at(page, built, name, axe, None if is_repeated(name) else shots)
            wrong += [f"{name}: console: {text}" for text in complaints]
            wrong += [f"{name}: asks for {url}" for url in shown.strangers + shown.missing]
            complaints.clear()
            shown.strangers.clear()
            shown.missing.clear()
    assert not wrong, "\n".join(wrong)


def test_site_pages(browser: Any, site: Built, axe: str, pictures: Path) -> None:
    check_pages(browser, site, axe, pictures)


def test_forms_pages(browser: Any, forms: Built, axe: str) -> None:
    check_pages(browser, forms, axe, None)


def test_keyboard_order(browser: Any, forms: Built) -> None:
    """The first stop skips to the text; the others follow the order of the page, and are seen."""
    with opened(browser, forms) as (page, _, _):
        page.goto(forms.base + "notes/combined-everything/")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.getAttribute('href')") == "#content"
        places = page.evaluate(
            """() => [...document.querySelectorAll('a[href], summary, [tabindex="0"]')]
                 .filter((e) => !e.closest('details:not([open]) > :not(summary)'))
                 .map((e, i) => (e.dataset.order = i))"""
        )
        met = []
        for _ in places[1:]:
            page.keyboard.press("Tab")
            met.append(
                page.evaluate(
                    """() => { const e = document.activeElement, r = e.getBoundingClientRect();
                       return [Number(e.dataset.order), r.bottom > 0 && r.top < innerHeight,
                               getComputedStyle(e).outlineStyle]; }"""
                )
            )
    assert [order for order, _, _ in met] == places[1:]
    assert all(seen and outline == "solid" for _, seen, outline in met)


def test_measure(browser: Any, site: Built) -> None:
    """A full line of text holds 62 to 70 characters on a desk."""
    with opened(browser, site) as (page, _, _):
        page.set_viewport_size({"width": 1280, "height": HEIGHT})
        page.goto(site.base + "about/")
        counts = page.evaluate(
            """() => [...document.querySelectorAll('.prose p')].map((p) => {
              const range = document.createRange(), lines = {};
              const walk = document.createTreeWalker(p, NodeFilter.SHOW_TEXT);
              while (walk.nextNode()) for (let i = 0; i < walk.currentNode.length; i++) {
                range.setStart(walk.currentNode, i); range.setEnd(walk.currentNode, i + 1);
                const top = Math.round(range.getBoundingClientRect().bottom / 8);
                lines[top] = (lines[top] || 0) + 1;
              }
              return Object.values(lines).slice(0, -1);
            }).flat()"""
        )
    assert 62 <= sum(counts) / len(counts) <= 70


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_theme_choice(browser: Any, choice: str, tmp_path: Path) -> None:
    """`data-theme` on <html>, from `params.defaultTheme`, wins over the reader's system."""
    folder = copy_frame(tmp_path / "site")
    settings = folder / "hugo.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace('"auto"', f'"{choice}"'), encoding="utf-8")
    built = build_site(folder, folder / "public")
    with opened(browser, built) as (page, _, _):
        page.emulate_media(color_scheme="dark" if choice == "light" else "light")
        page.goto(built.base)
        assert page.get_attribute("html", "data-theme") == choice
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    red = int(ground.removeprefix("rgb(").split(",")[0])
    assert (red > 128) == (choice == "light")


WIDE_TREE = """\
The tree of a folder with long names, and some words before it that fill the column.

```bash
lab-with-a-long-name/
├── data/
│   ├── a_rather_long_name_for_the_logits_of_one_layer.npy  # scores of one layer of the network, in March
│   └── logits.npy              # scores of one layer
├── check_overflow_in_half.py   # from which score on the softmax overflows in half precision
└── README.md                   # what it is
```
"""
SEE_TREE = """() => {
  const box = document.querySelector('.tree pre');
  const rect = box.getBoundingClientRect();
  const comments = [...box.querySelectorAll('.c, .c1')].map((e) => e.getBoundingClientRect().left);
  box.scrollLeft = 1e6;
  const last = Math.max(...[...box.querySelectorAll('.c, .c1')]
    .map((e) => e.getBoundingClientRect().right));
  box.scrollLeft = 0;
  return {left: rect.left, right: rect.right, client: box.clientWidth, scroll: box.scrollWidth,
    comments, last, page: document.documentElement.scrollWidth, tab: box.tabIndex,
    lines: box.querySelectorAll('.line').length, text: box.textContent};
}"""


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_wide_tree_scrolls_inside_itself(
    browser: Any, tree_site: Built, pictures: Path, width: int, mode: str
) -> None:
    with opened(browser, tree_site) as (page, _, complaints):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(color_scheme=mode)
        page.goto(tree_site.base + "notes/wide/")
        seen = page.evaluate(SEE_TREE)
        take_picture(page, pictures / f"tree-{width}-{mode}.png")
    assert not complaints
    assert seen["page"] == width
    assert seen["left"] >= 0 and seen["right"] < width
    assert seen["scroll"] > seen["client"] and seen["tab"] == 0
    assert seen["last"] <= seen["right"]  # every comment can be scrolled to its end
    assert len(seen["comments"]) == 4
    assert (
        sum(left < seen["right"] - 60 for left in seen["comments"]) >= 3
    )  # and most are seen at once
    assert "logits.npy              # scores" in seen["text"]  # also when it is copied


@pytest.fixture(scope="module")
def tree_site(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = copy_frame(tmp_path_factory.mktemp("tree") / "site")
    write_note(folder, "wide", WIDE_TREE, "description: A wide tree.\ntags: [Forms]\n")
    built = build_site(folder, folder / "public")
    assert built.code == 0, built.output
    return built
