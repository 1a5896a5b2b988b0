// The page of agents: which events each one sends, which effects it honours there, and what happens instead.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { importSource } from "./source-tables.mjs";

/**
 * @typedef {import("../../src/adapters/codec/agent-table.ts").AgentTable} AgentTable
 * @typedef {import("../../src/core/events/effects.ts").Effect} Effect
 */

/** The effects that are not always there, in the order of the page. @type {readonly Effect[]} */
export const SHOWN = ["deny", "ask", "allow", "rewrite", "context", "keep_going", "answer", "abort"];

/** @type {readonly import("../../src/adapters/adapter.ts").AskedKind[]} */
const KINDS = ["question", "plan_approval", "permission"];

/** @param {import("../../src/adapters/adapter.ts").AnsweredAt | "terminal" | undefined} at */
function answeredText(at) {
  if (at === undefined) return "–";
  if (at === "terminal") return "at its terminal";
  const mark = at.documented === true ? "*" : "";
  return at.dialog === "shown" && mark === "" ? "beside its dialog" : `before its dialog${mark}`;
}

/**
 * @typedef {{
 *   rowsFor: typeof import("../../src/adapters/codec/agent-table.ts").rowsFor,
 *   isGate: typeof import("../../src/adapters/codec/agent-table.ts").isGate,
 *   degraded: typeof import("../../src/adapters/codec/degrade.ts").degraded,
 * }} Rules What decides what becomes of an effect.
 */

/**
 * @param {readonly import("../../src/adapters/integration.ts").Integration[]} integrations
 * @param {Rules} rules
 * @param {Record<string, import("tenterhook").EventRow>} events
 */
