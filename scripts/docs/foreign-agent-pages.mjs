// A page for each agent of somebody else, from its integration: what `install` writes, what it sends and honours, and what
// is different there.
import { cellFor, isProven, SHOWN } from "./agents-page.mjs";

/** @typedef {import("../../src/adapters/integration.ts").Integration} Integration */

/** Guides of their own. @type {Readonly<Record<string, string>>} */
const GUIDES = { claude: "claude-code.md" };

/** @type {Readonly<Record<import("../../src/adapters/integration.ts").SettingsScope, string>>} */
const WHO = {
  project: "everybody who starts it in this project",
  user: "you, wherever you start it",
  local: "you, in this project",
};

/**
 * @param {readonly Integration[]} integrations
 * @param {import("./agents-page.mjs").Rules} rules
 * @param {Record<string, import("tenterhook").EventRow>} events
 * @param {string} obedience The page of what `tenterhook prove` has seen.
 * @param {import("./options-page.mjs").Rows} rows
 * @returns {ReadonlyMap<string, string>}
 */
export function foreignAgentPages(integrations, rules, events, obedience, rows) {
  return new Map(
    integrations.map((one) => [
      `agents/${one.table.name}.md`,
      pageOf(one, rules, events, proofOf(one, obedience), rows),
    ]),
  );
}

/**
 * @param {Integration} integration
 * @param {import("./agents-page.mjs").Rules} rules
 * @param {Record<string, import("tenterhook").EventRow>} events
 * @param {string} proof
 * @param {import("./options-page.mjs").Rows} rows
 */
function pageOf(integration, rules, events, proof, rows) {
  const { table, since, warnings = [], notes = [], importing } = integration;
  const { name, title, evidence } = table;
  const seen = evidence.documented ? "read in its documentation only" : "seen by running it";
  const guide = GUIDES[name];
  const cells = cellFor(rules);
  const lines = rows(Object.entries(table.events), ([native, row]) => {
    const possible = row.declares?.effects ?? events[row.event ?? ""]?.effects ?? [];
    const shown = SHOWN.filter((effect) => effect === "abort" || possible.includes(effect));
    const answers = shown.map((effect) => /** @type {const} */ ([effect, cells(table, native, row, effect)]));
    const does = answers.filter(([, cell]) => /^yes/.test(cell));
    const instead = answers.filter(([, cell]) => cell === "refused" || cell === "run ends");
    return [
      row.event === undefined
        ? `\`${name}:${native}\``
        : `[${row.event}](../events.md#${row.event.toLowerCase()})`,
      `${native}${isProven(table, row) ? "" : "*"}`,
      does.map(([effect, cell]) => words(effect) + cell.replace("yes", "")).join(", ") || "watch",
      instead.map(([effect, cell]) => `${words(effect)}: ${cell}`).join(", ") || "–",
    ];
  });
  return [
    `# ${title}`,
    `Your hooks decide in ${title} as in [every agent](../../guides/install.md). Version ${evidence.version} was ${seen} on ${evidence.date}; one before ${since.version} ${since.older}${guide === undefined ? "" : ` The guide is [${title}](../../guides/${guide}).`}`,
    proof,
    "## Install",
    `| command | writes | for |\n| --- | --- | --- |\n${scopeRows(integration, rows)}`,
    startText(integration),
    ...(importing === undefined
      ? []
      : [`\`tenterhook import ${name}\` [brings along](../../guides/import.md) the hooks you have there.`]),
    "## Events",
    `What hooks can do there, and what becomes of what they can't: *refused*, or *the run ends*. Anything else is left out, and the user reads that. \\* No test shows it on the real program. [All agents side by side](../agents.md).`,
    `| event | its name | hooks can | instead of |\n| --- | --- | --- | --- |\n${lines}`,
    ...list("## What nothing can close", warnings),
    ...list("## What is different", notes),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trimEnd()
    .concat("\n");
}

/**
 * What `tenterhook prove` has seen the agent do, in a sentence.
 *
 * @param {Integration} integration
 * @param {string} obedience
 */
function proofOf({ table: { name, title } }, obedience) {
  const lines = obedience.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const head = lines.find(([, first]) => first === "agent") ?? [];
  const row = lines.find(([, first, , date]) => first === name && /^\d{4}-/.test(date ?? ""));
  if (row === undefined)
    return `\`tenterhook prove\` can't start ${title}: what is here was tried by hand and by tests.`;
  const those = (/** @type {string} */ result) =>
    head
      .filter((_, at) => row[at] === result)
      .map((scenario) => `\`${scenario}\``)
      .join(", ");
  const weaker = those("degraded");
  const rest = weaker === "" ? "" : ` It can't fully do ${weaker}.`;
  return `\`tenterhook prove\` saw version ${row[2]} obey ${those("obeyed")} on ${row[3]}.${rest} [What that means](../obedience.md).`;
}

/** @param {Integration} integration @param {import("./options-page.mjs").Rows} rows */
function scopeRows(integration, rows) {
  const { table, scopes, managed } = integration;
  const places = { root: "", home: "~", environment: {} };
  const usual = scopes[0];
  const lines = scopes.map((scope) => {
    const file = integration.settingsFile(scope, places).replace(/^\//, "");
    const option = scope === usual ? "" : ` --${scope}`;
    return [`\`tenterhook install ${table.name}${option}\``, `\`${file}\``, WHO[scope]];
  });
  const all =
    managed === undefined
      ? []
      : [
          [
            `\`sudo tenterhook install ${table.name} --managed\``,
            `\`${managed.file}\``,
            "everybody on this machine",
          ],
        ];
  return rows([...lines, ...all], (cells) => cells);
}

/** @param {Integration} integration */
function startText({ table: { title }, startsInRoot, loginShell, switches, trust, startsNone }) {
  const below =
    startsInRoot === true
      ? `${title} reads a project's settings only in the folder it is started in: for folders below, install with \`--user\`.`
      : startsInRoot === "unless git"
        ? `In a git repository ${title} finds the project's settings from every folder below; elsewhere only in the project's own folder.`
        : "";
  return [
    below,
    ...(loginShell
      ? [
          `It starts hooks in a login shell, which must find \`tenterhook\`: put it on the \`PATH\` in \`~/.profile\`, not in \`~/.bashrc\`.`,
        ]
      : []),
    ...(startsNone === undefined
      ? []
      : [
          "It runs the hooks of a project only in a folder that its user trusts: start it there once and trust the folder.",
        ]),
    ...(trust === undefined ? [] : [trust.explained("")]),
    ...(switches?.variables === undefined
      ? []
      : [
          `These variables switch all hooks off: ${switches.variables.map((one) => `\`${one}\``).join(", ")}.`,
        ]),
  ]
    .filter((text) => text !== "")
    .join(" ");
}

/** @param {string} heading @param {readonly string[]} items @returns {string[]} */
function list(heading, items) {
  return items.length === 0 ? [] : [heading, items.map((text) => `- ${text}`).join("\n")];
}

/** @param {string} effect */
function words(effect) {
  return effect.replaceAll("_", " ");
}
