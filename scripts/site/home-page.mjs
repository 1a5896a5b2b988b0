// The home page: what it is, the six ways in, what is proven. Made of docs/README.md and docs/reference/obedience.md, in HTML
// that needs no script.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { headOf, provenIn, waysIn } from "./ways.mjs";

/** @param {string} root */
export function homePage(root) {
  const read = (/** @type {string} */ file) => readFileSync(join(root, file), "utf8");
  const readme = read("docs/README.md");
  const examples = JSON.parse(read("site/examples.json"));
  return `---
title: Tenterhook
titleTemplate: hooks for every AI agent
description: ${JSON.stringify(headOf(readme).summary.split(". ")[0])}
aside: false
outline: false
sidebar: false
pageClass: home
---

# Decide what AI agents may do {#tenterhook}

<p class="lead">One set of hooks for every agent: a rule refuses a call, rewrites it, asks you, or keeps the agent going until the tests pass. It fails closed, and you can test it before it runs.</p>

<div class="begin">

\`\`\`sh
npx tenterhook
\`\`\`

<p><a class="strong" href="./guides/protect">Protect an agent</a><a href="./playground">Try it here</a></p>

</div>

## What would happen to this command? {#try}

Each opens in the [playground](./playground.md), which runs the real engine in your browser. Nothing leaves the page.

<ul class="examples">
${examples.map(exampleItem).join("\n")}
</ul>

## Where to begin {#ways}

<div class="ways">
${waysIn(readme)
  .map(({ name, text }) => `<section>\n\n### ${name}\n\n${text}\n\n</section>`)
  .join("\n")}
</div>

## Proven on the real programs {#proven}

\`tenterhook prove\` starts an agent with a scripted model, which tries what is forbidden. [Every scenario and every
gap](./reference/obedience.md) · [agents that were tried by hand](./reference/agents.md)

${provenTable(provenIn(read("docs/reference/obedience.md")))}

Windows is not proven: nobody has run these there.

<p class="models">For models: <a href="./llms.txt" target="_self">llms.txt</a>, <a href="./llms-full.txt" target="_self">all pages in one</a>, and each page as Markdown: its address with <code>.md</code>.</p>
`;
}

/** @param {{ call: string, says: string, shows: string, files?: string }} example */
function exampleItem({ call, says, shows, files }) {
  const hash = new URLSearchParams({ call, ...(files === undefined ? {} : { files }) });
  const verdict = says === "continue" ? "passes" : says;
  return `<li><a href="./playground#${escaped(hash.toString())}"><span class="verdict ${says}">${verdict}</span> <code>${escaped(call)}</code> <span class="shows">${escaped(shows)}</span></a></li>`;
}

/** @param {ReturnType<typeof provenIn>} rows */
function provenTable(rows) {
  const count = (/** @type {Record<string, string>} */ results, /** @type {string} */ result) =>
    Object.values(results).filter((one) => one === result).length;
  const others = (/** @type {Record<string, string>} */ results) =>
    Object.entries(results).flatMap(([name, result]) => (result === "degraded" ? [name] : []));
  const lines = rows
    .toSorted((a, b) => a.agent.localeCompare(b.agent))
    .map(
      ({ agent, version, date, results }) =>
        `| [${agent}](./reference/agents/${agent}.md) | ${version} | ${date} | ${count(results, "obeyed")} | ${others(results).join(", ") || "–"} |`,
    );
  return [
    "| agent | version | tried on | obeyed | only in part |",
    "| --- | --- | --- | ---: | --- |",
    ...lines,
  ].join("\n");
}

/** @param {string} text */
function escaped(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;")
    .replaceAll("{", "&#123;")
    .replaceAll("|", "&#124;");
}
