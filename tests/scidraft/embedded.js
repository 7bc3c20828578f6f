// What there is to see of a note in the embedded theme: plain data.
() => {
  const lineText = (line) => {
    const copy = line.cloneNode(true);
    copy.querySelectorAll(".alg-number").forEach((e) => e.remove());
    copy.querySelectorAll("annotation").forEach((e) => {
      const whole = e.closest(".katex") ?? e.closest("math");
      whole.replaceWith(`$${e.textContent}$`);
    });
    return copy.textContent.replaceAll("\u2060", "");
  };
  const main = document.querySelector("main");
  return {
    errors: [],
    notes: [{
      words: main.textContent,
      algorithms: [...main.querySelectorAll("figure.algorithm")].map((figure) => ({
        text: figure.textContent,
        lines: [...figure.querySelectorAll(".alg-line")].map((line) => [
          Number.parseInt(line.querySelector(".alg-number")?.textContent ?? "0"),
          lineText(line),
        ]),
      })),
      // The text of each formula; where it is hidden from screen readers, the words beside it.
      formulas: [...main.querySelectorAll("math")].map((math) => {
        const copy = math.cloneNode(true);
        copy.querySelectorAll("annotation").forEach((e) => e.remove());
        const hidden = math.closest("[aria-hidden=true]");
        return [copy.textContent, hidden ? hidden.nextElementSibling?.textContent ?? "" : null];
      }),
      images: [...main.querySelectorAll("img")].map((image) => image.alt),
      outlines: [...main.querySelectorAll("ol")].map((list) =>
        [...list.children].map((item) => item.textContent.trim())),
    }],
  };
}
