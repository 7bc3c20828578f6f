// One JSON list of `pseudo-algorithm` texts on stdin -> a JSON list on stdout:
// {error} or {lines: [{number, text}]}, with each formula as its source between dollars.
const { readFileSync } = require("node:fs");
globalThis.katex = require("katex");
const pseudocode = require("pseudocode");

// What the theme does to the text before it hands it over.
function cleanUp(text) {
  return text
    .replace(/\\\((.+?)\\\)/gs, (_, formula) => `$${formula}$`)
    .replace(/(\\begin\{algorithm(?:ic)?\})\[[^\]\n]*\]/g, "$1")
    .replace(/\\footnotesize(?![A-Za-z])/g, "")
    .replace(/\\label\{[^}]*\}/g, "")
    .replace(/\\hspace\{[^}]*\}/g, () => "$\\hspace{1em}$");
}

function unescapeHtml(text) {
  const names = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'", "#x2F": "/" };
  return text.replace(/&(#?\w+);/g, (whole, name) => names[name] ?? whole);
}

// KaTeX keeps a formula's source in its MathML; what it draws follows in `katex-html`.
function plainText(html) {
  const formulas = [];
  const kept = html.replace(
    /<span class="katex">.*?<annotation encoding="application\/x-tex">(.*?)<\/annotation>.*?<\/math><\/span>/gs,
    (_, source) => `\u0001${formulas.push(source) - 1}\u0002`,
  );
  const words = kept.replace(/<span class="katex-html".*?(?=\u0001|<\/p>|$)/gs, (drawn) => {
    // The drawing nests; skip its balanced spans and keep what stands behind it.
    let depth = 0;
    for (const tag of drawn.matchAll(/<(\/?)span[^>]*>/g)) {
      depth += tag[1] ? -1 : 1;
      if (depth === 0) return drawn.slice(tag.index + tag[0].length);
    }
    return "";
  });
  const bare = unescapeHtml(words.replace(/<br\/>/g, " ").replace(/<[^>]*>/g, ""));
  return bare.replace(/\u0001(\d+)\u0002/g, (_, i) => `$${unescapeHtml(formulas[i])}$`).trim();
}

function render(text) {
  try {
    const html = pseudocode.renderToString(cleanUp(text), { lineNumber: true });
    const lines = [...html.matchAll(/<p class="ps-line.*?<\/p>/gs)].map(([line]) => {
      const number = line.match(/<span class="ps-linenum"[^>]*>(\d+):<\/span>/);
      const rest = number ? line.replace(number[0], "") : line;
      return { number: number ? Number(number[1]) : null, text: plainText(rest) };
    });
    return { lines };
  } catch (error) {
    return { error: String(error.message ?? error) };
  }
}

console.warn = () => {};
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(render)));