export function agentsPage(integrations, rules, events) {
  const cell = cellFor(rules);
  const tables = integrations.map(({ table }) => table);
  const { rowsFor } = rules;
  const sent = Object.keys(events).filter((name) => tables.some((table) => rowsFor(table, name).length > 0));
  const head = `| | ${tables.map(({ title }) => title).join(" | ")} |\n| --- | ${tables.map(() => "---").join(" | ")} |\n`;
  /** @param {AgentTable} table @param {string} name */
  const natives = (table, name) =>
    rowsFor(table, name)
      .map(([native, row]) => `${native}${isProven(table, row) ? "" : "*"}`)
      .join("<br>") || "–";
  const sections = sent.map((name) => {
    const effects = SHOWN.filter((effect) => [...(events[name]?.effects ?? []), "abort"].includes(effect));
    const lines = tables.flatMap((table) =>
      rowsFor(table, name).map(
        ([native, row]) =>
          `| ${table.title} | ${native} | ${effects.map((effect) => cell(table, native, row, effect)).join(" | ")} |\n`,
      ),
    );
    return `### ${name}\n\n| agent | its event | ${effects.map((effect) => effect.replaceAll("_", " ")).join(" | ")} |\n| --- | --- | ${effects.map(() => "---").join(" | ")} |\n${lines.join("")}`;
  });
  const own = tables.map((table) => {
    const names = Object.entries(table.events).flatMap(([native, { event }]) =>
      event === undefined ? [`\`${table.name}:${native}\``] : [],
    );
    return `| ${table.title} | ${names.join(", ") || "–"} |\n`;
  });
  const asked = tables
    .filter(({ asks }) => Object.keys(asks).length > 0)
    .map(
      ({ title, asks }) => `| ${title} | ${KINDS.map((kind) => answeredText(asks[kind])).join(" | ")} |\n`,
    );
  return `# Agents

What each agent sends and honours, from the tables that \`tenterhook hook\`, \`install\` and \`check\` read.

| agent | version | seen on |
| --- | --- | --- |
${tables.map(({ name, title, evidence }) => `| [${title}](agents/${name}.md) | ${evidence.version} | ${evidence.date}${evidence.documented ? ", from its documentation only" : ", by running it"} |\n`).join("")}
\\* No test shows it on the real program: it was read in the documentation or source, or seen by hand. \`npm run test:all\` proves
the rest again on the real programs.

## What they ask their user, and who can answer

With [\`on_prompt: answer\`](../guides/monitor.md#answers) a hook waits for an answer from elsewhere. "Beside its dialog": the agent's own
dialog is on the screen meanwhile, and the first answer counts. "Before its dialog": the agent shows its dialog when the hook has
ended, so that the wait is short unless you are [away](../guides/monitor.md#answers). "At its terminal": no hook can answer.

| agent | question | plan | permission |
| --- | --- | --- | --- |
${asked.join("")}
## Events

The agent's name of each event; – when it never sends it. Hooks on such an event do not run there, and \`install\` says so.

${head}${sent.map((name) => `| [${name}](events.md#${name.toLowerCase()}) | ${tables.map((table) => natives(table, name)).join(" | ")} |\n`).join("")}
Events that only one agent has:

| agent | events |
| --- | --- |
${own.join("")}
## Effects

yes: the agent does it. refused: it can't, so that the call is refused instead. run ends: it can't, and the run ends instead. no: it
continues without it, and the user gets a message. **goes on**: nothing can stop it there; \`install\` and \`check\` say so. The section
\`degrade\` of a configuration chooses what happens to asks and rewrites.

${sections.join("\n")}`;
}

/**
 * What an agent does about an effect on one of its events.
 *
 * @param {Rules} rules
 * @returns {(table: AgentTable, native: string, row: import("../../src/adapters/codec/agent-table.ts").AgentEvent, effect: Effect) => string}
 */
export function cellFor({ isGate, degraded }) {
  return (table, native, row, effect) => {
    if (row.says[effect] !== undefined) return isProven(table, row, effect) ? "yes" : "yes*";
    /** @type {import("../../src/core/decide/decision.ts").Decision} */
    const decision = {
      action: "continue",
      context: [],
      user_messages: [],
      hook_inputs: [],
      runs: [],
      ...DECISIONS[effect],
    };
    const { losses } = degraded(decision, [effect], {
      agent: "",
      event: native,
      /** @param {Effect} other */
      unfit: (other) => row.says[other] === undefined,
      gate: isGate(row),
      degrade: {},
    });
    const [loss] = losses;
    if (loss === undefined) return "–";
    if (loss.became !== "deny") return effect === "deny" ? "**goes on**" : "no";
    return row.says.deny !== undefined && isGate(row) ? "refused" : "run ends";
  };
}

/**
 * True when a run of the program has shown an event, and when a test shows an effect on it.
 *
 * @param {AgentTable} table
 * @param {import("../../src/adapters/codec/agent-table.ts").AgentEvent} row
 * @param {Effect} [effect]
 */
export function isProven({ evidence }, { documented }, effect) {
  if (evidence.documented === true || documented === true) return false;
  return effect === undefined || documented?.includes(effect) !== true;
}

/** A decision with one effect. @type {Record<string, object>} */
const DECISIONS = {
  deny: { action: "deny", reason: "" },
  ask: { action: "ask", reason: "" },
  allow: { action: "allow" },
  rewrite: { input: {} },
  context: { context: [{ text: "", hook: "" }] },
  keep_going: { keep_going: { reason: "" } },
  answer: { answer: "" },
  abort: { abort: { reason: "" } },
};

/** The integrations of all agents, each in its folder. @param {string} root @returns {Promise<readonly import("../../src/adapters/integration.ts").Integration[]>} */
export async function integrationsIn(root) {
  const adapters = join(root, "src/adapters");
  const agents = readdirSync(adapters).filter((name) => existsSync(join(adapters, name, "integration.ts")));
  return Promise.all(
    agents.sort().map(async (name) => {
      const exported = await importSource(root, `adapters/${name}/integration.ts`);
      return Object.values(exported).find(({ table }) => table?.name === name);
    }),
  );
}
