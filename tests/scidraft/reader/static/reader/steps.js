// What the SciDraft theme's pages do to a note once it is in the browser: algorithms with
// pseudocode.js and KaTeX, citations with citation-js, diagrams with Mermaid, then math with
// MathJax. `finished` holds the errors met on the way, once all is done.

const packages = new URL("../npm/", import.meta.url).href;

const loaded = new Map();

function load(path) {
  if (!loaded.has(path)) {
    loaded.set(path, new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = packages + path;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${path} doesn't load`));
      document.head.append(script);
    }));
  }
  return loaded.get(path);
}

// The theme takes away from an algorithm what pseudocode.js does not read.
function cleanUp(source) {
  return source
    .replaceAll(/\\[()]/g, () => "$")
    .replaceAll(/(\\begin\{algorithm(?:ic)?\})\[[^\]]*\]/g, "$1")
    .replaceAll("\\footnotesize", "")
    .replaceAll(/\\label\{[^}]*\}/g, "")
    .replaceAll(/\\hspace\{[^}]*\}/g, () => "$\\hspace{1em}$");
}

async function drawAlgorithms(errors) {
  const sources = [...document.querySelectorAll("pre.algorithm-source")];
  await load("katex/dist/katex.min.js");
  if (!sources.length) return;
  await load("pseudocode/build/pseudocode.min.js");
  for (const pre of sources) {
    try {
      const drawn = pseudocode.renderToString(cleanUp(pre.textContent), { lineNumber: true });
      pre.parentElement.innerHTML = drawn;
    } catch (error) {
      pre.hidden = false;
      errors.push(`algorithm: ${error.message}`);
    }
  }
}

function textNodesBefore(list, scope, taken) {
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (taken.has(node) || !/\\cite\{/.test(node.data)) continue;
    if (node.parentElement.closest("pre, code, script, style, .katex, .references")) continue;
    const before = list.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING;
    if (before) found.push(node);
  }
  return found;
}

function numberCitations(nodes, prefix) {
  const keys = [];
  for (const node of nodes) {
    const parts = node.data.split(/\\cite\{([^}]*)\}/).map((part, place) => {
      if (place % 2 === 0) return part;
      const mark = document.createElement("sup");
      mark.className = "citation";
      for (const key of part.split(",").map((k) => k.trim()).filter(Boolean)) {
        if (!keys.includes(key)) keys.push(key);
        const link = document.createElement("a");
        link.href = `#${prefix}-${key}`;
        link.textContent = `[${keys.indexOf(key) + 1}]`;
        if (mark.childNodes.length) mark.append(",");
        mark.append(link);
      }
      return mark;
    });
    node.replaceWith(...parts);
  }
  return keys;
}

async function listReferences(errors) {
  const lists = [...document.querySelectorAll(".references")];
  if (!lists.length) return;
  await load("citation-js/build/citation.js");
  const Cite = window.require("citation-js");
  const taken = new Set();
  for (const [place, list] of lists.entries()) {
    const scope = list.closest("article") ?? document.body;
    const nodes = textNodesBefore(list, scope, taken);
    nodes.forEach((node) => taken.add(node));
    const keys = numberCitations(nodes, `ref-${place}`);
    if (!keys.length) continue;
    const text = await (await fetch(list.dataset.bib)).text();
    let entries = [];
    try {
      entries = new Cite(text.replaceAll(/^\s*%.*$/gm, "")).data;
    } catch (error) {
      errors.push(`bibliography: ${error.message}`);
    }
    const ordered = document.createElement("ol");
    for (const key of keys) {
      const item = document.createElement("li");
      item.id = `ref-${place}-${key}`;
      const entry = entries.find((one) => one.id === key);
      const format = { format: "html", template: "vancouver", lang: "en-US" };
      if (entry) item.innerHTML = new Cite([entry]).format("bibliography", format);
      else errors.push(`missing reference: ${key}`);
      ordered.append(item);
    }
    list.append(ordered);
    list.hidden = false;
  }
}

async function drawDiagrams() {
  if (!document.querySelector("pre.mermaid")) return;
  const { default: mermaid } = await import(`${packages}mermaid/dist/mermaid.esm.min.mjs`);
  const natural = { useMaxWidth: false };
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: "neutral",
    flowchart: natural,
    sequence: natural,
    class: natural,
    er: natural,
    gantt: natural,
  });
  await mermaid.run({ querySelector: "pre.mermaid" });
}

async function setMath() {
  window.MathJax ??= {
    loader: { paths: { mathjax: `${packages}mathjax`, fonts: `${packages}@mathjax` } },
    tex: {
      inlineMath: [["$", "$"], ["\\(", "\\)"]],
      displayMath: [["$$", "$$"], ["\\[", "\\]"]],
      processEscapes: true,
      processEnvironments: true,
    },
    // Speech and menus are for readers, not for this.
    options: { enableMenu: false, enableSpeech: false, enableBraille: false },
    startup: { typeset: false },
  };
  await load("mathjax/tex-chtml.js");
  await MathJax.startup.promise;
  await MathJax.typesetPromise();
}

async function takeSteps() {
  const errors = [];
  for (const step of [drawAlgorithms, listReferences, drawDiagrams, setMath]) {
    try {
      await step(errors);
    } catch (error) {
      errors.push(`${step.name}: ${error.message ?? error}`);
    }
  }
  return errors;
}

window.finished = takeSteps();

// Another page's notes in the place of these, without loading the libraries once more.
window.show = async (address) => {
  const source = await (await fetch(address)).text();
  const page = new DOMParser().parseFromString(source, "text/html");
  await window.finished;
  MathJax.typesetClear();
  history.replaceState(null, "", address);
  document.documentElement.dataset.theme = "light";
  document.querySelector("main").replaceWith(page.querySelector("main"));
  window.finished = takeSteps();
};
