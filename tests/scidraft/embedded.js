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
      formulas: [...main.querySelectorAll("math")].map((math) => {
        const copy = math.cloneNode(true);
        copy.querySelectorAll("annotation").forEach((e) => e.remove());
        return copy.textContent;
      }),
      images: [...main.querySelectorAll("img")].map((image) => image.alt),
      items: [...main.querySelectorAll("ol > li")].map((item) => item.textContent.trim()),
    }],
  };
}
