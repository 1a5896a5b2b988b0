import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The packages, in the order of the page, by the file in examples/compare. */
const COMPARED = {
  tenterhook: "tenterhook",
  hookable: "hookable",
  tapable: "tapable",
  "ai-sdk": "AI SDK 7",
  "claude-agent-sdk": "Claude Agent SDK",
  pi: "pi",
  langchain: "LangChain",
};

const TASKS = {
  block: "Block a tool call",
  rewrite: "Rewrite its input",
  context: "Add context",
  keepGoing: "Keep going until a check passes",
};

/**
 * The page that shows the same four tasks in seven packages, from the programs that a test runs.
 *
 * @param {string} root
 */
export function comparePage(root) {
  const names = Object.entries(COMPARED);
  const parts = names.map(([file, title]) => {
    const text = readFileSync(join(root, "examples/compare", `${file}.mjs`), "utf8");
    return { title, about: /^\/\/ [^:]*: (.*)\n/.exec(text)?.[1] ?? "", file, text };
  });
  const lines = (/** @type {string} */ code) => code.split("\n").length;
  const rows = parts.map(({ title, about, file, text }) => {
    const counts = Object.keys(TASKS).map((task) => lines(regionOf(text, task)));
    return `| [${title}](../../examples/compare/${file}.mjs) | ${counts.join(" | ")} | ${about} |`;
  });
  const sections = Object.entries(TASKS).flatMap(([task, title]) => [
    `## ${title}`,
    "",
    ...parts.flatMap((part) => [`${part.title}:`, "", "```js", regionOf(part.text, task), "```", ""]),
  ]);
  return [
    "# The same four tasks in seven packages",
    "",
    "A model has a tool `shell` and wants to run commands. `git push` must not run, and the model must read why; `npm publish` becomes a dry run; the model must know the branch; the agent must not stop before the tests pass. The programs in [examples/compare](../../examples/compare) do this with a scripted model, and `npm run test:all` runs them all.",
    "",
    `Lines of each task:\n\n| | ${Object.values(TASKS).join(" | ").toLowerCase()} | how |`,
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
    "hookable and tapable call functions; the loop and the meaning of what they return are yours, and are not counted. The others have a loop.",
    "",
    ...sections,
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
}

/**
 * A region of a program, without its indentation.
 *
 * @param {string} text
 * @param {string} name
 */
function regionOf(text, name) {
  const found = new RegExp(`( *)// #region ${name}\\n([\\s\\S]*?)\\n *// #endregion`).exec(text);
  if (found === null) throw new Error(`There is no region ${name}.`);
  const [, indentation = "", code = ""] = found;
  return code.replaceAll(new RegExp(`^${indentation}`, "gm"), "");
}
