import { importSource } from "./source-tables.mjs";

/** What every rule that is for real leaves alone; said once on each page. */
const DRY_RUNS = / !--(?:dry-?run|simulate|no-act|what-if|help)\b/g;
const LONGEST = 160;

/** @typedef {import("../../src/rules/packs/pack.ts").PackHook} PackHook */
/** @typedef {import("../../src/rules/packs/pack.ts").PackRule} PackRule */

/**
 * The page of the packs, and one for each rule.
 *
 * @param {string} root
 * @param {ReadonlyMap<string, import("../../src/rules/packs/pack.ts").Pack>} packs
 * @param {<T>(items: readonly T[], cells: (item: T) => readonly string[]) => string} rows
 * @returns {Promise<ReadonlyMap<string, string>>}
 */
export async function packPages(root, packs, rows) {
  /** @type {{ BLIND_SPOTS: Record<string, readonly string[]> }} */
  const { BLIND_SPOTS } = await importSource(root, "rules/packs/blind-spots.ts");
  const hooks = [...packs.values()].flatMap(({ definitions }) => definitions);
  const sections = [...packs.values()].map(({ name, description, definitions }) => {
    const parts = definitions.map((hook) => hookSection(hook, BLIND_SPOTS[hook.name] ?? [], rows));
    return `## ${name}\n\n${description}\n\n${parts.join("\n")}`;
  });
  const page = `# Packs

Rules that ship with the package. \`tenterhook init\` and \`use\` in a configuration file switch packs on, \`await hooks.use("safe-shell")\` does in code. Each rule has a page with what it stops and what it lets through; \`tenterhook list RULE\` shows the same. \`tenterhook off NAME\` switches off a rule, a hook or a whole pack.

A message that ends in \`(rule self-protection)\` is of no pack: every configuration [protects itself](../guides/configuration.md).

${sections.join("\n")}`;
  return new Map([
    ["packs.md", page],
    ...hooks.flatMap(({ rows: rules }) =>
      rules.map((rule) => /** @type {const} */ ([`rules/${rule.id}.md`, rulePage(rule, hooks)])),
    ),
  ]);
}

/**
 * @param {PackHook} hook
 * @param {readonly string[]} blindSpots
 * @param {Parameters<typeof packPages>[2]} rows
 */
function hookSection({ name, docs, rows: rules }, blindSpots, rows) {
  const table = rows(rules, ({ id, answer = "ask", reason }) => [`[${id}](rules/${id}.md)`, answer, reason]);
  return [
    `### ${name}`,
    docs,
    `| rule | answer | |\n| --- | --- | --- |\n${table}`,
    `Does not see:\n\n${blindSpots.map((text) => `- ${text}`).join("\n")}\n`,
  ].join("\n\n");
}

/**
 * @param {PackRule} rule
 * @param {readonly PackHook[]} hooks
 */
function rulePage(rule, hooks) {
  const { id, answer = "ask", reason, instead, stops, passes } = rule;
  const of = hooks.filter(({ rows }) => rows.some((row) => row.id === id)).map(({ name }) => name);
  const condition = hooks
    .flatMap(({ rows, rules }) => rules.split("\n").filter((_, at) => rows[at]?.id === id))
    .at(0);
  return `# ${id}

${reason} The answer is \`${answer}\`.

**Instead.** ${instead}

## Stops

${list(stops)}

## Lets through

${list(passes)}

A test asks the rule about each of these lines. What it can't see is listed with its hook: ${of.map((name) => `[${name}](../packs.md#${name})`).join(", ")}.

## Looks for

${list(soughtBy(condition ?? ""))}

This is written as in [rules](../../guides/rules.md). Where an option such as \`--dry-run\`, \`--simulate\` or \`--help\` says that a command does nothing, the rule leaves it alone.

## Switch it off

\`tenterhook off ${id}\` switches this rule off for you in this project, \`--project\` for everybody in it, \`--user\` for your own packs. In a file:

\`\`\`yaml
hooks:
  disabled: [${id}]
\`\`\`
`;
}

/** @param {readonly import("../../src/rules/packs/pack.ts").PackExample[]} examples */
function list(examples) {
  return examples
    .map(
      (one) =>
        `- ${code(typeof one === "string" ? one : `${one.tool_name} ${JSON.stringify(one.tool_input)}`)}`,
    )
    .join("\n");
}

/**
 * The patterns of a condition, each once.
 *
 * @param {string} when
 * @returns {string[]}
 */
function soughtBy(when) {
  const found = [
    ...when.matchAll(/\b(runs|reads|writes|connects|in) ("(?:[^"\\]|\\.)*"|\[[^\]]*\])|\b(dynamic)\b/g),
  ];
  const texts = found.map(([, operator, value = "", word]) => {
    const text = value.startsWith('"') ? JSON.parse(value).replace(DRY_RUNS, "") : value;
    return word ?? (operator === "runs" ? text : `${operator} ${text}`);
  });
  return [...new Set(texts)].map((text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text));
}

/** @param {string} text */
function code(text) {
  return `\`\` ${text} \`\``;
}
