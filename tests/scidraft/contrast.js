// The text that is hard to read on the page as it is coloured now: [note, text, contrast].
() => {
  const channel = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) =>
    0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
  const read = (color) => color.match(/[\d.]+/g).map(Number);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = read(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] > 0.5) return color;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const article of document.querySelectorAll("article")) {
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      const text = walker.currentNode.data.trim();
      if (!text || parent.closest("svg, script, style, [hidden], .katex-mathml")) continue;
      const pair = [light(read(getComputedStyle(parent).color)), light(ground(parent))];
      const contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
      if (contrast < 4.5) found.push([article.dataset.note, text.slice(0, 60), contrast]);
    }
  }
  return found;
}
