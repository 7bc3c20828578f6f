// One JSON list of formulas on stdin -> a JSON list on stdout: null, or KaTeX's error.
import { readFileSync } from "node:fs";
import katex from "katex";

const formulas = JSON.parse(readFileSync(0, "utf8"));
const verdicts = formulas.map((formula) => {
  try {
    katex.renderToString(formula, { throwOnError: true, strict: false });
    return null;
  } catch (error) {
    return error.message;
  }
});
process.stdout.write(JSON.stringify(verdicts));
