import { html } from "../page/html.ts";
import { STYLE } from "../page/style.ts";
import type { Proof } from "./proof.ts";

/** An agent on the page. */
export interface ShownAgent {
  readonly title: string;
  readonly version: string;
  readonly scenarios: readonly Proof[];
}

const WORDS: Readonly<Record<Proof["result"], string>> = {
  obeyed: "obeyed",
  degraded: "weaker",
  ignored: "ignored",
  not_reached: "not reached",
};

/** The colours of tags, by what they mean elsewhere on our pages. */
const TAGS: Readonly<Record<Proof["result"], string>> = {
  obeyed: "continue",
  degraded: "ask",
  ignored: "deny",
  not_reached: "deny",
};

/** What agents did as one page that needs nothing else: a table of agents by scenarios, and why something is not obeyed. */
export function provePage(agents: readonly ShownAgent[], when: Date): string {
  const names = [...new Set(agents.flatMap(({ scenarios }) => scenarios.map(({ name }) => name)))];
  const results = agents.flatMap(({ scenarios }) => scenarios.map(({ result }) => result));
  const tiles = [
    tile("Agents", agents.length, ""),
    ...(["obeyed", "degraded", "ignored", "not_reached"] as const).map((result) =>
      tile(
        WORDS[result].replace(/^./, (first) => first.toUpperCase()),
        results.filter((one) => one === result).length,
        TAGS[result] === "deny" ? "stop" : TAGS[result] === "ask" ? "wait" : "",
      ),
    ),
  ];
  const rows = agents.map(({ title, version, scenarios }) => {
    const cells = names.map((name) => `<td>${tagOf(scenarios.find((one) => one.name === name))}</td>`);
    return `<tr><th scope="row">${html(title)} <span class="faint">${html(version)}</span></th>${cells.join("")}</tr>`;
  });
  const reasons = agents.flatMap(({ title, scenarios }) =>
    scenarios
      .filter(({ result }) => result !== "obeyed")
      .map(
        (proof) =>
          `<tr><td>${html(title)}</td><td>${html(proof.name)}</td><td>${tagOf(proof)}</td><td>${html(proof.why ?? "")}${proof.way_out === undefined ? "" : `<br><span class="muted">${html(proof.way_out)}</span>`}</td></tr>`,
      ),
  );
  const heads = names.map((name) => `<th scope="col">${html(name)}</th>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>Prove: which agent obeys your hooks</title>
<style>${STYLE}
.scroll { overflow-x: auto; } tbody th { color: var(--ink); font-size: 13.5px; } tbody tr:last-child th { border-bottom: 0; }
</style>
</head>
<body>
<main>
<div class="head"><h1>Prove</h1><span class="muted">which agent obeys your hooks, tried on ${when.toISOString().slice(0, 10)}</span></div>
<section class="card tiles">${tiles.join("")}</section>
<section>
<h2>Agents by scenario</h2>
<div class="card scroll"><table><thead><tr><th scope="col">Agent</th>${heads.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div>
</section>
<section>
<h2>What is not obeyed</h2>
<div class="card scroll"><table><tbody>${reasons.join("") || '<tr><td class="empty">Every agent obeys everything.</td></tr>'}</tbody></table></div>
</section>
</main>
</body>
</html>
`;
}

function tile(name: string, value: number, colour: string): string {
  return `<div class="tile"><span>${name}</span><b class="${value === 0 ? "" : colour}">${value}</b></div>`;
}

function tagOf(proof: Proof | undefined): string {
  if (proof === undefined) return '<span class="faint">–</span>';
  return `<span class="tag ${TAGS[proof.result]}">${WORDS[proof.result]}</span>`;
}
