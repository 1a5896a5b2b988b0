import { typeText } from "./options-page.mjs";

/**
 * @typedef {import("../../src/core/base/schemas.ts").Fields} Fields
 * @typedef {import("./options-page.mjs").Rows} Rows
 */

/**
 * The page of events: what each tells, what hooks can do there, and its fields.
 *
 * @param {Record<string, import("tenterhook").EventRow>} events
 * @param {{ common: Fields, own: Readonly<Record<string, Fields>>, usage: Fields }} fields
 * @param {Rows} rows
 */
export function eventsPage(events, fields, rows) {
  const table = (/** @type {Fields} */ of) => fieldTable(of, rows);
  const index = rows(Object.entries(events), ([name, row]) => [
    `[${name}](#${name.toLowerCase()})`,
    row.summary,
    row.effects.join(", ") || "observe",
    row.gate ? "closed" : "open",
  ]);
  const sections = Object.entries(events).map(
    ([name, row]) => `## ${name}\n\n${about(row)}\n\n${table(fields.own[name] ?? {})}`,
  );
  return `# Events

Every event also lets a hook tell the user something (\`user_message\`) and, but for SessionEnd, end the run (\`abort\`).

| event | tells | hooks can | fails |
| --- | --- | --- | --- |
${index}
Events of your own are declared: \`hooks.declare("custom:deploy", { effects: ["deny"] })\`. Events that one agent has are named after it: \`claude:ConfigChange\`. There are no events for artifacts: what an agent makes is a file, which tool events with \`path_patterns\` see.

## Common fields

${table(fields.common)}
## Fields of usage

Rules read them as \`usage.context_left\` and the like; a comparison with one that is missing never holds.

${table(fields.usage)}
${sections.join("\n")}`;
}

/** @param {import("tenterhook").EventRow} row */
function about(row) {
  const effects = [...row.effects, "user_message", ...(row.inside_run === false ? [] : ["abort"])];
  const rewrites = Object.entries(row.rewrites ?? {}).map(
    ([field, as]) => `\`${field}\` (\`decision.${as}\`)`,
  );
  const required = Object.keys(row.requires).map((field) => `\`${field}\``);
  const lines = [
    `${row.summary} ${row.gate ? "It is a gate: a hook that fails refuses it." : "A hook that fails lets it go on."}`,
    "",
    `- **Hooks can:** ${effects.join(", ")}.`,
    ...(row.about === null ? [] : [`- **It is about:** \`${row.about}\`.`]),
    ...(rewrites.length === 0
      ? []
      : [
          `- **\`rewrite\` replaces:** ${rewrites.join(", ")}${row.gate ? "; gates are asked again about the result" : ""}.`,
        ]),
    ...Object.entries(row.only_when ?? {}).map(
      ([effect, field]) => `- **\`${effect}\`** counts only when \`${field}\` is true.`,
    ),
    ...Object.entries(row.defaults ?? {}).map(
      ([field, value]) => `- **\`${field}\`** is \`${JSON.stringify(value)}\` when the caller gives none.`,
    ),
    ...(required.length === 0 ? [] : [`- **A caller must give:** ${required.join(", ")}.`]),
  ];
  return lines.join("\n");
}

/** @param {Fields} fields @param {Rows} rows */
function fieldTable(fields, rows) {
  const cells = rows(Object.entries(fields), ([name, { schema, docs, required }]) => [
    `\`${name}\`${required ? "" : "?"}`,
    `\`${typeText(schema)}\``,
    docs,
  ]);
  return cells === ""
    ? "It has no fields of its own.\n"
    : `| field | type | |\n| --- | --- | --- |\n${cells}`;
}
