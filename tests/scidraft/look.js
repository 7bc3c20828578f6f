// What there is to see of each note on a page once `finished` is done: plain data.
async () => {
  const errors = await window.finished;
  const SET = "mjx-container, .katex, .ps-root, svg, script, style";
  const LITERAL = "pre, code, textarea";
  const math = [...MathJax.startup.document.math];

  const words = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (!parent.closest(SET) && !parent.closest(LITERAL)) found.push(walker.currentNode.data);
      else if (!found.at(-1)?.endsWith("\u0000")) found.push("\u0000");
    }
    return found.join("");
  };

  const katexError = (tex, display) => {
    try {
      katex.renderToString(tex, { displayMode: display, throwOnError: true, strict: false });
      return "";
    } catch (error) {
      return error.message;
    }
  };

  // MathJax paints what it does not know red, and frames what it can't read.
  const mathjaxError = (root) => {
    let wrong = "";
    root.walkTree((node) => {
      if (node.isKind("merror")) wrong ||= node.attributes?.get("data-mjx-error") || "an error";
      const text = node.isKind("mtext") ? node.childNodes.map((c) => c.text ?? "").join("") : "";
      if (text.startsWith("\\")) wrong ||= `${text} is unknown`;
    });
    return wrong;
  };

  const lineText = (line) => {
    const copy = line.cloneNode(true);
    copy.querySelectorAll(".ps-linenum").forEach((e) => e.remove());
    copy.querySelectorAll(".katex").forEach((e) => {
      e.replaceWith(`$${e.querySelector("annotation").textContent}$`);
    });
    copy.querySelectorAll("br").forEach((e) => e.replaceWith(" "));
    return copy.textContent.replaceAll("$\\hspace{1em}$", "");
  };

  const algorithm = (box) => ({
    drawn: box.querySelectorAll(".ps-root").length,
    raw: [...box.querySelectorAll("pre")].map((pre) => pre.textContent),
    inked: box.querySelectorAll("mjx-container").length,
    lines: [...box.querySelectorAll(".ps-line")].map((line) => [
      Number.parseInt(line.querySelector(".ps-linenum")?.textContent ?? "0"),
      lineText(line),
    ]),
    // KaTeX's formulas in MathJax: a macro must be known to both.
    formulas: [...box.querySelectorAll("annotation")].map((e) => {
      const tex = e.textContent;
      const wrong = /<merror.*?data-mjx-error="(.*?)"|mathcolor="red"/.exec(MathJax.tex2mml(tex));
      return [tex, wrong ? wrong[1] ?? "an unknown macro" : ""];
    }),
  });

  const table = (one) => ({
    variant: one.className,
    columns: [...one.rows].map((row) => row.cells.length),
    cells: [...one.rows].map((row) => [...row.cells].map((cell) => words(cell).trim())),
  });

  const diagram = (pre) => {
    const svg = pre.querySelector("svg");
    const box = svg?.getBoundingClientRect();
    return {
      role: svg?.getAttribute("aria-roledescription") ?? "",
      failed: !svg || pre.querySelectorAll(".error-icon, .error-text").length > 0,
      text: svg?.textContent ?? "",
      size: box ? [box.width, box.height] : [0, 0],
    };
  };

  for (const image of document.images) await image.decode().catch(() => 0);
  const notes = [...document.querySelectorAll("article")].map((article) => ({
    name: article.dataset.note,
    region: article.dataset.region,
    words: words(article),
    formulas: math
      .filter((item) => article.contains(item.typesetRoot))
      .map((item) => [
        item.math.trim(),
        mathjaxError(item.root) || katexError(item.math, item.display),
      ]),
    empty: [...article.querySelectorAll("mjx-container")]
      .filter((e) => !e.getBoundingClientRect().width).length,
    marked: article.querySelectorAll("mjx-merror, .katex-error, [data-mjx-error]").length,
    algorithms: [...article.querySelectorAll(".pseudo-algorithm")].map(algorithm),
    tables: [...article.querySelectorAll("table")].map(table),
    outlines: [...article.querySelectorAll("ol")]
      .filter((list) => !list.closest(".references, .footnotes"))
      .map((list) => [...list.children].map((item) => item.textContent.trim())),
    broken: [...article.querySelectorAll("img")]
      .filter((image) => !image.naturalWidth).map((image) => image.src),
    images: article.querySelectorAll("img").length,
    citations: [...article.querySelectorAll("sup.citation a")]
      .map((link) => [link.textContent, Boolean(article.querySelector(
        `[id="${CSS.escape(link.hash.slice(1))}"]`))]),
    lists: [...article.querySelectorAll(".references")].map((list) =>
      list.hidden ? null : [...list.querySelectorAll("li")].map((item) => item.textContent.trim())),
    diagrams: [...article.querySelectorAll("pre.mermaid")].map(diagram),
  }));
  return { errors, notes };
}
